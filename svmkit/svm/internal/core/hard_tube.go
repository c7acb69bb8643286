package core

import (
	"math"
	"slices"
)

// tubeSlack is how far a score may lie outside a hard tube and still count as feasible, in units of
// max(1, |y|). It is the usual feasibility tolerance of solvers for constrained problems. Scores
// are sums with rounding errors, so some slack is necessary.
const tubeSlack = 1e-6

// primalLosses returns the losses of the primal objective. They are the losses of the task, except
// for a hard tube (ε-insensitive loss, C = +Inf), because no plane in float64 satisfies its
// constraints to the last bit. There each violation costs c = max(1, 2·max|βᵢ|), an exact penalty:
// if c exceeds all |βᵢ| of a solution, the problems with cost c and with cost +Inf have the same
// solutions. A gap g under cost c bounds the sum of all violations by 2g/c. A score further outside
// than tubeSlack keeps the cost +Inf.
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
