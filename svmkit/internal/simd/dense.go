package simd

// Dot returns ⟨a,b⟩ = Σ aᵢbᵢ. It panics unless the lengths are equal.
func Dot(a, b []float64) float64 {
	if len(a) != len(b) {
		panic("simd: Dot of vectors of different lengths")
	}
	return dot(a, b)
}

// PortableDot is Dot with the same bits on every machine. b may be longer than a.
func PortableDot(a, b []float64) float64 { return dotGo(a, b[:len(a)]) }

// Axpy adds a·x to y, in place. It panics unless the lengths are equal. x and y must be the same
// slice or not overlap.
//
// Without the assembly of Dot and of Axpy, a fit with the hinge takes 46 and 68 % longer.
// Benchmark: go run -C tools -tags purego ./bench -rows linear -loss hinge drawn,n=2000,d=3000
func Axpy(a float64, x, y []float64) {
	if len(x) != len(y) {
		panic("simd: Axpy of vectors of different lengths")
	}
	axpy(a, x, y)
}

// dotGo is the generic version of Dot. It forms four sums, because each addition to one sum would
// wait for the previous one.
func dotGo(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	for len(a) >= 4 && len(b) >= 4 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	s := (s0 + s1) + (s2 + s3)
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

// axpyGo is the generic version of Axpy.
func axpyGo(a float64, x, y []float64) {
	for len(x) >= 4 && len(y) >= 4 {
		y[0] += a * x[0]
		y[1] += a * x[1]
		y[2] += a * x[2]
		y[3] += a * x[3]
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		y[i] += a * v
	}
}
