// Package tune measures models on rows that they have not seen, and chooses parameters by these
// measures:
//
//	folds, err := tune.Folds(set, 5, 1)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fit := tune.Scaled(feature.Scaler{}, svm.Fitter(svm.Problem{}, nil, nil))
//	r, err := tune.Validation{Folds: folds}.CrossValidate(ctx, set, fit)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Printf("accuracy %.2f ± %.2f\n", r.Mean, r.StdErr)
//
// [Split] and [Folds] draw the rows and keep the proportions of the classes. Use [GroupFolds] if
// several rows depend on each other, such as the rows of one patient. Use [TimeFolds] if the past
// must predict the future.
//
// A [Validation] holds the folds and the [Metric]. Its methods train on the Train rows of each fold
// and measure on the Test rows:
//
//	CrossValidate   one procedure: its value in every fold, mean and standard error
//	Search          many values of C, γ, ε, the degree and the kernel
//	Nested          the choice of parameters, judged on rows that had no part in it
//	Permuted        the value that the same procedure reaches with meaningless labels
//
// A test row must have no influence on a model that it judges. Models, scalings ([Scaled]),
// probabilities ([Probabilities]), class weights ([svmkit.Weighted]) and the parameters that Nested
// chooses are therefore fitted to the Train rows only. A fold with a row on both sides is refused
// with [ErrLeak]. The best value of a Search is optimistic, because the test rows selected it.
// Report the value of Nested.
//
// Models are trained in parallel, and no result, error or choice depends on the number of threads.
// Your [svmkit.Fitter] or [ParamFitter] must therefore be safe for concurrent use. If it is random,
// it must take its seed from its own settings.
package tune
