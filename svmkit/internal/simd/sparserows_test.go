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
	m := NewSparseRows(columns, rows, 0)
	w := numbers(columns, rng)
	var want []float64
	for range rows {
		var index []int32
		var value []float64
		for j := range columns {
			if rng.IntN(4) == 0 {
				index, value = append(index, int32(j)), append(value, rng.NormFloat64())
			}
		}
		m.Append(index, value)
		want = append(want, DotSparse(index, value, w))
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
	m := NewSparseRows(3, 1, 1)
	m.Append([]int32{2}, []float64{1})
	for name, f := range map[string]func(){
		"an index too large":   func() { m.Append([]int32{3}, []float64{1}) },
		"a negative index":     func() { m.Append([]int32{-1}, []float64{1}) },
		"different lengths":    func() { m.Append([]int32{1, 2}, []float64{1}) },
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
	m := NewSparseRows(columns, rows, rows*stored)
	index := make([]int32, stored)
	for range rows {
		for k := range index {
			index[k] = int32(k*columns/stored + rng.IntN(columns/stored))
		}
		m.Append(index, numbers(stored, rng))
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
