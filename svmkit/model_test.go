package svmkit_test

import (
	"math"
	"testing"

	"github.com/svmkit/course/svmkit"
)

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
