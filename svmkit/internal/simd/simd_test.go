package simd

import "testing"

// Each kernel on numbers small enough to check by hand: whole numbers, so no rounding.
func TestByHand(t *testing.T) {
	a := []float64{1, 2, 3, 4, 5, 6, 7}
	b := []float64{1, 0, -1, 2, 1, 0, 3}
	if s := Dot(a, b); s != 1-3+8+5+21 {
		t.Errorf("Dot = %g, want 32", s)
	}
	y := []float64{0, 0, 0, 0, 0, 1, 1}
	Axpy(2, a, y)
	for i, v := range []float64{2, 4, 6, 8, 10, 13, 15} {
		if y[i] != v {
			t.Errorf("Axpy: y[%d] = %g, want %g", i, y[i], v)
		}
	}
	w := []float64{10, 20, 30, 40, 50, 60, 70, 80}
	index := []int32{0, 2, 3, 5, 7}
	value := []float64{1, 2, -1, 1, 3}
	if s := DotSparse(index, value, w); s != 10+60-40+60+240 {
		t.Errorf("DotSparse = %g, want 330", s)
	}
	AxpySparse(10, index, value, w)
	for j, v := range []float64{20, 20, 50, 30, 50, 70, 70, 110} {
		if w[j] != v {
			t.Errorf("AxpySparse: w[%d] = %g, want %g", j, w[j], v)
		}
	}
}
