package dataset

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/decimal"
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
//   - if all are integers, and two different ones, or 3 to [AutoClasses] that run from 0 or 1 without a
//     gap, they are classes;
//   - otherwise they are targets of regression: Classes is nil, Y holds the numbers.
//
// So classes like 3, 5 and 8 need Task: Classification, and counts 0, 1, 2, … as targets Task: Regression.
// A file in which all labels are equal, like a test file with dummy labels, keeps its numbers.
//
// Classes are ordered: numbers by value, names alphabetically (by bytes). With two, the
// second is +1: of −1 and +1, 0 and 1, or 1 and 2 it is the larger number, of "ham" and
// "spam" it is "spam". Numbers are named in their shortest form, "1" for "1.0" and "1000000" for "1e6".
//
// "+1" is "1", by LIBSVM's convention. Otherwise two spellings of one number in one file, like "1" and "1.0", are
// [ErrLabel], for they may be two classes; as Classes and Positive they are one. An integer of more than
// 15 digits is the name of a class, for float64 does not tell it from its neighbours. The texts of numbers that are
// not in their shortest form are kept to tell them apart, one of each, but not with Task: Regression.
type Labels struct {
	Task Task
	// Classes, if set, are the classes in the order wanted, at least two; numbers in any
	// form. Of two, the second is +1. Any other label in the file is an error, but for two that IsRest reports.
	Classes []string
	// Positive, if set, is the class that becomes +1; all others together become −1, the class that [IsRest]
	// describes if they are several. It excludes Classes.
	Positive string
	// AllowOther, for test rows, makes Y NaN where a label cannot be used: with Classes one that is none of
	// them, and with Task: Regression one that is no number. A missing label is NaN, too, unless
	// SkipMissing leaves its row out. Without AllowOther such a label is an error. The set is then
	// not valid, for its labels are not finite.
	AllowOther bool
}

// LikeTargets reports whether the names of classes look like targets of a regression: all are numbers,
// and they are more than [AutoClasses], or more than two with a fraction among them.
func LikeTargets(classes []string) bool {
	fraction := false
	for _, class := range classes {
		v, ok := labelNumber([]byte(class))
		if !ok {
			return false
		}
		fraction = fraction || v != math.Trunc(v)
	}
	return len(classes) > AutoClasses || len(classes) > 2 && fraction
}

// canonical returns the shortest form of a number; other text as it is.
func canonical(text string) string {
	if v, ok := labelNumber([]byte(text)); ok && !math.IsInf(v, 0) {
		return formatNumber(v)
	} else if longInteger([]byte(text)) {
		return strings.TrimPrefix(text, "+")
	}
	return text
}

func formatNumber(v float64) string { return string(appendNumber(nil, v+0)) } // −0 + 0 is +0

// appendNumber appends a label in its shortest form, and an integer of up to 15 digits without an exponent.
func appendNumber(to []byte, v float64) []byte {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.AppendFloat(to, v, 'f', -1, 64)
	}
	return strconv.AppendFloat(to, v, 'g', -1, 64)
}

var plus = []byte{'+'}

// shortest reports whether text is the shortest form of v, but for a plus sign.
func shortest(text []byte, v float64) bool {
	var buffer [32]byte
	return bytes.Equal(bytes.TrimPrefix(text, plus), appendNumber(buffer[:0], v+0))
}

// labelNumber returns the number that a label is. Integers of more than 15 digits may be several for one
// float64, so as labels of classes they are names.
func labelNumber(text []byte) (float64, bool) {
	v, ok := decimal.Parse(text)
	return v, ok && !longInteger(text)
}

func longInteger(text []byte) bool {
	if len(text) > 0 && (text[0] == '+' || text[0] == '-') {
		text = text[1:]
	}
	return len(text) > 15 && len(bytes.Trim(text, "0123456789")) == 0
}

// control reports whether text has a control character.
func control(text []byte) bool { return bytes.ContainsFunc(text, unicode.IsControl) }

// labelName is the name of the label's column.
const labelName = "label"

// restOf names all classes but one.
func restOf(class string) string { return "not " + class }

// IsRest reports whether the first of two classes stands for every label but the second, as "not ham" and "ham" do: what
// Labels.Positive makes of three or more.
func IsRest(classes []string) bool { return len(classes) == 2 && classes[0] == restOf(classes[1]) }

func (l Labels) validate() error {
	switch {
	case l.Task < Auto || l.Task > Regression:
		return &svmkit.ParamError{Name: "Task", Value: int(l.Task), Need: "must be one of the constants"}
	case l.Task == Regression && (l.Classes != nil || l.Positive != ""):
		return &svmkit.ParamError{Name: "Task", Value: "Regression", Need: "has no Classes and no Positive"}
	case l.Classes != nil && l.Positive != "":
		return &svmkit.ParamError{Name: "Positive", Value: l.Positive, Need: "excludes Classes", Hint: "of two Classes the second is +1"}
	case l.AllowOther && l.Classes == nil && l.Task != Regression:
		return &svmkit.ParamError{Name: "AllowOther", Value: true, Need: "goes with Classes or Task: Regression"}
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
