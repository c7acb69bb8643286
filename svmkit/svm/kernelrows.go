package svm

import (
	"context"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// kernelRows is the kernel of a task, prepared once for its rows.
type kernelRows struct {
	preparedRows
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
		t.rows = &kernelRows{preparedRows: prepareRows(k, t.x, t.dim), all: numbers(t.len())}
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
	if rows == nil { // as at most starts: no reason to prepare anything
		k.beta, k.scores = slices.Clone(beta), make([]float64, t.len())
		return make([]float64, t.len())
	}
	scores, err := k.weightedSums(ctx, rows, weights)
	if err != nil {
		if ctx.Err() == nil {
			k.err = err
		}
		return nil
	}
	k.beta, k.scores = slices.Clone(beta), scores
	return slices.Clone(scores)
}

// believe keeps scores as those of β: computed from the data elsewhere, or proved to have no part in β's certificate.
func (t *task) believe(beta, scores []float64) {
	k := t.kernelRows()
	k.beta, k.scores = beta, scores
}
