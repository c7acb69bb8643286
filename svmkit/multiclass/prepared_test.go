package multiclass_test

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
)

// preparable are the classifiers that can be prepared.
type preparable interface {
	multiclass.Classifier
	svmkit.Preparer
}

// preparables returns classifiers of three classes and of two, of every kind of model.
func preparables(t *testing.T, set *svmkit.Dataset) map[string]preparable {
	t.Helper()
	two, err := samples.Iris().Pair("versicolor", "virginica")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]preparable{}
	for name, fit := range map[string]svmkit.Fitter{"linear": svm.Fitter(svm.Problem{}, nil, nil), "a model of one's own": nearestMean,
		"rbf": svm.Fitter(svm.Problem{Kernel: kernel.RBF{Gamma: 0.5}}, nil, nil)} {
		pairs, err1 := multiclass.OneVsOne{Binary: fit}.Fit(t.Context(), set)
		rest, err2 := multiclass.OneVsRest{Binary: fit}.Fit(t.Context(), set)
		one, err3 := multiclass.OneVsRest{Binary: fit}.Fit(t.Context(), two)
		if err1 != nil || err2 != nil || err3 != nil {
			t.Fatal(name, err1, err2, err3)
		}
		first := *pairs
		first.FirstWins = true
		all[name+", one-vs-one"], all[name+", first wins"], all[name+", one-vs-rest"], all[name+", two classes"] = pairs, &first, rest, one
	}
	return all
}

// A prepared classifier predicts what the classifier does, for rows of every layout, from several goroutines.
func TestPrepared(t *testing.T) {
	iris := samples.Iris()
	rows := append([]svmkit.Row{{Index: []int32{}}, {Index: []int32{1, 3}, Value: []float64{2, 3}}, svmkit.Dense(math.NaN(), 1, 2, 3)}, iris.X...)
	for name, c := range preparables(t, iris) {
		p := c.Prepare()
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				for i, x := range rows {
					want, got := c.Predict(x), p.Predict(x)
					if got.OK != want.OK || got.Class != want.Class || got.Name != want.Name || got.Y != want.Y && !(math.IsNaN(got.Y) && math.IsNaN(want.Y)) {
						t.Errorf("%s, row %d: %+v, want %+v", name, i, got, want)
					}
				}
			})
		}
		wait.Wait()
	}
}

// Of a class without rows there is no model: it is never predicted.
func TestPreparedWithoutAClass(t *testing.T) {
	iris := samples.Iris()
	some := iris.Subset(slices.Collect(func(yield func(int) bool) {
		for i, y := range iris.Y {
			if y != 1 && !yield(i) {
				return
			}
		}
	}))
	for name, c := range preparables(t, some) {
		for i, x := range iris.X {
			if n := c.Predict(x).Class; n == 1 && !strings.HasSuffix(name, "two classes") { // which are those of another set
				t.Fatalf("%s, row %d: class 1", name, i)
			} else if got := c.Prepare().Predict(x).Class; got != n {
				t.Fatalf("%s, row %d: class %d, not %d", name, i, got, n)
			}
		}
	}
}
