package gauss

import "github.com/svmkit/course/svmkit"

// Rounding bounds the errors of the values κ(z,xᵢ) that [Rows.Sums] adds up.
//
// # The bound
//
// Let u = 2⁻⁵³, a = c(x−m) and b = c(z−m) with half squared norms h and h′, and t the number of
// terms of ⟨a,b⟩. The exponent E = −½‖a−b‖² is computed with an error of at most
//
//	20u(h+h′)      as each number of a and b has a relative error of 5u, three of them from c:
//	               ‖a−b‖·5u(‖a‖+‖b‖), and (‖a‖+‖b‖)² ≤ 4(h+h′),
//	u(h+h′)        because their half norms, of the rounded numbers, are,
//	(2t+8)u(h+h′)  in the sum of t+2 terms, as in [Drift],
//
// together e = (2t+29)u(h+h′). While e ≤ 1 the error of 2^E ≤ 1 is at most 2^e − 1 ≤ e, and the
// error of package simd's power is 1e-15. A tenth more covers terms of a higher order.
//
// A row z with h′ > 4h for the largest h that is not far has κ < 2^−2048 with all rows, which is 0
// in either way of computing it; so such rows do not count.
type Rounding struct {
	set   Rows         // the set without its rows
	z     []svmkit.Row // nil as soon as other is known
	other float64      // largest h′ of the rows z that count
}

const doubleUnit = 0x1p-53

// Rounding returns the bounds of [Rows.Sums] for rows z. It holds no rows of the set.
func (g *Rows) Rounding(z []svmkit.Row) *Rounding {
	set := Rows{width: g.width, scale: g.scale, centre: g.centre, terms: g.terms, half: g.half,
		limit: g.limit}
	return &Rounding{set: set, z: z}
}

// Most bounds the rounding of all rows that are not far, whatever the rows z are.
func (r *Rounding) Most() float64 { return r.of(r.set.limit + 4*r.set.limit) }

// Of returns the bound for row i of the set, which is not far. The first call computes the norms of
// all rows z.
func (r *Rounding) Of(i int) float64 {
	if r.z != nil {
		buffer := make([]float64, r.set.width)
		for _, z := range r.z {
			if half := r.set.spread(buffer, z); half <= 4*r.set.limit {
				r.other = max(r.other, half)
			}
		}
		r.z = nil
	}
	return r.of(min(r.set.half[i], r.set.limit) + r.other)
}

func (r *Rounding) of(norms float64) float64 {
	const higherTerm = 1.1
	return higherTerm * (float64(2*r.set.terms+29)*doubleUnit*norms + 1e-15)
}
