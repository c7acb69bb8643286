package kernel

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelmath"
)

// Precomputed is a kernel given by its values: entry (i, j) of Gram, at i·N + j, is κ of the
// objects i and j. The objects need not be vectors. A row represents its object by holding the
// object's number, 0 … N−1, in column 0; [Numbers] makes such rows. A subset of them is again a
// data set, so splits and folds need no new matrix. New objects can be predicted if the matrix
// contains them as well.
//
// (LIBSVM's -t 4 has the same idea, but counts from 1 and stores the matrix in the rows.)
type Precomputed struct {
	N    int
	Gram []float64 // N² numbers, symmetric; shared, and not to be changed
}

// Numbers returns n dense rows of one column, where row i holds the number i.
func Numbers(n int) []svmkit.Row {
	flat := make([]float64, n)
	for i := range flat {
		flat[i] = float64(i)
	}
	rows := make([]svmkit.Row, n)
	for i := range rows {
		rows[i].Value = flat[i : i+1 : i+1]
	}
	return rows
}

// asymmetry is how far Gram may be from symmetric, relative to the larger entry. Matrix products of
// other programs differ between the triangles by a few roundings.
const asymmetry = 1e-10

// Validate returns a [*svmkit.ParamError] if Gram does not have N² numbers, a number is not finite,
// or the matrix is not symmetric. It does not check that the matrix is positive semidefinite.
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
