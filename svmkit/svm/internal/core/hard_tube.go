package core

import (
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
)

// primalLosses returns the losses of the primal objective. They are the losses of the task, except
// for a hard tube (ε-insensitive loss, C = +Inf), because no plane in float64 satisfies its
// constraints to the last bit. There a score counts as inside its tube if it is inside up to its own
// rounding ([Task.scoreRounding]), and what is beyond the edge costs 2·max|βᵢ|, more than any row
// can gain by it. A score that is further outside has the cost +Inf, and so has the objective.
func (t *Task) primalLosses(proof *Proof, scores []float64) []Loss {
	if !t.Hard || !t.TwoSided {
		return t.Loss
	}
	c := 0.0
	for _, v := range proof.Beta {
		c = max(c, 2*math.Abs(v))
	}
	soft, rounding := slices.Clone(t.Loss), t.scoreRounding(proof)
	for i, f := range scores {
		l := &soft[i]
		slack := rounding(i)
		if f >= l.Low-slack && f <= l.High+slack {
			l.Under, l.Over = c, c
		}
	}
	return soft
}

// scoreRounding returns a function that bounds the rounding of score i under a hard margin or tube,
// and of the edges of its tube: see svm.Problem.Certify.
func (t *Task) scoreRounding(proof *Proof) func(i int) float64 {
	terms, norm, size := 64, svmkit.Dense(proof.W...).Norm(), math.Abs(proof.Bias)
	if !t.Linear() {
		most := t.largestDiagonal()
		for _, v := range proof.Beta {
			terms, size = terms+1, size+math.Abs(v)*most
		}
	}
	return func(i int) float64 {
		x, edge := &t.X[i], 0.0
		if t.TwoSided {
			edge = max(math.Abs(t.Loss[i].Low), math.Abs(t.Loss[i].High))
		}
		return Roundoff * float64(terms+len(x.Value)) * (size + norm*x.Norm() + edge)
	}
}
