package simd

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// numbers returns n numbers of N(0,1).
func numbers(n int, rng *rand.Rand) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// perElement reports a benchmark's time as nanoseconds for each of its n elements.
func perElement(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/element")
}

func BenchmarkDot(b *testing.B) {
	for _, n := range []int{4, 8, 14, 30, 100, 1000, 10000} {
		rng := rand.New(rand.NewPCG(1, 0))
		x, y := numbers(n, rng), numbers(n, rng)
		for name, f := range map[string]func(a, b []float64) float64{"fast": Dot, "twin": dotGo} {
			b.Run(fmt.Sprintf("n=%d/%s", n, name), func(b *testing.B) {
				for b.Loop() {
					f(x, y)
				}
				perElement(b, n)
			})
		}
	}
}

func BenchmarkAxpy(b *testing.B) {
	for _, n := range []int{4, 8, 14, 30, 100, 1000, 10000} {
		rng := rand.New(rand.NewPCG(1, 0))
		x, y := numbers(n, rng), numbers(n, rng)
		for name, f := range map[string]func(a float64, x, y []float64){"fast": Axpy, "twin": axpyGo} {
			b.Run(fmt.Sprintf("n=%d/%s", n, name), func(b *testing.B) {
				for b.Loop() {
					f(1e-9, x, y)
				}
				perElement(b, n)
			})
		}
	}
}
