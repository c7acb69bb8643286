//go:build amd64 && !purego

package simd

import (
	"math"

	"golang.org/x/sys/cpu"
)

//go:generate go run -C gen . ..

// What this processor and its operating system support. Tests switch them off to test every path.
var (
	hasAVX2   = cpu.X86.HasAVX2 && cpu.X86.HasFMA
	hasAVX512 = hasAVX2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW &&
		cpu.X86.HasAVX512VL
)

func dot(a, b []float64) float64 {
	if hasAVX2 {
		return dotAVX2(a, b)
	}
	return dotGo(a, b)
}

func axpy(a float64, x, y []float64) {
	if hasAVX2 {
		axpyAVX2(a, x, y)
		return
	}
	axpyGo(a, x, y)
}

func mulRows(x, u, out []float64) {
	if hasAVX2 {
		mulRowsAVX2(x, u, out)
		return
	}
	mulRowsGo(x, u, out)
}

func addOuter(alpha float64, a, b, c []float64, stride int) {
	if hasAVX2 {
		addOuterAVX2(alpha, a, b, c, stride)
		return
	}
	addOuterGo(alpha, a, b, c, stride)
}

func rampSlope(step, top float64, a, c, weight []float64) (slope, curvature float64) {
	if hasAVX2 {
		return rampSlopeAVX2(step, top, a, c, weight)
	}
	return rampSlopeGo(step, top, a, c, weight)
}

func rampMove(step, top float64, a, c, anchor, weight []float64) (loss, excess float64) {
	switch {
	case hasAVX2 && math.IsInf(top, 1):
		return squareMoveAVX2(step, a, c, anchor, weight), 0
	case hasAVX2:
		return rampMoveAVX2(step, top, a, c, anchor, weight)
	}
	return rampMoveGo(step, top, a, c, anchor, weight)
}

// rampValues uses assembly for full vectors and the generic version for the remainder.
func rampValues(top, scale float64, a, weight, sign, value []float64, moved []int32,
	change []float64) int {
	n, count := len(a)&^7, 0
	switch {
	case n == 0:
	case hasAVX512:
		count = rampValuesAVX512(top, scale, a[:n], weight, sign, value, moved, change)
	case hasAVX2:
		count = rampValuesAVX2(top, scale, a[:n], weight, sign, value, moved, change)
	default:
		n = 0
	}
	return rampValuesGo(top, scale, a, weight, sign, value, moved, change, n, count)
}

func mulSparse(start []int, index []int32, value, w, out []float64) {
	if hasAVX2 {
		mulSparseFMA(start, index, value, w, out)
		return
	}
	mulSparseGo(start, index, value, w, out)
}

func prefetchRow(index []int32, value []float64) { prefetch(index, value) }

func prefetchBytes(first, last *byte) { prefetchTwo(first, last) }
