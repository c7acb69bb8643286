package main

import (
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/svmkit/course/internal/exactgap"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/svm"
)

// easy is the condition number up to which methods of first order must get below tameGap, too: at the rate
// 1 − 1/κ, 10,000 passes bring a gap from 1 to 1e-6 if κ ≤ 10,000/ln(1e6) = 724.
const easy = 700

// maySlow says that a gap above tameGap is no fault of a well scaled problem, only slow: a badly conditioned problem and
// a solver that moves one or two coordinates at a time, whose number of steps grows with the condition number. Who leaves the choice
// of the solver to us is not told to have a bad one: there it is an excuse only with kernels.
func (t *trial) maySlow(m candidate, r *svm.Result) bool {
	if strings.Contains(r.Trace.String(), "Newton") || m.solver == nil && t.Kernel == nil {
		return false
	}
	return t.condition > easy || t.spread() > easy
}

// spread returns the ratio of the largest eigenvalue λ of the matrix of the dual problem to the smallest that is not 0, up
// to rounding. On it, and not on the weights, depend the steps where the loss has no curvature: the squared ones add
// theirs to each eigenvalue, and condition bounds their ratio. Along an eigenvector of 0 the dual objective is linear, of
// slope h = |⟨v,y⟩|: there a step is h/λ long, the box c wide, and cλ/h steps are needed to cross it. The larger of
// the two is returned, and +Inf for too many rows.
func (t *trial) spread() float64 {
	const most = 500
	n := t.Data.Len()
	if _, squared := exactgap.Shape(t.Loss); squared {
		return t.condition
	} else if n > most {
		return math.Inf(1)
	}
	k := t.Kernel
	if k == nil {
		k = kernel.Linear{}
	}
	bias := 0.0
	if t.Bias != svmkit.NoBias {
		bias = 1
	}
	q := mat.NewSymDense(n, nil)
	for i, x := range t.Data.X {
		for j, z := range t.Data.X[:i+1] {
			q.SetSym(i, j, k.Eval(x, z)+bias)
		}
	}
	var e mat.EigenSym
	if !e.Factorize(q, true) {
		return math.Inf(1)
	}
	values := e.Values(nil) // ascending
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	largest, weight, size, ratio := values[n-1], 0.0, 0.0, 1.0
	for i, y := range t.Data.Y {
		weight, size = max(weight, max(exactgap.Weights(t.Problem, i))), size+math.Abs(y)
	}
	for k, v := range values {
		const rounding = 0x1p-52
		if v > float64(n)*rounding*largest {
			return max(ratio, largest/v)
		}
		h := 0.0
		for i, y := range t.Data.Y {
			h += vectors.At(i, k) * y
		}
		if h = math.Abs(h); h > float64(n)*rounding*size {
			ratio = max(ratio, weight*largest/h)
		}
	}
	return ratio
}
