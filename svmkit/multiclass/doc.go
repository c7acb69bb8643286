// Package multiclass trains models for more than two classes:
//
//	pairs := multiclass.OneVsOne{Binary: svm.Fitter(svm.Problem{}, nil, nil)}
//	model, err := pairs.Fit(context.Background(), samples.Iris())
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(model.Predict(svmkit.Dense(5.1, 3.5, 1.4, 0.2)).Name)
//
// There are three ways:
//
//	OneVsRest       K binary models, class k against all others; the largest score wins
//	OneVsOne        K(K−1)/2 binary models, one per pair of classes; votes are counted
//	CrammerSinger   one linear problem with K normals and one slack per row
//
// OneVsRest and OneVsOne take any [svmkit.Fitter] whose models have a score, as a [svmkit.Scorer]
// has. All three return a [Classifier], and have a method Fitter for package tune. A
// [PairClassifier] and a [RestClassifier] have probabilities if their models do; tune.Probabilities
// fits them. Their method Prepare makes a predictor for one row at a time, as a server needs it.
//
// Classes are numbered from 0. With names, the numbers follow from the labels by [svmkit.ClassOf]:
// of two classes, label −1 is class 0 and +1 is class 1; of more, the label is the number. Without
// names, labels that are all ±1 are two classes. Other labels without names must be whole numbers 0
// … K−1 with K ≤ n, and are the numbers of the classes, even if K is 2.
//
// Rows count by their weights ([svmkit.Dataset].Weight) in every model. [svmkit.ClassWeights] sets
// the weight of a class in all models, like LIBSVM's -wi. LIBLINEAR's one-vs-rest uses the weight
// of class k in the model of class k only (function train of linear.cpp).
//
// A class without a row of a positive weight, such as a rare class in a fold of a cross-validation,
// has no model and the score −Inf. OneVsRest and OneVsOne never predict it.
package multiclass
