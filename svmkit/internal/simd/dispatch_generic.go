//go:build !amd64 || purego

package simd

func dot(a, b []float64) float64 { return dotGo(a, b) }

func axpy(a float64, x, y []float64) { axpyGo(a, x, y) }

func mulRows(x, u, out []float64) { mulRowsGo(x, u, out) }

func addOuter(alpha float64, a, b, c []float64, stride int) { addOuterGo(alpha, a, b, c, stride) }

func rampSlope(step, top float64, a, c, weight []float64) (slope, curvature float64) {
	return rampSlopeGo(step, top, a, c, weight)
}

func rampMove(step, top float64, a, c, anchor, weight []float64) (loss, excess float64) {
	return rampMoveGo(step, top, a, c, anchor, weight)
}

func rampValues(top, scale float64, a, weight, sign, value []float64, moved []int32,
	change []float64) int {
	return rampValuesGo(top, scale, a, weight, sign, value, moved, change, 0, 0)
}

func mulSparse(start []int, index []int32, value, w, out []float64) {
	mulSparseGo(start, index, value, w, out)
}

func prefetchRow([]int32, []float64) {}

func prefetchBytes(_, _ *byte) {}
