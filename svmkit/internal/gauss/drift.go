package gauss

import "math"

// Drift bounds the error of scores that [Rows.Add] has changed since they were exact. The zero
// value is no error.
//
// # The bound
//
// Let u = 2⁻²⁴, a = c(x−m) and b = c(z−m) with half squared norms h and h′, and t the number of
// terms of ⟨a,b⟩. The exponent E = −½‖a−b‖² is computed with an error of at most
//
//	4u(h+h′)       because a and b are rounded: ‖a−b‖·u(‖a‖+‖b‖), and (‖a‖+‖b‖)² ≤ 4(h+h′),
//	u(h+h′)        because the half norms of the rounded numbers are rounded,
//	(2t+8)u(h+h′)  in the sum of t+2 terms, or t+3 operations on a sparse row, whose sizes add
//	               up to at most ‖a‖‖b‖ + h + h′ ≤ 2(h+h′),
//
// together e = (2t+13)u(h+h′). While e ≤ 1, the error of 2^E is at most 2^e − 1 ≤ e, because 2^E ≤
// 1, plus the error of its polynomial ([simd.GaussSums32]). Weights are rounded once, and a sum of
// at most s products in float32 has a relative error of (s+1)u. So a call of Add with weights w
// changes the error of score i by at most
//
//	Σⱼ |wⱼ|·(2.5e-7 + (s+2)u + (2t+13)u·(hᵢ+hⱼ)) + Σⱼ 2⁻¹⁴⁹,
//
// where the last sum covers underflow: half of the smallest float32 in a weight and as much in a
// product. Drift only has to keep Σ|wⱼ|, Σ|wⱼ|hⱼ and the number of weights. While the first is
// below 2¹²⁷, no sum overflows.
//
// # A premise
//
// One tenth more covers the terms of higher order. It also covers the rounding in float64 when a
// sum of up to s products is added to a score f, but only if f is not huge compared with the sum.
// Each such addition has an error of 2⁻⁵³|f|, so |f| must be below 1e9·Σ|wⱼ|, summed over the
// products of one addition, on average over all additions. Scores for C = 1e12, for example, that
// change by 1e-3 at a time, do not meet this premise. The caller knows the scores and whether this
// matters; the bound does not.
type Drift struct{ weights, norms, added float64 }

// Add records a call of [Rows.Add] on g.
func (d *Drift) Add(g *Rows, which []int32, weights []float64) {
	for k, j := range which {
		w := math.Abs(weights[k])
		d.weights += w
		d.norms += w * g.half[j]
	}
	d.added += float64(len(which))
}

const (
	singleUnit = 0x1p-24
	powerError = 2.5e-7 // of the tiles of package simd
	higherTerm = 1.1
	underflow  = 0x1p-149
	mostWeight = 0x1p127 // a float32 sum of weights with this total is finite
)

// Of returns the bound for row i. It is +Inf if the norms of the rows or the sum of the weights are
// too large for the bound.
func (d Drift) Of(g *Rows, i int) float64 {
	if d.weights == 0 {
		return 0
	}
	perNorm := float64(2*g.terms+13) * singleUnit
	if !(2*perNorm*g.largest <= 1 && d.weights < mostWeight) {
		return math.Inf(1)
	}
	return higherTerm * (d.weights*(powerError+(stepRows+2)*singleUnit+perNorm*g.half[i]) +
		d.norms*perNorm + d.added*underflow)
}
