package labels

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset/internal/word"
	"github.com/svmkit/course/svmkit/internal/decimal"
)

// Causes of package dataset.
var (
	ErrNotNumber    = errors.New("not a number")
	ErrDecimalComma = Cause(ErrNotNumber, "not a number",
		"write 1.5 for 1,5 and 1000 for 1,000")
	errTarget  = Cause(ErrNotNumber, "the target of a regression is not a number", "")
	ErrMissing = Cause(nil, "missing value",
		"fill it in, or leave out such rows by the option SkipMissing")
	ErrNoLabel = Cause(ErrMissing, "missing label", "fill it in, or leave out the row")

	ErrFormat  = errors.New("malformed text")
	ErrControl = Cause(ErrFormat, "a control character in a name", "")

	ErrLabel    = Cause(nil, "label is neither +1 nor -1 nor 0", "name the classes in the options")
	ErrSpelling = Cause(ErrLabel, "labels that are equal as numbers and spelled in two ways",
		"spell them alike, or name the Classes")
	ErrLabelMixed = Cause(ErrLabel, "labels -1 and 0 in one stream",
		"name the classes in the options")
	ErrOnlyClass = Cause(svmkit.ErrOneClass, "only one class",
		"name the Classes, or say Task: Regression")
	ErrOnlyName = Cause(ErrOnlyClass, "only one class",
		"add rows of another class, or name the Classes")
)

// Cause returns a special case of a general cause.
func Cause(of error, problem, hint string) *svmkit.Cause {
	return &svmkit.Cause{Problem: problem, Hint: hint, Of: of}
}

// CaseOf returns a special case of c with the same hint. Its problem is the problem of c, then the
// detail.
func CaseOf(c *svmkit.Cause, detail string, args ...any) *svmkit.Cause {
	return &svmkit.Cause{Problem: c.Problem + fmt.Sprintf(detail, args...), Hint: c.Hint, Of: c}
}

// NumberError returns the reason why text is not a finite number.
func NumberError(text []byte) error {
	if word.Missing(text) {
		return ErrMissing
	}
	if v, ok := decimal.Parse(text); ok && math.IsInf(v, 0) {
		return fmt.Errorf("%w (beyond 1.8e308)", svmkit.ErrNotFinite)
	}
	if word.NotFinite(text) {
		return svmkit.ErrNotFinite
	}
	point := bytes.Replace(text, []byte(","), []byte("."), 1)
	if v, ok := decimal.Parse(point); ok && !math.IsInf(v, 0) {
		return ErrDecimalComma
	}
	return ErrNotNumber
}
