package workingset

import (
	"context"
	"runtime"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/gauss"
	"github.com/svmkit/course/svmkit/internal/parallel"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// streamedKernel is what decomposition asks of a kernel.
type streamedKernel interface {
	// Renew computes the lines and columns of a block whose rows have changed.
	Renew(ctx context.Context, b *gauss.Block, fresh []int32) error
	// Add adds Σₖ weights[k]·K(xⱼ,xᵢ), j = which[k], to every score.
	Add(ctx context.Context, scores []float64, which []int32, weights []float64) error
}

// streamed returns the packed Gaussian kernel of t, in float32, or any other value by value.
func streamed(t *core.Task) streamedKernel {
	rows := t.KernelRows()
	if rows.Gauss != nil {
		if g := rows.Gauss(); g != nil && !g.Coarse() {
			return g
		}
	}
	return valueByValue{t}
}

// valueByValue is the streamedKernel for kernels without a faster way.
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

func (v valueByValue) Add(ctx context.Context, scores []float64, which []int32, weights []float64) error {
	z := make([]svmkit.Row, len(which))
	for k, i := range which {
		z[k] = v.t.X[i]
	}
	sums, err := v.t.KernelRows().WeightedSums(ctx, z, weights)
	for i, s := range sums {
		scores[i] += s
	}
	return err
}
