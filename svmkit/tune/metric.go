package tune

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/svmkit/course/svmkit"
)

// Metric says how good a model's predictions are for rows whose truth is known.
//
// The built-in ones are [Accuracy], [Error], [BalancedAccuracy], [F1], [AUC], [AveragePrecision] and
// [LogLoss] for classes, and [MSE], [MAE] and [R2] for regression; they count every row once. One of
// your own is a literal of this type, and must be safe for concurrent use.
type Metric struct {
	Name string // for errors and reports
	// Measure returns the value for the rows of truth. Built-in metrics refuse a missing
	// prediction, NaN, with [ErrScore].
	Measure func(truth *svmkit.Dataset, p Predictions) (float64, error)
	Higher  bool // whether larger values are better
}

// Predictions are what a model says of the n rows of a set.
type Predictions struct {
	Label []float64 // n: Y of each [svmkit.Prediction]
	Score []float64 // n: Score of each [svmkit.Prediction]; nil if the model has no scores
	// Probability is n×K: of each class, in the order of Classes, or of the labels −1 and +1 if
	// there are no names. It is nil if the model has none; see ProbabilitiesAll of [svmkit.Model].
	Probability [][]float64
	// Classes are those of the set that the model was trained on. They are compared by name with those
	// of the truth, which may lack some, have others, or order them otherwise. [Predict] sets them.
	Classes []string
}

// classes returns the names of the classes of truth and of p, which must both have names, or neither.
func (p Predictions) classes(truth *svmkit.Dataset) (own, predicted []string, err error) {
	switch {
	case p.Classes == nil && truth.Classes == nil:
		return svmkit.SignNames(), svmkit.SignNames(), nil
	case p.Classes == nil:
		err = &svmkit.ParamError{Name: "Predictions.Classes", Value: p.Classes,
			Need: "must be the Classes of the training set, as those of the truth may be others: tune.Predict sets them"}
	case truth.Classes == nil:
		err = &svmkit.ParamError{Name: "truth.Classes", Value: truth.Classes,
			Need: "must name the classes, as the model does",
			Hint: fmt.Sprintf("read the file with dataset.Labels{Classes: %q}", p.Classes)}
	}
	return truth.Classes, p.Classes, err
}

// ErrNoF1 says that F1 is not defined: it is 0/0.
var ErrNoF1 = errors.New("no row is of the second class, and none is predicted to be, so that F1 is 0/0")

// ErrNoVariance says that R² is not defined: all targets are equal.
var ErrNoVariance = errors.New("all targets are equal")

var (
	// Accuracy is the part of the rows whose class is predicted right. A score of exactly zero
	// predicts no class, which is a mistake.
	Accuracy = ofConfusion("accuracy", true, (*Confusion).Accuracy)

	// Error is the part of the rows whose class is not predicted right: the mean zero–one loss.
	Error = ofConfusion("error", false, func(c *Confusion) float64 { return float64(c.Total()-c.right()) / float64(c.Total()) })

	// BalancedAccuracy is the mean, over the classes that occur, of the part of a class's rows that
	// is predicted right.
	BalancedAccuracy = ofConfusion("balanced accuracy", true, (*Confusion).BalancedAccuracy)

	// F1 is that of the second of two classes, see [Confusion.F1], and [ErrNoF1] where no row is of
	// that class or predicted to be. Of more classes it is the mean over those that have rows or
	// predictions (macro F1).
	F1 = ofConfusion("F1", true, func(c *Confusion) float64 {
		if len(c.Names) == 2 {
			return c.F1(1)
		}
		return c.MacroF1()
	})

	// LogLoss is −(1/n)Σ log pᵢ with the probability pᵢ that the model gives to the class of row i;
	// +Inf where one is 0. It refuses a model without probabilities, rows of probabilities that do
	// not lie in [0, 1] or add up to 1 within 1e-6, and a class that the model does not have.
	LogLoss = Metric{Name: "log loss", Measure: logLoss}

	// MSE is the mean squared error (1/n)Σ(f(xᵢ) − yᵢ)².
	MSE = ofErrors("mean squared error", func(e float64) float64 { return e * e })

	// MAE is the mean absolute error (1/n)Σ|f(xᵢ) − yᵢ|.
	MAE = ofErrors("mean absolute error", math.Abs)

	// R2 is 1 − Σ(f(xᵢ) − yᵢ)²/Σ(yᵢ − ȳ)²: 1 for a perfect prediction, 0 for that of the mean
	// of the test rows, below for worse. It is [ErrNoVariance] where all targets are equal.
	R2 = Metric{Name: "R²", Higher: true, Measure: func(truth *svmkit.Dataset, p Predictions) (float64, error) {
		mse, err := MSE.Measure(truth, p)
		if err != nil {
			return math.NaN(), err
		}
		variance := stat.PopVariance(truth.Y, nil)
		if variance == 0 {
			return math.NaN(), noPlace(ErrNoVariance)
		}
		return 1 - mse/variance, nil
	}}
)

func ofConfusion(name string, higher bool, value func(*Confusion) float64) Metric {
	return Metric{Name: name, Higher: higher, Measure: func(truth *svmkit.Dataset, p Predictions) (float64, error) {
		c, err := Confuse(truth, p)
		if err != nil {
			return math.NaN(), err
		}
		v := value(c)
		if math.IsNaN(v) { // of F1 alone
			err = noPlace(ErrNoF1)
		}
		return v, err
	}}
}

// sumOfOne is how far a row of probabilities may be from the sum 1: files hold some with few
// digits.
const sumOfOne = 1e-6

func logLoss(truth *svmkit.Dataset, p Predictions) (float64, error) {
	if p.Probability == nil {
		return math.NaN(), &svmkit.ParamError{Name: "Predictions.Probability", Value: nil, Need: "must not be nil: the model has no probabilities"}
	}
	if err := checkSizes(truth, len(p.Probability)); err != nil {
		return math.NaN(), err
	}
	own, predicted, err := p.classes(truth)
	if err != nil {
		return math.NaN(), err
	}
	sum := 0.0
	for i, y := range truth.Y {
		t, err := trueClass(truth, i, len(own))
		if err != nil {
			return math.NaN(), err
		}
		k := slices.Index(predicted, own[t])
		if k < 0 {
			return math.NaN(), &svmkit.ParamError{Name: "Predictions.Classes", Value: p.Classes, Need: fmt.Sprintf("must have %q, the class of row %d", own[t], i)}
		}
		total := 0.0
		for k, v := range p.Probability[i] {
			if !(v >= 0 && v <= 1) {
				return math.NaN(), &svmkit.DataError{Row: i, Col: k, Value: v, Err: ErrProbability}
			}
			total += v
		}
		if len(p.Probability[i]) != len(predicted) || !(math.Abs(total-1) <= sumOfOne) {
			return math.NaN(), &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: y, Err: ErrProbability}
		}
		sum -= math.Log(p.Probability[i][k])
	}
	return sum / float64(truth.Len()), nil
}

// ErrProbability says that a row has no probabilities of its classes.
var ErrProbability = errors.New("no probabilities: there must be one a class, each in [0, 1], with the sum 1")

// ofErrors returns the metric of the mean cost of the errors of a regression.
func ofErrors(name string, cost func(e float64) float64) Metric {
	return Metric{Name: name, Measure: func(truth *svmkit.Dataset, p Predictions) (float64, error) {
		if err := check(truth, p.Label); err != nil {
			return math.NaN(), err
		}
		if truth.Classes != nil {
			return math.NaN(), noPlace(svmkit.ErrNotTargets)
		}
		sum := 0.0
		for i, v := range p.Label {
			sum += cost(v - truth.Y[i])
		}
		return sum / float64(len(p.Label)), nil
	}}
}

// check returns an error unless there is one value a row, and none is NaN.
func check(truth *svmkit.Dataset, values []float64) error {
	if err := checkSizes(truth, len(values)); err != nil {
		return err
	}
	if i := slices.IndexFunc(values, math.IsNaN); i >= 0 {
		return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: values[i], Err: ErrScore}
	}
	return nil
}

func checkSizes(truth *svmkit.Dataset, values int) error {
	switch {
	case truth == nil || truth.Len() == 0:
		return noPlace(svmkit.ErrEmpty)
	case values != truth.Len() || len(truth.Y) != truth.Len():
		return noPlace(svmkit.ErrMismatch)
	}
	return nil
}

func noPlace(err error) error {
	return &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: err}
}
