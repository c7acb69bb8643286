// Package multiclass turns models for two classes into a classifier for K, and fits the one
// linear model that handles K classes at once.
//
//	OneVsRest       K binary models, class k against all others; the largest score wins
//	OneVsOne        K(K−1)/2 binary models, one a pair of classes; votes are counted
//	CrammerSinger   one problem with K normals and one slack a row, linear
//
// The first two take any [svmkit.Fitter] whose models have a score, as a [svmkit.Scorer] has. All
// three give a [Classifier], and have a method Fitter, for package tune. A [PairClassifier] and a
// [RestClassifier] have probabilities if their models have: tune.Probabilities fits them. Their
// method Prepare is for one row at a time, as a server needs it.
//
// Classes are numbered from 0. With names, the numbers follow from the labels by [svmkit.ClassOf]:
// of two classes, label −1 is class 0 and +1 is class 1; of more, the label is the number. Without
// names, labels that are all ±1 are two classes. Other labels without names must be whole numbers
// 0 … K−1 with K ≤ n, and are the numbers of the classes, even if K is 2.
//
// Rows count by their weights ([svmkit.Dataset].Weight) in every model. [svmkit.ClassWeights]
// weighs the rows of a class wherever they stand, as LIBSVM's -wi does; LIBLINEAR's one-vs-rest
// weighs class k in the model of class k only (function train of linear.cpp).
//
// A class without a row of a positive weight (a rare one, in some fold of a cross-validation) has
// no model and the score −Inf, so it is never predicted by OneVsRest and OneVsOne.
package multiclass
