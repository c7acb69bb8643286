package dataset

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/decimal"
)

// Read reads all of r, plain or gzip. opt may be nil. Labels follow [Labels], Features are the names in the
// header of a CSV file. A [*ParseError] names what is wrong. When ctx ends, Read returns its error after the
// call of r.Read that it is in.
//
// Memory is that of the numbers (8 bytes each in a dense row, 12 in a sparse one), plus 56 bytes a row for
// Row and label and at most an eighth: rows share a few large arrays.
func Read(ctx context.Context, r io.Reader, opt *Options) (*svmkit.Dataset, error) {
	return Rows(ctx, r, opt).Collect()
}

// ReadFile is [Read] for a file. Pipes, devices and folders are refused: they may have no end, or never begin.
func ReadFile(ctx context.Context, name string, opt *Options) (*svmkit.Dataset, error) {
	s, err := Open(ctx, name, opt)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.Collect()
}

// Open is ReadFile row by row. The caller closes the stream.
func Open(ctx context.Context, name string, opt *Options) (*Stream, error) {
	o, err := opt.normal()
	if err != nil {
		return nil, err
	}
	file, err := openRegular(name)
	if err != nil {
		return nil, err
	}
	if o.Name == "" {
		o.Name = filepath.Base(name)
	}
	s := Rows(ctx, file, &o)
	s.file = file
	return s, nil
}

var errNotRegular = errors.New("not a regular file: open it and pass it to Read or Rows")

// Rows reads r row by row in constant memory. opt may be nil. What is wrong is the stream's Err.
func Rows(ctx context.Context, r io.Reader, opt *Options) *Stream {
	o, err := opt.normal()
	switch {
	case ctx == nil:
		err = &svmkit.ParamError{Name: "ctx", Value: ctx, Need: "must not be nil"}
	case r == nil:
		err = &svmkit.ParamError{Name: "r", Value: r, Need: "must not be nil"}
	}
	if err != nil {
		return &Stream{err: err}
	}
	src := newSource(ctx, r, o.Name)
	if o.Format == FormatAuto {
		o.Format = CSV
		if src.isLIBSVM() {
			o.Format = LIBSVM
		}
	}
	coder := newCoder(o.Labels)
	if o.Format == LIBSVM {
		return &Stream{parser: &libsvmParser{source: src, opt: o, coder: coder, dim: o.Dim}, coder: coder, err: o.foreign(LIBSVM)}
	}
	return &Stream{parser: &csvParser{fields: fields{source: src}, opt: o, coder: coder}, coder: coder, err: o.foreign(CSV)}
}

// isLIBSVM reports whether the window holds LIBSVM text. It consumes nothing and reads no further than
// the first line that decides: a pipe may be slow.
func (s *source) isLIBSVM() bool {
	for from := 0; ; { // the start of the next line, counted from pos
		line := s.buf[s.pos+from : s.end]
		n := bytes.IndexByte(line, '\n')
		if n < 0 && s.fill() {
			continue
		}
		if line = s.buf[s.pos+from : s.end]; n >= 0 {
			line = line[:n]
		}
		if yes, told := lineOfLIBSVM(line); told || n < 0 {
			return yes
		}
		from += n + 1
	}
}

// lineOfLIBSVM reports whether a line is of a LIBSVM file, and whether it decides.
func lineOfLIBSVM(line []byte) (yes, told bool) {
	if k := bytes.IndexByte(line, '#'); k >= 0 {
		line = line[:k]
	}
	words := bytes.Fields(line)
	if len(words) > 0 && bytes.ContainsAny(words[0], `,;"`) && !(len(words) > 1 && numbers(words[0])) {
		return false, true
	}
	if len(words) < 2 { // a row without features does not decide
		return false, false
	}
	index, value, found := bytes.Cut(words[1], []byte(":"))
	if string(index) == "qid" {
		return found, true
	}
	_, indexOK := decimal.Parse(index)
	// The reader reports a value that is no number, unless a separator makes the line CSV.
	return found && indexOK && !bytes.ContainsAny(value, `,;"`), true
}

// numbers reports whether a word is numbers with commas between them: several labels, which the LIBSVM reader
// refuses in its own words.
func numbers(word []byte) bool {
	for part := range bytes.SplitSeq(word, []byte{','}) {
		if _, ok := decimal.Parse(part); !ok {
			return false
		}
	}
	return true
}
