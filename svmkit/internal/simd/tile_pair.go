package simd

// The two passes of a step of sequential minimal optimisation over a block of rows: K in float32,
// everything that is subtracted in float64. The assembly was chosen on the kernel row magic (C = 10): twice the time
// without either of the two, 23 % (MovePair) and 15 % (BestPartner) more with AVX2 for AVX-512.

// MovePair adds da·a[k] + db·b[k] to score[k] for all k and returns the largest up[k] − score[k] with the
// first k that has it, and the least down[k] − score[k]. All lengths are that of score. Without
// any rows it returns −Inf, −1 and Inf. up may hold −Inf and down Inf; there must be no NaN.
func MovePair(score []float64, a, b []float32, pair [2]float64, up, down []float64) (most float64, first int, least float64) {
	n := len(score)
	if len(a) != n || len(b) != n || len(up) != n || len(down) != n {
		panic("simd: lengths differ")
	}
	return movePair(score, a, b, pair, up, down)
}

// BestPartner returns the first k of the largest slope²/curvature among those with slope > 0, −1 if there are none:
//
//	slope = u − (down[k] − score[k]),   curvature = max(own + soft[k] − 2·row[k], 1e-12)
//
// All lengths are that of score. Quotients are rounded, so the choice is the same on every path
// but where products were fused.
func BestPartner(score, down, soft []float64, row []float32, u, own float64) int {
	n := len(score)
	if len(down) != n || len(soft) != n || len(row) != n {
		panic("simd: lengths differ")
	}
	return bestPartner(score, down, soft, row, u, own)
}

// partnerCurvature is the least curvature of BestPartner, LIBSVM's TAU.
const partnerCurvature = 1e-12
