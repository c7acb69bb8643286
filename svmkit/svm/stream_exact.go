package svm

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/gauss"
)

// The certificate needs exact scores, but not of all rows. A row with β = 0 whose score is inside of its
// range has no loss and no part in ‖w‖², whatever its score is. So where a bound of the error that
// float32 has made proves that the score is inside, its float64 value is not computed:
// the certificate is the one that all exact scores would give.

// trackedScores are scores that a Gaussian kernel has changed in float32, with a bound of the errors.
type trackedScores struct {
	rows  *gauss.Rows // nil: no bound is known
	drift gauss.Drift
}

// room is how far a score has to be inside of its range, beyond the bound of its error, to be left out at
// first: the bias may still change by about as much.
const room = 0.02

// mostExact is the share of rows from which on it is not worth while to leave out the others.
const mostExact = 0.9

// addScores adds Σₖ weights[k]·K(xⱼ,xᵢ), j = which[k], to all scores, which are inexact from now on.
func (d *decomposition) addScores(which []int32, weights []float64) error {
	d.fresh = false
	d.work += float64(len(which)) * float64(d.t.len())
	if d.tracked.rows != nil {
		d.tracked.drift.Add(d.tracked.rows, which, weights)
	}
	return d.kernel.Add(d.r.ctx, d.score, which, weights)
}

// exactScores returns the scores of β: computed from the data for all rows that have a part in the certificate, as
// they are for those of which it is proved that they have none. It returns nil where kernelScores does.
func (d *decomposition) exactScores() []float64 {
	if d.tracked.rows != nil && len(d.tracked.rows.Far()) == 0 {
		if needed := d.needed(); float64(len(needed)) < mostExact*float64(d.t.len()) {
			if scores, proved := d.scoresOf(needed); proved {
				return scores
			}
		}
	}
	scores := d.t.kernelScores(d.r.ctx, d.beta)
	if scores != nil {
		d.tracked.drift = gauss.Drift{}
	}
	return scores
}

// needed returns the rows whose exact scores a certificate will need.
func (d *decomposition) needed() (rows []int32) {
	for i, v := range d.beta {
		if v != 0 || !d.inside(i, d.score[i], [2]float64{d.bias - room, d.bias + room}) {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// inside reports whether it is proved that row i with β = 0 has no loss at any of the biases, from the first
// to the second one.
func (d *decomposition) inside(i int, score float64, bias [2]float64) bool {
	bound := d.tracked.drift.Of(d.tracked.rows, i)
	return score+bias[0]-bound > d.t.low[i] && score+bias[1]+bound < d.t.high[i]
}

// scoresOf computes the scores of the needed rows and leaves the others. It reports whether it is
// proved, with the bias that the certificate will choose for these scores, that the others have no part
// in it. The scores are nil if the run is cancelled.
func (d *decomposition) scoresOf(needed []int32) (scores []float64, proved bool) {
	var support []svmkit.Row
	var weights []float64
	for i, v := range d.beta {
		if v != 0 {
			support, weights = append(support, d.t.x[i]), append(weights, v)
		}
	}
	sums := make([]float64, len(needed))
	if d.tracked.rows.Subset(needed).Sums(d.r.ctx, sums, support, weights) != nil {
		return nil, true
	}
	scores = append([]float64(nil), d.score...)
	exact := make([]bool, len(scores))
	for k, i := range needed {
		scores[i], exact[i] = sums[k], true
	}
	bias := [2]float64{}
	switch d.t.bias {
	case FreeBias:
		bias[0], bias[1] = d.whole.bestBias(d.spread(scores))
	case PenalizedBias:
		b := sumOf(d.beta)
		bias = [2]float64{b, b}
	}
	// The rows left out pull the bias to neither side at the biases that these scores are best for. So
	// these are the best ones of the exact scores, too.
	for i := range scores {
		if !exact[i] && !d.inside(i, scores[i], bias) {
			return scores, false
		}
	}
	return scores, !math.IsInf(bias[1]-bias[0], 1)
}
