package dataset_test

import (
	"compress/gzip"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

// A fuzzed is one format's reader and writer with options drawn by the fuzzer.
type fuzzed struct {
	read   func(io.Reader) (*svmkit.Dataset, error)
	stream func(io.Reader) *dataset.Stream
	write  func(io.Writer, *svmkit.Dataset) error
	again  func(string, *svmkit.Dataset) (*svmkit.Dataset, error) // reads what write has written
	labels dataset.Labels
}

// check asserts what holds for any text: an error that names a place inside of it, or a valid set
// that does not depend on how the text arrives, equals what a stream yields, and survives being
// written; and memory in proportion to the text.
func (f fuzzed) check(t *testing.T, text string) {
	var set *svmkit.Dataset
	var err error
	used := allocated(func() { set, err = f.read(strings.NewReader(text)) })
	plain := text
	if strings.HasPrefix(text, "\x1f\x8b") {
		plain = unzipped(text)
	}
	if used > fixedMemory+memoryPerByte*float64(len(plain)) {
		t.Fatalf("%g bytes allocated for a text of %d", used, len(plain))
	}
	slow, slowErr := f.read(iotest.OneByteReader(strings.NewReader(text)))
	if (err == nil) != (slowErr == nil) || err != nil && err.Error() != slowErr.Error() {
		t.Fatalf("%v, but byte by byte %v", err, slowErr)
	}
	f.checkStream(t, text, set, err)
	if err != nil {
		if set != nil {
			t.Fatalf("a set beside the error %v", err)
		}
		checkPlace(t, plain, err)
		return
	}
	if err := set.Validate(); err != nil {
		t.Fatal(err)
	}
	if !equal(set, slow) {
		t.Fatal("byte by byte gives another set")
	}
	var out strings.Builder
	if err := f.write(&out, set); errors.Is(err, dataset.ErrUnwritable) {
		return
	} else if err != nil {
		t.Fatal(err)
	}
	back, err := f.again(out.String(), set)
	if err != nil || !equal(set, back) {
		t.Fatalf("after a round trip: %v\n%q\n%+v\n%+v", err, out.String(), set, back)
	}
}

// Memory that a reader may allocate in all: the window, its copy for parsing row by row and the
// blocks of a few threads; and for each byte of text its share of numbers, rows, labels and the
// arrays they grow through. The densest text is a label and a newline: 2 bytes for a row of 56.
const (
	fixedMemory   = 1 << 20
	memoryPerByte = 300
)

func unzipped(text string) string {
	r, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		return ""
	}
	plain, _ := io.ReadAll(r) // what comes before an error was read, too
	return string(plain)
}

// checkPlace fails unless the error is a ParseError whose line and column are in the text, or one
// behind its end, or 0 for the text as a whole.
func checkPlace(t *testing.T, text string, err error) {
	var e *dataset.ParseError
	if !errors.As(err, &e) || e.Err == nil || len(e.Text) > 50 {
		t.Fatalf("error %#v", err)
	}
	lines := strings.Split(text, "\n")
	if e.Line < 0 || e.Line > len(lines) || e.Column < 0 || e.Line == 0 && e.Column > 0 {
		t.Fatalf("%v: the text has %d lines", err, len(lines))
	}
	if e.Line > 0 && e.Column > len(lines[e.Line-1])+1 {
		t.Fatalf("%v: the line has %d bytes", err, len(lines[e.Line-1]))
	}
}

// checkStream compares a stream, which goes row by row, with the whole
// set, which goes by blocks. They must differ in nothing but what a stream cannot know.
func (f fuzzed) checkStream(t *testing.T, text string, set *svmkit.Dataset, whole error) {
	s := f.stream(strings.NewReader(text))
	n := 0
	for x, y := range s.All() {
		if set != nil {
			if n >= set.Len() || !equal(&svmkit.Dataset{X: []svmkit.Row{x}, Y: set.Y[n : n+1]}, &svmkit.Dataset{X: set.X[n : n+1], Y: set.Y[n : n+1]}) {
				t.Fatalf("row %d of the stream is %v", n, x)
			}
			if f.coded() && y != set.Y[n] {
				t.Fatalf("row %d of the stream has the label %v, not %v", n, y, set.Y[n])
			}
		}
		n++
	}
	switch err := s.Err(); {
	case errors.Is(err, dataset.ErrLabel) || errors.Is(err, dataset.ErrLabelMixed):
	case whole == nil && (err != nil || n != set.Len() || s.Dim() != set.Dim):
		t.Fatalf("the stream ends after %d rows and %d columns: %v", n, s.Dim(), err)
	case err != nil && (whole == nil || err.Error() != first(whole).Error()):
		t.Fatalf("the stream says %v, the set %v", err, whole)
	case err == nil && whole != nil: // what only the whole shows
		all := []error{svmkit.ErrEmpty, svmkit.ErrNoColumns, svmkit.ErrOneClass, svmkit.ErrNoClass, dataset.ErrHeader}
		if !slices.ContainsFunc(all, func(e error) bool { return errors.Is(whole, e) }) {
			t.Fatalf("the stream is silent, the set says %v", whole)
		}
	}
}

// first returns an error about the first of all columns with a fault, as a stream reports it.
func first(err error) error {
	if e := (*dataset.ParseError)(nil); errors.As(err, &e) {
		one := *e
		if one.Field != "" && !errors.Is(err, dataset.ErrNoName) {
			one.Fields, one.Columns = nil, nil
		}
		return &one
	}
	return err
}

// coded reports whether a stream knows what the labels mean.
func (f fuzzed) coded() bool {
	return f.labels.Task == dataset.Regression || f.labels.Classes != nil || f.labels.Positive != ""
}

// labelOptions turns the fuzzer's bits into options.
func labelOptions(bits byte) dataset.Labels {
	return []dataset.Labels{
		{}, {Task: dataset.Classification}, {Task: dataset.Regression}, {Classes: []string{"-1", "1"}}, {Classes: []string{"a", "0", "b"}}, {Positive: "1"},
	}[bits%6]
}

func FuzzReadLIBSVM(f *testing.F) {
	for k, c := range libsvmErrors {
		if len(c.text) < 1000 {
			f.Add(c.text, byte(k), byte(0))
		}
	}
	_, text := sample(3, 3)
	f.Add(text, byte(0), byte(0))
	f.Add(text, byte(2), byte(1))
	f.Add("1 qid:3 1:1\n-1 qid:4 1:2 # 2:3\r\n", byte(3), byte(2))
	f.Add(string(zipped(text)), byte(0), byte(4))
	f.Add("1:1 2: 3\n\n? 1:2 # x\n", byte(0), byte(128))
	f.Add("# Column indices are zero-based\n1 0: 1\n", byte(0), byte(1))
	f.Fuzz(func(t *testing.T, text string, labels, options byte) {
		o := dataset.LIBSVMOptions{Labels: labelOptions(labels), ZeroBased: options&1 > 0, SkipQID: options&2 > 0, Dim: int(options >> 2 & 31)}
		if o.Unlabelled = options >= 128; o.Unlabelled {
			o.Labels = dataset.Labels{}
		}
		fuzzed{
			read:   func(r io.Reader) (*svmkit.Dataset, error) { return readLIBSVM(r, &o) },
			stream: func(r io.Reader) *dataset.Stream { return rowsLIBSVM(r, &o) },
			write:  dataset.WriteLIBSVM,
			again: func(text string, s *svmkit.Dataset) (*svmkit.Dataset, error) {
				return readLIBSVM(strings.NewReader(text), &dataset.LIBSVMOptions{Dim: s.Dim, Labels: labelsOf(s)})
			},
			labels: o.Labels,
		}.check(t, text)
	})
}

func FuzzReadCSV(f *testing.F) {
	for k, c := range csvErrors {
		if len(c.text) < 1000 {
			f.Add(c.text, byte(k), uint16(0))
		}
	}
	text, _ := sample(3, 3)
	f.Add(text, byte(0), uint16(0))
	f.Add(string(zipped(text)), byte(2), uint16(0))
	f.Add("a;\"b\";c\n1;\"2\";x\n3;4;\"y\"\"\"\n", byte(0), uint16(1<<6))
	f.Add("no,a,b\n1,?,x\n2,3,y\n3,4,x\n", byte(1), uint16(1<<2|1<<6))
	f.Add("1\t\t2\n3\t4\t5\n", byte(2), uint16(1<<4|1<<2|1))
	f.Fuzz(func(t *testing.T, text string, labels byte, options uint16) {
		o := dataset.CSVOptions{Labels: labelOptions(labels), Header: dataset.Header(options % 4 % 3), SkipMissing: options&4 > 0, Skip: int(options >> 3 & 1),
			Comma: []byte{0, '\t', ';', ','}[options>>4&3], Label: []string{"", "1", "a", ""}[options>>6&3]}
		if options>>8&1 > 0 {
			o.Drop = []string{"2"}
		}
		if options>>9&1 > 0 {
			o.Unlabelled, o.Label, o.Labels = true, "", dataset.Labels{}
		}
		fuzzed{
			read:   func(r io.Reader) (*svmkit.Dataset, error) { return readCSV(r, &o) },
			stream: func(r io.Reader) *dataset.Stream { return rowsCSV(r, &o) },
			write:  dataset.WriteCSV,
			again: func(text string, s *svmkit.Dataset) (*svmkit.Dataset, error) {
				header := dataset.HeaderNo
				if s.Features != nil {
					header = dataset.HeaderYes
				}
				return readCSV(strings.NewReader(text), &dataset.CSVOptions{Comma: ',', Header: header, Labels: labelsOf(s)})
			},
			labels: o.Labels,
		}.check(t, text)
	})
}
