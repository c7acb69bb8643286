package dataset_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/svmkit/course/internal/badinput"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"gonum.org/v1/gonum/mat"
)

// Every call of this package with bad input ends soon, with the documented error at the documented place.
func TestReliabilityBadInput(t *testing.T) {
	badinput.Run(t, 170, badinput.Join(badSets(), badParameters(), readerCases(), matrices(), writers(), nilCases()))
}

// shared is a set that no call may change.
var shared = badinput.Good()

func badSets() []badinput.Case {
	return badinput.Doors(
		badinput.Door{Name: "WriteLIBSVM", Call: func(s *svmkit.Dataset) (any, error) { return nil, dataset.WriteLIBSVM(io.Discard, s) }},
		badinput.Door{Name: "WriteCSV", Call: func(s *svmkit.Dataset) (any, error) { return nil, dataset.WriteCSV(io.Discard, s) }},
	)
}

func badParameters() []badinput.Case {
	return badinput.Knobs(shared,
		badinput.NewKnob("ReadLIBSVM", "Dim", []float64{-1, 1 << 31, 1 << 60}, func(v float64) (any, error) {
			return readLIBSVM(strings.NewReader("1 1:1\n"), &dataset.LIBSVMOptions{Dim: int(v)})
		}),
		badinput.NewKnob("ReadCSV", "Skip", badinput.NegativeInt, func(v float64) (any, error) {
			return readCSV(strings.NewReader("1,2\n"), &dataset.CSVOptions{Skip: int(v)})
		}),
		badinput.NewKnob("ReadCSV", "Header", []float64{-1, 3}, func(v float64) (any, error) {
			return readCSV(strings.NewReader("1,2\n"), &dataset.CSVOptions{Header: dataset.Header(v)})
		}),
		badinput.NewKnob("ReadCSV", "Comma", []float64{'\n', '\r', '"'}, func(v float64) (any, error) {
			return readCSV(strings.NewReader("1,2\n"), &dataset.CSVOptions{Comma: byte(v)})
		}),
		badinput.NewKnob("ReadCSV", "Task", []float64{-1, 3}, func(v float64) (any, error) {
			return readCSV(strings.NewReader("1,2\n"), &dataset.CSVOptions{Labels: dataset.Labels{Task: dataset.Task(v)}})
		}),
	)
}

// A badText is what no reader takes, and the place that the error names.
type badText struct {
	name, text   string
	line, column int
	cause        error
}

// readerCases is every bad text at the three doors: the whole file, the stream of rows, and the reader
// that recognises the format; then files and readers that fail.
func readerCases() (cases []badinput.Case) {
	libsvm := []badText{
		{"nothing", "", 0, 0, svmkit.ErrEmpty},
		{"only comments", "# a\n\n#\n", 0, 0, svmkit.ErrEmpty},
		{"index 0", "1 0:1\n", 1, 3, malformed("column index out of range")},
		{"index -1", "1 1:1\n-1 -1:1\n", 2, 4, malformed("column index out of range")},
		{"index 2^31", "1 2147483648:1\n", 1, 3, malformed("column index out of range")},
		{"index 2^60", "1 1:1 1152921504606846976:1\n", 1, 7, malformed("column index out of range")},
		{"index 2^64+1", "1 18446744073709551617:1\n", 1, 3, malformed("column index out of range")},
		{"unsorted indices", "1 2:1 1:1\n", 1, 7, malformed("column indices of a row must rise strictly")},
		{"an index twice", "1 3:1 3:1\n", 1, 7, malformed("column indices of a row must rise strictly")},
		{"NaN", "1 1:NaN\n", 1, 5, dataset.ErrMissing},
		{"Inf", "1 1:Inf\n", 1, 5, svmkit.ErrNotFinite},
		{"-Inf", "1 1:0\n-1 1:-Infinity\n", 2, 6, svmkit.ErrNotFinite},
		{"1e309", "1 1:1e309\n", 1, 5, svmkit.ErrNotFinite},
		{"a word for a number", "1 1:one\n", 1, 5, dataset.ErrNotNumber},
		{"a value without an index", "1 5\n1 1:1\n", 1, 3, malformed("not of the form index:value")},
		{"no value", "1 1:\n", 1, 5, dataset.ErrMissing},
		{"two colons", "1 1:2:3\n", 1, 5, dataset.ErrNotNumber},
		{"label NaN", "NaN 1:1\n", 1, 1, dataset.ErrMissing},
		{"label Inf", "inf 1:1\n", 1, 1, svmkit.ErrNotFinite},
		{"labels of several classes", "1,2 1:1\n", 1, 1, dataset.ErrNotNumber},
		{"query ids", "1 qid:1 1:1\n", 1, 3, malformed("qid marks ranking data")},
		{"NUL bytes", "1 \x00:1\n", 1, 3, malformed("not of the form index:value")},
		{"UTF-16", "\xff\xfe1\x00 \x001\x00", 1, 1, malformed("UTF-16 text")},
		{"a number of 100,000 digits", "1 1:" + strings.Repeat("1", 100_000) + "\n", 1, 3, malformed("longer than 65536 bytes")},
	}
	csv := []badText{
		{"nothing", "", 0, 0, svmkit.ErrEmpty},
		{"a header alone", "a,b,label\n", 0, 0, svmkit.ErrEmpty},
		{"a short row", "1,2,1\n3,-1\n", 2, 3, svmkit.ErrRagged},
		{"a long row", "1,2,1\n3,4,5,-1\n", 2, 7, svmkit.ErrRagged},
		{"NaN", "1,2,1\n3,NaN,-1\n", 2, 3, dataset.ErrMissing},
		{"missing", "1,2,1\n,4,-1\n", 2, 1, dataset.ErrMissing},
		{"Inf", "1,2,1\n+Inf,4,-1\n", 2, 1, svmkit.ErrNotFinite},
		{"1e309", "1,2,1\n3,1e309,-1\n", 2, 3, svmkit.ErrNotFinite},
		{"a word for a number", "1,2,1\n3,x,-1\n", 2, 3, dataset.ErrNotNumber},
		{"an open quote", "1,2,1\n3,\"4,-1\n", 2, 3, malformed("bad quotes")},
		{"text behind a quote", "1,2,1\n3,\"4\"4,-1\n", 2, 6, malformed("bad quotes")},
		{"half a header", "a,2,1\n3,4,-1\n", 1, 1, malformed("cannot tell whether the first line is a header")},
		{"UTF-16", "\xfe\xff\x001\x00,", 1, 1, malformed("UTF-16 text")},
		{"a field without end", "1,2,1\n3,\"" + strings.Repeat("x", 100_000) + ",-1\n", 2, 3, malformed("longer than 65536 bytes")},
	}
	drain := func(s *dataset.Stream) (any, error) {
		for range s.All() {
		}
		return nil, s.Err()
	}
	add := func(door string, c badText, read func(r io.Reader) (any, error)) {
		want := parse(c.cause, c.line, c.column)
		cases = append(cases, badinput.New(door+": "+c.name, nil, func() (any, error) { return read(strings.NewReader(c.text)) }, want))
	}
	labels := dataset.Labels{Task: dataset.Regression}
	for _, c := range libsvm {
		add("ReadLIBSVM", c, func(r io.Reader) (any, error) { return readLIBSVM(r, nil) })
		if c.cause != svmkit.ErrEmpty { // a stream may be empty
			add("RowsLIBSVM", c, func(r io.Reader) (any, error) { return drain(rowsLIBSVM(r, &dataset.LIBSVMOptions{Labels: labels})) })
		}
	}
	for _, c := range csv {
		add("ReadCSV", c, func(r io.Reader) (any, error) { return readCSV(r, nil) })
		if c.cause != svmkit.ErrEmpty {
			add("RowsCSV", c, func(r io.Reader) (any, error) { return drain(rowsCSV(r, &dataset.CSVOptions{Labels: labels})) })
		}
		add("Read", c, func(r io.Reader) (any, error) { return dataset.Read(context.Background(), r, nil) })
	}
	return append(append(cases, failingReaders()...), badLabels()...)
}

// failingReaders are files that are not there, broken or end too early.
func failingReaders() []badinput.Case {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	io.WriteString(z, strings.Repeat("1 1:1\n-1 2:1\n", 1000))
	z.Close()
	half := zipped.Bytes()[:zipped.Len()/2]
	gone := func() io.Reader {
		return io.MultiReader(strings.NewReader("1 1:1\n"), iotest.ErrReader(badinput.ErrDisk))
	}
	dir := os.TempDir()
	return []badinput.Case{
		badinput.New("ReadLIBSVM: reader fails", nil, func() (any, error) { return readLIBSVM(gone(), nil) }, badinput.Is(badinput.ErrDisk)),
		badinput.New("ReadCSV: reader fails", nil, func() (any, error) {
			return readCSV(io.MultiReader(strings.NewReader("1,2,1\n3,4"), iotest.ErrReader(badinput.ErrDisk)), nil)
		}, badinput.Is(badinput.ErrDisk)),
		badinput.New("Read: reader fails", nil, func() (any, error) { return dataset.Read(context.Background(), gone(), nil) }, badinput.Is(badinput.ErrDisk)),
		badinput.New("ReadLIBSVM: half a gzip file", nil, func() (any, error) { return readLIBSVM(bytes.NewReader(half), nil) }, badinput.Is(io.ErrUnexpectedEOF)),
		badinput.New("ReadLIBSVM: broken gzip file", nil, func() (any, error) {
			return readLIBSVM(bytes.NewReader(append([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0}, bytes.Repeat([]byte{0xff}, 99)...)), nil)
		}, badinput.Error),
		badinput.New("ReadFile: no file", nil, func() (any, error) { return dataset.ReadFile(context.Background(), "no such file", nil) }, badinput.Is(os.ErrNotExist)),
		badinput.New("ReadFile: a folder", nil, func() (any, error) { return dataset.ReadFile(context.Background(), dir, nil) }, badinput.Error),
		badinput.New("Open: no file", nil, func() (any, error) { return dataset.Open(context.Background(), "no such file", nil) }, badinput.Is(os.ErrNotExist)),
		badinput.New("ReadCSV: no such column", nil, func() (any, error) {
			return readCSV(strings.NewReader("a,b\n1,2\n"), &dataset.CSVOptions{Label: "c"})
		}, parse(malformed("no such column"), 1, 0)),
		badinput.New("ReadCSV: all columns dropped", nil, func() (any, error) {
			return readCSV(strings.NewReader("1,2\n3,4\n"), &dataset.CSVOptions{Drop: []string{"1"}})
		}, badinput.Error),
		badinput.New("ReadLIBSVM: index beyond Dim", nil, func() (any, error) {
			return readLIBSVM(strings.NewReader("1 3:1\n"), &dataset.LIBSVMOptions{Dim: 2})
		}, parse(malformed("column index out of range"), 1, 3)),
		badinput.New("ReadLIBSVM: denormals and 1e±300 come through", nil, func() (any, error) {
			s, err := readLIBSVM(strings.NewReader("1 1:5e-324 2:-1e300\n-1 1:1e-300 2:-0\n"), nil)
			if err == nil && (s.X[0].At(0) != 5e-324 || s.X[0].At(1) != -1e300 || !math.Signbit(s.X[1].At(1))) {
				err = errors.New("other numbers")
			}
			return s, err
		}, badinput.Fine),
	}
}

// badLabels are options for labels that the labels do not meet, or that contradict each other.
func badLabels() (cases []badinput.Case) {
	read := func(name string, l dataset.Labels, text string, want badinput.Verdict) {
		cases = append(cases, badinput.New("Labels: "+name, &l, func() (any, error) {
			return readLIBSVM(strings.NewReader(text), &dataset.LIBSVMOptions{Labels: l})
		}, want))
	}
	two := "a 1:1\nb 1:2\n"
	read("a class that is not named", dataset.Labels{Classes: []string{"a", "c"}}, two, parse(svmkit.ErrNoClass, 2, 1))
	read("one class in the list", dataset.Labels{Classes: []string{"a"}}, two, badinput.Param("Classes"))
	read("a class twice", dataset.Labels{Classes: []string{"1", "1.0"}}, two, badinput.Param("Classes"))
	read("an empty name", dataset.Labels{Classes: []string{"a", ""}}, two, badinput.Param("Classes"))
	read("Positive with Classes", dataset.Labels{Classes: []string{"a", "b"}, Positive: "a"}, two, badinput.Param("Positive"))
	read("Positive that does not occur", dataset.Labels{Positive: "z"}, two, badinput.Is(svmkit.ErrNoClass))
	read("names as targets", dataset.Labels{Task: dataset.Regression}, two, parse(dataset.ErrNotNumber, 1, 1))
	read("one class in the file", dataset.Labels{Task: dataset.Classification}, "1 1:1\n1 1:2\n", badinput.Is(svmkit.ErrOneClass))
	cases = append(cases, badinput.New("Labels: 0 and -1 in one stream", nil, func() (any, error) {
		s := rowsLIBSVM(strings.NewReader("0 1:1\n1 1:1\n-1 1:1\n"), nil)
		for range s.All() {
		}
		return nil, s.Err()
	}, parse(dataset.ErrLabel, 3, 1)), badinput.New("Labels: 2 in a stream", nil, func() (any, error) {
		s := rowsLIBSVM(strings.NewReader("1 1:1\n2 1:1\n"), nil)
		for range s.All() {
		}
		return nil, s.Err()
	}, parse(dataset.ErrLabel, 2, 1)))
	return cases
}

func matrices() []badinput.Case {
	matrix := func(name string, x mat.Matrix, y []float64, want badinput.Verdict) badinput.Case {
		return badinput.New("FromMatrix: "+name, y, func() (any, error) { return dataset.FromMatrix(x, y) }, want)
	}
	return []badinput.Case{
		matrix("nil", nil, nil, badinput.Param("x")),
		matrix("empty", &mat.Dense{}, nil, badinput.Data(svmkit.ErrEmpty, badinput.None, badinput.None)),
		matrix("NaN", mat.NewDense(2, 1, []float64{1, badinput.NaN}), []float64{1, -1}, badinput.Data(svmkit.ErrNotFinite, 1, 0)),
		matrix("no labels", mat.NewDense(2, 1, []float64{1, 2}), nil, badinput.Data(svmkit.ErrMismatch, badinput.None, badinput.None)),
	}
}

func writers() []badinput.Case {
	set := badinput.Spoiled(func(s *svmkit.Dataset) { s.Classes = []string{"a b", "c"} })
	return []badinput.Case{
		badinput.New("WriteLIBSVM: full disk", shared, func() (any, error) { return nil, dataset.WriteLIBSVM(badinput.Full{}, shared) }, badinput.Is(badinput.ErrDisk)),
		badinput.New("WriteCSV: full disk", shared, func() (any, error) { return nil, dataset.WriteCSV(badinput.Full{}, shared) }, badinput.Is(badinput.ErrDisk)),
		badinput.New("WriteLIBSVM: a blank in a name", set, func() (any, error) { return nil, dataset.WriteLIBSVM(io.Discard, set) }, badinput.Is(dataset.ErrUnwritable)),
	}
}

func nilCases() []badinput.Case {
	var noContext context.Context
	c := func(name string, want badinput.Verdict, call func() (any, error)) badinput.Case {
		return badinput.New(name, shared, call, want)
	}
	return []badinput.Case{
		c("ToMatrix", badinput.Fine, func() (any, error) { return dataset.ToMatrix(&svmkit.Dataset{}), nil }),
		c("ReadLIBSVM: reader", badinput.Param("r"), func() (any, error) { return readLIBSVM(nil, nil) }),
		c("ReadCSV: reader", badinput.Param("r"), func() (any, error) { return readCSV(nil, nil) }),
		c("Read: reader", badinput.Param("r"), func() (any, error) { return dataset.Read(context.Background(), nil, nil) }),
		c("Read: context", badinput.Param("ctx"), func() (any, error) { return dataset.Read(noContext, new(bytes.Buffer), nil) }),
		c("WriteLIBSVM: writer", badinput.Param("w"), func() (any, error) { return nil, dataset.WriteLIBSVM(nil, shared) }),
		c("WriteCSV: writer", badinput.Param("w"), func() (any, error) { return nil, dataset.WriteCSV(nil, shared) }),
	}
}

// parse wants a *dataset.ParseError at a line and a column, each from 1, or 0.
func parse(cause error, line, col int) badinput.Verdict {
	return func(o badinput.Outcome) string {
		if wrong := badinput.Failed(o); wrong != "" {
			return wrong
		}
		var e *dataset.ParseError
		is := errors.Is(o.Err, cause)
		if text, ok := cause.(malformed); ok {
			is = errors.Is(o.Err, dataset.ErrFormat) && strings.Contains(o.Err.Error(), string(text))
		}
		if !errors.As(o.Err, &e) || !is || e.Line != line || e.Column != col {
			return fmt.Sprintf("error %T %v, want %v in line %d, column %d", o.Err, o.Err, cause, line, col)
		}
		return named(o.Err, line)
	}
}

// malformed stands for dataset.ErrFormat with this in its text.
type malformed string

func (m malformed) Error() string { return string(m) }

func named(err error, line int) string {
	if line == 0 {
		return ""
	}
	return badinput.Names(err, fmt.Sprintf("line %d", line))
}
