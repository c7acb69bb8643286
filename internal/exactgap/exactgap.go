// Package exactgap recomputes the duality gap of a fitted model in 400-bit arithmetic, and bounds the
// roundoff of a certificate in float64. It serves tests that check certificates.
package exactgap

import (
	"math"
	"math/big"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// digits is the precision of the arithmetic, in bits.
const digits = 400

func wide(v float64) *big.Float { return new(big.Float).SetPrec(digits).SetFloat64(v) }
func add(a, b *big.Float)       { a.Add(a, b) }
func times(a, b *big.Float) *big.Float {
	return new(big.Float).SetPrec(digits).Mul(a, b)
}

// Linear returns the primal objective at the model's plane minus the dual objective at β, by the formulas
// of package svm: +Inf if β is not in its box. slack bounds what a roundoff Σβᵢ ≠ 0 changes with a free
// bias. The problem is linear, with finite weights C; not with the logistic loss.
func Linear(p *svm.Problem, r *svm.Result) (gap, slack float64) {
	eps, squared := Shape(p.Loss)
	w, b := r.Weights, r.Model.Bias
	half := wide(0.5)
	total, sum := wide(0), wide(0)
	z := make([]*big.Float, len(w))
	for j, v := range w {
		add(total, times(half, times(wide(v), wide(v))))
		z[j] = wide(0)
	}
	for i, x := range p.Data.X {
		score, beta := wide(b), wide(r.Beta[i])
		add(sum, beta)
		for k, v := range x.Value {
			j := k
			if x.Index != nil {
				j = int(x.Index[k])
			}
			add(score, times(wide(v), wide(w[j])))
			add(z[j], times(wide(v), beta))
		}
		y := p.Data.Y[i]
		over, under := Weights(p, i)
		low, high := wide(y-eps), wide(y+eps)
		switch {
		case p.Regression():
		case y > 0:
			low, high, under, over = wide(1), nil, over, 0
		default:
			low, high, under, over = nil, wide(-1), 0, under
		}
		addLoss := func(excess *big.Float, weight float64) {
			if excess.Sign() <= 0 {
				return
			}
			if squared {
				excess = times(excess, excess)
			}
			add(total, times(wide(weight), excess))
		}
		if low != nil {
			addLoss(new(big.Float).SetPrec(digits).Sub(low, score), under)
		}
		if high != nil {
			addLoss(new(big.Float).SetPrec(digits).Sub(score, high), over)
		}
		if beta.Sign() == 0 {
			continue
		}
		edge, weight := low, under
		if beta.Sign() < 0 {
			edge, weight = high, over
		}
		if edge == nil || !squared && math.Abs(r.Beta[i]) > weight {
			return math.Inf(1), 0 // β is outside its box
		}
		total.Sub(total, times(beta, edge))
		if squared {
			add(total, new(big.Float).SetPrec(digits).Quo(times(beta, beta), wide(4*weight)))
		}
	}
	for _, v := range z {
		add(total, times(half, times(v, v)))
	}
	if p.Bias == svmkit.PenalizedBias {
		add(total, times(half, times(wide(b), wide(b))))
		add(total, times(half, times(sum, sum)))
	}
	if p.Bias == svmkit.FreeBias {
		s, _ := sum.Float64()
		slack = math.Abs(s) * (1 + math.Abs(b))
	}
	gap, _ = total.Float64()
	return gap, slack
}

// Weights returns the weights of the loss of row i: on the positive side (of the labels, or of the tube)
// and on the negative one; 0 for a row of weight 0, also of a hard margin.
func Weights(p *svm.Problem, i int) (positive, negative float64) {
	if p.Data.RowWeight(i) == 0 {
		return 0, 0
	}
	c := orOne(p.C.C) * p.Data.RowWeight(i)
	return c * orOne(p.C.Positive), c * orOne(p.C.Negative)
}

func orOne(v float64) float64 {
	if v == 0 {
		return 1
	}
	return v
}

// Shape returns the half-width of a loss's tube, 0 in classification, and whether it is squared.
func Shape(l loss.Convex) (eps float64, squared bool) {
	switch l := l.(type) {
	case loss.SquaredHinge:
		squared = true
	case loss.EpsInsensitive:
		eps = l.Epsilon
	case loss.SquaredEpsInsensitive:
		eps, squared = l.Epsilon, true
	}
	return eps, squared
}
