package tune

import (
	"context"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
)

// Scaled returns the fitter that fits s to its training rows, trains on the scaled rows, and
// scales every row that is to be predicted in the same way. Used in a cross-validation, means
// and deviations come from the training rows of each fold alone. Scaling the whole set first
// would let test rows have an influence (note A, 4.2.4, leaves both out).
//
// Its models are of type *[ScaledScorer] if those of fit are [svmkit.Scorer]s, else *[ScaledModel].
func Scaled(s feature.Scaler, fit svmkit.Fitter) svmkit.Fitter {
	if fit == nil {
		return func(context.Context, *svmkit.Dataset) (svmkit.Predictor, error) { return nil, notNil("fit") }
	}
	train := func(ctx context.Context, set *svmkit.Dataset, _ Params, _ svmkit.Predictor) (svmkit.Predictor, error) {
		return fit(ctx, set)
	}
	return Trainer(train).Scaled(s).At(Params{})
}

// Scaled returns the trainer that scales as [Scaled] does. The model that t gets to start from
// is its own one, without the scaling.
func (t Trainer) Scaled(s feature.Scaler) Trainer {
	return func(ctx context.Context, train *svmkit.Dataset, p Params, previous svmkit.Predictor) (svmkit.Predictor, error) {
		if t == nil {
			return nil, notNil("train")
		}
		scaling, err := s.Fit(train)
		if err != nil {
			return nil, err
		}
		if train, err = scaling.Apply(train); err != nil {
			return nil, err
		}
		if before := scaledModel(previous); before != nil {
			previous = before.Model
		}
		model, err := t(ctx, train, p, previous)
		if err == nil && model == nil {
			err = errNoModel
		}
		if err != nil {
			return nil, err
		}
		scaled := ScaledModel{Scaling: scaling, Model: model}
		if _, ok := model.(svmkit.Scorer); ok {
			return &ScaledScorer{scaled}, nil
		}
		return &scaled, nil
	}
}

// ScaledModel predicts rows after scaling them.
type ScaledModel struct {
	Scaling *feature.Scaling
	Model   svmkit.Predictor // of scaled rows
}

// Predict returns the model's prediction for the scaled row, NaN if it cannot be scaled.
func (m *ScaledModel) Predict(x svmkit.Row) float64 {
	scaled, err := m.Scaling.ApplyRow(x)
	if err != nil {
		return math.NaN()
	}
	return m.Model.Predict(scaled)
}

// PredictAll is [svmkit.PredictAll] of the model and the scaled rows. A row that cannot be scaled gets NaN.
func (m *ScaledModel) PredictAll(rows []svmkit.Row) (labels, scores []float64) {
	scaled, failed := make([]svmkit.Row, 0, len(rows)), []int(nil)
	for i, x := range rows {
		z, err := m.Scaling.ApplyRow(x)
		if err != nil {
			failed = append(failed, i)
			continue
		}
		scaled = append(scaled, z)
	}
	labels, scores = svmkit.PredictAll(m.Model, scaled)
	for _, i := range failed { // in ascending order: each stands in its place when the next is put in
		labels = slices.Insert(labels, i, math.NaN())
		if scores != nil {
			scores = slices.Insert(scores, i, math.NaN())
		}
	}
	return labels, scores
}

// ProbabilitiesAll is [svmkit.ProbabilitiesAll] of the model and the scaled rows. Those of a row that cannot be scaled are NaN.
func (m *ScaledModel) ProbabilitiesAll(rows []svmkit.Row) [][]float64 {
	scaled := make([]svmkit.Row, len(rows))
	for i, x := range rows {
		var err error
		if scaled[i], err = m.Scaling.ApplyRow(x); err != nil { // a row of NaN has scores that are NaN
			scaled[i] = svmkit.Dense(slices.Repeat([]float64{math.NaN()}, m.Scaling.Columns().Dim)...)
		}
	}
	return svmkit.ProbabilitiesAll(m.Model, scaled)
}

// ScaledScorer is a [ScaledModel] whose Model is a [svmkit.Scorer].
type ScaledScorer struct{ ScaledModel }

// Score returns the model's score of the scaled row, NaN if it cannot be scaled.
func (m *ScaledScorer) Score(x svmkit.Row) float64 {
	scaled, err := m.Scaling.ApplyRow(x)
	if err != nil {
		return math.NaN()
	}
	return m.Model.(svmkit.Scorer).Score(scaled)
}

// ScoreAll returns the scores of [ScaledModel.PredictAll].
func (m *ScaledScorer) ScoreAll(rows []svmkit.Row) []float64 {
	_, scores := m.PredictAll(rows)
	return scores
}

// scaledModel returns the scaled model that p is, nil if it is none.
func scaledModel(p svmkit.Predictor) *ScaledModel {
	switch m := p.(type) {
	case *ScaledModel:
		return m
	case *ScaledScorer:
		return &m.ScaledModel
	}
	return nil
}
