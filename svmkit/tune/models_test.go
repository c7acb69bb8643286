package tune_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/tune"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// nearestMean is a model with a closed form: f(x) = ½‖x−m₋‖² − ½‖x−m₊‖².
func nearestMean(_ context.Context, set *svmkit.Dataset) (svmkit.Model, error) {
	if err := set.ValidateBinary(); err != nil {
		return nil, err
	}
	h := svmkit.Hyperplane{W: make([]float64, set.Dim)}
	for _, y := range []float64{-1, 1} {
		m, n := make([]float64, set.Dim), 0.0
		for x, label := range set.All() {
			if label == y {
				x.AddTo(m, 1)
				n++
			}
		}
		for j := range m {
			m[j] /= n
			h.W[j] += y * m[j]
			h.B -= y * m[j] * m[j] / 2
		}
	}
	return svmkit.AsModel(h, nil), nil
}

// scoreFunc makes a function a model.
type scoreFunc func(x svmkit.Row) float64

func (f scoreFunc) Score(x svmkit.Row) float64 { return f(x) }
func (f scoreFunc) Predict(x svmkit.Row) svmkit.Prediction {
	return svmkit.SignPrediction(f(x), nil)
}

func asModel(f scoreFunc) svmkit.Model { return svmkit.AsModel(f, nil) }

// threshold is the model f(x) = x₀ − C: with C it has its whole decision from the parameter,
// so what a search must find is known.
func threshold(_ context.Context, _ *svmkit.Dataset, p tune.Params, _ svmkit.Model) (svmkit.Model, error) {
	return asModel(func(x svmkit.Row) float64 { return x.At(0) - p.C }), nil
}

// numbered is a set whose row i is (i, …): a model that sees a row knows its number.
func numbered(t testing.TB, n int) *svmkit.Dataset {
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = []float64{float64(i), float64(i*i%7) - 3}, float64(2*(i%2)-1)
	}
	set, err := svmkit.NewDataset(x, y)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func numbers(set *svmkit.Dataset) []int {
	rows := make([]int, set.Len())
	for i, x := range set.X {
		rows[i] = int(x.At(0))
	}
	return rows
}

func foldsOf(t testing.TB, set *svmkit.Dataset, k int) []tune.Fold {
	folds, err := tune.Folds(set, k, 1)
	if err != nil {
		t.Fatal(err)
	}
	return folds
}

// A call is one training: what was trained on, with what, from which model, and which rows
// the model predicted later.
type call struct {
	number    int
	train     []int
	params    tune.Params
	previous  svmkit.Model
	predicted []int
}

// recorder is a trainer that writes everything down. Its models are nearest-mean ones, or
// those of inner.
type recorder struct {
	mutex sync.Mutex
	calls []*call
	inner tune.ParamFitter
}

type recordedModel struct {
	svmkit.Model
	*recorder
	*call
}

func (m recordedModel) PredictAll(rows []svmkit.Row) []svmkit.Prediction {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for _, x := range rows {
		m.predicted = append(m.predicted, int(x.At(0)))
	}
	return m.Model.PredictAll(rows)
}

func (r *recorder) train(ctx context.Context, set *svmkit.Dataset, p tune.Params, previous svmkit.Model) (svmkit.Model, error) {
	c := &call{train: numbers(set), params: p, previous: previous}
	r.mutex.Lock()
	c.number = len(r.calls)
	r.calls = append(r.calls, c)
	r.mutex.Unlock()
	inner := r.inner
	if inner == nil {
		inner = func(ctx context.Context, set *svmkit.Dataset, _ tune.Params, _ svmkit.Model) (svmkit.Model, error) {
			return nearestMean(ctx, set)
		}
	}
	s, err := inner(ctx, set, p, previous)
	return recordedModel{s, r, c}, err
}

// share returns the first number that both lists have.
func share(a, b []int) (int, bool) {
	for _, v := range a {
		if slices.Contains(b, v) {
			return v, true
		}
	}
	return 0, false
}

// fixed returns a metric that answers with the given numbers for the first row of the test set.
func fixed(value map[int]float64) tune.Metric {
	return tune.Metric{Name: "fixed", Measure: func(truth *svmkit.Dataset, _ tune.Predictions) (float64, error) {
		return value[int(truth.X[0].At(0))], nil
	}}
}
