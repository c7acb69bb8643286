package svmkit_test

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/tune"
)

type predictor func(svmkit.Row) svmkit.Prediction

func (f predictor) Predict(x svmkit.Row) svmkit.Prediction { return f(x) }

// A prediction of a model of your own is the same whichever of Class, Name and Y it has, and so is
// the accuracy of a cross-validation.
func TestModelOfYourOwn(t *testing.T) {
	for _, names := range [][]string{{"a", "b"}, {"a", "b", "c"}} {
		k := len(names)
		set := &svmkit.Dataset{Dim: 1, Classes: names}
		for i := range 12 * k {
			set.X = append(set.X, svmkit.Dense(float64(i%k)))
			set.Y = append(set.Y, svmkit.LabelOf(i%k, k))
		}
		for i := 0; i < 6; i++ { // some rows of another class than their number tells
			set.Y[2*k*i] = svmkit.LabelOf((2*k*i+1)%k, k)
		}
		folds, err := tune.Folds(set, 4, 1)
		if err != nil {
			t.Fatal(err)
		}
		accuracy := 0.0
		for name, prediction := range map[string]func(class int) svmkit.Prediction{
			"with names":    func(c int) svmkit.Prediction { return svmkit.ClassPrediction(c, k, names) },
			"without names": func(c int) svmkit.Prediction { return svmkit.ClassPrediction(c, k, nil) },
			"Class": func(c int) svmkit.Prediction {
				return svmkit.Prediction{OK: true, Class: c, Score: math.NaN()}
			},
			"Name": func(c int) svmkit.Prediction {
				return svmkit.Prediction{OK: true, Name: names[c], Score: math.NaN()}
			},
			"Y": func(c int) svmkit.Prediction {
				return svmkit.Prediction{OK: true, Y: svmkit.LabelOf(c, k), Score: math.NaN()}
			},
			"Y, and Class −1": func(c int) svmkit.Prediction {
				return svmkit.Prediction{OK: true, Class: -1, Y: svmkit.LabelOf(c, k), Score: math.NaN()}
			},
		} {
			own := predictor(func(x svmkit.Row) svmkit.Prediction { return prediction(int(x.At(0))) })
			fit := func(_ context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
				return svmkit.AsModel(own, train), nil
			}
			r, err := tune.Validation{Folds: folds}.CrossValidate(context.Background(), set, fit)
			if err != nil {
				t.Errorf("%d classes, %s: %v", k, name, err)
				continue
			}
			if accuracy == 0 {
				accuracy = r.Mean
			}
			if math.Abs(r.Mean-accuracy) > 1e-12 || r.Mean < 0.7 || r.Mean > 0.95 {
				t.Errorf("%d classes, %s: accuracy %g, want %g", k, name, r.Mean, accuracy)
			}
			for c := range k {
				got, want := svmkit.AsModel(own, set).Predict(svmkit.Dense(float64(c))), svmkit.ClassPrediction(c, k, names)
				got.Score, want.Score = 0, 0
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%d classes, %s: %+v, want %+v", k, name, got, want)
				}
			}
		}
	}
}

func TestModelOfYourOwnWithoutNames(t *testing.T) {
	signs := &svmkit.Dataset{X: svmkit.DenseRows([]float64{0, 1}, 1), Y: []float64{-1, 1}, Dim: 1}
	targets := &svmkit.Dataset{X: signs.X, Y: []float64{0.5, 3}, Dim: 1}
	three := &svmkit.Dataset{X: signs.X, Y: []float64{0, 2}, Dim: 1, Classes: []string{"a", "b", "c"}}
	nan := math.NaN()
	for _, c := range []struct {
		train     *svmkit.Dataset
		in, wants svmkit.Prediction
	}{
		{signs, svmkit.Prediction{OK: true, Class: 0}, svmkit.Prediction{OK: true, Class: 0, Y: -1}},
		{signs, svmkit.Prediction{OK: true, Class: 1}, svmkit.Prediction{OK: true, Class: 1, Y: 1}},
		{signs, svmkit.Prediction{}, svmkit.Prediction{Class: -1}}, // a tie
		{signs, svmkit.Prediction{Y: 1}, svmkit.Prediction{Class: -1, Y: nan}},
		{three, svmkit.Prediction{}, svmkit.Prediction{Class: -1, Y: nan}},   // and not the first class
		{targets, svmkit.Prediction{}, svmkit.Prediction{Class: -1, Y: nan}}, // and not the target 0
		{targets, svmkit.Prediction{OK: true, Y: 1}, svmkit.Prediction{OK: true, Y: 1}},
		{targets, svmkit.TargetPrediction(2), svmkit.TargetPrediction(2)},
		{nil, svmkit.ClassPrediction(0, 2, nil), svmkit.ClassPrediction(0, 2, nil)},
	} {
		m := svmkit.AsModel(predictor(func(svmkit.Row) svmkit.Prediction { return c.in }), c.train)
		got := m.PredictAll([]svmkit.Row{svmkit.Dense(0)})[0]
		if math.IsNaN(got.Y) && math.IsNaN(c.wants.Y) {
			got.Y, c.wants.Y = 0, 0
		}
		if math.IsNaN(got.Score) && math.IsNaN(c.wants.Score) {
			got.Score, c.wants.Score = 0, 0
		}
		if got != c.wants {
			t.Errorf("%+v becomes %+v, want %+v", c.in, got, c.wants)
		}
	}
}

func TestSignIsTheLabelOfAScore(t *testing.T) {
	for score, want := range map[float64]float64{3: 1, 1e-300: 1, -1e-300: -1, -7: -1, 0: 0, math.Inf(1): 1, math.Inf(-1): -1} {
		if got := svmkit.Sign(score); got != want {
			t.Errorf("the score %g has the label %g, want %g", score, got, want)
		}
	}
	if got := svmkit.Sign(math.NaN()); !math.IsNaN(got) {
		t.Errorf("NaN has the label %g", got)
	}
}

func TestHyperplanePredictsItsSides(t *testing.T) {
	var model svmkit.Predictor = svmkit.Hyperplane{W: []float64{2, 0}, B: -4}
	for x, want := range map[float64]float64{5: 1, 2: 0, 1: -1} {
		if got := model.Predict(svmkit.Dense(x, 9)).Y; got != want {
			t.Errorf("x₀ = %g: label %g, want %g", x, got, want)
		}
	}
	if _, ok := model.(svmkit.Scorer); !ok {
		t.Error("a hyperplane has a score")
	}
}

// chances is a model with fixed probabilities. One that is wrapped takes no row with a NaN.
type chances struct {
	svmkit.Model
	p [][]float64
}

func (c chances) Predict(svmkit.Row) svmkit.Prediction           { return svmkit.SignPrediction(-1, nil) }
func (c chances) ClassNames() []string                           { return []string{"a", "b", "c"}[:len(c.p[0])] }
func (c chances) ProbabilitiesAll(rows []svmkit.Row) [][]float64 { return c.p[:len(rows)] }
func (c chances) ClassScores(x svmkit.Row) []float64             { return []float64{x.At(0), -x.At(0), 0} }

func (c chances) PredictAll(rows []svmkit.Row) []svmkit.Prediction {
	all := make([]svmkit.Prediction, len(rows))
	for i, x := range rows {
		all[i] = c.Predict(x)
	}
	return all
}

func (c chances) ClassScoresAll(rows []svmkit.Row) (all [][]float64) {
	for _, x := range rows {
		all = append(all, c.ClassScores(x))
	}
	return all
}

type wrapped struct{ chances }

func (w wrapped) Unwrap() svmkit.Model { return w.chances }

func (w wrapped) Transform(rows []svmkit.Row) ([]svmkit.Row, error) {
	for _, x := range rows {
		if math.IsNaN(x.At(0)) {
			return nil, svmkit.ErrNotFinite
		}
	}
	return rows, nil
}

func TestPredictByProbability(t *testing.T) {
	nan := math.NaN()
	m := chances{p: [][]float64{{0.2, 0.5, 0.3}, {0.4, 0.4, 0.2}, {0.1, 0.2, 0.7}, {nan, nan, nan}}}
	all, p := svmkit.PredictByProbability(m, make([]svmkit.Row, 4))
	for i, want := range []string{"b", "a", "c", ""} {
		if all[i].Name != want || all[i].OK != (want != "") || all[i].Score != -1 || &p[i][0] != &m.p[i][0] {
			t.Errorf("row %d: %+v, want %q", i, all[i], want)
		}
	}
	if all[2].Class != 2 || all[2].Y != 2 || !math.IsNaN(all[3].Y) {
		t.Errorf("%+v", all[2:])
	}
	none := svmkit.AsModel(predictor(func(svmkit.Row) svmkit.Prediction { return svmkit.NoPrediction() }), nil)
	if all, p := svmkit.PredictByProbability(none, make([]svmkit.Row, 2)); all != nil || p != nil {
		t.Errorf("without probabilities: %v %v", all, p)
	}
}

// A row that a wrapper cannot use has scores that are NaN, and the others have theirs.
func TestClassScoresAll(t *testing.T) {
	w := wrapped{chances{p: [][]float64{{0, 0, 1}}}}
	var m svmkit.Model = struct { // a Wrapper that is no ClassScorer
		svmkit.Model
		svmkit.Wrapper
	}{w, w}
	if _, ok := m.(svmkit.ClassScorer); ok {
		t.Fatal("nothing is tested")
	}
	got := svmkit.ClassScoresAll(m, []svmkit.Row{svmkit.Dense(1), svmkit.Dense(math.NaN()), svmkit.Dense(2)})
	if want := "[[1 -1 0] [NaN NaN NaN] [2 -2 0]]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	none := svmkit.AsModel(predictor(func(svmkit.Row) svmkit.Prediction { return svmkit.NoPrediction() }), nil)
	if got := svmkit.ClassScoresAll(none, make([]svmkit.Row, 2)); got != nil {
		t.Errorf("no scores: %v", got)
	}
}
