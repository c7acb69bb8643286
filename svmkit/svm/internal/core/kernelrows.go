package core

import (
	"context"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelsums"
	"github.com/svmkit/course/svmkit/kernel"
)

// KernelRows is the kernel of a task, prepared once for its rows.
type KernelRows struct {
	kernelsums.Rows
	All []int32 // 0 … n−1
	Err error   // the first error of the kernel

	// The last result of KernelScores, for a solver that certifies the β whose scores it has asked
	// for.
	Beta, Scores []float64
}

// KernelRows returns the kernel, prepared for the rows of t.
func (t *Task) KernelRows() *KernelRows {
	if t.Rows == nil {
		k := t.Kernel
		if k == nil {
			k = kernel.Linear{}
		}
		t.Rows = &KernelRows{Rows: kernelsums.Prepare(k, t.X, t.Dim, t.Workers),
			All: kernelsums.Numbers(t.Len())}
	}
	return t.Rows
}

// KernelScores returns Σⱼ βⱼK(xᵢ,xⱼ) for all i, computed from the data. It returns nil if ctx ends
// first or the kernel fails; KernelRows.Err then holds the kernel's error. The result belongs to
// the caller. Its bits do not depend on the number of processors.
func (t *Task) KernelScores(ctx context.Context, beta []float64) []float64 {
	k := t.KernelRows()
	if k.Scores != nil && slices.Equal(beta, k.Beta) {
		return slices.Clone(k.Scores)
	}
	var rows []svmkit.Row
	var weights []float64
	for j, v := range beta {
		if v != 0 {
			rows, weights = append(rows, t.X[j]), append(weights, v)
		}
	}
	if rows == nil { // the usual start: nothing is prepared
		k.Beta, k.Scores = slices.Clone(beta), make([]float64, t.Len())
		return make([]float64, t.Len())
	}
	scores, err := k.WeightedSums(ctx, 0, rows, weights)
	if err != nil {
		if ctx.Err() == nil {
			k.Err = err
		}
		return nil
	}
	k.Beta, k.Scores = slices.Clone(beta), scores
	return slices.Clone(scores)
}

// KeepScores sets the scores of β to scores that the caller has computed from the data. A score may
// be inexact if it provably does not affect the certificate. KeepScores keeps copies.
func (t *Task) KeepScores(beta, scores []float64) {
	k := t.KernelRows()
	k.Beta, k.Scores = slices.Clone(beta), slices.Clone(scores)
}
