package svm

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// Prepared is a [Model] prepared to predict one row at a time, as a server does.
//
// The kernel is prepared once for the support vectors, and a prediction allocates no memory. Scores
// agree with the Model up to rounding. For many rows at once, [Model.ScoreAll] is faster still. A
// Prepared is safe for concurrent use.
type Prepared struct {
	*Model
	one *PreparedModels
}

// Prepare returns a [*Prepared], which predicts one row at a time faster. Do not change the model
// afterwards.
func (m *Model) Prepare() svmkit.Predictor { return &Prepared{m, PrepareModels([]*Model{m})} }

// Score returns [Model.Score], up to rounding that changes no sign.
func (p *Prepared) Score(x svmkit.Row) float64 {
	var score, within [1]float64
	p.one.Scores(score[:], within[:], x)
	return score[0]
}

// Predict returns [Model.Predict], with the score of [Prepared.Score].
func (p *Prepared) Predict(x svmkit.Row) svmkit.Prediction { return p.prediction(p.Score(x)) }

// PredictWithProbabilities predicts a single row with [Prepared.Score], and several rows with the
// Model.
func (p *Prepared) PredictWithProbabilities(rows []svmkit.Row) ([]svmkit.Prediction, [][]float64) {
	if len(rows) != 1 {
		return p.Model.PredictWithProbabilities(rows)
	}
	scores := []float64{p.Score(rows[0])}
	return p.predictions(scores), p.probabilities(scores)
}

// Probability returns [Model.Probability], with the score of [Prepared.Score].
func (p *Prepared) Probability(x svmkit.Row) float64 {
	if p.Platt == nil {
		return math.NaN()
	}
	return p.Platt.Probability(p.Score(x))
}
