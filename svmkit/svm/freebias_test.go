package svm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm/internal/core/coretest"
)

// A free bias makes regression blind to a shift of the targets: b takes it up, w stays.
func TestFreeBiasTakesUpAShift(t *testing.T) {
	const tol, shift = 1e-9, 50.0
	for _, l := range coretest.QPLosses[2:] {
		p := public(coretest.PlaneProblem(7, l, svmkit.FreeBias, false))
		fit := func() *Result {
			r, err := Fit(context.Background(), p, DualCoordinate{}, &Settings{Tol: tol, MaxIterations: 100_000})
			if err != nil || r.Status != svmkit.Optimal {
				t.Fatalf("%T: %v, %v", l, r.Status, err)
			}
			return r
		}
		before := fit()
		for i := range p.Data.Y {
			p.Data.Y[i] += shift
		}
		after := fit()
		if d := math.Abs(after.Primal - before.Primal); d > 2*tol*before.Primal {
			t.Errorf("%T: the optimum changed by %g", l, d)
		}
		// ½‖w − w*‖² is at most the gap, and b follows w.
		if d := math.Abs(after.Bias - before.Bias - shift); d > 100*math.Sqrt(tol*before.Primal) {
			t.Errorf("%T: b moved by %g, want %g", l, after.Bias-before.Bias, shift)
		}
	}
}

// The weight of the proximal term follows the scale of the data: rows that are large, small or far
// from the origin cost no more than a bounded number of epochs.
func TestFreeBiasAtAnyScale(t *testing.T) {
	const enough = 20_000
	const tol = 1e-5 // data far from the origin are ill-conditioned for any coordinate method
	for _, l := range coretest.QPLosses {
		for _, c := range []struct{ scale, offset float64 }{{1, 0}, {1e-3, 0}, {1e3, 0}, {1, 5}} {
			for _, b := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias} {
				p := public(coretest.PlaneProblem(8, l, b, false))
				for _, x := range p.Data.X {
					for j := range x.Value {
						x.Value[j] = c.scale * (x.Value[j] + c.offset)
					}
				}
				p.C.C = 1 / (c.scale * c.scale) // keeps the problem the same but for the units of w
				r, err := Fit(context.Background(), p, DualCoordinate{}, &Settings{Tol: tol, MaxIterations: enough})
				if err != nil || r.Status != svmkit.Optimal {
					t.Errorf("%T, %v, scale %g, offset %g: %v after %d epochs, gap %g, error %v", l, b, c.scale, c.offset, r.Status, r.Iterations, r.RelativeGap(), err)
				}
			}
		}
	}
}

// Under every bias Σβᵢ = rb at the end: the proximal term has gone.
func TestBiasIsItsOwnMultiplier(t *testing.T) {
	const tol = 1e-10
	for _, l := range coretest.QPLosses {
		for _, b := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias} {
			r, err := Fit(context.Background(), public(coretest.PlaneProblem(9, l, b, true)), DualCoordinate{}, &Settings{Tol: tol, MaxIterations: 100_000})
			if err != nil || r.Status != svmkit.Optimal {
				t.Fatalf("%T, %v: %v, %v", l, b, r.Status, err)
			}
			want := 0.0
			if b == svmkit.PenalizedBias {
				want = r.Bias
			}
			sum := 0.0
			for _, v := range r.Beta {
				sum += v
			}
			if math.Abs(sum-want) > 1e-9 { // of 60 values of order 1
				t.Errorf("%T, %v: Σβ = %g, want %g", l, b, sum, want)
			}
		}
	}
}

// Augmenting the data by a constant column without bias is the penalized bias.
func TestPenalizedBiasIsAugmentation(t *testing.T) {
	const tol = 1e-9
	for _, l := range []loss.Trainable{loss.Hinge{}, loss.SquaredEpsInsensitive{Epsilon: 0.1}} {
		for _, sparse := range []bool{false, true} {
			p := public(coretest.PlaneProblem(10, l, svmkit.PenalizedBias, sparse))
			augmented := *p
			augmented.Bias, augmented.Data = svmkit.NoBias, p.Data.Augment(1)
			var primal [2]float64
			for k, q := range []*Problem{p, &augmented} {
				r, err := Fit(context.Background(), q, DualCoordinate{}, &Settings{Tol: tol, MaxIterations: 100_000})
				if err != nil || r.Status != svmkit.Optimal {
					t.Fatalf("%T: %v, %v", l, r.Status, err)
				}
				primal[k] = r.Primal
			}
			if math.Abs(primal[0]-primal[1]) > 2*tol*primal[0] {
				t.Errorf("%T: %.12g as a scalar, %.12g as a column", l, primal[0], primal[1])
			}
		}
	}
}

// Points on a line of slope 2, exactly: the bias has a long way to go, and on it the gap rests for
// hundreds of passes while the dual objective rises. That is slow, but it is no stall.
func TestFreeBiasMayBeSlow(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0))
		set := &svmkit.Dataset{Dim: 1}
		for k := range 30 {
			if rng.IntN(5) > 0 {
				set.X, set.Y = append(set.X, svmkit.Dense(float64(k))), append(set.Y, float64(2*k+1))
			}
		}
		r, err := Fit(t.Context(), &Problem{Data: set, Loss: loss.EpsInsensitive{Epsilon: 0.01}}, DualCoordinate{}, nil)
		if err != nil || r.Status != svmkit.Optimal {
			t.Errorf("seed %d: %v, %v (%s), relative gap %g after %d passes", seed, err, r.Status, r.Reason, r.RelativeGap(), r.Iterations)
		}
	}
}
