package core

import (
	"runtime"

	"github.com/svmkit/course/svmkit/internal/parallel"
	"github.com/svmkit/course/svmkit/kernel"
)

// partialSums holds what a block of rows adds to a certificate.
type partialSums struct{ loss, excess, dual, kkt float64 }

// BlockRows is the number of rows in a block. Sums over blocks are added in the order of the
// blocks, so their bits do not depend on the number of threads.
const BlockRows = 2048

const (
	// BlockWork is how many values one part of a pass reads. They take some 10 µs. With two
	// threads, sizes from 1<<12 to 1<<14 take the same time; 1<<16 takes up to 3 % longer.
	// Benchmark: go run -C tools ./bench -rows linear
	BlockWork = 1 << 14
	// MostParts is the largest number of partial sums of a vector.
	MostParts = 8
)

// NewWorkers returns a worker pool for p, with no more workers than there are blocks of work. A
// block is BlockRows rows in a certificate and BlockWork values in a pass. A pass covers all pairs
// of rows with the RBF kernel, and at least a square of the columns otherwise. The caller must
// close the pool.
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

// EachBlock calls rows for each block and returns the results in the order of the blocks.
func EachBlock[T any](t *Task, rows func(from, to int) T) []T {
	parts := make([]T, (t.Len()+BlockRows-1)/BlockRows)
	t.DoRows(func(from, to int) { parts[from/BlockRows] = rows(from, to) })
	return parts
}

// SumRows returns the sum of the results of rows over all blocks.
func (t *Task) SumRows(rows func(from, to int) float64) (sum float64) {
	for _, v := range EachBlock(t, rows) {
		sum += v
	}
	return sum
}

// partialSums returns what rows from ≤ i < to add to a certificate, where charged are the losses of
// the primal objective. It computes the dual sum for a hard margin only, because elsewhere the dual
// objective is the primal objective minus the gap.
func (t *Task) partialSums(charged []Loss, beta, scores []float64, from, to int) (sum partialSums) {
	hard := t.Hard
	losses, charged, beta := t.Loss[from:to], charged[from:to], beta[from:to]
	for i, f := range scores[from:to] {
		l, v := &charged[i], beta[i]
		if v == 0 && f >= l.Low && f <= l.High && l.Kind != Logistic {
			continue // all four terms are 0, as for most rows
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
