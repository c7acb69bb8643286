package tune_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// read returns the set of a CSV file.
func read(t *testing.T, file string, labels dataset.Labels) *svmkit.Dataset {
	t.Helper()
	set, err := dataset.Read(t.Context(), strings.NewReader(file), &dataset.Options{Labels: labels})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// A test file that lacks classes, has others, or orders them otherwise is measured by the names of the classes, or
// refused: never by their numbers.
func TestLabelsAreComparedByName(t *testing.T) {
	two := read(t, "x,y\n-3,1\n-2,1\n2,2\n3,2\n", dataset.Labels{})
	three := read(t, "x,y\n-9,a\n-8,a\n0,b\n1,b\n9,c\n8,c\n", dataset.Labels{})
	model, err := svm.Fit(t.Context(), &svm.Problem{Data: two}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	joint, err := multiclass.CrammerSinger{Data: three, Bias: svmkit.PenalizedBias, C: 100}.Fit(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var param *svmkit.ParamError
	for name, c := range map[string]struct {
		model  svmkit.Predictor
		file   string
		labels dataset.Labels
		metric tune.Metric
		want   float64 // NaN: refused
	}{
		"as in training":               {model, "x,y\n-3,1\n2,2\n", dataset.Labels{}, tune.Accuracy, 1},
		"the other order":              {model, "x,y\n-3,1\n2,2\n", dataset.Labels{Classes: []string{"2", "1"}}, tune.Accuracy, 1},
		"the other order, wrong":       {model, "x,y\n-3,2\n2,1\n", dataset.Labels{Classes: []string{"2", "1"}}, tune.Accuracy, 0},
		"the other order, scores":      {model, "x,y\n-3,1\n2,2\n", dataset.Labels{Classes: []string{"2", "1"}}, tune.AUC, 1},
		"one class, named":             {model, "x,y\n-3,1\n-2,1\n", dataset.Labels{Classes: []string{"1", "2"}}, tune.Accuracy, 1},
		"one class":                    {model, "x,y\n-3,1\n-2,1\n", dataset.Labels{}, tune.Accuracy, math.NaN()},
		"one class, error":             {model, "x,y\n-3,1\n-2,1\n", dataset.Labels{}, tune.Error, math.NaN()},
		"one class more":               {model, "x,y\n-3,1\n2,2\n9,3\n", dataset.Labels{}, tune.Accuracy, 2. / 3},
		"other classes, scores":        {model, "x,y\n-3,5\n2,6\n", dataset.Labels{}, tune.AUC, math.NaN()},
		"two of three classes":         {joint, "x,y\n0,b\n9,c\n", dataset.Labels{}, tune.Accuracy, 1},
		"two of three classes, wrong":  {joint, "x,y\n0,c\n9,b\n", dataset.Labels{}, tune.Accuracy, 0},
		"three classes, other order":   {joint, "x,y\n-9,a\n0,b\n9,c\n", dataset.Labels{Classes: []string{"c", "a", "b"}}, tune.BalancedAccuracy, 1},
		"class numbers are no targets": {model, "x,y\n-3,1\n2,2\n", dataset.Labels{}, tune.MSE, math.NaN()},
	} {
		truth := read(t, c.file, c.labels)
		got, err := c.metric.Measure(truth, tune.Predict(c.model, truth.X))
		if math.IsNaN(c.want) {
			if !errors.As(err, &param) && !errors.Is(err, svmkit.ErrNotTargets) {
				t.Errorf("%s: %g, %v; want it refused", name, got, err)
			}
		} else if err != nil || !(math.Abs(got-c.want) <= 1e-15) {
			t.Errorf("%s: %g, %v; want %g", name, got, err, c.want)
		}
	}
	if _, err := tune.Accuracy.Measure(two, tune.Predictions{Label: two.Y}); !errors.As(err, &param) || !strings.Contains(err.Error(), "tune.Predict") {
		t.Errorf("labels without the names of their classes: %v", err)
	}
}

// The mean over folds whose fits ended at a limit says that they did, whatever the models are wrapped in.
func TestUnfinishedFitsAreCounted(t *testing.T) {
	two := read(t, "x,y\n-3,1\n-2,1\n2,2\n3,2\n-1,2\n1,1\n-4,1\n4,2\n", dataset.Labels{})
	limited := svm.Fitter(svm.Problem{C: svm.PerSum(1e3)}, svm.DualCoordinate{}, &svm.Settings{Tol: 1e-12, MaxIterations: 1})
	whole := svm.Fitter(svm.Problem{}, nil, nil)
	for name, c := range map[string]struct {
		fit  svmkit.Fitter
		want svmkit.Status
	}{
		"at its limit":              {limited, svmkit.IterationLimit},
		"optimal":                   {whole, svmkit.Optimal},
		"scaled, at its limit":      {tune.Scaled(feature.Scaler{}, limited), svmkit.IterationLimit},
		"one-vs-rest, at its limit": {multiclass.OneVsRest{Binary: limited}.Fitter(), svmkit.IterationLimit},
		"one-vs-one, at its limit":  {multiclass.OneVsOne{Binary: limited}.Fitter(), svmkit.IterationLimit},
		"one-vs-one, optimal":       {multiclass.OneVsOne{Binary: whole}.Fitter(), svmkit.Optimal},
		"Crammer and Singer": {multiclass.CrammerSinger{C: 1e3, Bias: svmkit.PenalizedBias}.Fitter(&multiclass.Settings{Tol: 1e-13, MaxIterations: 1}),
			svmkit.IterationLimit},
	} {
		v := tune.Validation{Folds: []tune.Fold{{Train: []int{0, 1, 2, 3, 4, 5}, Test: []int{6, 7}}, {Train: []int{2, 3, 4, 5, 6, 7}, Test: []int{0, 1}}}}
		cv, err := v.CrossValidate(t.Context(), two, c.fit)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		limited := 0
		if c.want.Limited() {
			limited = 2
		}
		if !slices.Equal(cv.Status, []svmkit.Status{c.want, c.want}) || cv.Limited() != limited {
			t.Errorf("%s: %v, %d limited; want %v", name, cv.Status, cv.Limited(), c.want)
		}
		found, err := v.Search(t.Context(), two, tune.FromParams(func(tune.Params) svmkit.Fitter { return c.fit }), tune.Grid{C: []float64{1, 2}})
		if err != nil || found.Points[1].Limited() != limited {
			t.Errorf("%s: the search says %+v, %v", name, found, err)
		}
	}
}
