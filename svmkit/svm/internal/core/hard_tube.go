package core

import (
	"math"
	"slices"
)

// tubeSlack is how far a score may lie outside of a hard tube, in units of max(1, |y|), and
// still count as a solution: the usual feasibility tolerance of solvers for constrained
// problems. Scores are sums with rounding errors, so some slack is needed.
const tubeSlack = 1e-6

// charged returns the losses of the primal objective. They are the task's own except for
// a hard tube (ε-insensitive loss, C = +Inf), whose constraints no plane in float64 satisfies
// to the last bit. There each violation costs c = max(1, 2·max|βᵢ|), an exact penalty:
// where c exceeds all |βᵢ| of a solution, the problems with cost c and +Inf have the same
// solutions. A gap g under cost c bounds the sum of all violations by 2g/c. A score that is
// further out than tubeSlack keeps the cost of +Inf.
func (t *Task) primalLosses(proof *Proof, scores []float64) []Loss {
	if !t.Hard || !t.TwoSided {
		return t.Loss
	}
	c := 1.0
	for _, v := range proof.Beta {
		c = max(c, 2*math.Abs(v))
	}
	soft := slices.Clone(t.Loss)
	for i, f := range scores {
		l := &soft[i]
		slack := tubeSlack * max(1, math.Abs(l.Low), math.Abs(l.High))
		if f >= l.Low-slack && f <= l.High+slack {
			l.Under, l.Over = c, c
		}
	}
	return soft
}
