package core

import (
	"context"

	"github.com/svmkit/course/svmkit/internal/simd"
)

// ScoresWithoutBias returns ⟨w,φ(xᵢ)⟩ for all rows, and sets proof.W for a linear task. It returns
// nil if ctx ends first or a kernel fails.
func (t *Task) ScoresWithoutBias(ctx context.Context, proof *Proof) []float64 {
	if !t.Linear() {
		return t.KernelScores(ctx, proof.Beta)
	}
	proof.W = t.weights(ctx, proof.Beta)
	return t.planeScores(ctx, proof.W)
}

// planeScores returns ⟨w,xᵢ⟩ for all rows, or nil if ctx ends first.
func (t *Task) planeScores(ctx context.Context, w []float64) []float64 {
	scores := t.Memory.Floats(t.Len())
	t.DoRows(func(from, to int) {
		if ctx.Err() != nil {
			return
		}
		for i := from; i < to; i++ {
			if x := &t.X[i]; len(x.Value) == len(w) { // dense, with or without indices
				scores[i] = simd.Dot(x.Value, w)
			} else {
				scores[i] = simd.DotSparse(x.Index, x.Value, w)
			}
		}
	})
	if ctx.Err() != nil {
		return nil
	}
	return scores
}

// weights returns Σβᵢxᵢ. The result is invalid if ctx ends first.
func (t *Task) weights(ctx context.Context, beta []float64) []float64 {
	parts := 1
	if t.Dim <= partialSumColumns {
		parts = min(MostParts, (t.Len()+BlockRows-1)/BlockRows)
	}
	w := make([]float64, t.Dim) // not from the workspace: it becomes part of a Result
	var sums []float64
	if parts > 1 {
		sums = t.Memory.Zeros((parts - 1) * t.Dim)
		defer t.Memory.put(sums)
	}
	t.Workers.Do(parts, func(part int) {
		w := w
		if part > 0 {
			w = sums[(part-1)*t.Dim:][:t.Dim]
		}
		for i := part * t.Len() / parts; i < (part+1)*t.Len()/parts; i++ {
			if i%BlockRows == 0 && ctx.Err() != nil {
				return
			}
			if v := beta[i]; v == 0 {
				continue
			} else if x := &t.X[i]; len(x.Value) == len(w) {
				simd.Axpy(v, x.Value, w)
			} else {
				simd.AxpySparse(v, x.Index, x.Value, w)
			}
		}
	})
	for k := range parts - 1 {
		simd.Axpy(1, sums[k*t.Dim:][:t.Dim], w)
	}
	return w
}

// partialSumColumns is the number of columns up to which several threads add up a w each: 32 kB,
// the size of a first-level cache.
const partialSumColumns = 1 << 12
