package bound

import "math"

// Novikoff returns R²/γ², the Block–Novikoff bound on the mistakes of a perceptron without bias.
//
// If ‖x‖ ≤ R on all rounds and some w has y⟨w,x⟩/‖w‖ ≥ γ > 0 on all of them, a run makes at most
// this many mistakes, in any order, in any dimension, and over any number of rounds
// (lessons/03-novikoff.md). Only the ratio R/γ counts: a constant factor of the data changes
// neither the run nor the bound. The largest γ gives the best bound.
//
// γ ≤ R holds on every data set, so a result below 1 means that radius and gamma come from
// different ones. gamma ≤ 0 gives +Inf, because that plane does not separate.
func Novikoff(radius, gamma float64) float64 {
	switch {
	case !lengths(radius) || !finite(gamma):
		return math.NaN()
	case gamma <= 0:
		return math.Inf(1)
	}
	return square(radius / gamma)
}

// NovikoffBias returns (R²+c²)(‖w*‖² + b*²/c²), a bound on the mistakes of a perceptron with bias.
//
// It is R²/γ² of the rows (x, c), where c = 1 is the usual b ← b + y. normW is ‖w*‖ and b is b* of
// a separating plane in canonical form, radius is the radius of the rows *before* augmentation, and
// c > 0.
//
// The bound R²/γ² of the original data does not hold here: the points 99 and 101 have R²/γ² =
// 10201, and the run with c = 1 makes more mistakes. The best constant is c² = R·|b*|/‖w*‖, which
// gives the bound (R‖w*‖ + |b*|)².
//
// Proof. For x' = (x, c) and w' = (w*, b*/c), ⟨w',x'⟩ = f(x), and y·f(x) ≥ 1. So the margin of the
// augmented rows is at least 1/‖w'‖, and ‖x'‖² ≤ R² + c².
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
// Proof of the second. Let (w*, b*) be canonical. A positive row gives b* ≥ 1 − R‖w*‖ and a
// negative one b* ≤ R‖w*‖ − 1, so |b*| ≤ R‖w*‖, and [NovikoffBias] with c = R is 2R²‖w*‖² + 2b*² ≤
// 4R²‖w*‖².
//
// With the usual c = 1 it need not hold: the points 0.01 (class −1) and 0.02 (class +1) have
// (2R/γ)² = 64 and cost thousands of mistakes. gamma ≤ 0 gives +Inf.
func NovikoffLoose(radius, gamma float64) float64 { return 4 * Novikoff(radius, gamma) }

// The hinge mistake bound (lessons/04-inseparable.md). Fix any w*, whether it separates or not. Let
// a perceptron without bias make M mistakes, let H be the sum of the hinge losses of w* over those
// rounds (over all rounds it is larger, and therefore valid as well), and B = ‖w*‖·R. Then
//
//	M − H ≤ ⟨w*, w⟩ ≤ ‖w*‖·‖w‖ ≤ B√M,   that is   (√M)² − B√M − H ≤ 0,
//
// and √M is at most the larger root of the quadratic, (B + √(B²+4H))/2.
//
// Fix w* *before* the run. Minimising over w* with H taken over the mistake rounds is vacuous: w* =
// 0 has B = 0 and loses exactly 1 on each of them, so the "bound" is M itself. For a canonical
// separator H = 0, and all forms give R²‖w*‖² = R²/γ².
//
// The three functions take ‖w*‖ ≥ 0, R ≥ 0 and H ≥ 0.

// HingeRoot returns ((B + √(B²+4H))/2)², B = normW·radius. It is the square of the root, and the
// best of the three forms.
func HingeRoot(normW, radius, hinge float64) float64 {
	if !lengths(normW, radius, hinge) {
		return math.NaN()
	}
	b := normW * radius
	return square((b + discriminant(b, hinge)) / 2)
}

// HingeHalfLoosened returns ½B² + ½B√(B²+4H) + H, which is [HingeRoot] multiplied out.
//
// It is (B² + 2B√(B²+4H) + B² + 4H)/4, and differs from HingeRoot by rounding only.
func HingeHalfLoosened(normW, radius, hinge float64) float64 {
	if !lengths(normW, radius, hinge) {
		return math.NaN()
	}
	b := normW * radius
	return b*b/2 + b*discriminant(b, hinge)/2 + hinge
}

// HingeLoosened returns B² + B√H + H, at most 1.21 times [HingeRoot].
//
// It follows from √(B²+4H) ≤ B + 2√H, with equality only for B = 0 or H = 0. The worst case is near
// H = 0.21·B².
func HingeLoosened(normW, radius, hinge float64) float64 {
	if !lengths(normW, radius, hinge) {
		return math.NaN()
	}
	b := normW * radius
	return b*b + b*math.Sqrt(hinge) + hinge
}

// discriminant is √(b²+4h) without overflow of b².
func discriminant(b, h float64) float64 { return math.Hypot(b, 2*math.Sqrt(h)) }

// Cycling returns a length N that ‖w‖ never exceeds, for any number of mistakes on a finite set.
//
// The perceptron has no bias and takes the rows in any order, whether or not a plane separates
// them. This is the perceptron cycling theorem (Block and Levin, Proceedings of the AMS 26, 1970;
// the proof with this N is in lessons/04-inseparable.md). rank ≥ 1 is the dimension of the span of
// the rows, and radius is R = max ‖x‖. gap > 0 is the least distance of a row from a subspace that
// is spanned by other rows (or is {0}) and does not contain the row, so gap ≤ R.
//
// N is R(S + √(S² + S)) with S = s + s² + … + s^rank and s = 1 + R²/gap². It grows like
// (R/gap)^(2·rank) and is far above the lengths in real runs. The point is that it does not depend
// on the number of mistakes. Cycling returns +Inf if N overflows.
//
// Proof. Let g = 2RN + R², a₀ = 0 and aₖ₊₁ = s(aₖ + g), with N so large that a_rank ≤ N². The set
// of all w with dist(w,U)² ≤ N² − a_dim(U) for all these subspaces U contains w = 0, and an update
// from it leads back into it. U = {0} gives ‖w‖ ≤ N.
func Cycling(rank int, radius, gap float64) float64 {
	if rank < 1 || !lengths(radius, gap) || gap == 0 || gap > radius {
		return math.NaN()
	}
	s, sum := 1+square(radius/gap), 0.0
	for range rank {
		sum = s * (1 + sum)
		if math.IsInf(sum, 1) {
			return sum
		}
	}
	return radius * (sum + math.Sqrt(sum)*math.Sqrt(sum+1))
}
