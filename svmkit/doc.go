// Package svmkit is the vocabulary that a perceptron, a support vector machine and a lesson about
// them share: a row, a dataset, a hyperplane, a certificate. The algorithms live in the packages
// below it; this one imports the standard library only.
//
// # Notation
//
// One set of conventions holds in all packages and lessons.
//
//	n, d        number of rows (examples), number of columns (features)
//	x, xᵢ       a row, in ℝᵈ; features are numbered from 0 in code
//	y, yᵢ       its label, −1 or +1 (a target in ℝ for regression)
//	w, b        normal and bias of a hyperplane H = {z : ⟨w,z⟩ + b = 0}
//	f(x)        the score ⟨w,x⟩ + b; its sign is the predicted label
//	y·f(x)      functional margin: scales with (w, b)
//	y·f(x)/‖w‖  geometric margin: signed distance, negative on the wrong side
//	γ           half-margin of a set: its smallest geometric margin.
//	            In canonical form (smallest y·f(x) = 1) γ = 1/‖w‖; the street is 2γ wide
//	R           max ‖xᵢ‖, the radius about the origin
//	ξᵢ          slack, max(0, 1 − yᵢf(xᵢ));  ε is the half-width of the regression tube
//	C           multiplies the *sum* of the losses: ½‖w‖² + C·Σξᵢ
//	αᵢ          dual variable of row i, 0 ≤ αᵢ ≤ C;  w = Σ αᵢyᵢxᵢ
//
// A mistake is y·f(x) ≤ 0. The sign of 0 is no class: a score of exactly zero is a
// mistake for both labels. A support vector has αᵢ > 0; a free one has 0 < αᵢ < C,
// and only free ones are known to lie on the margin.
//
// # Scalings of C
//
//	½‖w‖² + C·Σξᵢ              ours
//	½‖w‖² + (C_E/m)·Σξᵢ        C = C_E/m, m = n
//	(λ/2)‖w‖² + (1/m)·Σξᵢ      C = 1/(mλ)
//
// # Models
//
// A trained model is a [Model]. It gives each row a [Prediction]: a class, or the target of a
// regression. A model with a single score f(x) is a [Scorer] as well; a model for more than two
// classes is a [ClassScorer] instead. File model.go has all interfaces that a model can implement.
//
// # Errors
//
// Primitives on rows panic when lengths do not match, as slices do. Everything that can be wrong
// with data or parameters is returned as a [*DataError] or [*ParamError] that names the place and
// the value. A function of the caller's that panics is a [*PanicError].
//
// No function of this library prints or uses global randomness. The clock only says when a progress
// function is called next: no result depends on it.
package svmkit
