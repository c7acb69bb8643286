package core

import (
	"cmp"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// The work of a certificate after an interruption is bounded by counts and not by time, so that the
// same input gives the same proof.
const (
	// interruptedValues is the largest number of kernel values. The kernels of package kernel
	// compute as many values of short rows in some 10 ms.
	interruptedValues = 1 << 19
	// interruptedColumns is the number of stored values per row above which fewer kernel values are
	// allowed, because each of them costs more.
	interruptedColumns = 64
	// interruptedCalls is the largest number of values of a user's kernel, such as a [kernel.Func].
	// They take a third of a second if one value takes 10 µs.
	interruptedCalls = 1 << 15
)

// interruptedProof returns a proof for a run that was interrupted before its first certificate. For
// a linear problem it certifies the run's β. With a kernel it certifies only the largest numbers of
// β, times 1, ½, ¼, … until the gap grows, or β = 0 if that has a smaller gap. A one-class problem
// does not allow β = 0, and its scores may take long. Its proof says that the primal objective of w
// = 0 and b = 0 is 0.
func (r *Run) interruptedProof() *Proof {
	t := r.T
	if t.Linear() {
		return t.Certify(r.Beta)
	}
	if t.Sum > 0 {
		p := &Proof{Certificate: svmkit.Unproved(), Plane: Plane{Scale: 1},
			Beta: make([]float64, t.Len())}
		p.Primal = 0
		return p
	}
	zero := t.Certify(make([]float64, t.Len()))
	best := t.halved(t.largest(r.Beta, max(1, t.interruptedBudget()/2/t.Len())))
	if best == nil || !best.finite() || !(best.Gap < zero.Gap) {
		return zero
	}
	return best
}

// interruptedBudget returns how many kernel values the certificate of an interrupted run may take.
func (t *Task) interruptedBudget() int {
	_, _, known := kernel.KindOf(t.Kernel)
	if _, table := t.Kernel.(kernel.Precomputed); !known && !table {
		return interruptedCalls
	}
	stored := 0
	for i := range t.X {
		stored += len(t.X[i].Value)
	}
	perRow := max(interruptedColumns, stored/t.Len())
	return interruptedValues / perRow * interruptedColumns
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
		slices.SortStableFunc(rows, func(i, j int) int {
			return cmp.Compare(math.Abs(beta[j]), math.Abs(beta[i]))
		})
		for _, i := range rows[:min(most, len(rows))] {
			kept[i] = beta[i]
		}
	}
	feasible := make([]float64, len(beta))
	t.Repair(feasible, kept)
	return feasible
}

// halved returns the proof of the first of β, β/2, β/4, … after which the gap grows. It returns nil
// if the kernel fails. Only β itself costs kernel values: the scores of β/2 are half the scores of
// β, to the last bit.
func (t *Task) halved(beta []float64) *Proof {
	best := t.Certify(beta)
	for best != nil {
		rows := t.KernelRows()
		half, scores := slices.Clone(rows.Beta), slices.Clone(rows.Scores)
		for i := range half {
			half[i] /= 2
			scores[i] /= 2
		}
		t.KeepScores(half, scores)
		next := t.Certify(half)
		if next == nil || !(next.Gap < best.Gap) {
			break
		}
		best = next
	}
	return best
}
