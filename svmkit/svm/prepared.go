package svm

import (
	"math"
	"sync"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelsums"
)

// Prepared is a [Model] made ready to predict one row at a time, as a server does: the kernel is prepared for the
// support vectors once, and a prediction allocates nothing. It is safe for concurrent use. Scores are those of the
// Model up to rounding. Many rows at once are faster still by [Model.ScoreAll].
type Prepared struct {
	*Model
	rounding *kernelsums.Rounding
	spare    sync.Pool // of *kernelsums.OneRow
}

// Prepare returns a [*Prepared], the model ready for predictions one row at a time. The model must not
// be changed afterwards.
func (m *Model) Prepare() svmkit.Predictor {
	p := &Prepared{Model: m}
	if m.Weights == nil && m.Kernel != nil && len(m.SV) > 0 {
		rows := kernelsums.Prepare(m.Kernel, m.SV, m.Dim, nil)
		p.rounding = kernelsums.NewRounding(m.Kernel, m.Bias, m.SV, m.Coef)
		p.spare.New = func() any { return rows.OneRow() }
	}
	return p
}

// Score is [Model.Score], up to rounding that changes no sign.
func (p *Prepared) Score(x svmkit.Row) float64 {
	if p.spare.New == nil || x.Index == nil && len(x.Value) != p.Dim {
		return p.Model.Score(x)
	}
	one := p.spare.Get().(*kernelsums.OneRow)
	sum, err := one.WeightedSum(p.Bias, x, p.Coef)
	if err != nil { // the kernel has no value: Score says it in its own way, with NaN or the kernel's panic
		return p.Model.Score(x)
	}
	p.spare.Put(one)
	if !p.Regression && math.Abs(sum) <= p.rounding.Of(x, kernelsums.NormFor(p.Kernel, x)) {
		return p.Model.Score(x)
	}
	return sum
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
