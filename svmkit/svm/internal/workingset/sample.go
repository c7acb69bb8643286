package workingset

import (
	"cmp"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// Most rounds of a large problem only bring rows to the ends of their boxes, a few hundred at a
// time. A sample of the rows, with costs raised in proportion, has nearly the same solution, and
// its scores predict β for almost every row.
//
// On the RBF rows of magic and shuttle_b, none of these constants matters by more than a factor of
// 1.5: samples of a fourth to a sixteenth, gaps of 0.003 to 0.1, and samples from 2 or from 40
// working sets on. With samples from 2 working sets on, spambase takes 1.4 times as long at C =
// 100. Benchmark: go run -C tools ./bench -rows kernel magic shuttle_b spambase
const (
	sampleShare = 8    // one row in sampleShare is in the sample
	sampleTol   = 1e-2 // relative duality gap of the sample
	sampleFrom  = 10   // least number of rows, in working sets
)

// add adds Σⱼ βⱼK(xⱼ,xᵢ) to the scores, which are inexact from then on.
func (d *decomposition) add(beta []float64) error {
	var rows []int32
	var weights []float64
	for i, v := range beta {
		if v != 0 {
			rows, weights = append(rows, int32(i)), append(weights, v)
		}
	}
	return d.addScores(rows, weights)
}

// predict sets β to the optimal value for the present scores. With a free bias it then makes Σβ
// zero by changing the rows whose scores are closest to an edge.
func (d *decomposition) predict() {
	t, bias := d.t, 0.0
	switch t.Bias {
	case svmkit.FreeBias:
		from, to := t.BestBias(d.score)
		bias = from + (to-from)/2
	case svmkit.PenalizedBias:
		bias = core.SumOf(d.beta)
	}
	t.DoRows(func(from, to int) {
		for i := from; i < to; i++ {
			d.beta[i], _ = t.Loss[i].Derivatives(d.score[i] + bias)
		}
	})
	if t.Bias != svmkit.FreeBias {
		return
	}
	excess := core.SumOf(d.beta)
	var close []candidate
	for i, v := range d.beta {
		if v*excess > 0 {
			f := d.score[i] + bias
			close = append(close, candidate{int32(i), min(math.Abs(f-t.Loss[i].Low),
				math.Abs(f-t.Loss[i].High))})
		}
	}
	slices.SortFunc(close, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.violation, b.violation), cmp.Compare(a.row, b.row))
	})
	for _, c := range close {
		v := d.beta[c.row]
		part := math.Copysign(min(math.Abs(v), math.Abs(excess)), excess)
		d.beta[c.row] = v - part
		if excess -= part; excess == 0 {
			break
		}
	}
}
