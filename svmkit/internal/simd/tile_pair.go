package simd

import "math"

// The two passes of a step of sequential minimal optimisation over a block of rows, with kernel
// values in float32 and all subtractions in float64. Without the assembly of either pass, magic (C
// = 10) takes twice as long; with AVX2 instead of AVX-512 it takes 23 % (MovePair) and 15 %
// (BestPartner) longer. Benchmark: go run -C tools -tags purego ./bench -rows kernel -c 10 magic

// MovePair adds da·a[k] + db·b[k] to score[k] for all k, where (da, db) = pair. It returns the
// largest up[k] − score[k] with the first k that has it, and the least down[k] − score[k]. All
// slices must have the length of score. Without any rows it returns −Inf, −1 and +Inf. up may hold
// −Inf and down +Inf; there must be no NaN.
func MovePair(score []float64, a, b []float32, pair [2]float64,
	up, down []float64) (most float64, first int, least float64) {
	n := len(score)
	if len(a) != n || len(b) != n || len(up) != n || len(down) != n {
		panic("simd: lengths differ")
	}
	most, first, least = math.Inf(-1), -1, math.Inf(1)
	done := 0
	if pairVectors != nil && n >= 8 {
		done = n &^ 7
		most, first, least = pairVectors(score[:done], a, b, pair[0], pair[1], up, down)
	}
	m, k, l := movePairGo(score[done:], a[done:], b[done:], pair, up[done:], down[done:])
	if m > most {
		most, first = m, done+k
	}
	return most, first, min(least, l)
}

// BestPartner returns the first k with the largest slope²/curvature among those with slope > 0, and
// −1 if there are none:
//
//	slope = u − (down[k] − score[k]),   curvature = max(own + soft[k] − 2·row[k], least)
//
// All slices must have the length of score. Quotients are rounded, so the choice is the same on
// every path, except where products were fused.
func BestPartner(score, down, soft []float64, row []float32, u, own, least float64) int {
	n := len(score)
	if len(down) != n || len(soft) != n || len(row) != n {
		panic("simd: lengths differ")
	}
	done, best, at := 0, 0.0, -1
	if partnerVectors != nil && n >= 8 {
		done = n &^ 7
		best, at = partnerVectors(score[:done], down, soft, row, u, own, least)
	}
	if b, k := bestPartnerGo(score[done:], down[done:], soft[done:], row[done:], u, own, least); b > best {
		at = done + k
	}
	return at
}
