package main

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// A task is what all engines are asked to minimise on a set, in a form that a child process of
// any language can read.
type task struct {
	Loss    string  `json:"loss"`    // "hinge", "squared hinge", "tube" (ε-insensitive) or "squared tube"
	Epsilon float64 `json:"epsilon"` // half-width of the tube
	C       float64 `json:"c"`       // weight of the loss
	Free    bool    `json:"free"`    // the bias is free; else it is penalized like a weight
	Gamma   float64 `json:"gamma"`   // of the RBF kernel; 0: linear
}

func (t task) regression() bool { return t.Loss == "tube" || t.Loss == "squared tube" }

func (t task) convex() loss.Trainable {
	switch t.Loss {
	case "squared hinge":
		return loss.SquaredHinge{}
	case "tube":
		return loss.EpsInsensitive{Epsilon: t.Epsilon}
	case "squared tube":
		return loss.SquaredEpsInsensitive{Epsilon: t.Epsilon}
	}
	return loss.Hinge{}
}

// problem is the task in svmkit's terms.
func (t task) problem(set *svmkit.Dataset) *svm.Problem {
	p := &svm.Problem{Data: set, Loss: t.convex(), C: svm.PerSum(t.C), Bias: svmkit.PenalizedBias}
	if t.Free {
		p.Bias = svmkit.FreeBias
	}
	if t.Gamma > 0 {
		p.Kernel = kernel.RBF{Gamma: t.Gamma}
	}
	return p
}

func (t task) String() string {
	bias := "penalized b"
	if t.Free {
		bias = "free b"
	}
	name := "linear " + t.Loss + ", " + bias
	if t.Gamma > 0 {
		name = fmt.Sprintf("RBF %s, γ = %.3g", map[bool]string{false: "C-SVC", true: "ε-SVR"}[t.regression()], t.Gamma)
	}
	if t.C != 1 {
		name += fmt.Sprintf(", C = %g", t.C)
	}
	return name
}

// An answer is what an engine returns: β, or else the plane (w, b) of a linear model.
type answer struct {
	Beta []float64
	W    []float64
	B    float64
}

// primal returns the objective of the plane (w, b): what every engine minimises.
func (t task) primal(set *svmkit.Dataset, w []float64, b float64) float64 {
	value := svmkit.Dense(w...).SquaredNorm() / 2
	if !t.Free {
		value += b * b / 2
	}
	l := t.convex()
	for i, x := range set.X {
		value += t.C * l.Value(x.Dot(w)+b, set.Y[i])
	}
	return value
}

// A judge measures the gap of all answers to one task on one set. An answer with a β is certified by
// svm's Certify. A plane without dual variables is compared with the largest dual value certified so
// far, which is at least its own: its gap is never overstated.
type judge struct {
	set  *svmkit.Dataset
	task task
	dual float64 // largest dual value certified so far
}

func newJudge(set *svmkit.Dataset, t task) *judge {
	return &judge{set: set, task: t, dual: math.Inf(-1)}
}

// gap returns the relative duality gap of an answer; noGap if nothing is known yet.
func (j *judge) gap(a answer) (float64, error) {
	if a.Beta != nil {
		proof, err := j.task.problem(j.set).Certify(a.Beta)
		if err != nil {
			return 0, err
		}
		j.dual = max(j.dual, proof.Dual)
		return min(noGap, proof.RelativeGap()), nil
	}
	primal := j.task.primal(j.set, a.W, a.B)
	gap := svmkit.Certificate{Primal: primal, Dual: j.dual, Gap: max(0, primal-j.dual)}.RelativeGap()
	if !(gap <= noGap) { // infinite weights, or no dual value yet
		gap = noGap
	}
	return gap, nil
}
