package coordinate

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/simd"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// sweep is what visits to rows read and change. Between visits w = Σβᵢxᵢ and b = centre + ρΣβᵢ.
type sweep struct {
	x          []svmkit.Row
	loss       []core.Loss
	diagQ      []float64 // ‖xᵢ‖² + ρ ≥ 0, the diagonal of Q
	labels     []label   // what visitLabelled reads instead of loss and diagQ, or nil
	beta       []float64 // each in its box
	idleVisits []uint8   // visits in a row that left βᵢ unchanged, up to shrinkAfter

	w     []float64 // length dim
	b     float64
	rho   float64 // weight of (Σβᵢ)²/2 in the dual; 0 without bias
	order []int32 // the active rows, in increasing order

	shrinkAbove float64 // shrink rows with more slack: the previous epoch's violation
	shrinkNone  bool    // shrink no row in this epoch

	updates int     // since they were last added to Run.Updates
	sum     float64 // Σβᵢ
	dual    float64 // dual objective, only for the scale of the gap

	// Of the last epoch, from the scores at the moment of each visit. The gap is Σ φᵢ(f) − dᵢ(βᵢ) +
	// βᵢf over the visits, which is the duality gap if the scores are fixed.
	gap       float64
	violation float64 // largest |PG|
}

// block is count neighbours of an order: the first one, and then step by step, forwards or
// backwards.
type block struct{ first, step, count int }

// visitAny visits the rows of a block and marks those that are to be shrunk by their complement.
// Meanwhile it prefetches the rows of the next block. It returns about how many values it has
// touched.
func (s *sweep) visitAny(r block, next []int32) (work int) {
	for at, count := r.first, r.count; count > 0; count-- {
		if len(next) > 0 {
			s.prefetchRow(int(next[0]))
			next = next[1:]
		}
		i := s.order[at]
		work += len(s.x[i].Value) + 8
		if !s.visit(int(i)) {
			s.order[at] = ^i
		}
		at += r.step
	}
	return work
}

// visit updates βᵢ. It returns false if row i is to be shrunk.
func (s *sweep) visit(i int) bool {
	score := rowDot(&s.x[i], s.w) + s.b
	PG, slack := s.loss[i].ProjectedGradient(s.beta[i], score)
	if PG == 0 {
		return s.staysActive(i, slack)
	}
	s.violation = max(s.violation, math.Abs(PG))
	s.update(i, score)
	s.idleVisits[i] = 0
	return true
}

// update sets βᵢ to its optimum, given the score of row i.
func (s *sweep) update(i int, score float64) {
	l, q, old := &s.loss[i], s.diagQ[i], s.beta[i]
	v := l.Step(old, score, q)
	before := l.Dual(old)
	s.gap += max(0, l.Value(score)-before+old*score)
	if v == old {
		return
	}
	change := v - old
	s.beta[i] = v
	rowAdd(&s.x[i], s.w, change)
	s.b += s.rho * change
	s.sum += change
	s.dual += l.Dual(v) - before - change*(score+q*change/2)
	s.updates++
}

// prefetchRow prefetches row i, which belongs to the next block. On sparse text this makes an epoch
// a fifth faster.
// Benchmark: go run -C tools ./bench -rows epoch drawn,n=100000,d=50000,density=0.001
func (s *sweep) prefetchRow(i int) {
	x := &s.x[i]
	simd.PrefetchRow(x.Index, x.Value)
	s.prefetchLoss(i)
}

// prefetchLoss prefetches the label or the loss of row i.
func (s *sweep) prefetchLoss(i int) {
	if s.labels != nil {
		simd.Prefetch(&s.labels[i])
	} else {
		simd.Prefetch(&s.loss[i])
	}
}

// rowDot returns ⟨w,x⟩.
func rowDot(x *svmkit.Row, w []float64) float64 {
	if x.Index == nil {
		return simd.Dot(x.Value, w)
	}
	return simd.DotSparse(x.Index, x.Value, w)
}

// rowAdd adds a·x to w.
func rowAdd(x *svmkit.Row, w []float64, a float64) {
	if x.Index == nil {
		simd.Axpy(a, x.Value, w)
	} else {
		simd.AxpySparse(a, x.Index, x.Value, w)
	}
}

// label is what visitLabelled reads of a row.
type label struct {
	y         float64 // ±1
	U         float64 // end of α's box; +Inf for a squared loss
	C         float64 // finite
	D         float64 // 1/(2·cost) for a squared loss, otherwise 0
	QD        float64 // ‖x‖² + ρ + D
	inverseQD float64 // 1/QD, bounded
}

// staysActive counts a visit that left row i unchanged, and reports whether the row stays active.
func (s *sweep) staysActive(i int, slack float64) bool {
	if s.idleVisits[i] < shrinkAfter {
		s.idleVisits[i]++
	}
	return s.shrinkNone || !(slack > s.shrinkAbove || slack > 0 && s.idleVisits[i] == shrinkAfter)
}

// shrinkAfter bounds how long one outlier with a large violation can keep the other rows active. On
// wordnet_nv, squared hinge to 1e-3, 1 takes 12 passes, 3 six, 5 seven and 20 eight; with the hinge
// they take 10, 6, 8 and 11. Benchmark: go run -C tools ./bench -rows linear wordnet_nv_eighth
const shrinkAfter = 5
