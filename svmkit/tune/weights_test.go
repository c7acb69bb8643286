package tune_test

import (
	"context"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/tune"
)

// Each fold trains with the weights of its own rows, also scaled; the metrics count every test row once.
func TestWeightsGoIntoFolds(t *testing.T) {
	set := numbered(t, 20)
	for i := range set.X {
		set.Weight = append(set.Weight, float64(i%3))
	}
	folds := foldsOf(t, set, 4)
	trained := make(chan []float64, len(folds)) // weights
	fit := func(_ context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
		trained <- train.Weight
		return svmkit.AsModel(svmkit.Hyperplane{W: make([]float64, train.Dim), B: 1}, nil), nil
	}
	v := tune.Validation{Folds: folds, Threads: 1}
	r, err := v.CrossValidate(t.Context(), set, tune.Scaled(feature.Scaler{Kind: feature.MaxAbs}, fit))
	if err != nil {
		t.Fatal(err)
	}
	for f, fold := range folds {
		if got := <-trained; !slices.Equal(got, set.Subset(fold.Train).Weight) {
			t.Errorf("fold %d is trained with weights %v", f, got)
		}
		right := 0.0
		for _, i := range fold.Test {
			right += (set.Y[i] + 1) / 2
		}
		if want := right / float64(len(fold.Test)); r.Scores[f] != want {
			t.Errorf("fold %d: accuracy %g, counted %g", f, r.Scores[f], want)
		}
	}
	set.Weight = make([]float64, 20) // of test rows, say
	scores := make([]float64, 20)
	if points, err := tune.ROC(set, scores); err != nil || len(points) == 0 {
		t.Errorf("ROC of rows of weight 0: %v, %v", points, err)
	}
}
