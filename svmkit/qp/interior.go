package qp

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

const (
	maxSteps = 200   // a solvable problem takes 10 to 40
	nearly   = 0.995 // fraction of the way to the nearest bound that a step may go
	// goal is the residual, relative to the numbers of the problem, at which the iteration ends;
	// below it there is only rounding. Not every problem reaches it, so the iteration also ends if
	// the residual has not improved for maxStalled steps.
	goal       = 1e-15
	maxStalled = 30
	// ray is the size of x, relative to the numbers of the problem, from which on x counts as
	// following a direction of unbounded descent if there is one.
	ray = 1e8
)

// interior is the state of the predictor-corrector iteration. Invariant: l < x < u, and the
// multipliers of all bounds are > 0.
type interior struct {
	*Problem
	x      []float64
	y      float64
	bounds []bound
	chol   mat.Cholesky
	ha     []float64 // H⁻¹a for the factorised H
	aha    float64   // aᵀH⁻¹a
}

// bound is a finite bound of variable i.
type bound struct {
	i    int
	sign float64 // +1 for a lower bound, −1 for an upper one
	at   float64
	z    float64 // its multiplier, z⁻ or z⁺
}

// slack returns how far x is from the bound.
func (b *bound) slack(x []float64) float64 { return b.sign * (x[b.i] - b.at) }

func newInterior(p *Problem) *interior {
	s := &interior{Problem: p, x: make([]float64, len(p.P))}
	size := p.size()
	for i := range s.x {
		_, l, u := p.row(i)
		hasLower, hasUpper := !math.IsInf(l, -1), !math.IsInf(u, 1)
		switch {
		case hasLower && hasUpper:
			s.x[i] = l + (u-l)/2
		case hasLower:
			s.x[i] = l + 1
		case hasUpper:
			s.x[i] = u - 1
		}
		if hasLower {
			s.bounds = append(s.bounds, bound{i, 1, l, size})
		}
		if hasUpper {
			s.bounds = append(s.bounds, bound{i, -1, u, size})
		}
	}
	return s
}

// size is the largest number of the objective, the unit of gradients and multipliers.
func (p *Problem) size() float64 {
	size := 0.0
	for i, v := range p.P {
		size = max(size, math.Abs(v), p.Q.At(i, i))
	}
	if size == 0 {
		return 1
	}
	return size
}

// residuals returns dual, the residual Qx + p − y·a − z⁻ + z⁺; equality, r − aᵀx; and
// complementarity, the mean product of a bound's slack and multiplier.
func (s *interior) residuals() (dual []float64, equality, complementarity float64) {
	dual = s.gradient(s.x)
	equality = s.R
	if s.A == nil {
		equality = 0
	}
	for i, x := range s.x {
		a, _, _ := s.row(i)
		dual[i] -= s.y * a
		equality -= a * x
	}
	for _, b := range s.bounds {
		dual[b.i] -= b.sign * b.z
		complementarity += b.z * b.slack(s.x)
	}
	return dual, equality, complementarity / float64(max(1, len(s.bounds)))
}

// factorise prepares the systems of this step: H = Q + z⁻/(x−l) + z⁺/(u−x) on the diagonal. A
// variable without bounds may leave H singular. Then a small multiple of the identity is added,
// which slows the iteration but does not move its limit.
func (s *interior) factorise() bool {
	n := len(s.x)
	h := mat.NewSymDense(n, nil)
	h.CopySym(s.Q)
	for _, b := range s.bounds {
		h.SetSym(b.i, b.i, h.At(b.i, b.i)+b.z/b.slack(s.x))
	}
	for trace := 1e-13 * s.size(); !s.chol.Factorize(h); trace *= 100 {
		if trace > s.size() {
			return false
		}
		for i := range n {
			h.SetSym(i, i, h.At(i, i)+trace)
		}
	}
	s.ha, s.aha = nil, 0
	if s.A != nil {
		s.ha = s.solve(s.A)
		for i, a := range s.A {
			s.aha += a * s.ha[i]
		}
	}
	return true
}

func (s *interior) solve(rhs []float64) []float64 {
	v := mat.NewVecDense(len(rhs), nil)
	// The error only says that H is badly conditioned.
	_ = s.chol.SolveVecTo(v, mat.NewVecDense(len(rhs), rhs))
	return v.RawVector().Data
}

// direction is a step of Newton's method for all unknowns together.
type direction struct {
	x []float64
	y float64
	z []float64 // of the multipliers of the bounds
}

// newton returns the step towards slack·multiplier = target for every bound, corrected for the
// second-order terms of the predictor p, which may be nil:
//
//	H·dx − a·dy = −dual + Σ target terms,    aᵀdx = equality
func (s *interior) newton(dual []float64, equality, target float64, p *direction) *direction {
	rhs := make([]float64, len(s.x))
	for i, v := range dual {
		rhs[i] = -v
	}
	gap := make([]float64, len(s.bounds)) // target − slack·z − correction
	for k, b := range s.bounds {
		gap[k] = target - b.slack(s.x)*b.z
		if p != nil {
			gap[k] -= b.sign * p.x[b.i] * p.z[k]
		}
		rhs[b.i] += b.sign * gap[k] / b.slack(s.x)
	}
	d := &direction{x: s.solve(rhs), z: make([]float64, len(s.bounds))}
	if s.A != nil {
		left := equality
		for i, a := range s.A {
			left -= a * d.x[i]
		}
		d.y = left / s.aha
		for i, v := range s.ha {
			d.x[i] += d.y * v
		}
	}
	for k, b := range s.bounds {
		d.z[k] = (gap[k] - b.sign*b.z*d.x[b.i]) / b.slack(s.x)
	}
	return d
}

// length returns the largest step ≤ 1 that keeps the invariant. Objective and constraints share Q,
// so x and the multipliers take the same step.
func (s *interior) length(d *direction) float64 {
	t := 1 / nearly
	limit := func(value, change float64) {
		if change < 0 {
			t = min(t, -value/change)
		}
	}
	for k, b := range s.bounds {
		limit(b.slack(s.x), b.sign*d.x[b.i])
		limit(b.z, d.z[k])
	}
	return nearly * t
}

func (s *interior) move(d *direction, t float64) {
	s.y += t * d.y
	for k := range s.bounds {
		s.bounds[k].z += t * d.z[k]
	}
	for i := range s.x {
		_, l, u := s.row(i)
		if x := s.x[i] + t*d.x[i]; x > l && x < u { // otherwise rounding has reached the bound
			s.x[i] = x
		}
	}
}

// run iterates down to the rounding, returns to the best iterate, and returns the number of steps.
func (s *interior) run() (steps int, err error) {
	best, bestResidual, bestStep := s.copy(), math.Inf(1), 0
	for steps = range maxSteps {
		residual := s.solution(s.x, s.y).Residual
		if residual < bestResidual {
			best, bestResidual, bestStep = s.copy(), residual, steps
		}
		if residual <= goal*max(1, largest(s.x), largest(s.P)) || steps-bestStep > maxStalled {
			break
		}
		if s.descendsForEver() {
			return steps, ErrUnbounded
		}
		if !s.step() {
			break
		}
	}
	*s = best
	return steps, nil
}

// step makes one predictor and one corrector step. It returns false if rounding leaves no
// direction.
func (s *interior) step() bool {
	if !s.factorise() {
		return false
	}
	dual, equality, mu := s.residuals()
	predictor := s.newton(dual, equality, 0, nil)
	ahead := s.copy()
	ahead.move(predictor, s.length(predictor))
	_, _, muAhead := ahead.residuals()
	// Mehrotra's choice of target: the less the predictor has gained, the nearer it is to the
	// centre.
	target := 0.0
	if mu > 0 {
		target = mu * math.Pow(muAhead/mu, 3)
	}
	d := s.newton(dual, equality, target, predictor)
	if math.IsNaN(d.y) || math.IsNaN(largest(d.x)) || math.IsNaN(largest(d.z)) {
		return false
	}
	s.move(d, s.length(d))
	return true
}

// copy returns s with iterates of its own.
func (s *interior) copy() interior {
	return interior{Problem: s.Problem, x: slices.Clone(s.x), y: s.y, bounds: slices.Clone(s.bounds)}
}

// descendsForEver reports whether x, which has become huge, follows a ray of unbounded descent: a
// direction d without curvature, with aᵀd = 0, along which the objective falls.
func (s *interior) descendsForEver() bool {
	length := largest(s.x)
	if length < ray {
		return false
	}
	slope, curvature, along := 0.0, 0.0, 0.0
	for i, g := range s.gradient(s.x) {
		a, _, _ := s.row(i)
		slope += s.P[i] * s.x[i] / length
		curvature = max(curvature, math.Abs(g-s.P[i])/length)
		along += a * s.x[i] / length
	}
	size := s.size()
	return slope < -1e-6*size && curvature < 1e-6*size &&
		math.Abs(along) < 1e-6*max(1, largest(s.A))
}

// largest returns max |vᵢ|, and NaN if some vᵢ is NaN.
func largest(v []float64) float64 {
	m := 0.0
	for _, x := range v {
		m = max(m, math.Abs(x))
	}
	return m
}
