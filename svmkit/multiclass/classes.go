package multiclass

import (
	"math"
	"slices"
	"strconv"

	"github.com/svmkit/course/svmkit"
)

// ErrClass means that a label is not a class number.
var ErrClass = &svmkit.Cause{
	Problem: "label is not the number of a class, 0 … K−1 (or ±1 for two)",
	Hint:    "for targets take a regression of package svm",
}

// Classifier is a model for K classes with one score per class. It is not a [svmkit.Scorer].
//
// Each type documents the meaning of its scores. The classifiers of this package are safe for
// concurrent use if the models inside are.
type Classifier interface {
	svmkit.Model
	svmkit.ClassScorer
}

// Classes describes the classes that a model distinguishes.
type Classes struct {
	Count int      // K ≥ 2
	Names []string // nil without names
	// Signed is whether Y holds −1 and +1 for the classes 0 and 1, and not the numbers.
	Signed bool
	// Order holds the classes in the order that decides ties: the first of equal classes wins; nil
	// means the order of their numbers. A model from a file of another program has the order of
	// that file.
	Order []int
}

// nth returns the class at place i of Order.
func (c Classes) nth(i int) int {
	if c.Order == nil {
		return i
	}
	return c.Order[i]
}

// Name returns the name of a class, or its label if the data has no names; "" if class is −1.
func (c Classes) Name(class int) string {
	if class == -1 {
		return ""
	}
	if c.Names != nil {
		return c.Names[class]
	}
	return strconv.FormatFloat(c.Label(class), 'g', -1, 64)
}

// ClassNames returns Names.
func (c Classes) ClassNames() []string { return c.Names }

// prediction returns the prediction of a class; no prediction for −1.
func (c Classes) prediction(class int) svmkit.Prediction {
	p := svmkit.ClassPrediction(class, c.Count, c.Names)
	p.Y = c.Label(class)
	return p
}

// Label returns the label of a class as Y holds it, or NaN if class is −1.
func (c Classes) Label(class int) float64 {
	if c.Count == 2 && !c.Signed && class >= 0 {
		return float64(class)
	}
	return svmkit.LabelOf(class, c.Count)
}

// readClasses validates set and returns its classes, the class of each row, and which
// classes have a row of a positive weight. At least two must.
func readClasses(set *svmkit.Dataset) (c Classes, class []int, present []bool, err error) {
	if err := set.Validate(); err != nil {
		return c, nil, nil, err
	}
	c = classesOf(set)
	class, present = make([]int, set.Len()), make([]bool, max(0, c.Count))
	for i, y := range set.Y {
		if c.Count == 2 && !c.Signed { // 0 and 1
			y = 2*y - 1
		}
		k, ok := svmkit.ClassOf(y, c.Count)
		if !ok {
			return c, nil, nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: set.Y[i], Err: ErrClass}
		}
		class[i] = k
		present[k] = present[k] || set.RowWeight(i) > 0
	}
	if first := slices.Index(present, true); first < 0 || !slices.Contains(present[first+1:], true) {
		return c, nil, nil, &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrOneClass}
	}
	return c, class, present, nil
}

func classesOf(set *svmkit.Dataset) Classes {
	if set.Classes != nil {
		return Classes{Count: len(set.Classes), Names: set.Classes, Signed: len(set.Classes) == 2}
	}
	signed, most := true, 0.0
	for _, y := range set.Y {
		signed = signed && (y == -1 || y == 1)
		most = max(most, y)
	}
	if signed {
		return Classes{Count: 2, Signed: true}
	}
	// K ≤ n: a label like 1e9 is a target of regression, not a reason to allocate.
	return Classes{Count: int(min(most, float64(set.Len()-1))) + 1}
}

// largest returns the class with the largest score, the first in Order if several are equal, and −1
// if one is NaN.
func (c Classes) largest(scores []float64) int {
	best := c.nth(0)
	for i := range scores {
		k := c.nth(i)
		if math.IsNaN(scores[k]) {
			return -1
		}
		if scores[k] > scores[best] {
			best = k
		}
	}
	return best
}
