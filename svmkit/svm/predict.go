package svm

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelsums"
)

// ScoreAll returns [Model.Score] of each row, up to rounding that changes no sign.
//
// For a kernel it is much faster than one call per row, because it prepares the kernel once and
// uses all processors. The result does not depend on the number of processors.
func (m *Model) ScoreAll(rows []svmkit.Row) []float64 {
	scores, _ := m.ScoreAllNear(rows)
	return scores
}

// ScoreAllNear returns the scores of ScoreAll, and a function near that describes their rounding.
//
// near reports whether rounding may have moved the score of a row by d or more. It is nil if all
// scores are bit-identical to Score, or if they are targets of a regression.
func (m *Model) ScoreAllNear(rows []svmkit.Row) (scores []float64, near func(row int, d float64) bool) {
	if m.Weights == nil && m.Kernel != nil && len(m.SV) > 0 && m.fits(rows) {
		prepared := kernelsums.Prepare(m.Kernel, rows, m.Dim, nil)
		scores, rounding, err := prepared.RoundedSums(m.Kernel, m.Bias, m.SV, m.Coef)
		switch {
		case err != nil:
			// The kernel has no value for some row: Score reports this with NaN or with the
			// kernel's panic, in this goroutine.
		case rounding == nil || m.Regression: // whose sign does not matter
			return scores, nil
		default:
			for i, s := range scores {
				if rounding.Near(i, math.Abs(s)) {
					scores[i] = m.Score(rows[i])
				}
			}
			return scores, rounding.Near
		}
	}
	scores = make([]float64, len(rows))
	for i, x := range rows {
		scores[i] = m.Score(x)
	}
	return scores, nil
}

// fits reports whether all dense rows have the model's columns. In a prepared batch, a short row
// would count as one with zeros at its end. Score panics for it.
func (m *Model) fits(rows []svmkit.Row) bool {
	for _, x := range rows {
		if x.Index == nil && len(x.Value) != m.Dim {
			return false
		}
	}
	return true
}

// PredictAll returns [Model.Predict] of each row, at the cost of [Model.ScoreAll].
func (m *Model) PredictAll(rows []svmkit.Row) []svmkit.Prediction {
	return m.predictions(m.ScoreAll(rows))
}

func (m *Model) predictions(scores []float64) []svmkit.Prediction {
	all := make([]svmkit.Prediction, len(scores))
	if m.Regression {
		for i, s := range scores {
			all[i] = svmkit.TargetPrediction(s)
		}
		return all
	}
	below, above := m.prediction(-1), m.prediction(1)
	for i, s := range scores {
		switch {
		case s > 0:
			all[i] = above
		case s < 0:
			all[i] = below
		default:
			all[i] = m.prediction(s)
		}
		all[i].Score = s
	}
	return all
}

// ProbabilitiesAll returns P(y = −1 | x) and P(y = +1 | x) for each row; see [Platt.Probabilities].
// It returns nil if the model has no Platt.
func (m *Model) ProbabilitiesAll(rows []svmkit.Row) [][]float64 {
	if m.Platt == nil {
		return nil
	}
	return m.probabilities(m.ScoreAll(rows))
}

func (m *Model) probabilities(scores []float64) [][]float64 {
	if m.Platt == nil {
		return nil
	}
	all := make([][]float64, len(scores))
	for i, s := range scores {
		all[i] = m.Platt.Probabilities(s)
	}
	return all
}

// PredictWithProbabilities returns the results of PredictAll and ProbabilitiesAll, at the cost of
// one call of [Model.ScoreAll].
func (m *Model) PredictWithProbabilities(rows []svmkit.Row) ([]svmkit.Prediction, [][]float64) {
	scores := m.ScoreAll(rows)
	return m.predictions(scores), m.probabilities(scores)
}
