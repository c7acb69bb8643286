package svm

import "math"

// tubeSlack is how far a score may lie outside of a hard tube, in units of max(1, |y|), and
// still count as a solution: the usual feasibility tolerance of solvers for constrained
// problems. Scores are sums with rounding errors, so some slack is needed.
const tubeSlack = 1e-6

// charge returns the task whose prices Primal is added up with. It is t itself except for
// a hard tube (ε-insensitive loss, C = +Inf), where no plane would ever satisfy all constraints
// to the last bit. There each violation is charged at c = max(1, 2·max|βᵢ|), an exact penalty:
// where c exceeds all |βᵢ| of a solution, the problems with price c and +Inf have the same
// solutions. A gap g under price c bounds the sum of all violations by 2g/c. A score that is
// further out than tubeSlack keeps its price of +Inf.
func (t *task) charge(proof *Proof, scores []float64) *task {
	if !t.hard() || !t.twoSided() {
		return t
	}
	c := 1.0
	for _, v := range proof.Beta {
		c = max(c, 2*math.Abs(v))
	}
	soft := *t
	soft.under, soft.over = make([]float64, t.len()), make([]float64, t.len())
	for i, f := range scores {
		soft.under[i], soft.over[i] = c, c
		slack := tubeSlack * max(1, math.Abs(t.low[i]), math.Abs(t.high[i]))
		if f < t.low[i]-slack || f > t.high[i]+slack {
			soft.under[i], soft.over[i] = math.Inf(1), math.Inf(1)
		}
	}
	return &soft
}
