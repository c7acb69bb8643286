package dataset

import (
	"bytes"
	"io"
	"os"
	"path/filepath"

	"github.com/svmkit/course/svmkit"
)

// ReadFile reads a CSV or LIBSVM file, plain or gzip, with the defaults of [CSV] and
// [LIBSVM]. The content decides: the file is LIBSVM if the second word of the first
// line with two words is of the form index:value. labels may be nil.
func ReadFile(name string, labels *Labels) (*svmkit.Dataset, error) {
	s, err := Open(name, labels)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.collect()
}

// Open is ReadFile row by row. The caller closes the stream.
func Open(name string, labels *Labels) (*Stream, error) {
	var l Labels
	if labels != nil {
		l = *labels
	}
	if err := l.validate(); err != nil {
		return nil, err
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	s := guess(newSource(file, filepath.Base(name)), l)
	s.file = file
	return s, nil
}

// Read is [ReadFile] for any stream of text.
func Read(r io.Reader, labels *Labels) (*svmkit.Dataset, error) {
	var l Labels
	if labels != nil {
		l = *labels
	}
	if err := l.validate(); err != nil {
		return nil, err
	}
	return guess(newSource(r, ""), l).collect()
}

// Rows is [Open] for any stream of text.
func Rows(r io.Reader, labels *Labels) *Stream {
	var l Labels
	if labels != nil {
		l = *labels
	}
	if err := l.validate(); err != nil {
		return &Stream{err: err}
	}
	return guess(newSource(r, ""), l)
}

func guess(src *source, l Labels) *Stream {
	if src.isLIBSVM() {
		return newLIBSVM(src, LIBSVM{Labels: l})
	}
	return newCSV(src, CSV{Labels: l})
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
	if len(words) > 0 && bytes.ContainsAny(words[0], `,;"`) {
		return false, true
	}
	if len(words) < 2 { // a row without features does not decide
		return false, false
	}
	index, value, found := bytes.Cut(words[1], []byte(":"))
	if string(index) == "qid" {
		return found, true
	}
	_, indexOK := parseNumber(index)
	// The reader reports a value that is no number, unless a separator makes the line CSV.
	return found && indexOK && !bytes.ContainsAny(value, `,;"`), true
}
