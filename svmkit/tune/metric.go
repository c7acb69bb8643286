package tune

import (
	"errors"
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/gonum/stat"
)

// Metric says how good a model's predictions are for rows whose truth is known. The built-in ones
// are [Accuracy], [Error], [BalancedAccuracy], [AUC] and [AveragePrecision] for classes, and [MSE], [MAE] and [R2] for
// regression; a user's own is a literal of this type. They must be safe for concurrent use.
// The built-in ones count every row once; one of your own finds the weights of the rows in truth.
type Metric struct {
	Name string // for errors and reports
	// Measure returns the value for the rows of truth. Built-in metrics refuse a missing prediction,
	// NaN, with [ErrScore].
	Measure func(truth *svmkit.Dataset, p Predictions) (float64, error)
	Higher  bool // whether larger values are better
}

// Predictions are what a model says of the rows of a set, one number a row each.
type Predictions struct {
	Label []float64 // as [svmkit.Predictor] gives it: label ±1 or 0 for none, class number, or target
	Score []float64 // as [svmkit.Scorer] gives it; nil if the model has no scores
	// Classes are those of the set that the model was trained on, which say what Label and the sign of Score mean:
	// they are compared by name with those of the truth, which may lack some, have others, or order them otherwise.
	// [Predict] sets them.
	Classes []string
}

// named returns an error unless both p and truth name their classes, or neither does.
func (p Predictions) named(truth *svmkit.Dataset) error {
	switch {
	case p.Classes == nil && truth.Classes != nil:
		return &svmkit.ParamError{Name: "Predictions.Classes", Value: p.Classes,
			Need: "must be the Classes of the training set, as those of the truth may be others: tune.Predict sets them"}
	case p.Classes != nil && truth.Classes == nil:
		return &svmkit.ParamError{Name: "truth.Classes", Value: truth.Classes,
			Need: fmt.Sprintf("must name the classes, as the model does: read the file with dataset.Labels{Classes: %q}", p.Classes)}
	}
	return nil
}

// ErrNoVariance says that R² is not defined: all targets are equal.
var ErrNoVariance = errors.New("all targets are equal")

var (
	// Accuracy is the part of the rows whose class is predicted right. A score of exactly zero
	// predicts no class, which is a mistake.
	Accuracy = ofConfusion("accuracy", true, (*Confusion).Accuracy)

	// Error is the part of the rows whose class is not predicted right: the mean zero–one loss.
	Error = ofConfusion("error", false, func(c *Confusion) float64 { return float64(c.Total()-c.right()) / float64(c.Total()) })

	// BalancedAccuracy is the mean, over the classes that occur, of the part of a class's rows that
	// is predicted right. Predicting always the larger of two classes gives ½, however large it is.
	BalancedAccuracy = ofConfusion("balanced accuracy", true, (*Confusion).BalancedAccuracy)

	// MSE is the mean squared error (1/n)Σ(f(xᵢ) − yᵢ)².
	MSE = Metric{Name: "mean squared error", Measure: meanSquare}

	// MAE is the mean absolute error (1/n)Σ|f(xᵢ) − yᵢ|.
	MAE = Metric{Name: "mean absolute error", Measure: func(truth *svmkit.Dataset, p Predictions) (float64, error) {
		return meanOver(truth, p, math.Abs)
	}}

	// R2 is 1 − Σ(f(xᵢ) − yᵢ)²/Σ(yᵢ − ȳ)²: 1 for a perfect prediction, 0 for that of the mean of
	// the test rows, below for worse. It is [ErrNoVariance] where all targets are equal.
	R2 = Metric{Name: "R²", Higher: true, Measure: func(truth *svmkit.Dataset, p Predictions) (float64, error) {
		mse, err := meanSquare(truth, p)
		if err != nil {
			return math.NaN(), err
		}
		variance := stat.PopVariance(truth.Y, nil)
		if variance == 0 {
			return math.NaN(), &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: ErrNoVariance}
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
		return value(c), nil
	}}
}

func meanSquare(truth *svmkit.Dataset, p Predictions) (float64, error) {
	return meanOver(truth, p, func(e float64) float64 { return e * e })
}

func meanOver(truth *svmkit.Dataset, p Predictions, cost func(e float64) float64) (float64, error) {
	if err := check(truth, p.Label); err != nil {
		return math.NaN(), err
	}
	if truth.Classes != nil {
		return math.NaN(), &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrNotTargets}
	}
	sum := 0.0
	for i, v := range p.Label {
		sum += cost(v - truth.Y[i])
	}
	return sum / float64(len(p.Label)), nil
}

// check returns an error unless there is one value a row, and none is NaN.
func check(truth *svmkit.Dataset, values []float64) error {
	switch {
	case truth == nil || truth.Len() == 0:
		return &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrEmpty}
	case len(values) != truth.Len() || len(truth.Y) != truth.Len():
		return &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrMismatch}
	}
	for i, v := range values {
		if math.IsNaN(v) {
			return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: v, Err: ErrScore}
		}
	}
	return nil
}
