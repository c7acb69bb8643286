// Package kernelsums computes Σₖ βₖ·K(zₖ,x) for many rows x at once, and one at a time, and bounds the
// rounding by which the ways to compute a sum can differ.
package kernelsums

import (
	"context"
	"runtime"
	"sync"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/gauss"
	"github.com/svmkit/course/svmkit/internal/kernelrows"
	"github.com/svmkit/course/svmkit/internal/parallel"
	"github.com/svmkit/course/svmkit/kernel"
)

// Rows is a kernel prepared for rows in two forms: value by value for every kernel, and in
// blocks for the Gaussian kernel. Each form is made when it is first needed.
type Rows struct {
	x     []svmkit.Row
	rows  func() *kernelrows.Rows
	Gauss func() *gauss.Rows // nil, or returns nil, if blocks cannot be used
}

// Prepare prepares a kernel for rows of dim columns. The workers compute blocks; if workers is
// nil, and for everything not in blocks, GOMAXPROCS goroutines do.
func Prepare(k kernel.Kernel, x []svmkit.Row, dim int, workers *parallel.Workers) Rows {
	p := Rows{x: x, rows: sync.OnceValue(func() *kernelrows.Rows {
		return kernelrows.New(k, x, dim)
	})}
	if rbf, ok := k.(kernel.RBF); ok && rbf.Gamma > 0 {
		p.Gauss = sync.OnceValue(func() *gauss.Rows {
			return gauss.New(rbf.Gamma, x, dim, workers)
		})
	}
	return p
}

// Len returns the number of rows.
func (x Rows) Len() int { return len(x.x) }

// Evaluator returns a new evaluator over the rows.
func (x Rows) Evaluator() *kernelrows.Evaluator { return x.rows().Evaluator() }

// sumBlock is how many rows of the data one goroutine treats at a time. They are few enough to stay
// in its cache while all weighted rows pass by, and enough to share the cost of preparing a
// weighted row.
const sumBlock = 256

// fewestValues is the number of kernel values from which on the rows are packed. No row of the
// benchmark depends on it between 1 and 4096: go run -C tools ./bench -rows kernel
const fewestValues = 4096

// WeightedSums returns from + Σₖ weights[k]·K(z[k], xᵢ) for all rows i of x. Blocks of rows are
// shared out among the processors. One goroutine forms each sum, in the order of z, so the bits do
// not depend on the number of processors. The error is the error of ctx or a *kernel.EvalError.
//
// The sums of the Gaussian kernel have an error of at most 1e-9·Σ|weights|, and of about
// 1e-14·Σ|weights| on scaled data. Rows for which this bound does not hold are computed value by
// value.
func (x Rows) WeightedSums(ctx context.Context, from float64, z []svmkit.Row,
	weights []float64) ([]float64, error) {
	return x.sums(ctx, x.gaussian(z), from, z, weights)
}

// sums is WeightedSums by the blocks of g, which may be nil.
func (x Rows) sums(ctx context.Context, g *gauss.Rows, from float64, z []svmkit.Row,
	weights []float64) ([]float64, error) {
	sums := make([]float64, x.Len())
	if from != 0 {
		for i := range sums {
			sums[i] = from
		}
	}
	if g != nil {
		if err := g.Sums(ctx, sums, z, weights); err != nil {
			return nil, err
		}
		return sums, x.oneByOne(ctx, sums, from, g.Far(), z, weights)
	}
	return sums, x.oneByOne(ctx, sums, from, Numbers(x.Len()), z, weights)
}

// gaussian returns the packed rows, or nil if they cannot be used for z.
func (x Rows) gaussian(z []svmkit.Row) *gauss.Rows {
	if x.Gauss == nil || len(z)*x.Len() < fewestValues {
		return nil
	}
	g := x.Gauss()
	if g == nil {
		return nil
	}
	for _, z := range z {
		if !g.Fits(z) {
			return nil
		}
	}
	return g
}

// oneByOne sets the sums of the given rows from single kernel values.
func (x Rows) oneByOne(ctx context.Context, sums []float64, from float64, rows []int32,
	z []svmkit.Row, weights []float64) error {
	blocks := (len(rows) + sumBlock - 1) / sumBlock
	evaluators := sync.Pool{New: func() any { return x.Evaluator() }}
	return parallel.For(ctx, blocks, runtime.GOMAXPROCS(0), func(b int) error {
		e := evaluators.Get().(*kernelrows.Evaluator)
		defer evaluators.Put(e)
		columns := rows[b*sumBlock : min((b+1)*sumBlock, len(rows))]
		var block, total [sumBlock]float64
		values := block[:len(columns)]
		for i := range columns {
			total[i] = from
		}
		for k, w := range weights {
			if ctx.Err() != nil {
				return nil // parallel.For returns the error
			}
			if err := e.RowOf(values, z[k], columns); err != nil {
				return err
			}
			for i, v := range values {
				total[i] += float64(w * v) // as Score adds, on machines that fuse, too
			}
		}
		for i, j := range columns {
			sums[j] = total[i]
		}
		return nil
	})
}

// OneRow computes kernel values with all rows for one row at a time. It belongs to one goroutine.
type OneRow struct {
	*kernelrows.Evaluator
	all    []int32
	values []float64
}

// OneRow returns a new OneRow for x.
func (x Rows) OneRow() *OneRow {
	return &OneRow{x.Evaluator(), Numbers(x.Len()), make([]float64, x.Len())}
}

// Values returns K(xᵢ, z) for all rows i. The slice is valid until the next call. The error is a
// *kernel.EvalError.
func (o *OneRow) Values(z svmkit.Row) ([]float64, error) {
	if err := o.RowOf(o.values, z, o.all); err != nil {
		return nil, err
	}
	return o.values, nil
}

// Numbers returns 0 … n−1.
func Numbers(n int) []int32 {
	v := make([]int32, n)
	for i := range v {
		v[i] = int32(i)
	}
	return v
}
