package qp

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// reduced is a problem with an interior: variables that the constraints fix (l = u, or an equality
// that only a corner of the box satisfies) have been substituted.
type reduced struct {
	Problem
	free  []int     // numbers of the remaining variables in the full problem
	fixed []float64 // the full x with the fixed variables set
}

// equalityTolerance is how far r may lie outside the values of aᵀx in the box, in units of the sum
// of the sizes of its terms. r is often a rounded sum itself.
const equalityTolerance = 1e-13

// reduce decides feasibility, exactly up to equalityTolerance: aᵀx takes all values between its
// minimum and its maximum over the box.
func (p *Problem) reduce() (*reduced, error) {
	n := len(p.P)
	q := &reduced{fixed: make([]float64, n)}
	least, most, size := 0.0, 0.0, math.Abs(p.R)
	for i := range n {
		a, l, u := p.row(i)
		if a == 0 {
			continue
		}
		if a < 0 {
			l, u = u, l
		}
		least, most = least+a*l, most+a*u
		for _, v := range []float64{a * l, a * u} {
			if !math.IsInf(v, 0) {
				size += math.Abs(v)
			}
		}
	}
	// corner is +1 if only the largest aᵀx satisfies the equality, and −1 if only the smallest
	// does.
	corner := 0.0
	if p.A != nil {
		slack := equalityTolerance * size
		switch {
		case p.R < least-slack || p.R > most+slack:
			return nil, ErrInfeasible
		case p.R >= most-slack:
			corner = 1
		case p.R <= least+slack:
			corner = -1
		}
	}
	for i := range n {
		a, l, u := p.row(i)
		switch {
		case l == u:
			q.fixed[i] = l
		case a*corner > 0:
			q.fixed[i] = u
		case a*corner < 0:
			q.fixed[i] = l
		default:
			q.free = append(q.free, i)
		}
	}
	p.restrict(q, corner == 0)
	return q, nil
}

// restrict sets q to the problem of the free variables.
func (p *Problem) restrict(q *reduced, equality bool) {
	m := len(q.free)
	if m == 0 {
		return
	}
	gradient := p.gradient(q.fixed)
	q.Q = mat.NewSymDense(m, nil)
	for k, i := range q.free {
		for h, j := range q.free[:k+1] {
			q.Q.SetSym(k, h, p.Q.At(i, j))
		}
		a, l, u := p.row(i)
		q.P = append(q.P, gradient[i])
		q.Lower, q.Upper = append(q.Lower, l), append(q.Upper, u)
		if p.A != nil && equality {
			q.A = append(q.A, a)
		}
	}
	if !slices.ContainsFunc(q.A, func(a float64) bool { return a != 0 }) {
		q.A = nil // the fixed variables satisfy it
		return
	}
	q.R = p.R
	for i, v := range q.fixed {
		a, _, _ := p.row(i)
		q.R -= a * v
	}
}

// expand returns the full x for a solution of the reduced problem.
func (q *reduced) expand(x []float64) []float64 {
	full := slices.Clone(q.fixed)
	for k, i := range q.free {
		full[i] = x[k]
	}
	return full
}
