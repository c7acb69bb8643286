package svm

import (
	"cmp"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/qp"
)

// oracleTol is the relative accuracy asked of the oracle: package qp promises 1e-9 in x, and an
// objective is better than its x.
const oracleTol = 1e-8

// oracle returns the least value of the primal objective, by ways that share nothing with
// this package but the kernel: the dual, written out as a quadratic program from the
// notes' formulas, or Newton's method for the logistic loss.
func oracle(t *testing.T, p *Problem) float64 {
	t.Helper()
	if _, ok := p.Loss.(loss.Logistic); ok {
		return logisticOracle(t, p)
	}
	s, err := qp.Solve(dualProgram(p))
	if err != nil {
		t.Fatalf("oracle: %v", err)
	}
	return -s.Objective
}

// dualProgram writes the dual as a minimisation over α ≥ 0: one α a row in classification,
//
//	½ Σ αᵢαⱼyᵢyⱼKᵢⱼ − Σ αᵢ,   α ≤ C,  Σ αᵢyᵢ = 0 with a free bias
//
// and two in regression, α⁻ pulling up (v = +1) and α⁺ down (v = −1),
//
//	½ Σ vₖvₗαₖαₗKₖₗ + Σ (ε − vₖyₖ)αₖ.
//
// A squared loss has no upper bound, but α²/(4C) more.
func dualProgram(p *Problem) *qp.Problem {
	var row []int
	var v, linear, upper []float64
	eps, squared := 0.0, false
	switch l := p.Loss.(type) {
	case loss.SquaredHinge:
		squared = true
	case loss.EpsInsensitive:
		eps = l.Epsilon
	case loss.SquaredEpsInsensitive:
		eps, squared = l.Epsilon, true
	}
	add := func(i int, sign, p, u float64) {
		row, v, linear, upper = append(row, i), append(v, sign), append(linear, p), append(upper, u)
	}
	for i, y := range p.Data.Y {
		c := cmp.Or(p.C.C, 1)
		if p.Data.Weight != nil {
			c *= p.Data.Weight[i]
		}
		cPositive, cNegative := c*cmp.Or(p.C.Positive, 1), c*cmp.Or(p.C.Negative, 1)
		switch {
		case p.Regression():
			add(i, 1, eps-y, cNegative)
			add(i, -1, eps+y, cPositive)
		case y > 0:
			add(i, 1, -1, cPositive)
		default:
			add(i, -1, -1, cNegative)
		}
	}
	var k kernel.Kernel = kernel.Linear{}
	if p.Kernel != nil {
		k = p.Kernel
	}
	m := len(row)
	q := mat.NewSymDense(m, nil)
	for a := range m {
		for b := range a + 1 {
			value := k.Eval(p.Data.X[row[a]], p.Data.X[row[b]])
			if p.Bias == svmkit.PenalizedBias {
				value++
			}
			q.SetSym(a, b, v[a]*v[b]*value)
		}
		if squared {
			q.SetSym(a, a, q.At(a, a)+1/(2*upper[a]))
			upper[a] = math.Inf(1)
		}
	}
	program := &qp.Problem{Q: q, P: linear, Lower: make([]float64, m), Upper: upper}
	if p.Bias == svmkit.FreeBias {
		program.A = v
	}
	return program
}

// logisticOracle minimises over (w, b) by Newton's method with halved steps, which cannot
// fail for a smooth convex function with a minimum.
func logisticOracle(t *testing.T, p *Problem) float64 {
	t.Helper()
	d := p.Data.Dim
	m := d + 1
	x := func(i, j int) float64 {
		if j == d {
			if p.Bias == svmkit.NoBias {
				return 0
			}
			return 1
		}
		return p.Data.X[i].At(j)
	}
	regularised := func(j int) bool { return j < d || p.Bias != svmkit.FreeBias }
	value := func(w []float64) float64 {
		sum := 0.0
		for j, v := range w {
			if regularised(j) {
				sum += v * v / 2
			}
		}
		for i, y := range p.Data.Y {
			f := 0.0
			for j, v := range w {
				f += v * x(i, j)
			}
			side := 0
			if y < 0 {
				side = 1
			}
			sum += p.core().Sides(i)[side] * loss.Logistic{}.Value(f, y)
		}
		return sum
	}
	w := make([]float64, m)
	for range 100 {
		g, h := mat.NewVecDense(m, nil), mat.NewSymDense(m, nil)
		for j, v := range w {
			if regularised(j) {
				g.SetVec(j, v)
				h.SetSym(j, j, 1)
			}
		}
		for i, y := range p.Data.Y {
			f, side := 0.0, 0
			for j, v := range w {
				f += v * x(i, j)
			}
			if y < 0 {
				side = 1
			}
			c := p.core().Sides(i)[side]
			q := 1 / (1 + math.Exp(y*f))
			for j := range m {
				g.SetVec(j, g.AtVec(j)-c*y*q*x(i, j))
				for k := range j + 1 {
					h.SetSym(j, k, h.At(j, k)+c*q*(1-q)*x(i, j)*x(i, k))
				}
			}
		}
		if mat.Norm(g, 2) < 1e-12 {
			break
		}
		var step mat.VecDense
		if err := step.SolveVec(h, g); err != nil {
			t.Fatalf("oracle: %v", err)
		}
		before := value(w)
		for size := 1.0; size > 1e-12; size /= 2 {
			next := make([]float64, m)
			for j := range w {
				next[j] = w[j] - size*step.AtVec(j)
			}
			if value(next) <= before {
				w = next
				break
			}
		}
	}
	return value(w)
}
