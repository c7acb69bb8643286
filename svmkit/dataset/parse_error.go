package dataset

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/svmkit/course/svmkit"
)

// Causes that a [*ParseError] or a [*FieldError] can wrap; test with errors.Is. The other causes are
// svmkit.ErrEmpty, ErrNoColumns, ErrNotFinite, ErrRagged, ErrNoClass, ErrOneClass, special cases of all
// these, and the error of the reader underneath.
var (
	ErrNotNumber = errors.New("not a number")
	ErrMissing   = &svmkit.Cause{
		Problem: "missing value",
		Hint:    "fill it in, or leave out such rows by the option SkipMissing",
	}
	ErrLabel = &svmkit.Cause{
		Problem: "label is neither +1 nor -1 nor 0",
		Hint:    "name the classes in the options",
	}
	ErrFormat = errors.New("malformed text") // special cases have texts of their own
)

// Special cases of [ErrNotNumber].
var (
	ErrText = &svmkit.Cause{ // a feature of a CSV file
		Problem: "not a number",
		Hint: "mend it, leave the column out by the option Drop, " +
			"or make it categories (package pipeline)",
		Of: ErrNotNumber,
	}
	ErrDecimalComma = &svmkit.Cause{
		Problem: "not a number",
		Hint:    "it has a comma: write 1.5 for 1,5 and 1000 for 1,000",
		Of:      ErrNotNumber,
	}
	ErrSeveralLabels = &svmkit.Cause{
		Problem: "several labels in one row are not supported",
		Of:      ErrNotNumber,
	}
)

// Special cases of [ErrMissing].
var (
	ErrNoLabel = &svmkit.Cause{
		Problem: "missing label",
		Hint:    "fill it in, or leave out the row",
		Of:      ErrMissing,
	}
	ErrLineWithoutLabel = &svmkit.Cause{ // in a LIBSVM file
		Problem: "the line starts without a label",
		Hint:    "put one in front of the first pair",
		Of:      ErrMissing,
	}
)

// Special cases of [ErrLabel], and of svmkit.ErrOneClass.
var (
	ErrSpelling = &svmkit.Cause{
		Problem: "labels that are equal as numbers and spelled in two ways",
		Hint:    "spell them alike, or name the Classes",
		Of:      ErrLabel,
	}
	ErrLabelMixed = &svmkit.Cause{
		Problem: "labels -1 and 0 in one stream",
		Hint:    "name the classes in the options",
		Of:      ErrLabel,
	}
	ErrOnlyClass = &svmkit.Cause{
		Problem: "only one class",
		Hint:    "name the Classes, or say Task: Regression",
		Of:      svmkit.ErrOneClass,
	}
)

// Special cases of [ErrFormat] in the first line of a CSV file, and in the options about its columns.
var (
	ErrHeader = &svmkit.Cause{
		Problem: "cannot tell whether the first line is a header",
		Hint:    "say so by the option Header",
		Of:      ErrFormat,
	}
	ErrNoColumn       = &svmkit.Cause{Problem: "no such column", Of: ErrFormat}
	ErrNoDefaultLabel = &svmkit.Cause{ // the special cases name the column
		Problem: "there is no column of DefaultLabel's name",
		Hint:    "name the label's column by the option Label",
		Of:      ErrNoColumn,
	}
	ErrTwice = &svmkit.Cause{
		Problem: "two columns have this name",
		Hint:    "give the number",
		Of:      ErrFormat,
	}
	ErrSameName = &svmkit.Cause{ // in a table, where every column has a name of its own
		Problem: "two columns have one name",
		Hint:    "rename one, or leave it out by the option Drop and its number",
		Of:      ErrFormat,
	}
	ErrDropped = &svmkit.Cause{
		Problem: "the label's column is left out by the option Drop",
		Of:      ErrFormat,
	}
	ErrNoName = &svmkit.Cause{
		Problem: "a column without a name",
		Hint:    "name it, or leave it out by the option Drop and its number",
		Of:      ErrFormat,
	}
	ErrSeparator = &svmkit.Cause{
		Problem: "no columns beside the label",
		Hint:    "is the separator right?", // the special cases name it
		Of:      svmkit.ErrNoColumns,
	}
)

// Special cases of [ErrFormat] in any text.
var (
	ErrControl  = &svmkit.Cause{Problem: "a control character in a name", Of: ErrFormat}
	ErrQuote    = &svmkit.Cause{Problem: "bad quotes", Of: ErrFormat}
	ErrTooLong  = &svmkit.Cause{Problem: "longer than 65536 bytes", Of: ErrFormat}
	ErrEncoding = &svmkit.Cause{
		Problem: "UTF-16 text",
		Hint:    "convert the file to UTF-8",
		Of:      ErrFormat,
	}
	ErrTooMany = &svmkit.Cause{
		Problem: "more than 4194304 fields in one line",
		Hint:    "is the separator right?",
		Of:      ErrFormat,
	}
)

// Special cases of [ErrFormat] in a LIBSVM file.
var (
	ErrPair   = &svmkit.Cause{Problem: "not of the form index:value", Of: ErrFormat}
	ErrOrder  = &svmkit.Cause{Problem: "column indices of a row must rise strictly", Of: ErrFormat}
	ErrReturn = &svmkit.Cause{Problem: "a carriage return inside a line", Of: ErrFormat}
	ErrColumn = &svmkit.Cause{Problem: "column index out of range", Of: ErrFormat}

	ErrIndexZero = &svmkit.Cause{
		Problem: "column index out of range: indices start at 1",
		Hint:    "if those of this file start at 0, set the option ZeroBased",
		Of:      ErrColumn,
	}
	ErrQueryID = &svmkit.Cause{
		Problem: "qid marks ranking data",
		Hint:    "skip it by the option SkipQID",
		Of:      ErrFormat,
	}
)

// caseOf returns a special case of c with the same hint. Its problem is that of c and the detail.
func caseOf(c *svmkit.Cause, detail string, args ...any) *svmkit.Cause {
	return &svmkit.Cause{Problem: c.Problem + fmt.Sprintf(detail, args...), Hint: c.Hint, Of: c}
}

// ParseError reports where a file cannot be read, and the cause.
type ParseError struct {
	Name   string // of the file, if known
	Line   int    // from 1; 0 if the error concerns no single line
	Column int    // byte in the line, from 1; 0 if the error concerns no single place
	Field  string // the name, or else the number from 1, of the column of data; "" if it concerns none
	Text   string // the offending text, shortened
	Err    error  // the cause
}

func (e *ParseError) Error() string {
	var b strings.Builder
	b.WriteString("svmkit: ")
	if e.Name != "" {
		b.WriteString(e.Name + ": ")
	}
	if e.Line > 0 {
		fmt.Fprintf(&b, "line %d", e.Line)
		if e.Column > 0 {
			fmt.Fprintf(&b, ", column %d", e.Column)
		}
		if e.Field != "" {
			fmt.Fprintf(&b, " (field %q)", e.Field)
		}
		b.WriteString(": ")
	}
	text := ""
	if e.Text != "" || e.Err == ErrMissing && e.Column > 0 {
		text = fmt.Sprintf(": %q", e.Text)
	}
	b.WriteString(svmkit.Describe(e.Err, text))
	return b.String()
}

// Unwrap returns the cause.
func (e *ParseError) Unwrap() error { return e.Err }

// shorten returns at most 40 bytes of text, cut between characters.
func shorten(text []byte) string {
	const most = 40
	if len(text) <= most {
		return string(text)
	}
	cut := most
	for cut > most-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return string(text[:cut]) + "…"
}
