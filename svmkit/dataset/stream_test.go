package dataset_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

// sample returns the text of n rows of d columns in both formats, with labels ±1.
func sample(n, d int) (csv, libsvm string) {
	rng := rand.New(rand.NewPCG(1, 0))
	var a, b strings.Builder
	for range n {
		y := 1 - 2*rng.IntN(2)
		fmt.Fprint(&b, y)
		for j := range d {
			v := float64(rng.IntN(2_000_000)-1_000_000) / 1e5
			fmt.Fprintf(&a, "%g,", v)
			fmt.Fprintf(&b, " %d:%g", 3*j+1, v)
		}
		fmt.Fprintln(&a, y)
		fmt.Fprintln(&b)
	}
	return a.String(), b.String()
}

func zipped(text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.Bytes()
}

type format struct {
	name string
	text string
	read func(io.Reader) (*svmkit.Dataset, error)
	rows func(io.Reader) *dataset.Stream
}

func formats(n, d int) []format {
	csv, libsvm := sample(n, d)
	return []format{
		{"CSV", csv, func(r io.Reader) (*svmkit.Dataset, error) { return readCSV(r, nil) },
			func(r io.Reader) *dataset.Stream { return rowsCSV(r, nil) }},
		{"LIBSVM", libsvm, func(r io.Reader) (*svmkit.Dataset, error) { return readLIBSVM(r, nil) },
			func(r io.Reader) *dataset.Stream { return rowsLIBSVM(r, nil) }},
	}
}

func TestHowTheTextArrivesDoesNotMatter(t *testing.T) {
	for _, f := range formats(5000, 7) { // several windows of text
		want, err := f.read(strings.NewReader(f.text))
		if err != nil {
			t.Fatal(err)
		}
		for name, r := range map[string]io.Reader{
			"gzip":                   bytes.NewReader(zipped(f.text)),
			"byte by byte":           iotest.OneByteReader(strings.NewReader(f.text)),
			"half reads":             iotest.HalfReader(strings.NewReader(f.text)),
			"data with EOF":          iotest.DataErrReader(strings.NewReader(f.text)),
			"gzip byte by byte":      iotest.OneByteReader(bytes.NewReader(zipped(f.text))),
			"two gzip members":       bytes.NewReader(append(zipped(f.text[:1000]), zipped(f.text[1000:])...)),
			"gzip, data with EOF":    iotest.DataErrReader(bytes.NewReader(zipped(f.text))),
			"CRLF":                   strings.NewReader(strings.ReplaceAll(f.text, "\n", "\r\n")),
			"no newline at the end":  strings.NewReader(strings.TrimSpace(f.text)),
			"blank lines in between": strings.NewReader(strings.ReplaceAll(f.text, "\n", "\n\n \n")),
		} {
			if got, err := f.read(r); err != nil || !equal(want, got) {
				t.Errorf("%s, %s: %v", f.name, name, err)
			}
		}
		got, err := dataset.Read(context.Background(), bytes.NewReader(zipped(f.text)), nil)
		if err != nil || !equal(want, got) {
			t.Errorf("%s by its content: %v", f.name, err)
		}
	}
}

func TestStreamEqualsBatch(t *testing.T) {
	for _, f := range formats(500, 5) {
		want, err := f.read(strings.NewReader(f.text))
		if err != nil {
			t.Fatal(err)
		}
		s := f.rows(strings.NewReader(f.text))
		got := &svmkit.Dataset{Classes: want.Classes}
		for s.Err() == nil && got.Len() < want.Len() { // leave the loop and come back
			for x, y := range s.All() {
				got.X, got.Y = append(got.X, x), append(got.Y, y)
				if s.Line() != got.Len() {
					t.Fatalf("row %d on line %d", got.Len(), s.Line())
				}
				if len(got.X)%100 == 0 {
					break
				}
			}
		}
		got.Dim = s.Dim()
		for range s.All() {
			t.Error("a row too many")
		}
		if s.Err() != nil || !equal(got, want) {
			t.Errorf("%s: the stream's rows differ, %v", f.name, s.Err())
		}
	}
}

func TestReadErrorsAreNotSwallowed(t *testing.T) {
	broken := errors.New("broken cable")
	for _, f := range formats(400, 5) {
		all, _ := f.read(strings.NewReader(f.text))
		for _, cut := range []int{0, 1, 2, 3, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010} {
			r := io.MultiReader(strings.NewReader(f.text[:cut]), iotest.ErrReader(broken))
			if _, err := f.read(r); !errors.Is(err, broken) {
				t.Errorf("%s cut at %d: %v", f.name, cut, err)
			}
			// Every row that the stream delivered before is a whole one.
			s := f.rows(io.MultiReader(strings.NewReader(f.text[:cut]), iotest.ErrReader(broken)))
			n := 0
			for x, y := range s.All() {
				if whole := all.X[n]; y != all.Y[n] || len(x.Value) != len(whole.Value) || x.Value[4] != whole.Value[4] {
					t.Errorf("%s cut at %d: row %d is %v, want %v", f.name, cut, n, x, whole)
				}
				n++
			}
			if lines := strings.Count(f.text[:cut], "\n"); n != lines || !errors.Is(s.Err(), broken) {
				t.Errorf("%s cut at %d: %d rows of %d lines, %v", f.name, cut, n, lines, s.Err())
			}
		}
		short := zipped(f.text)
		if _, err := f.read(bytes.NewReader(short[:len(short)/2])); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s, half a gzip file: %v", f.name, err)
		}
		if _, err := f.read(bytes.NewReader(short[:2])); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s, two bytes of a gzip file: %v", f.name, err)
		}
		short[len(short)-5]++ // the check sum
		if _, err := f.read(bytes.NewReader(short)); !errors.Is(err, gzip.ErrChecksum) {
			t.Errorf("%s, damaged gzip file: %v", f.name, err)
		}
		if _, err := f.read(stuck{}); !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("%s, reader that never reads: %v", f.name, err)
		}
	}
}

// A comment that is cut off does not end its line, so the row is not delivered.
func TestCutOffCommentIsNoEndOfLine(t *testing.T) {
	broken := errors.New("broken cable")
	s := rowsLIBSVM(io.MultiReader(strings.NewReader("1 1:1 # note"), iotest.ErrReader(broken)), nil)
	for x := range s.All() {
		t.Errorf("delivered %v", x)
	}
	if !errors.Is(s.Err(), broken) {
		t.Error(s.Err())
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestStreamLabels(t *testing.T) {
	read := func(l dataset.Labels, labels ...string) (y []float64, err error) {
		s := rowsCSV(strings.NewReader("a,b\n1,"+strings.Join(labels, "\n1,")+"\n"), &dataset.CSVOptions{Labels: l})
		for _, v := range s.All() {
			y = append(y, v)
		}
		return y, s.Err()
	}
	for _, c := range []struct {
		l      dataset.Labels
		labels []string
		want   string
	}{
		{dataset.Labels{}, []string{"+1", "-1", "1"}, "[1 -1 1]"},
		{dataset.Labels{}, []string{"1.0", "-1.0", "1.0"}, "[1 -1 1]"},
		{dataset.Labels{Positive: "1"}, []string{"+1", "-1", "1.0"}, "[1 -1 1]"},
		{dataset.Labels{}, []string{"0", "1"}, "[-1 1]"},
		{dataset.Labels{Positive: "spam"}, []string{"spam", "ham", "x"}, "[1 -1 -1]"},
		{dataset.Labels{Classes: []string{"2", "1"}}, []string{"1", "2"}, "[1 -1]"},
		{dataset.Labels{Classes: []string{"a", "b", "c"}}, []string{"c", "a"}, "[2 0]"},
		{dataset.Labels{Task: dataset.Regression}, []string{"0.5", "7"}, "[0.5 7]"},
	} {
		if y, err := read(c.l, c.labels...); err != nil || fmt.Sprint(y) != c.want {
			t.Errorf("%+v, %v: %v, %v", c.l, c.labels, y, err)
		}
	}
	var e *dataset.ParseError
	if _, err := read(dataset.Labels{}, "1", "2"); !errors.Is(err, dataset.ErrLabel) || !errors.As(err, &e) || e.Line != 3 || e.Column != 3 || e.Text != "2" {
		t.Errorf("label 2: %v", err)
	}
	if _, err := read(dataset.Labels{}, "0", "1", "-1"); !errors.Is(err, dataset.ErrLabelMixed) {
		t.Errorf("labels 0 and -1: %v", err)
	}
	if _, err := read(dataset.Labels{Classes: []string{"a", "b"}}, "a", "d"); !errors.Is(err, svmkit.ErrNoClass) {
		t.Errorf("label that is no class: %v", err)
	}
	s := rowsCSV(strings.NewReader("a,b,y\n1,?,1\n1,2,0\nNA,1,1\n"), &dataset.CSVOptions{SkipMissing: true})
	for range s.All() {
	}
	if s.Skipped() != 2 || fmt.Sprint(s.Features()) != "[a b]" {
		t.Errorf("skipped %d rows, features %v, %v", s.Skipped(), s.Features(), s.Err())
	}
	if s := rowsLIBSVM(strings.NewReader("1 1:1"), &dataset.LIBSVMOptions{Dim: -1}); s.Err() == nil || s.Dim() != 0 || s.Features() != nil {
		t.Errorf("bad parameter: %v", s.Err())
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, f := range formats(50, 3) {
		want, _ := f.read(strings.NewReader(f.text))
		for name, content := range map[string][]byte{"plain.txt": []byte(f.text), "packed": zipped(f.text)} {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			if got, err := dataset.ReadFile(context.Background(), path, nil); err != nil || !equal(got, want) {
				t.Errorf("%s, %s: %v", f.name, name, err)
			}
			s, err := dataset.Open(context.Background(), path, &dataset.Options{Labels: dataset.Labels{Positive: "-1"}})
			if err != nil {
				t.Fatal(err)
			}
			for _, y := range s.All() {
				if y != -want.Y[0] {
					t.Errorf("%s: the option Positive is lost", f.name)
				}
				break
			}
			if err := s.Close(); err != nil || s.Close() != nil {
				t.Error("closing twice", err)
			}
			for range s.All() {
				t.Error("a row of a closed file")
			}
		}
	}
	if _, err := dataset.ReadFile(context.Background(), filepath.Join(dir, "none"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	path := filepath.Join(dir, "bad.csv")
	os.WriteFile(path, []byte("1,2,2\n1,x,3\n"), 0o600)
	var e *dataset.ParseError
	if _, err := dataset.ReadFile(context.Background(), path, nil); !errors.As(err, &e) || e.Name != "bad.csv" || e.Line != 2 {
		t.Errorf("bad file: %v", err)
	}
	for text, libsvm := range map[string]bool{"# c\n\n1\n1 3:5 # x\n-1 1:2\n": true, "1 qid:1 1:1\n": true,
		"1,2\n3,4\n": false, "a b,c d\n1,2\n": false, "12:30 1,2\n": false, "a;1:2\n": false} {
		_, err := dataset.Read(context.Background(), strings.NewReader(text), nil)
		s := fmt.Sprint(err)
		if isLIBSVM := err == nil && strings.Contains(text, ":") || errors.Is(err, dataset.ErrQueryID); isLIBSVM != libsvm {
			t.Errorf("%q taken for LIBSVM: %v (%v)", text, isLIBSVM, s)
		}
	}
}

// A value that is no number is refused by its place, in the first line as in any other.
func TestBadValueInTheFirstLine(t *testing.T) {
	for _, value := range []string{"nan", "inf", "x", "", "1e"} {
		for line, text := range []string{"1 1:" + value + "\n-1 1:2\n", "-1 1:2\n1 1:" + value + "\n"} {
			_, err := dataset.Read(context.Background(), strings.NewReader(text), nil)
			var e *dataset.ParseError
			if !errors.As(err, &e) || e.Line != line+1 || e.Column < 3 {
				t.Errorf("%q: %v, want line %d and the column of the value", text, err, line+1)
			}
		}
	}
}

// allocated returns the bytes that f allocates: more than it ever holds at one time.
func allocated(f func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

func TestReadingNeedsTheMemoryOfTheNumbers(t *testing.T) {
	// An eighth of slack in the blocks, twice the labels (joined at the end), and the lengths
	// of sparse rows; the constant is the window, one label block and the first small blocks.
	const slack, perRow, constant = 1.25, 48 + 2*8 + 12, 500_000
	const n, d = 20_000, 12
	for _, f := range formats(n, d) {
		numbers := float64(n * d * 8)
		if f.name == "LIBSVM" {
			numbers = n * d * 12
		}
		var err error
		got := allocated(func() { _, err = f.read(strings.NewReader(f.text)) })
		if limit := slack*numbers + perRow*n + constant; err != nil || got > limit {
			t.Errorf("%s: %.0f bytes for %.0f bytes of numbers, at most %.0f; %v", f.name, got, numbers, limit, err)
		}
	}
}

func TestHugeIndexAllocatesNothing(t *testing.T) {
	got := allocated(func() {
		readLIBSVM(strings.NewReader("1 1152921504606846976:1\n"), nil)
		readLIBSVM(strings.NewReader("1 2147483647:1\n-1 1:1\n"), nil)
	})
	if got > 1_000_000 {
		t.Errorf("%.0f bytes", got)
	}
}

func TestStreamMemoryIsConstant(t *testing.T) {
	for _, f := range formats(20_000, 8) {
		s, n := f.rows(strings.NewReader(f.text)), 0
		var early, late runtime.MemStats
		for range s.All() {
			switch n++; n {
			case 1000:
				runtime.GC()
				runtime.ReadMemStats(&early)
			case 20_000:
				runtime.GC()
				runtime.ReadMemStats(&late)
			}
		}
		if grown := int64(late.HeapAlloc) - int64(early.HeapAlloc); n != 20_000 || grown > 200_000 {
			t.Errorf("%s: after %d rows the heap has grown by %d bytes, %v", f.name, n, grown, s.Err())
		}
	}
}

// newNames is a text of rows whose labels are all different names, but for every thousandth, which
// is "spam".
type newNames struct {
	k, n int
	row  string // with %s for the label
	rest []byte
}

func (r *newNames) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		for r.rest = r.rest[:0]; r.k < r.n && len(r.rest) < 1<<15; r.k++ {
			label := fmt.Sprint("name", r.k)
			if r.k%1000 == 0 {
				label = "spam"
			}
			r.rest = fmt.Appendf(r.rest, r.row, label)
		}
		if len(r.rest) == 0 {
			return 0, io.EOF
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// With one class named, all other names are −1, however many there are: none of them is kept for
// long.
func TestStreamMemoryIsConstantForAnyNames(t *testing.T) {
	const n, most = 2_000_000, 8 << 20
	labels := dataset.Labels{Positive: "spam"}
	for name, s := range map[string]*dataset.Stream{
		"CSV":    rowsCSV(&newNames{n: n, row: "1,%s\n"}, &dataset.CSVOptions{Labels: labels}),
		"LIBSVM": rowsLIBSVM(&newNames{n: n, row: "%s 1:1\n"}, &dataset.LIBSVMOptions{Labels: labels}),
	} {
		var now runtime.MemStats
		k := 0
		for _, y := range s.All() {
			if want := k%1000 == 0; (y == 1) != want || y != 1 && y != -1 {
				t.Fatalf("%s: row %d has label %g", name, k, y)
			}
			if k++; k%(n/4) == 0 {
				runtime.GC()
				if runtime.ReadMemStats(&now); now.HeapAlloc > most {
					t.Fatalf("%s: after %d rows the heap has %d bytes", name, k, now.HeapAlloc)
				}
			}
		}
		if s.Err() != nil || k != n {
			t.Errorf("%s: %d rows, %v", name, k, s.Err())
		}
	}
}

// lineOf is a text of any length: one row of many columns.
func lineOf(columns int) io.Reader {
	return io.MultiReader(strings.NewReader("-1 1:0\n1 "), &pairText{n: columns}, strings.NewReader("#"), &pairText{n: columns})
}

type pairText struct {
	k, n int
	rest []byte
}

func (p *pairText) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		if p.k == p.n {
			return 0, io.EOF
		}
		p.k++
		p.rest = fmt.Appendf(nil, "%d:%d ", p.k, p.k)
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

func TestVeryLongLine(t *testing.T) {
	const columns = 200_000 // some 2.7 MB of numbers and as much of a comment
	set, err := readLIBSVM(lineOf(columns), nil)
	if err != nil || set.Dim != columns || len(set.X[1].Value) != columns || set.X[1].At(columns-1) != columns {
		t.Fatal(err)
	}
}

func BenchmarkRead(b *testing.B) {
	for _, f := range formats(20_000, 20) {
		b.Run(f.name, func(b *testing.B) {
			b.SetBytes(int64(len(f.text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := f.read(strings.NewReader(f.text)); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(f.name+"Rows", func(b *testing.B) {
			b.SetBytes(int64(len(f.text)))
			b.ReportAllocs()
			for b.Loop() {
				for range f.rows(strings.NewReader(f.text)).All() {
				}
			}
		})
	}
}

// Rows reads either format, and knows the classes as soon as a row has told them.
func TestRowsKnowsTheClasses(t *testing.T) {
	for _, c := range []struct {
		text   string
		labels *dataset.Options
		want   string // after each row
	}{
		{"1 1:1\n-1 1:2\n", nil, "[] [-1 1]"},
		{"1,1\n2,0\n", nil, "[] [0 1]"},
		{"1,ham\n2,spam\n", &dataset.Options{Labels: dataset.Labels{Positive: "ham"}}, "[not ham ham] [not ham ham]"},
		{"2 1:1\n1 1:1\n", &dataset.Options{Labels: dataset.Labels{Classes: []string{"1", "2"}}}, "[1 2] [1 2]"},
		{"2,0\n", &dataset.Options{Labels: dataset.Labels{Task: dataset.Regression}}, "[]"},
	} {
		s := dataset.Rows(context.Background(), strings.NewReader(c.text), c.labels)
		var got []string
		for range s.All() {
			got = append(got, fmt.Sprint(s.Classes()))
		}
		if strings.Join(got, " ") != c.want || s.Err() != nil {
			t.Errorf("%q: %v, want %s, %v", c.text, got, c.want, s.Err())
		}
	}
	if s := dataset.Rows(context.Background(), nil, &dataset.Options{Labels: dataset.Labels{Task: -1}}); s.Err() == nil || s.Classes() != nil {
		t.Errorf("a bad parameter: %v", s.Err())
	}
}

// The first row of a pipe is there as soon as its line is, whatever comes later.
func TestRowsDoesNotWaitForMoreThanALine(t *testing.T) {
	for _, text := range []string{"1 1:5\n", "# remark\n\n1 2:3\n", "5,1\n"} {
		r, w := io.Pipe()
		written := make(chan struct{})
		go func() { // one byte at a time: who reads on after the line waits for ever
			for k := range text {
				w.Write([]byte(text[k : k+1]))
			}
			close(written)
		}()
		for range dataset.Rows(context.Background(), r, nil).All() {
			break
		}
		r.Close()
		<-written
	}
}
