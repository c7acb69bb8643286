package dataset

import (
	"math"
	"strconv"

	"github.com/svmkit/course/svmkit"
)

// Task says what the labels of a file are.
type Task int

const (
	Auto           Task = iota // by the rule of Labels
	Classification             // classes, even if they are many or fractions
	Regression                 // numbers, kept as they are
)

// AutoClasses is the largest number of different integers that [Auto] takes for classes.
const AutoClasses = 32

// Labels says how the labels of a file become Y and Classes of a [svmkit.Dataset]. The zero
// value decides by all labels of the file:
//
//   - if some label is not a number, the labels are names of classes; if all are one name, as in a part of
//     a file, the class +1 is "not-" and that name, and has no row;
//   - if all are integers, and 2 to [AutoClasses] different ones, they are classes;
//   - otherwise they are targets of regression: Classes is nil, Y holds the numbers.
//
// So integer targets, like counts, need Task: Regression, and a file in which all labels are
// equal, like a test file with dummy labels, keeps its numbers.
//
// Classes are ordered: numbers by value, names alphabetically (by bytes). With two, the
// second is +1: of −1 and +1, 0 and 1, or 1 and 2 it is the larger number, of "ham" and
// "spam" it is "spam". Numbers are named in their shortest form: "+1" and "1.0" are "1".
type Labels struct {
	Task Task
	// Classes, if set, are the classes in the order wanted, at least two; numbers in any
	// form. Of two, the second is +1. Any other label in the file is an error.
	Classes []string
	// Positive, if set, is the class that becomes +1; all others together become −1. It
	// excludes Classes.
	Positive string
}

// canonical returns the shortest form of a number; other text as it is.
func canonical(text string) string {
	if v, ok := parseNumber([]byte(text)); ok && !math.IsInf(v, 0) {
		return formatNumber(v)
	}
	return text
}

func formatNumber(v float64) string { return strconv.FormatFloat(v+0, 'g', -1, 64) } // −0 + 0 is +0

func (l Labels) validate() error {
	switch {
	case l.Task < Auto || l.Task > Regression:
		return &svmkit.ParamError{Name: "Task", Value: int(l.Task), Need: "must be one of the constants"}
	case l.Task == Regression && (l.Classes != nil || l.Positive != ""):
		return &svmkit.ParamError{Name: "Task", Value: "Regression", Need: "has no Classes and no Positive"}
	case l.Classes != nil && l.Positive != "":
		return &svmkit.ParamError{Name: "Positive", Value: l.Positive, Need: "excludes Classes: of two Classes the second is +1"}
	case l.Classes != nil && len(l.Classes) < 2:
		return &svmkit.ParamError{Name: "Classes", Value: l.Classes, Need: "must be at least two"}
	}
	seen := map[string]bool{}
	for _, c := range l.Classes {
		if c == "" || seen[canonical(c)] {
			return &svmkit.ParamError{Name: "Classes", Value: l.Classes, Need: "must be different, and not empty"}
		}
		seen[canonical(c)] = true
	}
	return nil
}

// classLabel returns Y of class k of K: ∓1 of two, else k.
func classLabel(k, classes int) float64 {
	if classes == 2 {
		return float64(2*k - 1)
	}
	return float64(k)
}
