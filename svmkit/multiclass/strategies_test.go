package multiclass_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
	"pgregory.net/rapid"
)

// What the classifiers of this package can do.
var (
	_ multiclass.Classifier       = (*multiclass.PairClassifier)(nil)
	_ multiclass.Classifier       = (*multiclass.RestClassifier)(nil)
	_ multiclass.Classifier       = (*multiclass.Linear)(nil)
	_ multiclass.Classifier       = (*multiclass.Solution)(nil)
	_ multiclass.Classifier       = (*multiclass.Prepared)(nil)
	_ svmkit.ProbabilityPredictor = (*multiclass.PairClassifier)(nil)
	_ svmkit.ProbabilityPredictor = (*multiclass.RestClassifier)(nil)
	_ svmkit.ProbabilityPredictor = (*multiclass.Prepared)(nil)
	_ svmkit.Preparer             = (*multiclass.PairClassifier)(nil)
	_ svmkit.Preparer             = (*multiclass.RestClassifier)(nil)
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// nearestMean is a model with a closed form: f(x) = ½‖x−m₋‖² − ½‖x−m₊‖².
func nearestMean(_ context.Context, set *svmkit.Dataset) (svmkit.Model, error) {
	if err := set.ValidateBinary(); err != nil {
		return nil, err
	}
	minus, plus := mean(set, -1), mean(set, 1)
	h := svmkit.Hyperplane{W: make([]float64, set.Dim)}
	for j := range h.W {
		h.W[j] = plus[j] - minus[j]
		h.B -= (plus[j]*plus[j] - minus[j]*minus[j]) / 2
	}
	return svmkit.AsModel(h, set), nil
}

func mean(set *svmkit.Dataset, label float64) []float64 {
	m, n := make([]float64, set.Dim), 0.0
	for x, y := range set.All() {
		if y == label {
			x.AddTo(m, 1)
			n++
		}
	}
	for j := range m {
		m[j] /= n
	}
	return m
}

// drawSet draws K classes of integer points; every class in `absent` has no row.
func drawSet(t *rapid.T, classes int, absent ...int) *svmkit.Dataset {
	d := rapid.IntRange(1, 3).Draw(t, "d")
	set := &svmkit.Dataset{Dim: d}
	for k := range classes {
		set.Classes = append(set.Classes, fmt.Sprint("class ", k))
		if slices.Contains(absent, k) {
			continue
		}
		for range rapid.IntRange(1, 4).Draw(t, "rows") {
			x := make([]float64, d)
			for j := range x {
				x[j] = float64(rapid.IntRange(-9, 9).Draw(t, "x"))
			}
			y := float64(k)
			if classes == 2 {
				y = float64(2*k - 1)
			}
			set.X, set.Y = append(set.X, svmkit.Dense(x...)), append(set.Y, y)
		}
	}
	return set
}

// rounding bounds the difference of two ways to compute a score from numbers up to 10³.
const rounding = 1e-9

// With the nearest-mean model, x's vote is known: a class that is nearest beats every other
// one, so one-vs-one must predict the nearest of the K means.
func TestOneVsOneFindsTheNearestMean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes := rapid.IntRange(3, 6).Draw(t, "K")
		absent := rapid.IntRange(-1, classes-1).Draw(t, "absent")
		set := drawSet(t, classes, absent)
		c, err := multiclass.OneVsOne{Binary: nearestMean, Threads: 2}.Fit(t.Context(), set)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range set.X {
			distance, best, second := make([]float64, classes), math.Inf(1), math.Inf(1)
			for k := range classes {
				distance[k] = math.Inf(1)
				if k == absent {
					continue
				}
				m := mean(set, float64(k))
				x.AddTo(m, -1)
				distance[k] = svmkit.Dense(m...).SquaredNorm()
				if distance[k] < best {
					best, second = distance[k], best
				} else {
					second = min(second, distance[k])
				}
			}
			if second-best < rounding {
				continue // a tie has its own test
			}
			p := c.Predict(x)
			k, name := p.Class, p.Name
			if distance[k] != best || name != set.Classes[k] {
				t.Fatalf("row %d: class %d (%s), distances² %v", i, k, name, distance)
			}
			if votes := c.Votes(x); votes[k] != len(c.Models)-pairsWithout(c, k) {
				t.Fatalf("the nearest class has %d votes of %v", votes[k], votes)
			}
		}
	})
}

func pairsWithout(c *multiclass.PairClassifier, k int) (n int) {
	for _, m := range c.Models {
		if m.Negative != k && m.Positive != k {
			n++
		}
	}
	return n
}

// For two classes both strategies are the binary model: the same score, bit for bit, with the
// same sign for class 1, and the opposite for class 0. So is the class, where there is one.
func TestTwoClassesAreTheBinaryModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawSet(t, 2)
		if rapid.Bool().Draw(t, "unnamed") {
			set.Classes = nil
		}
		binary, err := nearestMean(t.Context(), set)
		if err != nil {
			t.Fatal(err)
		}
		rest, err := multiclass.OneVsRest{Binary: nearestMean}.Fit(t.Context(), set)
		if err != nil {
			t.Fatal(err)
		}
		one, err := multiclass.OneVsOne{Binary: nearestMean}.Fit(t.Context(), set)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range set.X {
			f := binary.(svmkit.Scorer).Score(x)
			for _, c := range []multiclass.Classifier{rest, one} {
				if s := c.ClassScores(x); !slices.Equal(s, []float64{-f, f}) {
					t.Fatalf("%T: scores %v, binary %g", c, s, f)
				}
				p := c.Predict(x)
				k, label := p.Class, p.Y
				if f != 0 && label != svmkit.Sign(f) || f == 0 && k != 0 || label != float64(2*k-1) {
					t.Fatalf("%T: class %d, label %g, at f = %g", c, k, label, f)
				}
			}
		}
	})
}

// Each model of one-vs-rest must have seen its class as +1 and all other rows as −1.
func TestOneVsRestShowsEveryModelItsProblem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes := rapid.IntRange(3, 5).Draw(t, "K")
		absent := rapid.IntRange(-1, classes-1).Draw(t, "absent")
		set := drawSet(t, classes, absent)
		c, err := multiclass.OneVsRest{Binary: nearestMean}.Fit(t.Context(), set)
		if err != nil {
			t.Fatal(err)
		}
		for k := range classes {
			if k == absent {
				if s := c.ClassScores(set.X[0])[k]; c.Models[k] != nil || !math.IsInf(s, -1) {
					t.Fatalf("absent class %d has score %g", k, s)
				}
				continue
			}
			binary, err := set.OneVsRest(set.Classes[k])
			if err != nil {
				t.Fatal(err)
			}
			want, _ := nearestMean(t.Context(), binary)
			for _, x := range set.X {
				scores := c.ClassScores(x)
				if scores[k] != want.(svmkit.Scorer).Score(x) {
					t.Fatalf("class %d: score %g, its binary problem gives %g", k, scores[k], want.(svmkit.Scorer).Score(x))
				}
				if got := c.Predict(x).Class; scores[got] != slices.Max(scores) || slices.Index(scores, scores[got]) != got {
					t.Fatalf("scores %v, predicted %d", scores, got)
				}
			}
		}
	})
}

type constant float64

func (c constant) Score(svmkit.Row) float64 { return float64(c) }
func (c constant) Predict(svmkit.Row) svmkit.Prediction {
	return svmkit.SignPrediction(float64(c), nil)
}

// rigged answers each pair with a chosen score.
func rigged(scores map[string]float64) svmkit.Fitter {
	return func(_ context.Context, set *svmkit.Dataset) (svmkit.Model, error) {
		return svmkit.AsModel(constant(scores[set.Classes[0]+set.Classes[1]]), set), nil
	}
}

func abc(t *testing.T) *svmkit.Dataset {
	set, err := svmkit.NewDataset([][]float64{{0}, {1}, {2}}, []float64{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	set.Classes = []string{"a", "b", "c"}
	return set
}

func TestTieRule(t *testing.T) {
	for _, c := range []struct {
		ab, ac, bc float64
		votes      []int
		want       string
	}{
		{-1, -1, 5, []int{2, 0, 1}, "a"}, // most votes, though c has the larger sum
		{2, -1, 2, []int{1, 1, 1}, "c"},  // a beats c, b beats a, c beats b; sums −1, 0, 1
		{1, -1, 1, []int{1, 1, 1}, "a"},  // all sums 0: the lower number
		{1, -3, 1, []int{1, 1, 1}, "a"},  // sums 2, 0, −2
		{3, -1, 1, []int{1, 1, 1}, "b"},  // sums −2, 2, 0
		{0, 0, 0, []int{0, 0, 0}, "a"},   // no votes
		{0, 0, 0.5, []int{0, 0, 1}, "c"}, // a zero is no vote
		{0, 1, -1, []int{0, 1, 1}, "b"},  // b and c one vote each; sums −1, 1, 0
	} {
		p, err := multiclass.OneVsOne{Binary: rigged(map[string]float64{"ab": c.ab, "ac": c.ac, "bc": c.bc})}.Fit(t.Context(), abc(t))
		if err != nil {
			t.Fatal(err)
		}
		name := p.Predict(svmkit.Dense(0)).Name
		if votes := p.Votes(svmkit.Dense(0)); name != c.want || !slices.Equal(votes, c.votes) {
			t.Errorf("%+v: %s with votes %v", c, name, votes)
		}
	}
}

// The lowest class that fails gives the error, on any number of threads and in any order of time.
func TestFirstErrorIsThatOfTheLowestClass(t *testing.T) {
	set := &svmkit.Dataset{Dim: 1}
	for k := range 8 {
		set.X, set.Y = append(set.X, svmkit.Dense(float64(k))), append(set.Y, float64(k))
	}
	broken := errors.New("broken")
	for _, threads := range []int{1, 2, 8, 100} {
		var running atomic.Int32
		fit := func(_ context.Context, set *svmkit.Dataset) (svmkit.Model, error) {
			now := running.Add(1)
			defer running.Add(-1)
			if int(now) > threads {
				t.Errorf("%d models at once on %d threads", now, threads)
			}
			switch class := set.Classes[1]; class {
			case "2":
				for range 1000 {
					runtime.Gosched() // the later class fails first
				}
				return nil, broken
			case "5", "7":
				return nil, broken
			}
			return svmkit.AsModel(constant(0), set), nil
		}
		_, err := multiclass.OneVsRest{Binary: fit, Threads: threads}.Fit(t.Context(), set)
		if !errors.Is(err, broken) || !strings.Contains(err.Error(), "class 2 against the rest") {
			t.Errorf("%d threads: %v", threads, err)
		}
		_, err = multiclass.OneVsOne{Binary: fit, Threads: threads}.Fit(t.Context(), set)
		if !errors.Is(err, broken) || !strings.Contains(err.Error(), "class 0 against 2") {
			t.Errorf("%d threads: %v", threads, err)
		}
	}
}

func TestThreadsChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawSet(t, 5)
		var rests []*multiclass.RestClassifier
		var ones []*multiclass.PairClassifier
		for _, threads := range []int{1, 3, 0} {
			r, err := multiclass.OneVsRest{Binary: nearestMean, Threads: threads}.Fit(t.Context(), set)
			if err != nil {
				t.Fatal(err)
			}
			o, err := multiclass.OneVsOne{Binary: nearestMean, Threads: threads}.Fit(t.Context(), set)
			if err != nil {
				t.Fatal(err)
			}
			rests, ones = append(rests, r), append(ones, o)
		}
		for _, x := range set.X {
			for i := range rests {
				if !slices.Equal(rests[i].ClassScores(x), rests[0].ClassScores(x)) || !slices.Equal(ones[i].ClassScores(x), ones[0].ClassScores(x)) {
					t.Fatal("the number of threads changes a score")
				}
			}
		}
	})
}

// After an error no further model is fitted.
func TestAnErrorEndsTheFit(t *testing.T) {
	fits := 0
	fit := func(context.Context, *svmkit.Dataset) (svmkit.Model, error) {
		fits++
		return nil, errors.New("broken")
	}
	if _, err := (multiclass.OneVsOne{Binary: fit, Threads: 1}).Fit(t.Context(), abc(t)); err == nil || fits != 1 {
		t.Errorf("%v after %d fits", err, fits)
	}
}

// A cancelled fit starts no further model and leaves no goroutine (TestMain looks).
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var fits atomic.Int32
	fit := func(ctx context.Context, _ *svmkit.Dataset) (svmkit.Model, error) {
		fits.Add(1)
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	c, err := multiclass.OneVsOne{Binary: fit, Threads: 1}.Fit(ctx, abc(t))
	if c != nil || !errors.Is(err, context.Canceled) || fits.Load() != 1 {
		t.Errorf("%v, %v after %d fits", c, err, fits.Load())
	}
	r, err := multiclass.OneVsRest{Binary: fit}.Fit(ctx, abc(t))
	if r != nil || !errors.Is(err, context.Canceled) || fits.Load() != 1 {
		t.Errorf("%v, %v after %d fits", r, err, fits.Load())
	}
}

func TestBadInput(t *testing.T) {
	set := func(classes []string, y ...float64) *svmkit.Dataset {
		s := &svmkit.Dataset{Dim: 1, Y: y, Classes: classes}
		for i := range y {
			s.X = append(s.X, svmkit.Dense(float64(i)))
		}
		return s
	}
	for _, c := range []struct {
		set  *svmkit.Dataset
		want error
	}{
		{nil, svmkit.ErrEmpty},
		{set(nil, 0, 1, 2.5), multiclass.ErrClass},
		{set(nil, 0, 1, -2), multiclass.ErrClass},
		{set(nil, 0, 1, 1e9), multiclass.ErrClass}, // a target, not a billion classes
		{set([]string{"a", "b", "c"}, 0, 3), multiclass.ErrClass},
		{set([]string{"a", "b"}, 0, 1), multiclass.ErrClass}, // two names: labels are ±1
		{set([]string{}, 0, 1), multiclass.ErrClass},
		{set([]string{"a", "b", "c"}, 1, 1), svmkit.ErrOneClass},
		{set(nil, 1, 1), svmkit.ErrOneClass},
		{set(nil, 0, math.NaN()), svmkit.ErrNotFinite},
	} {
		var data *svmkit.DataError
		_, err := multiclass.OneVsRest{Binary: nearestMean}.Fit(t.Context(), c.set)
		if !errors.Is(err, c.want) || !errors.As(err, &data) {
			t.Errorf("%+v: %v, want %v", c.set, err, c.want)
		}
		if _, err := (multiclass.CrammerSinger{Data: c.set}).Fit(t.Context(), nil); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v, want %v", c.set, err, c.want)
		}
	}
	var param *svmkit.ParamError
	if _, err := (multiclass.OneVsOne{}).Fit(t.Context(), abc(t)); !errors.As(err, &param) || param.Name != "Binary" {
		t.Error(err)
	}
	if _, err := (multiclass.OneVsRest{Binary: nearestMean, Threads: -1}).Fit(t.Context(), abc(t)); !errors.As(err, &param) || param.Name != "Threads" {
		t.Error(err)
	}
	for _, m := range []multiclass.CrammerSinger{{C: -1}, {C: math.Inf(1)}, {C: math.NaN()}, {Bias: svmkit.FreeBias}, {Bias: -1}} {
		m.Data = abc(t)
		if _, err := m.Fit(t.Context(), nil); !errors.As(err, &param) {
			t.Errorf("%+v: %v", m, err)
		}
	}
	for _, o := range []multiclass.Settings{{Tol: math.NaN()}, {Tol: -1}, {MaxIterations: -1}} {
		if _, err := (multiclass.CrammerSinger{Data: abc(t)}).Fit(t.Context(), &o); !errors.As(err, &param) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// A row whose score is NaN has no class: no number, no name, and a label that equals none, not one of a
// class −1.
func TestNaNHasNoClass(t *testing.T) {
	nan := svmkit.Hyperplane{W: []float64{math.Inf(1), math.Inf(-1)}} // ∞ − ∞ at (1, 1)
	for _, classes := range []multiclass.Classes{{Count: 2, Signed: true}, {Count: 3}} {
		rest := &multiclass.RestClassifier{Classes: classes, Models: slices.Repeat([]svmkit.Scorer{nan}, classes.Count)}
		pairs := &multiclass.PairClassifier{Classes: classes, Models: []multiclass.PairModel{{Negative: 0, Positive: 1, Scorer: nan}}}
		for _, c := range []multiclass.Classifier{rest, pairs} {
			if p := c.Predict(svmkit.Dense(1, 1)); p.OK || p.Class != -1 || p.Name != "" || !math.IsNaN(p.Y) {
				t.Errorf("%T, signed %v: %+v", c, classes.Signed, p)
			}
		}
	}
}

// A model that predicts labels and has no score is refused: its labels must not pass as scores.
func TestStrategiesNeedScores(t *testing.T) {
	fit := func(context.Context, *svmkit.Dataset) (svmkit.Model, error) {
		return svmkit.AsModel(struct{ svmkit.Predictor }{constant(1)}, nil), nil
	}
	var param *svmkit.ParamError
	if _, err := (multiclass.OneVsRest{Binary: fit}).Fit(t.Context(), abc(t)); !errors.As(err, &param) || param.Name != "Binary" {
		t.Error(err)
	}
	if _, err := (multiclass.OneVsOne{Binary: fit}).Fit(t.Context(), abc(t)); !errors.As(err, &param) || param.Name != "Binary" {
		t.Error(err)
	}
}

// A classifier put together from its models, as a file holds them, is the one that was fitted: a class
// without a model has no score there either.
func TestClassifiersAreTheirModels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawSet(t, 4, rapid.IntRange(-1, 3).Draw(t, "absent"))
		fitted, err := multiclass.OneVsOne{Binary: nearestMean}.Fit(t.Context(), set)
		if err != nil {
			t.Fatal(err)
		}
		again := &multiclass.PairClassifier{Classes: fitted.Classes, Models: fitted.Models}
		for _, x := range set.X {
			if !slices.Equal(fitted.ClassScores(x), again.ClassScores(x)) || fitted.Predict(x).Y != again.Predict(x).Y {
				t.Fatalf("scores %v, fitted %v", again.ClassScores(x), fitted.ClassScores(x))
			}
		}
	})
}

// ended is a model that says how its fit ended.
type ended struct {
	svm.Model
	status svmkit.Status
}

func (e *ended) FitStatus() svmkit.Status { return e.status }

// A classifier is at its tolerance only if all its models are: the first that is not is named, wherever it stands.
func TestWorstFitIsTheStatus(t *testing.T) {
	const optimal, limit, stalled, none = svmkit.Optimal, svmkit.IterationLimit, svmkit.Stalled, svmkit.Unfinished
	for _, c := range []struct {
		models []svmkit.Status
		want   svmkit.Status
	}{{[]svmkit.Status{optimal, optimal, optimal}, optimal}, {[]svmkit.Status{limit, optimal, optimal}, limit},
		{[]svmkit.Status{optimal, optimal, limit}, limit}, {[]svmkit.Status{optimal, stalled, limit}, stalled}, {[]svmkit.Status{none, none, none}, none}} {
		rest, pairs := &multiclass.RestClassifier{}, &multiclass.PairClassifier{}
		for _, s := range c.models {
			rest.Models = append(rest.Models, &ended{status: s})
			pairs.Models = append(pairs.Models, multiclass.PairModel{Scorer: &ended{status: s}})
		}
		if a, b := rest.FitStatus(), pairs.FitStatus(); a != c.want || b != c.want {
			t.Errorf("%v: %v one-vs-rest and %v one-vs-one, want %v", c.models, a, b, c.want)
		}
	}
}
