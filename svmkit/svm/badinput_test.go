package svm_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"sync/atomic"
	"testing"

	"github.com/svmkit/course/internal/badinput"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// Every call of this package with bad input ends soon, with the documented error at the documented place.
func TestReliabilityBadInput(t *testing.T) {
	badinput.Run(t, 2200, badinput.Join(badSets(), badParameters(), wrongCombinations(), nilCases(), kernelCases(), callbackCases(), cancelCases(), oddSets(), predictionCases(), plattCases()))
}

var ctx = context.Background()

// shared is a set that no call may change.
var shared = badinput.Good()

// errMine is an error of the caller's own code.
var errMine = errors.New("my own fault")

// sound wants no error, and a result that says no nonsense of itself.
var sound = badinput.Sound(certificateOf)

// certificateOf checks that what a result says of itself is no nonsense: an optimum is one within its
// tolerance, another end has a name, and no number of the model is NaN or infinite.
func certificateOf(v any) string {
	var c svmkit.Certificate
	var numbers []float64
	switch r := v.(type) {
	case fitted:
		wrong := certificateOf(r.Result)
		if wrong == "" && r.Status == svmkit.Optimal && !(r.RelativeGap() <= r.tol) {
			wrong = fmt.Sprintf("optimal with a relative gap of %g", r.RelativeGap())
		}
		return wrong
	case *svm.Result:
		if r.Status == svmkit.Unfinished || r.Status == svmkit.Stalled && r.Reason == "" || len(r.Trace) == 0 {
			return fmt.Sprintf("status %v, reason %q, solver %q", r.Status, r.Reason, r.Trace)
		}
		c, numbers = r.Certificate, append(append(append(numbers, r.Weights...), r.Beta...), r.Coef...)
		numbers = append(numbers, r.Model.Bias)
	case *svm.Proof:
		c, numbers = r.Certificate, r.Beta
	default:
		return ""
	}
	return badinput.Certificate(c, numbers)
}

// fitted is a result with the tolerance that was asked for.
type fitted struct {
	*svm.Result
	tol float64
}

// eval wants a *kernel.EvalError for one of two rows: who comes first depends on the solver.
func eval(i, j int, words ...string) badinput.Verdict {
	return func(o badinput.Outcome) string {
		if wrong := badinput.Failed(o); wrong != "" {
			return wrong
		}
		var e *kernel.EvalError
		if !errors.As(o.Err, &e) || !(e.I == i && e.J == j || e.I == j && e.J == i || e.I == svmkit.NoPlace && (e.J == i || e.J == j)) {
			return fmt.Sprintf("error %T %v, want an EvalError for the rows %d and %d", o.Err, o.Err, i, j)
		}
		return badinput.Names(o.Err, append(words, "row", fmt.Sprintf(" %d", e.J))...)
	}
}

func fitBy(name string, solver svm.Solver, p svm.Problem) badinput.Door {
	return badinput.Door{Name: "Fit by " + name, Call: func(s *svmkit.Dataset) (any, error) {
		p := p
		p.Data = s
		return svm.Fit(ctx, &p, solver, nil)
	}, Binary: !p.Regression(), Both: !p.Regression()}
}

func badSets() []badinput.Case {
	rbf := kernel.RBF{Gamma: 1}
	return badinput.Doors(
		fitBy("default", nil, svm.Problem{}),
		fitBy("DualCoordinate", svm.DualCoordinate{}, svm.Problem{}),
		fitBy("ProximalNewton", svm.ProximalNewton{}, svm.Problem{}),
		fitBy("Newton", svm.Newton{}, svm.Problem{Loss: loss.Logistic{}}),
		fitBy("SMO", svm.SMO{}, svm.Problem{Kernel: rbf}),
		fitBy("Decomposition", svm.Decomposition{}, svm.Problem{Kernel: rbf}),
		fitBy("SDCA", svm.SDCA{}, svm.Problem{Bias: svmkit.NoBias}),
		fitBy("Pegasos", svm.Pegasos{}, svm.Problem{Bias: svmkit.NoBias}),
		fitBy("SMO, regression", svm.SMO{}, svm.Problem{Loss: loss.EpsInsensitive{Epsilon: 0.1}}),
		fitBy("Newton, regression", svm.Newton{}, svm.Problem{Loss: loss.SquaredEpsInsensitive{}}),
		badinput.Door{Name: "Problem.Validate", Call: func(s *svmkit.Dataset) (any, error) { return nil, (&svm.Problem{Data: s}).Validate() }, Binary: true, Both: true},
		badinput.Door{Name: "Certify", Call: func(s *svmkit.Dataset) (any, error) { return (&svm.Problem{Data: s}).Certify(make([]float64, 12)) }, Binary: true, Both: true},
		badinput.Door{Name: "OneClass.Fit", Call: func(s *svmkit.Dataset) (any, error) {
			return svm.OneClass{Data: s, Nu: 0.5}.Fit(context.Background(), nil)
		}},
	)
}

// fit is svm.Fit with what a knob has turned.
func fit(turn func(p *svm.Problem, o *svm.Settings, s *svm.Solver)) (any, error) {
	p, o, s := &svm.Problem{Data: shared}, &svm.Settings{}, svm.Solver(nil)
	turn(p, o, &s)
	r, err := svm.Fit(ctx, p, s, o)
	if r == nil {
		return nil, err
	}
	return r, err
}

func withKernel(k kernel.Kernel) (any, error) {
	return fit(func(p *svm.Problem, _ *svm.Settings, _ *svm.Solver) { p.Kernel = k })
}

// once is a stream of one good example.
func once(yield func(svmkit.Row, float64) bool) { yield(svmkit.Dense(1, 2), 1) }

func badParameters() []badinput.Case {
	type problem = svm.Problem
	inProblem := func(turn func(p *problem)) (any, error) {
		return fit(func(p *problem, _ *svm.Settings, _ *svm.Solver) { turn(p) })
	}
	inSettings := func(turn func(o *svm.Settings)) (any, error) {
		return fit(func(_ *problem, o *svm.Settings, _ *svm.Solver) { turn(o) })
	}
	by := func(s svm.Solver, l loss.Trainable, b svmkit.Bias) (any, error) {
		return fit(func(p *problem, _ *svm.Settings, solver *svm.Solver) { p.Loss, p.Bias, *solver = l, b, s })
	}
	noBias := svmkit.NoBias
	return badinput.Knobs(shared,
		badinput.NewKnob("Fit", "C", badinput.NotNumbers, func(v float64) (any, error) { return inProblem(func(p *problem) { p.C.C = v }) }),
		badinput.NewKnob("Fit, squared hinge", "C", badinput.NotPositive, func(v float64) (any, error) {
			return inProblem(func(p *problem) { p.C.C, p.Loss = v, loss.SquaredHinge{} })
		}),
		badinput.NewKnob("Fit, logistic", "C", badinput.NotPositive, func(v float64) (any, error) {
			return inProblem(func(p *problem) { p.C.C, p.Loss = v, loss.Logistic{} })
		}),
		badinput.NewKnob("Fit", "C.Positive", badinput.NotPositive, func(v float64) (any, error) { return inProblem(func(p *problem) { p.C.Positive = v }) }),
		badinput.NewKnob("Fit", "C.Negative", badinput.NotPositive, func(v float64) (any, error) { return inProblem(func(p *problem) { p.C.Negative = v }) }),
		badinput.NewKnob("PerMean", "C", badinput.NotNumbers, func(v float64) (any, error) { return inProblem(func(p *problem) { p.C = svm.PerMean(v, 12) }) }),
		badinput.NewKnob("Lambda", "C", []float64{-1, badinput.NaN}, func(v float64) (any, error) { return inProblem(func(p *problem) { p.C = svm.Lambda(v, 12) }) }),
		badinput.NewKnob("Fit", "Epsilon", badinput.NotPositive, func(v float64) (any, error) {
			return inProblem(func(p *problem) { p.Loss = loss.EpsInsensitive{Epsilon: v} })
		}),
		badinput.NewKnob("Fit, squared tube", "Epsilon", badinput.NotPositive, func(v float64) (any, error) {
			return inProblem(func(p *problem) { p.Loss = loss.SquaredEpsInsensitive{Epsilon: v} })
		}),
		badinput.NewKnob("Fit", "Bias", []float64{-1, 4, 1 << 40}, func(v float64) (any, error) { return inProblem(func(p *problem) { p.Bias = svmkit.Bias(v) }) }),
		badinput.NewKnob("Fit", "Tol", badinput.NotPositive, func(v float64) (any, error) { return inSettings(func(o *svm.Settings) { o.Tol = v }) }),
		badinput.NewKnob("Fit", "MaxIterations", badinput.NegativeInt, func(v float64) (any, error) { return inSettings(func(o *svm.Settings) { o.MaxIterations = int(v) }) }),
		badinput.NewKnob("RBF", "Gamma", badinput.ZeroTooIsBad, func(v float64) (any, error) { return withKernel(kernel.RBF{Gamma: v}) }),
		badinput.NewKnob("Laplacian", "Gamma", badinput.ZeroTooIsBad, func(v float64) (any, error) { return withKernel(kernel.Laplacian{Gamma: v}) }),
		badinput.NewKnob("Polynomial", "Gamma", badinput.NotPositive, func(v float64) (any, error) { return withKernel(kernel.Polynomial{Gamma: v}) }),
		badinput.NewKnob("Polynomial", "Coef0", badinput.NotPositive, func(v float64) (any, error) { return withKernel(kernel.Polynomial{Coef0: v}) }),
		badinput.NewKnob("Polynomial", "Degree", badinput.NegativeInt, func(v float64) (any, error) { return withKernel(kernel.Polynomial{Degree: int(v)}) }),
		badinput.NewKnob("Sigmoid", "Gamma", badinput.NotPositive, func(v float64) (any, error) { return withKernel(kernel.Sigmoid{Gamma: v}) }),
		badinput.NewKnob("Sigmoid", "Coef0", badinput.NotFinite, func(v float64) (any, error) { return withKernel(kernel.Sigmoid{Coef0: v}) }),
		badinput.NewKnob("Precomputed", "N", []float64{0, -1, math.MinInt64}, func(v float64) (any, error) { return withKernel(kernel.Precomputed{N: int(v)}) }),
		badinput.NewKnob("Precomputed", "Gram(1,0)", badinput.NotFinite, func(v float64) (any, error) {
			return withKernel(kernel.Precomputed{N: 2, Gram: []float64{1, v, v, 1}})
		}),
		badinput.NewKnob("Precomputed, asymmetric", "Gram(1,0)", []float64{0.5, -1}, func(v float64) (any, error) {
			return withKernel(kernel.Precomputed{N: 2, Gram: []float64{1, v, 1, 1}})
		}),
		badinput.NewKnob("Precomputed, of other size", "Gram", []float64{0, 1, 3, 5}, func(v float64) (any, error) {
			return withKernel(kernel.Precomputed{N: 2, Gram: make([]float64, int(v))})
		}),
		badinput.NewKnob("SMO", "CacheBytes", badinput.NegativeInt, func(v float64) (any, error) { return by(svm.SMO{CacheBytes: int64(v)}, nil, noBias) }),
		badinput.NewKnob("Decomposition", "WorkingSet", badinput.NegativeInt, func(v float64) (any, error) {
			return by(svm.Decomposition{WorkingSet: int(v)}, nil, noBias)
		}),
		badinput.NewKnob("Decomposition", "MemoryBytes", badinput.NegativeInt, func(v float64) (any, error) {
			return by(svm.Decomposition{MemoryBytes: int64(v)}, nil, noBias)
		}),
		badinput.NewKnob("Pegasos", "Batch", badinput.NegativeInt, func(v float64) (any, error) { return by(svm.Pegasos{Batch: int(v)}, nil, noBias) }),
		badinput.NewKnob("PegasosStream.Learn", "Lambda", badinput.ZeroTooIsBad, func(v float64) (any, error) {
			p := &svm.PegasosStream{Lambda: v}
			return nil, p.Learn(ctx, once, nil)
		}),
	)
}

// wrongCombinations are values that are right by themselves and do not go together.
func wrongCombinations() []badinput.Case {
	by := func(name string, s svm.Solver, p svm.Problem, want badinput.Verdict) badinput.Case {
		p.Data = badinput.Good()
		return badinput.New(name, &p, func() (any, error) {
			r, err := svm.Fit(ctx, &p, s, nil)
			if r == nil {
				return nil, err
			}
			return r, err
		}, want)
	}
	certify := func(name string, beta []float64, want badinput.Verdict) badinput.Case {
		p := &svm.Problem{Data: badinput.Good()}
		return badinput.New("Certify of: "+name, []any{p, beta}, func() (any, error) { return p.Certify(beta) }, want)
	}
	start := func(name string, beta []float64, want badinput.Verdict) badinput.Case {
		p := &svm.Problem{Data: badinput.Good()}
		o := &svm.Settings{Start: beta}
		return badinput.New("Settings.Start: "+name, []any{p, o}, func() (any, error) { return svm.Fit(ctx, p, nil, o) }, want)
	}
	weights := func(name string, w []float64, c float64, want badinput.Verdict) badinput.Case {
		p := &svm.Problem{Data: badinput.Good(), C: svm.PerSum(c)}
		p.Data.Weight = w
		return badinput.New("Weight: "+name, p, func() (any, error) { return svm.Fit(ctx, p, nil, nil) }, want)
	}
	at := func(i int, v float64) []float64 {
		w := make([]float64, 12)
		for k := range w {
			w[k] = 1
		}
		w[i] = v
		return w
	}
	return []badinput.Case{
		by("DualCoordinate with a kernel", svm.DualCoordinate{}, svm.Problem{Kernel: kernel.RBF{Gamma: 1}}, badinput.Param("Kernel")),
		by("ProximalNewton with a kernel", svm.ProximalNewton{}, svm.Problem{Kernel: kernel.RBF{Gamma: 1}}, badinput.Param("Kernel")),
		by("ProximalNewton with a hard margin", svm.ProximalNewton{}, svm.Problem{C: svm.PerSum(badinput.Inf)}, badinput.Param("C")),
		by("ProximalNewton with logistic", svm.ProximalNewton{}, svm.Problem{Loss: loss.Logistic{}}, badinput.Param("Loss")),
		by("Newton with the hinge", svm.Newton{}, svm.Problem{}, badinput.Param("Solver")),
		by("Newton with a kernel", svm.Newton{}, svm.Problem{Loss: loss.SquaredHinge{}, Kernel: kernel.RBF{Gamma: 1}}, badinput.Param("Kernel")),
		by("SMO with logistic", svm.SMO{}, svm.Problem{Loss: loss.Logistic{}}, badinput.Param("Solver")),
		by("Decomposition with logistic", svm.Decomposition{}, svm.Problem{Loss: loss.Logistic{}}, badinput.Param("Solver")),
		by("Decomposition with sigmoid", svm.Decomposition{}, svm.Problem{Kernel: kernel.Sigmoid{}}, badinput.Param("Solver")),
		by("Decomposition with a hard margin", svm.Decomposition{}, svm.Problem{Kernel: kernel.RBF{Gamma: 1}, C: svm.PerSum(badinput.Inf)}, badinput.Param("Solver")),
		by("SDCA with a free bias", svm.SDCA{}, svm.Problem{}, badinput.Param("Bias")),
		by("SDCA with sigmoid", svm.SDCA{}, svm.Problem{Kernel: kernel.Sigmoid{}, Bias: svmkit.NoBias}, badinput.Param("Kernel")),
		by("Pegasos with a free bias", svm.Pegasos{}, svm.Problem{}, badinput.Param("Bias")),
		by("Pegasos with a kernel", svm.Pegasos{}, svm.Problem{Kernel: kernel.RBF{Gamma: 1}, Bias: svmkit.NoBias}, badinput.Param("Kernel")),
		by("Pegasos with the squared hinge", svm.Pegasos{}, svm.Problem{Loss: loss.SquaredHinge{}, Bias: svmkit.NoBias}, badinput.Param("Solver")),
		by("logistic with a kernel", nil, svm.Problem{Loss: loss.Logistic{}, Kernel: kernel.RBF{Gamma: 1}}, badinput.Param("Loss")),
		by("a pointer to a loss", nil, svm.Problem{Loss: &loss.Hinge{}}, badinput.Param("Loss")),
		by("a hard margin that does not exist", nil, svm.Problem{C: svm.PerSum(badinput.Inf)}, func(o badinput.Outcome) string {
			if _, ok := o.Err.(*svm.InseparableError); !ok || o.Err.Error() == "" {
				return fmt.Sprintf("%v", o.Err)
			}
			return ""
		}),
		by("PerMean of no rows", nil, svm.Problem{C: svm.PerMean(1, 0)}, badinput.Param("C")),
		by("PerMean of less than no rows", nil, svm.Problem{C: svm.PerMean(-1, -12)}, badinput.Param("C")),
		by("Lambda of no rows", nil, svm.Problem{C: svm.Lambda(1, 0)}, badinput.Param("C")),
		by("Lambda of less than no rows", nil, svm.Problem{C: svm.Lambda(-1, -12)}, badinput.Param("C")),
		by("C times Positive overflows", nil, svm.Problem{C: svm.Cost{C: 1e200, Positive: 1e200}}, badinput.InRow(0)),
		by("C times Negative vanishes", nil, svm.Problem{C: svm.Cost{C: 1e-200, Negative: 1e-200}}, badinput.InRow(0)),
		weights("one too few", at(0, 1)[:11], 1, badinput.InRow(svmkit.NoPlace)),
		weights("none", []float64{}, 1, badinput.InRow(svmkit.NoPlace)),
		weights("all zero", make([]float64, 12), 1, badinput.InRow(svmkit.NoPlace)),
		weights("negative", at(11, -1), 1, badinput.InRow(11)),
		weights("NaN", at(0, badinput.NaN), 1, badinput.InRow(0)),
		weights("Inf", at(5, badinput.Inf), 1, badinput.InRow(5)),
		weights("times C overflows", at(7, 1e200), 1e200, badinput.InRow(7)),
		weights("times C vanishes", at(7, 1e-200), 1e-200, badinput.InRow(7)),
		certify("nil", nil, badinput.Data(svmkit.ErrMismatch, badinput.None, badinput.None)),
		certify("one too few", make([]float64, 11), badinput.Data(svmkit.ErrMismatch, badinput.None, badinput.None)),
		certify("NaN", at(2, badinput.NaN), badinput.Data(svmkit.ErrNotFinite, 2, badinput.None)),
		certify("Inf", at(9, badinput.Inf), badinput.Data(svmkit.ErrNotFinite, 9, badinput.None)),
		certify("1e300", at(9, 1e300), sound),
		certify("a denormal", at(9, 5e-324), sound),
		start("one too few", make([]float64, 11), badinput.Data(svmkit.ErrMismatch, badinput.None, badinput.None)),
		start("empty", []float64{}, badinput.Data(svmkit.ErrMismatch, badinput.None, badinput.None)),
		start("NaN", at(2, badinput.NaN), badinput.Data(svmkit.ErrNotFinite, 2, badinput.None)),
		start("-Inf", at(9, -badinput.Inf), badinput.Data(svmkit.ErrNotFinite, 9, badinput.None)),
		start("1e300", at(9, 1e300), sound),
	}
}

func nilCases() []badinput.Case {
	var (
		noContext  context.Context
		noProblem  *svm.Problem
		noExamples iter.Seq2[svmkit.Row, float64]
	)
	p := &svm.Problem{Data: badinput.Good()}
	once := badinput.Good().All()
	c := func(name string, want badinput.Verdict, call func() (any, error)) badinput.Case {
		return badinput.New(name, p, call, want)
	}
	cases := []badinput.Case{
		c("Fit: context", badinput.Param("ctx"), func() (any, error) { return svm.Fit(noContext, p, nil, nil) }),
		c("Fit: problem", badinput.Param("Problem"), func() (any, error) { return svm.Fit(ctx, nil, nil, nil) }),
		c("Fit: problem without data", badinput.Data(svmkit.ErrEmpty, badinput.None, badinput.None), func() (any, error) { return svm.Fit(ctx, &svm.Problem{}, nil, nil) }),
		c("Fit: solver and settings", sound, func() (any, error) { return svm.Fit(ctx, p, nil, nil) }),
		c("Fit: solver, a nil pointer", badinput.Param("Solver"), func() (any, error) { return svm.Fit(ctx, p, (*svm.SMO)(nil), nil) }),
		c("Fit: loss, a nil pointer", badinput.Param("Loss"), func() (any, error) {
			return svm.Fit(ctx, &svm.Problem{Data: p.Data, Loss: (*loss.Hinge)(nil)}, nil, nil)
		}),
		c("Fit: kernel, a nil function", badinput.Param("Kernel"), func() (any, error) {
			return svm.Fit(ctx, &svm.Problem{Data: p.Data, Kernel: kernel.Func(nil)}, nil, nil)
		}),
		c("Fit: kernel, a nil pointer", badinput.Param("Kernel"), func() (any, error) {
			return svm.Fit(ctx, &svm.Problem{Data: p.Data, Kernel: (*kernel.RBF)(nil)}, nil, nil)
		}),
		c("Problem.Validate", badinput.Param("Problem"), func() (any, error) { return nil, noProblem.Validate() }),
		c("Certify", badinput.Param("Problem"), func() (any, error) { return noProblem.Certify(nil) }),
		// A reader or writer that is nil is a bug of the calling code, as for the functions of package io.,
	}
	stream := &svm.PegasosStream{Lambda: 1}
	return append(cases,
		c("PegasosStream.Learn: context", badinput.Param("ctx"), func() (any, error) { return nil, stream.Learn(noContext, once, nil) }),
		c("PegasosStream.Learn: examples", badinput.Param("examples"), func() (any, error) { return nil, stream.Learn(ctx, noExamples, nil) }))
}

func kernelCases() (cases []badinput.Case) {
	bad := []struct {
		name string
		k    kernel.Kernel
		want badinput.Verdict
	}{
		{"panics", between(func() float64 { panic("odd rows") }), eval(3, 7, "odd rows")},
		{"panics with an error", between(func() float64 { panic(errMine) }), badinput.OneOf(eval(3, 7, "my own fault"), badinput.Is(errMine))},
		{"panics by an index", between(func() float64 { return svmkit.Row{}.Value[3] }), eval(3, 7, "index out of range")},
		{"returns NaN", between(func() float64 { return badinput.NaN }), eval(3, 7, "NaN")},
		{"returns +Inf", between(func() float64 { return badinput.Inf }), eval(3, 7, "+Inf")},
		{"returns -Inf", between(func() float64 { return -badinput.Inf }), eval(3, 7, "-Inf")},
		{"panics at once", kernel.Func(func(x, z svmkit.Row) float64 { panic("always") }), eval(0, 0, "always")},
		{"is NaN everywhere", kernel.Func(func(x, z svmkit.Row) float64 { return badinput.NaN }), eval(0, 0, "NaN")},
	}
	solvers := map[string]svm.Solver{"SMO": svm.SMO{}, "SMO without shrinking": svm.SMO{NoShrinking: true}, "Decomposition": svm.Decomposition{}, "SDCA": svm.SDCA{}, "default": nil}
	for _, b := range bad {
		for name, s := range solvers {
			p := &svm.Problem{Data: badinput.Good(), Kernel: b.k, Bias: svmkit.PenalizedBias}
			cases = append(cases, badinput.New("kernel "+b.name+": "+name, p, func() (any, error) { return svm.Fit(ctx, p, s, &svm.Settings{Tol: 1e-6}) }, b.want))
		}
		p := &svm.Problem{Data: badinput.Good(), Kernel: b.k}
		ones := make([]float64, 12)
		for i := range ones {
			ones[i] = p.Data.Y[i]
		}
		cases = append(cases, badinput.New("kernel "+b.name+": Certify", p, func() (any, error) { return p.Certify(ones) }, b.want))
	}
	wrong := map[string]kernel.Kernel{
		"is asymmetric":                  kernel.Func(func(x, z svmkit.Row) float64 { return x.DotRow(z) + x.At(0) }),
		"depends on the order":           kernel.Func(func(x, z svmkit.Row) float64 { return x.At(0)*z.At(1) - x.At(1) }),
		"is negative":                    kernel.Func(func(x, z svmkit.Row) float64 { return -x.DotRow(z) }),
		"is zero":                        kernel.Func(func(x, z svmkit.Row) float64 { return 0 }),
		"is constant":                    kernel.Func(func(x, z svmkit.Row) float64 { return 1 }),
		"is 1e300":                       kernel.Func(func(x, z svmkit.Row) float64 { return 1e300 }),
		"is a denormal":                  kernel.Func(func(x, z svmkit.Row) float64 { return 5e-324 }),
		"is of other values every time":  moody(),
		"is a pointer to a built-in one": &kernel.RBF{Gamma: 1},
	}
	for what, k := range wrong {
		for name, s := range solvers {
			for _, l := range []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{}, loss.EpsInsensitive{Epsilon: 0.1}} {
				p := &svm.Problem{Data: badinput.Good(), Kernel: k, Loss: l, Bias: svmkit.NoBias}
				cases = append(cases, badinput.New(fmt.Sprintf("kernel %s: %s, %T", what, name, l), p, func() (any, error) {
					r, err := svm.Fit(ctx, p, s, &svm.Settings{MaxIterations: oddIterations})
					if r == nil {
						return nil, err
					}
					return fitted{r, 1e-3}, err
				}, sound))
			}
		}
	}
	return cases
}

// between is a kernel that is linear except for rows 3 and 7 of good.
func between(odd func() float64) kernel.Func {
	return func(x, z svmkit.Row) float64 {
		if x.Value[0] == 0.5 && z.Value[1] == -0.5 || z.Value[0] == 0.5 && x.Value[1] == -0.5 {
			return odd()
		}
		return x.DotRow(z) + 1
	}
}

// moody is a kernel that gives another value at every call.
func moody() kernel.Func {
	var calls atomic.Uint64
	return func(x, z svmkit.Row) float64 { return x.DotRow(z) + 1/float64(calls.Add(1)) }
}

// solvable is each solver with a problem of good that it takes.
func solvable() map[string]func() (*svm.Problem, svm.Solver) {
	p := func(q svm.Problem, s svm.Solver) func() (*svm.Problem, svm.Solver) {
		return func() (*svm.Problem, svm.Solver) { q := q; q.Data = badinput.Good(); return &q, s }
	}
	return map[string]func() (*svm.Problem, svm.Solver){
		"DualCoordinate": p(svm.Problem{}, svm.DualCoordinate{}), "ProximalNewton": p(svm.Problem{}, svm.ProximalNewton{}),
		"Newton": p(svm.Problem{Loss: loss.Logistic{}}, svm.Newton{}), "Newton by gradients": p(svm.Problem{Loss: loss.SquaredHinge{}}, svm.Newton{Dense: -1}),
		"SMO": p(svm.Problem{Kernel: kernel.RBF{Gamma: 1}}, svm.SMO{}), "Decomposition": p(svm.Problem{Kernel: kernel.RBF{Gamma: 1}}, svm.Decomposition{}),
		"SDCA": p(svm.Problem{Bias: svmkit.NoBias}, svm.SDCA{}), "Pegasos": p(svm.Problem{Bias: svmkit.NoBias}, svm.Pegasos{}), "default": p(svm.Problem{}, nil),
	}
}

func callbackCases() (cases []badinput.Case) {
	for name, prepare := range solvable() {
		p, s := prepare()
		with := func(what string, progress func(svmkit.Progress) bool, want badinput.Verdict) {
			o := &svm.Settings{Tol: 1e-14, MaxIterations: oddIterations, Progress: progress}
			cases = append(cases, badinput.New("Progress "+what+": "+name, []any{p, o}, func() (any, error) { return svm.Fit(ctx, p, s, o) }, want))
		}
		with("panics", func(svmkit.Progress) bool { panic(errMine) }, badinput.Panics("my own fault"))
		with("stops", func(svmkit.Progress) bool { return false }, func(o badinput.Outcome) string {
			r, _ := o.Value.(*svm.Result)
			if wrong := sound(o); wrong != "" || r == nil || r.Status != svmkit.Stopped && r.Status != svmkit.Optimal {
				return fmt.Sprintf("%s %+v", wrong, o.Value)
			}
			return ""
		})
	}
	return cases
}

// cancelCases: a context that has ended before, or ends in a callback.
func cancelCases() (cases []badinput.Case) {
	ended, cancel := context.WithCancelCause(ctx)
	cancel(errMine)
	add := func(what string, keep any, want badinput.Verdict, call func() (any, error)) {
		cases = append(cases, badinput.New(what, keep, call, want))
	}
	for name, prepare := range solvable() {
		p, s := prepare()
		add("context ended: "+name, p, badinput.Cancelled(context.Canceled, certificateOf), func() (any, error) { return svm.Fit(ended, p, s, nil) })
		add("context ends in Progress: "+name, p, badinput.Cancelled(context.Canceled, certificateOf), func() (any, error) {
			inner, end := context.WithCancel(ctx)
			defer end()
			r, err := svm.Fit(inner, p, s, &svm.Settings{Tol: 1e-300, MaxIterations: math.MaxInt, Progress: func(svmkit.Progress) bool { end(); return true }})
			if err == nil && (r.Status == svmkit.Stalled || r.Status == svmkit.Optimal) { // at its end before it looked
				err = context.Canceled
			}
			return r, err
		})
	}
	return cases
}

// A candidate is a solver with a problem that it takes; the data are put in later.
type candidate struct {
	name   string
	solver svm.Solver
	svm.Problem
	tol float64
}

// candidates is every solver with every loss, and each kind of kernel and bias at least once.
func candidates() (all []candidate) {
	hinges := []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{}, loss.EpsInsensitive{Epsilon: 0.1}, loss.SquaredEpsInsensitive{Epsilon: 0.1}}
	smooth := []loss.Trainable{loss.SquaredHinge{}, loss.SquaredEpsInsensitive{}, loss.Logistic{}}
	add := func(s svm.Solver, tol float64, losses []loss.Trainable, kernels []kernel.Kernel, biases ...svmkit.Bias) {
		for n, l := range losses {
			for m, k := range kernels {
				b := biases[(n+m)%len(biases)]
				all = append(all, candidate{fmt.Sprintf("%T%v %T %T %v", s, s, l, k, b), s, svm.Problem{Loss: l, Kernel: k, Bias: b}, tol})
			}
		}
	}
	linear, definite := []kernel.Kernel{nil}, []kernel.Kernel{nil, kernel.RBF{Gamma: 0.5}, kernel.Polynomial{Degree: 2, Coef0: 1}}
	any := append(definite, kernel.Laplacian{Gamma: 1}, kernel.Sigmoid{Gamma: 0.1})
	free, pen, no := svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias
	add(svm.DualCoordinate{}, 1e-3, hinges, linear, free, pen, no)
	add(svm.ProximalNewton{}, 1e-3, hinges, linear, free, pen, no)
	add(svm.Newton{}, 1e-3, smooth, linear, pen, no, free)
	add(svm.Newton{Dense: -1}, 1e-3, smooth, linear, free, no, pen)
	add(svm.SMO{}, 1e-3, hinges, any, free, pen, no)
	add(svm.Decomposition{}, 1e-3, hinges, definite, free, no, pen)
	add(svm.SDCA{}, 1e-2, hinges, definite, pen, no)
	add(svm.Pegasos{}, 0.1, hinges[:1], linear, pen, no)
	add(nil, 1e-3, append(hinges, loss.Logistic{}), linear, free)
	return all
}

// oddIterations ends the fits that do not converge: what they return has to be sound all the same.
const oddIterations = 50

func oddSets() (cases []badinput.Case) {
	for _, odd := range badinput.OddSets {
		for _, m := range candidates() {
			p := m.Problem
			p.Data = odd.Set()
			name := odd.Name + ": " + m.name
			want := sound
			switch i, overflow := overflows(&p); {
			case overflow && p.Kernel == nil:
				want = badinput.Data(svmkit.ErrNotFinite, i, badinput.None)
			case overflow:
				want = badinput.OverflowOr(sound) // if the fit asks for that value
			}
			cases = append(cases, badinput.New(name, &p, func() (any, error) {
				r, err := svm.Fit(ctx, &p, m.solver, &svm.Settings{Tol: m.tol, MaxIterations: oddIterations})
				if r == nil {
					return nil, err
				}
				return fitted{r, m.tol}, err
			}, want))
		}
	}
	return cases
}

// overflows returns the first row of which a kernel value is not finite; without a kernel, the first
// whose squared norm is not.
func overflows(p *svm.Problem) (row int, overflow bool) {
	for i, x := range p.Data.X {
		if p.Kernel == nil {
			if math.IsInf(x.SquaredNorm(), 1) {
				return i, true
			}
			continue
		}
		for _, z := range p.Data.X[i:] {
			if v := p.Kernel.Eval(x, z); math.IsNaN(v) || math.IsInf(v, 0) {
				return i, true
			}
		}
	}
	return 0, false
}

// A trained model, and rows that it was not made for. A dense row of another length is a bug of the
// calling code: it panics, in the caller's goroutine, with both lengths. A sparse row has no length:
// columns beyond the data's are ignored by a linear model. NaN gives NaN, and no class.
func predictionCases() (cases []badinput.Case) {
	fitted := func(k kernel.Kernel) *svm.Model {
		r, err := svm.Fit(ctx, &svm.Problem{Data: badinput.Spoiled(func(s *svmkit.Dataset) { s.Classes = []string{"a", "b"} }), Kernel: k}, nil, nil)
		if err != nil {
			panic(err)
		}
		r.Model.Platt = &svm.Platt{A: -1}
		return &r.Model
	}
	mine := kernel.Func(func(x, z svmkit.Row) float64 { return x.DotRow(z) + 1 })
	short, long, nothing := svmkit.Dense(1), svmkit.Dense(1, 2, 3), svmkit.Row{}
	bad := svmkit.Dense(1, badinput.NaN)
	beyond := svmkit.Row{Index: []int32{1, 1 << 30}, Value: []float64{2, 7}}
	within := svmkit.Row{Index: []int32{1}, Value: []float64{2}}
	for name, m := range map[string]*svm.Model{"linear": fitted(nil), "rbf": fitted(kernel.RBF{Gamma: 1}), "polynomial": fitted(kernel.Polynomial{Degree: 2}),
		"laplacian": fitted(kernel.Laplacian{Gamma: 1}), "sigmoid": fitted(kernel.Sigmoid{Gamma: 0.1}), "a user's": fitted(mine)} {
		add := func(what string, call func() (any, error), want badinput.Verdict) {
			cases = append(cases, badinput.New(name+": "+what, m, call, want))
		}
		number1 := func(f func(x svmkit.Row) float64) func(x svmkit.Row) func() (any, error) {
			return func(x svmkit.Row) func() (any, error) { return func() (any, error) { return f(x), nil } }
		}
		all := func(x svmkit.Row) float64 { return m.ScoreAll([]svmkit.Row{svmkit.Dense(1, 1), x})[1] }
		many := func(x svmkit.Row) float64 { // so many that all processors take part
			rows := make([]svmkit.Row, 2000)
			for i := range rows {
				rows[i] = svmkit.Dense(1, float64(i))
			}
			rows[1999] = x
			return m.ScoreAll(rows)[1999]
		}
		for what, f := range map[string]func(x svmkit.Row) func() (any, error){"Score": number1(m.Score), "Predict": number1(func(x svmkit.Row) float64 { return m.Predict(x).Y }),
			"Probability": number1(m.Probability), "ScoreAll": number1(all), "ScoreAll of 2000": number1(many)} {
			add(what+" of a short row", f(short), badinput.Panics("meets"))
			add(what+" of a long row", f(long), badinput.Panics("meets"))
			add(what+" of a row of nothing", f(nothing), badinput.Panics("meets"))
			add(what+" of NaN", f(bad), badinput.Number(badinput.NaN))
		}
		add("Margin of NaN", func() (any, error) { return m.Margin(bad, 1), nil }, badinput.Number(badinput.NaN))
		add("Class of NaN", func() (any, error) { return m.Predict(bad).Name == "", nil }, badinput.True)
		add("ScoreAll of no rows", func() (any, error) { return len(m.ScoreAll(nil)) == 0, nil }, badinput.True)
		add("Class of a row of nothing", func() (any, error) { return m.Predict(nothing).Name, nil }, badinput.Panics("meets"))
		if name == "linear" {
			add("Score of a sparse row beyond", func() (any, error) { return m.Score(beyond), nil }, badinput.Number(m.Score(within)))
			add("ScoreAll of a sparse row beyond", func() (any, error) { return all(beyond), nil }, badinput.Number(m.Score(within)))
		}
	}
	stream := &svm.PegasosStream{Lambda: 1}
	if err := stream.Learn(ctx, badinput.Good().All(), nil); err != nil {
		panic(err)
	}
	return append(cases,
		badinput.New("PegasosStream: Score of a short row", stream, func() (any, error) { return stream.Score(short), nil }, badinput.Panics("meets")),
		badinput.New("PegasosStream: Score of a long row", stream, func() (any, error) { return stream.Score(long), nil }, badinput.Panics("meets")),
		badinput.New("PegasosStream: Score of NaN", stream, func() (any, error) { return stream.Score(bad), nil }, badinput.Number(badinput.NaN)))
}

func plattCases() []badinput.Case {
	fit := func(name string, scores, labels []float64, want badinput.Verdict) badinput.Case {
		return badinput.New("FitPlatt: "+name, []any{scores, labels}, func() (any, error) {
			p, err := svm.FitPlatt(scores, labels)
			if v := p.A + p.B + p.Probability(1e308) + p.Probability(-1e308); err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
				return nil, fmt.Errorf("%+v", p)
			}
			return p, err
		}, want)
	}
	signs := []float64{1, -1, 1, -1}
	return []badinput.Case{
		fit("nil", nil, nil, badinput.Data(svmkit.ErrEmpty, badinput.None, badinput.None)),
		fit("lengths", []float64{1, 2}, signs, badinput.Data(svmkit.ErrMismatch, badinput.None, badinput.None)),
		fit("NaN", []float64{1, badinput.NaN, 1, 1}, signs, badinput.Data(svmkit.ErrNotFinite, 1, badinput.None)),
		fit("Inf", []float64{1, 1, 1, -badinput.Inf}, signs, badinput.Data(svmkit.ErrNotFinite, 3, badinput.None)),
		fit("label 0", []float64{1, 2, 3}, []float64{1, 0, -1}, badinput.Data(svmkit.ErrLabel, 1, badinput.None)),
		fit("label NaN", []float64{1, 2, 3}, []float64{1, -1, badinput.NaN}, badinput.Data(svmkit.ErrLabel, 2, badinput.None)),
		fit("one class", []float64{1, 2}, []float64{1, 1}, badinput.Data(svmkit.ErrOneClass, badinput.None, badinput.None)),
		fit("all zero", []float64{0, 0, 0, 0}, signs, badinput.Fine),
		fit("all equal", []float64{7, 7, 7, 7}, signs, badinput.Fine),
		fit("separated", []float64{9, -9, 9, -9}, signs, badinput.Fine),
		fit("1e300", []float64{1e300, -1e300, 1, 2}, signs, badinput.Fine),
		fit("denormals", []float64{5e-324, -5e-324, 0, 0}, signs, badinput.Fine),
		fit("1e-300 beside 1e300", []float64{1e-300, -1e300, 1e300, 2}, signs, badinput.Fine),
		badinput.New("Probability of NaN", nil, func() (any, error) { return svm.Platt{A: -1}.Probability(badinput.NaN), nil }, badinput.Number(badinput.NaN)),
		badinput.New("Probability of Inf", nil, func() (any, error) { return svm.Platt{A: -1}.Probability(badinput.Inf), nil }, badinput.Number(1)),
		badinput.New("Probability of -Inf", nil, func() (any, error) { return svm.Platt{A: -1}.Probability(-badinput.Inf), nil }, badinput.Number(0)),
		badinput.New("Probability without Platt", nil, func() (any, error) {
			return (&svm.Model{Weights: []float64{1}}).Probability(svmkit.Dense(1)), nil
		}, badinput.Number(badinput.NaN)),
	}
}
