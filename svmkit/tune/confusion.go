package tune

import (
	"errors"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
)

// ErrScore says that a prediction cannot be measured: it is NaN, or none of the labels that the
// classes have.
var ErrScore = errors.New("no prediction: it is NaN or the label of no class")

// Confusion counts the rows of each class by the class that was predicted for them.
type Confusion struct {
	Names []string // of the K classes; "-1", "1" if the data has none
	Count [][]int  // K×K: Count[t][p] rows of class t were predicted as class p
	None  []int    // K: rows of class t with no prediction (binary, score exactly zero)
}

// Confuse counts the labels that were predicted for the rows of truth.
//
// The labels are the Y of each [svmkit.Prediction], where 0 is no class if there are two classes.
// Classes are compared by name. Names has the classes of truth first, then others of the
// predictions. Without class names every label must be −1 or +1, because the classes of a fold of a
// set with the labels 0, 1, 2 cannot be told from its labels.
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
func (c *Confusion) Total() int {
	n := 0
	for t := range c.Count {
		n += c.Of(t)
	}
	return n
}

// right returns the number of rows whose class was predicted.
func (c *Confusion) right() int {
	n := 0
	for t := range c.Count {
		n += c.Count[t][t]
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
func (c *Confusion) predicted(p int) int {
	n := 0
	for t := range c.Count {
		n += c.Count[t][p]
	}
	return n
}

// F1 returns the harmonic mean of precision and recall of class t, as 2r/(n + m) of its n rows, m
// predictions and r rows that are both (C. J. van Rijsbergen, Information Retrieval, 1979, chapter
// 7): 0 if none is both, NaN if n + m = 0.
func (c *Confusion) F1(t int) float64 {
	return 2 * float64(c.Count[t][t]) / float64(c.Of(t)+c.predicted(t))
}

// MacroF1 returns the mean F1 of the classes that have rows or predictions.
func (c *Confusion) MacroF1() float64 {
	sum, classes := 0.0, 0
	for t := range c.Count {
		if f := c.F1(t); !math.IsNaN(f) {
			sum += f
			classes++
		}
	}
	return sum / float64(classes)
}

// BalancedAccuracy returns the mean recall of the classes that have rows.
func (c *Confusion) BalancedAccuracy() float64 {
	sum, classes := 0.0, 0
	for t := range c.Count {
		if c.Of(t) > 0 {
			sum += c.Recall(t)
			classes++
		}
	}
	return sum / float64(classes)
}
