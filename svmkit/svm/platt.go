package svm

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
)

// Platt is a sigmoid that turns a score into a probability.
//
//	P(y = +1 | f) = 1 / (1 + exp(A·f + B))
//
// A is negative if higher scores mean the label +1. [FitPlatt] fits A and B. Source: J. Platt,
// Probabilistic outputs for support vector machines, 1999.
type Platt struct{ A, B float64 }

// Probability returns P(y = +1) for a score, in [0, 1].
func (p Platt) Probability(score float64) float64 {
	z := p.A*score + p.B
	if z >= 0 { // exp of a positive number could overflow, and 1 + exp lose digits
		e := math.Exp(-z)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(z))
}

// Probabilities returns P(y = −1) and P(y = +1) for a score, each to full precision. The difference
// 1 − P(y = +1) would lose digits if P(y = +1) is near 1.
func (p Platt) Probabilities(score float64) []float64 {
	return []float64{Platt{-p.A, -p.B}.Probability(score), p.Probability(score)}
}

// FitPlatt fits a [Platt] sigmoid to scores and their labels ±1 by maximum likelihood.
//
// Use scores of rows that the model was not trained on, for example from cross-validation, because
// scores of training rows are too good. The targets are (n₊+1)/(n₊+2) and 1/(n₋+2) instead of 1 and
// 0. They keep A finite if the scores separate the labels.
//
// Errors are [*svmkit.DataError], for example if all labels are equal.
//
// The method is Newton's with backtracking (H.-T. Lin, C.-J. Lin, R. C. Weng, A note on Platt's
// probabilistic outputs for support vector machines, 2007, Algorithm 1). Scores are first divided
// by the largest |score|, so that neither the stopping rule nor the result depends on their scale.
func FitPlatt(scores, labels []float64) (Platt, error) {
	positive, negative, unit, err := plattCheck(scores, labels)
	if err != nil {
		return Platt{}, err
	}
	s := &plattFit{scores: make([]float64, len(scores)), targets: make([]float64, len(scores))}
	for i, f := range scores {
		s.scores[i] = f / unit
		s.targets[i] = 1 / (negative + 2)
		if labels[i] > 0 {
			s.targets[i] = (positive + 1) / (positive + 2)
		}
	}
	p := s.newton(Platt{B: math.Log((negative + 1) / (positive + 1))})
	return Platt{A: p.A / unit, B: p.B}, nil
}

// plattCheck counts the labels and returns the largest |score|, 1 if all are zero.
func plattCheck(scores, labels []float64) (positive, negative, unit float64, err error) {
	bad := func(i int, v float64, err error) error {
		return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: v, Err: err}
	}
	if len(scores) != len(labels) {
		return 0, 0, 0, bad(svmkit.NoPlace, 0, svmkit.ErrMismatch)
	}
	for i, f := range scores {
		switch {
		case math.IsNaN(f) || math.IsInf(f, 0):
			return 0, 0, 0, bad(i, f, fmt.Errorf("score: %w", svmkit.ErrNotFinite))
		case labels[i] == 1:
			positive++
		case labels[i] == -1:
			negative++
		default:
			return 0, 0, 0, bad(i, labels[i], svmkit.ErrLabel)
		}
		unit = max(unit, math.Abs(f))
	}
	switch {
	case len(scores) == 0:
		err = bad(svmkit.NoPlace, 0, svmkit.ErrEmpty)
	case positive == 0 || negative == 0:
		err = bad(svmkit.NoPlace, 0, svmkit.ErrOneClass)
	case unit < 0x1p-1000: // zero, or too small to divide a number by
		unit = 1
	}
	return positive, negative, unit, err
}

// plattFit is the negative log-likelihood F(A, B) = Σ −tᵢ·log pᵢ − (1 − tᵢ)·log(1 − pᵢ)
// with pᵢ = 1/(1 + exp(A·fᵢ + B)): smooth and convex.
type plattFit struct{ scores, targets []float64 }

// value returns F, each term in the form that neither overflows nor cancels.
func (s *plattFit) value(p Platt) float64 {
	sum := 0.0
	for i, f := range s.scores {
		z := p.A*f + p.B
		if z >= 0 {
			sum += s.targets[i]*z + math.Log1p(math.Exp(-z))
		} else {
			sum += (s.targets[i]-1)*z + math.Log1p(math.Exp(z))
		}
	}
	return sum
}

const (
	plattRidge    = 1e-12 // added to the Hessian's diagonal: it is singular if all scores are equal
	plattZero     = 1e-10 // gradient per row that counts as zero; each term lies within (−1, 1)
	plattSteps    = 100   // Newton needs about ten
	plattArmijo   = 1e-4  // share of the promised decrease that a step must bring
	plattSmallest = 1e-10 // step length below which rounding hides any decrease
)

// newton returns the minimiser. Invariant: F(p) never rises from one step to the next.
func (s *plattFit) newton(p Platt) Platt {
	value := s.value(p)
	for range plattSteps {
		ga, gb, haa, hab, hbb := 0.0, 0.0, plattRidge, 0.0, plattRidge
		for i, f := range s.scores {
			q := p.Probability(f)
			slope, curve := s.targets[i]-q, q*(1-q)
			ga, gb = ga+f*slope, gb+slope
			haa, hab, hbb = haa+f*f*curve, hab+f*curve, hbb+curve
		}
		if max(math.Abs(ga), math.Abs(gb)) <= plattZero*float64(len(s.scores)) {
			break
		}
		det := haa*hbb - hab*hab
		da, db := -(hbb*ga-hab*gb)/det, -(haa*gb-hab*ga)/det
		slope := ga*da + gb*db // < 0: the direction descends
		step := 1.0
		for ; step >= plattSmallest; step /= 2 {
			next := Platt{A: p.A + step*da, B: p.B + step*db}
			if v := s.value(next); v <= value+plattArmijo*step*slope {
				p, value = next, v
				break
			}
		}
		if !(step >= plattSmallest) {
			break
		}
	}
	return p
}
