package simd

// MulRows sets out[i] = ⟨xᵢ,u⟩ for the rows xᵢ = x[i·d : (i+1)·d] of a dense matrix, d = len(u). It
// panics unless len(x) is len(out)·len(u).
//
// Without the assembly, magic with the hinge takes 24 % longer. Benchmark: go run -C tools -tags
// purego ./bench -rows linear -loss hinge magic
func MulRows(x, u, out []float64) {
	if len(x) != len(out)*len(u) {
		panic("simd: MulRows of a matrix and vectors that do not match")
	}
	mulRows(x, u, out)
}

// mulRowsGo is the generic version of MulRows.
func mulRowsGo(x, u, out []float64) {
	d := len(u)
	for i := range out {
		out[i] = dot(x[i*d:i*d+d], u)
	}
}
