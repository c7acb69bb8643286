package svm

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm/internal/core/coretest"
)

// Every loss, bias and kind of row ends with a certificate of the gap that was asked for.
func TestDualCoordinateIsCertified(t *testing.T) {
	const tol = 1e-8 // seven digits better than the default, well above rounding
	for _, l := range coretest.QPLosses {
		for _, b := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
			for _, sparse := range []bool{false, true} {
				for seed := range uint64(4) {
					r, err := Fit(context.Background(), public(coretest.PlaneProblem(seed, l, b, sparse)), DualCoordinate{}, &Settings{Tol: tol, Seed: seed, MaxIterations: 200_000})
					if err != nil {
						t.Fatal(err)
					}
					if r.Status != svmkit.Optimal || r.RelativeGap() > tol {
						t.Errorf("%T, %v, sparse %v, seed %d: %v, gap %g", l, b, sparse, seed, r.Status, r.RelativeGap())
					}
				}
			}
		}
	}
}

func TestDualCoordinateRepeats(t *testing.T) {
	for _, b := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias} {
		fit := func(seed uint64) *Result {
			r, err := Fit(context.Background(), public(coretest.PlaneProblem(1, loss.Hinge{}, b, true)), DualCoordinate{}, &Settings{Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		if a, b := fit(4), fit(4); !slices.Equal(a.Beta, b.Beta) {
			t.Error("two fits with one seed differ")
		}
		if a, b := fit(4), fit(5); slices.Equal(a.Beta, b.Beta) {
			t.Error("another seed gave the same bits: is it used?")
		}
	}
}

// Rows that are zero have no curvature: their βᵢ jumps to a corner, with b alone to stop it.
func TestDualCoordinateWithZeroRows(t *testing.T) {
	for _, l := range coretest.QPLosses {
		for _, b := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
			for _, all := range []bool{false, true} {
				p := public(coretest.PlaneProblem(2, l, b, false))
				for i := range p.Data.X {
					if all || i%4 == 0 {
						p.Data.X[i] = svmkit.Dense(make([]float64, p.Data.Dim)...)
					}
				}
				r, err := Fit(context.Background(), p, DualCoordinate{}, &Settings{Tol: 1e-6, MaxIterations: 100_000})
				if err != nil || r.Status != svmkit.Optimal {
					t.Errorf("%T, %v, all %v: %v, gap %g, error %v", l, b, all, r.Status, r.RelativeGap(), err)
				}
			}
		}
	}
}

// The hard margin of two points is the plane half-way between: w = 2(u−v)/‖u−v‖².
func TestDualCoordinateHardMargin(t *testing.T) {
	const tol = 1e-8
	p := &Problem{C: Cost{C: math.Inf(1)}, Data: &svmkit.Dataset{
		X: svmkit.DenseRows([]float64{3, 1, 1, -1, 5, 5}, 2), Y: []float64{1, -1, 1}, Dim: 2}}
	r, err := Fit(context.Background(), p, DualCoordinate{}, &Settings{Tol: tol})
	if err != nil || r.Status != svmkit.Optimal {
		t.Fatalf("%v, %v", r.Status, err)
	}
	for j, want := range []float64{0.5, 0.5} {
		if math.Abs(r.Weights[j]-want) > math.Sqrt(tol) { // the objective is quadratic about w
			t.Errorf("w = %v, want [0.5 0.5]", r.Weights)
		}
	}
	if math.Abs(r.Bias+1) > 4*math.Sqrt(tol) {
		t.Errorf("b = %g, want -1", r.Bias)
	}
}

func TestDualCoordinateRefuses(t *testing.T) {
	p := public(coretest.PlaneProblem(1, loss.Logistic{}, svmkit.FreeBias, false))
	if _, err := Fit(context.Background(), p, DualCoordinate{}, nil); err == nil {
		t.Error("the logistic loss was accepted")
	}
}

// The widest street between two points, with a free bias.
func ExampleDualCoordinate() {
	p := &Problem{C: PerSum(10), Data: &svmkit.Dataset{
		X: svmkit.DenseRows([]float64{3, 1, 1, -1}, 2), Y: []float64{1, -1}, Dim: 2}}
	r, err := Fit(context.Background(), p, DualCoordinate{}, &Settings{Tol: 1e-9})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v: w = %.3f, b = %.3f\n", r.Status, r.Weights, r.Bias)
	// Output: optimal: w = [0.500 0.500], b = -1.000
}

// A tolerance below rounding ends in a Status that says so, long before the limit of epochs, and
// the caller has been told of progress on the way.
func TestDualCoordinateStallsAtRounding(t *testing.T) {
	set := coretest.PlaneData(3, 100, 5, false, false)
	heard := 0
	r, err := Fit(t.Context(), &Problem{Data: set, C: PerSum(1000)}, DualCoordinate{}, &Settings{
		Tol: 1e-20, MaxIterations: 1_000_000_000, Progress: func(svmkit.Progress) bool { heard++; return true }})
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != svmkit.Stalled && r.Status != svmkit.Optimal || r.Reason == "" && r.Status == svmkit.Stalled {
		t.Errorf("status %v (%q)", r.Status, r.Reason)
	}
	if heard < 3 || r.RelativeGap() > 1e-9 {
		t.Errorf("progress was reported %d times, relative gap %g after %d passes", heard, r.RelativeGap(), r.Iterations)
	}
}
