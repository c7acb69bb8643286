package simd

import "math"

// Exp replaces each x[i] by eˣ⁽ⁱ⁾. The error is at most 1.5 units in the last place. e⁻ᴵⁿᶠ is 0,
// eᴵⁿᶠ is Inf, NaN stays NaN; results below 2⁻¹⁰²² are rounded to multiples of 2⁻¹⁰⁷⁴.
func Exp(x []float64) { exp(x) }

// expGo is the twin of Exp: n/16 of ln 2 are taken away from the exponent, which leaves a table, a
// polynomial in what is left (by the tree of Estrin, which waits less than Horner's chain),
// and a whole number that is added to the result's own exponent.
func expGo(x []float64) {
	const (
		magic = 3 << 51          // leaves the nearest whole number in the low bits
		high  = 0x1.62e42fefap-5 // ln 2/16, with room for a product with n; and the rest
		low   = 0x1.cf79abc9e3b3ap-44
	)
	for i, v := range x {
		if !(-708 < v && v < 709) {
			if v = min(max(v, -800), 800); v != v {
				continue
			}
		}
		t := v*(16*math.Log2E) + magic
		n := t - magic
		f := (v - n*high) - n*low
		g := f * f
		p := (f + g*(0.49999999999999606+f*0.16666666664418034)) +
			g*g*((0.041666666693354004+f*0.008333471919606072)+g*0.001388859224692626)
		k := math.Float64bits(t)
		s := sixteenths[k&15]
		s += s * p
		if -708 < v && v < 709 {
			x[i] = math.Float64frombits(math.Float64bits(s) + k>>4<<52)
		} else { // the sum of exponents leaves the range of float64, or may
			x[i] = math.Ldexp(s, int(n)>>4)
		}
	}
}
