package tune

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"

	"github.com/svmkit/course/svmkit"
)

// Metric measures the predictions of a model for rows whose truth is known.
//
// The built-in metrics are [Accuracy], [Error], [BalancedAccuracy], [F1], [AUC], [AveragePrecision]
// and [LogLoss] for classes, and [MSE], [MAE] and [R2] for regression. They count every row once.
// To make your own metric, write a literal of this type; it must be safe for concurrent use.
type Metric struct {
	Name string // name for errors and reports
	// Measure returns the value for the rows of truth. Built-in metrics refuse a missing
	// prediction, NaN, with [ErrScore].
	Measure func(truth *svmkit.Dataset, p Predictions) (float64, error)
	Higher  bool // whether larger values are better
}

// Predictions holds the predictions of a model for the n rows of a set.
type Predictions struct {
	Label []float64 // n numbers: Y of each [svmkit.Prediction]
	// Score is the Score of each [svmkit.Prediction], n numbers; nil if the model has no scores.
	Score []float64
	// Probability is n×K: one number per class, in the order of Classes, or of the labels −1 and +1
	// without names. It is nil if the model has none; see ProbabilitiesAll of [svmkit.Model].
	Probability [][]float64
	// Classes are the class names of the training set, set by [Predict]. Predictions are matched to
	// the true classes by name, so the sets may differ in their classes and the order.
	Classes []string
}

// classes returns the names of the classes of truth and of p, which must both have names, or neither.
func (p Predictions) classes(truth *svmkit.Dataset) (own, predicted []string, err error) {
	switch {
	case p.Classes == nil && truth.Classes == nil:
		return svmkit.SignNames(), svmkit.SignNames(), nil
	case p.Classes == nil:
		err = wrong("Predictions.Classes", p.Classes, "must be the Classes of the training set, as those of the truth may be others: tune.Predict sets them")
	case truth.Classes == nil:
		err = &svmkit.ParamError{Name: "truth.Classes", Value: truth.Classes,
			Need: "must name the classes, as the model does",
			Hint: fmt.Sprintf("read the file with dataset.Labels{Classes: %q}", p.Classes)}
	}
	return truth.Classes, p.Classes, err
}

// ErrNoF1 means that F1 is 0/0, which is undefined.
var ErrNoF1 = errors.New("no row is of the second class, and none is predicted to be, so that F1 is 0/0")

// ErrNoVariance means that R² is undefined, because all targets are equal.
var ErrNoVariance = errors.New("all targets are equal")

var (
	// Accuracy is the share of rows whose class is predicted correctly. A score of exactly zero
	// predicts no class, which is a mistake.
	Accuracy = ofConfusion("accuracy", true, (*Confusion).Accuracy)

	// Error is the share of rows whose class is not predicted correctly: the mean zero–one loss.
	Error = ofConfusion("error", false, func(c *Confusion) float64 { return float64(c.Total()-c.right()) / float64(c.Total()) })

	// BalancedAccuracy is the mean, over the classes that occur, of the share of a class's rows
	// that are predicted correctly.
	BalancedAccuracy = ofConfusion("balanced accuracy", true, (*Confusion).BalancedAccuracy)

	// F1 is the [Confusion.F1] of the second of two classes. It is [ErrNoF1] if no row is of that
	// class or predicted to be. For more classes it is the mean over the classes that have rows or
	// predictions (macro F1).
	F1 = ofConfusion("F1", true, func(c *Confusion) float64 {
		if len(c.Names) == 2 {
			return c.F1(1)
		}
		return c.MacroF1()
	})

	// LogLoss is −(1/n)Σ log pᵢ, where pᵢ is the predicted probability of the class of row i. It is
	// +Inf if some pᵢ is 0. It refuses a model without probabilities, probabilities outside [0, 1]
	// or whose sum differs from 1 by more than 1e-6, and a class that the model does not have.
	LogLoss = Metric{Name: "log loss", Measure: logLoss}

	// MSE is the mean squared error (1/n)Σ(f(xᵢ) − yᵢ)².
	MSE = ofErrors("mean squared error", func(e float64) float64 { return e * e })

	// MAE is the mean absolute error (1/n)Σ|f(xᵢ) − yᵢ|.
	MAE = ofErrors("mean absolute error", math.Abs)

	// R2 is 1 − Σ(f(xᵢ) − yᵢ)²/Σ(yᵢ − ȳ)². It is 1 for a perfect prediction, 0 for predicting the
	// mean of the test rows, and negative for worse predictions. It is [ErrNoVariance] if all
	// targets are equal.
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

// sumOfOne is the largest distance of a sum of probabilities from 1. Some files store few digits.
const sumOfOne = 1e-6

func logLoss(truth *svmkit.Dataset, p Predictions) (float64, error) {
	if p.Probability == nil {
		return math.NaN(), wrong("Predictions.Probability", nil, "must not be nil: the model has no probabilities")
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
			return math.NaN(), wrong("Predictions.Classes", p.Classes, fmt.Sprintf("must have %q, the class of row %d", own[t], i))
		}
		total := 0.0
		for k, v := range p.Probability[i] {
			if !(v >= 0 && v <= 1) {
				return math.NaN(), &svmkit.DataError{Row: i, Col: k, Value: v, Err: ErrProbability}
			}
			total += v
		}
		if len(p.Probability[i]) != len(predicted) || !(math.Abs(total-1) <= sumOfOne) {
			return math.NaN(), atRow(i, y, ErrProbability)
		}
		sum -= math.Log(p.Probability[i][k])
	}
	return sum / float64(truth.Len()), nil
}

// ErrProbability means that a row has no valid probabilities of its classes.
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

// check returns an error unless there is one value per row, and none is NaN.
func check(truth *svmkit.Dataset, values []float64) error {
	if err := checkSizes(truth, len(values)); err != nil {
		return err
	}
	if i := slices.IndexFunc(values, math.IsNaN); i >= 0 {
		return atRow(i, values[i], ErrScore)
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

func wrong(name string, value any, need string) error {
	return &svmkit.ParamError{Name: name, Value: value, Need: need}
}

func atRow(i int, value float64, err error) error {
	return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: value, Err: err}
}

func noPlace(err error) error {
	return &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: err}
}

// ErrScore means that a prediction cannot be measured.
var ErrScore = errors.New("no prediction: it is NaN or the label of no class")

// Confusion counts the rows of each class by their predicted class.
type Confusion struct {
	Names []string // names of the K classes; "-1", "1" without names
	// Count is K×K: Count[t][p] rows of class t were predicted as class p.
	Count [][]int
	// None counts, for each class, its rows without a prediction (binary, score exactly zero).
	None []int
}

// Confuse counts the labels that were predicted for the rows of truth.
//
// With two classes, a label of 0 is no prediction. Classes are compared by name; Names has the
// names of truth first, and then others of the predictions. Without class names every label must be
// −1 or +1, because a fold of a set with the labels 0, 1, 2 may lack some of them.
func Confuse(truth *svmkit.Dataset, p Predictions) (*Confusion, error) {
	if err := check(truth, p.Label); err != nil {
		return nil, err
	}
	own, predicted, err := p.classes(truth)
	if err != nil {
		return nil, err
	}
	c := &Confusion{Names: slices.Clone(own)}
	for _, name := range predicted {
		if !slices.Contains(own, name) {
			c.Names = append(c.Names, name)
		}
	}
	c.None, c.Count = make([]int, len(c.Names)), make([][]int, len(c.Names))
	for t := range c.Count {
		c.Count[t] = make([]int, len(c.Names))
	}
	for i := range truth.Y {
		t, err := trueClass(truth, i, len(own))
		if err != nil {
			return nil, err
		}
		label := p.Label[i]
		if label == 0 && len(predicted) == 2 {
			c.None[t]++
			continue
		}
		k, ok := svmkit.ClassOf(label, len(predicted))
		if !ok {
			return nil, atRow(i, label, ErrScore)
		}
		c.Count[t][slices.Index(c.Names, predicted[k])]++
	}
	return c, nil
}

// trueClass returns the number of the class that row i has, of so many.
func trueClass(truth *svmkit.Dataset, i, classes int) (int, error) {
	t, ok := svmkit.ClassOf(truth.Y[i], classes)
	if !ok {
		cause := svmkit.ErrNoClass
		if classes <= 2 {
			cause = svmkit.ErrLabel
		}
		return 0, atRow(i, truth.Y[i], cause)
	}
	return t, nil
}

// Of returns the number of rows of class t.
func (c *Confusion) Of(t int) int {
	n := c.None[t]
	for _, v := range c.Count[t] {
		n += v
	}
	return n
}

// Total returns the number of rows.
func (c *Confusion) Total() int { return c.sum(c.Of) }

// right returns the number of rows whose class was predicted.
func (c *Confusion) right() int { return c.sum(func(t int) int { return c.Count[t][t] }) }

// sum returns the sum of a number over the classes.
func (c *Confusion) sum(number func(class int) int) (n int) {
	for t := range c.Count {
		n += number(t)
	}
	return n
}

// Accuracy returns the share of rows whose class was predicted.
func (c *Confusion) Accuracy() float64 { return float64(c.right()) / float64(c.Total()) }

// Recall returns the share of the rows of class t that were predicted as t. It is NaN if t has no
// rows. For the positive of two classes it is the true positive rate.
func (c *Confusion) Recall(t int) float64 { return float64(c.Count[t][t]) / float64(c.Of(t)) }

// Precision returns the share of the rows predicted as class p that are of class p. It is NaN if
// there are no such predictions.
func (c *Confusion) Precision(p int) float64 { return float64(c.Count[p][p]) / float64(c.predicted(p)) }

// predicted returns the number of rows predicted as class p.
func (c *Confusion) predicted(p int) int { return c.sum(func(t int) int { return c.Count[t][p] }) }

// F1 returns the harmonic mean of precision and recall of class t.
//
// It is 2r/(n + m) for n rows of the class, m predictions of it, and r rows that are both (C. J.
// van Rijsbergen, Information Retrieval, 1979, chapter 7).
func (c *Confusion) F1(t int) float64 {
	return 2 * float64(c.Count[t][t]) / float64(c.Of(t)+c.predicted(t))
}

// MacroF1 returns the mean F1 of the classes that have rows or predictions.
func (c *Confusion) MacroF1() float64 { return c.meanOf(c.F1) }

// BalancedAccuracy returns the mean recall of the classes that have rows.
func (c *Confusion) BalancedAccuracy() float64 { return c.meanOf(c.Recall) }

// meanOf returns the mean of a value over the classes for which it is not NaN.
func (c *Confusion) meanOf(value func(class int) float64) float64 {
	sum, classes := 0.0, 0
	for t := range c.Count {
		if v := value(t); !math.IsNaN(v) {
			sum += v
			classes++
		}
	}
	return sum / float64(classes)
}

// Interval returns the exact confidence interval of C. Clopper and E. Pearson (1934) for the
// probability of a correct answer.
//
// If right of rows answers were correct, independently and each with probability p, then low ≤ p ≤
// high with probability at least 1 − delta, for every p. The rows must come from one test set that
// had no part in training or choice. For folds of a cross-validation, copies, or rows of one
// person, the interval is too short. Ranges: 0 ≤ right ≤ rows, 1 ≤ rows, 0 < delta < 1.
func Interval(right, rows int, delta float64) (low, high float64, err error) {
	switch {
	case rows < 1:
		return 0, 0, wrong("rows", rows, "must be at least 1")
	case right < 0 || right > rows:
		return 0, 0, wrong("right", right, "must be at least 0 and at most rows")
	case !(delta > 0 && delta < 1):
		return 0, 0, wrong("delta", delta, "must lie between 0 and 1")
	}
	// The probability of k or more correct answers, as a function of p, is the distribution
	// function of Beta(k, rows − k + 1).
	k, wrong := float64(right), float64(rows-right)
	high = 1
	if right > 0 {
		low = mathext.InvRegIncBeta(k, wrong+1, delta/2)
	}
	if right < rows {
		high = mathext.InvRegIncBeta(k+1, wrong, 1-delta/2)
	}
	return low, high, nil
}
