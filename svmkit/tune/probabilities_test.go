package tune_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// Two classes, scaled: the sigmoid is that of the scores out of five folds, row by row, made by hand.
func TestProbabilitiesOutOfFolds(t *testing.T) {
	set, err := samples.Iris().Pair("versicolor", "virginica")
	if err != nil {
		t.Fatal(err)
	}
	fit := tune.Scaled(feature.Scaler{}, svm.Fitter(svm.Problem{C: svm.PerSum(1)}, nil, nil))
	m, err := tune.Probabilities{}.Fitter(fit)(t.Context(), set)
	if err != nil {
		t.Fatal(err)
	}
	folds, err := tune.Folds(set, 5, 0)
	if err != nil {
		t.Fatal(err)
	}
	scores := make([]float64, set.Len())
	for _, fold := range folds {
		train, test := fold.Of(set)
		part, err := fit(t.Context(), train)
		if err != nil {
			t.Fatal(err)
		}
		for k, s := range svmkit.ScoreAll(part.(svmkit.Scorer), test.X) {
			scores[fold.Test[k]] = s
		}
	}
	want, err := svm.FitPlatt(scores, set.Y)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.(*tune.ScaledScorer).Model.(*svm.Result).Platt; *got != want {
		t.Errorf("%+v, want %+v", *got, want)
	}
	const rounding = 1e-15 // of 1 − p
	all := m.(*tune.ScaledScorer).ProbabilitiesAll(set.X)
	for i, s := range m.(*tune.ScaledScorer).ScoreAll(set.X) {
		if p := want.Probability(s); all[i][1] != p || !(math.Abs(all[i][0]-(1-p)) <= rounding) {
			t.Fatalf("row %d: %v, want %g of the second class", i, all[i], p)
		}
	}

	// A row of weight 0 is not there.
	weighted := *set
	weighted.X, weighted.Y = append([]svmkit.Row{set.X[99]}, set.X...), append([]float64{-set.Y[99]}, set.Y...)
	weighted.Weight = append([]float64{0}, slices.Repeat([]float64{1}, set.Len())...)
	again, err := tune.Probabilities{}.Fitter(fit)(t.Context(), &weighted)
	if err != nil {
		t.Fatal(err)
	}
	if got := again.(*tune.ScaledScorer).Model.(*svm.Result).Platt; *got != want {
		t.Errorf("with a row of weight 0: %+v, want %+v", *got, want)
	}
}

func TestProbabilitiesRefused(t *testing.T) {
	hinge := svm.Fitter(svm.Problem{}, nil, nil)
	iris := samples.Iris()
	lonely := iris.Subset(append([]int{0}, slices.Collect(func(yield func(int) bool) {
		for i := 50; i < 150 && yield(i); i++ {
		}
	})...))
	second := iris.Subset([]int{0, 1, 2, 50})
	second.Y, second.Classes = []float64{-1, -1, -1, 1}, []string{"setosa", "versicolor"}
	targets, err := svmkit.NewDataset([][]float64{{1}, {2}, {3}}, []float64{1, 2, 4})
	if err != nil {
		t.Fatal(err)
	}
	oneClass := func(ctx context.Context, set *svmkit.Dataset) (svmkit.Model, error) {
		return svm.OneClass{Data: set, Nu: 0.5}.Fit(ctx, nil)
	}
	fault := errors.New("fault")
	for name, c := range map[string]struct {
		fit  svmkit.Fitter
		set  *svmkit.Dataset
		says string
	}{
		"no fitter":         {nil, iris, "fit"},
		"one row of setosa": {multiclass.OneVsOne{Binary: hinge}.Fitter(), lonely, `class "setosa" has only row 0`},
		"one of two":        {hinge, second, `class "versicolor" has only row 3`},
		"Crammer–Singer":    {multiclass.CrammerSinger{C: 1}.Fitter(nil), iris, "one-vs-one or one-vs-rest"},
		"a regression":      {svm.Fitter(svm.Problem{Loss: loss.EpsInsensitive{Epsilon: 0.1}}, nil, nil), targets, "two classes"},
		"one class":         {oneClass, second, "two classes"},
		"a fault":           {func(context.Context, *svmkit.Dataset) (svmkit.Model, error) { return nil, fault }, iris, "fault"},
		"no model":          {func(context.Context, *svmkit.Dataset) (svmkit.Model, error) { return nil, nil }, iris, "neither a model nor an error"},
	} {
		m, err := tune.Probabilities{}.Fitter(c.fit)(t.Context(), c.set)
		if m != nil || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
	fits := 0
	_, err = tune.Probabilities{Threads: 1}.Fitter(func(ctx context.Context, set *svmkit.Dataset) (svmkit.Model, error) {
		if fits++; fits == 3 { // after the whole and one fold
			return nil, fault
		}
		return multiclass.OneVsOne{Binary: hinge}.Fitter()(ctx, set)
	})(t.Context(), iris)
	if fold := (*tune.FoldError)(nil); !errors.As(err, &fold) || fold.Fold != 1 || !errors.Is(err, fault) {
		t.Error(err)
	}
}

// A row that cannot be scaled has NaN for every class, and the rows around it are as ever.
func TestProbabilitiesOfARowThatCannotBeScaled(t *testing.T) {
	binary := svm.Fitter(svm.Problem{Kernel: kernel.RBF{Gamma: 0.5}}, nil, nil)
	iris := samples.Iris()
	two, err := iris.Pair("versicolor", "virginica")
	if err != nil {
		t.Fatal(err)
	}
	rows := []svmkit.Row{two.X[0], svmkit.Dense(1), two.X[1]}
	for name, c := range map[string]struct {
		fit     svmkit.Fitter
		set     *svmkit.Dataset
		classes int
	}{"two": {binary, two, 2}, "one-vs-one": {multiclass.OneVsOne{Binary: binary}.Fitter(), iris, 3}, "one-vs-rest": {multiclass.OneVsRest{Binary: binary}.Fitter(), iris, 3}} {
		m, err := tune.Probabilities{}.Fitter(tune.Scaled(feature.Scaler{}, c.fit))(t.Context(), c.set)
		if err != nil {
			t.Fatal(name, err)
		}
		all := m.(interface {
			ProbabilitiesAll(rows []svmkit.Row) [][]float64
		}).ProbabilitiesAll(rows)
		for i, p := range all {
			if len(p) != c.classes || math.IsNaN(p[0]) != (i == 1) || math.IsNaN(p[1]) != (i == 1) {
				t.Errorf("%s, row %d: %v", name, i, p)
			}
		}
		if len(all) != 3 {
			t.Errorf("%s: %d rows", name, len(all))
		}
	}
}

// evenly is a model of two classes that gives each the probability ½.
type evenly struct{ svmkit.Model }

func (evenly) ProbabilitiesAll(rows []svmkit.Row) [][]float64 {
	return slices.Repeat([][]float64{{0.5, 0.5}}, len(rows))
}

// A test set that is predicted in several parts has the probabilities of all its rows.
func TestProbabilitiesOfManyRows(t *testing.T) {
	set := numbered(t, 3000)
	fold, err := tune.SplitRows(set, 0.5, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tune.Validation{Folds: []tune.Fold{fold}, Metric: tune.LogLoss}.CrossValidate(t.Context(), set, func(context.Context, *svmkit.Dataset) (svmkit.Model, error) {
		return evenly{svmkit.AsModel(svmkit.Hyperplane{W: make([]float64, 2), B: 1}, nil)}, nil
	})
	const rounding = 1e-12
	if err != nil || !(math.Abs(r.Mean-math.Ln2) <= rounding) {
		t.Errorf("%+v, %v, want ln 2", r, err)
	}
}

// Two classes have the same sigmoid as one model, one-vs-one and one-vs-rest: that of the second class.
func TestProbabilitiesOfTwoClassesByAnyStrategy(t *testing.T) {
	set, err := samples.Iris().Pair("versicolor", "virginica")
	if err != nil {
		t.Fatal(err)
	}
	binary := svm.Fitter(svm.Problem{C: svm.PerSum(1)}, nil, nil)
	const rounding = 1e-15 // of 1 − p
	var want [][]float64
	for k, fit := range []svmkit.Fitter{binary, multiclass.OneVsOne{Binary: binary}.Fitter(), multiclass.OneVsRest{Binary: binary}.Fitter()} {
		m, err := tune.Probabilities{}.Fitter(fit)(t.Context(), set)
		if err != nil {
			t.Fatal(err)
		}
		got := tune.Predict(m, set.X).Probability
		if k == 0 {
			want = got
		}
		for i, p := range got {
			if len(p) != 2 || p[1] != want[i][1] || !(math.Abs(p[0]-want[i][0]) <= rounding) {
				t.Fatalf("%T, row %d: %g, want %g", m, i, p, want[i])
			}
		}
	}
}

// Labels without names may be 0 and 1. Both strategies then have the same probabilities for two classes.
func TestProbabilitiesOfNumberedClasses(t *testing.T) {
	set, err := samples.Iris().Pair("versicolor", "virginica")
	if err != nil {
		t.Fatal(err)
	}
	set.Classes = nil
	for i, y := range set.Y {
		set.Y[i] = (y + 1) / 2
	}
	binary := svm.Fitter(svm.Problem{C: svm.PerSum(1)}, nil, nil)
	var all [2][][]float64
	for k, fit := range []svmkit.Fitter{multiclass.OneVsOne{Binary: binary}.Fitter(), multiclass.OneVsRest{Binary: binary}.Fitter()} {
		m, err := tune.Probabilities{}.Fitter(fit)(t.Context(), set)
		if err != nil {
			t.Fatal(err)
		}
		all[k] = m.ProbabilitiesAll(set.X)
	}
	if len(all[0]) != set.Len() || !reflect.DeepEqual(all[0], all[1]) {
		t.Errorf("one against one and one against the rest differ: %v, %v", all[0], all[1])
	}
}

// countedKernel counts its evaluations.
type countedKernel struct {
	kernel.Kernel
	calls *atomic.Int64
}

func (k countedKernel) Eval(x, z svmkit.Row) float64 {
	k.calls.Add(1)
	return k.Kernel.Eval(x, z)
}

// The scores that predict the classes are those of the probabilities.
func TestPredictScoresOnce(t *testing.T) {
	set, err := samples.Iris().Pair("versicolor", "virginica")
	if err != nil {
		t.Fatal(err)
	}
	k := countedKernel{kernel.RBF{Gamma: 0.5}, new(atomic.Int64)}
	m, err := tune.Probabilities{}.Fitter(tune.Scaled(feature.Scaler{}, svm.Fitter(svm.Problem{Kernel: k}, nil, nil)))(t.Context(), set)
	if err != nil {
		t.Fatal(err)
	}
	k.calls.Store(0)
	m.PredictAll(set.X)
	once := k.calls.Swap(0)
	p := tune.Predict(m, set.X)
	if n := k.calls.Load(); once == 0 || n != once || !reflect.DeepEqual(p.Probability, m.ProbabilitiesAll(set.X)) {
		t.Errorf("%d evaluations of the kernel, want %d, or other probabilities than those of the model", n, once)
	}
}
