// Package feature makes columns fit for learning: a [Scaler] brings them to one scale, and [Polynomial] lifts
// rows by the feature map of the polynomial kernel, written out, [Fourier] by a random one of the Gaussian kernel. What is fitted is fitted to the training
// rows only and then applied to any rows.
package feature
