package qp

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// accuracy is the residual that a solution must reach, in units of the numbers of the solution and
// the gradient. Most solutions reach 1e-14.
const accuracy = 1e-9

// Solve returns a solution of p.
//
// The errors are [ErrShape], [ErrNotFinite] and [ErrNotConvex] if p is not a convex program, and
// [ErrInfeasible] and [ErrUnbounded] if it has no solution. If the relative residual stays above
// 1e-9, Solve returns [ErrAccuracy] together with the best point found.
func Solve(p *Problem) (*Solution, error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	q, err := p.reduce()
	if err != nil {
		return nil, err
	}
	if len(q.free) == 0 {
		return p.solution(q.fixed, p.multiplier(q.fixed)), nil
	}
	s := newInterior(&q.Problem)
	steps, err := s.run()
	if err != nil {
		return nil, err
	}
	x, y := s.x, s.y
	if better, yBetter, ok := s.polish(); ok {
		x, y = better, yBetter
	}
	full := q.expand(x)
	if q.A == nil {
		y = p.multiplier(full)
	}
	best := p.solution(full, y)
	best.Steps = steps
	if best.Residual > accuracy*max(1, largest(best.X), largest(p.P)) {
		return best, ErrAccuracy
	}
	return best, nil
}

// polish sets the variables of the active bounds, whose multipliers exceed their slacks, exactly to
// their bounds and solves for the others. It reports whether this has made the residual smaller.
func (s *interior) polish() (x []float64, y float64, better bool) {
	x = slices.Clone(s.x)
	active := make([]bool, len(x))
	size := s.size()
	for _, b := range s.bounds {
		if !active[b.i] && b.z/size > b.slack(s.x) {
			x[b.i], active[b.i] = b.at, true
		}
	}
	var inside []int
	for i := range x {
		if !active[i] {
			inside = append(inside, i)
		}
	}
	m := len(inside)
	if m == 0 {
		return nil, 0, false
	}
	// Correction dx, dy:  Q_FF dx − a_F dy = −(gradient − y·a)_F,   a_Fᵀdx = r − aᵀx.
	k := mat.NewDense(m+1, m+1, nil)
	rhs := mat.NewVecDense(m+1, nil)
	gradient := s.gradient(x)
	left := s.R
	for i, v := range x {
		a, _, _ := s.row(i)
		left -= a * v
	}
	for g, i := range inside {
		a, _, _ := s.row(i)
		for h, j := range inside {
			k.Set(g, h, s.Q.At(i, j))
		}
		k.Set(g, m, -a)
		k.Set(m, g, a)
		rhs.SetVec(g, s.y*a-gradient[i])
	}
	rhs.SetVec(m, left)
	if s.A == nil {
		k.Set(m, m, 1)
		rhs.SetVec(m, 0)
	}
	// Q_FF may be singular: take the shortest of the corrections that satisfy the system best.
	var svd mat.SVD
	if !svd.Factorize(k, mat.SVDThin) || svd.Rank(1e-12) == 0 {
		return nil, 0, false
	}
	var d mat.VecDense
	svd.SolveVecTo(&d, rhs, svd.Rank(1e-12))
	for g, i := range inside {
		_, l, u := s.row(i)
		x[i] = min(max(x[i]+d.AtVec(g), l), u)
	}
	y = s.y + d.AtVec(m)
	return x, y, s.solution(x, y).Residual < s.solution(s.x, s.y).Residual
}

// multiplier returns the y that fits x best if no equality took part in the iteration. All
// variables with aᵢ ≠ 0 are then at bounds, and each of them requires y on one side of its
// gradient/aᵢ. Without an equality, multiplier returns 0.
func (p *Problem) multiplier(x []float64) float64 {
	if p.A == nil {
		return 0
	}
	from, to := math.Inf(-1), math.Inf(1)
	for i, g := range p.gradient(x) {
		a, l, u := p.row(i)
		if a == 0 || l == u {
			continue
		}
		if y := g / a; x[i] == l == (a > 0) { // g − y·a must be ≥ 0 at l, ≤ 0 at u
			to = min(to, y)
		} else {
			from = max(from, y)
		}
	}
	switch {
	case math.IsInf(from, -1) && math.IsInf(to, 1):
		return 0
	case math.IsInf(from, -1):
		return to
	case math.IsInf(to, 1):
		return from
	}
	return from + (to-from)/2
}
