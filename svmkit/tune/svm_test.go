package tune_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// support trains the textbook model, from the β of the model before, scaled with C.
func support(rbf bool) tune.ParamFitter {
	return func(ctx context.Context, train *svmkit.Dataset, p tune.Params, previous svmkit.Model) (svmkit.Model, error) {
		problem := &svm.Problem{Data: train, C: svm.PerSum(p.C)}
		if rbf {
			problem.Kernel = kernel.RBF{Gamma: p.Gamma}
		}
		o := &svm.Settings{Tol: 1e-6}
		if before, ok := previous.(*svm.Result); ok {
			o.Start = before.Beta
		}
		return svm.Fit(ctx, problem, nil, o)
	}
}

// Real models on real data: Versicolor against Virginica, scaled inside of each fold, warm
// starts and cold ones choose from the same scores.
func TestSearchOverSupportVectorMachines(t *testing.T) {
	set, err := samples.Iris().Pair("versicolor", "virginica")
	if err != nil {
		t.Fatal(err)
	}
	v := tune.Validation{Folds: foldsOf(t, set, 5)}
	warm := support(true)
	cold := func(ctx context.Context, train *svmkit.Dataset, p tune.Params, _ svmkit.Model) (svmkit.Model, error) {
		return warm(ctx, train, p, nil)
	}
	c, err := tune.LogSpace(0.1, 100, 4)
	if err != nil {
		t.Fatal(err)
	}
	grid := tune.Grid{C: c, Gamma: []float64{0.05, 0.5}}
	a, err := v.Search(t.Context(), set, warm.Scaled(feature.Scaler{}), grid)
	if err != nil {
		t.Fatal(err)
	}
	b, err := v.Search(t.Context(), set, tune.ParamFitter(cold).Scaled(feature.Scaler{}), grid)
	if err != nil {
		t.Fatal(err)
	}
	for k := range a.Points {
		if !reflect.DeepEqual(a.Points[k].Scores, b.Points[k].Scores) {
			t.Errorf("%v: warm %v, cold %v", a.Points[k].Params, a.Points[k].Scores, b.Points[k].Scores)
		}
	}
	nested, err := v.Nested(t.Context(), set, warm.Scaled(feature.Scaler{}), tune.Inner{Folds: 4, Grid: grid})
	if err != nil {
		t.Fatal(err)
	}
	// The classes overlap in a few flowers: 0.9 is far above guessing.
	if best, ok := a.Best(); !ok || best.Mean < 0.9 || nested.Mean < 0.9 || math.IsNaN(nested.StdErr) {
		t.Errorf("best %+v, nested %+v", best, nested)
	}
}

// Probabilities come from the model inside a scaling, row by row in the order of the rows; those of one that cannot be scaled are NaN.
func TestPredictTakesProbabilities(t *testing.T) {
	set, err := samples.Iris().Pair("versicolor", "virginica")
	if err != nil {
		t.Fatal(err)
	}
	calibrated := func(ctx context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
		r, err := svm.Fit(ctx, &svm.Problem{Data: train}, nil, nil)
		if err == nil {
			r.Platt = &svm.Platt{A: -2, B: 0.5}
		}
		return r, err
	}
	model, err := tune.Scaled(feature.Scaler{}, calibrated)(t.Context(), set)
	if err != nil {
		t.Fatal(err)
	}
	p := tune.Predict(model, set.X)
	for i, probability := range p.Probability {
		want := svm.Platt{A: -2, B: 0.5}.Probability(p.Score[i])
		const rounding = 1e-15
		if !(math.Abs(probability[1]-want) <= rounding && math.Abs(probability[0]+probability[1]-1) <= rounding) {
			t.Fatalf("row %d: %v, want %g", i, probability, want)
		}
	}
	fit := tune.Scaled(feature.Scaler{}, calibrated)
	r, err := tune.Validation{Folds: foldsOf(t, set, 3), Metric: tune.LogLoss}.CrossValidate(t.Context(), set, fit)
	if guessing := math.Log(2); err != nil || !(r.Mean < guessing) {
		t.Errorf("log loss %+v, %v", r, err)
	}
	wide := svmkit.Dense(1, 2, 3, 4, 5, 6) // two columns too many
	if p := tune.Predict(model, []svmkit.Row{set.X[0], wide, set.X[1]}); len(p.Probability) != 3 || !math.IsNaN(p.Probability[1][0]) || !(p.Probability[2][0] >= 0) {
		t.Errorf("with a row that cannot be scaled: %v", p.Probability)
	}
}

// What warm starts cost: the same path over C with and without them.
func BenchmarkWarmStarts(b *testing.B) {
	set, err := samples.Overlapping{N: 3000, Dim: 20, Separation: 2}.Generate(1)
	if err != nil {
		b.Fatal(err)
	}
	folds, err1 := tune.Folds(set, 5, 1)
	c, err2 := tune.LogSpace(1e-3, 10, 20)
	if err := errors.Join(err1, err2); err != nil {
		b.Fatal(err)
	}
	for _, solver := range []svm.Solver{svm.ProximalNewton{}, svm.DualCoordinate{}} {
		for _, warm := range []bool{false, true} {
			b.Run(fmt.Sprintf("%T/%t", solver, warm), func(b *testing.B) {
				train := func(ctx context.Context, rows *svmkit.Dataset, p tune.Params, previous svmkit.Model) (svmkit.Model, error) {
					o := &svm.Settings{}
					if before, ok := previous.(*svm.Result); ok && warm {
						o.Start = before.Beta
					}
					return svm.Fit(ctx, &svm.Problem{Data: rows, C: svm.PerSum(p.C)}, solver, o)
				}
				for b.Loop() {
					if _, err := (tune.Validation{Folds: folds, Threads: 1}).Search(b.Context(), set, train, tune.Grid{C: c}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
