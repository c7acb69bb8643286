package svm

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// Prepared is a [Model] made ready to predict one row at a time, as a server does: the kernel is prepared for the
// support vectors once, and a prediction allocates nothing. It is safe for concurrent use. Scores are those of the
// Model up to rounding. Many rows at once are faster still by [Model.ScoreAll].
type Prepared struct {
	*Model
	one *PreparedModels
}

// Prepare returns a [*Prepared], the model ready for predictions one row at a time. The model must not
// be changed afterwards.
func (m *Model) Prepare() svmkit.Predictor { return &Prepared{m, PrepareModels([]*Model{m})} }

// Score is [Model.Score], up to rounding that changes no sign.
func (p *Prepared) Score(x svmkit.Row) float64 {
	var score, within [1]float64
	p.one.Scores(score[:], within[:], x)
	return score[0]
}

// Predict is [Model.Predict].
func (p *Prepared) Predict(x svmkit.Row) svmkit.Prediction { return p.prediction(p.Score(x)) }

// PredictWithProbabilities predicts a single row by [Prepared.Score], and several by the Model.
func (p *Prepared) PredictWithProbabilities(rows []svmkit.Row) ([]svmkit.Prediction, [][]float64) {
	if len(rows) != 1 {
		return p.Model.PredictWithProbabilities(rows)
	}
	scores := []float64{p.Score(rows[0])}
	return p.predictions(scores), p.probabilities(scores)
}

// Probability is [Model.Probability].
func (p *Prepared) Probability(x svmkit.Row) float64 {
	if p.Platt == nil {
		return math.NaN()
	}
	return p.Platt.Probability(p.Score(x))
}
