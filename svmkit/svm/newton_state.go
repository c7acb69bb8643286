package svm

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// newtonState is the point (w, b) and what is known of F there. Vectors of unknowns have
// length d, or d + 1 with b as the last entry; vectors of rows have length n.
type newtonState struct {
	t *task
	r *run

	v      []float64 // the unknowns (w, b)
	ridge  []float64 // diagonal of the regulariser: 1, but 0 for a free b
	scores []float64 // f(xᵢ) at v
	curve  []float64 // φᵢ″(f(xᵢ)) ≥ 0; −φᵢ′(f(xᵢ)) is βᵢ in r.beta
	value  float64   // F(v)
	g      []float64 // ∇F(v)
	p      []float64 // direction of the search
	q      []float64 // change of the scores along p: ⟨p_w,xᵢ⟩ + p_b
	block  int       // rows between two looks at the context, about a million stored values
}

// newNewtonState starts at w = Σβᵢxᵢ for the β that the run starts from.
func newNewtonState(t *task, r *run) *newtonState {
	n, m := t.len(), t.dim
	if t.bias != svmkit.NoBias {
		m++
	}
	s := &newtonState{t: t, r: r, v: make([]float64, m), ridge: make([]float64, m),
		scores: make([]float64, n), curve: make([]float64, n), q: make([]float64, n),
		g: make([]float64, m), p: make([]float64, m)}
	nnz := 0
	for i, x := range t.x {
		nnz += len(x.Value)
		if r.beta[i] != 0 {
			s.addRow(s.v, x, r.beta[i])
		}
	}
	s.block = max(1, int(float64(1<<20)*float64(n)/float64(nnz+1)))
	for j := range s.ridge {
		s.ridge[j] = 1
	}
	if t.bias == svmkit.FreeBias {
		s.v[t.dim], s.ridge[t.dim] = 0, 0 // the first polish finds b
	}
	return s
}

// dotRow returns ⟨u_w,x⟩ + u_b.
func (s *newtonState) dotRow(u []float64, x svmkit.Row) float64 {
	if d := s.t.dim; len(u) > d {
		return x.Dot(u[:d]) + u[d]
	}
	return x.Dot(u)
}

// addRow adds a·(x, 1) to u.
func (s *newtonState) addRow(u []float64, x svmkit.Row, a float64) {
	if d := s.t.dim; len(u) > d {
		u[d] += a
		u = u[:d]
	}
	x.AddTo(u, a)
}

// pass is one epoch: visit is called with ranges of rows until all were visited, or false is
// returned because the context has ended.
func (s *newtonState) pass(visit func(from, to int)) bool {
	n := s.t.len()
	for from := 0; from < n; from += s.block {
		if s.r.ctx.Err() != nil {
			s.r.ended()
			return false
		}
		visit(from, min(from+s.block, n))
	}
	s.r.epochs++
	return true
}

// evaluate computes scores, F, ∇F, β and φ″ at v from the data. A free b is first moved to
// its best place for this w, so that Σβᵢ = 0 and β is a point of the dual.
func (s *newtonState) evaluate() bool {
	if !s.pass(func(from, to int) { s.multiply(s.scores, s.v, from, to) }) {
		return false
	}
	if s.t.bias == svmkit.FreeBias {
		s.polish()
	}
	s.differentiate()
	for j, v := range s.v {
		s.g[j] = s.ridge[j] * v
	}
	return s.pass(func(from, to int) {
		for i := from; i < to; i++ {
			if b := s.r.beta[i]; b != 0 {
				s.addRow(s.g, s.t.x[i], -b)
			}
		}
	})
}

// multiply sets out[i] = ⟨u_w,xᵢ⟩ + u_b for a range of rows.
func (s *newtonState) multiply(out, u []float64, from, to int) {
	for i := from; i < to; i++ {
		out[i] = s.dotRow(u, s.t.x[i])
	}
}

// differentiate sets F, βᵢ = −φᵢ′ and φᵢ″ from the scores.
func (s *newtonState) differentiate() {
	s.value = 0
	for j, v := range s.v {
		s.value += s.ridge[j] * v * v / 2
	}
	for i, f := range s.scores {
		s.value += s.t.loss(i, f)
		s.r.beta[i], s.curve[i] = s.slopes(i, f)
	}
}

// slopes returns −φᵢ′(f) and φᵢ″(f). On the edge of a range the squares have no second
// derivative; that of the inside, 0, is taken.
func (s *newtonState) slopes(i int, f float64) (beta, curve float64) {
	t := s.t
	switch {
	case t.logistic:
		return t.logisticSlopes(i, f)
	case f < t.low[i]:
		return 2 * t.under[i] * (t.low[i] - f), 2 * t.under[i]
	case f > t.high[i]:
		return 2 * t.over[i] * (t.high[i] - f), 2 * t.over[i]
	}
	return 0, 0
}

// logisticSlopes returns −φᵢ′(f) = c·y·σ(−yf) and φᵢ″(f) = c·σ(yf)·σ(−yf), without overflow.
func (t *task) logisticSlopes(i int, f float64) (beta, curve float64) {
	y, c := t.logisticSide(i)
	e := math.Exp(-math.Abs(f))
	wrong := e / (1 + e) // σ(−yf), if y·f ≥ 0
	if y*f < 0 {
		wrong = 1 / (1 + e)
	}
	return c * y * wrong, c * e / ((1 + e) * (1 + e))
}

// gap returns the duality gap of (w, b) and β: ½‖∇F‖² over the columns with a regulariser,
// and |b·Σβᵢ| for a free b (whose β is not quite feasible unless that sum is 0).
func (s *newtonState) gap() float64 {
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
