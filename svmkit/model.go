package svmkit

import (
	"context"
	"math"
	"slices"
)

// Prediction is what a model says about one row. The zero value says nothing.
//
// [SignPrediction], [ClassPrediction], [TargetPrediction] and [NoPrediction] make one for a model
// of your own.
type Prediction struct {
	// OK says whether there is a prediction. It is false if the score of two classes, or of one
	// class, is exactly 0, because 0 lies on the decision boundary. It is false if a score is NaN:
	// the row has a NaN, or its numbers are so large that the score is ∞ − ∞. An infinite score has
	// a sign, and OK is true. And OK is false for a row that the model cannot use, such as one with
	// a missing field. The other fields but Y and Score mean nothing without OK.
	OK bool
	// Class is the index of the class in ClassNames, 0 … K−1; see [LabelOf]. It is −1 for a
	// regression. Without OK the models of this library set it to −1.
	Class int
	// Name is the name of the class; "" if the model has no names or OK is false.
	Name string
	// Y is the prediction as [Dataset].Y of the training rows holds it: the label of the class, see
	// [Dataset] and [LabelOf], or the target of a regression. It is 0 for a tie of two classes, and NaN if the row has no
	// prediction for another reason, as [Sign] gives it.
	Y float64
	// Score is f(x) of two classes, of one class and of a regression; NaN if the model has no
	// single score.
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

// ClassPrediction returns the prediction of a class, 0 … classes−1, without a score. Y is its
// [LabelOf].
//
// names are the ClassNames, or nil if the classes have no names. A class of −1 is [NoPrediction].
func ClassPrediction(class, classes int, names []string) Prediction {
	if class < 0 {
		return NoPrediction()
	}
	p := Prediction{OK: true, Class: class, Y: LabelOf(class, classes), Score: math.NaN()}
	if names != nil {
		p.Name = names[class]
	}
	return p
}

// NoPrediction returns the prediction for a row that a model cannot use.
func NoPrediction() Prediction { return Prediction{Class: -1, Y: math.NaN(), Score: math.NaN()} }

// TargetPrediction returns the prediction of a regression that gives a row this target.
func TargetPrediction(target float64) Prediction {
	return Prediction{OK: !math.IsNaN(target), Class: -1, Y: target, Score: target}
}

// Sign returns the label that the score of a model for two classes predicts: −1 or +1, 0 for
// exactly 0, which is no class, and NaN for NaN.
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
	// ClassNames; nil if the model has none, and not nil if it has, even for no rows. The
	// probabilities of a row with a NaN are NaN.
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
	// ScoreAll returns the Score of each row. If it rounds otherwise than Score, its sign is the
	// sign of Score all the same, and the scorer is a [RoundingScorer].
	ScoreAll(rows []Row) []float64
}

// RoundingScorer is a [BatchScorer] whose ScoreAll rounds otherwise than Score. Models of several
// such scorers use it to decide ties as Score does.
type RoundingScorer interface {
	BatchScorer
	// ScoreAllNear returns the scores of ScoreAll, and a function that reports whether rounding may
	// have moved the score of a row by d or more. A nil function stands for no rounding at all. The
	// function belongs to one goroutine.
	ScoreAllNear(rows []Row) (scores []float64, near func(row int, d float64) bool)
}

// ClassScorer is what a [Model] with one score per class implements as well. The scores stand in
// the order of ClassNames. The type of the model says what they mean and how the predicted class
// follows from them.
type ClassScorer interface {
	// ClassScores returns the K scores of a row.
	ClassScores(x Row) []float64
	// ClassScoresAll returns the ClassScores of each row, up to rounding, n×K.
	ClassScoresAll(rows []Row) [][]float64
}

// ProbabilityPredictor is what a [Model] implements as well if it can predict classes and
// probabilities at once, for less than PredictAll and ProbabilitiesAll one after the other; see
// [PredictWithProbabilities].
type ProbabilityPredictor interface {
	// PredictWithProbabilities returns the results of PredictAll and of ProbabilitiesAll.
	PredictWithProbabilities(rows []Row) (predictions []Prediction, probabilities [][]float64)
}

// Preparer is what a [Model] implements as well if it can be made ready to predict one row at a
// time, as a server needs it.
type Preparer interface {
	// Prepare returns a predictor that gives the same predictions, numbers up to rounding. It is
	// safe for concurrent use. The model must not be changed afterwards.
	Prepare() Predictor
}

// RowChecker is what a [Model] implements as well if it can say why it has no prediction for a row.
type RowChecker interface {
	// CheckRows returns why the first row without a prediction cannot be used; nil if all rows can.
	CheckRows(rows []Row) error
}

// Wrapper is what a [Model] implements as well if it turns rows into others and hands them to
// another model, as a model of scaled rows does.
type Wrapper interface {
	// Unwrap returns the model inside.
	Unwrap() Model
	// Transform returns the rows as the model inside takes them. Its error is about the first row
	// that cannot be used.
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

// PredictByProbability predicts the most probable class of each row, of equal ones the first in the
// order of ClassNames, and returns the probabilities as well. svm-predict -b 1 and scikit-learn's
// CalibratedClassifierCV predict like this. The class of PredictAll may be another, because it
// follows from the scores. A row whose probabilities are NaN has no prediction. The results are nil
// if the model has no probabilities.
func PredictByProbability(m Model, rows []Row) ([]Prediction, [][]float64) {
	predictions, probabilities := PredictWithProbabilities(m, rows)
	if probabilities == nil {
		return nil, nil
	}
	names := m.ClassNames()
	for i, p := range probabilities {
		score := predictions[i].Score
		predictions[i] = NoPrediction()
		if !slices.ContainsFunc(p, math.IsNaN) {
			best := slices.Index(p, slices.Max(p))
			predictions[i] = ClassPrediction(best, len(p), names)
		}
		predictions[i].Score = score
	}
	return predictions, probabilities
}

// ClassScoresAll returns one score per class for each row, n×K, of a [ClassScorer] or of the one
// inside a [Wrapper]; nil if there is none. The scores of a row that a Wrapper cannot use are NaN.
func ClassScoresAll(m Model, rows []Row) [][]float64 {
	if s, ok := m.(ClassScorer); ok {
		return s.ClassScoresAll(rows)
	} else if _, ok := Unwrap(m).(ClassScorer); !ok {
		return nil
	}
	w := m.(Wrapper) // or Unwrap would have returned m
	inside, err := w.Transform(rows)
	switch {
	case err == nil:
		return ClassScoresAll(w.Unwrap(), inside)
	case len(rows) == 1:
		return [][]float64{slices.Repeat([]float64{math.NaN()}, len(m.ClassNames()))}
	}
	all := make([][]float64, len(rows))
	for i := range rows {
		all[i] = ClassScoresAll(m, rows[i:i+1])[0]
	}
	return all
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

// ScoreAllNear returns the result of s.ScoreAllNear for a [RoundingScorer], and of [ScoreAll] with
// no function for any other.
func ScoreAllNear(s Scorer, rows []Row) (scores []float64, near func(row int, d float64) bool) {
	if s, ok := s.(RoundingScorer); ok {
		return s.ScoreAllNear(rows)
	}
	return ScoreAll(s, rows), nil
}

// AsModel returns a predictor of your own as a [Model]. PredictAll predicts row by row, the names
// and the columns are those of train, and there are no probabilities.
//
// A prediction may have any of Class, Name and Y: the others are filled in. A Name that train has
// decides, then a Class above 0, then Y. Without OK, Class is −1, and Y is NaN unless it is the 0
// of a tie.
//
// A [Scorer] stays a Scorer, and a [Model] is returned as it is. train may be nil: then there are
// no names, the columns are not known, and predictions are not filled in.
func AsModel(p Predictor, train *Dataset) Model {
	if m, ok := p.(Model); ok {
		return m
	}
	m := completed{Predictor: p, ties: true}
	if train != nil {
		m.columns, m.names, m.classes = ColumnsOf(train), train.Classes, len(train.Classes)
		if train.Classes == nil && !slices.ContainsFunc(train.Y, notSign) {
			m.classes = 2
		}
		m.ties = m.classes == 2
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
	names   []string
	classes int  // how many; 0: a regression, or not known
	ties    bool // whether 0 is not a label, and so can be a tie
}

// notSign reports whether a label is neither −1 nor +1.
func notSign(y float64) bool { _, ok := ClassOf(y, 2); return !ok }

func (m completed) Predict(x Row) Prediction {
	p := m.Predictor.Predict(x)
	if !p.OK {
		p.Class, p.Name = -1, ""
		if p.Y != 0 || !m.ties {
			p.Y = math.NaN()
		}
		return p
	}
	if m.classes == 0 {
		return p
	}
	if named := slices.Index(m.names, p.Name); named >= 0 {
		p.Class = named
	} else if ofLabel, ok := ClassOf(p.Y, m.classes); ok && p.Class <= 0 {
		p.Class = ofLabel
	}
	if p.Class < 0 || p.Class >= m.classes {
		return p
	}
	p.Y = LabelOf(p.Class, m.classes)
	if p.Name == "" && m.names != nil {
		p.Name = m.names[p.Class]
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
func (m completed) ClassNames() []string               { return m.names }
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
// its scores and be one of several that tell more than two classes apart. [AsModel] makes a Model
// of a predictor of your own.
//
// A Fitter must not keep or change the set, and must give the same model for the same set. It is
// called from several goroutines at once unless the caller says otherwise.
//
// When ctx ends, a Fitter returns soon, with ctx's error and no model, because half a fit must not
// be measured, nor be one of several models. The functions that fit one model for its own sake
// (svm.Fit, multiclass.CrammerSinger.Fit, the perceptrons, separate.Decide) return the best model
// so far together with ctx's error, and without an error if their progress function has returned
// false.
type Fitter func(ctx context.Context, train *Dataset) (Model, error)
