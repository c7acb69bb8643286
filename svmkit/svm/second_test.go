package svm_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// unlikeColumns draws n rows of d columns, of sizes from 1e-2 to 1e2, with targets at random, or
// their signs as labels. Some rows are there twice, so that no plane meets all targets.
func unlikeColumns(n, d int, regression bool) *svmkit.Dataset {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	scale := make([]float64, d)
	for j := range scale {
		scale[j] = math.Pow(10, 4*rng.Float64()-2)
	}
	values, y := make([]float64, n*d), make([]float64, n)
	for i := range y {
		for j := range d {
			values[i*d+j] = scale[j] * float64(rng.IntN(2))
		}
		if i%8 == 7 {
			copy(values[i*d:(i+1)*d], values[(i-7)*d:])
		}
		if y[i] = rng.NormFloat64(); !regression {
			y[i] = math.Copysign(1, y[i])
		}
	}
	return &svmkit.Dataset{Dim: d, X: svmkit.DenseRows(values, d), Y: y}
}

// Few rows, more columns unlike in scale, and a high price: the condition number is some 1e10.
// Conjugate gradients and coordinate descent come nowhere near the optimum; who takes over gets
// there, within the epochs that there are.
func TestAnotherGoesOnWhereOneCanDoNoMore(t *testing.T) {
	for name, p := range map[string]svm.Problem{
		"squared hinge":         {Data: unlikeColumns(120, 350, false), Loss: loss.SquaredHinge{}},
		"squared ε-insensitive": {Data: unlikeColumns(80, 310, true), Loss: loss.SquaredEpsInsensitive{Epsilon: 0.1}},
	} {
		p.C, p.Bias = svm.PerSum(500), svmkit.PenalizedBias
		const tol = 1e-6
		for _, c := range []struct {
			solver svm.Solver
			say    string // of Result.Trace
			gets   bool   // there
		}{
			{svm.Newton{}, "Newton (conjugate gradients), then Newton (Cholesky)", true},
			{svm.Newton{Dense: -1}, "Newton (conjugate gradients)", false},
			{svm.Newton{Dense: 100}, "Newton (conjugate gradients)", false},
			{svm.DualCoordinate{}, "dual coordinate descent", false},
			{nil, "dual coordinate descent, then proximal Newton", true},
		} {
			r, err := svm.Fit(t.Context(), &p, c.solver, &svm.Settings{Tol: tol})
			if err != nil {
				t.Fatal(err)
			}
			if r.Trace.String() != c.say || (r.Status == svmkit.Optimal) != c.gets || (r.RelativeGap() <= tol) != c.gets {
				t.Errorf("%s, %T: %s ends as %v (%s) with a relative gap of %.2g after %d epochs", name, c.solver, r.Trace, r.Status, r.Reason, r.RelativeGap(), r.Iterations)
			}
		}
	}
}

// Both together have the epochs that one would have: a half, and what is left of them. An epoch of
// Newton's may be a few.
func TestTwoSolversShareTheEpochs(t *testing.T) {
	p := &svm.Problem{Data: unlikeColumns(120, 350, false), Loss: loss.SquaredHinge{}, C: svm.PerSum(500)}
	const few = 4
	for _, most := range []int{1, 2, 3, 10} {
		r, err := svm.Fit(t.Context(), p, nil, &svm.Settings{Tol: 1e-12, MaxIterations: most})
		if err != nil {
			t.Fatal(err)
		}
		if handed := len(r.Trace) > 1; r.Status != svmkit.IterationLimit || r.Iterations > most+few || handed != (most > 1) {
			t.Errorf("MaxIterations = %d: %v after %d epochs by %s", most, r.Status, r.Iterations, r.Trace)
		}
	}
}

// Where w = 0 is the best plane at once, no step leads downhill, and only the centre has to move
// until α is at its bounds. Without a bias, opposite points with equal targets pull w to nowhere;
// so do rows of zeros.
func TestProximalNewtonWhereNoStepIsLeft(t *testing.T) {
	for name, set := range map[string]*svmkit.Dataset{
		"opposite":      {Dim: 1, X: svmkit.DenseRows([]float64{1, -1, 2, -2}, 1), Y: []float64{2, 2, -0.3, -0.3}},
		"zeros":         {Dim: 1, X: svmkit.DenseRows([]float64{0, 0, 0}, 1), Y: []float64{-1, 3.5, 0.2}},
		"very unlike y": {Dim: 1, X: svmkit.DenseRows([]float64{1, -1, 1, -1}, 1), Y: []float64{1e-3, 1e-3, 1e3, 1e3}},
	} {
		for _, c := range []float64{0.01, 1, 100} {
			const tol, eps = 1e-9, 1e-4
			p := &svm.Problem{Data: set, Bias: svmkit.NoBias, Loss: loss.EpsInsensitive{Epsilon: eps}, C: svm.PerSum(c)}
			r, err := svm.Fit(t.Context(), p, svm.ProximalNewton{}, &svm.Settings{Tol: tol})
			if err != nil {
				t.Fatal(err)
			}
			optimum := 0.0 // of w = 0
			for _, y := range set.Y {
				optimum += c * max(0, math.Abs(y)-eps)
			}
			if r.Status != svmkit.Optimal || math.Abs(r.Primal-optimum) > tol*max(1, optimum) {
				t.Errorf("%s, C = %g: %v (%s) after %d epochs, objective %g ± %g, want %g", name, c, r.Status, r.Reason, r.Iterations, r.Primal, r.Gap, optimum)
			}
		}
	}
}

// What coordinate descent has reached when it hands over is not lost: both together are no worse
// than its half alone.
func TestWhoHandsOverIsRemembered(t *testing.T) {
	const n, d = 200, 260
	rng := rand.New(rand.NewPCG(3, 5))
	v, y := make([]float64, n*d), make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	for i := range y {
		y[i] = math.Copysign(1, v[i*d]+v[i*d+1]+rng.NormFloat64())
	}
	p := &svm.Problem{Loss: loss.Hinge{}, Bias: svmkit.NoBias, C: svm.PerSum(0.01), Data: &svmkit.Dataset{Dim: d, X: svmkit.DenseRows(v, d), Y: y}}
	for half := 1; half <= 16; half *= 2 {
		both, err := svm.Fit(t.Context(), p, nil, &svm.Settings{MaxIterations: 2 * half, Tol: 1e-8})
		if err != nil {
			t.Fatal(err)
		}
		alone, err := svm.Fit(t.Context(), p, svm.DualCoordinate{}, &svm.Settings{MaxIterations: half, Tol: 1e-8})
		if err != nil {
			t.Fatal(err)
		}
		if both.Gap > alone.Gap {
			t.Errorf("gap %g after %d epochs by %s, %g after half of them", both.Gap, both.Iterations, both.Trace, alone.Gap)
		}
	}
}

// Where roundoff ends coordinate descent no other solver goes on, at the cost of a factorisation
// for each step. Where it stalls for another reason, long before its half of the iterations is used
// up, one does.
func TestNoSolverGoesOnAfterRoundoff(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 5))
	const n, d = 60, 90
	v, y := make([]float64, n*d), make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	for i := range y {
		y[i] = math.Copysign(1, v[i*d]+rng.NormFloat64())
	}
	easy := &svm.Problem{Loss: loss.Hinge{}, Data: &svmkit.Dataset{Dim: d, X: svmkit.DenseRows(v, d), Y: y}}
	near := 0
	for half := 10; half < 200; half += 2 { // at the half, near to what rounding allows, coordinate descent itself goes on
		tight := svm.Settings{Tol: 1e-300, MaxIterations: half}
		alone, err := svm.Fit(t.Context(), easy, svm.DualCoordinate{}, &tight)
		if err != nil {
			t.Fatal(err)
		}
		if alone.Status != svmkit.IterationLimit || alone.RelativeGap() > 1e-10 {
			continue
		}
		near++
		tight.MaxIterations *= 2
		if both, err := svm.Fit(t.Context(), easy, nil, &tight); err != nil || both.Trace.String() != alone.Trace.String() || both.Gap > alone.Gap || both.Iterations <= half {
			t.Errorf("%d epochs: %v, gap %g by %s, after %d it was %g", 2*half, err, both.Gap, both.Trace, half, alone.Gap)
		}
	}
	if near == 0 {
		t.Error("no half ended near the optimum: nothing was tested")
	}
	hard := &svm.Problem{Loss: loss.SquaredHinge{}, Bias: svmkit.PenalizedBias, Data: unlikeColumns(120, 350, false), C: svm.PerSum(500)}
	for _, c := range []struct {
		p    *svm.Problem
		tol  float64
		want bool
	}{{easy, 1e-300, false}, {hard, 1e-6, true}} {
		const most = 1_000_000 // so it is not the half of them that ends it
		r, err := svm.Fit(t.Context(), c.p, nil, &svm.Settings{Tol: c.tol, MaxIterations: most})
		if err != nil {
			t.Fatal(err)
		}
		if handed := len(r.Trace) > 1; handed != c.want || r.Status != svmkit.Stalled && !handed {
			t.Errorf("tol %g: %v (%s) after %d epochs by %s, relative gap %.2g", c.tol, r.Status, r.Reason, r.Iterations, r.Trace, r.RelativeGap())
		}
	}
}

// Where a high price multiplies the rounding of a score, the certificate's gap may stay above the
// tolerance when the solver's own is 0. That has to end, too, and by itself.
func TestProximalNewtonEndsWhereRoundingRules(t *testing.T) {
	for _, c := range []struct {
		loss   loss.Trainable
		bias   svmkit.Bias
		x      []float64
		c, tol float64
	}{
		{loss.SquaredHinge{}, svmkit.PenalizedBias, []float64{0, -2}, 1e8, 1e-9},
		{loss.Hinge{}, svmkit.FreeBias, []float64{0.19703942441445266, 2.3650604809457594}, 1e4, 1e-12},
		{loss.EpsInsensitive{Epsilon: .1}, svmkit.FreeBias, []float64{1.1751251095038495, 0.7472145549209599}, 1e5, 1e-12},
		{loss.Hinge{}, svmkit.FreeBias, []float64{0.3, 2.7}, 100, 1e-300},
	} {
		p := &svm.Problem{Loss: c.loss, Bias: c.bias, C: svm.PerSum(c.c), Data: &svmkit.Dataset{Dim: 1, X: svmkit.DenseRows(c.x, 1), Y: []float64{1, -1}}}
		certificates := 0
		const enough = 1000
		r, err := svm.Fit(t.Context(), p, svm.ProximalNewton{}, &svm.Settings{Tol: c.tol, Progress: func(svmkit.Progress) bool {
			certificates++
			return certificates < enough
		}})
		if err != nil {
			t.Fatal(err)
		}
		if certificates >= enough || r.Status != svmkit.Optimal && r.Status != svmkit.Stalled {
			t.Errorf("%T: %v (%s) after %d certificates and %d epochs", c.loss, r.Status, r.Reason, certificates, r.Iterations)
		}
	}
}
