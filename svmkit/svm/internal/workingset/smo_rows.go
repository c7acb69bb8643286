package workingset

import (
	"github.com/svmkit/course/svmkit/internal/kernelrows"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// kernelFetcher gives SMO its kernel rows, from the cache or computed.
type kernelFetcher struct {
	run       *core.Run
	rows      *core.KernelRows
	evaluator *kernelrows.Evaluator
	cache     *rowCache
}

// fetchBlock is how many kernel values are computed between two questions whether the
// context has ended: some ten microseconds of a kernel of this library, and a time that
// is still short if a user's function takes ten microseconds for one value.
const fetchBlock = 1024

// row returns K(xᵢ, xⱼ) for the rows j of columns, and how many of them had to be computed. It
// returns nil without an error if the context has ended.
func (f *kernelFetcher) row(i int32, columns []int32) (row []float64, computed int, err error) {
	row, have := f.cache.row(i, len(columns))
	computed = len(columns) - have
	for from := have; from < len(row); from += fetchBlock {
		to := min(from+fetchBlock, len(row))
		err = f.evaluator.Row(row[from:to], int(i), columns[from:to])
		if err != nil || f.run.Ctx.Err() != nil {
			return nil, 0, err // the run is over: nobody asks the cache for this row again
		}
	}
	return row, computed, nil
}

// diagonal returns K(xᵢ,xᵢ) for all rows.
func (f *kernelFetcher) diagonal() ([]float64, error) {
	diagonal := make([]float64, f.rows.Len())
	for i := range diagonal {
		if i%fetchBlock == 0 && f.run.Ctx.Err() != nil {
			return nil, f.run.Ctx.Err()
		}
		if err := f.evaluator.Row(diagonal[i:i+1], i, f.rows.All[i:i+1]); err != nil {
			return nil, err
		}
	}
	return diagonal, nil
}
