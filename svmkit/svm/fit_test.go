package svm_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// demanding returns a tolerance that the first certificate does not meet: one below the rounding
// of any gap that is not zero, where a solver still asks for certificates then.
func demanding(s svm.Solver) float64 {
	if _, ok := s.(svm.DualCoordinate); ok {
		return 1e-12
	}
	return 1e-20
}

// everySolver pairs each solver with a problem that it needs several certificates for.
func everySolver() map[string]struct {
	s svm.Solver
	p *svm.Problem
} {
	set := overlapping(200)
	type pair = struct {
		s svm.Solver
		p *svm.Problem
	}
	return map[string]pair{
		"dual coordinate": {svm.DualCoordinate{}, &svm.Problem{Data: set, C: svm.PerSum(10)}},
		"Newton":          {svm.Newton{}, &svm.Problem{Data: set, Loss: loss.Logistic{}, C: svm.PerSum(10)}},
		"proximal Newton": {svm.ProximalNewton{}, &svm.Problem{Data: set, C: svm.PerSum(10)}},
		"Pegasos":         {svm.Pegasos{}, &svm.Problem{Data: set, Bias: svmkit.NoBias}},
		"SDCA":            {svm.SDCA{}, &svm.Problem{Data: set, Bias: svmkit.PenalizedBias}},
		"SMO":             {svm.SMO{}, &svm.Problem{Data: set, Kernel: kernel.RBF{Gamma: 1}, C: svm.PerSum(10)}},
		"decomposition":   {svm.Decomposition{WorkingSet: 64}, &svm.Problem{Data: set, Kernel: kernel.RBF{Gamma: 1}, C: svm.PerSum(10)}},
	}
}

// usable says what every returned result must be: a model with a certificate of its own.
func usable(t *testing.T, name string, p *svm.Problem, r *svm.Result) {
	t.Helper()
	if r == nil {
		t.Errorf("%s: no result", name)
		return
	}
	proof, err := p.Certify(r.Beta)
	if err != nil || math.Abs(proof.Primal-r.Primal) > 1e-9*max(1, r.Primal) || r.Dual > r.Primal {
		t.Errorf("%s: certified %+v, reported %+v (%v)", name, proof, r.Certificate, err)
	}
	if s := r.Score(p.Data.X[0]); math.IsNaN(s) {
		t.Errorf("%s: scores %g", name, s)
	}
}

func TestCancelledBeforeTheStart(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, c := range everySolver() {
		r, err := svm.Fit(ctx, c.p, c.s, nil)
		if !errors.Is(err, context.Canceled) || r == nil || r.Status != svmkit.Cancelled {
			t.Errorf("%s: %v %v", name, err, r)
			continue
		}
		usable(t, name, c.p, r)
		if len(r.SV) != 0 || len(r.Trace) != 1 || r.Trace[0].Status != svmkit.Cancelled {
			t.Errorf("%s: %d support vectors in the zero model, by %q", name, len(r.SV), r.Trace)
		}
	}
	hard := &svm.Problem{Data: line([]float64{-1, 1}, -1, 1), C: svm.Cost{C: inf}}
	if r, err := svm.Fit(ctx, hard, nil, nil); !errors.Is(err, context.Canceled) || r == nil || r.Status != svmkit.Cancelled {
		t.Errorf("hard margin: %v %v", err, r)
	}
}

// The context ends within the first certificate that a solver makes: what it has is returned.
func TestCancelledOnTheWay(t *testing.T) {
	for name, c := range everySolver() {
		ctx, cancel := context.WithCancel(context.Background())
		o := &svm.Settings{Tol: demanding(c.s), Progress: func(svmkit.Progress) bool { cancel(); return true }}
		r, err := svm.Fit(ctx, c.p, c.s, o)
		if !errors.Is(err, context.Canceled) || r == nil || r.Status != svmkit.Cancelled {
			t.Errorf("%s: %v %v", name, err, r.Status)
			continue
		}
		usable(t, name, c.p, r)
	}
}

func TestStoppedByProgress(t *testing.T) {
	for name, c := range everySolver() {
		var last svmkit.Progress
		calls := 0
		o := &svm.Settings{Tol: demanding(c.s), Progress: func(p svmkit.Progress) bool { last = p; calls++; return false }}
		r, err := svm.Fit(context.Background(), c.p, c.s, o)
		if err != nil || r.Status != svmkit.Stopped || calls != 1 {
			t.Errorf("%s: %v %v after %d calls", name, err, r.Status, calls)
			continue
		}
		usable(t, name, c.p, r)
		if r.Gap > last.Gap || last.Iteration != r.Iterations {
			t.Errorf("%s: gap %g and %d epochs, but Progress saw %g and %d", name, r.Gap, r.Iterations, last.Gap, last.Iteration)
		}
	}
}

func TestIterationLimit(t *testing.T) {
	for name, c := range everySolver() {
		r, err := svm.Fit(context.Background(), c.p, c.s, &svm.Settings{Tol: demanding(c.s), MaxIterations: 1})
		if err != nil || r.Status != svmkit.IterationLimit && r.Status != svmkit.Stalled {
			t.Errorf("%s: %v %v", name, err, r.Status)
			continue
		}
		usable(t, name, c.p, r)
	}
}

// One Problem and one Solver value serve several fits at once; run with -race.
func TestFitsAtOnce(t *testing.T) {
	for name, c := range everySolver() {
		o := &svm.Settings{Tol: 0.05}
		want, err := svm.Fit(context.Background(), c.p, c.s, o)
		if err != nil {
			t.Fatal(name, err)
		}
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				r, err := svm.Fit(context.Background(), c.p, c.s, o)
				if err != nil || !reflect.DeepEqual(r.Beta, want.Beta) {
					t.Errorf("%s: %v, another β beside other fits", name, err)
				}
			})
		}
		group.Wait()
	}
}

func TestInseparableHardMargin(t *testing.T) {
	p := &svm.Problem{Data: line([]float64{-1, 1, -1}, -1, 0, 1), C: svm.Cost{C: inf}}
	_, err := svm.Fit(context.Background(), p, nil, nil)
	var proof *svm.InseparableError
	if !errors.As(err, &proof) {
		t.Fatal(err)
	}
	if err := proof.Proof.Verify(p.Data); err != nil || proof.Proof.Common == nil {
		t.Errorf("%v %+v", err, proof.Proof)
	}
	if proof.Error() == "" {
		t.Error("no words")
	}
}

func TestSettingsErrors(t *testing.T) {
	p := &svm.Problem{Data: line([]float64{-1, 1}, -1, 1)}
	for name, o := range map[string]svm.Settings{
		"Tol": {Tol: -1}, "Tol NaN": {Tol: math.NaN()}, "Tol Inf": {Tol: inf}, "MaxIterations": {MaxIterations: -1},
	} {
		var param *svmkit.ParamError
		if _, err := svm.Fit(context.Background(), p, nil, &o); !errors.As(err, &param) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, start := range [][]float64{{1}, {0, math.NaN()}, {inf, 0}} {
		var data *svmkit.DataError
		if _, err := svm.Fit(context.Background(), p, nil, &svm.Settings{Start: start}); !errors.As(err, &data) {
			t.Errorf("start %v: %v", start, err)
		}
	}
}

type strangeLoss struct{ loss.Hinge }

func TestProblemErrors(t *testing.T) {
	set := line([]float64{-1, 1}, -1, 1)
	var nilProblem *svm.Problem
	for name, p := range map[string]*svm.Problem{
		"nil":                    nilProblem,
		"unknown loss":           {Data: set, Loss: strangeLoss{}},
		"negative ε":             {Data: set, Loss: loss.EpsInsensitive{Epsilon: -1}},
		"NaN ε":                  {Data: set, Loss: loss.SquaredEpsInsensitive{Epsilon: math.NaN()}},
		"logistic with a kernel": {Data: set, Loss: loss.Logistic{}, Kernel: kernel.RBF{Gamma: 1}},
		"C < 0":                  {Data: set, C: svm.Cost{C: -1}},
		"C NaN":                  {Data: set, C: svm.Cost{C: math.NaN()}},
		"C₊ infinite":            {Data: set, C: svm.Cost{Positive: inf}},
		"C₋ < 0":                 {Data: set, C: svm.Cost{Negative: -1}},
		"hard squared hinge":     {Data: set, Loss: loss.SquaredHinge{}, C: svm.Cost{C: inf}},
		"bias":                   {Data: set, Bias: 7},
		"kernel":                 {Data: set, Kernel: kernel.RBF{Gamma: -1}},
	} {
		var param *svmkit.ParamError
		if err := p.Validate(); !errors.As(err, &param) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, p := range map[string]*svm.Problem{
		"no data":             {},
		"targets as labels":   {Data: line([]float64{0.5, 1}, 0, 1)},
		"too few weights":     {Data: weighted(set, 1)},
		"a class of weight 0": {Data: weighted(set, 1, 0)},
		"weight < 0":          {Data: weighted(set, 1, -1)},
		"weight infinite":     {Data: weighted(set, 1, inf)},
		"cost overflows":      {Data: set, C: svm.Cost{C: 1e300, Positive: 1e300}},
		"cost underflows":     {Data: weighted(set, 1, 1e-300), C: svm.Cost{C: 1e-300}},
		"NaN in a regressor":  {Data: line([]float64{1, 2}, 0, math.NaN()), Loss: loss.EpsInsensitive{}},
	} {
		var data *svmkit.DataError
		if err := p.Validate(); !errors.As(err, &data) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The three parametrisations, PerSum, PerMean and Lambda, are one problem.
func TestCostsOfTheNotes(t *testing.T) {
	set := overlapping(50)
	var first *svm.Result
	for name, c := range map[string]svm.Cost{"sum": svm.PerSum(0.2), "mean": svm.PerMean(10, 50), "λ": svm.Lambda(0.1, 50)} {
		r, err := svm.Fit(context.Background(), &svm.Problem{Data: set, C: c}, nil, &svm.Settings{Tol: 1e-9})
		if err != nil || r.Status != svmkit.Optimal {
			t.Fatal(name, err, r)
		}
		if first == nil {
			first = r
		}
		// Their C may differ in the last bit, and 1e-9 of gap leaves w some 1e-4.
		for j, w := range first.Weights {
			if math.Abs(r.Weights[j]-w) > 1e-3 {
				t.Errorf("%s: w = %v, want %v", name, r.Weights, first.Weights)
			}
		}
	}
}

func ExampleFit_separable() {
	data := &svmkit.Dataset{
		X: svmkit.DenseRows([]float64{2, 2, 0, 0, 3, 3, -1, 0}, 2),
		Y: []float64{1, -1, 1, -1}, Dim: 2,
	}
	r, err := svm.Fit(context.Background(), &svm.Problem{Data: data}, nil, &svm.Settings{Tol: 1e-9})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v: w = %.2f, b = %.2f, margin %.3f\n", r.Status, r.Weights, r.Bias, 1/r.Norm())
	fmt.Printf("support vectors are rows %v\n", r.Rows)
	// Output:
	// optimal: w = [0.50 0.50], b = -1.00, margin 1.414
	// support vectors are rows [0 1]
}

// A kernel that has no value for two rows is the error of the fit, also where only its last
// certificate asks for them.
func TestKernelFailureIsNoCancellation(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	gap := kernel.Func(func(x, z svmkit.Row) float64 {
		if x.Value[0]*z.Value[0] < -2 {
			return math.NaN()
		}
		return kernel.RBF{Gamma: 1}.Eval(x, z)
	})
	failed := 0
	for range 300 {
		set := &svmkit.Dataset{Dim: 2}
		for i := range 40 {
			set.X = append(set.X, svmkit.Dense(rng.NormFloat64(), rng.NormFloat64()))
			set.Y = append(set.Y, float64(1-2*(i%2)))
		}
		r, err := svm.Fit(t.Context(), &svm.Problem{Data: set, Kernel: gap}, svm.Decomposition{WorkingSet: 4}, &svm.Settings{MaxIterations: 1})
		if err != nil {
			failed++
		} else if r.Status == svmkit.Cancelled {
			t.Fatal("cancelled, though the context goes on")
		}
	}
	if failed == 0 {
		t.Error("the kernel never failed: the test tests nothing")
	}
}

// Where C would be 0, which means 1, or the hard margin that nobody asked for, it is NaN, and
// refused.
func TestScalingsThatUnderflowAreRefused(t *testing.T) {
	for name, c := range map[string]svm.Cost{"PerSum 0": svm.PerSum(0), "PerMean 0": svm.PerMean(0, 9), "λ = +Inf": svm.Lambda(math.Inf(1), 9),
		"λ = 1e308": svm.Lambda(1e308, 100), "λ = 0": svm.Lambda(0, 9), "λ < 0": svm.Lambda(-1, 9), "no rows": svm.PerMean(1, 0)} {
		var param *svmkit.ParamError
		if _, err := svm.Fit(t.Context(), &svm.Problem{Data: overlapping(9), C: c}, nil, nil); !errors.As(err, &param) || param.Name != "C" {
			t.Errorf("%s: C = %g, %v", name, c.C, err)
		}
	}
}
