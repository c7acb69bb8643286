package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset/internal/labels"
	"github.com/svmkit/course/svmkit/internal/known"
)

// Causes that a [*ParseError] or a [*FieldError] can wrap; test with errors.Is. The other causes
// are svmkit.ErrEmpty, ErrNoColumns, ErrNotFinite, ErrRagged, ErrNoClass, ErrOneClass, special
// cases of all these, and the error of the reader underneath.
var (
	ErrNotNumber = labels.ErrNotNumber
	ErrMissing   = labels.ErrMissing
	ErrLabel     = labels.ErrLabel
	ErrFormat    = labels.ErrFormat // special cases have their own texts
)

// Special cases of [ErrNotNumber].
var (
	// ErrText is about a feature of a CSV file.
	ErrText = labels.Cause(ErrNotNumber, "not a number",
		"correct it, leave the column out by the option Drop, or make it categories (package pipeline)")
	ErrDecimalComma  = labels.ErrDecimalComma
	ErrSeveralLabels = labels.Cause(ErrNotNumber, "several labels in one row are not supported", "")
)

// Special cases of [ErrMissing].
var (
	ErrNoLabel = labels.ErrNoLabel
	// ErrLineWithoutLabel is about a line of a LIBSVM file.
	ErrLineWithoutLabel = labels.Cause(ErrMissing, "the line starts without a label",
		"put one in front of the first pair, or set the option Unlabelled")
)

// Special cases of [ErrLabel], and of svmkit.ErrOneClass.
var (
	ErrSpelling   = labels.ErrSpelling
	ErrLabelMixed = labels.ErrLabelMixed
	ErrOnlyClass  = labels.ErrOnlyClass
	ErrOnlyName   = labels.ErrOnlyName // about a class whose name is not a number
)

// Special cases of [ErrFormat] in the first line of a CSV file, and in the options about its
// columns.
var (
	ErrHeader = labels.Cause(ErrFormat, "cannot tell whether the first line is a header",
		"say so by the option Header")
	ErrNoColumn = labels.Cause(ErrFormat, "no such column", "")
	// ErrNoDefaultLabel has special cases that name the column.
	ErrNoDefaultLabel = labels.Cause(ErrNoColumn, "there is no column of DefaultLabel's name",
		"name the label's column by the option Label")
	// ErrSameName has special cases that name the columns.
	ErrSameName = labels.Cause(ErrFormat, "two columns have one name",
		"rename one, or leave it out by the option Drop and its number")
	ErrDropped = labels.Cause(ErrFormat, "the label's column is left out",
		"take it out of the option Drop")
	ErrNoName = labels.Cause(ErrFormat, "a column without a name",
		"name it, or leave it out by the option Drop and its number")
	// ErrSeparator has special cases that name the separator.
	ErrSeparator = labels.Cause(svmkit.ErrNoColumns, "no columns beside the label",
		"is the separator right?")
)

// Special cases of [ErrFormat] in any text.
var (
	ErrControl  = labels.ErrControl
	ErrQuote    = labels.Cause(ErrFormat, "bad quotes", "")
	ErrTooLong  = labels.Cause(ErrFormat, "longer than 65536 bytes", "")
	ErrEncoding = labels.Cause(ErrFormat, "UTF-16 text", "convert the file to UTF-8")
	// ErrForeign has special cases that name the format: an archive, a table of another program.
	ErrForeign = labels.Cause(ErrFormat, "neither CSV nor LIBSVM text", "convert the file")
	// ErrLIBSVM is about a LIBSVM file in the place of a table.
	ErrLIBSVM  = labels.Cause(ErrFormat, "a LIBSVM file, and a table is needed", "read it by ReadLIBSVM")
	ErrTooMany = labels.Cause(ErrFormat, "more than 4194304 fields in one line", "is the separator right?")
)

// Special cases of [ErrFormat] in a LIBSVM file.
var (
	ErrPair   = labels.Cause(ErrFormat, "not of the form index:value", "")
	ErrOrder  = labels.Cause(ErrFormat, "column indices of a row must rise strictly", "")
	ErrReturn = labels.Cause(ErrFormat, "a carriage return inside a line", "")
	ErrColumn = labels.Cause(ErrFormat, "column index out of range", "")

	ErrIndexZero = labels.Cause(ErrColumn, "column index out of range, as indices start at 1",
		"if those of this file start at 0, set the option ZeroBased")
	ErrQueryID = labels.Cause(ErrFormat, "qid marks ranking data", "skip it by the option SkipQID")

	// ErrBase is about a comment that scikit-learn's dump_svmlight_file writes.
	ErrBase      = labels.Cause(ErrFormat, "the file says at which number its column indices start", "")
	ErrZeroBased = labels.Cause(ErrBase, "the file says that its column indices start at 0",
		"set the option ZeroBased")
	ErrOneBased = labels.Cause(ErrBase, "the file says that its column indices start at 1",
		"leave out the option ZeroBased")

	// ErrLabelWeight is about a line that can only start with label:weight, as XGBoost's lines can.
	ErrLabelWeight = labels.Cause(ErrFormat, "label:weight of XGBoost is not read",
		"write the labels alone, and take the weights as Dataset.Weight")
	ErrLabelled = labels.Cause(ErrFormat, "the line starts with a label", "leave out the option Unlabelled")
)

// ParseError reports where a file cannot be read, and the cause.
type ParseError struct {
	Name   string // name of the file, if known
	Line   int    // line number from 1; 0 if the error is not about a single line
	Column int    // byte in the line, from 1; 0 if the error is not about a single place
	// Field is the name of the data column, or its number in the file; "" if the error has no
	// column.
	Field string
	Text  string // the offending text, shortened
	Err   error  // the cause

	// Fields lists all columns of a CSV file with the same fault, including Field, as the option
	// Drop takes them: by name, or by number from 1 if the names are at fault. It is nil if the
	// reader did not look for others, as in a [Stream].
	Fields []string
	// Columns holds, for [ErrText] and [ErrMissing], the first text or else the first missing value
	// of each column that has one. Row is svmkit.NoPlace if the column has no value.
	Columns []*FieldError
}

// Error returns the message.
func (e *ParseError) Error() string {
	var b strings.Builder
	b.WriteString("svmkit: ")
	switch {
	case e.Name != "" && e.Line > 0:
		b.WriteString(e.Name + ", ")
	case e.Name != "":
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
		also := slices.DeleteFunc(slices.Clone(e.Fields), func(name string) bool { return name == e.Field })
		text += "; the same in " + known.Names(also)
	}
	b.WriteString(svmkit.Describe(e.Err, text))
	return b.String()
}

// Unwrap returns the cause.
func (e *ParseError) Unwrap() error { return e.Err }
