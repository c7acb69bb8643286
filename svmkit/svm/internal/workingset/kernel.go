package workingset

import (
	"context"
	"errors"
	"runtime"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/gauss"
	"github.com/svmkit/course/svmkit/internal/kernelrows"
	"github.com/svmkit/course/svmkit/internal/parallel"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// blockKernel computes the kernel values of Decomposition.
type blockKernel interface {
	// Renew computes the lines and columns of a block whose rows have changed.
	Renew(ctx context.Context, b *gauss.Block, fresh []int32) error
	// Add adds Σₖ weights[k]·K(xⱼ,xᵢ), j = which[k], to every score.
	Add(ctx context.Context, scores []float64, which []int32, weights []float64) error
}

// newBlockKernel returns the packed Gaussian kernel of t, in float32, or any other kernel value by
// value.
func newBlockKernel(t *core.Task) blockKernel {
	rows := t.KernelRows()
	if rows.Gauss != nil {
		if g := rows.Gauss(); g != nil && !g.Coarse() {
			return g
		}
	}
	return valueByValue{t}
}

// valueByValue is the blockKernel of every kernel but the Gaussian one.
type valueByValue struct{ t *core.Task }

func (v valueByValue) Renew(ctx context.Context, b *gauss.Block, fresh []int32) error {
	q, rows := len(b.Set), v.t.KernelRows()
	isFresh := make([]bool, q)
	for _, s := range fresh {
		isFresh[s] = true
	}
	return parallel.For(ctx, len(fresh), runtime.GOMAXPROCS(0), func(k int) error {
		s := int(fresh[k])
		values := make([]float64, q)
		if err := rows.Evaluator().Row(values, int(b.Set[s]), b.Set); err != nil {
			return err
		}
		for u, value := range values {
			b.Line(s)[u] = float32(value)
			if !isFresh[u] {
				b.Line(u)[s] = float32(value)
			}
		}
		return nil
	})
}

func (v valueByValue) Add(ctx context.Context, scores []float64, which []int32,
	weights []float64) error {
	z := make([]svmkit.Row, len(which))
	for k, i := range which {
		z[k] = v.t.X[i]
	}
	sums, err := v.t.KernelRows().WeightedSums(ctx, 0, z, weights)
	for i, s := range sums {
		scores[i] += s
	}
	return err
}

// kernelFetcher gives SMO its kernel rows, from the cache or computed.
type kernelFetcher struct {
	run       *core.Run
	rows      *core.KernelRows
	evaluator *kernelrows.Evaluator
	cache     *rowCache
}

// fetchBlock is how many kernel values are computed between two checks whether the context has
// ended. They take ten microseconds with a kernel of this library, and ten milliseconds with a
// user's kernel of ten microseconds.
const fetchBlock = 1024

// row returns K(xᵢ, xⱼ) for the rows j of columns, and how many of them had to be computed. If the
// run was interrupted, it returns nil without an error.
func (f *kernelFetcher) row(i int32, columns []int32) (row []float64, computed int, err error) {
	row, have := f.cache.row(i, len(columns))
	computed = len(columns) - have
	for from := have; from < len(row); from += fetchBlock {
		to := min(from+fetchBlock, len(row))
		err = f.evaluator.Row(row[from:to], int(i), columns[from:to])
		if err != nil || f.run.Interrupted() {
			return nil, 0, err // the run is over, and the cache is not used again
		}
	}
	return row, computed, nil
}

// errInterrupted ends a solver whose run was interrupted. The fit does not return it.
var errInterrupted = errors.New("interrupted")

// diagonal returns K(xᵢ,xᵢ) for all rows.
func (f *kernelFetcher) diagonal() ([]float64, error) {
	diagonal := make([]float64, f.rows.Len())
	for i := range diagonal {
		if i%fetchBlock == 0 && f.run.Interrupted() {
			return nil, errInterrupted
		}
		if err := f.evaluator.Row(diagonal[i:i+1], i, f.rows.All[i:i+1]); err != nil {
			return nil, err
		}
	}
	return diagonal, nil
}
