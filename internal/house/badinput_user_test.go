package house

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/perceptron"
	"github.com/svmkit/course/svmkit/separate"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// What users plug in and what comes back:
//
//   - a kernel that panics or returns no finite number: a *kernel.EvalError that names the rows;
//   - a fitter, a metric, a model or a callback that panics in a goroutine of the library: a
//     *svmkit.PanicError, with the fold or the class;
//   - a callback that panics in the caller's own goroutine: that panic, for the caller to recover;
//   - a kernel that is no kernel (asymmetric, indefinite): an end without a claim that is not true;
//   - a context that ends, a callback that stops: the best so far.
var errMine = errors.New("my own fault")

// userCases is every kind of misbehaviour in every place that calls a user's function.
func userCases() (cases []badInput) {
	for _, table := range [][]badInput{kernelCases(), callbackCases(), fitterCases(), cancelCases()} {
		cases = append(cases, table...)
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

func kernelCases() (cases []badInput) {
	bad := []struct {
		name string
		k    kernel.Kernel
		want verdict
	}{
		{"panics", between(func() float64 { panic("odd rows") }), eval(3, 7, "odd rows")},
		{"panics with an error", between(func() float64 { panic(errMine) }), oneOf(eval(3, 7, "my own fault"), is(errMine))},
		{"panics by an index", between(func() float64 { return svmkit.Row{}.Value[3] }), eval(3, 7, "index out of range")},
		{"returns NaN", between(func() float64 { return nan }), eval(3, 7, "NaN")},
		{"returns +Inf", between(func() float64 { return inf }), eval(3, 7, "+Inf")},
		{"returns -Inf", between(func() float64 { return -inf }), eval(3, 7, "-Inf")},
		{"panics at once", kernel.Func(func(x, z svmkit.Row) float64 { panic("always") }), eval(0, 0, "always")},
		{"is NaN everywhere", kernel.Func(func(x, z svmkit.Row) float64 { return nan }), eval(0, 0, "NaN")},
	}
	solvers := map[string]svm.Solver{"SMO": svm.SMO{}, "SMO without shrinking": svm.SMO{NoShrinking: true}, "Decomposition": svm.Decomposition{}, "SDCA": svm.SDCA{}, "default": nil}
	for _, b := range bad {
		for name, s := range solvers {
			p := &svm.Problem{Data: good(), Kernel: b.k, Bias: svmkit.PenalizedBias}
			cases = append(cases, badInput{"kernel " + b.name + ": " + name, p, func() (any, error) { return svm.Fit(ctx, p, s, &svm.Settings{Tol: 1e-6}) }, b.want})
		}
		p := &svm.Problem{Data: good(), Kernel: b.k}
		ones := make([]float64, 12)
		for i := range ones {
			ones[i] = p.Data.Y[i]
		}
		cases = append(cases, badInput{"kernel " + b.name + ": Certify", p, func() (any, error) { return p.Certify(ones) }, b.want})
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
				p := &svm.Problem{Data: good(), Kernel: k, Loss: l, Bias: svmkit.NoBias}
				cases = append(cases, badInput{fmt.Sprintf("kernel %s: %s, %T", what, name, l), p, func() (any, error) {
					r, err := svm.Fit(ctx, p, s, &svm.Settings{MaxIterations: oddIterations})
					if r == nil {
						return nil, err
					}
					return fitted{r, 1e-3}, err
				}, fine})
			}
		}
	}
	k := &perceptron.Kernelized{Kernel: bad[3].k}
	cases = append(cases, badInput{"kernel returns NaN: Kernelized.Fit", good(), func() (any, error) {
		_, err := k.Fit(ctx, good(), perceptron.Stop{})
		return nil, err
	}, is(svmkit.ErrNotFinite)})
	return append(cases, badInput{"kernel panics: Kernelized.Fit", good(), func() (any, error) {
		return (&perceptron.Kernelized{Kernel: bad[0].k}).Fit(ctx, good(), perceptron.Stop{})
	}, panics("odd rows")})
}

// moody is a kernel that gives another value at every call.
func moody() kernel.Func {
	var calls atomic.Uint64
	return func(x, z svmkit.Row) float64 { return x.DotRow(z) + 1/float64(calls.Add(1)) }
}

// everySolver is each solver with a problem of good that it takes.
func everySolver() map[string]func() (*svm.Problem, svm.Solver) {
	p := func(q svm.Problem, s svm.Solver) func() (*svm.Problem, svm.Solver) {
		return func() (*svm.Problem, svm.Solver) { q := q; q.Data = good(); return &q, s }
	}
	return map[string]func() (*svm.Problem, svm.Solver){
		"DualCoordinate": p(svm.Problem{}, svm.DualCoordinate{}), "ProximalNewton": p(svm.Problem{}, svm.ProximalNewton{}),
		"Newton": p(svm.Problem{Loss: loss.Logistic{}}, svm.Newton{}), "Newton by gradients": p(svm.Problem{Loss: loss.SquaredHinge{}}, svm.Newton{Dense: -1}),
		"SMO": p(svm.Problem{Kernel: kernel.RBF{Gamma: 1}}, svm.SMO{}), "Decomposition": p(svm.Problem{Kernel: kernel.RBF{Gamma: 1}}, svm.Decomposition{}),
		"SDCA": p(svm.Problem{Bias: svmkit.NoBias}, svm.SDCA{}), "Pegasos": p(svm.Problem{Bias: svmkit.NoBias}, svm.Pegasos{}), "default": p(svm.Problem{}, nil),
	}
}

func callbackCases() (cases []badInput) {
	for name, prepare := range everySolver() {
		p, s := prepare()
		with := func(what string, progress func(svmkit.Progress) bool, want verdict) {
			o := &svm.Settings{Tol: 1e-14, MaxIterations: oddIterations, Progress: progress}
			cases = append(cases, badInput{"Progress " + what + ": " + name, []any{p, o}, func() (any, error) { return svm.Fit(ctx, p, s, o) }, want})
		}
		with("panics", func(svmkit.Progress) bool { panic(errMine) }, panics("my own fault"))
		with("stops", func(svmkit.Progress) bool { return false }, func(o outcome) string {
			r, _ := o.value.(*svm.Result)
			if wrong := fine(o); wrong != "" || r == nil || r.Status != svmkit.Stopped && r.Status != svmkit.Optimal {
				return fmt.Sprintf("%s %+v", wrong, o.value)
			}
			return ""
		})
	}
	set := good()
	cs := multiclass.CrammerSinger{Data: set}
	loud := &multiclass.Settings{Tol: 1e-14, Progress: func(svmkit.Progress) bool { panic(errMine) }}
	stop := perceptron.Stop{Epochs: 3, Progress: func(svmkit.Progress) bool { panic(errMine) }}
	cases = append(cases, badInput{"Progress panics: CrammerSinger", set, func() (any, error) { return cs.Fit(ctx, loud) }, panics("my own fault")})
	for name, l := range learners() {
		cases = append(cases, badInput{"Progress panics: " + name, set, func() (any, error) { return l.fit(ctx, set, stop) }, panics("my own fault")},
			badInput{"examples panic: " + name, set, func() (any, error) {
				return nil, l.learn(ctx, func(yield func(svmkit.Row, float64) bool) { panic(errMine) })
			}, panics("my own fault")})
	}
	return cases
}

// fitterCases: what tune and multiclass call runs in goroutines of theirs.
func fitterCases() (cases []badInput) {
	set := good()
	boom := func(context.Context, *svmkit.Dataset) (svmkit.Model, error) { panic("boom") }
	fails := func(context.Context, *svmkit.Dataset) (svmkit.Model, error) { return nil, errMine }
	exits := func(context.Context, *svmkit.Dataset) (svmkit.Model, error) { runtime.Goexit(); return nil, nil }
	train := func(f svmkit.Fitter) tune.ParamFitter {
		return func(ctx context.Context, s *svmkit.Dataset, _ tune.Params, _ svmkit.Model) (svmkit.Model, error) {
			return f(ctx, s)
		}
	}
	scores := func(f func() float64) svmkit.Fitter {
		return func(context.Context, *svmkit.Dataset) (svmkit.Model, error) {
			return svmkit.AsModel(scorer(f), nil), nil
		}
	}
	for _, threads := range []int{0, 1} {
		v := tune.Validation{Folds: halves(), Threads: threads}
		add := func(what string, want verdict, call func() (any, error)) {
			cases = append(cases, badInput{fmt.Sprintf("%s, %d threads", what, threads), []any{set, v}, call, want})
		}
		grid, inner := tune.Grid{C: []float64{1, 2}}, tune.Inner{Folds: 2, Grid: tune.Grid{C: []float64{1, 2}}}
		for name, f := range map[string]svmkit.Fitter{"panics": boom, "fails": fails, "ends its goroutine": exits} {
			want := map[string]verdict{"panics": panicked("boom"), "fails": is(errMine), "ends its goroutine": panicked("ended")}[name]
			place := func(fold int) verdict {
				if name == "ends its goroutine" { // the goroutine that adds the place has ended
					return want
				}
				return inFold(fold, want)
			}
			add("fitter "+name+": CrossValidate", place(0), func() (any, error) { return v.CrossValidate(ctx, set, f) })
			add("fitter "+name+": Permuted", place(0), func() (any, error) { return v.Permuted(ctx, set, f, tune.Permutation{Rounds: 3}) })
			add("fitter "+name+": Search", place(0), func() (any, error) { return v.Search(ctx, set, train(f), grid) })
			add("fitter "+name+": Nested", place(0), func() (any, error) { return v.Nested(ctx, set, train(f), inner) })
			add("fitter "+name+": OneVsRest", want, func() (any, error) { return multiclass.OneVsRest{Binary: f, Threads: threads}.Fit(ctx, set) })
			add("fitter "+name+": OneVsOne", want, func() (any, error) { return multiclass.OneVsOne{Binary: f, Threads: threads}.Fit(ctx, set) })
		}
		add("model panics: CrossValidate", inFold(0, panicked("boom")), func() (any, error) {
			return v.CrossValidate(ctx, set, scores(func() float64 { panic("boom") }))
		})
		add("model gives NaN: CrossValidate", inFold(0, data(tune.ErrScore, 0, none)), func() (any, error) {
			return v.CrossValidate(ctx, set, scores(func() float64 { return nan }))
		})
		add("model gives Inf: CrossValidate", fine, func() (any, error) { return v.CrossValidate(ctx, set, scores(func() float64 { return inf })) })
		for name, m := range map[string]tune.Metric{"panics": metric(func() (float64, error) { panic("boom") }), "fails": metric(func() (float64, error) { return 0, errMine }),
			"gives NaN": metric(func() (float64, error) { return nan, nil })} {
			want := map[string]verdict{"panics": panicked("boom"), "fails": is(errMine), "gives NaN": is(svmkit.ErrNotFinite)}[name]
			v := v
			v.Metric = m
			add("metric "+name+": CrossValidate", inFold(0, want), func() (any, error) { return v.CrossValidate(ctx, set, plainFit) })
			add("metric "+name+": Search", inFold(0, want), func() (any, error) { return v.Search(ctx, set, plainTrain, grid) })
		}
		loud := v
		loud.Progress = func(svmkit.Progress) bool { panic("boom") }
		add("Progress panics: CrossValidate", panicked("Progress", "boom"), func() (any, error) { return loud.CrossValidate(ctx, set, plainFit) })
		add("Progress panics: Search", panicked("Progress", "boom"), func() (any, error) { return loud.Search(ctx, set, plainTrain, grid) })
		add("Progress panics: Permuted", panicked("Progress", "boom"), func() (any, error) {
			return loud.Permuted(ctx, set, plainFit, tune.Permutation{Rounds: 2})
		})
		add("rows of another length: CrossValidate", inFold(0, panicked("meets")), func() (any, error) {
			return v.CrossValidate(ctx, set, func(context.Context, *svmkit.Dataset) (svmkit.Model, error) {
				return svmkit.AsModel(svmkit.Hyperplane{W: []float64{1}}, nil), nil
			})
		})
	}
	return append(cases, badInput{"folds that are one: CrossValidate", set, func() (any, error) {
		return tune.Validation{Folds: []tune.Fold{{Train: []int{0, 2}, Test: []int{1}}}}.CrossValidate(ctx, set, plainFit)
	}, inFold(0, data(svmkit.ErrOneClass, none, none))})
}

type scorer func() float64

func (s scorer) Score(svmkit.Row) float64             { return s() }
func (s scorer) Predict(svmkit.Row) svmkit.Prediction { return svmkit.SignPrediction(s(), nil) }

func metric(value func() (float64, error)) tune.Metric {
	return tune.Metric{Name: "metric", Higher: true, Measure: func(*svmkit.Dataset, tune.Predictions) (float64, error) { return value() }}
}

// cancelCases: a context that has ended before, or ends in a callback.
func cancelCases() (cases []badInput) {
	ended, cancel := context.WithCancelCause(ctx)
	cancel(errMine)
	set := good()
	v := tune.Validation{Folds: halves()}
	grid := tune.Grid{C: []float64{1}}
	add := func(what string, keep any, want verdict, call func() (any, error)) {
		cases = append(cases, badInput{what, keep, call, want})
	}
	for name, prepare := range everySolver() {
		p, s := prepare()
		add("context ended: "+name, p, cancelled(context.Canceled), func() (any, error) { return svm.Fit(ended, p, s, nil) })
		add("context ends in Progress: "+name, p, cancelled(context.Canceled), func() (any, error) {
			inner, end := context.WithCancel(ctx)
			defer end()
			r, err := svm.Fit(inner, p, s, &svm.Settings{Tol: 1e-300, MaxIterations: 1 << 40, Progress: func(svmkit.Progress) bool { end(); return true }})
			if err == nil && (r.Status == svmkit.Stalled || r.Status == svmkit.Optimal) { // at its end before it looked
				err = context.Canceled
			}
			return r, err
		})
	}
	add("context ended: separate.Decide", set, cancelled(context.Canceled), func() (any, error) { return separate.Decide(ended, set, svmkit.FreeBias) })
	add("context ended: CrammerSinger", set, cancelled(context.Canceled), func() (any, error) { return multiclass.CrammerSinger{Data: set}.Fit(ended, nil) })
	add("context ended: OneVsRest", set, is(context.Canceled), func() (any, error) { return multiclass.OneVsRest{Binary: plainFit}.Fit(ended, set) })
	add("context ended: OneVsOne", set, is(context.Canceled), func() (any, error) { return multiclass.OneVsOne{Binary: plainFit}.Fit(ended, set) })
	add("context ended: CrossValidate", set, cancelled(context.Canceled), func() (any, error) { return v.CrossValidate(ended, set, plainFit) })
	add("context ended: Search", set, cancelled(context.Canceled), func() (any, error) { return v.Search(ended, set, plainTrain, grid) })
	add("context ended: Permuted", set, cancelled(context.Canceled), func() (any, error) { return v.Permuted(ended, set, plainFit, tune.Permutation{}) })
	for name, l := range learners() {
		add("context ended: "+name+".Fit", set, cancelled(context.Canceled), func() (any, error) { return l.fit(ended, set, perceptron.Stop{}) })
		add("context ended: "+name+".Learn", set, is(context.Canceled), func() (any, error) { return nil, l.learn(ended, set.All()) })
	}
	return cases
}
