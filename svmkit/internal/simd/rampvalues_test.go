package simd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRampValues(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(10, 0))
		for n := range longest {
			for round := range 6 {
				top, scale := 0.8, rng.Float64()
				if round == 5 {
					top = math.Inf(1)
				}
				a, weight, sign, value := numbers(n, rng), numbers(n, rng), make([]float64, n), make([]float64, n)
				clipped := func(k int) float64 { return weight[k] * (min(max(a[k], 0), top) * scale) }
				for k := range a {
					sign[k] = float64(1 - 2*rng.IntN(2))
					value[k] = clipped(k)
					if rng.IntN(5) < round { // none changes, some do, all do
						value[k] = rng.NormFloat64()
					}
					if rng.IntN(50) == 0 {
						a[k] = [...]float64{math.NaN(), math.Inf(1), math.Inf(-1)}[rng.IntN(3)]
					}
				}
				var wantMoved []int32
				var wantChange []float64
				for k, old := range value {
					if v := clipped(k); v != old {
						wantMoved, wantChange = append(wantMoved, int32(k)), append(wantChange, sign[k]*(v-old))
					}
				}
				moved, change := make([]int32, n), make([]float64, n)
				count := RampValues(top, scale, a, weight, sign, value, moved, change)
				same := func(x, y float64) bool { return x == y || x != x && y != y }
				if !slices.Equal(moved[:count], wantMoved) || !slices.EqualFunc(change[:count], wantChange, same) {
					t.Fatalf("n = %d: moved %v by %v, want %v by %v", n, moved[:count], change[:count], wantMoved, wantChange)
				}
				for k, v := range value {
					if !same(v, clipped(k)) {
						t.Fatalf("n = %d: value %d is %g, want %g", n, k, v, clipped(k))
					}
				}
			}
		}
	})
}

func BenchmarkRampValues(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 0))
	const n = 4000
	a, weight, sign, value := numbers(n, rng), numbers(n, rng), numbers(n, rng), numbers(n, rng)
	moved, change := make([]int32, n), make([]float64, n)
	for name, f := range map[string]func(top, scale float64, a, weight, sign, value []float64, moved []int32, change []float64) int{
		"fast": RampValues,
		"generic": func(top, scale float64, a, weight, sign, value []float64, moved []int32, change []float64) int {
			return rampValuesGo(top, scale, a, weight, sign, value, moved, change, 0, 0)
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for k := 0; k < n; k += 40 { // some that change
					value[k] = 7
				}
				f(1, 0.5, a, weight, sign, value, moved, change)
			}
			perElement(b, n)
		})
	}
}
