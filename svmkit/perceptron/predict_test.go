package perceptron_test

import (
	"math"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/perceptron"
)

// Every perceptron predicts the sign of its score, and nothing where the score is zero: before it
// has learned.
func TestPredictIsTheSignOfTheScore(t *testing.T) {
	rows := []svmkit.Row{svmkit.Dense(1, 2), svmkit.Dense(-3, 0.5), svmkit.Dense(0, 0)}
	p, a, v, k := &perceptron.Perceptron{}, &perceptron.Averaged{}, &perceptron.Voted{}, &perceptron.Kernelized{Kernel: kernel.Linear{}}
	for name, model := range map[string]interface {
		svmkit.Predictor
		svmkit.Scorer
		Update(x svmkit.Row, y float64) bool
	}{"Perceptron": p, "Averaged": a, "Voted": v, "Kernelized": k} {
		if got := model.Predict(rows[0]).Y; got != 0 {
			t.Errorf("%s: %g before it has learned", name, got)
		}
		model.Update(rows[0], -1)
		for _, x := range rows {
			got, score := model.Predict(x).Y, model.Score(x)
			if math.Abs(got) > 1 || got*score != math.Abs(score) || (got == 0) != (score == 0) {
				t.Errorf("%s: label %g of the score %g", name, got, score)
			}
		}
	}
}
