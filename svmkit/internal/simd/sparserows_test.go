package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The product with all rows is that with each row alone, from any row on.
func TestSparseRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	const columns, rows = 50, 40
	w := numbers(columns, rng)
	var want []float64
	var indices [][]int32
	var values [][]float64
	start := []int{0}
	for i := range rows {
		var index []int32
		var value []float64
		for j := range columns {
			if rng.IntN(4) == 0 {
				index, value = append(index, int32(j)), append(value, rng.NormFloat64())
			}
		}
		indices, values = append(indices, index), append(values, value)
		start = append(start, start[i]+len(index))
		want = append(want, DotSparse(index, value, w))
	}
	m := NewSparseRows(columns, start, make([]int32, start[rows]), make([]float64, start[rows]))
	for _, i := range rng.Perm(rows) {
		m.Set(i, indices[i], values[i])
	}
	for i := range rows {
		if got := dotOf(m, i, w); got != want[i] {
			t.Errorf("row %d comes back with the product %g, want %g", i, got, want[i])
		}
	}
	if m.Len() != rows {
		t.Errorf("%d rows, want %d", m.Len(), rows)
	}
	for _, from := range []int{0, 1, 17, rows} {
		out := make([]float64, rows-from)
		m.Mul(from, w, out)
		for i, v := range out {
			if math.Abs(v-want[from+i]) > 1e-13 { // fifty products of numbers of size one
				t.Errorf("row %d from %d: %g, want %g", from+i, from, v, want[from+i])
			}
		}
	}
}

func dotOf(m *SparseRows, i int, w []float64) float64 {
	index, value := m.Row(i)
	return DotSparse(index, value, w)
}

func TestSparseRowsRefuses(t *testing.T) {
	m := NewSparseRows(3, []int{0, 1}, make([]int32, 1), make([]float64, 1))
	m.Set(0, []int32{2}, []float64{1})
	for name, f := range map[string]func(){
		"an index too large":   func() { m.Set(0, []int32{3}, []float64{1}) },
		"a negative index":     func() { m.Set(0, []int32{-1}, []float64{1}) },
		"too many indices":     func() { m.Set(0, []int32{1, 2}, []float64{1}) },
		"too many values":      func() { m.Set(0, []int32{1}, []float64{1, 2}) },
		"no starts":            func() { NewSparseRows(3, nil, nil, nil) },
		"starts that fall":     func() { NewSparseRows(3, []int{0, 2, 1, 2}, make([]int32, 2), make([]float64, 2)) },
		"too little memory":    func() { NewSparseRows(3, []int{0, 2}, make([]int32, 1), make([]float64, 1)) },
		"unequal lengths":      func() { NewSparseRows(3, []int{0, 2}, make([]int32, 2), make([]float64, 1)) },
		"too few weights":      func() { m.Mul(0, make([]float64, 2), make([]float64, 1)) },
		"more rows than exist": func() { m.Mul(1, make([]float64, 3), make([]float64, 1)) },
		"a negative row":       func() { m.Mul(-1, make([]float64, 3), make([]float64, 1)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func BenchmarkSparseRows(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 0))
	const columns, rows, stored = 123, 32561, 14
	start := make([]int, rows+1)
	for i := range start {
		start[i] = i * stored
	}
	m := NewSparseRows(columns, start, make([]int32, rows*stored), make([]float64, rows*stored))
	index := make([]int32, stored)
	for i := range rows {
		for k := range index {
			index[k] = int32(k*columns/stored + rng.IntN(columns/stored))
		}
		m.Set(i, index, numbers(stored, rng))
	}
	w, out := numbers(columns, rng), make([]float64, rows)
	b.Run("all rows", func(b *testing.B) {
		for b.Loop() {
			m.Mul(0, w, out)
		}
		perElement(b, rows*stored)
	})
	b.Run("row by row", func(b *testing.B) {
		for b.Loop() {
			for i := range out {
				from, to := m.start[i], m.start[i+1]
				out[i] = DotSparse(m.index[from:to], m.value[from:to], w)
			}
		}
		perElement(b, rows*stored)
	})
}
