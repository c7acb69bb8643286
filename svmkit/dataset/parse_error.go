package dataset

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Causes that a [*ParseError] can wrap; test with errors.Is. The other causes are
// svmkit.ErrEmpty, ErrNoColumns, ErrNotFinite, ErrRagged, ErrNoClass, ErrOneClass, and
// what the reader underneath returned.
var (
	ErrNotNumber = errors.New("not a number")
	ErrMissing   = errors.New("missing value: fill it in, or leave out such rows by the option SkipMissing")
	ErrLabel     = errors.New("label is neither +1 nor -1 nor 0: name the classes in the options")
	ErrFormat    = errors.New("malformed text") // the error's own text says how
)

var (
	errHeader     = &cause{"cannot tell whether the first line is a header: say so by the option Header", ErrFormat}
	errNoColumn   = &cause{"no such column", ErrFormat}
	errTwice      = &cause{"two columns have this name: give the number", ErrFormat}
	errDropped    = &cause{"the label's column is left out by the option Drop", ErrFormat}
	errNoName     = &cause{"a column without a name: name it, or leave it out by the option Drop and its number", ErrFormat}
	errNoLabel    = &cause{"missing label: fill it in, or leave out the row", ErrMissing}
	errControl    = &cause{"a control character in a name", ErrFormat}
	errTooMany    = &cause{"more than 4194304 fields in one line: is the separator right?", ErrFormat}
	errSpelling   = &cause{"labels that are equal as numbers and spelled in two ways: spell them alike, or name the Classes", ErrLabel}
	errText       = &cause{"not a number: mend it, leave the column out by the option Drop, or make it categories (package pipeline)", ErrNotNumber}
	errQuote      = &cause{"bad quotes", ErrFormat}
	errTooLong    = &cause{"longer than 65536 bytes", ErrFormat}
	errEncoding   = &cause{"UTF-16 text: convert the file to UTF-8", ErrFormat}
	errPair       = &cause{"not of the form index:value", ErrFormat}
	errOrder      = &cause{"column indices of a row must rise strictly", ErrFormat}
	errColumn     = &cause{"column index out of range", ErrFormat}
	errReturn     = &cause{"a carriage return inside a line", ErrFormat}
	errQueryID    = &cause{"qid marks ranking data: skip it by the option SkipQID", ErrFormat}
	errLabelMixed = &cause{"labels -1 and 0 in one stream: name the classes in the options", ErrLabel}
)

// cause is a special case of an exported cause.
type cause struct {
	text    string
	general error
}

func (c *cause) Error() string { return c.text }
func (c *cause) Unwrap() error { return c.general }

// ParseError says where a file cannot be read, and why.
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
	b.WriteString(e.Err.Error())
	if e.Text != "" || e.Err == ErrMissing && e.Column > 0 {
		fmt.Fprintf(&b, ": %q", e.Text)
	}
	return b.String()
}

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
