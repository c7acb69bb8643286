package dataset

import (
	"context"
	"io"

	"github.com/svmkit/course/svmkit/dataset/internal/labels"
	"github.com/svmkit/course/svmkit/dataset/internal/scan"
	"github.com/svmkit/course/svmkit/dataset/internal/word"
)

// source is the text of a file with its name, and the number of rows that were skipped because a
// value was missing.
type source struct {
	scan.Source
	name    string
	skipped int
}

type place = scan.Place

func newSource(ctx context.Context, r io.Reader, name string) *source {
	return &source{Source: *scan.New(ctx, r), name: name}
}

func (s *source) left() int { return s.skipped }

// failure returns the error that ended the stream, nil at its regular end.
func (s *source) failure() error { return s.explain(s.Failure()) }

// causes are the causes of the errors of package scan.
var causes = map[error]error{
	scan.ErrUTF16:      ErrEncoding,
	scan.ErrTooMany:    ErrTooMany,
	scan.ErrTooLong:    ErrTooLong,
	scan.ErrLongQuote:  labels.CaseOf(ErrTooLong, ", is the closing quote missing?"),
	scan.ErrOpenQuote:  labels.CaseOf(ErrQuote, ", no closing quote"),
	scan.ErrAfterQuote: labels.CaseOf(ErrQuote, ", text after the closing quote"),
}

// explain returns an error of package scan as a ParseError.
func (s *source) explain(err error) error {
	e, ok := err.(*scan.Error)
	if !ok {
		return err
	}
	if cause, known := causes[e.Err]; known {
		return s.errorAt(e.At, e.Text, cause)
	} else if _, foreign := e.Err.(*scan.Foreign); foreign {
		return s.errorAt(place{}, nil, causeOf(e.Err))
	}
	return s.errorAt(e.At, e.Text, e.Err)
}

// causeOf returns the cause for a format that is not read, and any other error unchanged.
func causeOf(err error) error {
	if f, ok := err.(*scan.Foreign); ok {
		return labels.Cause(ErrForeign, f.Format+", not CSV or LIBSVM text", f.Way)
	}
	return err
}

func (s *source) errorAt(p place, text []byte, err error) *ParseError {
	return &ParseError{Name: s.name, Line: p.Line, Column: p.Column, Text: word.Shorten(text), Err: err}
}
