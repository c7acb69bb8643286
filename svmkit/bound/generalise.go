package bound

import "math"

// VC returns √((D(log(2n/D)+1) + log(4/δ))/n).
//
// Vapnik (The Nature of Statistical Learning Theory, 1995) states that with probability at least
// 1−δ over n independent examples, the risk of *every* function of a class of VC dimension D is at
// most its empirical risk plus this number. The inequality that Vapnik and Chervonenkis proved in
// 1971, with Sauer's lemma (1972), has √8 times this number.
//
// 0 ≤ delta ≤ 1, dim ≥ 1 and n ≥ 1. For delta = 0 there is no bound, and VC returns +Inf. It does
// the same for D > 2n, because the step that introduces log(2n/D) needs D ≤ 2n.
//
// Some texts print log(4δ) inside D(…). That expression falls as δ falls, and its radicand is
// negative for small δ.
func VC(dim, n, delta float64) float64 {
	switch {
	case !(dim >= 1 && n >= 1 && delta >= 0 && delta <= 1) || math.IsInf(n, 1):
		return math.NaN()
	case dim > 2*n || delta == 0:
		return math.Inf(1)
	}
	return math.Sqrt((dim*(math.Log(2*n/dim)+1) + math.Log(4/delta)) / n)
}

// MarginVC returns min(d, ⌈R²/ρ²⌉) + 1, a bound on the VC dimension of planes with a margin.
//
// The planes in ℝᵈ keep all points of a ball of radius R at distance ρ or more. d is an integer ≥
// 1, or +Inf for a feature space of infinite dimension. rho ≤ 0 gives d + 1.
//
// The ceiling is necessary: the corners of an equilateral triangle in a circle of radius R can be
// labelled in every way with ρ ≥ 0.75·R, so the dimension is at least 3, and 1 + min(d, R²/ρ²) is
// 2.78.
func MarginVC(d, radius, rho float64) float64 {
	switch {
	case !lengths(radius) || !finite(rho) || !(d >= 1) || d != math.Floor(d):
		return math.NaN()
	case rho <= 0:
		return d + 1
	}
	return min(d, math.Ceil(square(radius/rho))) + 1
}

// MarginVCOrigin returns min(d, ⌊R²/ρ²⌋), the largest number of points that planes through the
// origin shatter with margin ρ.
//
// This means that, for every labelling of points of norm ≤ R in ℝᵈ, some plane through the origin
// has all of them on their sides at distance ρ or more. d is an integer ≥ 1, or +Inf; rho ≤ 0 gives
// d. A ratio that is below an integer only by rounding, within 1e-12 of it, counts as this integer.
func MarginVCOrigin(d, radius, rho float64) float64 {
	switch {
	case !lengths(radius) || !finite(rho) || !(d >= 1) || d != math.Floor(d):
		return math.NaN()
	case rho <= 0:
		return d
	}
	return min(d, math.Floor(square(radius/rho)*(1+1e-12)))
}

// Rademacher returns R·B/√m, a bound on the Rademacher complexity of linear functions.
//
// The functions are x ↦ ⟨w,x⟩ with ‖w‖ ≤ B, on m ≥ 1 examples with ‖x‖ ≤ R
// (lessons/13-generalise.md). The complexity is the mean of max ⟨w, (1/m)Σσᵢxᵢ⟩ over fair signs σ.
// The maximum is B·‖(1/m)Σσᵢxᵢ‖, and the mean square of the norm is Σ‖xᵢ‖²/m² ≤ R²/m.
func Rademacher(radius, normW, m float64) float64 {
	if !lengths(radius, normW, m) || m < 1 {
		return math.NaN()
	}
	return radius * normW / math.Sqrt(m)
}

// MarginRisk returns 2RB/√m + √(log(1/δ)/(2m)), a bound on the risk of linear functions above their
// mean ramp loss.
//
// With probability at least 1−δ over m independent examples with ‖x‖ ≤ R, the following holds for
// every w with ‖w‖ ≤ B. Its risk, the probability of y⟨w,x⟩ ≤ 0, exceeds its mean ramp loss min(1,
// max(0, 1 − y⟨w,x⟩)) on the examples by at most this number. R, B and δ must not depend on the
// examples; for the best of k classes use δ/k. 0 ≤ delta ≤ 1 and m ≥ 1; for delta = 0 the result is
// +Inf.
func MarginRisk(radius, normW, m, delta float64) float64 {
	complexity := Rademacher(radius, normW, m) // NaN outside its domain
	switch {
	case math.IsNaN(complexity) || math.IsInf(m, 1) || !(delta >= 0 && delta <= 1):
		return math.NaN()
	case delta == 0:
		return math.Inf(1)
	}
	return 2*complexity + math.Sqrt(math.Log(1/delta)/(2*m))
}
