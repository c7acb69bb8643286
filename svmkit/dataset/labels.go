package dataset

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset/internal/labels"
	"github.com/svmkit/course/svmkit/dataset/internal/word"
)

// Task selects the meaning of the labels of a file.
type Task int

const (
	Auto           Task = iota // decided by the rule of [Labels]
	Classification             // classes, even if they are many or fractions
	Regression                 // numbers, kept unchanged
)

// AutoClasses is the largest number of different integers that [Auto] treats as classes.
const AutoClasses = labels.AutoClasses

// Labels selects how the labels of a file become the Y and Classes of a [svmkit.Dataset].
//
// The zero value decides by all labels of the file:
//
//   - If some label is not a number, the labels are names of classes. If all labels are the same
//     name, as in a part of a file, the class +1 is "not " and that name, and it has no row.
//   - If all labels are integers, and there are two different ones, or 3 to [AutoClasses] that run
//     from 0 or 1 without a gap, they are classes.
//   - Otherwise they are targets of a regression: Classes is nil, and Y holds the numbers.
//
// For example, classes like 3, 5 and 8 need Task: Classification, and targets that are counts 0, 1,
// 2, … need Task: Regression. If all labels are equal numbers, as in a test file with dummy labels,
// Y holds them.
//
// Classes are ordered by value if they are numbers, and by their bytes if they are names. The
// second of two classes is +1: the larger number of −1 and +1, of 0 and 1, and of 1 and 2; and
// "spam" of "ham" and "spam". Numbers are named in their shortest form, "1" for "1.0" and "1000000"
// for "1e6".
//
// "+1" is "1", by LIBSVM's convention. Any other two spellings of one number in one file, like "1"
// and "1.0", are [ErrSpelling], unless you list the class in Classes or Positive. An integer of
// more than 15 digits is the name of a class, because float64 cannot tell it from its neighbours.
// Unless Task is Regression, the text of each number that is not in its shortest form is kept once.
type Labels struct {
	Task Task // kind of the labels; default Auto

	// Classes are the classes in the order that you want, at least two; default the classes of the
	// file. Numbers may have any form. The second of two classes is +1. Another label in the file
	// is an error, unless [IsRest] reports true for the classes.
	Classes []string

	// Positive is the class that becomes +1; default the last class. All others become −1. If they
	// are several, [IsRest] reports true for the result. Do not set both Positive and Classes.
	Positive string

	// AllowOther accepts unusable labels in test rows; by default they are errors. Y is +Inf for a
	// label that is not in Classes or, with Task: Regression, not a number; [Stream.OtherLabels]
	// returns these labels. Y is NaN for a missing label, and SkipMissing keeps its row. A set with
	// such labels is not valid, because they are not finite.
	AllowOther bool
}

// LikeTargets reports whether class names look like targets of a regression. They do if all are
// numbers, and there are more than [AutoClasses], or more than two with a fraction among them.
func LikeTargets(classes []string) bool {
	fraction := false
	for _, class := range classes {
		v, ok := word.Number([]byte(class))
		if !ok {
			return false
		}
		fraction = fraction || v != math.Trunc(v)
	}
	return len(classes) > AutoClasses || len(classes) > 2 && fraction
}

// ClassOrder returns the indices of class names in the order of [Labels]: numbers by value, names
// by their bytes.
func ClassOrder(names []string) []int { return labels.Order(names) }

// labelName is the default name of the label's column.
const labelName = "label"

// IsRest reports whether the first of two classes is "everything except the second", as in "not
// ham" and "ham". Positive of [Labels] makes such classes from three or more.
func IsRest(classes []string) bool { return labels.IsRest(classes) }

func (l Labels) validate() error {
	switch {
	case l.Task < Auto || l.Task > Regression:
		return &svmkit.ParamError{Name: "Task", Value: int(l.Task), Need: "must be one of the constants"}
	case l.Task == Regression && (l.Classes != nil || l.Positive != ""):
		return &svmkit.ParamError{Name: "Task", Value: "Regression",
			Need: "must go without Classes and Positive"}
	case l.Classes != nil && l.Positive != "":
		return &svmkit.ParamError{Name: "Positive", Value: l.Positive, Need: "excludes Classes",
			Hint: "of two Classes the second is +1"}
	case l.AllowOther && l.Classes == nil && l.Task != Regression:
		return &svmkit.ParamError{Name: "AllowOther", Value: true,
			Need: "must go with Classes or Task: Regression"}
	case l.Classes != nil && len(l.Classes) < 2:
		return &svmkit.ParamError{Name: "Classes", Value: l.Classes, Need: "must be at least two"}
	}
	seen := map[string]bool{}
	for _, c := range l.Classes {
		if c == "" || seen[word.Canonical(c)] {
			return &svmkit.ParamError{Name: "Classes", Value: l.Classes,
				Need: "must be different, and not empty"}
		}
		seen[word.Canonical(c)] = true
	}
	return nil
}

func (l Labels) coder() *labels.Coder {
	return labels.New(labels.Rule{Auto: l.Task == Auto, Regression: l.Task == Regression, Classes: l.Classes,
		Positive: l.Positive, AllowOther: l.AllowOther})
}
