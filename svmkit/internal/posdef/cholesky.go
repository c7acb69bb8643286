package posdef

import (
	"math"

	"github.com/svmkit/course/svmkit/internal/parallel"
	"github.com/svmkit/course/svmkit/internal/simd"
)

// Factor is the Cholesky factor U of a positive definite matrix H = UᵀU, where U is upper
// triangular.
type Factor struct {
	u     *Matrix
	block *Panels // the rows just finished, for the update of the rows below them
}

// factorBlock is how many rows are finished before the rows below are updated by their outer
// product. Finishing rows costs factorBlock²/2 passes over them in simple loops, so it should be
// small. An update reads and writes everything that is left, so it should not be 1. With 4 tiles a
// factor of size 124 takes 25 % longer, a factor of size 300 10 %, and a fit of the set below with
// squared hinge no longer. With 1 or 16 tiles this fit takes 8 % longer, with 8 tiles 6 %.
// Benchmark: go run -C tools ./bench -rows linear -loss "squared hinge" drawn,n=3000,d=800
const factorBlock = 2 * simd.Tile

// NewFactor returns memory for the factor of matrices of size m.
func NewFactor(m int) *Factor {
	return &Factor{u: New(m), block: NewPanels(factorBlock, m)}
}

// Factorize computes the Cholesky factor of h + diag(ridge) and returns whether the matrix is
// positive definite, up to rounding. If it returns false, there is no factor.
//
// Invariant: rows before k are rows of U. From row k on, f.u holds the upper triangle of H minus
// the outer products of the finished rows of U.
func (f *Factor) Factorize(h *Matrix, ridge []float64, workers *parallel.Workers) bool {
	u := f.u
	copy(u.Data, h.Data)
	for i, v := range ridge {
		u.Data[i*u.Stride+i] += v
	}
	for k := 0; k < u.M; k += factorBlock {
		end := min(k+factorBlock, u.M)
		for i := k; i < end; i++ {
			row := u.Row(i)
			for above := k; above < i; above++ {
				r := u.Row(above)[i-above:]
				simd.Axpy(-r[0], r, row)
			}
			pivot := row[0]
			if !(pivot > 0) || math.IsInf(pivot, 1) {
				return false
			}
			scale := 1 / math.Sqrt(pivot)
			for j := range row {
				row[j] *= scale
			}
		}
		if end == u.M {
			break
		}
		f.block.Reset(u.M - end)
		for i := k; i < end; i++ {
			f.block.Add(1, u.Row(i)[end-i:])
		}
		u.AddOuter(-1, f.block, end, workers)
	}
	return true
}

// Solve sets x to the solution of H·x = b for the matrix last factorized. x and b may be the same
// slice.
func (f *Factor) Solve(x, b []float64) {
	copy(x, b)
	for i := range f.u.M { // Uᵀy = b
		row := f.u.Row(i)
		x[i] /= row[0]
		simd.Axpy(-x[i], row[1:], x[i+1:])
	}
	for i := f.u.M - 1; i >= 0; i-- { // Ux = y
		row := f.u.Row(i)
		x[i] = (x[i] - simd.Dot(row[1:], x[i+1:])) / row[0]
	}
}
