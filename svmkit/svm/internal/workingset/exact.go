package workingset

import (
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/gauss"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// The certificate needs exact scores, but not of all rows. A row with β = 0 whose score is inside of its
// range has no loss and no part in ‖w‖², whatever its score is. So where a bound of the error that
// float32 has made proves that the score is inside, its float64 value is not computed:
// the certificate is the one that all exact scores would give.

// trackedScores are scores that a Gaussian kernel has changed in float32, with a bound of the errors.
type trackedScores struct {
	rows   *gauss.Rows // nil: no bound is known
	drift  gauss.Drift
	beyond float64 // Σ of the sizes of changes of β that the scores do not know of: no kernel value is above 1
}

// exact is called where the scores are, all of them.
func (s *trackedScores) exact() { s.drift, s.beyond = gauss.Drift{}, 0 }

// bound returns by how much score i may be wrong.
func (s *trackedScores) bound(i int) float64 { return s.drift.Of(s.rows, i) + s.beyond }

// room is how far a score has to be inside of its range, beyond the bound of its error, to be left out at
// first: the bias may still change by about as much.
const room = 0.02

// mostExact is the share of rows from which on it is not worth while to leave out the others.
const mostExact = 0.9

// addScores adds Σₖ weights[k]·K(xⱼ,xᵢ), j = which[k], to all scores, which are inexact from now on.
func (d *decomposition) addScores(which []int32, weights []float64) error {
	d.fresh = false
	d.work += float64(len(which)) * float64(d.t.Len())
	if d.tracked.rows != nil {
		d.tracked.drift.Add(d.tracked.rows, which, weights)
	}
	return d.kernel.Add(d.r.Ctx, d.score, which, weights)
}

// exactScores returns the scores of β: computed from the data for all rows that have a part in the certificate, as
// they are for those of which it is proved that they have none. It returns nil if the run is cancelled
// or the kernel fails; then d.t.kernelRows().err says how.
func (d *decomposition) exactScores() []float64 {
	start := !slices.ContainsFunc(d.beta, func(v float64) bool { return v != 0 })
	if start || d.tracked.rows == nil || len(d.tracked.rows.Far()) > 0 {
		d.tracked.exact()
		return d.t.KernelScores(d.r.Ctx, d.beta)
	}
	if needed := d.needed(); float64(len(needed)) < mostExact*float64(d.t.Len()) {
		scores := d.scoresOf(needed)
		if scores == nil || d.proved(scores, needed) {
			return scores
		}
	}
	d.tracked.exact()
	return d.scoresOf(core.Numbers(d.t.Len()))
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
	bound := d.tracked.bound(i)
	return score+bias[0]-bound > d.t.Loss[i].Low && score+bias[1]+bound < d.t.Loss[i].High
}

// scoresOf returns the scores with those of the needed rows computed anew, which all rows with β ≠ 0 are
// among; nil if the run is cancelled.
func (d *decomposition) scoresOf(needed []int32) []float64 {
	var support, others []int32
	var rows []svmkit.Row
	var weights []float64
	for _, i := range needed {
		if v := d.beta[i]; v != 0 {
			support, rows, weights = append(support, i), append(rows, d.t.X[i]), append(weights, v)
		} else {
			others = append(others, i)
		}
	}
	scores, g := slices.Clone(d.score), d.tracked.rows
	own, rest := make([]float64, len(support)), make([]float64, len(others))
	if g.Subset(support).OwnSums(d.r.Ctx, own, weights) != nil || g.Subset(others).Sums(d.r.Ctx, rest, rows, weights) != nil {
		return nil
	}
	for k, i := range support {
		scores[i] = own[k]
	}
	for k, i := range others {
		scores[i] = rest[k]
	}
	return scores
}

// proved reports whether the rows that are not needed have no part in the certificate of these scores, with
// the bias that it will choose. They pull that bias to neither side; so it is the one that all exact
// scores would lead to.
func (d *decomposition) proved(scores []float64, needed []int32) bool {
	bias := [2]float64{}
	switch d.t.Bias {
	case svmkit.FreeBias:
		bias[0], bias[1] = d.whole.BestBias(d.spread(scores))
	case svmkit.PenalizedBias:
		b := core.SumOf(d.beta)
		bias = [2]float64{b, b}
	}
	for i, s := range scores {
		if len(needed) > 0 && int(needed[0]) == i {
			needed = needed[1:]
		} else if !d.inside(i, s, bias) {
			return false
		}
	}
	return true
}
