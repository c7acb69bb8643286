package kernel

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelmath"
)

// Gram returns the symmetric n×n matrix K with Kᵢⱼ = κ(xᵢ, xⱼ).
//
// Entry (i, j) is at i·n + j, as gonum's mat.NewSymDense(n, K) takes it. Gram calls k.Eval for j ≤
// i and mirrors the result. It does not check k: a kernel that [Validate] refuses can give NaN, as
// RBF{} does.
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

// ScaleGamma returns 1/(d·v), a first value of Gamma for [RBF].
//
// v is the variance of all n·d entries, including the zeros of sparse rows, and each row counts by
// its weight. The result is 1 if v = 0 or the set has no entries. It is scikit-learn's
// gamma="scale", which does not use weights
// (https://scikit-learn.org/stable/modules/generated/sklearn.svm.SVC.html).
//
// s must be valid. If v overflows or underflows, Validate refuses the result: scale the features.
func ScaleGamma(s *svmkit.Dataset) float64 {
	if v := variance(s); v > 0 {
		return 1 / (float64(s.Dim) * v)
	}
	return 1
}

// ScaleLaplacian returns 1/(d·√v), a first value of Gamma for [Laplacian], with d and v as in
// [ScaleGamma]: ‖x−z‖₁ grows with the unit of the features, and not with its square.
func ScaleLaplacian(s *svmkit.Dataset) float64 {
	if v := variance(s); v > 0 {
		return 1 / (float64(s.Dim) * math.Sqrt(v))
	}
	return 1
}

// variance returns the variance of all entries of s, or a number that is not above 0 if there is none.
func variance(s *svmkit.Dataset) float64 {
	if s == nil {
		return 0
	}
	rows, stored, sum := 0.0, 0.0, 0.0
	for i, x := range s.X {
		w := s.RowWeight(i)
		rows += w
		stored += w * float64(len(x.Value))
		for _, v := range x.Value {
			sum += w * v
		}
	}
	n := rows * float64(s.Dim)
	mean := sum / n
	squares := (n - stored) * mean * mean // of the zeros that are not stored
	for i, x := range s.X {
		w := s.RowWeight(i)
		for _, v := range x.Value {
			squares += w * (v - mean) * (v - mean)
		}
	}
	return squares / n // NaN without entries
}

// Precomputed is a kernel given by a matrix: entry (i, j), at i·N + j, is κ of two objects.
//
// The objects need not be vectors. A row holds the number of its object, 0 … N−1, in column 0;
// [Numbers] makes such rows. A subset of them is again a data set. New objects can be predicted if
// the matrix contains them as well. LIBSVM's -t 4 is similar, but counts from 1 and stores the
// matrix in the rows.
type Precomputed struct {
	N    int
	Gram []float64 // N² numbers, symmetric; shared, not to be changed
}

// Numbers returns n dense rows of one column, where row i holds the number i.
func Numbers(n int) []svmkit.Row {
	flat := make([]float64, n)
	for i := range flat {
		flat[i] = float64(i)
	}
	return svmkit.DenseRows(flat, 1)
}

// asymmetry is how far Gram may be from symmetric, relative to the larger entry. Matrix products of
// other programs differ between the triangles by a few roundings.
const asymmetry = 1e-10

// Validate returns a [*svmkit.ParamError] unless Gram has N² finite numbers and is symmetric. It
// does not check that the matrix is positive semidefinite.
func (k Precomputed) Validate() error {
	if k.N < 1 {
		return &svmkit.ParamError{Name: "N", Value: k.N, Need: "must be 1 or more"}
	}
	if len(k.Gram)%k.N != 0 || len(k.Gram)/k.N != k.N {
		return &svmkit.ParamError{Name: "Gram", Value: len(k.Gram),
			Need: fmt.Sprintf("must have N² = %d·%d numbers", k.N, k.N)}
	}
	for i := range k.N {
		for j := range i + 1 {
			a, b := k.Gram[i*k.N+j], k.Gram[j*k.N+i]
			// This also fails for NaN and ∞ − ∞.
			if !(math.Abs(a-b) <= asymmetry*max(math.Abs(a), math.Abs(b))) {
				return &svmkit.ParamError{Name: fmt.Sprintf("Gram(%d,%d)", i, j), Value: a,
					Need: fmt.Sprintf("must be finite and equal Gram(%d,%d) = %g", j, i, b)}
			}
		}
	}
	return nil
}

// Eval returns entry (i, j) for the rows that hold i and j, from the lower triangle for both
// orders. It returns NaN if a row does not hold the number of an object.
func (k Precomputed) Eval(x, z svmkit.Row) float64 {
	return kernelmath.Entry(k.Gram, k.N, kernelmath.Object(x, k.N), kernelmath.Object(z, k.N))
}
