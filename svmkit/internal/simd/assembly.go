//go:build amd64 && !purego

package simd

import "golang.org/x/sys/cpu"

//go:generate sh -c "cd gen && go run . .."

// hasAVX2 says that this processor, and its operating system, run the assembly for AVX2
// and FMA.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA

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

func dotSparse(index []int32, value, w []float64) float64 { return dotSparseGo(index, value, w) }

func axpySparse(a float64, index []int32, value, w []float64) { axpySparseGo(a, index, value, w) }

func exp(x []float64) { expGo(x) }
