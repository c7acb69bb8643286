package svm

import (
	"slices"

	"github.com/svmkit/course/svmkit"
)

// PredictAll returns [Model.Predict] and [Model.Score] of every row, at the cost of one call of
// [Model.ScoreAll]. That is how package tune measures a model.
func (m *Model) PredictAll(rows []svmkit.Row) (labels, scores []float64) {
	scores = m.ScoreAll(rows)
	labels = slices.Clone(scores)
	if !m.Regression {
		for i, s := range scores {
			labels[i] = svmkit.Sign(s)
		}
	}
	return labels, scores
}

// Predict returns the label −1 or +1 of x, 0 if its score is exactly zero.
func (p *PegasosStream) Predict(x svmkit.Row) float64 { return svmkit.Sign(p.Score(x)) }
