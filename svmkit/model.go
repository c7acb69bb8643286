package svmkit

import (
	"context"
	"math"
)

// Prediction is what a model says about one row. The zero value says nothing.
//
// [SignPrediction], [ClassPrediction] and [TargetPrediction] make one for a model of your own.
type Prediction struct {
	// OK says whether there is a prediction. It is false for a row with a NaN, and for a score of
	// exactly 0 of two classes, because 0 lies on the decision boundary.
	OK bool
	// Class is the index of the class in ClassNames, 0 … K−1. Of two classes label −1 has the index
	// 0 and label +1 the index 1. It is −1 without a class: for a regression, and without OK.
	Class int
	// Name is the name of the class; "" if the model has no names or OK is false.
	Name string
	// Y is the prediction as [Dataset].Y holds it: −1 or +1 for two classes, the index of the class
	// for more, the target of a regression. It is 0 for a tie of two classes, and NaN if the row has
	// no prediction for another reason, as [Sign] gives it.
	Y float64
	// Score is f(x) of two classes, of one class and of a regression; NaN if the model has no single
	// score.
	Score float64
}

// SignPrediction returns the prediction of a model for two classes, or for one class, that gives a
// row this score. names are the two ClassNames, or nil.
func SignPrediction(score float64, names []string) Prediction {
	p := Prediction{Class: -1, Y: Sign(score), Score: score}
	switch p.Y {
	case -1:
		p.OK, p.Class = true, 0
	case 1:
		p.OK, p.Class = true, 1
	}
	if p.OK && names != nil {
		p.Name = names[p.Class]
	}
	return p
}

// ClassPrediction returns the prediction of the class with this index among K classes, and no
// prediction for −1. names are the K ClassNames, or nil if the classes have no names; two names mean
// that Y is −1 or +1. There is no score.
func ClassPrediction(class int, names []string) Prediction {
	if class < 0 {
		return Prediction{Class: -1, Y: math.NaN(), Score: math.NaN()}
	}
	p := Prediction{OK: true, Class: class, Y: float64(class), Score: math.NaN()}
	if names != nil {
		p.Name = names[class]
	}
	if len(names) == 2 {
		p.Y = float64(2*class - 1)
	}
	return p
}

// TargetPrediction returns the prediction of a regression that gives a row this target.
func TargetPrediction(target float64) Prediction {
	return Prediction{OK: !math.IsNaN(target), Class: -1, Y: target, Score: target}
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

// Predictor is the least that a model can do. [AsModel] makes a [Model] of it.
type Predictor interface{ Predict(x Row) Prediction }

// Model is a trained model of rows of numbers. The models of this library are safe for concurrent
// use.
//
// A model may also be a [Scorer], a [BatchScorer], a [ClassScorer], a [ProbabilityPredictor], a
// [Preparer], a [RowChecker] or a [Wrapper].
type Model interface {
	Predictor
	// PredictAll predicts many rows at once, which may cost much less than one by one. Each row has
	// the OK, Class and Name that Predict gives it. Numbers agree up to rounding.
	PredictAll(rows []Row) []Prediction
	// ProbabilitiesAll returns the probabilities of the classes for each row, n×K, in the order of
	// ClassNames; nil if the model has none. The probabilities of a row with a NaN are NaN.
	ProbabilitiesAll(rows []Row) [][]float64
	// ClassNames returns the names of the K classes; nil for a regression or without names.
	ClassNames() []string
	// Columns says which columns the model was trained on; see [Columns.Align].
	Columns() Columns
	// FitStatus returns why the fit ended; Unfinished if that is not known, as for a loaded model.
	FitStatus() Status
}

// Scorer gives a row a single score f(x). For two classes its sign is the predicted label, see
// [Sign]. For a regression it is the predicted target. A model for K > 2 classes is no Scorer, so
// that nobody takes the number of a class for a score.
type Scorer interface{ Score(x Row) float64 }

// BatchScorer is a [Scorer] that scores many rows at once for less than one by one.
type BatchScorer interface {
	Scorer
	// ScoreAll returns the Score of each row. If it rounds otherwise than Score, its sign is the sign of
	// Score all the same, and the scorer is a [RoundingScorer].
	ScoreAll(rows []Row) []float64
}

// RoundingScorer is a [BatchScorer] whose ScoreAll rounds otherwise than Score. Models of several such
// scorers use it to decide ties as Score does.
type RoundingScorer interface {
	BatchScorer
	// ScoreAllNear returns the scores of ScoreAll, and a function that reports whether rounding may have
	// moved the score of a row by d or more. A nil function stands for no rounding at all. The function
	// belongs to one goroutine.
	ScoreAllNear(rows []Row) (scores []float64, near func(row int, d float64) bool)
}

// ClassScorer is a [Model] with one score per class, in the order of ClassNames. Its type says what
// the scores mean and how the predicted class follows from them.
type ClassScorer interface {
	// ClassScores returns the K scores of a row.
	ClassScores(x Row) []float64
	// ClassScoresAll returns the ClassScores of each row, up to rounding, n×K.
	ClassScoresAll(rows []Row) [][]float64
}

// ProbabilityPredictor is a [Model] that predicts classes and probabilities at once, for less than
// PredictAll and ProbabilitiesAll one after the other; see [PredictWithProbabilities].
type ProbabilityPredictor interface {
	// PredictWithProbabilities returns the results of PredictAll and of ProbabilitiesAll.
	PredictWithProbabilities(rows []Row) (predictions []Prediction, probabilities [][]float64)
}

// Preparer is a [Model] that can be made ready to predict one row at a time, as a server needs it.
type Preparer interface {
	// Prepare returns a predictor that gives the same predictions, numbers up to rounding. It is safe
	// for concurrent use. The model must not be changed afterwards.
	Prepare() Predictor
}

// RowChecker is a [Model] that can say why it has no prediction for a row.
type RowChecker interface {
	// CheckRows returns why the first row without a prediction cannot be used; nil if all rows can.
	CheckRows(rows []Row) error
}

// Wrapper is a [Model] that turns rows into others and hands them to another model, as a model of
// scaled rows does.
type Wrapper interface {
	// Unwrap returns the model inside.
	Unwrap() Model
	// Transform returns the rows as the model inside takes them. Its error is about the first row that
	// cannot be used.
	Transform(rows []Row) ([]Row, error)
}

// Unwrap returns the innermost model of m, which is m itself if it is no [Wrapper].
func Unwrap(m Model) Model {
	for {
		w, ok := m.(Wrapper)
		if !ok {
			return m
		}
		m = w.Unwrap()
	}
}

// PredictWithProbabilities returns the results of m.PredictAll and m.ProbabilitiesAll. It costs as
// much as one of the two if m is a [ProbabilityPredictor].
func PredictWithProbabilities(m Model, rows []Row) ([]Prediction, [][]float64) {
	if p, ok := m.(ProbabilityPredictor); ok {
		return p.PredictWithProbabilities(rows)
	}
	return m.PredictAll(rows), m.ProbabilitiesAll(rows)
}

// HasProbabilities reports whether a model has probabilities.
func HasProbabilities(m Model) bool { return m.ProbabilitiesAll([]Row{}) != nil }

// ScoreAll returns the score of each row, by the ScoreAll of a [BatchScorer], else one by one.
func ScoreAll(s Scorer, rows []Row) []float64 {
	if s, ok := s.(BatchScorer); ok {
		return s.ScoreAll(rows)
	}
	scores := make([]float64, len(rows))
	for i, x := range rows {
		scores[i] = s.Score(x)
	}
	return scores
}

// ScoreAllNear returns the result of s.ScoreAllNear for a [RoundingScorer], and of [ScoreAll] with no
// function for any other.
func ScoreAllNear(s Scorer, rows []Row) (scores []float64, near func(row int, d float64) bool) {
	if s, ok := s.(RoundingScorer); ok {
		return s.ScoreAllNear(rows)
	}
	return ScoreAll(s, rows), nil
}

// AsModel returns a predictor of your own as a [Model]. PredictAll predicts row by row, the names and
// the columns are those of train, and there are no probabilities. A prediction without a Name gets
// the one of its Class. A [Scorer] stays a Scorer, and a [Model] is returned as it is. train may be
// nil: then there are no names, and the columns are not known.
func AsModel(p Predictor, train *Dataset) Model {
	if m, ok := p.(Model); ok {
		return m
	}
	m := completed{Predictor: p}
	if train != nil {
		m.columns, m.classes = ColumnsOf(train), train.Classes
	}
	if s, ok := p.(Scorer); ok {
		return completedScorer{m, s}
	}
	return m
}

// completed is what [AsModel] returns for a predictor without a score.
type completed struct {
	Predictor
	columns Columns
	classes []string
}

func (m completed) Predict(x Row) Prediction {
	p := m.Predictor.Predict(x)
	if p.OK && p.Name == "" && p.Class >= 0 && p.Class < len(m.classes) {
		p.Name = m.classes[p.Class]
	}
	return p
}

func (m completed) PredictAll(rows []Row) []Prediction {
	all := make([]Prediction, len(rows))
	for i, x := range rows {
		all[i] = m.Predict(x)
	}
	return all
}

func (m completed) ProbabilitiesAll([]Row) [][]float64 { return nil }
func (m completed) ClassNames() []string               { return m.classes }
func (m completed) Columns() Columns                   { return m.columns }
func (m completed) FitStatus() Status                  { return Unfinished }

// completedScorer is what [AsModel] returns for a [Scorer].
type completedScorer struct {
	completed
	Scorer
}

func (m completedScorer) ScoreAll(rows []Row) []float64 { return ScoreAll(m.Scorer, rows) }

func (m completedScorer) ScoreAllNear(rows []Row) ([]float64, func(row int, d float64) bool) {
	return ScoreAllNear(m.Scorer, rows)
}

// Fitter trains a model on a data set. The packages that train many models (multiclass, tune,
// pipeline) take any Fitter, this library's or yours. A model that is a [Scorer] can be measured by
// its scores and be one of several that tell more than two classes apart. [AsModel] makes a Model of
// a predictor of your own.
//
// A Fitter must not keep or change the set, and must give the same model for the same set. It is
// called from several goroutines at once unless the caller says otherwise.
//
// When ctx ends, a Fitter returns soon, with ctx's error and no model, because half a fit must not be
// measured, nor be one of several models. The functions that fit one model for its own sake (svm.Fit,
// multiclass.CrammerSinger.Fit, the perceptrons, separate.Decide) return the best model so far
// together with ctx's error, and without an error if their progress function has returned false.
type Fitter func(ctx context.Context, train *Dataset) (Model, error)
