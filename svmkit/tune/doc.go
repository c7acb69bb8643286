// Package tune measures models on rows that they have not seen, and chooses the parameters of a fit by it.
//
// [Split] and [Folds] draw the rows, and keep the proportions of the classes. Rows that depend on each other need
// [GroupFolds], as several of one patient, or [TimeFolds], where the past is to predict the future.
//
// A [Validation] holds the folds and the [Metric]. Its methods train on the Train rows of each
// fold and measure on the Test rows:
//
//	CrossValidate   one procedure: its value in every fold, mean and standard error
//	Search          many values of C, γ, ε, the degree and the kernel
//	Nested          the choice itself, judged on rows that had no part in it
//	Permuted        what the same procedure reaches when the labels mean nothing
//
// A test row must influence nothing that it is used to judge. So a model only ever gets the Train
// rows as its set; [Scaled], [Probabilities] and [svmkit.Weighted] make a fitter of another one that
// scales, fits probabilities and weighs inside of that, and Nested chooses inside of that. A fold
// with a row on both sides is refused with [ErrLeak]. The value of the best point of a Search is too
// good, as the test rows chose it: report the value of Nested.
//
// Models are trained in parallel, and no result, error or choice depends on how many at once. That
// needs a [svmkit.Fitter] or [ParamFitter] that is safe for concurrent use and, if it is random,
// takes its seed from its own settings.
package tune
