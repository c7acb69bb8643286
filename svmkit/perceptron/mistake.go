package perceptron

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelmath"
)

// Mistake records one update, with the numbers that the proof of Block and Novikoff needs.
//
// NormW and Align belong to the stored w, not to an exact run. They agree with a pass over all of w
// to a few units in the last place, at the cost of O(stored values of x) for each mistake.
type Mistake struct {
	Round int // number of the example among those seen in this run, from 0
	// Index is the number of its row in the data set; in a stream it equals Round.
	Index int
	Label float64 // y, −1 or +1
	Score float64 // f(x) before the update; y·f(x) ≤ 0
	NormX float64 // ‖x‖, or √(‖x‖²+1) with PenalizedBias
	NormW float64 // ‖w‖ after the update, or √(‖w‖²+b²) with PenalizedBias
	// Align is ⟨w,w*⟩ (+ b·b* with PenalizedBias) after the update; NaN without Reference.
	Align float64
}

// example is one labelled row in a run.
type example struct {
	x            svmkit.Row
	y            float64
	round, index int
}

// learner is the part of a variant that the loops of Learn and Fit use.
type learner interface {
	// width returns the number of columns that x must fit into.
	width(x svmkit.Row) int
	// learn scores e and, after a mistake, updates. An error means that e could not be used and
	// that nothing has changed.
	learn(e example) (m Mistake, mistake bool, err error)
}

// run is a learner: one run of a linear perceptron. Between two calls of learn
//
//	norm  = ‖w‖² (+ b² with PenalizedBias)
//	align = ⟨w,w*⟩ (+ b·b* with PenalizedBias), if there is a Reference
type run struct {
	p           *Perceptron
	norm, align twofold

	// follow, if not nil, is called with every example after the perceptron has learned from it.
	// Averaged and Voted update their sums and counts in it.
	follow func(x svmkit.Row, y float64, mistake bool)
}

// starter starts a run on a data set of dim columns and n rows, or on a stream if both are 0.
type starter func(dim, n int) (learner, error)

// start is a [starter].
func (p *Perceptron) start(dim, _ int) (learner, error) { return p.begin(dim, nil) }

// maxSquare is the largest ‖w‖² that a run allows. It is far enough from overflow that sums of a
// few such numbers are finite.
const maxSquare = math.MaxFloat64 / 8

// begin starts a run on a data set of dim columns, or on a stream if dim = 0.
func (p *Perceptron) begin(dim int, follow func(svmkit.Row, float64, bool)) (*run, error) {
	if err := p.validate(dim); err != nil {
		return nil, err
	}
	if len(p.W) == 0 && dim > 0 {
		p.W = make([]float64, dim)
	}
	r := &run{p: p, follow: follow}
	for j := range p.W {
		r.count(j, 1)
	}
	r.countBias(1)
	return r, nil
}

func (r *run) width(x svmkit.Row) int {
	switch d := len(r.p.W); {
	case x.Index != nil:
		return max(d, svmkit.MaxColumns)
	case d > 0:
		return d
	default:
		return len(x.Value)
	}
}

func (r *run) learn(e example) (m Mistake, mistake bool, err error) {
	p := r.p
	m = Mistake{Round: e.round, Index: e.index, Label: e.y, Score: p.Score(e.x), Align: math.NaN()}
	if !isFinite(m.Score) {
		return m, false, tooLarge(e, m.Score)
	}
	mistake = isMistake(m.Score, e.y)
	if mistake {
		square := e.x.SquaredNorm()
		if p.penalized() {
			square++
		}
		// ‖w + ηyx‖² ≤ ‖w‖² + η²‖x‖² at a mistake, so the update is finite if this is.
		if grown := r.norm.value() + p.rate()*p.rate()*square; !(grown <= maxSquare) {
			return m, false, tooLarge(e, grown)
		}
		p.W = grow(p.W, kernelmath.Columns(e.x))
		r.forget(e.x)
		p.step(e.x, e.y)
		r.recall(e.x)
		m.NormX, m.NormW = math.Sqrt(square), r.norm.root()
		if p.Reference != nil {
			m.Align = r.align.value()
		}
	}
	if r.follow != nil {
		r.follow(e.x, e.y, mistake)
	}
	return m, mistake, nil
}

// forget subtracts the entries that an update with x will change from norm and align; recall adds
// their new values. A dense row changes all entries.
func (r *run) forget(x svmkit.Row) {
	if x.Index == nil {
		r.norm, r.align = twofold{}, twofold{}
		return
	}
	for _, j := range x.Index {
		r.count(int(j), -1)
	}
	r.countBias(-1)
}

func (r *run) recall(x svmkit.Row) {
	if x.Index == nil {
		for j := range r.p.W {
			r.count(j, 1)
		}
	} else {
		for _, j := range x.Index {
			r.count(int(j), 1)
		}
	}
	r.countBias(1)
}

// count adds sign times the terms of column j.
func (r *run) count(j int, sign float64) {
	w := r.p.W[j]
	r.norm.add(float64(sign * w * w))
	if ref := r.p.Reference; ref != nil && j < len(ref.W) {
		r.align.add(float64(sign * w * ref.W[j]))
	}
}

func (r *run) countBias(sign float64) {
	if !r.p.penalized() {
		return
	}
	r.norm.add(float64(sign * r.p.B * r.p.B))
	if ref := r.p.Reference; ref != nil {
		r.align.add(float64(sign * r.p.B * ref.B))
	}
}

// tooLarge is the error for an example that would make the run overflow float64.
func tooLarge(e example, value float64) error {
	return &svmkit.DataError{Row: e.index, Col: svmkit.NoPlace, Value: value, Err: errTooLarge}
}

// twofold is a sum with its own rounding error: hi + lo is as accurate as if it had been computed
// with twice the digits and rounded at the end (Ogita, Rump, Oishi, "Accurate sum and dot product",
// SIAM J. Sci. Comput. 26, 2005, algorithm 4.4).
//
// With it a sparse run can keep ‖w‖² and ⟨w,w*⟩ without a pass over all of w at every mistake: the
// product of an entry that is subtracted is, bit for bit, the one that was added.
type twofold struct{ hi, lo float64 }

// add adds v. The caller must convert a product to float64, so that it is not fused into the sum.
func (s *twofold) add(v float64) {
	sum := s.hi + v
	part := sum - s.hi // the part of v that reached the sum
	s.lo += (s.hi - (sum - part)) + (v - part)
	s.hi = sum
}

func (s *twofold) value() float64 { return s.hi + s.lo }

// root returns the square root of a sum that is not negative except for rounding.
func (s *twofold) root() float64 { return math.Sqrt(max(0, s.value())) }
