package svm_test

import (
	"slices"
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
		labels, scores := r.PredictAll(set.X)
		if !slices.Equal(scores, r.ScoreAll(set.X)) {
			t.Errorf("%s: other scores than ScoreAll's", name)
		}
		for i, s := range scores {
			if want := svmkit.Sign(s); r.Regression && labels[i] != s || !r.Regression && labels[i] != want {
				t.Errorf("%s, row %d: %g for the score %g", name, i, labels[i], s)
			}
		}
	}
}
