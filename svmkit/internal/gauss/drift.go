package gauss

import "math"

// Drift is what bounds the error of scores that [Rows.Add] has changed since they were exact. The
// zero value is no error.
//
// # The bound
//
// Let u = 2⁻²⁴, a = c(x−m) and b = c(z−m) with half squared norms h and h′, and t the number of terms
// of ⟨a,b⟩. The exponent E = −½‖a−b‖² is computed with an error of at most
//
//	4u(h+h′)       because a and b are rounded: ‖a−b‖·u(‖a‖+‖b‖), and (‖a‖+‖b‖)² ≤ 4(h+h′),
//	u(h+h′)        because their half norms, of the rounded numbers, are,
//	(2t+8)u(h+h′)  in the sum of t+2 terms, or t+3 operations on a sparse row, whose sizes add up to
//	               at most ‖a‖‖b‖ + h + h′ ≤ 2(h+h′),
//
// together e = (2t+13)u(h+h′). While e ≤ 1, the error of 2^E is at most 2^e − 1 ≤ e, as 2^E ≤ 1,
// and that of the polynomial for it [simd.GaussSums32]. Weights are rounded once, and a sum of at
// most s products in float32 has a relative error of (s+1)u. So a call of Add with weights w changes the
// error of score i by at most
//
//	Σⱼ |wⱼ|·(2.5e-7 + (s+2)u + (2t+13)u·(hᵢ+hⱼ)),
//
// for which Σ|wⱼ| and Σ|wⱼ|hⱼ are all that has to be kept. Terms of a higher order, of float64 and
// of what underflows are covered by a tenth more.
type Drift struct{ weights, norms float64 }

// Add takes note of a call of [Rows.Add] on g.
func (d *Drift) Add(g *Rows, which []int32, weights []float64) {
	for k, j := range which {
		w := math.Abs(weights[k])
		d.weights += w
		d.norms += w * g.half[j]
	}
}

const (
	singleUnit = 0x1p-24
	powerError = 2.5e-7 // of simd's tiles
	higherTerm = 1.1
)

// Of returns the bound for row i. It is +Inf where the rows have norms too large for the bound.
func (d Drift) Of(g *Rows, i int) float64 {
	if d.weights == 0 {
		return 0
	}
	perNorm := float64(2*g.terms+13) * singleUnit
	if !(2*perNorm*g.largest <= 1) {
		return math.Inf(1)
	}
	return higherTerm * (d.weights*(powerError+(stepRows+2)*singleUnit+perNorm*g.half[i]) + d.norms*perNorm)
}
