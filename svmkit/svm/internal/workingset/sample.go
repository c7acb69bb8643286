package workingset

import (
	"cmp"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// Most rounds of a large problem do nothing but bring rows to the ends of their boxes, some hundred at
// a time. A sample of the rows, at prices that make up for those left out, has nearly the same
// solution, and its scores say for almost every row of the whole where its β will end.

const (
	guessShare = 8    // one row in so many is in the sample
	guessTol   = 1e-2 // its relative duality gap: it is a guess in any case
	guessFrom  = 10   // working sets that a problem must have rows for
)

// begin sets β to a guess made from a sample, and the scores to those of the guess. It leaves
// them alone where that is no help: few rows, or a β to start from.
func (d *decomposition) begin() error {
	n, q := d.t.Len(), len(d.block.Set)
	if n < guessFrom*q || d.r.Start != nil {
		return nil
	}
	rows := d.rng.Perm(n)[:n/guessShare]
	under, over := 0.0, 0.0
	sample := d.t.Part(len(rows), func(k int) (i int, factor float64) {
		l := &d.t.Loss[rows[k]]
		under, over = under+l.Under, over+l.Over
		return rows[k], guessShare
	})
	if under == 0 || over == 0 {
		return nil // one class only
	}
	r := core.NewRun(d.r.Ctx, sample, core.Settings{Tol: guessTol, MaxIterations: d.r.MaxIterations, Seed: d.r.Seed})
	err := Decomposition{WorkingSet: q}.rounds(sample, r)
	if err != nil || d.r.Ended() {
		return err
	}
	d.r.Updates += r.Updates
	beta := make([]float64, n)
	for k, i := range rows {
		beta[i] = r.Beta[k]
	}
	if err := d.add(beta); err != nil {
		return err
	}
	d.guess()
	clear(d.score)
	d.tracked.exact()
	if err := d.add(d.beta); err != nil {
		return err
	}
	d.rate()
	return nil
}

// add adds Σⱼ βⱼK(xⱼ,xᵢ) to the scores, which stay inexact.
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

// guess sets β to what is optimal for the scores as they are, and makes Σβ zero if it must be by
// the rows closest to an edge.
func (d *decomposition) guess() {
	t, bias := d.t, 0.0
	switch t.Bias {
	case svmkit.FreeBias:
		from, to := t.BestBias(d.score)
		bias = from + (to-from)/2
	case svmkit.PenalizedBias:
		bias = core.SumOf(d.beta)
	}
	for i, s := range d.score {
		d.beta[i], _ = t.Loss[i].Derivatives(s + bias)
	}
	if t.Bias != svmkit.FreeBias {
		return
	}
	excess := core.SumOf(d.beta)
	var close []candidate
	for i, v := range d.beta {
		if v*excess > 0 {
			f := d.score[i] + bias
			close = append(close, candidate{int32(i), min(math.Abs(f-t.Loss[i].Low), math.Abs(f-t.Loss[i].High))})
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
