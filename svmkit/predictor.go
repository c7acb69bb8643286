package svmkit

import "context"

// Predictor is a trained model. Predict returns what [Dataset.Y] holds: the label −1 or +1 of two
// classes and 0 for a score of exactly zero, the number of the class if there are more, or the target
// of a regression. It is NaN where there is no prediction, as for a row with a NaN.
//
// A model may also have the method ClassNames() []string, the Classes of the set that it was trained on, so that
// package tune compares labels by their names; FitStatus() [Status], why its fit ended; and those that [PredictAll],
// [ScoreAll] and [ProbabilitiesAll] name, for many rows at once.
type Predictor interface{ Predict(x Row) float64 }

// Scorer gives a row its score f(x). For two classes the sign of the score is the predicted label,
// see [Sign]; for regression the score is the predicted target. A class number is no score: a model
// for more than two classes is a [Predictor] only.
type Scorer interface{ Score(x Row) float64 }

// PredictAll returns the prediction of every row, and the scores if the model is a [Scorer], nil if not. It calls the
// model's own method PredictAll, with these results, if there is one: many rows at once may cost much less than one
// by one, and differ from them by rounding.
func PredictAll(p Predictor, rows []Row) (labels, scores []float64) {
	if p, ok := p.(interface {
		PredictAll(rows []Row) (labels, scores []float64)
	}); ok {
		return p.PredictAll(rows)
	}
	labels = make([]float64, len(rows))
	for i, x := range rows {
		labels[i] = p.Predict(x)
	}
	if s, ok := p.(Scorer); ok {
		scores = ScoreAll(s, rows)
	}
	return labels, scores
}

// ScoreAll returns the score of every row. It calls the model's own method ScoreAll if there is one, see [PredictAll].
func ScoreAll(s Scorer, rows []Row) []float64 {
	if s, ok := s.(interface{ ScoreAll(rows []Row) []float64 }); ok {
		return s.ScoreAll(rows)
	}
	scores := make([]float64, len(rows))
	for i, x := range rows {
		scores[i] = s.Score(x)
	}
	return scores
}

// ProbabilitiesAll returns the probabilities of the classes for every row, n×K, by the model's own method ProbabilitiesAll,
// with this result; nil if it has none, or if the model has no probabilities. Those of a row without a prediction are NaN.
func ProbabilitiesAll(p Predictor, rows []Row) [][]float64 {
	if p, ok := p.(interface{ ProbabilitiesAll(rows []Row) [][]float64 }); ok {
		return p.ProbabilitiesAll(rows)
	}
	return nil
}

// Sign returns the label that the score of a model for two classes predicts: −1 or +1, 0 for exactly
// 0, which is no class, and NaN for NaN.
func Sign(score float64) float64 {
	switch {
	case score > 0:
		return 1
	case score < 0:
		return -1
	}
	return score
}

// Fitter trains a model on a set. It is how the packages that train many models
// (multiclass, tune) take any of them, this library's or yours, without knowing it. A model that is
// a [Scorer], too, can be measured by its scores and be one of several that tell more than two
// classes apart.
//
// A Fitter must not keep or change the set, must give the same model for the same set, and
// is called from several goroutines at once unless the caller says otherwise. When ctx ends
// it returns soon, with ctx's error and no model: what is half done is not to be measured, nor to be one of
// several. The functions that fit one model for its own sake (svm.Fit, multiclass.CrammerSinger.Fit, the
// perceptrons, separate.Decide) return the best so far together with ctx's error, and without an error where
// their progress function has returned false.
type Fitter func(ctx context.Context, train *Dataset) (Predictor, error)
