package core

import (
	"runtime"

	"github.com/svmkit/course/svmkit/internal/parallel"
)

// tally holds what a block of rows adds to a certificate.
type tally struct{ loss, excess, dual, kkt float64 }

// tallyRows is the length of a block. Blocks are added in their order, so the bits do not depend on
// who computes which.
const TallyRows = 2048

const (
	// blockWork is how many values a part of a pass reads: some 50 µs of work.
	BlockWork = 1 << 16
	// mostParts bounds the partial sums of vectors.
	MostParts = 8
)

// startCrew gives the task as many threads as find work: certificates have blocks of rows, Newton methods blocks of
// values. Whoever starts them closes them.
func (t *Task) StartCrew() {
	t.Crew = parallel.NewCrew(min(runtime.GOMAXPROCS(0), max((t.Len()+TallyRows-1)/TallyRows, t.Len()*t.Dim/BlockWork)))
}

// doParts calls part for 0 … n−1, on several threads if there is enough to do.
func (t *Task) doParts(n int, part func(int)) {
	crew := t.Crew
	if crew == nil && n > 1 {
		crew = parallel.NewCrew(min(n, runtime.GOMAXPROCS(0)))
		defer crew.Close()
	}
	crew.Do(n, part)
}

// doRows calls rows for each block of tallyRows rows.
func (t *Task) DoRows(rows func(from, to int)) {
	n := t.Len()
	t.doParts((n+TallyRows-1)/TallyRows, func(part int) {
		rows(part*TallyRows, min((part+1)*TallyRows, n))
	})
}

// sumOf is the function of that name, by several threads.
func (t *Task) sumOf(v []float64) float64 {
	parts := make([]float64, (len(v)+TallyRows-1)/TallyRows)
	t.DoRows(func(from, to int) { parts[from/TallyRows] = SumOf(v[from:to]) })
	return SumOf(parts)
}

// tally adds up rows from ≤ i < to; charge are the losses that count for the primal objective.
func (t *Task) tally(charge []Loss, beta, scores []float64, from, to int) (sum tally) {
	for i := from; i < to; i++ {
		l, f := &charge[i], scores[i]
		if beta[i] == 0 && f >= l.Low && f <= l.High && l.Kind != Logistic {
			continue // as most rows: all four terms are 0, and nothing is violated
		}
		low, high := t.Loss[i].Optimal(beta[i])
		sum.kkt = max(sum.kkt, low-f, f-high)
		sum.dual += t.Loss[i].Dual(beta[i])
		sum.loss += l.Value(f)
		sum.excess += l.Excess(beta[i], f)
	}
	return sum
}
