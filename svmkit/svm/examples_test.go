package svm_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
)

// twoGroups is six points of the plane, three to a class; the last one is on the wrong side.
func twoGroups() *svmkit.Dataset {
	set, err := svmkit.NewDataset([][]float64{{2, 1}, {3, 3}, {1, 2}, {-2, -1}, {-1, -2}, {1, 1}},
		[]float64{1, 1, 1, -1, -1, -1})
	if err != nil {
		panic(err)
	}
	return set
}

func Example_fit() {
	ctx := context.Background()
	p := &svm.Problem{Data: samples.Banknotes(), C: svm.PerSum(1)}
	model, err := svm.Fit(ctx, p, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(model.Status, model.RelativeGap() < 1e-3, model.Predict(p.Data.X[0]).Name)
	// Output: optimal true class 0
}

// Fit needs no more than the data: the textbook's soft margin, a solver chosen for it, a relative
// gap of 1e-3 unless another is asked for. The certificate says between which numbers the optimum
// lies. Here the last point has the slack 1 + ½, and ½‖w‖² = ¼.
func ExampleFit() {
	r, err := svm.Fit(context.Background(), &svm.Problem{Data: twoGroups()}, nil, &svm.Settings{Tol: 1e-9})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v: the optimum is between %.4f and %.4f\n", r.Status, r.Dual, r.Primal)
	fmt.Printf("f(x) = %.3f x₁ + %.3f x₂ + %.3f\n", r.Weights[0], r.Weights[1], r.Model.Bias)
	fmt.Println("class of (3, 0):", r.Predict(svmkit.Dense(3, 0)).Y)
	// Output:
	// optimal: the optimum is between 1.7500 and 1.7500
	// f(x) = 0.500 x₁ + 0.500 x₂ + -0.500
	// class of (3, 0): 1
}

// One problem, five ways to solve it. They differ in time, not in the answer; Pegasos is given a
// coarser tolerance, which it meets and says so.
func ExampleFit_solvers() {
	p := &svm.Problem{Data: twoGroups(), Bias: svmkit.PenalizedBias}
	exact, err := svm.Fit(context.Background(), p, svm.SMO{}, &svm.Settings{Tol: 1e-9})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range []struct {
		solver svm.Solver
		tol    float64
	}{
		{svm.SMO{}, 1e-6}, {svm.DualCoordinate{}, 1e-6}, {svm.SDCA{}, 1e-6}, {svm.Pegasos{}, 0.05},
	} {
		r, err := svm.Fit(context.Background(), p, s.solver, &svm.Settings{Tol: s.tol})
		if err != nil {
			fmt.Println(err)
			return
		}
		near := math.Abs(r.Primal-exact.Primal) <= s.tol*max(1, r.Primal)
		fmt.Printf("%s: %v, within %g of the others: %v\n", r.Trace, r.Status, s.tol, near)
	}
	p.Loss = loss.SquaredHinge{} // Newton's method wants a derivative
	r, err := svm.Fit(context.Background(), p, svm.Newton{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %v\n", r.Trace, r.Status)
	// Output:
	// SMO: optimal, within 1e-06 of the others: true
	// dual coordinate descent: optimal, within 1e-06 of the others: true
	// stochastic dual coordinate ascent: optimal, within 1e-06 of the others: true
	// Pegasos: optimal, within 0.05 of the others: true
	// Newton (Cholesky): optimal
}

// The notes scale the same problem in three ways. With C = 3/n = 1/(λn) they are one problem.
func ExampleLambda() {
	set := twoGroups()
	for _, c := range []svm.Cost{svm.PerSum(0.5), svm.PerMean(3, 6), svm.Lambda(1./3, 6)} {
		r, err := svm.Fit(context.Background(), &svm.Problem{Data: set, C: c}, nil, &svm.Settings{Tol: 1e-9})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("C = %.3f: objective %.4f, ‖w‖ = %.4f\n", c.C, r.Primal, r.Norm())
	}
	// Output:
	// C = 0.500: objective 0.9444, ‖w‖ = 0.4714
	// C = 0.500: objective 0.9444, ‖w‖ = 0.4714
	// C = 0.500: objective 0.9444, ‖w‖ = 0.4714
}

// Progress sees every certificate and may end the fit: here at the first gap under one half. The
// result is the best model so far, with its own certificate.
func ExampleSettings() {
	r, err := svm.Fit(context.Background(), &svm.Problem{Data: twoGroups(), Bias: svmkit.NoBias}, svm.Pegasos{}, &svm.Settings{
		Tol:      1e-9,
		Progress: func(p svmkit.Progress) bool { return p.RelativeGap() > 0.5 },
	})
	fmt.Println(r.Status, r.RelativeGap() <= 0.5, err)
	// Output: stopped true <nil>
}

// Different prices for the two sides of the tube. With nothing to learn but a
// constant, the cheapest b has the targets below and above it in the ratio of the prices: here
// an error above the target costs a third of one below, so b is the 75 % quantile.
func ExampleCost() {
	set := &svmkit.Dataset{Dim: 1, X: make([]svmkit.Row, 5), Y: []float64{1, 2, 3, 4, 100}}
	for i := range set.X {
		set.X[i] = svmkit.Dense(0)
	}
	p := &svm.Problem{Data: set, Loss: loss.EpsInsensitive{}, C: svm.Cost{Positive: 1, Negative: 3}}
	r, err := svm.Fit(context.Background(), p, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v: b = %g\n", r.Status, r.Model.Bias)
	// Output: optimal: b = 4
}
