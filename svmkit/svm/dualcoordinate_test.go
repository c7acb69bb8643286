package svm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
)

// dcdLosses are the losses that have a coordinate step in closed form.
var dcdLosses = []loss.Convex{loss.Hinge{}, loss.SquaredHinge{}, loss.EpsInsensitive{Epsilon: 0.1}, loss.SquaredEpsInsensitive{Epsilon: 0.1}}

// dcdData returns n rows of d columns around a plane that is not at the origin, with noise: labels
// for classification, targets for regression. Every third value is stored if sparse.
func dcdData(seed uint64, n, d int, regression, sparse bool) *svmkit.Dataset {
	rng := rand.New(rand.NewPCG(seed, 1))
	truth := make([]float64, d)
	for j := range truth {
		truth[j] = rng.NormFloat64()
	}
	set := &svmkit.Dataset{X: make([]svmkit.Row, n), Y: make([]float64, n), Dim: d}
	for i := range set.X {
		x := &set.X[i]
		if sparse {
			x.Index = []int32{}
		}
		for j := range d {
			if sparse && rng.IntN(3) > 0 {
				continue
			}
			x.Value = append(x.Value, rng.NormFloat64()+0.3)
			if sparse {
				x.Index = append(x.Index, int32(j))
			}
		}
		set.Y[i] = x.Dot(truth) + 0.7 + 0.5*rng.NormFloat64()
		if !regression {
			set.Y[i] = math.Copysign(1, set.Y[i])
		}
	}
	if !regression {
		set.Y[0], set.Y[1] = 1, -1 // both classes occur
	}
	return set
}

func dcdProblem(seed uint64, l loss.Convex, b svmkit.Bias, sparse bool) *Problem {
	p := &Problem{Loss: l, Bias: b, C: Cost{C: 0.7, Positive: 2}}
	p.Data = dcdData(seed, 60, 5, p.Regression(), sparse)
	return p
}

// Every loss, bias and kind of row ends with a certificate of the gap that was asked for.
func TestDualCoordinateIsCertified(t *testing.T) {
	const tol = 1e-8 // seven digits better than the default, well above rounding
	for _, l := range dcdLosses {
		for _, b := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
			for _, sparse := range []bool{false, true} {
				for seed := range uint64(4) {
					r, err := Fit(context.Background(), dcdProblem(seed, l, b, sparse), DualCoordinate{}, &Settings{Tol: tol, Seed: seed, MaxEpochs: 200_000})
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

// The closed form is the maximiser of the one-variable problem: no point of a fine grid over
// the box is better. The objective is written out here from the losses' definition.
func TestCoordinateStepBeatsGrid(t *testing.T) {
	const slack = 1e-9 // rounding of objectives of size up to about 100
	rng := rand.New(rand.NewPCG(5, 0))
	ends, kinks := 0, 0
	for _, l := range dcdLosses {
		task := newTask(dcdProblem(1, l, svmkit.NoBias, false))
		square := func(i int) float64 { return task.x[i].SquaredNorm() }
		c := newCoordinates(task, square)
		for range 300 {
			i := rng.IntN(task.len())
			lo, hi := max(c[i].lo, -5), min(c[i].hi, 5)
			from := lo + (hi-lo)*rng.Float64()
			f := 3 * rng.NormFloat64()
			value := func(b float64) float64 {
				return -c[i].q*(b-from)*(b-from)/2 - f*(b-from) + task.dual(i, b)
			}
			best := c[i].optimum(from, f)
			switch best {
			case 0:
				kinks++
			case c[i].lo, c[i].hi:
				ends++
			}
			if best < c[i].lo || best > c[i].hi {
				t.Fatalf("%T: β = %g outside of [%g, %g]", l, best, c[i].lo, c[i].hi)
			}
			for k := range 1001 {
				if b := lo + (hi-lo)*float64(k)/1000; value(b) > value(best)+slack {
					t.Fatalf("%T: from β = %g with score %g the step went to %g, but %g is better by %g", l, from, f, best, b, value(b)-value(best))
				}
			}
		}
	}
	if ends < 50 || kinks < 50 {
		t.Errorf("the draw met %d ends and %d kinks: too few to mean anything", ends, kinks)
	}
}

// Where pull is 0, the step stays; where it is not, the step goes its way.
func TestPullPointsToTheOptimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	for _, l := range dcdLosses {
		task := newTask(dcdProblem(1, l, svmkit.NoBias, false))
		c := newCoordinates(task, func(i int) float64 { return task.x[i].SquaredNorm() })
		for range 2000 {
			i := rng.IntN(task.len())
			lo, hi := max(c[i].lo, -2), min(c[i].hi, 2)
			from := []float64{0, lo, hi, lo + (hi-lo)*rng.Float64()}[rng.IntN(4)]
			f := task.low[i] + rng.NormFloat64()
			if math.IsInf(f, 0) {
				f = task.high[i] + rng.NormFloat64()
			}
			pull, _ := c[i].pull(from, f)
			move := c[i].optimum(from, f) - from
			if pull*move < 0 || (pull == 0) != (math.Abs(move) < 1e-15) {
				t.Fatalf("%T: β = %g in [%g, %g], score %g: pull %g, but the optimum moves by %g", l, from, lo, hi, f, pull, move)
			}
		}
	}
}

// Each epoch raises the dual objective, and the solver's running value of it is that of the
// certificate.
func TestDualCoordinateRises(t *testing.T) {
	const rounding = 1e-10 // relative, of a sum over 60 rows
	for _, l := range dcdLosses {
		p := dcdProblem(3, l, svmkit.NoBias, false)
		task := newTask(p)
		d := newDescent(task, newRun(context.Background(), task, Settings{MaxEpochs: 1000}), rand.New(rand.NewPCG(0, 0)))
		before := 0.0
		for range 30 {
			d.epoch()
			now := task.certify(d.beta).Dual
			if now < before-rounding*math.Abs(before) {
				t.Errorf("%T: an epoch lowered the dual objective from %g to %g", l, before, now)
			}
			if math.Abs(now-d.dual) > rounding*math.Abs(now) {
				t.Errorf("%T: the running dual objective is %g, the true one %g", l, d.dual, now)
			}
			before = now
		}
	}
}

// A start at the far end of all boxes makes the first scores huge, so that rows which the optimum
// needs are set aside at once. They must come back: the answer is that of visiting all rows.
func TestShrinkingForgetsNothing(t *testing.T) {
	const tol = 1e-9
	shrunk := false
	for _, l := range []loss.Convex{loss.Hinge{}, loss.EpsInsensitive{Epsilon: 0.1}} {
		for seed := range uint64(10) {
			p := dcdProblem(seed, l, svmkit.PenalizedBias, false)
			start := make([]float64, p.Data.Len())
			for i, y := range p.Data.Y {
				start[i] = 0.7 * math.Copysign(float64(i%2), y)
			}
			task := newTask(p)
			d := newDescent(task, newRun(context.Background(), task, Settings{MaxEpochs: 1000, Start: start}), rand.New(rand.NewPCG(seed, 0)))
			for range 30 {
				d.epoch()
				shrunk = shrunk || d.active < task.len()
			}
			with, err := Fit(context.Background(), p, DualCoordinate{}, &Settings{Tol: tol, Start: start, Seed: seed, MaxEpochs: 100_000})
			if err != nil {
				t.Fatal(err)
			}
			without, err := Fit(context.Background(), p, DualCoordinate{KeepAll: true}, &Settings{Tol: tol, MaxEpochs: 100_000})
			if err != nil {
				t.Fatal(err)
			}
			if with.Status != svmkit.Optimal || without.Status != svmkit.Optimal {
				t.Errorf("%T, seed %d: with shrinking %v (gap %g), without %v (gap %g)", l, seed, with.Status, with.RelativeGap(), without.Status, without.RelativeGap())
			}
			if math.Abs(with.Primal-without.Primal) > 2*tol*max(1, with.Primal) {
				t.Errorf("%T, seed %d: primal %.12g with shrinking, %.12g without", l, seed, with.Primal, without.Primal)
			}
		}
	}
	if !shrunk {
		t.Error("no row was ever set aside: the test tests nothing")
	}
}

// All rows but one are set aside by force, as if by a wrong judgement. The fit must take them back
// before it ends.
func TestShrinkingIsUndone(t *testing.T) {
	const tol = 1e-6
	for _, l := range dcdLosses {
		for _, b := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
			task := newTask(dcdProblem(4, l, b, true))
			r := newRun(context.Background(), task, Settings{Tol: tol, MaxEpochs: 10_000})
			d := newDescent(task, r, rand.New(rand.NewPCG(1, 0)))
			d.active = 1
			d.descend()
			if r.status != svmkit.Optimal {
				t.Errorf("%T, %v: %v, gap %g", l, b, r.status, r.best.RelativeGap())
			}
		}
	}
}

func TestDualCoordinateRepeats(t *testing.T) {
	for _, b := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias} {
		fit := func(seed uint64) *Result {
			r, err := Fit(context.Background(), dcdProblem(1, loss.Hinge{}, b, true), DualCoordinate{}, &Settings{Seed: seed})
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

// With a dead context an epoch stops after a bounded number of values, not at its end.
func TestDualCoordinateStopsWithinAnEpoch(t *testing.T) {
	p := &Problem{Data: dcdData(1, 40_000, 4, false, false)}
	task := newTask(p)
	ctx, cancel := context.WithCancel(context.Background())
	r := newRun(ctx, task, Settings{MaxEpochs: 1000})
	d := newDescent(task, r, rand.New(rand.NewPCG(0, 0)))
	cancel()
	if d.epoch() {
		t.Error("the epoch went on to its end")
	}
	if most := workBetweenLooks/4 + 1; d.visits > most {
		t.Errorf("%d rows were visited after the context had ended, at most %d were expected", d.visits, most)
	}
	result, err := Fit(ctx, p, DualCoordinate{}, nil)
	if err != context.Canceled || result == nil && ctx.Err() == nil {
		t.Errorf("got error %v, want %v", err, context.Canceled)
	}
}

func TestDualCoordinateEpochAllocatesNothing(t *testing.T) {
	for _, sparse := range []bool{false, true} {
		task := newTask(dcdProblem(1, loss.Hinge{}, svmkit.FreeBias, sparse))
		d := newDescent(task, newRun(context.Background(), task, Settings{MaxEpochs: 1000}), rand.New(rand.NewPCG(0, 0)))
		if n := testing.AllocsPerRun(20, func() { d.epoch(); d.moveCentre() }); n > 0 {
			t.Errorf("sparse %v: an epoch makes %g allocations", sparse, n)
		}
	}
}

// Rows that are zero have no curvature: their βᵢ jumps to a corner, with b alone to stop it.
func TestDualCoordinateWithZeroRows(t *testing.T) {
	for _, l := range dcdLosses {
		for _, b := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
			for _, all := range []bool{false, true} {
				p := dcdProblem(2, l, b, false)
				for i := range p.Data.X {
					if all || i%4 == 0 {
						p.Data.X[i] = svmkit.Dense(make([]float64, p.Data.Dim)...)
					}
				}
				r, err := Fit(context.Background(), p, DualCoordinate{}, &Settings{Tol: 1e-6, MaxEpochs: 100_000})
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
	p := dcdProblem(1, loss.Logistic{}, svmkit.FreeBias, false)
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
	set := dcdData(3, 100, 5, false, false)
	heard := 0
	r, err := Fit(t.Context(), &Problem{Data: set, C: PerSum(1000)}, DualCoordinate{}, &Settings{
		Tol: 1e-20, MaxEpochs: 1_000_000_000, Progress: func(svmkit.Progress) bool { heard++; return true }})
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != svmkit.Stalled && r.Status != svmkit.Optimal || r.Reason == "" && r.Status == svmkit.Stalled {
		t.Errorf("status %v (%q)", r.Status, r.Reason)
	}
	if heard < 3 || r.RelativeGap() > 1e-9 {
		t.Errorf("progress was reported %d times, relative gap %g after %d passes", heard, r.RelativeGap(), r.Epochs)
	}
}
