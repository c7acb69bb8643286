package bound

import "math"

// Novikoff returns R²/γ², the Block–Novikoff bound on the mistakes of a perceptron without bias. If
// ‖x‖ ≤ R on all rounds and some w has y⟨w,x⟩/‖w‖ ≥ γ > 0 on all of them, a run makes at most this
// many mistakes, in any order, in any dimension, and over any number of rounds
// (lessons/03-novikoff.md).
//
// The γ of any separator is allowed; the largest one gives the best bound. Only the ratio R/γ
// counts: multiplying the data by a constant changes neither the run nor the bound. (If it is
// printed as 1/γ², the bound tacitly has R = 1.) γ ≤ R holds on every data set, so a result below 1
// means that radius and gamma come from different ones.
//
// gamma ≤ 0 gives +Inf, because that plane does not separate.
func Novikoff(radius, gamma float64) float64 {
	switch {
	case !lengths(radius) || !finite(gamma):
		return math.NaN()
	case gamma <= 0:
		return math.Inf(1)
	}
	return square(radius / gamma)
}

// NovikoffBias returns (R²+c²)(‖w*‖² + b*²/c²), the bound for a perceptron with bias. This is the
// perceptron without bias on the rows x' = (x, c), where c = 1 is the usual b ← b + y. normW is
// ‖w*‖ and b is b* of a separating plane in canonical form, radius is the radius of the rows
// *before* augmentation, and c > 0.
//
// Proof: w' = (w*, b*/c) has ⟨w',x'⟩ = f(x) ≥ 1 after multiplication by the label, so the augmented
// margin is 1/‖w'‖, and ‖x'‖² ≤ R²+c². The bound R²/γ² of the original data does not hold here: in
// one dimension the points 99 and 101 have R²/γ² = 10201, and the run with c = 1 makes more
// mistakes than that.
//
// The best constant is c² = R·|b*|/‖w*‖, where the bound is (R‖w*‖ + |b*|)².
//
// normW = b = 0 is not canonical for any data, and the result is +Inf. normW = 0 with b = ±1 is
// valid for data of a single class.
func NovikoffBias(radius, normW, b, c float64) float64 {
	switch {
	case !lengths(radius, normW, c) || c == 0 || !finite(b):
		return math.NaN()
	case normW == 0 && b == 0:
		return math.Inf(1)
	}
	return square(math.Hypot(radius, c) * math.Hypot(normW, b/c))
}

// NovikoffLoose returns (2R/γ)². It bounds the mistakes
//
//   - of a perceptron without bias, four times too generously: [Novikoff] is the bound there;
//   - of a perceptron *with* bias if the appended constant is c = R (b ← b + y·R²), γ is the
//     half-margin of a plane *with* bias, and both classes occur.
//
// Proof of the second. Let (w*, b*) be canonical, γ = 1/‖w*‖. A positive row has ⟨w*,x⟩ + b* ≥ 1,
// so b* ≥ 1 − R‖w*‖; a negative one gives b* ≤ R‖w*‖ − 1. Hence |b*| ≤ R‖w*‖, and [NovikoffBias]
// with c = R is
//
//	(R²+R²)(‖w*‖² + b*²/R²) = 2R²‖w*‖² + 2b*² ≤ 4R²‖w*‖² = (2R/γ)².
//
// With the usual c = 1 it need not hold, because (2R/γ)² does not change when the data are scaled,
// whereas the mistakes of that run do. The points 0.01 (class −1) and 0.02 (class +1) have (2R/γ)²
// = 64 and cost thousands of mistakes.
//
// gamma ≤ 0 gives +Inf.
func NovikoffLoose(radius, gamma float64) float64 { return 4 * Novikoff(radius, gamma) }
