// Package feature prepares the columns of a data set for learning. Whatever is fitted is fitted to
// the training rows only, and then applied to any rows:
//
//	scaling, err := feature.Scaler{Kind: feature.Standardize}.Fit(train)
//	…
//	train, err = scaling.Apply(train)
//	…
//	test, err = scaling.Apply(test)
//
// A [Scaler] brings columns to one scale. [Polynomial] lifts rows by the feature map of the
// polynomial kernel, written out, and [Fourier] lifts them by a random map that approximates the
// Gaussian kernel.
package feature
