package qp

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Problem is a quadratic program in the standard form of the package comment.
type Problem struct {
	Q            *mat.SymDense // n×n
	P            []float64     // n
	A            []float64     // n; nil for no equality
	R            float64       // used only if A is not nil
	Lower, Upper []float64     // n each; nil for no bounds on this side
}

// Solution is a solution with its multipliers.
type Solution struct {
	X         []float64
	Objective float64 // ½ xᵀQx + pᵀx

	Y            float64   // multiplier of the equality
	Lower, Upper []float64 // multipliers z⁻, z⁺ ≥ 0 of the bounds; 0 without a bound

	// Residual is the largest violation of the optimality conditions: |aᵀx − r|, and for each i
	// the distance from xᵢ to xᵢ − gᵢ clipped into [lᵢ, uᵢ], g = Qx + p − y·a.
	Residual float64
	Steps    int
}

// Errors of Solve, to be tested with errors.Is.
var (
	ErrShape      = errors.New("qp: sizes do not match")
	ErrNotFinite  = errors.New("qp: a number is NaN, or infinite where it must not be")
	ErrNotConvex  = errors.New("qp: Q has a negative eigenvalue")
	ErrInfeasible = errors.New("qp: no point satisfies the constraints")
	ErrUnbounded  = errors.New("qp: the objective falls without end")
	ErrAccuracy   = errors.New("qp: rounding stopped the method before it reached its accuracy")
)

// convexTolerance is how negative an eigenvalue of Q may be, relative to the largest one. Rounding
// of the entries of a semidefinite matrix moves its zero eigenvalues by about n·1e-16.
const convexTolerance = 1e-11

// validate checks shapes, numbers and convexity.
func (p *Problem) validate() error {
	if p == nil || p.Q == nil || p.Q.IsEmpty() {
		return fmt.Errorf("%w: Q is empty", ErrShape)
	}
	n := p.Q.SymmetricDim()
	for _, v := range []struct {
		name     string
		values   []float64
		optional bool
	}{{"P", p.P, false}, {"A", p.A, true}, {"Lower", p.Lower, true}, {"Upper", p.Upper, true}} {
		if len(v.values) != n && !(v.optional && v.values == nil) {
			return fmt.Errorf("%w: %s has %d numbers, Q is %d×%d", ErrShape, v.name, len(v.values),
				n, n)
		}
	}
	for i := range n {
		for j := range i + 1 {
			if v := p.Q.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%w: Q(%d,%d) = %v", ErrNotFinite, i, j, v)
			}
		}
		a, l, u := p.row(i)
		switch {
		case math.IsNaN(p.P[i]) || math.IsInf(p.P[i], 0):
			return fmt.Errorf("%w: P[%d] = %v", ErrNotFinite, i, p.P[i])
		case math.IsNaN(a) || math.IsInf(a, 0):
			return fmt.Errorf("%w: A[%d] = %v", ErrNotFinite, i, a)
		case math.IsNaN(l) || math.IsInf(l, 1):
			return fmt.Errorf("%w: Lower[%d] = %v", ErrNotFinite, i, l)
		case math.IsNaN(u) || math.IsInf(u, -1):
			return fmt.Errorf("%w: Upper[%d] = %v", ErrNotFinite, i, u)
		case l > u:
			return fmt.Errorf("%w: Lower[%d] = %v > Upper[%d] = %v", ErrInfeasible, i, l, i, u)
		}
	}
	if p.A != nil && (math.IsNaN(p.R) || math.IsInf(p.R, 0)) {
		return fmt.Errorf("%w: R = %v", ErrNotFinite, p.R)
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(p.Q, false) {
		return fmt.Errorf("%w: its eigenvalues cannot be computed", ErrNotConvex)
	}
	if v := eigen.Values(nil); v[0] < -convexTolerance*math.Abs(v[n-1]) {
		return fmt.Errorf("%w: %g", ErrNotConvex, v[0])
	}
	return nil
}

// row returns aᵢ, lᵢ and uᵢ.
func (p *Problem) row(i int) (a, l, u float64) {
	l, u = math.Inf(-1), math.Inf(1)
	if p.A != nil {
		a = p.A[i]
	}
	if p.Lower != nil {
		l = p.Lower[i]
	}
	if p.Upper != nil {
		u = p.Upper[i]
	}
	return a, l, u
}

// gradient returns Qx + p.
func (p *Problem) gradient(x []float64) []float64 {
	g := mat.NewVecDense(len(x), nil)
	g.MulVec(p.Q, mat.NewVecDense(len(x), x))
	g.AddVec(g, mat.NewVecDense(len(x), p.P))
	return g.RawVector().Data
}

// solution completes x and y: the multipliers of the bounds follow from the gradient.
func (p *Problem) solution(x []float64, y float64) *Solution {
	n := len(x)
	s := &Solution{X: x, Y: y, Lower: make([]float64, n), Upper: make([]float64, n)}
	sum := -p.R
	for i, g := range p.gradient(x) {
		s.Objective += x[i] * (g + p.P[i]) / 2
		a, l, u := p.row(i)
		sum += a * x[i]
		g -= y * a
		s.Residual = max(s.Residual, math.Abs(x[i]-min(max(x[i]-g, l), u)))
		switch {
		case g > 0 && !math.IsInf(l, -1):
			s.Lower[i] = g
		case g < 0 && !math.IsInf(u, 1):
			s.Upper[i] = -g
		}
	}
	if p.A != nil {
		s.Residual = max(s.Residual, math.Abs(sum))
	}
	return s
}
