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
	sum := 0.0
	for _, v := range d.beta {
		sum += math.Abs(v)
	}
	return sum
}

// measure finds the violation and the bias.
func (d *decomposition) measure() {
	switch d.t.Bias {
	case svmkit.FreeBias:
		d.most, d.least = math.Inf(-1), math.Inf(1)
		for i, v := range d.score {
			d.most, d.least = max(d.most, d.up[i]-v), min(d.least, d.down[i]-v)
		}
		d.bias = d.least + (d.most-d.least)/2
	case svmkit.PenalizedBias:
		d.bias = core.SumOf(d.beta)
		fallthrough
	default:
		d.most, d.least = violation(d.score, d.up, d.down, d.bias), 0
	}
}

// gap returns the duality gap by the Fenchel–Young terms of the present scores.
func (d *decomposition) gap() float64 {
	parts := make([]float64, (len(d.beta)+core.TallyRows-1)/core.TallyRows)
	d.t.DoRows(func(from, to int) {
		sum := 0.0
		for i := from; i < to; i++ {
			sum += d.t.Loss[i].Excess(d.beta[i], d.score[i]+d.bias)
		}
		parts[from/core.TallyRows] = sum
	})
	gap := 0.0
	for _, v := range parts {
		gap += v
	}
	return gap
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

// evaluate finds the dual objective, the slopes and the violation of β and its scores.
func (d *decomposition) evaluate() {
	bias := 0.0
	if d.t.Bias == svmkit.PenalizedBias {
		bias = core.SumOf(d.beta)
	}
	d.dual = 0
	for i, v := range d.beta {
		d.dual += d.t.Loss[i].Dual(v) - v*(d.score[i]+bias)/2
		d.up[i], d.down[i] = d.t.Loss[i].DualSlopes(v)
	}
	d.measure()
}
