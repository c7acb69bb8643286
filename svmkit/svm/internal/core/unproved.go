package core

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/svmkit/course/svmkit"
)

// The certificate of an interrupted fit that has none: this many kernel values, which most kernels compute in some
// 10 ms; where they take longer than the limit, an eighth of them.
const (
	valuesAtEnd = 1 << 19
	timeAtEnd   = 200 * time.Millisecond
)

// unproved returns a proof for a run that was interrupted before its first certificate: of its β if the problem is
// linear; with a kernel of the largest β alone, with factors 1, ½, ¼ … until the gap grows, or of β = 0 where that
// is better, or a slow kernel takes too long. The β of a one-class problem cannot be 0, and its scores may take long: there it
// is a proof that w = 0 and b = 0 have the primal objective 0.
func (r *Run) interruptedProof() *Proof {
	t := r.T
	if t.Linear() {
		return t.Certify(r.Beta)
	}
	if t.Sum > 0 {
		p := &Proof{Certificate: svmkit.Unproved(), Plane: Plane{Scale: 1}, Beta: make([]float64, t.Len())}
		p.Primal = 0
		return p
	}
	zero := t.Certify(make([]float64, t.Len()))
	var best *Proof
	for values := valuesAtEnd; best == nil && values >= valuesAtEnd/8; values /= 8 {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Ctx), timeAtEnd)
		best = t.halved(ctx, t.largest(r.Beta, max(1, values/2/t.Len())))
		cancel()
	}
	if best == nil || !best.finite() || !(best.Gap < zero.Gap) {
		return zero
	}
	return best
}

// largest returns β with the given number of its largest values of each sign, and the others 0.
func (t *Task) largest(beta []float64, most int) []float64 {
	kept := make([]float64, len(beta))
	for _, sign := range []float64{1, -1} {
		var rows []int
		for i, v := range beta {
			if v*sign > 0 {
				rows = append(rows, i)
			}
		}
		slices.SortStableFunc(rows, func(i, j int) int { return cmp.Compare(math.Abs(beta[j]), math.Abs(beta[i])) })
		for _, i := range rows[:min(most, len(rows))] {
			kept[i] = beta[i]
		}
	}
	feasible := make([]float64, len(beta))
	t.Repair(feasible, kept)
	return feasible
}

// halved returns the proof of β, or of the first of β/2, β/4, … after which the gap grows; nil if ctx ends before
// one is made. The scores of β/2 are half of those of β, to the last bit.
func (t *Task) halved(ctx context.Context, beta []float64) *Proof {
	best := t.certifyUntil(ctx, beta)
	for best != nil {
		rows := t.KernelRows()
		half, scores := slices.Clone(rows.Beta), slices.Clone(rows.Scores)
		for i := range half {
			half[i] /= 2
			scores[i] /= 2
		}
		t.KeepScores(half, scores)
		next := t.certifyUntil(ctx, half)
		if next == nil || !(next.Gap < best.Gap) {
			break
		}
		best = next
	}
	return best
}
