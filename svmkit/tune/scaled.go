package tune

import (
	"context"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
)

// Scaled returns a fitter that scales its training rows by s and then calls fit. Its models scale
// the rows to predict in the same way.
//
// In a cross-validation, means and deviations therefore come from the training rows of each fold
// only. The models are the results of [NewScaled].
func Scaled(s feature.Scaler, fit svmkit.Fitter) svmkit.Fitter {
	if fit == nil {
		return func(context.Context, *svmkit.Dataset) (svmkit.Model, error) { return nil, notNil("fit") }
	}
	return FromParams(func(Params) svmkit.Fitter { return fit }).Scaled(s).At(Params{})
}

// Scaled returns a fitter that scales as the function [Scaled] does. The model that f receives as
// its start is its own model, without the scaling.
func (f ParamFitter) Scaled(s feature.Scaler) ParamFitter {
	return func(ctx context.Context, train *svmkit.Dataset, p Params, previous svmkit.Model) (svmkit.Model, error) {
		if f == nil {
			return nil, notNil("train")
		}
		scaling, err := s.Fit(train)
		if err != nil {
			return nil, err
		}
		if train, err = scaling.Apply(train); err != nil {
			return nil, err
		}
		_, previous = Unscaled(previous)
		model, err := trained(f(ctx, train, p, previous))
		if err != nil {
			return nil, err
		}
		return NewScaled(scaling, model), nil
	}
}

// NewScaled returns a model that scales rows by s and passes them to m.
//
// It is a [*ScaledScorer] if m is a [svmkit.Scorer], and a [*ScaledModel] otherwise. If s is nil,
// it is m.
func NewScaled(s *feature.Scaling, m svmkit.Model) svmkit.Model {
	if s == nil {
		return m
	}
	scaled := ScaledModel{Model: m, Scaling: s}
	if _, ok := m.(svmkit.Scorer); ok {
		return &ScaledScorer{scaled}
	}
	return &scaled
}

// Unscaled returns the scaling and the model inside m, as the inverse of [NewScaled]. The scaling
// of a model that is not scaled is nil.
func Unscaled(m svmkit.Model) (*feature.Scaling, svmkit.Model) {
	switch m := m.(type) {
	case *ScaledModel:
		return m.Scaling, m.Model
	case *ScaledScorer:
		return m.Scaling, m.Model
	}
	return nil, m
}

// ScaledModel predicts rows after scaling them. Class names, columns and status come from Model.
//
// A row that cannot be scaled has no prediction, and its numbers are NaN.
type ScaledModel struct {
	svmkit.Model // of scaled rows
	Scaling      *feature.Scaling
}

// Unwrap returns Model.
func (m *ScaledModel) Unwrap() svmkit.Model { return m.Model }

// Transform returns the scaled rows.
func (m *ScaledModel) Transform(rows []svmkit.Row) ([]svmkit.Row, error) {
	scaled := make([]svmkit.Row, len(rows))
	for i, x := range rows {
		var err error
		if scaled[i], err = m.Scaling.ApplyRow(x); err != nil {
			return nil, err
		}
	}
	return scaled, nil
}

// scale returns the scaled rows, and which of them cannot be scaled: these become rows of NaN.
func (m *ScaledModel) scale(rows ...svmkit.Row) (scaled []svmkit.Row, failed []int) {
	scaled = make([]svmkit.Row, len(rows))
	for i, x := range rows {
		var err error
		if scaled[i], err = m.Scaling.ApplyRow(x); err != nil {
			scaled[i] = svmkit.Dense(unfinished(m.Scaling.Columns().Dim)...)
			failed = append(failed, i)
		}
	}
	return scaled, failed
}

// Predict returns the prediction of Model for the scaled row.
func (m *ScaledModel) Predict(x svmkit.Row) svmkit.Prediction {
	scaled, failed := m.scale(x)
	if failed != nil {
		return svmkit.NoPrediction()
	}
	return m.Model.Predict(scaled[0])
}

// PredictAll returns the predictions of Model for the scaled rows.
func (m *ScaledModel) PredictAll(rows []svmkit.Row) []svmkit.Prediction {
	scaled, failed := m.scale(rows...)
	all := m.Model.PredictAll(scaled)
	for _, i := range failed {
		all[i] = svmkit.NoPrediction()
	}
	return all
}

// ProbabilitiesAll returns the probabilities of Model for the scaled rows.
func (m *ScaledModel) ProbabilitiesAll(rows []svmkit.Row) [][]float64 {
	// a row of NaN gets probabilities that are NaN
	scaled, _ := m.scale(rows...)
	return m.Model.ProbabilitiesAll(scaled)
}

// PredictWithProbabilities returns the results of PredictAll and ProbabilitiesAll.
func (m *ScaledModel) PredictWithProbabilities(rows []svmkit.Row) ([]svmkit.Prediction, [][]float64) {
	scaled, failed := m.scale(rows...)
	all, probabilities := svmkit.PredictWithProbabilities(m.Model, scaled)
	for _, i := range failed {
		all[i] = svmkit.NoPrediction()
	}
	return all, probabilities
}

// Prepare prepares Model, if it is a [svmkit.Preparer].
func (m *ScaledModel) Prepare() svmkit.Predictor {
	if p, ok := m.Model.(svmkit.Preparer); ok {
		if prepared, ok := p.Prepare().(svmkit.Model); ok {
			return NewScaled(m.Scaling, prepared)
		}
	}
	return NewScaled(m.Scaling, m.Model)
}

// ScaledScorer is a [ScaledModel] whose Model is a [svmkit.Scorer].
type ScaledScorer struct{ ScaledModel }

// Score returns the score that Model gives the scaled row, NaN if the row cannot be scaled.
func (m *ScaledScorer) Score(x svmkit.Row) float64 {
	scaled, failed := m.scale(x)
	if failed != nil {
		return math.NaN()
	}
	return m.Model.(svmkit.Scorer).Score(scaled[0])
}

// ScoreAll returns the scores that Model gives the scaled rows.
func (m *ScaledScorer) ScoreAll(rows []svmkit.Row) []float64 {
	scores, _ := m.ScoreAllNear(rows)
	return scores
}

// ScoreAllNear returns the scores that Model gives the scaled rows, and how they are rounded.
func (m *ScaledScorer) ScoreAllNear(rows []svmkit.Row) (scores []float64, near func(row int, d float64) bool) {
	scaled, failed := m.scale(rows...)
	scores, near = svmkit.ScoreAllNear(m.Model.(svmkit.Scorer), scaled)
	for _, i := range failed {
		scores[i] = math.NaN()
	}
	return scores, near
}
