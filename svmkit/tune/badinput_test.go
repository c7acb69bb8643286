package tune_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/svmkit/course/internal/badinput"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/perceptron"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// Every call of this package with bad input ends soon, with the documented error at the documented place.
func TestReliabilityBadInput(t *testing.T) {
	badinput.Run(t, 450, badinput.Join(badSets(), badParameters(), nilCases(), cancelCases(), fitterCases(), metricCases(), predictions()))
}

var ctx = context.Background()

// shared is a set that no call may change.
var shared = badinput.Good()

// errMine is an error of the caller's own code.
var errMine = errors.New("my own fault")

// fold1 cuts the twelve rows of good into two folds, whatever has become of the set.
func halves() []tune.Fold {
	odd, even := []int{0, 2, 4, 6, 8, 10}, []int{1, 3, 5, 7, 9, 11}
	all := [2][]int{append([]int{1}, odd[1:]...), append([]int{0}, even[1:]...)}
	return []tune.Fold{{Train: all[0], Test: all[1]}, {Train: all[1], Test: all[0]}}
}

func plainFit(ctx context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
	r, err := svm.Fit(ctx, &svm.Problem{Data: train}, nil, nil)
	if r == nil {
		return nil, err
	}
	return &r.Model, err
}

func plainTrain(ctx context.Context, train *svmkit.Dataset, p tune.Params, _ svmkit.Model) (svmkit.Model, error) {
	r, err := svm.Fit(ctx, &svm.Problem{Data: train, C: svm.PerSum(p.C)}, nil, nil)
	if r == nil {
		return nil, err
	}
	return &r.Model, err
}

func badSets() []badinput.Case {
	v := tune.Validation{Folds: halves()}
	grid := tune.Grid{C: []float64{1, 2}}
	return badinput.Doors(
		badinput.Door{Name: "CrossValidate", Call: func(s *svmkit.Dataset) (any, error) { return v.CrossValidate(ctx, s, plainFit) }},
		badinput.Door{Name: "Search", Call: func(s *svmkit.Dataset) (any, error) { return v.Search(ctx, s, plainTrain, grid) }},
		badinput.Door{Name: "Nested", Call: func(s *svmkit.Dataset) (any, error) {
			return v.Nested(ctx, s, plainTrain, tune.Inner{Folds: 2, Grid: grid})
		}},
		badinput.Door{Name: "Permuted", Call: func(s *svmkit.Dataset) (any, error) { return v.Permuted(ctx, s, plainFit, tune.Permutation{Rounds: 2}) }},
		badinput.Door{Name: "Inner.Fit", Call: func(s *svmkit.Dataset) (any, error) {
			return tune.Inner{Folds: 2, Grid: grid}.Fitter(plainTrain)(ctx, s)
		}},
		badinput.Door{Name: "Scaled", Call: func(s *svmkit.Dataset) (any, error) { return tune.Scaled(feature.Scaler{}, plainFit)(ctx, s) }},
		badinput.Door{Name: "ROC", Call: func(s *svmkit.Dataset) (any, error) { return tune.ROC(s, make([]float64, 12)) }, Binary: true, Both: true},
		badinput.Door{Name: "PrecisionRecall", Call: func(s *svmkit.Dataset) (any, error) { return tune.PrecisionRecall(s, make([]float64, 12)) }, Binary: true, Both: true},
		badinput.Door{Name: "Folds", Call: func(s *svmkit.Dataset) (any, error) { return tune.Folds(s, 3, 1) }},
		badinput.Door{Name: "SplitRows", Call: func(s *svmkit.Dataset) (any, error) { return tune.SplitRows(s, 0.5, 1) }},
		badinput.Door{Name: "Split", Call: func(s *svmkit.Dataset) (any, error) {
			train, _, err := tune.Split(s, 0.5, 1)
			return train, err
		}},
	)
}

func badParameters() []badinput.Case {
	v := tune.Validation{Folds: halves()}
	return badinput.Knobs(shared,
		badinput.NewKnob("Search", "Grid.C", badinput.ZeroTooIsBad, func(c float64) (any, error) {
			return v.Search(ctx, shared, plainTrain, tune.Grid{C: []float64{1, c}})
		}),
		badinput.NewKnob("Search", "Grid.Gamma", badinput.ZeroTooIsBad, func(g float64) (any, error) {
			return v.Search(ctx, shared, plainTrain, tune.Grid{C: []float64{1}, Gamma: []float64{g}})
		}),
		badinput.NewKnob("Nested", "Grid.C", badinput.ZeroTooIsBad, func(c float64) (any, error) {
			return v.Nested(ctx, shared, plainTrain, tune.Inner{Folds: 2, Grid: tune.Grid{C: []float64{c}}})
		}),
		badinput.NewKnob("Nested, inner", "k", []float64{-1, 1, 7, 1 << 40}, func(k float64) (any, error) {
			return v.Nested(ctx, shared, plainTrain, tune.Inner{Folds: int(k), Grid: tune.Grid{C: []float64{1}}})
		}),
		badinput.NewKnob("Inner.Fit", "Grid.C", badinput.ZeroTooIsBad, func(c float64) (any, error) {
			return tune.Inner{Folds: 2, Grid: tune.Grid{C: []float64{c}}}.Fit(ctx, shared, plainTrain)
		}),
		badinput.NewKnob("Permuted", "Rounds", badinput.NegativeInt, func(r float64) (any, error) {
			return v.Permuted(ctx, shared, plainFit, tune.Permutation{Rounds: int(r)})
		}),
		badinput.NewKnob("CrossValidate", "Threads", badinput.NegativeInt, func(n float64) (any, error) {
			return tune.Validation{Folds: halves(), Threads: int(n)}.CrossValidate(ctx, shared, plainFit)
		}),
		badinput.NewKnob("LogSpace, lo", "lo, hi", append(badinput.ZeroTooIsBad, 2, 3), func(v float64) (any, error) { return tune.LogSpace(v, 2, 3) }),
		badinput.NewKnob("LogSpace, hi", "lo, hi", []float64{badinput.NaN, badinput.Inf}, func(v float64) (any, error) { return tune.LogSpace(1, v, 3) }),
		badinput.NewKnob("LogSpace", "n", []float64{1, 0, -1, 1 << 60}, func(v float64) (any, error) { return tune.LogSpace(1, 2, int(v)) }),
		badinput.NewKnob("Folds", "k", []float64{-1, 0, 1, 13, 1 << 60}, func(v float64) (any, error) { return tune.Folds(shared, int(v), 1) }),
		badinput.NewKnob("SplitRows", "testFraction", badinput.OutsideOfUnit, func(v float64) (any, error) { return tune.SplitRows(shared, v, 1) }),
	)
}

// nilCases is nil for all that can be nil, folds that are none, and contexts that have ended.
func nilCases() []badinput.Case {
	var (
		noContext context.Context
		noModel   svmkit.Fitter    = func(context.Context, *svmkit.Dataset) (svmkit.Model, error) { return nil, nil }
		noTrained tune.ParamFitter = func(context.Context, *svmkit.Dataset, tune.Params, svmkit.Model) (svmkit.Model, error) {
			return nil, nil
		}
	)
	v := tune.Validation{Folds: halves()}
	grid := tune.Grid{C: []float64{1}}
	c := func(name string, want badinput.Verdict, call func() (any, error)) badinput.Case {
		return badinput.New(name, shared, call, want)
	}
	return []badinput.Case{
		c("CrossValidate: context", badinput.Param("ctx"), func() (any, error) { return v.CrossValidate(noContext, shared, plainFit) }),
		c("Search: context", badinput.Param("ctx"), func() (any, error) { return v.Search(noContext, shared, plainTrain, grid) }),
		c("Nested: context", badinput.Param("ctx"), func() (any, error) {
			return v.Nested(noContext, shared, plainTrain, tune.Inner{Grid: grid, Folds: 2})
		}),
		c("Permuted: context", badinput.Param("ctx"), func() (any, error) { return v.Permuted(noContext, shared, plainFit, tune.Permutation{Rounds: 1}) }),
		c("CrossValidate: fitter", badinput.Param("fit"), func() (any, error) { return v.CrossValidate(ctx, shared, nil) }),
		c("Permuted: fitter", badinput.Param("fit"), func() (any, error) { return v.Permuted(ctx, shared, nil, tune.Permutation{}) }),
		c("Search: trainer", badinput.Param("train"), func() (any, error) { return v.Search(ctx, shared, nil, grid) }),
		c("Nested: trainer", badinput.Param("train"), func() (any, error) { return v.Nested(ctx, shared, nil, tune.Inner{Grid: grid}) }),
		c("CrossValidate: scaled fitter", badinput.Param("fit"), func() (any, error) { return v.CrossValidate(ctx, shared, tune.Scaled(feature.Scaler{}, nil)) }),
		c("CrossValidate: no model", inFold(0, badinput.Error), func() (any, error) { return v.CrossValidate(ctx, shared, noModel) }),
		c("CrossValidate: no model, scaled", inFold(0, badinput.Error), func() (any, error) {
			return v.CrossValidate(ctx, shared, tune.Scaled(feature.Scaler{}, noModel))
		}),
		c("Search: no model", inFold(0, badinput.Error), func() (any, error) { return v.Search(ctx, shared, noTrained, grid) }),
		c("Inner.Fitter: trainer", badinput.Param("train"), func() (any, error) { return tune.Inner{Folds: 2, Grid: grid}.Fitter(nil)(ctx, shared) }),
		c("CrossValidate: folds", badinput.Param("Folds"), func() (any, error) { return tune.Validation{}.CrossValidate(ctx, shared, plainFit) }),
		c("CrossValidate: rows of a fold", inFold(0, badinput.Data(svmkit.ErrEmpty, badinput.None, badinput.None)), func() (any, error) {
			return tune.Validation{Folds: make([]tune.Fold, 2)}.CrossValidate(ctx, shared, plainFit)
		}),
		c("CrossValidate: a row on both sides", inFold(1, badinput.Data(tune.ErrLeak, 3, badinput.None)), func() (any, error) {
			f := halves()
			f[1].Test = append(f[1].Test, 3)
			f[1].Train = append(f[1].Train, 3)
			return tune.Validation{Folds: f}.CrossValidate(ctx, shared, plainFit)
		}),
		c("CrossValidate: row 12 of 12", inFold(0, badinput.Param("Folds")), func() (any, error) {
			return tune.Validation{Folds: []tune.Fold{{Train: []int{0, 1}, Test: []int{12}}}}.CrossValidate(ctx, shared, plainFit)
		}),
		c("CrossValidate: row -1", inFold(0, badinput.Param("Folds")), func() (any, error) {
			return tune.Validation{Folds: []tune.Fold{{Train: []int{-1, 1}, Test: []int{2}}}}.CrossValidate(ctx, shared, plainFit)
		}),
	}
}

// cancelCases is a context that has ended.
func cancelCases() (cases []badinput.Case) {
	ended, cancel := context.WithCancelCause(ctx)
	cancel(errMine)
	set := badinput.Good()
	v := tune.Validation{Folds: halves()}
	grid := tune.Grid{C: []float64{1}}
	add := func(what string, keep any, want badinput.Verdict, call func() (any, error)) {
		cases = append(cases, badinput.New(what, keep, call, want))
	}
	add("context ended: CrossValidate", set, badinput.Cancelled(context.Canceled), func() (any, error) { return v.CrossValidate(ended, set, plainFit) })
	add("context ended: Search", set, badinput.Cancelled(context.Canceled), func() (any, error) { return v.Search(ended, set, plainTrain, grid) })
	add("context ended: Permuted", set, badinput.Cancelled(context.Canceled), func() (any, error) { return v.Permuted(ended, set, plainFit, tune.Permutation{}) })
	return cases
}

// fitterCases: what tune and multiclass call runs in goroutines of theirs.
func fitterCases() (cases []badinput.Case) {
	set := badinput.Good()
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
			return svmkit.AsModel(badinput.Scorer(f), nil), nil
		}
	}
	for _, threads := range []int{0, 1} {
		v := tune.Validation{Folds: halves(), Threads: threads}
		add := func(what string, want badinput.Verdict, call func() (any, error)) {
			cases = append(cases, badinput.New(fmt.Sprintf("%s, %d threads", what, threads), []any{set, v}, call, want))
		}
		grid, inner := tune.Grid{C: []float64{1, 2}}, tune.Inner{Folds: 2, Grid: tune.Grid{C: []float64{1, 2}}}
		for name, f := range map[string]svmkit.Fitter{"panics": boom, "fails": fails, "ends its goroutine": exits} {
			want := map[string]badinput.Verdict{"panics": badinput.Panicked("boom"), "fails": badinput.Is(errMine), "ends its goroutine": badinput.Panicked("ended")}[name]
			place := func(fold int) badinput.Verdict {
				if name == "ends its goroutine" { // the goroutine that adds the place has ended
					return want
				}
				return inFold(fold, want)
			}
			add("fitter "+name+": CrossValidate", place(0), func() (any, error) { return v.CrossValidate(ctx, set, f) })
			add("fitter "+name+": Permuted", place(0), func() (any, error) { return v.Permuted(ctx, set, f, tune.Permutation{Rounds: 3}) })
			add("fitter "+name+": Search", place(0), func() (any, error) { return v.Search(ctx, set, train(f), grid) })
			add("fitter "+name+": Nested", place(0), func() (any, error) { return v.Nested(ctx, set, train(f), inner) })
		}
		add("model panics: CrossValidate", inFold(0, badinput.Panicked("boom")), func() (any, error) {
			return v.CrossValidate(ctx, set, scores(func() float64 { panic("boom") }))
		})
		add("model gives NaN: CrossValidate", inFold(0, badinput.Data(tune.ErrScore, 0, badinput.None)), func() (any, error) {
			return v.CrossValidate(ctx, set, scores(func() float64 { return badinput.NaN }))
		})
		add("model gives Inf: CrossValidate", badinput.Fine, func() (any, error) { return v.CrossValidate(ctx, set, scores(func() float64 { return badinput.Inf })) })
		for name, m := range map[string]tune.Metric{"panics": metric(func() (float64, error) { panic("boom") }), "fails": metric(func() (float64, error) { return 0, errMine }),
			"gives NaN": metric(func() (float64, error) { return badinput.NaN, nil })} {
			want := map[string]badinput.Verdict{"panics": badinput.Panicked("boom"), "fails": badinput.Is(errMine), "gives NaN": badinput.Is(svmkit.ErrNotFinite)}[name]
			v := v
			v.Metric = m
			add("metric "+name+": CrossValidate", inFold(0, want), func() (any, error) { return v.CrossValidate(ctx, set, plainFit) })
			add("metric "+name+": Search", inFold(0, want), func() (any, error) { return v.Search(ctx, set, plainTrain, grid) })
		}
		loud := v
		loud.Progress = func(svmkit.Progress) bool { panic("boom") }
		add("Progress panics: CrossValidate", badinput.Panicked("Progress", "boom"), func() (any, error) { return loud.CrossValidate(ctx, set, plainFit) })
		add("Progress panics: Search", badinput.Panicked("Progress", "boom"), func() (any, error) { return loud.Search(ctx, set, plainTrain, grid) })
		add("Progress panics: Permuted", badinput.Panicked("Progress", "boom"), func() (any, error) {
			return loud.Permuted(ctx, set, plainFit, tune.Permutation{Rounds: 2})
		})
		add("rows of another length: CrossValidate", inFold(0, badinput.Panicked("meets")), func() (any, error) {
			return v.CrossValidate(ctx, set, func(context.Context, *svmkit.Dataset) (svmkit.Model, error) {
				return svmkit.AsModel(svmkit.Hyperplane{W: []float64{1}}, nil), nil
			})
		})
	}
	return append(cases, badinput.New("folds that are one: CrossValidate", set, func() (any, error) {
		return tune.Validation{Folds: []tune.Fold{{Train: []int{0, 2}, Test: []int{1}}}}.CrossValidate(ctx, set, plainFit)
	}, inFold(0, badinput.Data(svmkit.ErrOneClass, badinput.None, badinput.None))))
}

func metric(value func() (float64, error)) tune.Metric {
	return tune.Metric{Name: "metric", Higher: true, Measure: func(*svmkit.Dataset, tune.Predictions) (float64, error) { return value() }}
}

func metricCases() (cases []badinput.Case) {
	scores := func(i int, v float64) []float64 {
		f := make([]float64, 12)
		f[i] = v
		return f
	}
	many := []tune.Metric{tune.Accuracy, tune.Error, tune.BalancedAccuracy, tune.F1, tune.AUC, tune.AveragePrecision, tune.MSE, tune.MAE, tune.R2}
	for _, m := range many {
		add := func(name string, s *svmkit.Dataset, f []float64, want badinput.Verdict) {
			cases = append(cases, badinput.New(fmt.Sprintf("%s: %s", m.Name, name), []any{s, f}, func() (any, error) {
				p := tune.Predictions{Label: f}
				if m.Name == tune.AUC.Name || m.Name == tune.AveragePrecision.Name {
					p = tune.Predictions{Score: append([]float64{}, f...)}
				}
				return m.Measure(s, p)
			}, want))
		}
		add("nil set", nil, nil, badinput.Data(svmkit.ErrEmpty, badinput.None, badinput.None))
		add("no rows", &svmkit.Dataset{}, []float64{}, badinput.Data(svmkit.ErrEmpty, badinput.None, badinput.None))
		add("no scores", shared, nil, badinput.Data(svmkit.ErrMismatch, badinput.None, badinput.None))
		add("a score too many", shared, make([]float64, 13), badinput.Data(svmkit.ErrMismatch, badinput.None, badinput.None))
		add("NaN", shared, scores(3, badinput.NaN), badinput.Data(tune.ErrScore, 3, badinput.None))
	}
	equal := badinput.Spoiled(func(s *svmkit.Dataset) {
		for i := range s.Y {
			s.Y[i] = 5
		}
	})
	return append(cases,
		badinput.New("R2 of equal targets", equal, func() (any, error) { return tune.R2.Measure(equal, tune.Predictions{Label: make([]float64, 12)}) }, badinput.Data(tune.ErrNoVariance, badinput.None, badinput.None)),
		badinput.New("AUC without scores", shared, func() (any, error) {
			return tune.AUC.Measure(shared, tune.Predictions{Label: make([]float64, 12)})
		}, badinput.Param("Predictions.Score")),
		badinput.New("Confuse: label 2", nil, func() (any, error) {
			return tune.Confuse(badinput.Label(2, 2), tune.Predictions{Label: make([]float64, 12)})
		}, badinput.Data(svmkit.ErrLabel, 2, badinput.None)),
		badinput.New("Confuse: no such class", nil, func() (any, error) {
			classes := []string{"a", "b", "c"}
			return tune.Confuse(badinput.Spoiled(func(s *svmkit.Dataset) { s.Classes = classes }), tune.Predictions{Label: make([]float64, 12), Classes: classes})
		}, badinput.Data(svmkit.ErrNoClass, 1, badinput.None)),
		badinput.New("ROC: infinite score", nil, func() (any, error) { return tune.ROC(shared, scores(4, badinput.Inf)) }, badinput.Data(svmkit.ErrNotFinite, 4, badinput.None)),
		badinput.New("PrecisionRecall: infinite score", nil, func() (any, error) { return tune.PrecisionRecall(shared, scores(4, badinput.Inf)) }, badinput.Data(svmkit.ErrNotFinite, 4, badinput.None)),
		badinput.New("Best of nothing", nil, func() (any, error) {
			if _, ok := new(tune.Selection).Best(); ok {
				return nil, fmt.Errorf("a best point of none")
			}
			_, ok := new(tune.Selection).OneStandardError()
			return ok, nil
		}, badinput.Fine),
	)
}

// Rows that a scaled model was not trained for.
func predictions() (cases []badinput.Case) {
	scaling, err := feature.Scaler{}.Fit(badinput.Good())
	if err != nil {
		panic(err)
	}
	p := &perceptron.Perceptron{}
	if _, err := p.Fit(ctx, badinput.Good(), perceptron.Stop{Epochs: 2}); err != nil {
		panic(err)
	}
	scaled := &tune.ScaledScorer{ScaledModel: tune.ScaledModel{Scaling: scaling, Model: svmkit.AsModel(p, badinput.Good())}}
	for name, x := range map[string]svmkit.Row{"short": svmkit.Dense(1), "long": svmkit.Dense(1, 2, 3), "NaN": svmkit.Dense(1, badinput.NaN)} {
		cases = append(cases,
			badinput.New("ScaledModel.Predict: "+name, scaled, func() (any, error) { return scaled.Predict(x).Y, nil }, badinput.Number(badinput.NaN)),
			badinput.New("ScaledScorer.Score: "+name, scaled, func() (any, error) { return scaled.Score(x), nil }, badinput.Number(badinput.NaN)))
	}
	return cases
}

// inFold wants a *tune.FoldError of the fold, and its cause to be as the other verdict says.
func inFold(fold int, cause badinput.Verdict) badinput.Verdict {
	return func(o badinput.Outcome) string {
		var e *tune.FoldError
		if !errors.As(o.Err, &e) || e.Fold != fold {
			return fmt.Sprintf("error %T %v (panic %v), want one of fold %d", o.Err, o.Err, o.Panic, fold)
		}
		if wrong := badinput.Names(o.Err, fmt.Sprintf("fold %d", fold)); wrong != "" {
			return wrong
		}
		return cause(o)
	}
}
