package svm

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// kernelRows is the kernel of a task, prepared once for its rows.
type kernelRows struct {
	*kernel.Rows
	all []int32 // 0 … n−1
	err error   // the first value that the kernel failed to give

	// The last answer of kernelScores. A solver that asked for it and then certifies the same
	// β would otherwise wait twice.
	beta, scores []float64
}

func (t *task) kernelRows() *kernelRows {
	if t.rows == nil {
		k := t.kernel
		if k == nil {
			k = kernel.Linear{}
		}
		t.rows = &kernelRows{Rows: kernel.NewRows(k, t.x, t.dim), all: numbers(t.len())}
	}
	return t.rows
}

func numbers(n int) []int32 {
	v := make([]int32, n)
	for i := range v {
		v[i] = int32(i)
	}
	return v
}

// kernelScores returns Σⱼ βⱼK(xᵢ,xⱼ) for all i, computed from the data. It returns nil if ctx
// ends before, or if the kernel fails; then t.kernelRows().err says how. The result belongs
// to the caller. The bits do not depend on the number of processors.
func (t *task) kernelScores(ctx context.Context, beta []float64) []float64 {
	k := t.kernelRows()
	if k.scores != nil && slices.Equal(beta, k.beta) {
		return slices.Clone(k.scores)
	}
	var rows []svmkit.Row
	var weights []float64
	for j, v := range beta {
		if v != 0 {
			rows, weights = append(rows, t.x[j]), append(weights, v)
		}
	}
	scores, err := weightedSums(ctx, k.Rows, rows, weights)
	if err != nil {
		if ctx.Err() == nil {
			k.err = err
		}
		return nil
	}
	k.beta, k.scores = slices.Clone(beta), scores
	return slices.Clone(scores)
}

// sumBlock is how many rows of the data one goroutine treats at a time: few enough to stay in
// its cache while all the weighted rows pass by, enough to make the spreading of one of
// those cheap.
const sumBlock = 256

// weightedSums returns Σₖ weights[k]·K(z[k], xᵢ) for all rows i of x. Blocks of rows are
// shared out among the processors; each sum is formed by one goroutine, in the order of z.
// The error is ctx's, or the *kernel.EvalError of the first block that has one.
func weightedSums(ctx context.Context, x *kernel.Rows, z []svmkit.Row, weights []float64) ([]float64, error) {
	sums, columns := make([]float64, x.Len()), numbers(x.Len())
	blocks := (x.Len() + sumBlock - 1) / sumBlock
	failed := make([]error, blocks)
	var next atomic.Int64
	work := func() {
		e, values := x.Evaluator(), make([]float64, sumBlock)
		for {
			b := int(next.Add(1)) - 1
			if b >= blocks {
				return
			}
			from, to := b*sumBlock, min((b+1)*sumBlock, len(sums))
			sum, values := sums[from:to], values[:to-from]
			for k, w := range weights {
				if failed[b] = ctx.Err(); failed[b] == nil {
					failed[b] = e.RowOf(values, z[k], columns[from:to])
				}
				if failed[b] != nil {
					next.Store(int64(blocks)) // blocks before this one are already taken
					return
				}
				for i, v := range values {
					sum[i] += w * v
				}
			}
		}
	}
	var wait sync.WaitGroup
	for range min(blocks, runtime.GOMAXPROCS(0)) - 1 {
		wait.Go(work)
	}
	work()
	wait.Wait()
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return sums, nil
}
