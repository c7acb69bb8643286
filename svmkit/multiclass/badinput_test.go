package multiclass_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/svmkit/course/internal/badinput"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
)

// Every call of this package with bad input ends soon, with the documented error at the documented place.
func TestReliabilityBadInput(t *testing.T) {
	badinput.Run(t, 150, badinput.Join(badSets(), badParameters(), oddSets(), certificates(), nilCases(), fitterCases(), predictions()))
}

var ctx = context.Background()

// shared is a set that no call may change.
var shared = badinput.Good()

// errMine is an error of the caller's own code.
var errMine = errors.New("my own fault")

func plainFit(ctx context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
	r, err := svm.Fit(ctx, &svm.Problem{Data: train}, nil, nil)
	if r == nil {
		return nil, err
	}
	return &r.Model, err
}

func badSets() []badinput.Case {
	return badinput.Doors(
		badinput.Door{Name: "OneVsRest.Fit", Call: func(s *svmkit.Dataset) (any, error) { return multiclass.OneVsRest{Binary: plainFit}.Fit(ctx, s) }, Both: true},
		badinput.Door{Name: "OneVsOne.Fit", Call: func(s *svmkit.Dataset) (any, error) { return multiclass.OneVsOne{Binary: plainFit}.Fit(ctx, s) }, Both: true},
		badinput.Door{Name: "CrammerSinger.Fit", Call: func(s *svmkit.Dataset) (any, error) { return multiclass.CrammerSinger{Data: s}.Fit(ctx, nil) }, Both: true},
	)
}

func badParameters() []badinput.Case {
	return badinput.Knobs(shared,
		badinput.NewKnob("OneVsRest", "Threads", badinput.NegativeInt, func(v float64) (any, error) {
			return multiclass.OneVsRest{Binary: plainFit, Threads: int(v)}.Fit(ctx, shared)
		}),
		badinput.NewKnob("OneVsOne", "Threads", badinput.NegativeInt, func(v float64) (any, error) {
			return multiclass.OneVsOne{Binary: plainFit, Threads: int(v)}.Fit(ctx, shared)
		}),
		badinput.NewKnob("CrammerSinger", "C", badinput.NotPositive, func(v float64) (any, error) { return multiclass.CrammerSinger{Data: shared, C: v}.Fit(ctx, nil) }),
		badinput.NewKnob("CrammerSinger", "Tol", badinput.NotPositive, func(v float64) (any, error) {
			return multiclass.CrammerSinger{Data: shared}.Fit(ctx, &multiclass.Settings{Tol: v})
		}),
		badinput.NewKnob("CrammerSinger", "Bias", []float64{-1, float64(svmkit.FreeBias), 4}, func(v float64) (any, error) {
			return multiclass.CrammerSinger{Data: shared, Bias: svmkit.Bias(v)}.Fit(ctx, nil)
		}),
		badinput.NewKnob("CrammerSinger", "MaxIterations", badinput.NegativeInt, func(v float64) (any, error) {
			return multiclass.CrammerSinger{Data: shared}.Fit(ctx, &multiclass.Settings{MaxIterations: int(v)})
		}),
	)
}

func oddSets() (cases []badinput.Case) {
	for _, odd := range badinput.OddSets {
		s := odd.Set()
		cases = append(cases, badinput.New(odd.Name+": CrammerSinger", s, func() (any, error) {
			return multiclass.CrammerSinger{Data: s}.Fit(ctx, &multiclass.Settings{MaxIterations: 50})
		}, sound))
	}
	return cases
}

func certificates() []badinput.Case {
	three := &svmkit.Dataset{X: badinput.Good().X, Y: []float64{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}, Dim: 2}
	alpha := func(name string, rows int, cols int, v float64, want badinput.Verdict) badinput.Case {
		a := make([][]float64, rows)
		for i := range a {
			a[i] = make([]float64, cols)
		}
		if v != 0 {
			a[4][1] = v
		}
		return badinput.New("CrammerSinger.Certify: "+name, []any{three, a}, func() (any, error) { return multiclass.CrammerSinger{Data: three}.Certify(a) }, want)
	}
	return []badinput.Case{
		alpha("a row too few", 11, 3, 0, badinput.Data(svmkit.ErrMismatch, badinput.None, badinput.None)),
		alpha("a class too few", 12, 2, 0, badinput.Data(svmkit.ErrMismatch, 0, badinput.None)),
		alpha("NaN", 12, 3, badinput.NaN, badinput.Data(svmkit.ErrNotFinite, 4, 1)),
		alpha("Inf", 12, 3, badinput.Inf, badinput.Data(svmkit.ErrNotFinite, 4, 1)),
		alpha("1e300", 12, 3, 1e300, sound),
	}
}

// sound wants no error, and a solution that says no nonsense of itself.
var sound = badinput.Sound(certificateOf)

func certificateOf(v any) string {
	s, ok := v.(*multiclass.Solution)
	if !ok {
		return ""
	}
	var numbers []float64
	for k := range s.W {
		numbers = append(append(numbers, s.W[k]...), s.B[k])
	}
	return badinput.Certificate(s.Certificate, numbers)
}

// A context, a fitter and a model that are nil; a context that has ended; a callback that panics.
func nilCases() []badinput.Case {
	var (
		noContext context.Context
		noModel   svmkit.Fitter = func(context.Context, *svmkit.Dataset) (svmkit.Model, error) { return nil, nil }
	)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	loud := &multiclass.Settings{Tol: 1e-14, Progress: func(svmkit.Progress) bool { panic(errMine) }}
	c := func(name string, want badinput.Verdict, call func() (any, error)) badinput.Case {
		return badinput.New(name, shared, call, want)
	}
	return []badinput.Case{
		c("OneVsRest: context", badinput.Param("ctx"), func() (any, error) { return multiclass.OneVsRest{Binary: plainFit}.Fit(noContext, shared) }),
		c("OneVsOne: context", badinput.Param("ctx"), func() (any, error) { return multiclass.OneVsOne{Binary: plainFit}.Fit(noContext, shared) }),
		c("CrammerSinger: context", badinput.Param("ctx"), func() (any, error) { return multiclass.CrammerSinger{Data: shared}.Fit(noContext, nil) }),
		c("OneVsRest: fitter", badinput.Param("Binary"), func() (any, error) { return multiclass.OneVsRest{}.Fit(ctx, shared) }),
		c("OneVsOne: fitter", badinput.Param("Binary"), func() (any, error) { return multiclass.OneVsOne{}.Fit(ctx, shared) }),
		c("OneVsRest: no model", badinput.Error, func() (any, error) { return multiclass.OneVsRest{Binary: noModel}.Fit(ctx, shared) }),
		c("OneVsOne: no model", badinput.Error, func() (any, error) { return multiclass.OneVsOne{Binary: noModel}.Fit(ctx, shared) }),
		c("Progress panics: CrammerSinger", badinput.Panics("my own fault"), func() (any, error) { return multiclass.CrammerSinger{Data: shared}.Fit(ctx, loud) }),
		c("context ended: CrammerSinger", badinput.Cancelled(context.Canceled, certificateOf), func() (any, error) { return multiclass.CrammerSinger{Data: shared}.Fit(ended, nil) }),
		c("context ended: OneVsRest", badinput.Is(context.Canceled), func() (any, error) { return multiclass.OneVsRest{Binary: plainFit}.Fit(ended, shared) }),
		c("context ended: OneVsOne", badinput.Is(context.Canceled), func() (any, error) { return multiclass.OneVsOne{Binary: plainFit}.Fit(ended, shared) }),
	}
}

// A fitter that panics, fails or ends its goroutine, in a goroutine of the library.
func fitterCases() (cases []badinput.Case) {
	fitters := map[string]svmkit.Fitter{
		"panics":             func(context.Context, *svmkit.Dataset) (svmkit.Model, error) { panic("boom") },
		"fails":              func(context.Context, *svmkit.Dataset) (svmkit.Model, error) { return nil, errMine },
		"ends its goroutine": func(context.Context, *svmkit.Dataset) (svmkit.Model, error) { runtime.Goexit(); return nil, nil },
	}
	want := map[string]badinput.Verdict{"panics": badinput.Panicked("boom"), "fails": badinput.Is(errMine), "ends its goroutine": badinput.Panicked("ended")}
	for _, threads := range []int{0, 1} {
		for name, f := range fitters {
			cases = append(cases,
				badinput.New(fmt.Sprintf("fitter %s: OneVsRest, %d threads", name, threads), shared, func() (any, error) {
					return multiclass.OneVsRest{Binary: f, Threads: threads}.Fit(ctx, shared)
				}, want[name]),
				badinput.New(fmt.Sprintf("fitter %s: OneVsOne, %d threads", name, threads), shared, func() (any, error) {
					return multiclass.OneVsOne{Binary: f, Threads: threads}.Fit(ctx, shared)
				}, want[name]))
		}
	}
	return cases
}

// Rows that a classifier was not trained for.
func predictions() (cases []badinput.Case) {
	short, long, bad := svmkit.Dense(1), svmkit.Dense(1, 2, 3), svmkit.Dense(1, badinput.NaN)
	set := badinput.Spoiled(func(s *svmkit.Dataset) {
		for i := range s.Y {
			s.Y[i] = float64(i % 3)
		}
	})
	rest, err1 := multiclass.OneVsRest{Binary: plainFit}.Fit(ctx, set)
	pair, err2 := multiclass.OneVsOne{Binary: plainFit}.Fit(ctx, set)
	cs, err3 := multiclass.CrammerSinger{Data: set}.Fit(ctx, nil)
	for _, err := range []error{err1, err2, err3} {
		if err != nil {
			panic(err)
		}
	}
	for name, m := range map[string]multiclass.Classifier{"OneVsRest": rest, "OneVsOne": pair, "CrammerSinger": cs} {
		cases = append(cases,
			badinput.New(name+": Predict of a short row", m, func() (any, error) { return m.Predict(short).Y, nil }, badinput.Panics("meets")),
			badinput.New(name+": Scores of a long row", m, func() (any, error) { return m.ClassScores(long), nil }, badinput.Panics("meets")),
			badinput.New(name+": Class of NaN", m, func() (any, error) {
				p := m.Predict(bad)
				return !p.OK && p.Class == -1 && p.Name == "", nil
			}, badinput.True),
			badinput.New(name+": Predict of NaN", m, func() (any, error) { return m.Predict(bad).Y, nil }, badinput.Number(badinput.NaN)))
	}
	return cases
}
