//go:build !amd64 || purego

package simd

func dot(a, b []float64) float64 { return dotGo(a, b) }

func axpy(a float64, x, y []float64) { axpyGo(a, x, y) }

func dotSparse(index []int32, value, w []float64) float64 { return dotSparseGo(index, value, w) }

func axpySparse(a float64, index []int32, value, w []float64) { axpySparseGo(a, index, value, w) }

func exp(x []float64) { expGo(x) }
