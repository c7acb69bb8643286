package tune_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/tune"
)

// Every row is predicted exactly once, by the model that was trained on exactly the other folds.
func TestCrossValidateSeparatesTrainingFromTest(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(8, 40).Draw(rt, "n")
		k := rapid.IntRange(2, 4).Draw(rt, "k")
		set := numbered(t, n)
		folds := foldsOf(t, set, k)
		r := &recorder{}
		v := tune.Validation{Folds: folds, Threads: rapid.IntRange(0, 3).Draw(rt, "threads")}
		if _, err := v.CrossValidate(t.Context(), set, tune.ParamFitter(r.train).At(tune.Params{})); err != nil {
			rt.Fatal(err)
		}
		var predicted []int
		for _, c := range r.calls {
			if row, both := share(c.train, c.predicted); both {
				rt.Fatalf("row %d is trained on and predicted", row)
			}
			if len(c.train)+len(c.predicted) != n {
				rt.Fatalf("%d + %d rows of %d", len(c.train), len(c.predicted), n)
			}
			predicted = append(predicted, c.predicted...)
		}
		slices.Sort(predicted)
		if len(r.calls) != k || !slices.Equal(predicted, numbers(set)) {
			rt.Fatalf("%d models predicted %v", len(r.calls), predicted)
		}
	})
}

func TestMeanAndStandardErrorByHand(t *testing.T) {
	set := numbered(t, 3)
	folds := []tune.Fold{{Train: []int{1, 2}, Test: []int{0}}, {Train: []int{0, 2}, Test: []int{1}}, {Train: []int{0, 1}, Test: []int{2}}}
	v := tune.Validation{Folds: folds, Metric: fixed(map[int]float64{0: 0.5, 1: 0.9, 2: 0.7})}
	r, err := v.CrossValidate(t.Context(), set, tune.ParamFitter(threshold).At(tune.Params{}))
	if err != nil {
		t.Fatal(err)
	}
	// s² = (0.2² + 0.2² + 0)/2 = 0.04, so s/√3 = 0.2/√3.
	if math.Abs(r.Mean-0.7) > 1e-15 || math.Abs(r.StdErr-0.2/math.Sqrt(3)) > 1e-15 || !slices.Equal(r.Scores, []float64{0.5, 0.9, 0.7}) {
		t.Errorf("%+v", r)
	}
	v.Folds = folds[:1]
	if r, err = v.CrossValidate(t.Context(), set, tune.ParamFitter(threshold).At(tune.Params{})); err != nil || r.Mean != 0.5 || !math.IsNaN(r.StdErr) {
		t.Errorf("one fold: %+v, %v", r, err)
	}
}

func TestFoldsThatLeakAreRefused(t *testing.T) {
	set := numbered(t, 6)
	for _, c := range []struct {
		folds []tune.Fold
		want  error
	}{
		{[]tune.Fold{{Train: []int{0, 1}, Test: []int{2, 3}}, {Train: []int{0, 1, 2}, Test: []int{3, 2}}}, tune.ErrLeak},
		{[]tune.Fold{{Train: []int{0}}}, svmkit.ErrEmpty},
		{[]tune.Fold{{Test: []int{0}}}, svmkit.ErrEmpty},
		{[]tune.Fold{{Train: []int{0}, Test: []int{6}}}, nil},
		{[]tune.Fold{{Train: []int{-1}, Test: []int{0}}}, nil},
		{nil, nil},
	} {
		_, err := tune.Validation{Folds: c.folds}.CrossValidate(t.Context(), set, nearestMean)
		var param *svmkit.ParamError
		if c.want != nil && !errors.Is(err, c.want) || c.want == nil && !errors.As(err, &param) {
			t.Errorf("%v: %v", c.folds, err)
		}
	}
	_, err := tune.Validation{Folds: []tune.Fold{{Train: []int{3, 4}, Test: []int{0, 4}}}}.CrossValidate(t.Context(), set, nearestMean)
	if want := "tune: fold 0: svmkit: row is both for training and for testing in row 4"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// No number of threads changes a bit of any result.
func TestThreadsChangeNothing(t *testing.T) {
	set, err := samples.Overlapping{N: 60, Separation: 2}.Generate(1)
	if err != nil {
		t.Fatal(err)
	}
	train := func(ctx context.Context, set *svmkit.Dataset, p tune.Params, _ svmkit.Model) (svmkit.Model, error) {
		s, err := nearestMean(ctx, set)
		if err != nil {
			return nil, err
		}
		return asModel(func(x svmkit.Row) float64 { return s.(svmkit.Scorer).Score(x) + math.Log(p.C)*p.Gamma }), nil
	}
	run := func(threads int) []any {
		v := tune.Validation{Folds: foldsOf(t, set, 5), Threads: threads, Metric: tune.BalancedAccuracy}
		grid := tune.Grid{C: []float64{0.1, 1, 10}, Gamma: []float64{0.5, 1}}
		search, err1 := v.Search(t.Context(), set, train, grid)
		nested, err2 := v.Nested(t.Context(), set, train, tune.Inner{Folds: 3, Grid: grid})
		permuted, err3 := v.Permuted(t.Context(), set, nearestMean, tune.Permutation{Rounds: 20})
		if err := errors.Join(err1, err2, err3); err != nil {
			t.Fatal(err)
		}
		return []any{search, nested, permuted}
	}
	want := run(1)
	for _, threads := range []int{2, 7, 0} {
		if got := run(threads); !reflect.DeepEqual(got, want) {
			t.Errorf("%d threads: %+v, one thread: %+v", threads, got, want)
		}
	}
}

func TestErrorsNameTheFirstFoldAndItsParameters(t *testing.T) {
	set := numbered(t, 20)
	broken := errors.New("broken")
	folds := foldsOf(t, set, 5)
	for _, threads := range []int{1, 2, 5} {
		var running atomic.Int32
		train := func(_ context.Context, train *svmkit.Dataset, p tune.Params, _ svmkit.Model) (svmkit.Model, error) {
			if now := running.Add(1); int(now) > threads {
				t.Errorf("%d models at once on %d threads", now, threads)
			}
			defer running.Add(-1)
			fold := slices.IndexFunc(folds, func(f tune.Fold) bool { return slices.Equal(f.Train, numbers(train)) })
			if p.C == 10 && fold >= 1 {
				if fold == 1 {
					for range 1000 {
						runtime.Gosched() // later folds fail first
					}
				}
				return nil, broken
			}
			return asModel(func(svmkit.Row) float64 { return 1 }), nil
		}
		v := tune.Validation{Folds: folds, Threads: threads}
		_, err := v.Search(t.Context(), set, train, tune.Grid{C: []float64{1, 10}, Gamma: []float64{0.5, 2}})
		var at *tune.FoldError
		if !errors.As(err, &at) || !errors.Is(err, broken) || at.Fold != 1 || *at.Params != (tune.Params{C: 10, Gamma: 0.5}) ||
			err.Error() != "tune: fold 1, C = 10, γ = 0.5: broken" {
			t.Errorf("%d threads: %v", threads, err)
		}
		_, err = v.CrossValidate(t.Context(), set, tune.ParamFitter(train).At(tune.Params{C: 10}))
		if err == nil || err.Error() != "tune: fold 1: broken" {
			t.Errorf("%d threads: %v", threads, err)
		}
	}
}

// After an error no further model is trained.
func TestAnErrorEndsTheRun(t *testing.T) {
	set := numbered(t, 20)
	fits := 0
	fit := func(context.Context, *svmkit.Dataset) (svmkit.Model, error) {
		fits++
		return nil, errors.New("broken")
	}
	if _, err := (tune.Validation{Folds: foldsOf(t, set, 5), Threads: 1}).CrossValidate(t.Context(), set, fit); err == nil || fits != 1 {
		t.Errorf("%v after %d fits", err, fits)
	}
}

// A cancelled run returns what it has, says that the rest is missing, and gives ctx's error.
func TestCancelKeepsWhatIsComplete(t *testing.T) {
	set := numbered(t, 20)
	ctx, cancel := context.WithCancel(t.Context())
	v := tune.Validation{Folds: foldsOf(t, set, 5), Threads: 1, Progress: func(p svmkit.Progress) bool {
		if p.Total != 5 {
			t.Errorf("%d models in all", p.Total)
		}
		if p.Iteration == 3 {
			cancel()
		}
		return true
	}}
	r, err := v.CrossValidate(ctx, set, nearestMean)
	if !errors.Is(err, context.Canceled) || r == nil {
		t.Fatalf("%v, %v", r, err)
	}
	finished := 0
	for _, s := range r.Scores {
		if !math.IsNaN(s) {
			finished++
		}
	}
	if finished != 3 || math.IsNaN(r.Mean) {
		t.Errorf("%d folds of 3, mean %g", finished, r.Mean)
	}

	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	trained := 0
	s, err := tune.Validation{Folds: foldsOf(t, set, 2), Threads: 1}.Search(ctx, set,
		func(ctx context.Context, train *svmkit.Dataset, p tune.Params, _ svmkit.Model) (svmkit.Model, error) {
			if trained++; trained == 6 { // the second fold, at its last C
				cancel()
				return nil, ctx.Err()
			}
			if p.C == 3 { // perfect, but finished in one fold only
				return asModel(func(x svmkit.Row) float64 { return float64(2*(int(x.At(0))%2) - 1) }), nil
			}
			return nearestMean(ctx, train)
		}, tune.Grid{C: []float64{1, 2, 3}})
	if !errors.Is(err, context.Canceled) || s == nil {
		t.Fatal(err)
	}
	if last := s.Points[2]; !math.IsNaN(last.Scores[1]) || last.Scores[0] != 1 || s.Points[0].Mean == 1 {
		t.Errorf("%+v", last)
	}
	if best, ok := s.Best(); !ok || best.C == 3 {
		t.Errorf("best %+v, %t: only finished points may win", best, ok)
	}
	if s, err := v.Nested(ctx, set, threshold, tune.Inner{Grid: tune.Grid{C: []float64{1}}}); !errors.Is(err, context.Canceled) || s == nil {
		t.Errorf("%v, %v", s, err)
	}
	if b, err := v.Permuted(ctx, set, nearestMean, tune.Permutation{}); !errors.Is(err, context.Canceled) || b == nil {
		t.Errorf("%v, %v", b, err)
	}
}

// When Progress returns false, what is finished is returned without an error, and nothing more is trained.
func TestProgressStops(t *testing.T) {
	set := numbered(t, 20)
	const stopAt = 2
	for _, threads := range []int{1, 3} {
		told := 0
		v := tune.Validation{Folds: foldsOf(t, set, 10), Threads: threads, Progress: func(p svmkit.Progress) bool {
			told++
			return p.Iteration < stopAt
		}}
		finished := func(values []float64) (n int) {
			for _, s := range values {
				if !math.IsNaN(s) {
					n++
				}
			}
			return n
		}
		r, err := v.CrossValidate(t.Context(), set, nearestMean)
		if err != nil || told != stopAt || finished(r.Scores) < stopAt || finished(r.Scores) > stopAt+threads {
			t.Errorf("%d threads: told %d times, %+v, %v", threads, told, r, err)
		}
		told = 0
		s, err := v.Search(t.Context(), set, threshold, tune.Grid{C: []float64{1, 2, 3}})
		if err != nil || told != stopAt {
			t.Errorf("%d threads: told %d times, %v", threads, told, err)
		}
		if best, ok := s.Best(); ok {
			t.Errorf("%d threads: %+v is best though it is not finished", threads, best)
		}
	}
}

// A fitter or trainer made from nil is an error wherever it is called, not only by a Validation.
func TestNilTrainerIsRefusedWhenCalled(t *testing.T) {
	set := numbered(t, 10)
	none := tune.ParamFitter(nil)
	for name, fit := range map[string]svmkit.Fitter{
		"fit":   tune.Scaled(feature.Scaler{}, nil),
		"train": none.At(tune.Params{}),
	} {
		var param *svmkit.ParamError
		if m, err := fit(t.Context(), set); m != nil || !errors.As(err, &param) || param.Name != name {
			t.Errorf("%v, want a ParamError for %s", err, name)
		}
	}
	var param *svmkit.ParamError
	if m, err := none.Scaled(feature.Scaler{})(t.Context(), set, tune.Params{}, nil); m != nil || !errors.As(err, &param) || param.Name != "train" {
		t.Errorf("%v, want a ParamError for train", err)
	}
}

func TestBadParameters(t *testing.T) {
	set := numbered(t, 10)
	v := tune.Validation{Folds: foldsOf(t, set, 2)}
	var param *svmkit.ParamError
	expect := func(name string, err error) {
		t.Helper()
		if !errors.As(err, &param) || param.Name != name {
			t.Errorf("%v, want a ParamError for %s", err, name)
		}
	}
	_, err := v.CrossValidate(t.Context(), set, nil)
	expect("fit", err)
	_, err = v.CrossValidate(t.Context(), set, tune.Scaled(feature.Scaler{}, nil))
	expect("fit", err)
	_, err = v.Search(t.Context(), set, nil, tune.Grid{C: []float64{1}})
	expect("train", err)
	_, err = v.Nested(t.Context(), set, nil, tune.Inner{Grid: tune.Grid{C: []float64{1}}})
	expect("train", err)
	_, err = v.Search(t.Context(), set, threshold, tune.Grid{})
	expect("Grid.C", err)
	_, err = v.Search(t.Context(), set, threshold, tune.Grid{C: []float64{1, math.Inf(1)}})
	expect("Grid.C", err)
	_, err = v.Search(t.Context(), set, threshold, tune.Grid{C: []float64{1}, Gamma: []float64{}})
	expect("Grid.Gamma", err)
	_, err = v.Search(t.Context(), set, threshold, tune.Grid{C: []float64{1}, Gamma: []float64{0}})
	expect("Grid.Gamma", err)
	_, err = v.Permuted(t.Context(), set, nearestMean, tune.Permutation{Rounds: -1})
	expect("Rounds", err)
	_, err = v.Nested(t.Context(), set, threshold, tune.Inner{Folds: 99, Grid: tune.Grid{C: []float64{1}}})
	expect("k", err)
	v.Threads = -1
	_, err = v.CrossValidate(t.Context(), set, nearestMean)
	expect("Threads", err)
	v.Threads = 0
	if _, err := v.CrossValidate(t.Context(), nil, nearestMean); !errors.Is(err, svmkit.ErrEmpty) {
		t.Error(err)
	}
	nan := func(context.Context, *svmkit.Dataset) (svmkit.Model, error) {
		return asModel(func(svmkit.Row) float64 { return math.NaN() }), nil
	}
	if _, err := v.CrossValidate(t.Context(), set, nan); !errors.Is(err, tune.ErrScore) {
		t.Error(err)
	}
	none := func(context.Context, *svmkit.Dataset) (svmkit.Model, error) { return nil, nil }
	if _, err := v.CrossValidate(t.Context(), set, none); err == nil {
		t.Error("no model, no error")
	}
}

// broken is a metric that panics.
var broken = tune.Metric{Measure: func(*svmkit.Dataset, tune.Predictions) (float64, error) { panic("no values today") }}

// A panic is blamed on who panicked: the metric, and not the training or the model before it.
func TestAPanicHasTheNameOfItsFunction(t *testing.T) {
	set := numbered(t, 12)
	fails := func(context.Context, *svmkit.Dataset, tune.Params, svmkit.Model) (svmkit.Model, error) {
		panic("not today")
	}
	for _, c := range []struct {
		train  tune.ParamFitter
		metric tune.Metric
		name   string
	}{{threshold, broken, "Metric"}, {fails, broken, "training or its model"}, {fails, tune.Metric{}, "training or its model"}} {
		v := tune.Validation{Folds: foldsOf(t, set, 3), Metric: c.metric}
		_, once := v.CrossValidate(t.Context(), set, c.train.At(tune.Params{}))
		_, path := v.Search(t.Context(), set, c.train, tune.Grid{C: []float64{1, 2}})
		for _, err := range []error{once, path} {
			var fold *tune.FoldError
			var e *svmkit.PanicError
			if !errors.As(err, &fold) || !errors.As(err, &e) || e.Func != c.name {
				t.Errorf("%v, want a panic of %q", err, c.name)
			}
		}
	}
}
