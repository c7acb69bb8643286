package kernel

import "github.com/svmkit/course/svmkit"

// Gram returns the symmetric n×n matrix K with Kᵢⱼ = κ(xᵢ, xⱼ), row by row in one slice of n²
// numbers: entry (i, j) is at i·n + j. gonum's mat.NewSymDense(n, K) takes this form. Gram calls
// k.Eval n(n+1)/2 times, for j ≤ i, and mirrors the result. It does not check k: a kernel that
// [Validate] refuses can give NaN, as RBF{} does.
func Gram(k Kernel, rows []svmkit.Row) []float64 {
	n := len(rows)
	gram := make([]float64, n*n)
	for i, x := range rows {
		for j, z := range rows[:i+1] {
			v := k.Eval(x, z)
			gram[i*n+j], gram[j*n+i] = v, v
		}
	}
	return gram
}
