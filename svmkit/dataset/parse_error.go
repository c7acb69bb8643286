package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset/internal/word"
	"github.com/svmkit/course/svmkit/internal/decimal"
)

// Causes that a [*ParseError] or a [*FieldError] can wrap; test with errors.Is. The other causes
// are svmkit.ErrEmpty, ErrNoColumns, ErrNotFinite, ErrRagged, ErrNoClass, ErrOneClass, special
// cases of all these, and the error of the reader underneath.
var (
	ErrNotNumber = errors.New("not a number")
	ErrMissing   = cause(nil, "missing value",
		"fill it in, or leave out such rows by the option SkipMissing")
	ErrLabel  = cause(nil, "label is neither +1 nor -1 nor 0", "name the classes in the options")
	ErrFormat = errors.New("malformed text") // special cases have texts of their own
)

// Special cases of [ErrNotNumber].
var (
	// ErrText is about a feature of a CSV file.
	ErrText = cause(ErrNotNumber, "not a number",
		"mend it, leave the column out by the option Drop, or make it categories (package pipeline)")
	ErrDecimalComma = cause(ErrNotNumber, "not a number",
		"it has a comma: write 1.5 for 1,5 and 1000 for 1,000")
	ErrSeveralLabels = cause(ErrNotNumber, "several labels in one row are not supported", "")
)

// Special cases of [ErrMissing].
var (
	ErrNoLabel = cause(ErrMissing, "missing label", "fill it in, or leave out the row")
	// ErrLineWithoutLabel is about a line of a LIBSVM file.
	ErrLineWithoutLabel = cause(ErrMissing, "the line starts without a label",
		"put one in front of the first pair, or set the option Unlabelled")
)

// Special cases of [ErrLabel], and of svmkit.ErrOneClass.
var (
	ErrSpelling = cause(ErrLabel, "labels that are equal as numbers and spelled in two ways",
		"spell them alike, or name the Classes")
	ErrLabelMixed = cause(ErrLabel, "labels -1 and 0 in one stream",
		"name the classes in the options")
	ErrOnlyClass = cause(svmkit.ErrOneClass, "only one class",
		"name the Classes, or say Task: Regression")
	// ErrOnlyName is about a class whose name is no number.
	ErrOnlyName = cause(ErrOnlyClass, "only one class", "add rows of another class, or name the Classes")
)

// Special cases of [ErrFormat] in the first line of a CSV file, and in the options about its
// columns.
var (
	ErrHeader = cause(ErrFormat, "cannot tell whether the first line is a header",
		"say so by the option Header")
	ErrNoColumn = cause(ErrFormat, "no such column", "")
	// ErrNoDefaultLabel has special cases that name the column.
	ErrNoDefaultLabel = cause(ErrNoColumn, "there is no column of DefaultLabel's name",
		"name the label's column by the option Label")
	// ErrSameName has special cases that name the columns.
	ErrSameName = cause(ErrFormat, "two columns have one name",
		"rename one, or leave it out by the option Drop and its number")
	ErrDropped = cause(ErrFormat, "the label's column is left out",
		"take it out of the option Drop")
	ErrNoName = cause(ErrFormat, "a column without a name",
		"name it, or leave it out by the option Drop and its number")
	// ErrSeparator has special cases that name the separator.
	ErrSeparator = cause(svmkit.ErrNoColumns, "no columns beside the label",
		"is the separator right?")
)

// Special cases of [ErrFormat] in any text.
var (
	ErrControl  = cause(ErrFormat, "a control character in a name", "")
	ErrQuote    = cause(ErrFormat, "bad quotes", "")
	ErrTooLong  = cause(ErrFormat, "longer than 65536 bytes", "")
	ErrEncoding = cause(ErrFormat, "UTF-16 text", "convert the file to UTF-8")
	// ErrForeign has special cases that name the format: an archive, a table of another program.
	// ErrLIBSVM is about a table.
	ErrLIBSVM  = cause(ErrFormat, "a LIBSVM file, and a table is needed", "read it by ReadLIBSVM")
	ErrForeign = cause(ErrFormat, "neither CSV nor LIBSVM text", "convert the file")
	ErrTooMany = cause(ErrFormat, "more than 4194304 fields in one line", "is the separator right?")
)

// Special cases of [ErrFormat] in a LIBSVM file.
var (
	ErrPair   = cause(ErrFormat, "not of the form index:value", "")
	ErrOrder  = cause(ErrFormat, "column indices of a row must rise strictly", "")
	ErrReturn = cause(ErrFormat, "a carriage return inside a line", "")
	ErrColumn = cause(ErrFormat, "column index out of range", "")

	ErrIndexZero = cause(ErrColumn, "column index out of range: indices start at 1",
		"if those of this file start at 0, set the option ZeroBased")
	ErrQueryID = cause(ErrFormat, "qid marks ranking data", "skip it by the option SkipQID")

	// ErrBase is about a comment that scikit-learn's dump_svmlight_file writes.
	ErrBase      = cause(ErrFormat, "the file says at which number its column indices start", "")
	ErrZeroBased = cause(ErrBase, "the file says that its column indices start at 0",
		"set the option ZeroBased")
	ErrOneBased = cause(ErrBase, "the file says that its column indices start at 1",
		"leave out the option ZeroBased")

	// ErrLabelWeight is about a line that can only start with label:weight, as XGBoost's lines can.
	ErrLabelWeight = cause(ErrFormat, "label:weight of XGBoost is not read",
		"write the labels alone, and take the weights as Dataset.Weight")
	ErrLabelled = cause(ErrFormat, "the line starts with a label", "leave out the option Unlabelled")
)

// cause returns a special case of a general cause.
func cause(of error, problem, hint string) *svmkit.Cause {
	return &svmkit.Cause{Problem: problem, Hint: hint, Of: of}
}

// caseOf returns a special case of c with the same hint. Its problem is the problem of c, then the
// detail.
func caseOf(c *svmkit.Cause, detail string, args ...any) *svmkit.Cause {
	return &svmkit.Cause{Problem: c.Problem + fmt.Sprintf(detail, args...), Hint: c.Hint, Of: c}
}

// ParseError reports where a file cannot be read, and the cause.
type ParseError struct {
	Name   string // of the file, if known
	Line   int    // from 1; 0 if the error concerns no single line
	Column int    // byte in the line, from 1; 0 if the error concerns no single place
	Field  string // the name, or else the number as in the file, of the column of data; "" if it concerns none
	Text   string // the offending text, shortened
	Err    error  // the cause

	// Fields are all columns with the same fault in a CSV file, Field among them, as the option Drop
	// takes them: by name, and by number from 1 if the names are the fault. It is nil if the reader
	// did not look for others, as a [Stream] does not.
	Fields []string
}

func (e *ParseError) Error() string {
	var b strings.Builder
	b.WriteString("svmkit: ")
	if e.Name != "" {
		b.WriteString(e.Name + ": ")
	}
	if e.Line > 0 {
		fmt.Fprintf(&b, "line %d", e.Line)
		if e.Field != "" {
			fmt.Fprintf(&b, ", column %q", e.Field)
		} else if e.Column > 0 {
			fmt.Fprintf(&b, ", byte %d", e.Column)
		}
		b.WriteString(": ")
	}
	text := ""
	if e.Text != "" {
		text = fmt.Sprintf(": %q", e.Text)
	}
	if others := len(e.Fields) - 1; others > 0 && e.Field != "" {
		text += "; the same in " + firstOf(slices.DeleteFunc(slices.Clone(e.Fields), func(name string) bool { return name == e.Field }))
	}
	b.WriteString(svmkit.Describe(e.Err, text))
	return b.String()
}

// Unwrap returns the cause.
func (e *ParseError) Unwrap() error { return e.Err }

// numberError returns the reason why text is not a finite number.
func numberError(text []byte) error {
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
