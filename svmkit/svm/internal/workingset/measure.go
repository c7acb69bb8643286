package workingset

import (
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// diagonal returns Kᵢᵢ, plus 1 with a penalized bias.
func (d *decomposition) diagonal() (diag []float64, err error) {
	if d.t.Gaussian() {
		diag = slices.Repeat([]float64{1}, d.t.Len())
	} else {
		f := kernelFetcher{run: d.r, rows: d.t.KernelRows()}
		f.evaluator = f.rows.Evaluator()
		diag, err = f.diagonal()
	}
	if err == nil && d.t.Bias == svmkit.PenalizedBias {
		for i := range diag {
			diag[i]++
		}
	}
	return diag, err
}

// size returns Σ|βᵢ|.
func (d *decomposition) size() float64 {
	return d.t.SumRows(func(from, to int) (sum float64) {
		for _, v := range d.beta[from:to] {
			sum += math.Abs(v)
		}
		return sum
	})
}

// measure computes the violation and the bias.
func (d *decomposition) measure() {
	switch d.t.Bias {
	case svmkit.FreeBias:
		d.maxU, d.minL = math.Inf(-1), math.Inf(1)
		for _, ends := range core.EachBlock(d.t, d.ends) {
			d.maxU, d.minL = max(d.maxU, ends[0]), min(d.minL, ends[1])
		}
		d.bias = d.minL + (d.maxU-d.minL)/2
	case svmkit.PenalizedBias:
		d.bias = core.SumOf(d.beta)
		fallthrough
	default:
		d.maxU, d.minL = 0, 0
		for _, v := range core.EachBlock(d.t, func(from, to int) float64 {
			return violation(d.score[from:to], d.up[from:to], d.down[from:to], d.bias)
		}) {
			d.maxU = max(d.maxU, v)
		}
	}
}

// ends returns max U and min L of rows from ≤ i < to.
func (d *decomposition) ends(from, to int) [2]float64 {
	most, least := math.Inf(-1), math.Inf(1)
	up, down := d.up[from:to], d.down[from:to]
	for i, v := range d.score[from:to] {
		most, least = max(most, up[i]-v), min(least, down[i]-v)
	}
	return [2]float64{most, least}
}

// gap returns the duality gap as the sum of the Fenchel–Young terms of the present scores.
func (d *decomposition) gap() float64 {
	return d.t.SumRows(func(from, to int) (gap float64) {
		for i := from; i < to; i++ {
			gap += d.t.Loss[i].Excess(d.beta[i], d.score[i]+d.bias)
		}
		return gap
	})
}

// refresh computes the scores from the data, in float64, for a β that is feasible to the last bit.
func (d *decomposition) refresh() error {
	d.share(d.r.Beta, d.beta)
	beta := make([]float64, d.whole.Len())
	d.whole.Repair(beta, d.r.Beta)
	copy(d.r.Beta, beta)
	before := slices.Clone(d.beta)
	d.join(d.beta, beta)
	for i, v := range d.beta {
		d.tracked.beyond += math.Abs(v - before[i])
	}
	scores := d.exactScores()
	if scores == nil {
		return d.t.KernelRows().Err // nil if the context has ended
	}
	d.whole.KeepScores(beta, d.spread(scores))
	d.score, d.fresh = scores, true
	d.evaluate()
	return nil
}

// evaluate computes the dual objective, the slopes and the violation of β and its scores.
func (d *decomposition) evaluate() {
	bias := 0.0
	if d.t.Bias == svmkit.PenalizedBias {
		bias = core.SumOf(d.beta)
	}
	d.dual = d.t.SumRows(func(from, to int) (dual float64) {
		for i := from; i < to; i++ {
			l, v := &d.t.Loss[i], d.beta[i]
			dual += l.Dual(v) - v*(d.score[i]+bias)/2
			d.up[i], d.down[i] = l.DualSlopes(v)
		}
		return dual
	})
	d.measure()
}
