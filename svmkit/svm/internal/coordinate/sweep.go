package coordinate

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/simd"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// rows is what an epoch reads and changes of the rows.
type rows struct {
	x      []svmkit.Row
	loss   []core.Loss
	q      []float64 // Kᵢᵢ, plus ρ for the bias; ≥ 0
	labels []label   // what visitLabelled needs in the place of loss and q; nil if not all rows are labelled
	beta   []float64
	calm   []uint8 // for how many visits in a row βᵢ has stood still, up to calmEnough
}

// sweep is what visits to rows change and sum up. Between visits w = Σβᵢxᵢ and b = centre + ρΣβᵢ.
type sweep struct {
	w     []float64 // Σβᵢxᵢ, length dim
	b     float64   // centre + ρΣβᵢ
	rho   float64   // weight of (Σβᵢ)²/2 in the dual; 0 without bias
	order []int32   // the active rows of the field, rising

	ease    float64 // rows easier than this are set aside: the violation of the epoch before
	keep    bool    // no row is set aside in this epoch
	keepAll bool    // none ever for being calm

	updates int     // since they were last counted
	sum     float64 // Σβᵢ
	dual    float64 // dual objective, for the scale of the gap only

	// Of the last epoch, from the scores at the moment of each visit:
	gap       float64 // Σ over visits of φᵢ(f) − dᵢ(βᵢ) + βᵢf, which is the duality gap at fixed scores
	violation float64 // largest |pull|
}

// stretch is a run in one direction: count places of an order, the first one first, then step by step.
type stretch struct{ first, step, count int }

// visitAny visits the rows of a stretch and marks those that are to be set aside by their complement.
// Meanwhile it asks for the rows of the next run. It returns about how many values it has touched.
func (s *sweep) visitAny(f *rows, r stretch, next []int32) (work int) {
	for at, count := r.first, r.count; count > 0; count-- {
		if len(next) > 0 {
			f.ask(int(next[0]))
			next = next[1:]
		}
		i := s.order[at]
		work += len(f.x[i].Value) + 8
		if !s.visit(f, int(i)) {
			s.order[at] = ^i
		}
		at += r.step
	}
	return work
}

// visit moves βᵢ to its optimum. It returns false if row i is to be set aside.
func (s *sweep) visit(f *rows, i int) bool {
	score := rowDot(&f.x[i], s.w) + s.b
	pull, ease := f.loss[i].ProjectedGradient(f.beta[i], score)
	if pull != 0 {
		s.violation = max(s.violation, math.Abs(pull))
		s.move(f, i, score)
		f.calm[i] = 0
		return true
	}
	if f.calm[i] < calmEnough {
		f.calm[i]++
	}
	return s.keep || !(ease > s.ease || ease > 0 && f.calm[i] == calmEnough && !s.keepAll)
}

// move moves βᵢ to its optimum, given the score of row i.
func (s *sweep) move(f *rows, i int, score float64) {
	l, q, old := &f.loss[i], f.q[i], f.beta[i]
	v := l.Step(old, score, q)
	before := l.Dual(old)
	s.gap += max(0, l.Value(score)-before+old*score)
	if v == old {
		return
	}
	move := v - old
	f.beta[i] = v
	rowAdd(&f.x[i], s.w, move)
	s.b += s.rho * move
	s.sum += move
	s.dual += l.Dual(v) - before - move*(score+q*move/2)
	s.updates++
}

// ask has the processor fetch row i, which is to be visited after the run at hand: on sparse text that
// takes a fifth off the time of an epoch, and up to a half where the cache is shared.
func (f *rows) ask(i int) {
	x := &f.x[i]
	simd.PrefetchRow(x.Index, x.Value)
	f.askNumbers(i)
}

// askNumbers has the processor fetch what a visit to row i needs beside the row.
func (f *rows) askNumbers(i int) {
	if f.labels != nil {
		simd.Prefetch(&f.labels[i])
	} else {
		simd.Prefetch(&f.loss[i])
	}
}
