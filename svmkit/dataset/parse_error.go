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
	ErrNotNumber  = errors.New("not a number")
	ErrMissing    = errors.New("missing value")
	ErrHeader     = errors.New("cannot tell whether the first line is a header: say so in the options")
	ErrNoColumn   = errors.New("no such column")
	ErrQuote      = errors.New("bad quotes")
	ErrTooLong    = errors.New("longer than 65536 bytes")
	ErrEncoding   = errors.New("UTF-16 text: convert the file to UTF-8")
	ErrPair       = errors.New("not of the form index:value")
	ErrOrder      = errors.New("column indices of a row must rise strictly")
	ErrColumn     = errors.New("column index out of range")
	ErrReturn     = errors.New("a carriage return inside a line")
	ErrQueryID    = errors.New("qid marks ranking data: skip it by the option SkipQID")
	ErrLabel      = errors.New("label is neither +1 nor -1 nor 0: name the classes in the options")
	ErrLabelMixed = errors.New("labels -1 and 0 in one stream: name the classes in the options")
)

// ParseError says where a file cannot be read, and why.
type ParseError struct {
	Name   string // of the file, if known
	Line   int    // from 1; 0 if the error concerns no single line
	Column int    // byte in the line, from 1; 0 if the error concerns no single place
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
		b.WriteString(": ")
	}
	b.WriteString(e.Err.Error())
	if e.Text != "" {
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
