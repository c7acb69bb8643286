package svm_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// pegasosOptimum bounds the optimum from below and above, by another solver.
func pegasosOptimum(t *testing.T, p *svm.Problem) (lower, upper float64) {
	t.Helper()
	r, err := svm.Fit(context.Background(), p, svm.DualCoordinate{}, &svm.Settings{Tol: 1e-6})
	if err != nil || r.Status != svmkit.Optimal {
		t.Fatalf("the reference: %v, %v", r.Status, err)
	}
	return r.Dual, r.Primal
}

// The distance to the optimum falls like 1/(λT): 16 times the epochs, 16 times nearer.
// Averaged over seeds a third of that must be seen, for the mean and for the last iterate.
func TestPegasosConvergesLikeOneOverT(t *testing.T) {
	for _, k := range []svm.Pegasos{{}, {Last: true}, {Project: true}, {Batch: 5}, {Independent: true}} {
		early, late := 0.0, 0.0
		for seed := range uint64(6) {
			p := &svm.Problem{Data: newtonRandom(rand.New(rand.NewPCG(seed, 31)), 100, 5, seed%2 == 0, false), Bias: svmkit.PenalizedBias, C: svm.Cost{C: 0.05}}
			lower, upper := pegasosOptimum(t, p)
			distance := func(epochs int) float64 {
				r, err := svm.Fit(context.Background(), p, k, &svm.Settings{Tol: 1e-9, MaxIterations: epochs, Seed: seed})
				if err != nil || r.Status != svmkit.IterationLimit || r.Iterations != epochs {
					t.Fatalf("%+v: %v after %d epochs, %v", k, r.Status, r.Iterations, err)
				}
				if r.Dual > upper*(1+1e-9) || r.Primal < lower*(1-1e-9) || r.Box != 0 {
					t.Fatalf("%+v: [%g, %g] does not hold the optimum %g", k, r.Dual, r.Primal, upper)
				}
				return r.Primal - lower
			}
			early, late = early+distance(20), late+distance(320)
		}
		if late > early/5 {
			t.Errorf("%+v: %g from the optimum after 20 epochs, %g after 320", k, early/6, late/6)
		}
	}
}

// The mean is better than the last iterate where the run is short.
func TestPegasosMeanBeatsLast(t *testing.T) {
	mean, last := 0.0, 0.0
	for seed := range uint64(20) {
		p := &svm.Problem{Data: newtonRandom(rand.New(rand.NewPCG(seed, 32)), 200, 5, false, false), Bias: svmkit.NoBias, C: svm.Cost{C: 1}}
		for _, k := range []svm.Pegasos{{}, {Last: true}} {
			r, err := svm.Fit(context.Background(), p, k, &svm.Settings{MaxIterations: 50, Tol: 1e-6, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			if k.Last {
				last += r.Primal
			} else {
				mean += r.Primal
			}
		}
	}
	if mean >= last {
		t.Errorf("mean objective %g of the mean, %g of the last iterate", mean/20, last/20)
	}
}

func TestPegasosSameSeedSameBits(t *testing.T) {
	p := &svm.Problem{Data: newtonRandom(rand.New(rand.NewPCG(33, 0)), 60, 5, true, false), Bias: svmkit.PenalizedBias}
	for _, k := range []svm.Pegasos{{}, {Batch: 7, Project: true}, {Independent: true}} {
		fit := func(seed uint64) []float64 {
			r, err := svm.Fit(context.Background(), p, k, &svm.Settings{Seed: seed, MaxIterations: 5, Tol: 1e-9})
			if err != nil {
				t.Fatal(err)
			}
			return r.Weights
		}
		if !slices.Equal(fit(1), fit(1)) {
			t.Errorf("%+v: the same seed gives other bits", k)
		}
		if slices.Equal(fit(1), fit(2)) {
			t.Errorf("%+v: the seed has no effect", k)
		}
	}
}

// The steps that Each sees are those of the algorithm, one after the other: w from the one before
// and from the violations alone, each row once an epoch. Following them changes no bit.
func TestPegasosStepsCanBeFollowed(t *testing.T) {
	const n, d, epochs = 30, 4, 5
	const rounding = 1e-11 // of w, whose length is at most 1/λ = 30 times that of a row
	for trial, k := range []svm.Pegasos{{}, {Batch: 4}, {Project: true}, {Independent: true, Batch: 2}, {Project: true, Batch: 30}} {
		k.Last = true
		p := &svm.Problem{Data: newtonRandom(rand.New(rand.NewPCG(uint64(trial), 35)), n, d, false, false), Bias: svmkit.PenalizedBias}
		settings := &svm.Settings{MaxIterations: epochs, Tol: 1e-9, Seed: 3}
		blind, err := svm.Fit(context.Background(), p, k, settings)
		if err != nil {
			t.Fatal(err)
		}
		var steps []svm.PegasosStep
		k.Each = func(s svm.PegasosStep) { steps = append(steps, s) }
		r, err := svm.Fit(context.Background(), p, k, settings)
		if err != nil || !slices.Equal(r.Weights, blind.Weights) || !slices.Equal(r.Beta, blind.Beta) {
			t.Fatalf("%+v: another model when its steps are followed, %v", k, err)
		}
		batch := max(1, k.Batch)
		if want := epochs * ((n + batch - 1) / batch); len(steps) != want {
			t.Fatalf("%+v: %d steps, want %d", k, len(steps), want)
		}
		w, visits, violations := make([]float64, d+1), make([]int, n), 0
		const lambda = 1. / n // 1/(Cn)
		for i, s := range steps {
			if s.T != i+1 {
				t.Fatalf("%+v: step %d says t = %d", k, i+1, s.T)
			}
			next := make([]float64, d+1)
			for j := range w {
				next[j] = (1 - 1/float64(s.T)) * w[j]
			}
			var violated []int
			for _, row := range s.Rows {
				visits[row]++
				x := svmkit.Dense(append(p.Data.X[row].ToDense(d), 1)...)
				if y := p.Data.Y[row]; y*x.Dot(w) < 1 {
					violated = append(violated, row)
					x.AddTo(next, y/(lambda*float64(s.T)*float64(len(s.Rows))))
				}
			}
			if !slices.Equal(violated, s.Violated) {
				t.Fatalf("%+v: step %d: violated %v, want %v", k, s.T, s.Violated, violated)
			}
			violations += len(violated)
			if norm := svmkit.Dense(next...).Norm(); k.Project && norm > 1/math.Sqrt(lambda) {
				svmkit.Dense(next...).AddTo(next, 1/(math.Sqrt(lambda)*norm)-1)
			}
			w = append(s.Plane.W, s.Plane.B)
			for j := range w {
				if !(math.Abs(w[j]-next[j]) <= rounding) {
					t.Fatalf("%+v: step %d: w[%d] = %g, want %g", k, s.T, j, w[j], next[j])
				}
			}
		}
		if violations != r.Updates {
			t.Errorf("%+v: %d violations followed, %d updates", k, violations, r.Updates)
		}
		if !k.Independent && slices.ContainsFunc(visits, func(v int) bool { return v != epochs }) {
			t.Errorf("%+v: visits %v in %d epochs", k, visits, epochs)
		}
	}
}

func TestPegasosSaysHowItEnded(t *testing.T) {
	p := &svm.Problem{Data: newtonRandom(rand.New(rand.NewPCG(34, 0)), 60, 3, false, false), Bias: svmkit.PenalizedBias, C: svm.Cost{C: 0.01}}
	r, err := svm.Fit(context.Background(), p, svm.Pegasos{}, &svm.Settings{Tol: 0.05})
	if err != nil || r.Status != svmkit.Optimal || r.RelativeGap() > 0.05 || r.Trace.String() != "Pegasos" {
		t.Errorf("tolerance 0.05: %v, gap %g, %v", r.Status, r.RelativeGap(), err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r, err = svm.Fit(ctx, p, svm.Pegasos{}, &svm.Settings{Tol: 1e-9,
		Progress: func(p svmkit.Progress) bool {
			if p.Iteration >= 3 {
				cancel()
			}
			return true
		}})
	if !errors.Is(err, context.Canceled) || r.Status != svmkit.Cancelled || r.Iterations != 3 || r.RelativeGap() > 1 {
		t.Errorf("cancelled: %v, %d epochs, gap %g, %v", r.Status, r.Iterations, r.RelativeGap(), err)
	}
}

func TestPegasosRefuses(t *testing.T) {
	set := onNewtonLine([]float64{1, -1}, []float64{1, -1})
	for name, k := range map[string]struct {
		p svm.Problem
		s svm.Pegasos
	}{
		"free bias":     {svm.Problem{Data: set}, svm.Pegasos{}},
		"squared hinge": {svm.Problem{Data: set, Loss: loss.SquaredHinge{}, Bias: svmkit.NoBias}, svm.Pegasos{}},
		"regression":    {svm.Problem{Data: set, Loss: loss.EpsInsensitive{}, Bias: svmkit.NoBias}, svm.Pegasos{}},
		"kernel":        {svm.Problem{Data: set, Kernel: kernel.RBF{Gamma: 1}, Bias: svmkit.NoBias}, svm.Pegasos{}},
		"hard margin":   {svm.Problem{Data: set, C: svm.PerSum(math.Inf(1)), Bias: svmkit.NoBias}, svm.Pegasos{}},
		"batch":         {svm.Problem{Data: set, Bias: svmkit.NoBias}, svm.Pegasos{Batch: -1}},
	} {
		var bad *svmkit.ParamError
		if _, err := svm.Fit(context.Background(), &k.p, k.s, nil); !errors.As(err, &bad) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func streamOf(rows []svmkit.Row, y []float64) iter.Seq2[svmkit.Row, float64] {
	return (&svmkit.Dataset{X: rows, Y: y}).All()
}

// An example that cannot be used ends the stream, names its row and changes nothing.
func TestPegasosStreamRejectsBadExamples(t *testing.T) {
	good := svmkit.Dense(1, 2)
	sparse := func(j int32, v float64) svmkit.Row { return svmkit.Row{Index: []int32{j}, Value: []float64{v}} }
	for name, k := range map[string]struct {
		x     svmkit.Row
		y     float64
		cause error
	}{
		"label":   {good, 2, svmkit.ErrLabel},
		"nan":     {svmkit.Dense(math.NaN(), 1), 1, svmkit.ErrNotFinite},
		"length":  {svmkit.Dense(1, 2, 3), 1, svmkit.ErrRagged},
		"huge":    {svmkit.Dense(1e200, 1), 1, svmkit.ErrNotFinite},
		"index":   {sparse(1<<28, 1), 1, svmkit.ErrIndex},
		"NaN y":   {good, math.NaN(), svmkit.ErrNotFinite},
		"descent": {svmkit.Row{Index: []int32{1, 0}, Value: []float64{1, 1}}, 1, svmkit.ErrIndex},
	} {
		p := svm.PegasosStream{Lambda: 0.1}
		err := p.Learn(context.Background(), streamOf([]svmkit.Row{good, good, k.x, good}, []float64{1, -1, k.y, 1}), nil)
		var bad *svmkit.DataError
		if !errors.As(err, &bad) || bad.Row != 2 || !errors.Is(err, k.cause) {
			t.Errorf("%s: error %v", name, err)
		}
		if p.Steps() != 2 {
			t.Errorf("%s: %d steps", name, p.Steps())
		}
	}
	for _, lambda := range []float64{0, -1, math.NaN(), math.Inf(1), 1e-320} { // 1/1e-320 overflows
		p := svm.PegasosStream{Lambda: lambda}
		err := p.Learn(context.Background(), streamOf([]svmkit.Row{good}, []float64{1}), nil)
		var bad *svmkit.ParamError
		if !errors.As(err, &bad) || bad.Name != "Lambda" {
			t.Errorf("λ = %g: %v", lambda, err)
		}
	}
}

// Leaving the range, and cancelling, end between two examples; learning goes on from there. New
// columns may come with any sparse row.
func TestPegasosStreamCanBeLeftAndContinued(t *testing.T) {
	set := newtonRandom(rand.New(rand.NewPCG(35, 0)), 40, 6, true, false)
	whole, parts := svm.PegasosStream{Lambda: 0.1, Bias: svmkit.PenalizedBias}, svm.PegasosStream{Lambda: 0.1, Bias: svmkit.PenalizedBias}
	var steps []int
	if err := whole.Learn(context.Background(), set.All(), func(v svm.Violation) bool {
		if v.Label*v.Score >= 1 {
			t.Errorf("step %d: y·f = %g is no violation", v.Step, v.Label*v.Score)
		}
		steps = append(steps, v.Step)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	left := 0
	err := parts.Learn(context.Background(), set.All(), func(v svm.Violation) bool {
		left = v.Step
		return left <= 9
	})
	if err != nil || parts.Steps() != left {
		t.Fatalf("left in step %d of %d: %v", left, parts.Steps(), err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	rest := set.Subset(func() (rows []int) {
		for i := left; i < 40; i++ {
			rows = append(rows, i)
		}
		return rows
	}())
	cancel()
	if err := parts.Learn(ctx, rest.All(), func(svm.Violation) bool {
		t.Error("a step after the end of the context")
		return true
	}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := parts.Learn(context.Background(), rest.All(), func(v svm.Violation) bool {
		if !slices.Contains(steps, v.Step) {
			t.Errorf("step %d violates only in parts", v.Step)
		}
		return true
	}); err != nil {
		t.Error(err)
	}
	a, b := whole.Plane(), parts.Plane()
	if !slices.Equal(a.W, b.W) || a.B != b.B || whole.Steps() != 40 {
		t.Errorf("in one go %v, in parts %v", a, b)
	}
	far := svmkit.Row{Index: []int32{0, 1000}, Value: []float64{1, 5}}
	near := svmkit.Row{Index: []int32{0}, Value: []float64{1}}
	if whole.Score(far) != whole.Score(near) {
		t.Error("a column that no example had has a weight")
	}
}

// The stream converges to the plane of the soft margin with C = 1/(λn), as the same rows come
// again and again.
func TestPegasosStreamConverges(t *testing.T) {
	set := newtonRandom(rand.New(rand.NewPCG(36, 0)), 100, 4, false, false)
	p := &svm.Problem{Data: set, C: svm.Lambda(0.1, 100), Bias: svmkit.PenalizedBias}
	lower, _ := pegasosOptimum(t, p)
	objective := func(h svmkit.Hyperplane) float64 {
		sum := (h.B*h.B + svmkit.Dense(h.W...).SquaredNorm()) / 2
		for i, x := range set.X {
			sum += p.C.C * loss.Hinge{}.Value(h.Score(x), set.Y[i])
		}
		return sum
	}
	stream := svm.PegasosStream{Lambda: 0.1, Bias: svmkit.PenalizedBias}
	for range 300 {
		if err := stream.Learn(context.Background(), set.All(), nil); err != nil {
			t.Fatal(err)
		}
	}
	// 2G²/(λ²T) with G ≤ 2·max‖x‖ is above 100 here; what is seen is far better. A thousandth
	// of the optimum is asked for, a wrong scale or step would miss by far more.
	if off := objective(stream.Plane()) - lower; off > 1e-3*lower || off < -1e-6*lower {
		t.Errorf("%g from the optimum %g", off, lower)
	}
}

func ExamplePegasos() {
	set, _ := svmkit.NewDataset([][]float64{{2, 0}, {0, 1}, {1, 1}, {-1, 0}}, []float64{1, -1, 1, -1})
	p := &svm.Problem{Data: set, C: svm.Lambda(0.25, 4), Bias: svmkit.PenalizedBias}
	r, err := svm.Fit(context.Background(), p, svm.Pegasos{}, &svm.Settings{Tol: 0.02, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Status, r.RelativeGap() <= 0.02, r.Primal <= r.Dual+0.02*max(1, r.Primal))
	// Output: optimal true true
}

func ExamplePegasosStream_Learn() {
	p := svm.PegasosStream{Lambda: 1}
	examples := func(yield func(svmkit.Row, float64) bool) { // from a file or a socket, say
		_ = yield(svmkit.Dense(2, 0), 1) && yield(svmkit.Dense(0, 1), -1) && yield(svmkit.Dense(1, 1), 1)
	}
	err := p.Learn(context.Background(), examples, func(v svm.Violation) bool {
		fmt.Printf("step %d: y = %+g, f = %+g\n", v.Step, v.Label, v.Score)
		return true
	})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Printf("mean plane %.3f\n", p.Plane().W)
	// Output:
	// step 1: y = +1, f = +0
	// step 2: y = -1, f = +0
	// step 3: y = +1, f = +0.5
	// mean plane [1.167 -0.167]
}
