package svmkit

import (
	"context"
	"math"
	"slices"
)

// Prediction is the prediction of a model for one row. The zero value holds no prediction.
//
// [SignPrediction], [ClassPrediction], [TargetPrediction] and [NoPrediction] build predictions for
// your own models.
type Prediction struct {
	// OK reports whether there is a prediction. It is false in three cases: the score of two
	// classes, or of one class, is exactly 0, because 0 lies on the decision boundary; the score is
	// NaN, because the row has a NaN or its numbers are so large that the score is ∞ − ∞; or the
	// model cannot use the row, for example if a field is missing. Models from files of LIBSVM,
	// LIBLINEAR and scikit-learn predict a class for a score of 0, as these programs do. An
	// infinite score has a sign, so OK is true. If OK is false, only Y and Score have a meaning.
	OK bool
	// Class is the number of the class in ClassNames, 0 … K−1; see [LabelOf]. It is −1 for a
	// regression, and in the models of this library also if OK is false.
	Class int
	// Name is the name of the class; "" if OK is false or the model has no names.
	Name string
	// Y is the label of the class, or the target of a regression, in the form of [Dataset].Y; see
	// [LabelOf]. It is 0 for a tie of two classes and NaN for a row without a prediction.
	Y float64
	// Score is f(x) for two classes, one class or a regression; NaN if there is no single score.
	Score float64
}

// SignPrediction returns the prediction for a score, for a model of two classes or one class. names
// holds the two ClassNames, or is nil.
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

// ClassPrediction returns the prediction of a class, 0 … classes−1, without a score.
//
// Y is the [LabelOf] the class. names are the ClassNames, or nil if the classes have no names. For
// a class of −1 the result is [NoPrediction].
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

// TargetPrediction returns the prediction of a regression that predicts this target.
func TargetPrediction(target float64) Prediction {
	return Prediction{OK: !math.IsNaN(target), Class: -1, Y: target, Score: target}
}

// Sign returns the label that a score of a two-class model predicts: −1, +1, or 0 for a tie.
//
// A score of exactly 0 is a tie, because it belongs to neither class. The sign of NaN is NaN.
func Sign(score float64) float64 {
	switch {
	case score > 0:
		return 1
	case score < 0:
		return -1
	}
	return score
}

// Predictor predicts single rows, which is the least that a model can do. [AsModel] turns it into a
// [Model].
type Predictor interface{ Predict(x Row) Prediction }

// Model is a trained model for rows of numbers. The models of this library are safe for concurrent
// use.
//
// A model may also be a [Scorer], a [BatchScorer], a [ClassScorer], a [ProbabilityPredictor], a
// [Preparer], a [RowChecker] or a [Wrapper].
type Model interface {
	Predictor
	// PredictAll predicts many rows at once, which may be much faster than row by row. Each row has
	// the OK, Class and Name that Predict gives it. Numbers agree up to rounding.
	PredictAll(rows []Row) []Prediction
	// ProbabilitiesAll returns n rows of K class probabilities, in the order of ClassNames. It
	// returns nil if the model has none, and a non-nil slice otherwise, even for no rows. The
	// probabilities of a row with a NaN are NaN.
	ProbabilitiesAll(rows []Row) [][]float64
	// ClassNames returns the names of the K classes; nil for a regression or without names.
	ClassNames() []string
	// Columns returns the columns of the training rows; see [Columns.Align].
	Columns() Columns
	// FitStatus returns why the fit ended; Unfinished if that is unknown, as for a loaded model.
	FitStatus() Status
}

// Scorer gives a row a single score f(x).
//
// For two classes, the sign of the score is the predicted label; see [Sign]. For a regression, the
// score is the predicted target. Models for more than two classes are not Scorers, so that the
// number of a class is never taken for a score.
type Scorer interface{ Score(x Row) float64 }

// BatchScorer is a [Scorer] that scores many rows at once faster than one by one.
type BatchScorer interface {
	Scorer
	// ScoreAll returns the Score of each row. Its values may differ from Score by rounding, but
	// their signs agree. In that case the scorer is also a [RoundingScorer].
	ScoreAll(rows []Row) []float64
}

// RoundingScorer is a [BatchScorer] whose ScoreAll rounds in another way than Score. Models that
// combine several scorers use it to decide ties as Score does.
type RoundingScorer interface {
	BatchScorer
	// ScoreAllNear returns the scores of ScoreAll, and a function that reports whether rounding may
	// have moved the score of a row by d or more. If the function is nil, there was no rounding.
	// Only one goroutine may call it.
	ScoreAllNear(rows []Row) (scores []float64, near func(row int, d float64) bool)
}

// ClassScorer is a [Model] with one score per class, in the order of ClassNames. The type of the
// model documents the meaning of the scores and how the class follows from them.
type ClassScorer interface {
	// ClassScores returns the K scores of a row.
	ClassScores(x Row) []float64
	// ClassScoresAll returns the ClassScores of each row, up to rounding, n×K.
	ClassScoresAll(rows []Row) [][]float64
}

// ProbabilityPredictor is a [Model] that predicts classes and probabilities together, which is
// faster than PredictAll and ProbabilitiesAll; see [PredictWithProbabilities].
type ProbabilityPredictor interface {
	// PredictWithProbabilities returns the results of PredictAll and of ProbabilitiesAll.
	PredictWithProbabilities(rows []Row) (predictions []Prediction, probabilities [][]float64)
}

// Preparer is a [Model] that can be prepared to predict one row at a time, as a server does.
type Preparer interface {
	// Prepare returns a predictor with the same predictions; numbers agree up to rounding. It is
	// safe for concurrent use. Do not change the model afterwards.
	Prepare() Predictor
}

// RowChecker is a [Model] that can explain why a row has no prediction.
type RowChecker interface {
	// CheckRows returns why the first row without a prediction cannot be used; nil if all rows can.
	CheckRows(rows []Row) error
}

// Wrapper is a [Model] that transforms rows and passes them to another model, such as a model of
// scaled rows.
type Wrapper interface {
	// Unwrap returns the model inside.
	Unwrap() Model
	// Transform returns the rows in the form that the model inside takes. Its error is about the
	// first row that cannot be used.
	Transform(rows []Row) ([]Row, error)
}

// Unwrap returns the innermost model of m. This is m itself if m is not a [Wrapper].
func Unwrap(m Model) Model {
	for {
		w, ok := m.(Wrapper)
		if !ok {
			return m
		}
		m = w.Unwrap()
	}
}

// PredictWithProbabilities returns the results of m.PredictAll and m.ProbabilitiesAll. For a
// [ProbabilityPredictor] it costs as much as one of the two.
func PredictWithProbabilities(m Model, rows []Row) ([]Prediction, [][]float64) {
	if p, ok := m.(ProbabilityPredictor); ok {
		return p.PredictWithProbabilities(rows)
	}
	return m.PredictAll(rows), m.ProbabilitiesAll(rows)
}

// PredictByProbability predicts the most probable class of each row and also returns the
// probabilities.
//
// Of equally probable classes it takes the one that PredictAll predicts, or else the first in the
// order of ClassNames. PredictAll may predict another class, because it uses the scores. A row
// whose probabilities are NaN has no prediction. Both results are nil if the model has no
// probabilities. The option -b 1 of svm-predict and scikit-learn's CalibratedClassifierCV predict
// in the same way.
func PredictByProbability(m Model, rows []Row) ([]Prediction, [][]float64) {
	predictions, probabilities := PredictWithProbabilities(m, rows)
	if probabilities == nil {
		return nil, nil
	}
	names := m.ClassNames()
	for i, p := range probabilities {
		scored := predictions[i]
		predictions[i] = NoPrediction()
		if !slices.ContainsFunc(p, math.IsNaN) {
			best := slices.Index(p, slices.Max(p))
			if scored.OK && scored.Class >= 0 && p[scored.Class] == p[best] {
				best = scored.Class
			}
			predictions[i] = ClassPrediction(best, len(p), names)
		}
		predictions[i].Score = scored.Score
	}
	return predictions, probabilities
}

// ClassScoresAll returns n rows of K class scores; nil if m has no class scores.
//
// m is a [ClassScorer], or a [Wrapper] around one. The scores of a row that a Wrapper cannot use
// are NaN.
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

// ScoreAll returns the score of each row. It calls the ScoreAll of a [BatchScorer], or else Score
// for each row.
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

// ScoreAllNear returns s.ScoreAllNear(rows) for a [RoundingScorer]. For any other scorer it returns
// [ScoreAll] and a nil function.
func ScoreAllNear(s Scorer, rows []Row) (scores []float64, near func(row int, d float64) bool) {
	if s, ok := s.(RoundingScorer); ok {
		return s.ScoreAllNear(rows)
	}
	return ScoreAll(s, rows), nil
}

// AsModel returns your own predictor as a [Model].
//
// PredictAll predicts row by row. Names and columns come from train, and there are no
// probabilities. A [Scorer] stays a Scorer, and a [Model] is returned unchanged.
//
// Your predictions may set any of Class, Name and Y; AsModel fills in the others. A Name that
// occurs in train counts first, then a Class above 0, then Y. If OK is false, Class becomes −1, and
// Y becomes NaN unless it is the 0 of a tie.
//
// train may be nil. Then there are no names, the columns are unknown, and nothing is filled in.
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

// Fitter trains a model on a data set. Packages multiclass, tune and pipeline accept any Fitter,
// including your own.
//
// [AsModel] turns your own predictor into a Model. If the Model is a [Scorer], package multiclass
// can combine several of them, and package tune can measure it by its scores.
//
// A Fitter must not keep or change the set, and must return the same model for the same set. It is
// called from several goroutines at once unless the caller documents otherwise.
//
// When ctx ends, a Fitter soon returns no model and the error of ctx, so that unfinished models are
// never measured or combined. The functions that fit a single model (svm.Fit,
// multiclass.CrammerSinger.Fit, the perceptrons, separate.Decide) instead return the best model so
// far with the error of ctx. If their progress function returned false, the error is nil.
type Fitter func(ctx context.Context, train *Dataset) (Model, error)
