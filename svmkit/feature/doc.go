// Package feature prepares the columns of a data set for learning: it scales, lifts and
// approximates.
//
//	scaling, err := feature.Scaler{Kind: feature.Standardize}.Fit(train)
//	if err != nil {
//		log.Fatal(err)
//	}
//	test, err = scaling.Apply(test) // by the means and deviations of the training rows
//
// A [Scaler] brings columns to one scale. Fit it to the training rows only, and apply the result to
// training and test rows. [Polynomial] lifts rows by the feature map of the polynomial kernel.
// [Fourier] lifts them by a random map that approximates the Gaussian kernel.
package feature
