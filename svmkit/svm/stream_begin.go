package svm

import (
	"cmp"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
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
	n, q := d.t.len(), len(d.block.Set)
	if n < guessFrom*q || d.r.Start != nil {
		return nil
	}
	rows := d.rng.Perm(n)[:n/guessShare]
	sample := &task{dim: d.t.dim, squared: d.t.squared, kernel: d.t.kernel, bias: d.t.bias, crew: d.whole.crew}
	under, over := 0.0, 0.0
	for _, i := range rows {
		sample.x = append(sample.x, d.t.x[i])
		sample.low, sample.high = append(sample.low, d.t.low[i]), append(sample.high, d.t.high[i])
		sample.under, sample.over = append(sample.under, guessShare*d.t.under[i]), append(sample.over, guessShare*d.t.over[i])
		under, over = under+d.t.under[i], over+d.t.over[i]
	}
	if under == 0 || over == 0 {
		return nil // one class only
	}
	r := newRun(d.r.ctx, sample, Settings{Tol: guessTol, MaxEpochs: d.r.MaxEpochs, Seed: d.r.Seed})
	err := Decomposition{WorkingSet: q}.rounds(sample, r)
	if err != nil || d.r.ended() {
		return err
	}
	d.r.updates += r.updates
	beta := make([]float64, n)
	for k, i := range rows {
		beta[i] = r.beta[k]
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
	switch t.bias {
	case svmkit.FreeBias:
		from, to := t.bestBias(d.score)
		bias = from + (to-from)/2
	case svmkit.PenalizedBias:
		bias = sumOf(d.beta)
	}
	for i, s := range d.score {
		f := s + bias
		below, above := max(0, t.low[i]-f), max(0, f-t.high[i])
		switch {
		case t.squared:
			d.beta[i] = 2 * (t.under[i]*below - t.over[i]*above)
			if math.IsNaN(d.beta[i]) { // 0·∞: the side has no edge
				d.beta[i] = 0
			}
		case below > 0:
			d.beta[i] = t.under[i]
		case above > 0:
			d.beta[i] = -t.over[i]
		default:
			d.beta[i] = 0
		}
	}
	if t.bias != svmkit.FreeBias {
		return
	}
	excess := sumOf(d.beta)
	var close []candidate
	for i, v := range d.beta {
		if v*excess > 0 {
			f := d.score[i] + bias
			close = append(close, candidate{int32(i), min(math.Abs(f-t.low[i]), math.Abs(f-t.high[i]))})
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
