// Package bound computes bounds of learning theory: on the mistakes of a perceptron and on the
// risk.
//
//	radius, gamma := 1.0, 0.1
//	fmt.Printf("%.0f\n", bound.Novikoff(radius, gamma))           // mistakes of a perceptron
//	fmt.Printf("%.2f\n", bound.MarginRisk(radius, 10, 1e5, 0.05)) // risk above the mean ramp loss
//
// The package imports nothing from this module.
//
// # Symbols
//
//	R       radius: max ‖xᵢ‖, about the origin
//	γ       half-margin: min yᵢf(xᵢ)/‖w‖ of the separating plane
//	w*, b*  a separating plane in canonical form: min yᵢf(xᵢ) = 1, so γ = 1/‖w*‖
//	c       the constant that augmentation appends to every row: x' = (x, c), w' = (w, b/c)
//	ρ       margin that every labelling of some points must have
//	B       largest ‖w‖ of a class of planes; D is a VC dimension
//	m, n    number of examples; δ is the probability that a bound may fail
//	H       sum of hinge losses max(0, 1 − yₜ⟨w*,xₜ⟩) of a fixed w*
//
// A mistake is y·f(x) ≤ 0, and runs start from w = 0. With the strict test y·f(x) < 0 a run from 0
// never moves, and the theorems below do not apply to it.
//
// # Domain
//
// Every function returns NaN if an argument is NaN, if a length (radius, norm, loss, count) is
// negative or infinite, or if an argument is outside a range that its comment names. It returns
// +Inf if the numbers do not meet a hypothesis of the theorem: a margin γ ≤ 0, or δ = 0.
//
// Results have the rounding of a few operations. If a run reaches its bound exactly, as on n basis
// vectors with n = R²/γ², the result can be slightly below n. Compare with a relative tolerance of
// 1e-12, and take whole mistakes with math.Floor(bound·(1+1e-12)).
package bound

import "math"

// lengths reports whether all v can be lengths: finite and ≥ 0.
func lengths(v ...float64) bool {
	for _, x := range v {
		if !(x >= 0) || math.IsInf(x, 1) { // !(x >= 0) is also true for NaN
			return false
		}
	}
	return true
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func square(x float64) float64 { return x * x }
