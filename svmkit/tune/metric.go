package tune

import (
	"errors"
	"math"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/gonum/stat"
)

// Metric says how good scores are for rows whose truth is known.
//
// For two classes a score's sign is the prediction, and a score of zero predicts none, which is
// a mistake. For more classes (three names or more) a score is the number of the class, as
// package multiclass's Labels gives it. For regression it is the prediction itself.
type Metric interface {
	// Measure returns the value for one score a row. Scores are not NaN.
	Measure(truth *svmkit.Dataset, scores []float64) (float64, error)
	// Higher reports whether larger values are better.
	Higher() bool
}

// ErrNoVariance says that R² is not defined: all targets are equal.
var ErrNoVariance = errors.New("all targets are equal")

// Accuracy is the part of the rows whose class is predicted right.
type Accuracy struct{}

// Error is the part of the rows whose class is not predicted right: the mean zero–one loss.
type Error struct{}

// BalancedAccuracy is the mean, over the classes that occur, of the part of a class's rows that
// is predicted right. Predicting always the larger of two classes scores ½, however
// large it is.
type BalancedAccuracy struct{}

// MSE is the mean squared error (1/n)Σ(f(xᵢ) − yᵢ)².
type MSE struct{}

// MAE is the mean absolute error (1/n)Σ|f(xᵢ) − yᵢ|.
type MAE struct{}

// R2 is 1 − Σ(f(xᵢ) − yᵢ)²/Σ(yᵢ − ȳ)²: 1 for a perfect prediction, 0 for that of the mean of
// the test rows, below for worse. It is [ErrNoVariance] where all targets are equal.
type R2 struct{}

func (Accuracy) Higher() bool         { return true }
func (Error) Higher() bool            { return false }
func (BalancedAccuracy) Higher() bool { return true }
func (MSE) Higher() bool              { return false }
func (MAE) Higher() bool              { return false }
func (R2) Higher() bool               { return true }

func (Accuracy) Measure(truth *svmkit.Dataset, scores []float64) (float64, error) {
	c, err := Confuse(truth, scores)
	if err != nil {
		return math.NaN(), err
	}
	return c.Accuracy(), nil
}

func (Error) Measure(truth *svmkit.Dataset, scores []float64) (float64, error) {
	c, err := Confuse(truth, scores)
	if err != nil {
		return math.NaN(), err
	}
	return float64(c.Total()-c.Right()) / float64(c.Total()), nil
}

func (BalancedAccuracy) Measure(truth *svmkit.Dataset, scores []float64) (float64, error) {
	c, err := Confuse(truth, scores)
	if err != nil {
		return math.NaN(), err
	}
	return c.BalancedAccuracy(), nil
}

func (MSE) Measure(truth *svmkit.Dataset, scores []float64) (float64, error) {
	return meanOver(truth, scores, func(e float64) float64 { return e * e })
}

func (MAE) Measure(truth *svmkit.Dataset, scores []float64) (float64, error) {
	return meanOver(truth, scores, math.Abs)
}

func (R2) Measure(truth *svmkit.Dataset, scores []float64) (float64, error) {
	mse, err := MSE{}.Measure(truth, scores)
	if err != nil {
		return math.NaN(), err
	}
	variance := stat.PopVariance(truth.Y, nil)
	if variance == 0 {
		return math.NaN(), &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: ErrNoVariance}
	}
	return 1 - mse/variance, nil
}

func meanOver(truth *svmkit.Dataset, scores []float64, cost func(e float64) float64) (float64, error) {
	if err := check(truth, scores); err != nil {
		return math.NaN(), err
	}
	sum := 0.0
	for i, s := range scores {
		sum += cost(s - truth.Y[i])
	}
	return sum / float64(len(scores)), nil
}

// check returns an error unless there is one score a row, and none is NaN.
func check(truth *svmkit.Dataset, scores []float64) error {
	switch {
	case truth == nil || truth.Len() == 0:
		return &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrEmpty}
	case len(scores) != truth.Len() || len(truth.Y) != truth.Len():
		return &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrMismatch}
	}
	for i, s := range scores {
		if math.IsNaN(s) {
			return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: s, Err: ErrScore}
		}
	}
	return nil
}
