package dataset

import (
	"io"
	"iter"
	"os"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset/internal/labels"
	"github.com/svmkit/course/svmkit/dataset/internal/rows"
)

// Stream reads a file row by row in constant memory, for online learning and files larger than
// memory. [Rows] and [Open] make a Stream.
//
//	for x, y := range stream.All() { … }
//	if err := stream.Err(); err != nil { … }
//
// A stream cannot know later labels. Without Classes, Positive or Task: Regression it therefore
// takes +1 for +1, and either −1 or 0 for −1. All other labels are [ErrLabel]. A Stream is not safe
// for concurrent use.
type Stream struct {
	parser parser
	coder  *labels.Coder
	err    error // the error that ended it; io.EOF at the end of the file
	line   int   // of the last row
	file   io.Closer
}

// parser reads one file format. next returns a row that is valid until the next call, its label,
// and the place of the label. After the last row it returns io.EOF.
type parser interface {
	next() (svmkit.Row, labels.Label, place, error)
	columns() (dim int, names []string)
	collect() (*rows.Store, error) // all rows that next would return
	left() int                     // how many rows were skipped
	errorAt(at place, text []byte, err error) *ParseError
}

// All yields the rows that have not been read yet, each with its label. The caller may keep the
// rows. It ends at the end of the file or at the first error, see [Stream.Err]. After a loop that
// was left early, another call of All continues with the next row.
func (s *Stream) All() iter.Seq2[svmkit.Row, float64] {
	return func(yield func(svmkit.Row, float64) bool) {
		for s.err == nil {
			x, l, at, err := s.parser.next()
			var y float64
			if err == nil {
				if y, err = s.coder.CodeNow(l); err != nil {
					err = s.parser.errorAt(at, []byte(s.coder.Text(l)), err)
				}
			}
			if err != nil {
				s.err = err
				return
			}
			s.line = at.Line
			if !yield(clone(x), y) {
				return
			}
		}
	}
}

func clone(x svmkit.Row) svmkit.Row {
	z := svmkit.Row{Value: append(make([]float64, 0, len(x.Value)), x.Value...)}
	if x.Index != nil || len(x.Value) == 0 {
		z.Index = append(make([]int32, 0, len(x.Index)), x.Index...)
	}
	return z
}

// Err returns the error that ended the stream, usually a [*ParseError]. It is nil if there are more
// rows or all were read.
func (s *Stream) Err() error {
	if s.err == io.EOF {
		return nil
	}
	return s.err
}

// Line returns the line number, from 1, on which the last row began.
func (s *Stream) Line() int { return s.line }

// Dim returns the number of columns. For CSV it is known after the first row. For LIBSVM it is the
// option Dim or the largest index so far.
func (s *Stream) Dim() int {
	if s.parser == nil {
		return 0
	}
	d, _ := s.parser.columns()
	return d
}

// Features returns the names of the columns, or nil without names. They are known after the first
// row.
func (s *Stream) Features() []string {
	if s.parser == nil {
		return nil
	}
	_, names := s.parser.columns()
	return names
}

// Label returns the name of the label's column, or "" without a name. It is known after the first
// row.
func (s *Stream) Label() string {
	if p, ok := s.parser.(*csvParser); ok {
		return p.label
	}
	return ""
}

// Classes returns the names of the classes −1 and +1. It is nil for a regression, and until enough
// rows have been read to determine the classes.
func (s *Stream) Classes() []string {
	if s.coder == nil {
		return nil
	}
	return s.coder.Known()
}

// OtherLabels returns the different labels that AllowOther of [Labels] accepted. It returns at most
// ten, in the order of the file, each shortened.
func (s *Stream) OtherLabels() []string {
	if s.coder == nil {
		return nil
	}
	return s.coder.Others()
}

// Skipped returns the number of rows skipped so far because a value was missing.
func (s *Stream) Skipped() int {
	if s.parser == nil {
		return 0
	}
	return s.parser.left()
}

// Close closes the file that [Open] opened. It has no effect on other streams.
func (s *Stream) Close() error {
	if s.file == nil {
		return nil
	}
	file := s.file
	s.file = nil
	if s.err == nil {
		s.err = os.ErrClosed
	}
	return file.Close()
}

// Collect reads all rows that have not been read yet into a data set. Labels follow the rule of
// [Labels], applied to these rows.
func (s *Stream) Collect() (*svmkit.Dataset, error) {
	if err := s.Err(); err != nil {
		return nil, err
	}
	all, err := s.parser.collect()
	if s.err = err; err != nil {
		return nil, err
	}
	s.err = io.EOF
	set := &svmkit.Dataset{}
	set.Dim, set.Features = s.parser.columns()
	set.Label = s.Label()
	switch {
	case all.N == 0:
		err = svmkit.ErrEmpty
	case set.Dim == 0:
		err = svmkit.ErrNoColumns
	default:
		set.Y = all.Labels.Join()
		set.Classes, err = s.coder.CodeAll(set.Y, all.Labels.Names)
	}
	if err != nil {
		return nil, s.parser.errorAt(place{}, nil, err)
	}
	set.X = all.Rows()
	return set, nil
}
