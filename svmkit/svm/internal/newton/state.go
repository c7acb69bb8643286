package newton

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// state is a point (w, b) with F and its derivatives there. Vectors of unknowns have length d, or d
// + 1 with b as the last entry; vectors of rows have length n.
type state struct {
	t *core.Task
	r *core.Run

	v      []float64 // the unknowns (w, b)
	ridge  []float64 // diagonal of the regulariser: 1, but 0 for a free b
	scores []float64 // f(xᵢ) at v
	curve  []float64 // φᵢ″(f(xᵢ)) ≥ 0; −φᵢ′(f(xᵢ)) is βᵢ in r.Beta
	value  float64   // F(v)
	g      []float64 // ∇F(v)
	p      []float64 // direction of the search
	q      []float64 // change of the scores along p: ⟨p_w,xᵢ⟩ + p_b
	block  int       // rows between two checks of the context, about blockValues stored values
}

// newState starts at w = Σβᵢxᵢ for the β that the run starts with, or at the unknowns of the
// previous solver.
func newState(t *core.Task, r *core.Run) *state {
	n, m := t.Len(), t.Unknowns()
	s := &state{t: t, r: r, v: make([]float64, m), ridge: ridge(t, make([]float64, m)),
		scores: make([]float64, n), curve: make([]float64, n), q: make([]float64, n),
		g: make([]float64, m), p: make([]float64, m)}
	nnz := 0
	for i, x := range t.X {
		nnz += len(x.Value)
		if r.Beta[i] != 0 {
			s.addRow(s.v, x, r.Beta[i])
		}
	}
	s.block = max(1, int(min(float64(n), blockValues*float64(n)/float64(nnz+1))))
	if t.Bias == svmkit.FreeBias {
		s.v[t.Dim] = 0 // the first setFreeBias finds b
	}
	if r.Unknowns != nil {
		copy(s.v, r.Unknowns)
	}
	return s
}

// ridge sets u to the diagonal of the regulariser's second derivative, which is 1, but 0 for a free
// b. It returns u.
func ridge(t *core.Task, u []float64) []float64 {
	for j := range u {
		u[j] = 1
	}
	if t.Bias == svmkit.FreeBias {
		u[t.Dim] = 0
	}
	return u
}

// blockValues is how many stored values are read between two checks of the context, which takes
// about a millisecond.
const blockValues = 1 << 20

// dotRow returns ⟨u_w,x⟩ + u_b.
func (s *state) dotRow(u []float64, x svmkit.Row) float64 {
	if d := s.t.Dim; len(u) > d {
		return x.Dot(u[:d]) + u[d]
	}
	return x.Dot(u)
}

// addRow adds a·(x, 1) to u.
func (s *state) addRow(u []float64, x svmkit.Row, a float64) {
	if d := s.t.Dim; len(u) > d {
		u[d] += a
		u = u[:d]
	}
	x.AddTo(u, a)
}

// pass makes a pass over the data: it calls visit with consecutive ranges of rows. It returns false
// if the run was interrupted.
func (s *state) pass(visit func(from, to int)) bool {
	n := s.t.Len()
	for from := 0; from < n; from += s.block {
		if s.r.Interrupted() {
			s.r.Ended()
			return false
		}
		visit(from, min(from+s.block, n))
	}
	s.r.Iterations++
	return true
}

// evaluate computes scores, F, ∇F, β and φ″ at v from the data. It first sets a free b to its best
// value for this w, so that Σβᵢ = 0 and β is feasible. It returns false if the context has ended.
func (s *state) evaluate() bool {
	if !s.pass(func(from, to int) { s.multiply(s.scores, s.v, from, to) }) {
		return false
	}
	if s.t.Bias == svmkit.FreeBias {
		s.setFreeBias()
	}
	s.differentiate()
	for j, v := range s.v {
		s.g[j] = s.ridge[j] * v
	}
	return s.pass(func(from, to int) {
		for i := from; i < to; i++ {
			if b := s.r.Beta[i]; b != 0 {
				s.addRow(s.g, s.t.X[i], -b)
			}
		}
	})
}

// setFreeBias sets a free b to its best value for w, where Σβᵢ = 0, and changes the scores
// accordingly. It keeps a b that is among the best ones.
func (s *state) setFreeBias() {
	from, to := s.t.BestBias(s.scores)
	if from <= 0 && 0 <= to {
		return
	}
	by := from + (to-from)/2
	s.v[s.t.Dim] += by
	for i := range s.scores {
		s.scores[i] += by
	}
}

// multiply sets out[i] = ⟨u_w,xᵢ⟩ + u_b for a range of rows.
func (s *state) multiply(out, u []float64, from, to int) {
	for i := from; i < to; i++ {
		out[i] = s.dotRow(u, s.t.X[i])
	}
}

// differentiate sets F, βᵢ = −φᵢ′ and φᵢ″ from the scores.
func (s *state) differentiate() {
	s.value = 0
	for j, v := range s.v {
		s.value += s.ridge[j] * v * v / 2
	}
	for i, f := range s.scores {
		s.value += s.t.Loss[i].Value(f)
		s.r.Beta[i], s.curve[i] = s.t.Loss[i].Derivatives(f)
	}
}

// gap returns the duality gap of (w, b) and β: ½‖∇F‖² over the columns with a regulariser, and
// |b·Σβᵢ| for a free b if rounding has left a sum.
func (s *state) gap() float64 {
	gap := 0.0
	for j, g := range s.g {
		if s.ridge[j] == 0 {
			gap += math.Abs(s.v[j] * g)
		} else {
			gap += g * g / 2
		}
	}
	return gap
}
