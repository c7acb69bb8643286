//go:build !amd64 || purego

package simd

func dot(a, b []float64) float64 { return dotGo(a, b) }

func axpy(a float64, x, y []float64) { axpyGo(a, x, y) }

func prefetchRow([]int32, []float64) {}

func prefetchBytes(_, _ *byte) {}
