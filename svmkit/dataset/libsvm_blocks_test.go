package dataset_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

// manyLines is a text of many blocks: lines of every length, some longer than a block, and numbers
// in every form.
func manyLines(seed uint64, lines int) []string {
	rng := rand.New(rand.NewPCG(seed, 0))
	forms := []byte{'g', 'e', 'f'}
	text := make([]string, lines)
	for i := range text {
		var b strings.Builder
		b.WriteString([]string{"+1", "-1", "1", "1.0e0"}[rng.IntN(4)])
		column, most := 0, rng.IntN(20)
		if i == lines*2/3 {
			most = 30_000 // 300 KB: longer than a block
		}
		for range most {
			column += 1 + rng.IntN(50)
			v := rng.NormFloat64() * []float64{1, 1e-3, 1e5, 1e-300}[rng.IntN(4)]
			b.WriteString([]string{" ", "  ", "\t"}[rng.IntN(3)] + strconv.Itoa(column) + ":" + strconv.FormatFloat(v, forms[rng.IntN(3)], rng.IntN(22)-1, 64))
		}
		b.WriteString([]string{"", " ", "\r", " \t\r"}[rng.IntN(4)])
		text[i] = b.String()
	}
	return text
}

// readRows reads row by row, as a stream does.
func readRows(text string, opt *dataset.LIBSVMOptions) (*svmkit.Dataset, error) {
	s := rowsLIBSVM(strings.NewReader(text), opt)
	set := &svmkit.Dataset{}
	for x, y := range s.All() {
		set.X, set.Y = append(set.X, x), append(set.Y, y)
	}
	set.Dim = s.Dim()
	return set, s.Err()
}

// Blocks in parallel and parsing row by row agree in every bit, whatever the lines hold, however
// the text arrives and on any number of processors.
func TestBlocksEqualRowByRow(t *testing.T) {
	lines := manyLines(1, 6_000)
	with := func(at int, line string) string {
		changed := append([]string(nil), lines...)
		changed[at] = line
		return strings.Join(changed, "\n") + "\n"
	}
	opt := &dataset.LIBSVMOptions{Labels: dataset.Labels{Classes: []string{"-1", "1"}}}
	for name, text := range map[string]string{
		"common":        with(0, "1 1:1"),
		"no last end":   strings.Join(lines, "\n"),
		"comment":       with(2_000, "1 1:2 3:4 # 5:6"),
		"empty lines":   with(2_000, "\n\n \n"),
		"only a label":  with(5_999, "-1"),
		"infinite":      with(2_000, "1 7:1e999"),
		"order":         with(2_000, "1 7:1 7:2"),
		"comment first": "# 1:2\n" + with(5_000, "1 7:1 7:2"),
		"second word":   with(5_000, "1 7:1 x"),
		"unknown label": with(1_000, "2 7:1"),
		"bad label":     with(5_999, "1x 7:1"),
		"no label":      with(10, "7:1"),
		"column 0":      with(3_000, "1 0:1"),
		"huge column":   with(3_000, "1 2147483648:1"),
		"long number":   with(3_000, "1 5:0."+strings.Repeat("1", 70_000)),
		"control":       with(3_000, "1 5:1\x00"),
		"return":        with(3_000, "1 5:1\r6:1"),
		"blank, return": with(3_000, "1 5:1 \r6:1"),
	} {
		want, wantErr := readRows(text, opt)
		for _, threads := range []int{1, 3} {
			before := runtime.GOMAXPROCS(threads)
			got, err := readLIBSVM(strings.NewReader(text), opt)
			runtime.GOMAXPROCS(before)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("%s, %d threads: %v, want %v", name, threads, err, wantErr)
				continue
			}
			if err != nil {
				continue
			}
			if got.Classes = nil; !equal(got, want) {
				t.Errorf("%s, %d threads: another set", name, threads)
			}
		}
	}
}

// A reader that fails after many blocks: its error comes with the line that it struck, and the rows
// before are not taken for the whole.
func TestBlocksReportTheReadersError(t *testing.T) {
	text := strings.Join(manyLines(2, 3_000), "\n")
	for _, cut := range []int{300_000, 300_001, len(text)} {
		broken := errors.New("disk")
		_, err := readLIBSVM(iotest.DataErrReader(&cutOff{strings.NewReader(text[:cut]), broken}), nil)
		var e *dataset.ParseError
		if !errors.Is(err, broken) || !errors.As(err, &e) || e.Line != strings.Count(text[:cut], "\n")+1 {
			t.Errorf("cut at %d, line %d: %v", cut, strings.Count(text[:cut], "\n")+1, err)
		}
	}
}

// cutOff is a reader with an error at its end.
type cutOff struct {
	text *strings.Reader
	err  error
}

func (c *cutOff) Read(b []byte) (int, error) {
	n, err := c.text.Read(b)
	if err != nil {
		err = c.err
	}
	return n, err
}

func FuzzNumber(f *testing.F) {
	for _, s := range []string{"0.1", "9007199254740993", "1234567890123456789", "0.1234567890123456789", "9.9999999999999999e22", "18446744073709551615", "4503599627370497.5", "1e-5", "-0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := strconv.ParseFloat(s, 64)
		set, e := readLIBSVM(strings.NewReader("1 1:"+s+"\n-1 1:1\n"), nil)
		if e != nil {
			return // what is no number here is none of this test's business
		}
		if err != nil || set.Len() != 2 || len(set.X[0].Value) != 1 {
			if strings.ContainsAny(s, " \t\r\n#") {
				return
			}
			t.Fatalf("%q: %v", s, err)
		}
		if got := set.X[0].Value[0]; got != want {
			t.Fatalf("%q: %v, want %v", s, got, want)
		}
	})
}

// The paths of decimal, on numbers of 1 to 19 digits with the point anywhere.
func TestNumbersAreTheNearest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	var text strings.Builder
	var want []float64
	for range 100_000 {
		digits := strconv.FormatUint(rng.Uint64()>>rng.IntN(64), 10)
		point := rng.IntN(len(digits) + 1)
		s := digits[:point] + "." + digits[point:]
		if rng.IntN(4) == 0 {
			s = "." + strings.Repeat("0", rng.IntN(8)) + digits
		}
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, v)
		text.WriteString("1 1:" + s + "\n")
	}
	text.WriteString("-1 1:0\n")
	set, err := readLIBSVM(strings.NewReader(text.String()), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range want {
		if set.X[i].Value[0] != v {
			t.Fatalf("row %d: %v, want %v", i, set.X[i].Value[0], v)
		}
	}
}
