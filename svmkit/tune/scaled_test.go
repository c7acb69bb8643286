package tune_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/tune"
)

// What the models with a scaling can do.
var (
	_ svmkit.Wrapper              = (*tune.ScaledModel)(nil)
	_ svmkit.Preparer             = (*tune.ScaledModel)(nil)
	_ svmkit.ProbabilityPredictor = (*tune.ScaledModel)(nil)
	_ svmkit.Model                = (*tune.ScaledScorer)(nil)
	_ svmkit.RoundingScorer       = (*tune.ScaledScorer)(nil)
)

// seen keeps the sets that models were trained on.
func seen(sets *[]*svmkit.Dataset) tune.ParamFitter {
	return func(ctx context.Context, train *svmkit.Dataset, _ tune.Params, _ svmkit.Model) (svmkit.Model, error) {
		*sets = append(*sets, train)
		return nearestMean(ctx, train)
	}
}

// Errata 38: the scaling of a fold comes from its training rows. They have mean 0 and variance 1
// exactly there; and other values in the test rows change no bit of what the model sees.
func TestScalingIsFittedInsideOfEachFold(t *testing.T) {
	set := numbered(t, 30)
	for _, fold := range foldsOf(t, set, 3) {
		var sets []*svmkit.Dataset
		v := tune.Validation{Folds: []tune.Fold{fold}}
		fit := tune.Scaled(feature.Scaler{}, seen(&sets).At(tune.Params{}))
		if _, err := v.CrossValidate(t.Context(), set, fit); err != nil {
			t.Fatal(err)
		}
		for j := range set.Dim {
			sum, squares := 0.0, 0.0
			for _, x := range sets[0].X {
				sum, squares = sum+x.At(j), squares+x.At(j)*x.At(j)
			}
			n := float64(len(fold.Train))
			if math.Abs(sum/n) > 1e-14 || math.Abs(squares/n-1) > 1e-14 {
				t.Errorf("column %d of the training rows: mean %g, variance %g", j, sum/n, squares/n)
			}
		}
		spoiled := set.Subset(allRows(set.Len()))
		for _, i := range fold.Test {
			spoiled.X[i] = svmkit.Dense(1e9, -1e9)
		}
		if _, err := v.CrossValidate(t.Context(), spoiled, fit); err != nil {
			t.Fatal(err)
		}
		for i := range sets[0].X {
			if !slices.Equal(sets[0].X[i].Value, sets[1].X[i].Value) {
				t.Fatalf("the model sees training row %d change with the test rows", i)
			}
		}
	}
}

// A scaled model predicts and scores raw rows as the model of scaled rows does scaled ones.
func TestScaledModelTakesRawRows(t *testing.T) {
	set := numbered(t, 30)
	scaler := feature.Scaler{Kind: feature.MinMax, Low: -1, High: 1}
	model, err := tune.Scaled(scaler, nearestMean)(t.Context(), set)
	if err != nil {
		t.Fatal(err)
	}
	scaling, _ := scaler.Fit(set)
	scaled, _ := scaling.Apply(set)
	want, err := nearestMean(t.Context(), scaled)
	if err != nil {
		t.Fatal(err)
	}
	score, exact := model.(svmkit.Scorer).Score, want.(svmkit.Scorer).Score
	for i, x := range set.X {
		if got := score(x); got != exact(scaled.X[i]) || model.Predict(x).Y != want.Predict(scaled.X[i]).Y {
			t.Errorf("row %d: %g, want %g", i, got, exact(scaled.X[i]))
		}
	}
	if bad := svmkit.Dense(1); !math.IsNaN(score(bad)) || !math.IsNaN(model.Predict(bad).Y) {
		t.Errorf("a row with other columns scores %g and is predicted as %g", score(bad), model.Predict(bad).Y)
	}
}

// A scaled model has scores exactly if its inner model has: labels must not pass as scores.
func TestScaledModelHasNoScoreOfItsOwn(t *testing.T) {
	set := numbered(t, 30)
	fit := tune.Scaled(feature.Scaler{}, onlyLabels)
	model, err := fit(t.Context(), set)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := model.(svmkit.Scorer); ok {
		t.Errorf("%T has a score", model)
	}
	v := tune.Validation{Folds: foldsOf(t, set, 3)}
	if _, err := v.CrossValidate(t.Context(), set, fit); err != nil {
		t.Error(err)
	}
	var param *svmkit.ParamError
	v.Metric = tune.AUC
	if _, err := v.CrossValidate(t.Context(), set, fit); !errors.As(err, &param) || param.Name != "Predictions.Score" {
		t.Error(err)
	}
}

// labelsOnly is a predictor without its scores.
type labelsOnly struct{ of svmkit.Predictor }

func (m labelsOnly) Predict(x svmkit.Row) svmkit.Prediction {
	p := m.of.Predict(x)
	p.Score = math.NaN()
	return p
}

// onlyLabels is nearestMean without its score.
func onlyLabels(ctx context.Context, set *svmkit.Dataset) (svmkit.Model, error) {
	model, err := nearestMean(ctx, set)
	return svmkit.AsModel(labelsOnly{model}, nil), err
}

// Along a path the inner trainer gets its own model to start from, not the wrapped one.
func TestScaledTrainerUnwrapsTheStart(t *testing.T) {
	set := numbered(t, 20)
	r := &recorder{}
	v := tune.Validation{Folds: foldsOf(t, set, 2)[:1]}
	train := tune.ParamFitter(r.train).Scaled(feature.Scaler{Kind: feature.MaxAbs})
	if _, err := v.Search(t.Context(), set, train, tune.Grid{C: []float64{1, 2}}); err != nil {
		t.Fatal(err)
	}
	if before, ok := r.calls[1].previous.(recordedModel); !ok || before.number != 0 {
		t.Errorf("the second model starts from %T", r.calls[1].previous)
	}
}

// Many rows at once are predicted as one by one, also where one cannot be scaled.
func TestScaledModelsTakeManyRows(t *testing.T) {
	set := numbered(t, 30)
	for name, fit := range map[string]svmkit.Fitter{"scorer": nearestMean, "predictor": func(ctx context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
		m, err := nearestMean(ctx, train)
		return svmkit.AsModel(labelsOnly{m}, nil), err
	}} {
		m, err := tune.Scaled(feature.Scaler{}, fit)(t.Context(), set)
		if err != nil {
			t.Fatal(err)
		}
		short := svmkit.Dense(1)
		rows := append(append([]svmkit.Row{short, short}, set.X...), short)
		var labels, scores []float64
		for _, p := range m.PredictAll(rows) {
			labels, scores = append(labels, p.Y), append(scores, p.Score)
		}
		if _, scorer := m.(svmkit.Scorer); len(labels) != len(rows) || scorer != (name == "scorer") {
			t.Fatalf("%s: %d labels of %d rows, scorer %v", name, len(labels), len(rows), scorer)
		}
		for i, x := range rows {
			if want := m.Predict(x).Y; labels[i] != want && !(math.IsNaN(labels[i]) && math.IsNaN(want)) {
				t.Errorf("%s, row %d: %g, want %g", name, i, labels[i], want)
			}
			if math.IsNaN(labels[i]) != (len(x.Value) == 1) {
				t.Errorf("%s, row %d: %g", name, i, labels[i])
			}
		}
		if s, ok := m.(svmkit.Scorer); ok {
			for i, got := range svmkit.ScoreAll(s, rows) {
				if want := s.Score(rows[i]); got != want && !(math.IsNaN(got) && math.IsNaN(want)) || got != scores[i] && !math.IsNaN(got) {
					t.Errorf("row %d: score %g, want %g", i, got, want)
				}
			}
		}
	}
}
