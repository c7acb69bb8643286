package svm

import (
	"cmp"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm/internal/core"
	"github.com/svmkit/course/svmkit/svm/internal/core/coretest"
)

// exactTolerance is how far a certificate of small problems may be from the same number
// computed in fractions: some 100 roundings of 1e-16, relative to the objective.
const exactTolerance = 1e-13

// fraction is short for exact arithmetic in formulas: every float64 is a fraction.
type fraction struct{ *big.Rat }

func frac(v float64) fraction               { return fraction{new(big.Rat).SetFloat64(v)} }
func (a fraction) plus(b fraction) fraction { return fraction{new(big.Rat).Add(a.Rat, b.Rat)} }
func (a fraction) less(b fraction) fraction { return fraction{new(big.Rat).Sub(a.Rat, b.Rat)} }
func (a fraction) times(b fraction) fraction {
	return fraction{new(big.Rat).Mul(a.Rat, b.Rat)}
}
func (a fraction) over(b fraction) fraction { return fraction{new(big.Rat).Quo(a.Rat, b.Rat)} }
func (a fraction) float() float64           { f, _ := a.Float64(); return f }

// exactGap computes, without any rounding, the primal objective at a model (Σ βᵢφ(xᵢ), b) and
// the dual objective at β, from the formulas of the dual and from p alone.
func exactGap(p *Problem, beta []float64, bias float64) (primal, dual, sum fraction) {
	n := p.Data.Len()
	eps, squared := 0.0, false
	switch l := p.Loss.(type) {
	case loss.SquaredHinge:
		squared = true
	case loss.EpsInsensitive:
		eps = l.Epsilon
	case loss.SquaredEpsInsensitive:
		eps, squared = l.Epsilon, true
	}
	inner := func(x, z svmkit.Row) fraction {
		s := frac(0)
		for j, v := range x.Value {
			s = s.plus(frac(v).times(frac(z.Value[j])))
		}
		if k, ok := p.Kernel.(kernel.Polynomial); ok {
			s = s.plus(frac(k.Coef0))
			s = s.times(s) // of degree 2
		}
		return s
	}
	half, zero := frac(0.5), frac(0)
	scores := make([]fraction, n)
	square := zero
	sum = zero
	for i, x := range p.Data.X {
		scores[i] = zero
		for j, z := range p.Data.X {
			if beta[j] != 0 {
				scores[i] = scores[i].plus(frac(beta[j]).times(inner(x, z)))
			}
		}
		square = square.plus(frac(beta[i]).times(scores[i]))
		sum = sum.plus(frac(beta[i]))
	}
	b := frac(bias)
	if p.Bias == svmkit.PenalizedBias {
		square = square.plus(sum.times(sum))
		b = sum
	}
	primal, dual = square.times(half), zero.less(square.times(half))
	for i, y := range p.Data.Y {
		c := cmp.Or(p.C.C, 1)
		if p.Data.Weight != nil {
			c *= p.Data.Weight[i]
		}
		cPositive, cNegative := frac(c*cmp.Or(p.C.Positive, 1)), frac(c*cmp.Or(p.C.Negative, 1))
		f := scores[i].plus(b)
		up, down := zero, zero // what f lacks, what it has too much
		var edge, price fraction
		switch v := frac(beta[i]); {
		case p.Regression():
			up, down = frac(y-eps).less(f), f.less(frac(y+eps))
			edge, price = frac(y-eps), cNegative
			if v.Sign() < 0 {
				edge, price = frac(y+eps), cPositive
			}
		case y > 0:
			up = frac(1).less(f)
			cNegative, edge, price = cPositive, frac(1), cPositive
		default:
			down = f.plus(frac(1))
			cPositive, edge, price = cNegative, frac(-1), cNegative
		}
		for _, side := range []struct{ out, price fraction }{{up, cNegative}, {down, cPositive}} {
			if side.out.Sign() <= 0 {
				continue
			}
			if squared {
				side.out = side.out.times(side.out)
			}
			primal = primal.plus(side.price.times(side.out))
		}
		dual = dual.plus(frac(beta[i]).times(edge))
		if squared {
			dual = dual.less(frac(beta[i]).times(frac(beta[i])).over(frac(4).times(price)))
		}
	}
	return primal, dual, sum
}

// Weak duality and the reported gap, without rounding: for a random β, and for the solution.
func TestCertificateInFractions(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0))
	for k := range 150 {
		p := public(coretest.GridProblem(rng, 10, 3, coretest.Losses[k%6]))
		if k%2 == 0 {
			p.Kernel = kernel.Polynomial{Degree: 2, Coef0: 1}
		}
		beta := coretest.RandomBeta(rng, core.NewTask(p.core()))
		tol := 1.
		if k%3 > 0 { // the solution to almost all digits, where the gap is nothing but a remainder
			tol = 1e-9
			beta = tight(t, p)
		}
		proof, err := p.Certify(beta)
		if err != nil {
			t.Fatal(err)
		}
		primal, dual, sum := exactGap(p, proof.Beta, proof.plane.Bias)
		gap := primal.less(dual).float()
		scale := max(1, primal.float(), -dual.float())
		residual := 0.0 // Σβ is zero up to the last bit; the dual is off by as much times b
		if p.Bias == svmkit.FreeBias {
			residual = math.Abs(sum.float() * proof.plane.Bias)
		}
		switch {
		case gap < -residual:
			t.Errorf("%d: weak duality fails by %g", k, -gap)
		case math.Abs(proof.Primal-primal.float()) > exactTolerance*scale, math.Abs(proof.Dual-dual.float()) > exactTolerance*scale:
			t.Errorf("%d: [%v, %v], exactly [%v, %v]", k, proof.Dual, proof.Primal, dual.float(), primal.float())
		case math.Abs(proof.Gap-gap) > exactTolerance*scale:
			t.Errorf("%d: gap %g, exactly %g", k, proof.Gap, gap)
		case gap > tol*2*scale && tol < 1:
			t.Errorf("%d: gap %g at a solution to %g", k, gap, tol)
		}
	}
}

// tight returns a β at which the relative gap is 1e-9.
func tight(t *testing.T, p *Problem) []float64 {
	r, err := Fit(t.Context(), p, SMO{}, &Settings{Tol: 1e-9})
	if err != nil || r.Status != svmkit.Optimal {
		t.Fatalf("%T %v %v: %v %+v", p.Loss, p.Bias, p.Kernel, err, r.Certificate)
	}
	return r.Beta
}
