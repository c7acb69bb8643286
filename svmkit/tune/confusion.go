package tune

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/svmkit/course/svmkit"
)

// ErrScore says that a prediction cannot be measured.
var ErrScore = errors.New("no prediction: it is NaN or the label of no class")

// Confusion counts the rows of each class by the class that was predicted for them.
type Confusion struct {
	Names []string // of the K classes; "-1", "1" if the data has none
	Count [][]int  // K×K: Count[t][p] rows of class t were predicted as class p
	None  []int    // K: rows of class t with no prediction (binary, score exactly zero)
}

// Confuse counts the labels that were predicted for the rows of truth.
//
// A label of 0 is no class if there are two classes. Classes are compared by name; Names has those of
// truth first, then others of the predictions. Without class names every label must be −1 or +1,
// because the classes of a fold of a set with the labels 0, 1, 2 cannot be told from its labels.
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
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: label, Err: ErrScore}
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
		return 0, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: truth.Y[i], Err: cause}
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

// Accuracy returns the part of the rows whose class was predicted.
func (c *Confusion) Accuracy() float64 { return float64(c.right()) / float64(c.Total()) }

// Recall returns the part of class t's rows that was predicted as t, NaN if it has none. For the
// positive of two classes this is the true positive rate.
func (c *Confusion) Recall(t int) float64 { return float64(c.Count[t][t]) / float64(c.Of(t)) }

// Precision returns the part of the rows predicted as class p that are of class p, NaN if there
// are none.
func (c *Confusion) Precision(p int) float64 { return float64(c.Count[p][p]) / float64(c.predicted(p)) }

// predicted returns the number of rows predicted as class p.
func (c *Confusion) predicted(p int) int { return c.sum(func(t int) int { return c.Count[t][p] }) }

// F1 returns the harmonic mean of precision and recall of class t, 2r/(n + m) of its n rows, m
// predictions and r that are both (C. J. van Rijsbergen, Information Retrieval, 1979, chapter 7).
func (c *Confusion) F1(t int) float64 {
	return 2 * float64(c.Count[t][t]) / float64(c.Of(t)+c.predicted(t))
}

// MacroF1 returns the mean F1 of the classes that have rows or predictions.
func (c *Confusion) MacroF1() float64 { return c.meanOf(c.F1) }

// BalancedAccuracy returns the mean recall of the classes that have rows.
func (c *Confusion) BalancedAccuracy() float64 { return c.meanOf(c.Recall) }

// meanOf returns the mean of a value over the classes where it is not NaN.
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

// Interval returns the exact confidence interval of C. Clopper and E. Pearson (1934) for the probability of a right answer.
//
// If right of rows answers were right, independently and each with probability p, then low ≤ p ≤
// high with probability at least 1 − delta, whatever p is. The rows must be those of one test set
// that had no part in training or choice; for folds of a cross-validation, copies, or rows of one
// person the interval is too short.
//
// 0 ≤ right ≤ rows, 1 ≤ rows, 0 < delta < 1.
func Interval(right, rows int, delta float64) (low, high float64, err error) {
	switch {
	case rows < 1:
		return 0, 0, &svmkit.ParamError{Name: "rows", Value: rows, Need: "must be at least 1"}
	case right < 0 || right > rows:
		return 0, 0, &svmkit.ParamError{Name: "right", Value: right, Need: "must be at least 0 and at most rows"}
	case !(delta > 0 && delta < 1):
		return 0, 0, &svmkit.ParamError{Name: "delta", Value: delta, Need: "must lie between 0 and 1"}
	}
	// The probability of k or more right answers, as a function of p, is the distribution function of Beta(k, rows − k + 1).
	k, wrong := float64(right), float64(rows-right)
	high = 1
	if right > 0 {
		low = distuv.Beta{Alpha: k, Beta: wrong + 1}.Quantile(delta / 2)
	}
	if right < rows {
		high = distuv.Beta{Alpha: k + 1, Beta: wrong}.Quantile(1 - delta/2)
	}
	return low, high, nil
}
