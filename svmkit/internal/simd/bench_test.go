package simd

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// perElement reports a benchmark's time as nanoseconds for each of its n elements.
func perElement(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/element")
}

func BenchmarkDot(b *testing.B) {
	for _, n := range []int{4, 8, 14, 30, 100, 1000, 10000} {
		rng := rand.New(rand.NewPCG(1, 0))
		x, y := numbers(n, rng), numbers(n, rng)
		for name, f := range map[string]func(a, b []float64) float64{"fast": Dot, "generic": dotGo} {
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
		for name, f := range map[string]func(a float64, x, y []float64){"fast": Axpy, "generic": axpyGo} {
			b.Run(fmt.Sprintf("n=%d/%s", n, name), func(b *testing.B) {
				for b.Loop() {
					f(1e-9, x, y)
				}
				perElement(b, n)
			})
		}
	}
}

func BenchmarkMulRows(b *testing.B) {
	for _, d := range []int{8, 10, 32, 123, 784} {
		rng := rand.New(rand.NewPCG(1, 0))
		n := 16000 / d // a matrix that stays in the second cache
		x, u, out := numbers(n*d, rng), numbers(d, rng), numbers(n, rng)
		for name, f := range map[string]func(x, u, out []float64){"fast": MulRows, "generic": mulRowsGo} {
			b.Run(fmt.Sprintf("d=%d/%s", d, name), func(b *testing.B) {
				for b.Loop() {
					f(x, u, out)
				}
				perElement(b, n*d)
			})
		}
	}
}

func BenchmarkAddOuter(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 0))
	const n = 128
	x, y, c := numbers(n*Tile, rng), numbers(n*Tile, rng), numbers(Tile*100, rng)
	for name, f := range map[string]func(alpha float64, a, b, c []float64, stride int){"fast": AddOuter, "generic": addOuterGo} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f(1e-9, x, y, c, 100)
			}
			perElement(b, n*Tile*Tile)
		})
	}
}

func BenchmarkRamps(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 0))
	const n = 4000
	x, c, anchor, weight := numbers(n, rng), numbers(n, rng), numbers(n, rng), numbers(n, rng)
	for name, f := range map[string]func(step, top float64, a, c, weight []float64) (float64, float64){"fast": RampSlope, "generic": rampSlopeGo} {
		b.Run("slope/"+name, func(b *testing.B) {
			for b.Loop() {
				f(0.5, 1, x, c, weight)
			}
			perElement(b, n)
		})
	}
	for name, f := range map[string]func(step, top float64, a, c, anchor, weight []float64) (float64, float64){"fast": RampMove, "generic": rampMoveGo} {
		b.Run("move/"+name, func(b *testing.B) {
			for b.Loop() {
				f(1e-9, 1, x, c, anchor, weight)
			}
			perElement(b, n)
		})
	}
}

func BenchmarkSparse(b *testing.B) {
	for _, n := range []int{4, 14, 30, 75, 500} {
		rng := rand.New(rand.NewPCG(1, 0))
		const d = 4000
		index, value := sparseRow(n, d, rng)
		w := numbers(d, rng)
		b.Run(fmt.Sprintf("dot/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				DotSparse(index, value, w)
			}
			perElement(b, n)
		})
		b.Run(fmt.Sprintf("axpy/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				AxpySparse(1e-9, index, value, w)
			}
			perElement(b, n)
		})
	}
}
