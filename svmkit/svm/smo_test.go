package svm_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// smoData returns n rows of d columns, a third of the numbers zero, with noisy labels, or
// targets if asked for.
func smoData(rng *rand.Rand, n, d int, targets bool) *svmkit.Dataset {
	s := &svmkit.Dataset{Dim: d}
	for i := range n {
		v := make([]float64, d)
		for j := range v {
			if rng.IntN(3) > 0 {
				v[j] = rng.NormFloat64()
			}
		}
		y := v[0] + v[1]*v[1] - 0.5 + 0.5*rng.NormFloat64()
		if !targets {
			y = math.Copysign(1, y)
			if i < 2 {
				y = float64(2*i - 1) // both classes occur
			}
		}
		s.X, s.Y = append(s.X, svmkit.Dense(v...)), append(s.Y, y)
	}
	return s
}

var smoKernels = []kernel.Kernel{
	nil, kernel.Polynomial{Degree: 2, Gamma: 0.3, Coef0: 1}, kernel.RBF{Gamma: 0.4}, kernel.Laplacian{Gamma: 0.3},
	kernel.Func(func(x, z svmkit.Row) float64 { return math.Exp(-0.2*x.SquaredNorm()-0.2*z.SquaredNorm()) + x.DotRow(z) }),
}

// Every loss, bias and kernel, with and without shrinking, with prices of different sizes: the
// certificate reaches 1e-9, and made anew from β it says the same.
func TestSMOCertifies(t *testing.T) {
	const tol = 1e-9
	rng := rand.New(rand.NewPCG(1, 0))
	for _, l := range []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{}, loss.EpsInsensitive{Epsilon: 0.2},
		loss.EpsInsensitive{}, loss.SquaredEpsInsensitive{Epsilon: 0.1}} {
		for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
			for _, k := range smoKernels {
				for _, c := range []svm.Cost{{}, {C: 0.05, Positive: 3}, {C: 20, Negative: 0.2}} {
					p := &svm.Problem{Loss: l, Bias: bias, Kernel: k, C: c}
					p.Data = smoData(rng, 20+rng.IntN(25), 3, p.Regression())
					if rng.IntN(2) == 0 {
						p.Data.Weight = make([]float64, p.Data.Len())
						for i := range p.Data.Weight {
							p.Data.Weight[i] = math.Exp(rng.NormFloat64())
						}
					}
					name := fmt.Sprintf("%T, %v, %T, %+v", l, bias, k, c)
					o := svm.SMO{NoShrinking: rng.IntN(2) == 0, CacheBytes: int64(rng.IntN(20_000))}
					r, err := svm.Fit(t.Context(), p, o, &svm.Settings{Tol: tol, MaxIterations: 5000})
					if err != nil {
						t.Fatal(name, err)
					}
					again, err := p.Certify(r.Beta)
					if err != nil {
						t.Fatal(name, err)
					}
					if r.Status != svmkit.Optimal || !(again.RelativeGap() <= 2*tol) || again.Box != 0 {
						t.Errorf("%s: %v (%s), gap %.1e, again %.1e, box %g, %d updates", name, r.Status, r.Reason,
							r.RelativeGap(), again.RelativeGap(), again.Box, r.Updates)
					}
				}
			}
		}
	}
}

// XOR with the square of the inner product, by hand. In feature space opposite corners are
// one point; all four scores are 8α·y by symmetry, so Σα = 4/8, w is ½·√2x₁x₂ there, f(x) =
// x₁x₂, and both objectives are ½‖w‖² = ¼.
func TestSMOSolvesXOR(t *testing.T) {
	const exact = 1e-9
	data := &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 1, -1, -1, 1, -1, -1, 1}, 2), Y: []float64{1, 1, -1, -1}, Dim: 2}
	for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
		for _, c := range []float64{1, math.Inf(1)} {
			p := &svm.Problem{Data: data, Kernel: kernel.Polynomial{Degree: 2}, Bias: bias, C: svm.Cost{C: c}}
			r, err := svm.Fit(t.Context(), p, svm.SMO{}, &svm.Settings{Tol: 1e-12})
			if err != nil {
				t.Fatal(err)
			}
			if r.Status != svmkit.Optimal || math.Abs(r.Dual-0.25) > exact || math.Abs(r.Primal-0.25) > exact {
				t.Errorf("%v, C = %g: %v %s, dual %g, primal %g, want ¼", bias, c, r.Status, r.Reason, r.Dual, r.Primal)
			}
			sum := 0.0
			for _, a := range r.Alpha() {
				sum += a
			}
			if math.Abs(sum-0.5) > exact {
				t.Errorf("Σα = %g, want ½", sum)
			}
			for _, x := range [][]float64{{1, 1}, {2, 3}, {-0.5, 4}} {
				if got := r.Score(svmkit.Dense(x...)); math.Abs(got-x[0]*x[1]) > 100*exact {
					t.Errorf("%v, C = %g: f(%v) = %g, want x₁x₂", bias, c, x, got)
				}
			}
		}
	}
}

// The dual of regression has a kink at β = 0. Three points on a line, one of them out of line,
// linear, no bias, ε = ½: by hand, f = wx has to leave (2, 5) at the price C = ¼ each unit.
func TestSMORegressionByHand(t *testing.T) {
	// φ(w) = ½w² + ¼·(|2w − 5| − ½)₊ + ¼·(|w + 1| − ½)₊: the derivative at w in (−½, 2¼) is
	// w − ½ + ¼, zero at w = ¼. There β = (¼, −¼): w = ¼·2 − ¼·1.
	data := &svmkit.Dataset{X: svmkit.DenseRows([]float64{2, 1}, 1), Y: []float64{5, -1}, Dim: 1}
	p := &svm.Problem{Data: data, Loss: loss.EpsInsensitive{Epsilon: 0.5}, Bias: svmkit.NoBias, C: svm.Cost{C: 0.25}}
	r, err := svm.Fit(t.Context(), p, svm.SMO{}, &svm.Settings{Tol: 1e-12})
	if err != nil || r.Status != svmkit.Optimal || !slices.Equal(r.Beta, []float64{0.25, -0.25}) || r.Weights[0] != 0.25 {
		t.Errorf("%v, %v: β = %v, w = %v, want (¼, −¼) and ¼", err, r.Status, r.Beta, r.Weights)
	}
}

// An indefinite kernel: a stationary point, with no claim of an optimum, whatever the start.
func TestSMOWithSigmoid(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for trial := range 12 {
		p := &svm.Problem{Data: smoData(rng, 30, 3, false), Kernel: kernel.Sigmoid{Gamma: 0.5, Coef0: float64(trial%3) - 1}, Bias: svmkit.Bias(1 + trial%3)}
		start := make([]float64, 30)
		for i := range start {
			start[i] = rng.Float64() * p.Data.Y[i]
		}
		r, err := svm.Fit(t.Context(), p, svm.SMO{}, &svm.Settings{Tol: 1e-6, Start: start})
		if err != nil || r.Status != svmkit.Stationary || !(r.KKT <= 1e-6) || !math.IsInf(r.Gap, 1) {
			t.Errorf("trial %d: %v, %v (%s), KKT %g, gap %g", trial, err, r.Status, r.Reason, r.KKT, r.Gap)
		}
	}
}

func TestSMOStatus(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	p := &svm.Problem{Data: smoData(rng, 300, 4, false), Kernel: kernel.RBF{Gamma: 1}, C: svm.Cost{C: 1000}}
	r, err := svm.Fit(t.Context(), p, svm.SMO{}, &svm.Settings{Tol: 1e-300})
	if err != nil || r.Status != svmkit.Stalled || r.Reason == "" || r.RelativeGap() > 1e-9 {
		t.Errorf("below rounding: %v, %v %q, gap %g", err, r.Status, r.Reason, r.RelativeGap())
	}
	r, err = svm.Fit(t.Context(), p, svm.SMO{}, &svm.Settings{Tol: 1e-9, MaxIterations: 1})
	if err != nil || r.Status != svmkit.IterationLimit || r.Iterations != 1 {
		t.Errorf("one epoch: %v, %v, %d epochs", err, r.Status, r.Iterations)
	}
	r, err = svm.Fit(t.Context(), p, svm.SMO{}, &svm.Settings{Tol: 1e-9, Progress: func(svmkit.Progress) bool { return false }})
	if err != nil || r.Status != svmkit.Stopped {
		t.Errorf("stopped: %v, %v", err, r.Status)
	}
	// One point with both labels: no hard margin in any feature space.
	p.Data.X[1], p.C.C = p.Data.X[0], math.Inf(1)
	r, err = svm.Fit(t.Context(), p, svm.SMO{}, nil)
	if err != nil || r.Status != svmkit.Stalled || r.Reason == "" {
		t.Errorf("hard margin: %v, %v %q", err, r.Status, r.Reason)
	}
	for _, bad := range []*svm.Problem{{Data: p.Data, Loss: loss.Logistic{}}, {Data: p.Data}} {
		var param *svmkit.ParamError
		if _, err := svm.Fit(t.Context(), bad, svm.SMO{CacheBytes: -1}, nil); !errors.As(err, &param) {
			t.Errorf("%T with a cache of −1 bytes: %v", bad.Loss, err)
		}
	}
}

// The same bits, on one processor and on many, and again.
func TestSMOIsDeterministic(t *testing.T) {
	p := &svm.Problem{Data: smoData(rand.New(rand.NewPCG(5, 0)), 700, 5, false), Kernel: kernel.RBF{Gamma: 1}}
	var first *svm.Result
	for _, processors := range []int{1, 4, 4} {
		before := runtime.GOMAXPROCS(processors)
		r, err := svm.Fit(t.Context(), p, svm.SMO{}, &svm.Settings{Tol: 1e-6})
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = r
		}
		if !slices.Equal(r.Beta, first.Beta) || r.Bias != first.Bias || r.Certificate != first.Certificate {
			t.Errorf("%d processors: other bits", processors)
		}
	}
}

// A cancelled context is noticed within some thousand kernel values, wherever the fit is: at its
// diagonal, in a row, or in a certificate; then a part of its β is certified. (At 20 ns a value
// that is below 50 ms.)
func TestSMONoticesCancellation(t *testing.T) {
	const atMost = 3000 + 1<<15 // the second term is for the certificate's β
	data := smoData(rand.New(rand.NewPCG(6, 0)), 5000, 3, false)
	for _, at := range []int64{1, 7000, 100_000, 1_000_000, 6_000_000} {
		ctx, cancel := context.WithCancel(t.Context())
		var calls atomic.Int64
		k := kernel.Func(func(x, z svmkit.Row) float64 {
			if calls.Add(1) == at {
				cancel()
			}
			return x.DotRow(z)
		})
		r, err := svm.Fit(ctx, &svm.Problem{Data: data, Kernel: k, C: svm.Cost{C: 0.01}}, svm.SMO{}, &svm.Settings{Tol: 1e-7})
		cancel()
		if calls.Load() < at {
			t.Errorf("the fit took only %d values: cancel earlier", calls.Load())
		}
		if !errors.Is(err, context.Canceled) || r == nil || r.Status != svmkit.Cancelled {
			t.Errorf("cancelled at value %d: %v, %v", at, err, r)
		}
		if late := calls.Load() - at; late > atMost {
			t.Errorf("cancelled at value %d, then %d more were computed", at, late)
		}
	}
}

// The certificate of an interrupted fit depends on counts and not on time: a kernel that takes
// longer once the context has ended gives the same bits.
func TestInterruptedSMODoesNotReadTheClock(t *testing.T) {
	const at = 20_000
	data := smoData(rand.New(rand.NewPCG(6, 0)), 2000, 3, false)
	fit := func(delay time.Duration) *svm.Result {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var calls atomic.Int64
		k := kernel.Func(func(x, z svmkit.Row) float64 {
			n := calls.Add(1)
			if n == at {
				cancel()
			}
			if n > at && n%100 == 0 {
				time.Sleep(delay)
			}
			return x.DotRow(z)
		})
		r, err := svm.Fit(ctx, &svm.Problem{Data: data, Kernel: k}, svm.SMO{}, nil)
		if !errors.Is(err, context.Canceled) || r == nil {
			t.Fatalf("%v, %v", err, r)
		}
		return r
	}
	fast, slow := fit(0), fit(5*time.Millisecond)
	if !slices.Equal(fast.Beta, slow.Beta) || fast.Certificate != slow.Certificate || len(fast.SV) < 2 {
		t.Errorf("fast %+v with %d support vectors, slow %+v with %d", fast.Certificate, len(fast.SV), slow.Certificate, len(slow.SV))
	}
}

// An iteration of SMO is as many steps as there are rows, at least 1,000. Each iteration that has
// begun counts, in the result as in the calls of Progress, and the limit ends a fit after whole
// ones.
func TestSMOCountsIterationsThatHaveBegun(t *testing.T) {
	const n = 1500
	data := smoData(rand.New(rand.NewPCG(8, 0)), n, 3, false)
	p := &svm.Problem{Data: data, Kernel: kernel.RBF{Gamma: 1}, C: svm.Cost{C: 10}}
	last := 0
	r, err := svm.Fit(t.Context(), p, svm.SMO{}, &svm.Settings{Progress: func(q svmkit.Progress) bool { last = q.Iteration; return true }})
	if err != nil || r.Status != svmkit.Optimal || r.Updates == 0 {
		t.Fatalf("%v, %+v", err, r)
	}
	// A step changes one or two β.
	if least, most := (r.Updates/2+n-1)/n, (r.Updates+n-1)/n; r.Iterations < least || r.Iterations > most || last != r.Iterations {
		t.Errorf("%d iterations with %d updates, Progress saw %d", r.Iterations, r.Updates, last)
	}
	few, err := svm.Fit(t.Context(), p, svm.SMO{}, &svm.Settings{Tol: 1e-12, MaxIterations: 1})
	if err != nil || few.Status != svmkit.IterationLimit || few.Iterations != 1 || few.Updates < n || few.Updates > 2*n {
		t.Errorf("a limit of 1: %v, %v after %d iterations and %d updates", err, few.Status, few.Iterations, few.Updates)
	}
	again, err := svm.Fit(t.Context(), p, svm.SMO{}, &svm.Settings{Start: r.Beta})
	if err != nil || again.Iterations != 0 || again.Updates != 0 {
		t.Errorf("from the optimum: %v, %d iterations with %d updates", err, again.Iterations, again.Updates)
	}
}

// A user's kernel that returns NaN or panics for two rows ends the fit with their names.
func TestSMOReportsABrokenKernel(t *testing.T) {
	data := smoData(rand.New(rand.NewPCG(7, 0)), 60, 2, false)
	for i := range data.X {
		data.X[i] = svmkit.Dense(data.X[i].Value[0], data.X[i].Value[1], float64(i))
	}
	data.Dim = 3
	for name, bad := range map[string]func() float64{"NaN": math.NaN, "panic": func() float64 { panic("no") }} {
		for _, pair := range [][2]float64{{5, 5}, {0, 1}, {30, 59}} {
			k := kernel.Func(func(x, z svmkit.Row) float64 {
				if a, b := x.Value[2], z.Value[2]; min(a, b) == pair[0] && max(a, b) == pair[1] {
					return bad()
				}
				return math.Exp(-math.Hypot(x.Value[0]-z.Value[0], x.Value[1]-z.Value[1]))
			})
			p := &svm.Problem{Data: data, Kernel: k}
			_, fitErr := svm.Fit(t.Context(), p, svm.SMO{}, nil)
			beta := slices.Repeat([]float64{1}, 60)
			for i := range beta {
				beta[i] *= data.Y[i]
			}
			p.Bias = svmkit.NoBias
			_, certifyErr := p.Certify(beta)
			for _, err := range []error{fitErr, certifyErr} {
				var e *kernel.EvalError
				if !errors.As(err, &e) || min(e.I, e.J) != int(pair[0]) && e.I != svmkit.NoPlace || max(e.I, e.J) != int(pair[1]) && e.I != svmkit.NoPlace {
					t.Errorf("%s at %v: %v", name, pair, err)
				}
			}
		}
	}
}

// With room for all rows, and none shrunk, no kernel value is computed twice: n² for the rows at
// most, n for the diagonal, and n a support vector for every look at the data.
func TestSMOComputesARowOnce(t *testing.T) {
	const n = 400
	var calls atomic.Int64
	p := &svm.Problem{Data: smoData(rand.New(rand.NewPCG(10, 0)), n, 3, false), C: svm.Cost{C: 100},
		Kernel: kernel.Func(func(x, z svmkit.Row) float64 { calls.Add(1); return 1 + x.DotRow(z) })}
	looks := int64(1) // the last one; more if the first solution was refused
	r, err := svm.Fit(t.Context(), p, svm.SMO{NoShrinking: true}, &svm.Settings{Tol: 1e-3, Progress: func(svmkit.Progress) bool { looks++; return true }})
	if err != nil || r.Status != svmkit.Optimal {
		t.Fatal(err, r)
	}
	if bound := n*n + n + looks*n*n; calls.Load() > bound {
		t.Errorf("%d kernel values for %d steps, want at most %d", calls.Load(), r.Updates/2, bound)
	}
	if int64(r.Updates)*n < 8*calls.Load() {
		t.Errorf("only %d updates: the test says nothing", r.Updates)
	}
}

// Start: from the solution, nothing is left to do.
func TestSMOStartsWarm(t *testing.T) {
	p := &svm.Problem{Data: smoData(rand.New(rand.NewPCG(8, 0)), 200, 3, false), Kernel: kernel.RBF{Gamma: 1}}
	r, err := svm.Fit(t.Context(), p, svm.SMO{}, &svm.Settings{Tol: 1e-6})
	if err != nil {
		t.Fatal(err)
	}
	again, err := svm.Fit(t.Context(), p, svm.SMO{}, &svm.Settings{Tol: 1e-6, Start: r.Beta})
	if err != nil || again.Status != svmkit.Optimal || again.Updates > 0 {
		t.Errorf("%v, %v, %d updates", err, again.Status, again.Updates)
	}
}

// One machine, three ways to say it: by a kernel, by the matrix of its values, and, where φ can
// be written out, by a linear problem in feature space.
func TestSMOBySeveralNames(t *testing.T) {
	const tol = 1e-10
	data := smoData(rand.New(rand.NewPCG(9, 0)), 60, 3, false)
	k := kernel.Polynomial{Degree: 3, Gamma: 0.5, Coef0: 1}
	matrix, lifted := *data, *data
	matrix.X, matrix.Dim = kernel.Numbers(60), 1
	lifted.X, lifted.Dim = nil, 20
	for _, x := range data.X {
		lifted.X = append(lifted.X, svmkit.Dense(k.FeatureMap(x, 3)...))
	}
	var first *svm.Result
	for name, p := range map[string]*svm.Problem{
		"kernel": {Data: data, Kernel: k},
		"matrix": {Data: &matrix, Kernel: kernel.Precomputed{N: 60, Gram: kernel.Gram(k, data.X)}},
		"lifted": {Data: &lifted},
	} {
		r, err := svm.Fit(t.Context(), p, svm.SMO{}, &svm.Settings{Tol: tol})
		if err != nil || r.Status != svmkit.Optimal {
			t.Fatalf("%s: %v, %v", name, err, r)
		}
		if first == nil {
			first = r
		}
		if math.Abs(r.Primal-first.Primal) > 2*tol*first.Primal {
			t.Errorf("%s: objective %.12g, and %.12g by another name", name, r.Primal, first.Primal)
		}
	}
}

func ExampleSMO() {
	xor := &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 1, -1, -1, 1, -1, -1, 1}, 2), Y: []float64{1, 1, -1, -1}, Dim: 2}
	r, err := svm.Fit(context.Background(), &svm.Problem{Data: xor, Kernel: kernel.Polynomial{Degree: 2}}, svm.SMO{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v: dual %.2f, primal %.2f\n", r.Status, r.Dual, r.Primal)
	for _, s := range r.ScoreAll(xor.X) {
		fmt.Printf("%+.0f ", s)
	}
	// Output:
	// optimal: dual 0.25, primal 0.25
	// +1 +1 -1 -1
}
