package simd

import "math"

// Exp replaces each x[i] by eˣ⁽ⁱ⁾. The relative error is at most 2 units in the last place;
// e⁻ᴵⁿᶠ is 0, eᴵⁿᶠ is Inf, NaN stays NaN.
func Exp(x []float64) { exp(x) }

// expGo is the twin of Exp.
func expGo(x []float64) {
	for i, v := range x {
		x[i] = math.Exp(v)
	}
}
