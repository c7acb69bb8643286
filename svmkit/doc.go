// Package svmkit holds the types that its subpackages share: rows, data sets, models, certificates.
// To train a model, import package svm first; package samples has data to try it on:
//
//	notes := samples.Banknotes() // 1372 banknotes of two classes, 4 columns
//	model, err := svm.Fit(context.Background(), &svm.Problem{Data: notes}, nil, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(model.Predict(notes.X[0]).Name, model.Status)
//
// # Packages
//
//	svm         support vector machines: two classes, regression, outliers; with certificates
//	samples     real data sets to try things on
//	dataset     read CSV, svmlight and libsvm files; generate data
//	feature     scale columns, add products of columns, approximate kernels
//	text        turn texts into rows
//	multiclass  models for more than two classes
//	tune        cross-validation, parameter search, probabilities
//	pipeline    train on a table of numbers, names and text, and keep it all in one file
//	modelfile   save and load models, also those of LIBSVM, LIBLINEAR and scikit-learn
//	perceptron  the perceptron and its relatives
//	stream      train on files that are larger than the memory
//	separate    decide whether a plane separates two classes, with a proof
//
// Packages kernel and loss hold the parts of a problem, bound holds generalisation bounds, and qp
// holds a small solver for quadratic programs. Package svmtest tests a kernel of your own.
//
// # Notation
//
// All packages and lessons use one set of conventions.
//
//	n, d        number of rows (examples), number of columns (features)
//	x, xᵢ       a row, in ℝᵈ; columns are numbered from 0 in code
//	y, yᵢ       its label, −1 or +1 (a target in ℝ for regression)
//	w, b        normal and bias of a hyperplane H = {z : ⟨w,z⟩ + b = 0}
//	f(x)        the score ⟨w,x⟩ + b; its sign is the predicted label
//	y·f(x)      functional margin: scales with (w, b)
//	y·f(x)/‖w‖  geometric margin: the distance from H, negative on the wrong side
//	γ           half-margin of a set: its smallest geometric margin.
//	            In canonical form (smallest y·f(x) = 1) γ = 1/‖w‖; the street is 2γ wide
//	R           max ‖xᵢ‖, the radius about the origin
//	ξᵢ          slack, max(0, 1 − yᵢf(xᵢ));  ε is the half-width of the regression tube
//	C           multiplies the *sum* of the losses: ½‖w‖² + C·Σξᵢ
//	αᵢ          dual variable of row i, 0 ≤ αᵢ ≤ C;  w = Σ αᵢyᵢxᵢ
//
// A mistake is y·f(x) ≤ 0: a score of exactly zero belongs to no class and is a mistake for both
// labels. A support vector has αᵢ > 0. A free support vector has 0 < αᵢ < C, and only free ones are
// known to lie on the margin.
//
// Some texts scale C in another way. These are the conversions:
//
//	½‖w‖² + C·Σξᵢ              this library
//	½‖w‖² + (C′/n)·Σξᵢ         C = C′/n
//	(λ/2)‖w‖² + (1/n)·Σξᵢ      C = 1/(nλ)
//
// # Models
//
// A trained model is a [Model]. It gives each row a [Prediction]: a class, or the target of a
// regression. A model with a single score f(x) is also a [Scorer], and a model for more than two
// classes is also a [ClassScorer]. File model.go has all interfaces that a model can implement.
//
// # Errors
//
// Methods of [Row] panic if lengths do not match, as slices do. Errors in data or parameters are
// returned as a [*DataError] or a [*ParamError] that names the place and the value. If a function
// of yours panics in a goroutine of the library, the error is a [*PanicError].
//
// The library never prints. Its results do not depend on the clock or on global random numbers; the
// clock only decides when a progress function is called next.
package svmkit
