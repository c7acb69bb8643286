package core

import (
	"runtime"

	"github.com/svmkit/course/svmkit/internal/parallel"
	"github.com/svmkit/course/svmkit/kernel"
)

// partialSums holds what a block of rows adds to a certificate.
type partialSums struct{ loss, excess, dual, kkt float64 }

// BlockRows is the number of rows in a block. Blocks are added in their order, so the bits do not depend on
// the number of threads.
const BlockRows = 2048

const (
	// BlockWork is how many values a part of a pass reads: some 10 µs of work. Sizes from 1<<12 to 1<<14 make
	// no difference to two threads on the linear rows of the benchmark; with 1<<16 they take up to 3 % longer.
	BlockWork = 1 << 14
	// MostParts bounds the partial sums of vectors.
	MostParts = 8
)

// NewWorkers returns as many threads as there are blocks for them: of rows in certificates, of values in passes, which with the
// RBF kernel are over all pairs of rows, or of values in a matrix of all columns. The caller closes the workers.
func NewWorkers(p *Problem) *parallel.Workers {
	n, d := p.Data.Len(), p.Data.Dim
	values := float64(max(n, d)) * float64(d)
	if _, rbf := p.Kernel.(kernel.RBF); rbf {
		values = float64(n) * float64(n) * float64(d)
	}
	blocks := max(float64((n+BlockRows-1)/BlockRows), values/BlockWork)
	return parallel.NewWorkers(int(min(blocks, float64(runtime.GOMAXPROCS(0)))))
}

// DoRows calls rows for each block of BlockRows rows.
func (t *Task) DoRows(rows func(from, to int)) {
	n := t.Len()
	t.Workers.Do((n+BlockRows-1)/BlockRows, func(part int) {
		rows(part*BlockRows, min((part+1)*BlockRows, n))
	})
}

// EachBlock is DoRows for rows that return something, and returns it in the order of the blocks.
func EachBlock[T any](t *Task, rows func(from, to int) T) []T {
	parts := make([]T, (t.Len()+BlockRows-1)/BlockRows)
	t.DoRows(func(from, to int) { parts[from/BlockRows] = rows(from, to) })
	return parts
}

// SumRows returns the sum of what rows returns for each block.
func (t *Task) SumRows(rows func(from, to int) float64) (sum float64) {
	for _, v := range EachBlock(t, rows) {
		sum += v
	}
	return sum
}

// partialSums adds up rows from ≤ i < to; charged are the losses of the primal objective. The sum of the dual is wanted
// under a hard margin alone: elsewhere the dual objective is the primal one less the gap.
func (t *Task) partialSums(charged []Loss, beta, scores []float64, from, to int) (sum partialSums) {
	hard := t.Hard
	losses, charged, beta := t.Loss[from:to], charged[from:to], beta[from:to]
	for i, f := range scores[from:to] {
		l, v := &charged[i], beta[i]
		if v == 0 && f >= l.Low && f <= l.High && l.Kind != Logistic {
			continue // all four terms are 0, as they are for most rows
		}
		low, high := losses[i].Optimal(v)
		sum.kkt = max(sum.kkt, low-f, f-high)
		if hard {
			sum.dual += losses[i].Dual(v)
		}
		sum.loss += l.Value(f)
		sum.excess += l.Excess(v, f)
	}
	return sum
}

// sumOf is SumOf on several threads.
func (t *Task) sumOf(v []float64) float64 {
	return SumOf(EachBlock(t, func(from, to int) float64 { return SumOf(v[from:to]) }))
}
