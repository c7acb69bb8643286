package simd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// sparseRow returns n columns in [0, d), rising, and as many values.
func sparseRow(n, d int, rng *rand.Rand) (index []int32, value []float64) {
	for _, j := range rng.Perm(d)[:n] {
		index = append(index, int32(j))
	}
	slices.Sort(index)
	return index, numbers(n, rng)
}

func TestSparse(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(8, 0))
		const d = 2 * longest
		for n := range longest {
			index, value := sparseRow(n, d, rng)
			w, c := numbers(d, rng), rng.NormFloat64()
			check := func(value []float64) {
				picked := make([]float64, n)
				for k, j := range index {
					picked[k] = w[j]
				}
				want, size := exactDot(value, picked)
				if s := dotGo(value, picked); math.IsNaN(s) || math.IsInf(s, 0) {
					want = s
				}
				if got := DotSparse(index, value, w); !sumIsNear(got, want, size, n) {
					t.Fatalf("n = %d: product %g, want %g", n, got, want)
				}
				moved := slices.Clone(w)
				AxpySparse(c, index, value, moved)
				for k, j := range index {
					if want := w[j] + c*value[k]; !sumIsNear(moved[j], want, math.Abs(w[j])+math.Abs(c*value[k]), 1) {
						t.Fatalf("%g + %g·%g = %g", w[j], c, value[k], moved[j])
					}
					moved[j] = w[j]
				}
				if !slices.Equal(moved, w) {
					t.Fatalf("n = %d: a column that is not named was changed", n)
				}
				PrefetchRow(index, value)
				Prefetch(&w[n])
				Prefetch(&struct{}{})
			}
			check(value)
			extremes(value, check)
		}
	})
}

// A column that comes twice is added twice.
func TestSparseTwice(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		index, value, w := make([]int32, 50), make([]float64, 50), []float64{1, 7}
		for k := range value {
			value[k] = float64(k)
		}
		AxpySparse(2, index, value, w)
		if want := 1 + 2*49*25.0; w[0] != want || w[1] != 7 {
			t.Errorf("w = %g, want %g and 7", w, want)
		}
		if s := DotSparse(index, value, w[:1]); s != 49*25*w[0] {
			t.Errorf("product %g, want %g", s, 49*25*w[0])
		}
	})
}

// An index outside w panics, wherever it stands, and nothing outside w is touched.
func TestSparseOutside(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(9, 0))
		all := numbers(300, rng)
		w := all[100:200:200]
		for _, n := range []int{1, 2, 3, 19, 20, 21, 22, 23, 24, 40, 41, 42, 43, 90} {
			for at := range n {
				for _, bad := range []int32{-1, 100, -50, 150, math.MinInt32, math.MaxInt32} {
					index, value := sparseRow(n, len(w), rng)
					index[at] = bad
					before := slices.Clone(all)
					if !panics(func() { DotSparse(index, value, w) }) || !panics(func() { AxpySparse(1, index, value, w) }) {
						t.Fatalf("column %d at place %d of %d: no panic", bad, at, n)
					}
					if !slices.Equal(all[:100], before[:100]) || !slices.Equal(all[200:], before[200:]) {
						t.Fatalf("column %d at place %d of %d: memory beside w was changed", bad, at, n)
					}
				}
			}
		}
	})
}

func panics(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}

func TestLengthsThatDiffer(t *testing.T) {
	one, two, index := make([]float64, 1), make([]float64, 2), make([]int32, 1)
	for name, f := range map[string]func(){
		"Dot":              func() { Dot(one, two) },
		"Axpy":             func() { Axpy(1, one, two) },
		"DotSparse":        func() { DotSparse(index, two, two) },
		"AxpySparse":       func() { AxpySparse(1, index, two, two) },
		"MulRows":          func() { MulRows(two, two, two) },
		"AddOuter":         func() { AddOuter(1, make([]float64, Tile), make([]float64, 2*Tile), make([]float64, Tile*Tile), Tile) },
		"AddOuter's block": func() { AddOuter(1, nil, nil, make([]float64, Tile*Tile-1), Tile) },
		"RampSlope":        func() { RampSlope(1, 1, one, two, two) },
		"RampMove":         func() { RampMove(1, 1, two, two, one, two) },
	} {
		if !panics(f) {
			t.Errorf("%s: no panic", name)
		}
	}
}
