package workingset

import (
	"math/rand/v2"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/gauss"
	"github.com/svmkit/course/svmkit/internal/kernelsums"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// A row with β = 0 and a score inside its range has no loss and no share in ‖w‖². If a bound on the
// float32 error proves that the score is inside, the float64 score is not computed. The certificate
// is the same as with exact scores of all rows.

// trackedScores bounds the errors of scores that a Gaussian kernel has changed in float32.
type trackedScores struct {
	rows  *gauss.Rows // nil if no bound is known
	drift gauss.Drift
	// beyond is Σ|change of β| over the changes that the scores do not include. No kernel value
	// exceeds 1.
	beyond float64
}

// exact must be called when all scores are exact.
func (s *trackedScores) exact() { s.drift, s.beyond = gauss.Drift{}, 0 }

// bound returns a bound on the error of score i.
func (s *trackedScores) bound(i int) float64 { return s.drift.Of(s.rows, i) + s.beyond }

// biasChange is how much exact scores may change the bias. Only scores further inside their range
// are not computed. If biasChange was too small, all scores are computed. On the RBF rows of the
// benchmark a tenth of it takes up to 1.6 times as long (magic and shuttle_b, C = 1), and ten times
// as much is no slower. Benchmark: go run -C tools ./bench -rows kernel magic shuttle_b
const biasChange = 0.02

// mostExact is the share of needed rows above which all scores are computed. No RBF row of the
// benchmark depends on it by more than a factor of 1.6 between 0.3 and 2.
const mostExact = 0.9

// addScores adds Σₖ weights[k]·K(xⱼ,xᵢ), j = which[k], to all scores, which are inexact from then
// on.
func (d *decomposition) addScores(which []int32, weights []float64) error {
	d.fresh = false
	d.work += float64(len(which)) * float64(d.t.Len())
	if d.tracked.rows != nil {
		d.tracked.drift.Add(d.tracked.rows, which, weights)
	}
	return d.kernel.Add(d.r.Ctx, d.score, which, weights)
}

// exactScores returns the scores of β. They are computed from the data for all rows that affect the
// certificate, and unchanged for rows that provably do not. It returns nil if the run is cancelled
// or the kernel fails; KernelRows.Err then holds the kernel's error.
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
	return d.scoresOf(kernelsums.Numbers(d.t.Len()))
}

// needed returns the rows whose exact scores a certificate will need.
func (d *decomposition) needed() []int32 {
	return slices.Concat(core.EachBlock(d.t, func(from, to int) (rows []int32) {
		for i := from; i < to; i++ {
			if d.beta[i] != 0 || !d.inside(i, d.score[i], [2]float64{d.bias - biasChange, d.bias +
				biasChange}) {
				rows = append(rows, int32(i))
			}
		}
		return rows
	})...)
}

// inside reports whether row i with β = 0 provably has no loss at any bias in the given interval.
func (d *decomposition) inside(i int, score float64, bias [2]float64) bool {
	bound := d.tracked.bound(i)
	return score+bias[0]-bound > d.t.Loss[i].Low && score+bias[1]+bound < d.t.Loss[i].High
}

// scoresOf returns the scores, computed again for the needed rows, which include all rows with β ≠
// 0. It returns nil if the run is cancelled.
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
	own, other := make([]float64, len(support)), make([]float64, len(others))
	if g.Subset(support).OwnSums(d.r.Ctx, own, weights) != nil || g.Subset(others).Sums(d.r.Ctx,
		other, rows, weights) != nil {
		return nil
	}
	for k, i := range support {
		scores[i] = own[k]
	}
	for k, i := range others {
		scores[i] = other[k]
	}
	return scores
}

// proved reports whether the rows that are not in needed provably do not affect the certificate of
// these scores with the best bias. The list needed must be increasing. The losses of the rows that
// are not in it have slope 0 in the bias, so the bias is also the best one for exact scores.
func (d *decomposition) proved(scores []float64, needed []int32) bool {
	bias := [2]float64{}
	switch d.t.Bias {
	case svmkit.FreeBias:
		bias[0], bias[1] = d.whole.BestBias(d.spread(scores))
	case svmkit.PenalizedBias:
		b := core.SumOf(d.beta)
		bias = [2]float64{b, b}
	}
	return !slices.Contains(core.EachBlock(d.t, func(from, to int) bool {
		k, _ := slices.BinarySearch(needed, int32(from))
		for i := from; i < to; i++ {
			if k < len(needed) && int(needed[k]) == i {
				k++
			} else if !d.inside(i, scores[i], bias) {
				return false
			}
		}
		return true
	}), false)
}

// decomposition is one run. All slices are by row of the merged task.
type decomposition struct {
	*merging
	t       *core.Task // merged
	r       *core.Run
	kernel  blockKernel
	tracked trackedScores
	rng     *rand.Rand
	largest int // the working set that the memory allows

	beta, score, diagQ []float64 // scores are without the bias
	up, down           []float64 // dᵢ′(βᵢ+) or −∞, dᵢ′(βᵢ−) or +∞
	slot               []int32   // in the working set, or none
	block              *workingBlock
	round              int // since the block was made

	leastCurvature float64 // see variables
	bias           float64 // added to a score; the middle of max U and min L if it is free
	// maxU and minL are max U and min L for a free bias. For any other bias they are the largest
	// violation and 0.
	maxU, minL float64
	dual       float64
	// target is the gap at which a certificate is made, relative to the required gap.
	target float64
	floor  float64 // least tolerance of a round, in units of target/Σ|β|
	// fresh says that nothing has changed since the necessary scores were computed in float64.
	fresh bool
	work  float64 // since the last certificate, in units of a kernel value

	bestGap, dualThen float64 // when progress was last seen
	// since is the round at which progress was last seen, and refreshed is how often there was none
	// with the largest working set.
	since, refreshed int

	leaving []int32
}

// A candidate for the working set is a row that violates the optimality conditions.
type candidate struct {
	row       int32
	violation float64
}
