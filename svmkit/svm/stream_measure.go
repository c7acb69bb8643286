package svm

import (
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
)

// What a round knows of where it stands: the violation, the bias and the gap of the scores as they are,
// and now and then exact ones.

// diagonal returns Kᵢᵢ, plus 1 with a penalized bias.
func (d *decomposition) diagonal() (diag []float64, err error) {
	if d.t.gaussian() {
		diag = slices.Repeat([]float64{1}, d.t.len())
	} else {
		f := kernelFetcher{run: d.r, rows: d.t.kernelRows()}
		f.evaluator = f.rows.Evaluator()
		diag, err = f.diagonal()
	}
	if err == nil && d.t.bias == svmkit.PenalizedBias {
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
	switch d.t.bias {
	case svmkit.FreeBias:
		d.most, d.least = math.Inf(-1), math.Inf(1)
		for i, v := range d.score {
			d.most, d.least = max(d.most, d.up[i]-v), min(d.least, d.down[i]-v)
		}
		d.bias = d.least + (d.most-d.least)/2
	case svmkit.PenalizedBias:
		d.bias = sumOf(d.beta)
		fallthrough
	default:
		d.most, d.least = 0, 0
		for i, v := range d.score {
			f := v + d.bias
			d.most = max(d.most, d.up[i]-f, f-d.down[i])
		}
	}
}

// gap returns the duality gap by Fenchel and Young, for the scores as they are.
func (d *decomposition) gap() float64 {
	parts := make([]float64, (len(d.beta)+tallyRows-1)/tallyRows)
	d.t.doRows(func(from, to int) {
		sum := 0.0
		for i := from; i < to; i++ {
			sum += d.t.excess(i, d.beta[i], d.score[i]+d.bias)
		}
		parts[from/tallyRows] = sum
	})
	gap := 0.0
	for _, v := range parts {
		gap += v
	}
	return gap
}

// refresh computes the scores from the data, in float64, for a β that is feasible to the last bit.
func (d *decomposition) refresh() error {
	d.share(d.r.beta, d.beta)
	beta := make([]float64, d.whole.len())
	d.whole.repair(beta, d.r.beta)
	copy(d.r.beta, beta)
	before := slices.Clone(d.beta)
	d.join(d.beta, beta)
	for i, v := range d.beta {
		d.tracked.beyond += math.Abs(v - before[i])
	}
	scores := d.exactScores()
	if scores == nil {
		return d.t.kernelRows().err // nil if the context has ended
	}
	d.whole.believe(beta, d.spread(scores))
	d.score, d.fresh = scores, true
	d.rate()
	return nil
}

// rate finds the dual objective, the slopes and the violation of β and its scores.
func (d *decomposition) rate() {
	bias := 0.0
	if d.t.bias == svmkit.PenalizedBias {
		bias = sumOf(d.beta)
	}
	d.dual = 0
	for i, v := range d.beta {
		d.dual += d.t.dual(i, v) - v*(d.score[i]+bias)/2
		d.up[i], d.down[i] = d.t.slopes(i, v)
	}
	d.measure()
}
