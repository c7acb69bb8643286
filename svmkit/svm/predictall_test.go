package svm_test

import (
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
)

// The scores are those of ScoreAll, and a label is what Predict says of the row.
func TestPredictAll(t *testing.T) {
	set, err := samples.Iris().Pair("versicolor", "virginica")
	if err != nil {
		t.Fatal(err)
	}
	targets := *set
	targets.Classes = nil // −1 and +1 as numbers
	for name, p := range map[string]*svm.Problem{"linear": {Data: set}, "RBF": {Data: set, Kernel: kernel.RBF{Gamma: 0.5}},
		"regression": {Data: &targets, Loss: loss.EpsInsensitive{Epsilon: 0.1}}} {
		r, err := svm.Fit(t.Context(), p, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		scores := r.ScoreAll(set.X)
		for i, p := range r.PredictAll(set.X) {
			if want := svmkit.Sign(p.Score); p.Score != scores[i] || r.Regression && p.Y != p.Score || !r.Regression && p.Y != want {
				t.Errorf("%s, row %d: %+v for the score %g", name, i, p, scores[i])
			}
		}
	}
}
