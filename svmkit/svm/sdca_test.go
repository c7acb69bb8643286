package svm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm/internal/core/coretest"
)

func TestSDCAIsCertified(t *testing.T) {
	const tol = 1e-5
	for _, l := range coretest.QPLosses {
		for _, b := range []svmkit.Bias{svmkit.PenalizedBias, svmkit.NoBias} {
			for _, k := range []kernel.Kernel{nil, kernel.RBF{Gamma: 0.3}, kernel.Polynomial{Degree: 2, Coef0: 1}} {
				p := public(coretest.PlaneProblem(11, l, b, k == nil))
				p.Kernel = k
				r, err := Fit(context.Background(), p, SDCA{}, &Settings{Tol: tol, Seed: 3, MaxIterations: 100_000})
				if err != nil || r.Status != svmkit.Optimal || r.RelativeGap() > tol {
					t.Errorf("%T, %v, %T: %v, gap %g, error %v", l, b, k, r.Status, r.RelativeGap(), err)
				}
			}
		}
	}
}

func TestSDCAAgreesWithDualCoordinate(t *testing.T) {
	const tol = 1e-6
	for _, l := range coretest.QPLosses {
		p := public(coretest.PlaneProblem(14, l, svmkit.PenalizedBias, true))
		a, err := Fit(context.Background(), p, SDCA{}, &Settings{Tol: tol, MaxIterations: 100_000})
		if err != nil {
			t.Fatal(err)
		}
		b, err := Fit(context.Background(), p, DualCoordinate{}, &Settings{Tol: tol, MaxIterations: 100_000})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(a.Primal-b.Primal) > 2*tol*a.Primal {
			t.Errorf("%T: %.10g and %.10g", l, a.Primal, b.Primal)
		}
	}
}

func TestSDCARepeats(t *testing.T) {
	p := public(coretest.PlaneProblem(15, loss.Hinge{}, svmkit.NoBias, false))
	var beta [3][]float64
	for k, seed := range []uint64{1, 1, 2} {
		r, err := Fit(context.Background(), p, SDCA{}, &Settings{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		beta[k] = r.Beta
	}
	if !slices.Equal(beta[0], beta[1]) || slices.Equal(beta[0], beta[2]) {
		t.Error("one seed must give the same bits, another seed other ones")
	}
}

func TestSDCARefuses(t *testing.T) {
	for name, p := range map[string]*Problem{
		"free bias":  public(coretest.PlaneProblem(1, loss.Hinge{}, svmkit.FreeBias, false)),
		"logistic":   public(coretest.PlaneProblem(1, loss.Logistic{}, svmkit.NoBias, false)),
		"indefinite": {Data: coretest.PlaneData(1, 20, 3, false, false), Kernel: kernel.Sigmoid{}, Bias: svmkit.NoBias},
	} {
		var param *svmkit.ParamError
		if _, err := Fit(context.Background(), p, SDCA{}, nil); !errors.As(err, &param) {
			t.Errorf("%s: got %v, want a *ParamError", name, err)
		}
	}
}

// Two points on a line, without bias: from α = 0 the first step already has the answer,
// α = 1/Kᵢᵢ, for whichever row is drawn.
func ExampleSDCA() {
	p := &Problem{Bias: svmkit.NoBias, C: PerSum(10), Data: &svmkit.Dataset{
		X: svmkit.DenseRows([]float64{2, -2}, 1), Y: []float64{1, -1}, Dim: 1}}
	r, err := Fit(context.Background(), p, SDCA{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v, w = %.2f, Σα = %.2f\n", r.Status, r.Weights[0], r.Alpha()[0]+r.Alpha()[1])
	// Output: optimal, w = 0.50, Σα = 0.25
}
