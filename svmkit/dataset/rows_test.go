package dataset_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

// A first line of numbers is never taken for data where it may be names.
func TestHeaderOfNumbers(t *testing.T) {
	header := func(h dataset.Header) dataset.CSVOptions { return dataset.CSVOptions{Header: h} }
	unlabelled := dataset.CSVOptions{Unlabelled: true}
	for _, c := range []struct {
		text string
		opt  dataset.CSVOptions
		rows int // 0 for a refusal
	}{
		{"0,1,label\n0.5,0.3,1\n0.1,0.2,2\n", dataset.CSVOptions{}, 2},
		{"label,0,1\n1,0.5,0.3\n2,0.1,0.2\n", dataset.CSVOptions{}, 2},
		{"2019,2020,label\n0.5,0.3,1\n0.1,0.2,2\n", dataset.CSVOptions{}, 2},
		{"2021,2020,2018,label\n5,3,1,1\n1,2,3,2\n", dataset.CSVOptions{}, 2},
		{"2019,label\n0.5,1\n0.1,2\n", dataset.CSVOptions{}, 2},
		{"0.5,0.3,label\n0.1,0.2,1\n0.3,0.3,2\n", dataset.CSVOptions{}, 0},
		{"0,1,label\n0.5,0.3,ham\n0.1,0.2,spam\n", dataset.CSVOptions{}, 0},
		{"2019,2020,label\n0.5,0.3,ham\n0.1,0.2,spam\n", dataset.CSVOptions{}, 0},
		{"0,1,2\n0.5,0.3,1\n0.1,0.2,2\n", dataset.CSVOptions{}, 0},
		{"0,1,2\n3,5,7\n2,4,6\n", dataset.CSVOptions{}, 0},
		{"1990,2000,2010\n0.5,0.3,1\n0.1,0.2,2\n", dataset.CSVOptions{}, 0},
		{"400,402,404,label\n0.5,0.3,1,a\n0.1,0.2,2,b\n", dataset.CSVOptions{}, 0},
		{"0,1\n0.5,0.3\n0.1,0.2\n", unlabelled, 0},
		{"0,1\n", unlabelled, 0},
		{"0,1,2\n0.5,0.3,1\n0.1,0.2,2\n", header(dataset.HeaderYes), 2},
		{"0,1,2\n0.5,0.3,1\n0.1,0.2,2\n", header(dataset.HeaderNo), 3},
		{"0,1,label\n0.5,0.3,ham\n0.1,0.2,spam\n", header(dataset.HeaderYes), 2},
		{"5,15,30,species\n1,2,3,a\n3,4,4,b\n5,1,3,a\n2,2,1,b\n", header(dataset.HeaderYes), 4},
		{"5,15,30,species\n1,2,3,a\n3,4,4,b\n5,1,3,a\n2,2,1,b\n", header(dataset.HeaderNo), 5},
		{"5,15,30,a\n1,2,3,a\n3,4,4,b\n5,1,3,a\n2,2,1,b\n", dataset.CSVOptions{}, 5},
		{"5,15,30,c\n1,2,3,a\n3,4,4,b\n5,1,3,a\n", dataset.CSVOptions{}, 4}, // b has one row, too
		{"5,15,30,c\n1,2,3,b\n3,4,4,b\n5,1,3,b\n", dataset.CSVOptions{}, 4}, // a file of one class would have no use
		{"5,15,30,c\n1,2,3,a\n3,4,4,b\n5,1,3,a\n2,2,1,b\n", dataset.CSVOptions{Labels: dataset.Labels{Classes: []string{"a", "b", "c"}}}, 5},
		{"5,15,30,c\n1,2,3,a\n3,4,4,b\n5,1,3,a\n2,2,1,b\n", dataset.CSVOptions{Labels: dataset.Labels{Positive: "c"}}, 5},
		{"5,?,30,b\n1,2,3,c\n3,4,4,b\n5,1,3,a\n2,2,1,b\n1,2,3,a\n", dataset.CSVOptions{SkipMissing: true}, 5},
		{"x1,x2,x3,y\n1,2,3,c\n3,4,4,b\n5,1,3,a\n2,2,1,b\n1,2,3,a\n", dataset.CSVOptions{}, 5},
		{"5,15,30,01\n1,2,3,a\n3,4,4,b\n5,1,3,a\n2,2,1,b\n", dataset.CSVOptions{}, 5},
		{"1,2,3\n4,5,6\n", dataset.CSVOptions{}, 2}, // one line is as the other
		{"0,1,1\n1,0,1\n0,0,-1\n", dataset.CSVOptions{}, 3},
		{"-1,0,1\n0.5,2,-1\n", dataset.CSVOptions{}, 2},
		{"5.1,3.5,ham\n4.9,3.0,spam\n", dataset.CSVOptions{}, 2},
	} {
		set, err := read(c.text, c.opt)
		switch {
		case c.rows == 0 && (!errors.Is(err, dataset.ErrHeader) || !strings.Contains(err.Error(), "line 1, byte") || !strings.Contains(err.Error(), "option Header")):
			t.Errorf("%q: %v, %v", c.text, set, err)
		case c.rows > 0 && (err != nil || set.Len() != c.rows):
			t.Errorf("%q: %v, %v, want %d rows", c.text, set, err, c.rows)
		}
	}
}

// The label is the column of that name where there is one; names must be there and tell columns
// apart.
func TestColumnNames(t *testing.T) {
	set, err := read("label,a,b\nx,1,2\nw,3,4\n", dataset.CSVOptions{})
	if err != nil || fmt.Sprint(set.Features, set.Classes, set.Y) != "[a b] [w x] [1 -1]" {
		t.Errorf("%+v, %v", set, err)
	}
	for text, want := range map[string]error{
		",a,label\n0,1,x\n1,2,w\n":      dataset.ErrNoName, // pandas numbers the rows
		"a,a,b\n1,2,x\n3,4,w\n":         dataset.ErrSameName,
		"a,\"b\nc\",y\n1,2,x\n":         dataset.ErrControl,
		"a,b\x1b[31m,y\n1,2,x\n3,4,w\n": dataset.ErrControl,
		"a,b\n1,\"two\nlines\"\n2,x\n":  dataset.ErrControl,
		"a,b\n1,nul\x00\n2,x\n":         dataset.ErrControl,
		"x\x7f 1:1\ny 1:2\n":            dataset.ErrControl,
		"1,2 1:0.5\n-1 1:1\n":           dataset.ErrNotNumber,
	} {
		_, err := read(text, dataset.CSVOptions{Drop: map[bool][]string{true: {"a"}}[want == dataset.ErrSameName]})
		if !errors.Is(err, want) || strings.ContainsFunc(err.Error(), func(c rune) bool { return c < ' ' || c == 0x7f }) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
	_, err = read("1,2 1:0.5\n-1 1:1\n", dataset.CSVOptions{})
	if err == nil || !strings.Contains(err.Error(), "line 1, byte 1: ") || !strings.Contains(err.Error(), `several labels in one row are not supported: "1,2"`) {
		t.Errorf("several labels: %v", err)
	}
}

// Which column is the label is never a choice between two.
func TestLabelColumnInDoubt(t *testing.T) {
	for _, c := range []struct {
		header string
		opt    dataset.CSVOptions
		want   error
	}{
		{"a,label,label", dataset.CSVOptions{}, dataset.ErrSameName},
		{"label,a,label", dataset.CSVOptions{}, dataset.ErrSameName},
		{"label,label,a", dataset.CSVOptions{Header: dataset.HeaderYes}, dataset.ErrSameName},
		{"a,y,y", dataset.CSVOptions{Label: "y"}, dataset.ErrSameName},
		{"a,b,y", dataset.CSVOptions{Label: "b", Drop: []string{"b"}}, dataset.ErrDropped},
		{"a,b,y", dataset.CSVOptions{Label: "b", Drop: []string{"2"}}, dataset.ErrDropped},
		{"a,b,y", dataset.CSVOptions{Label: "2", Drop: []string{"b"}}, dataset.ErrDropped},
		{"a,label,label", dataset.CSVOptions{Drop: []string{"2"}}, nil},
		{"a,label,label", dataset.CSVOptions{Label: "label", Drop: []string{"2"}}, nil},
		{"a,label,label", dataset.CSVOptions{Label: "3"}, dataset.ErrSameName},
		{"a,label,label", dataset.CSVOptions{Label: "3", Drop: []string{"2"}}, nil},
		{"a,b,y", dataset.CSVOptions{Drop: []string{"b", "2", "b"}}, nil},
	} {
		set, err := read(c.header+"\n1,2,3\n2,3,4\n", c.opt)
		if !errors.Is(err, c.want) || err == nil && (set.Features[0] != "a" || set.Label == "a") {
			t.Errorf("%s, %+v: %+v, %v, want %v", c.header, c.opt, set, err, c.want)
		}
	}
}

// A missing value is an error that says where it is and what to do, or leaves its row out.
func TestMissingValues(t *testing.T) {
	for text, says := range map[string]string{
		"a,age,label\n1,2,x\n3,NA,w\n": `line 3, column "age": missing value: "NA"; fill it in, or leave out such rows by the option SkipMissing`,
		"a,age,label\n1,2,x\n3,,w\n":   `line 3, column "age": missing value; fill it in, or leave out such rows by the option SkipMissing`,
		"a,age,label\n1,2,x\n3,4,?\n":  `line 3, column "label": missing label: "?"; fill it in, or leave out the row`,
		"5.5,1,x\n3,NaN,w\n":           `line 2, column "2": missing value: "NaN"; fill it in, or leave out such rows by the option SkipMissing`,
		"1 1:2\n-1 7:nan 8:1\n":        `line 2, column "7": missing value: "nan"; fill it in, or leave out such rows by the option SkipMissing`,
	} {
		_, err := read(text, dataset.CSVOptions{})
		if !errors.Is(err, dataset.ErrMissing) || !strings.HasSuffix(err.Error(), says) {
			t.Errorf("%q: %v, want %s", text, err, says)
		}
		kept := map[bool]string{true: "0 2:1\nnan 1:1\n", false: "5,6,w\n"}[strings.Contains(text, ":")]
		rows := dataset.Rows(context.Background(), strings.NewReader(text+kept), &dataset.Options{SkipMissing: true})
		if set, err := rows.Collect(); err != nil || set.Len() != 2 || rows.Skipped() < 1 {
			t.Errorf("%q: %+v, %v, %d left out", text, set, err, rows.Skipped())
		}
	}
}

// What scikit-learn writes is read by an option, which the error names.
func TestZeroBased(t *testing.T) {
	const text = "1 0:0.5 2:1\n-1 1:1\n"
	if _, err := read(text, dataset.CSVOptions{}); !errors.Is(err, dataset.ErrColumn) || !strings.Contains(err.Error(), "option ZeroBased") {
		t.Error(err)
	}
	if set, err := readLIBSVM(strings.NewReader(text), &dataset.LIBSVMOptions{ZeroBased: true}); err != nil || set.Dim != 3 || set.X[0].Index[0] != 0 {
		t.Errorf("%+v, %v", set, err)
	}
}

// Labels keep their text, and two texts never become one class.
func TestLabelsAreText(t *testing.T) {
	for _, f := range []string{"%s 1:1\n%s 1:2\n", "0.5,%s\n2,%s\n"} {
		for _, c := range []struct{ a, b, classes string }{
			{"1000000", "2000000", "[1000000 2000000]"},
			{"1e6", "2000000", "[1000000 2000000]"},
			{"999999999999999", "-1000000", "[-1000000 999999999999999]"},
			{"12345678901234567890", "12345678901234567891", "[12345678901234567890 12345678901234567891]"},
			{"+12345678901234567890", "12345678901234567891", "[12345678901234567890 12345678901234567891]"},
			{"1e20", "100000000000000000000", "[100000000000000000000 1e+20]"},
			{"1.0", "2.0", "[1 2]"},
			{"+1", "-1", "[-1 1]"},
			{"1", "1.0", ""}, {"1.0", "+1", ""}, {"1.0", "1.00", ""}, {"1e6", "1000000", ""}, {"0", "-0", ""}, {"1", "01", ""},
		} {
			set, err := read(fmt.Sprintf(f, c.a, c.b), dataset.CSVOptions{Labels: dataset.Labels{Task: dataset.Classification}})
			switch {
			case c.classes != "" && (err != nil || fmt.Sprint(set.Classes) != c.classes):
				t.Errorf("%s, %s: %+v, %v", c.a, c.b, set, err)
			case c.classes == "" && (!errors.Is(err, dataset.ErrSpelling) || !strings.Contains(err.Error(), fmt.Sprintf("%q and %q", strings.TrimPrefix(c.a, "+"), strings.TrimPrefix(c.b, "+")))):
				t.Errorf("%s, %s: %+v, %v", c.a, c.b, set, err)
			}
		}
	}
	if _, err := read("12345678901234567891 1:1\n1 1:2\n", dataset.CSVOptions{Labels: dataset.Labels{Classes: []string{"1", "12345678901234567890"}}}); !errors.Is(err, svmkit.ErrNoClass) {
		t.Errorf("a neighbour of a long label: %v", err)
	}
	set, err := read("1,1\n2.5,1.0\n3,2\n", dataset.CSVOptions{Labels: dataset.Labels{Classes: []string{"1", "2"}}})
	if err != nil || fmt.Sprint(set.Y) != "[-1 -1 1]" {
		t.Errorf("spellings of a class that is named: %v, %v", set, err)
	}
	for _, write := range []func(io.Writer, *svmkit.Dataset) error{dataset.WriteLIBSVM, dataset.WriteCSV} {
		var b bytes.Buffer
		targets := &svmkit.Dataset{Dim: 1, X: svmkit.DenseRows([]float64{0.5}, 1), Y: []float64{2e6}}
		if err := write(&b, targets); err != nil || !strings.Contains(b.String(), "2000000") {
			t.Errorf("%q, %v", b.String(), err)
		}
	}
}

// 2⁵³ and the integer above it are one float64, but as labels two classes.
func TestLabelsBeyondFloat64(t *testing.T) {
	set, err := read("9007199254740992 1:1\n9007199254740993 1:2\n", dataset.CSVOptions{})
	if err != nil || fmt.Sprint(set.Classes, set.Y) != "[9007199254740992 9007199254740993] [-1 1]" {
		t.Errorf("%+v, %v", set, err)
	}
}

// Integers with gaps are targets, not classes, unless there are two.
func TestIntegerTargets(t *testing.T) {
	for labels, classes := range map[string]int{"10 20 30 40 50 60 70 80": 0, "0 1 2": 3, "1 2 3 4": 4, "2 3 4": 0, "3 7": 2, "1 2 3 5 6 7": 0, "5 5": 0} {
		set, err := read(strings.Join(strings.Fields(labels), " 1:1\n")+" 1:1\n", dataset.CSVOptions{})
		if err != nil || len(set.Classes) != classes || classes == 0 && fmt.Sprint(set.Y) != "["+labels+"]" {
			t.Errorf("%s: %+v, %v", labels, set, err)
		}
	}
}

// endless is text without end.
type endless struct {
	text string
	pos  int
}

func (e *endless) Read(p []byte) (int, error) {
	for k := range p {
		p[k] = e.text[e.pos]
		e.pos = (e.pos + 1) % len(e.text)
	}
	return len(p), nil
}

// Readers end when their context does.
func TestReadersHearTheContext(t *testing.T) {
	const soon = 2 * time.Second // 0.1 s on a machine that has nothing else to do
	for name, text := range map[string]string{"CSV": "1.5,2,1\n", "LIBSVM": "1 1:0.5 2:3\n", "blank lines": "\n"} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		start := time.Now()
		_, err := dataset.Read(ctx, &endless{text: text}, nil)
		if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took > soon {
			t.Errorf("%s: %v after %v", name, err, took)
		}
		start = time.Now()
		rows := dataset.Rows(ctx, &endless{text: text}, nil)
		for range rows.All() {
		}
		if took := time.Since(start); !errors.Is(rows.Err(), context.DeadlineExceeded) || took > soon {
			t.Errorf("%s, row by row: %v after %v", name, rows.Err(), took)
		}
		cancel()
	}
}

// What is no file is not opened: it may have no end, or no beginning.
func TestOnlyRegularFiles(t *testing.T) {
	names := []string{t.TempDir()}
	if runtime.GOOS != "windows" {
		names = append(names, os.DevNull, "/dev/zero")
	}
	for _, name := range names {
		if _, err := dataset.ReadFile(t.Context(), name, nil); err == nil || !strings.Contains(err.Error(), "not a regular file") || !strings.Contains(err.Error(), filepath.Base(name)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNilArguments(t *testing.T) {
	var none context.Context
	one := &svmkit.Dataset{Dim: 1, X: svmkit.DenseRows([]float64{1}, 1), Y: []float64{1}}
	for name, f := range map[string]func() error{
		"r":   func() error { _, err := dataset.Read(context.Background(), nil, nil); return err },
		"r ":  func() error { return dataset.Rows(context.Background(), nil, nil).Err() },
		"ctx": func() error { _, err := dataset.Read(none, strings.NewReader("1,2\n"), nil); return err },
		"w":   func() error { return dataset.WriteCSV(nil, one) },
		"w ":  func() error { return dataset.WriteLIBSVM(nil, one) },
	} {
		var param *svmkit.ParamError
		if err := f(); !errors.As(err, &param) || param.Name != strings.TrimSpace(name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A name that could not be read back is not written; many classes are written in linear time.
func TestWriteNames(t *testing.T) {
	set := &svmkit.Dataset{Dim: 1, X: svmkit.DenseRows([]float64{1, 2}, 1), Y: []float64{1, -1}, Classes: []string{"a", "b\nc"}}
	for _, write := range []func(io.Writer, *svmkit.Dataset) error{dataset.WriteLIBSVM, dataset.WriteCSV} {
		if err := write(io.Discard, set); !errors.Is(err, dataset.ErrUnwritable) {
			t.Error(err)
		}
	}
	const n = 100_000
	many := &svmkit.Dataset{Dim: 1, X: svmkit.DenseRows(make([]float64, n), 1)}
	for k := range n {
		many.Y, many.Classes = append(many.Y, float64(k)), append(many.Classes, fmt.Sprint("id", k))
	}
	start := time.Now()
	if err := dataset.WriteCSV(io.Discard, many); err != nil || time.Since(start) > 5*time.Second {
		t.Error(err, time.Since(start))
	}
}
