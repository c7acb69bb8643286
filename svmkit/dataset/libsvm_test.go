package dataset_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"pgregory.net/rapid"
)

func sparse(pairs ...float64) svmkit.Row {
	x := svmkit.Row{Index: []int32{}}
	for k := 0; k < len(pairs); k += 2 {
		x.Index = append(x.Index, int32(pairs[k]))
		x.Value = append(x.Value, pairs[k+1])
	}
	return x
}

func TestReadLIBSVM(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		opt  *dataset.LIBSVMOptions
		want *svmkit.Dataset
	}{
		"plain": {"+1 1:0.5 3:-2\n-1 2:1e-3\n", nil, &svmkit.Dataset{Dim: 3, Classes: []string{"-1", "1"},
			X: []svmkit.Row{sparse(0, 0.5, 2, -2), sparse(1, 0.001)}, Y: []float64{1, -1}}},
		"comments, blanks, CRLF, BOM, no last newline": {
			"\xef\xbb\xbf# head\r\n\r\n 1\t1:1  # note 5:x\r\n\n0 #3:1\n#end\n1 2:+.5#x", nil,
			&svmkit.Dataset{Dim: 2, Classes: []string{"0", "1"}, Y: []float64{1, -1, 1},
				X: []svmkit.Row{sparse(0, 1), sparse(), sparse(1, 0.5)}}},
		"one and two": {"2 1:1\n1 1:2", nil, &svmkit.Dataset{Dim: 1, Classes: []string{"1", "2"},
			X: []svmkit.Row{sparse(0, 1), sparse(0, 2)}, Y: []float64{1, -1}}},
		"three classes in numeric order": {"10 1:1\n9 1:1\n-3 1:1\n", &dataset.LIBSVMOptions{Labels: dataset.Labels{Task: dataset.Classification}}, &svmkit.Dataset{Dim: 1, Classes: []string{"-3", "9", "10"},
			X: []svmkit.Row{sparse(0, 1), sparse(0, 1), sparse(0, 1)}, Y: []float64{2, 1, 0}}},
		"names": {"spam 1:1\nham 2:1\n", nil, &svmkit.Dataset{Dim: 2, Classes: []string{"ham", "spam"},
			X: []svmkit.Row{sparse(0, 1), sparse(1, 1)}, Y: []float64{1, -1}}},
		"regression by rule": {"1.5 1:1\n2 1:1\n", nil, &svmkit.Dataset{Dim: 1, Y: []float64{1.5, 2},
			X: []svmkit.Row{sparse(0, 1), sparse(0, 1)}}},
		"regression by option": {"1 1:1\n2 1:1\n", &dataset.LIBSVMOptions{Labels: dataset.Labels{Task: dataset.Regression}},
			&svmkit.Dataset{Dim: 1, Y: []float64{1, 2}, X: []svmkit.Row{sparse(0, 1), sparse(0, 1)}}},
		"dummy labels": {"0 1:1\n0 2:1\n", nil, &svmkit.Dataset{Dim: 2, Y: []float64{0, 0},
			X: []svmkit.Row{sparse(0, 1), sparse(1, 1)}}},
		"dim": {"1 1:1\n-1 1:1\n", &dataset.LIBSVMOptions{Dim: 7}, &svmkit.Dataset{Dim: 7, Classes: []string{"-1", "1"}, Y: []float64{1, -1},
			X: []svmkit.Row{sparse(0, 1), sparse(0, 1)}}},
		"zero-based": {"1 0:1 1:2\n-1 0:0\n", &dataset.LIBSVMOptions{ZeroBased: true}, &svmkit.Dataset{Dim: 2, Classes: []string{"-1", "1"},
			Y: []float64{1, -1}, X: []svmkit.Row{sparse(0, 1, 1, 2), sparse(0, 0)}}},
		"qid": {"1 qid:3 1:1\n-1 qid:4 1:2\n", &dataset.LIBSVMOptions{SkipQID: true}, &svmkit.Dataset{Dim: 1, Classes: []string{"-1", "1"},
			Y: []float64{1, -1}, X: []svmkit.Row{sparse(0, 1), sparse(0, 2)}}},
		"largest index": {"1 2147483647:1\n-1 1:1", nil, &svmkit.Dataset{Dim: math.MaxInt32, Classes: []string{"-1", "1"},
			Y: []float64{1, -1}, X: []svmkit.Row{sparse(math.MaxInt32-1, 1), sparse(0, 1)}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := readLIBSVM(strings.NewReader(c.text), c.opt)
			if err != nil || !equal(got, c.want) || got.Validate() != nil {
				t.Errorf("got %+v, %v\nwant %+v", got, err, c.want)
			}
		})
	}
}

// parseCase is a text that must be refused, where and why.
type parseCase struct {
	text         string
	line, column int
	cause        error
}

func (c parseCase) check(t *testing.T, err error) {
	t.Helper()
	var e *dataset.ParseError
	if !errors.As(err, &e) || !errors.Is(err, c.cause) {
		t.Errorf("%q: error %v, want %v", c.text, err, c.cause)
	} else if e.Line != c.line || e.Column != c.column || e.Name != "name" || len(e.Text) > 50 {
		t.Errorf("%q: %v (column %d), want line %d, column %d", c.text, err, e.Column, c.line, c.column)
	}
}

var libsvmErrors = []parseCase{
	{"", 0, 0, svmkit.ErrEmpty},
	{"# nothing\n\n", 0, 0, svmkit.ErrEmpty},
	{"1\n-1\n", 0, 0, svmkit.ErrNoColumns},
	{"1 0:1", 1, 3, dataset.ErrColumn},
	{"1 -1:1", 1, 3, dataset.ErrColumn},
	{"1 2147483648:1", 1, 3, dataset.ErrColumn},
	{"1 1152921504606846976:1", 1, 3, dataset.ErrColumn}, // 2⁶⁰
	{"1 1:1 18446744073709551618:1", 1, 7, dataset.ErrColumn},
	{"1 1:1\n-1 2:1 1:1\n", 2, 8, dataset.ErrOrder},
	{"1 1:1\r\n\r\n-1 2:1 2:1\n", 3, 8, dataset.ErrOrder},
	{"1 1:x", 1, 5, dataset.ErrNotNumber},
	{"1 1:1,5", 1, 5, dataset.ErrNotNumber},
	{"1 1:0x10", 1, 5, dataset.ErrNotNumber},
	{"1 1:", 1, 5, dataset.ErrMissing},
	{"1 1:NA", 1, 5, dataset.ErrMissing},
	{"1 1: 2:5", 1, 5, dataset.ErrMissing},
	{"1 1:\t# 5", 1, 5, dataset.ErrMissing},
	{"1 1: \n5 1:1", 1, 5, dataset.ErrMissing},
	{"1 1: NA", 1, 6, dataset.ErrMissing},
	{"1 1: x 2:1", 1, 6, dataset.ErrNotNumber},
	{"1 1:\r5\n", 1, 6, dataset.ErrReturn},
	{"1 1 :5", 1, 3, dataset.ErrPair},
	{"? 1:1", 1, 1, dataset.ErrNoLabel},
	{"-1 1:1\n1:1 2:1", 2, 1, dataset.ErrLineWithoutLabel},
	{"0:1 1:1", 1, 1, dataset.ErrLineWithoutLabel}, // index 0, or a label with a weight
	{"1:1", 1, 1, dataset.ErrLineWithoutLabel},
	{"1:0.5 1:1", 1, 1, dataset.ErrLabelWeight},
	{"3:2 1:1", 1, 1, dataset.ErrLabelWeight},
	{"-1:0.5 1:1", 1, 1, dataset.ErrLabelWeight},
	{"2.5:0.5 7:1", 1, 1, dataset.ErrLabelWeight},
	{"# Generated by dump_svmlight_file from scikit-learn 1.2.1\n# Column indices are zero-based\n1 1:1", 2, 0, dataset.ErrZeroBased},
	{"1 1:nan", 1, 5, dataset.ErrMissing},
	{"1 1:-inf", 1, 5, svmkit.ErrNotFinite},
	{"1 1:1e999", 1, 5, svmkit.ErrNotFinite},
	{"1\t1:1 abc", 1, 7, dataset.ErrPair},
	{"1 1:1 5", 1, 7, dataset.ErrPair},
	{"1 1:1 :5", 1, 7, dataset.ErrPair},
	{"1 1:1 x:5", 1, 7, dataset.ErrPair},
	{"1 1:1:2", 1, 5, dataset.ErrNotNumber},
	{"1 1:1 \x002:1", 1, 7, dataset.ErrPair},
	{"\x00", 1, 1, dataset.ErrPair},
	{"1 qid:3 1:1", 1, 3, dataset.ErrQueryID},
	{"1 1:1\r2:1\n", 1, 7, dataset.ErrReturn},
	{"1\r1:1\n", 1, 3, dataset.ErrReturn},
	{"1:1 2:1", 1, 1, dataset.ErrMissing},
	{"1,2 2:1", 1, 1, dataset.ErrNotNumber},
	{"nan 2:1", 1, 1, dataset.ErrMissing},
	{"inf 2:1", 1, 1, svmkit.ErrNotFinite},
	{"\xff\xfe1\x00", 1, 1, dataset.ErrEncoding},
	{"1 1:1\n1 1:" + strings.Repeat("1", 1<<17), 2, 3, dataset.ErrTooLong},
	{"\xef\xbb\xbf1 1:ä" + strings.Repeat("ä", 1000), 1, 5, dataset.ErrNotNumber},
}

func TestLIBSVMErrorsNameThePlace(t *testing.T) {
	for _, c := range libsvmErrors {
		_, err := readLIBSVM(strings.NewReader(c.text), &dataset.LIBSVMOptions{Name: "name"})
		c.check(t, err)
	}
	_, err := readLIBSVM(strings.NewReader("1 3:1"), &dataset.LIBSVMOptions{Name: "name", Dim: 2})
	parseCase{"Dim 2", 1, 3, dataset.ErrColumn}.check(t, err)
	_, err = readLIBSVM(strings.NewReader("1 3:1 qid:1"), &dataset.LIBSVMOptions{Name: "name", SkipQID: true})
	parseCase{"qid at the end", 1, 7, dataset.ErrQueryID}.check(t, err)
	_, err = readLIBSVM(strings.NewReader("1 1:1\n-1 x:1"), &dataset.LIBSVMOptions{Name: "a9a"})
	if want := `svmkit: a9a, line 2, byte 4: not of the form index:value: "x:1"`; err == nil || err.Error() != want {
		t.Errorf("message %q, want %q", err, want)
	}
	for _, dim := range []int64{-1, math.MaxInt32 + 1} { // both negative where an int has 32 bits
		if _, err := readLIBSVM(strings.NewReader("1 1:1"), &dataset.LIBSVMOptions{Dim: int(dim)}); !errors.As(err, new(*svmkit.ParamError)) {
			t.Errorf("Dim %d: %v", dim, err)
		}
	}
}

// anyFloat draws every finite float64, −0 and subnormals among them.
var anyFloat = rapid.Custom(func(t *rapid.T) float64 {
	v := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
	if math.IsNaN(v) || math.IsInf(v, 0) {
		v = rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, -0.1}).Draw(t, "v")
	}
	return v
})

// drawSet draws a set as a reader would return it, of dense or sparse rows.
func drawSet(t *rapid.T, dense bool) *svmkit.Dataset {
	n, d := rapid.IntRange(2, 12).Draw(t, "n"), rapid.IntRange(1, 6).Draw(t, "d")
	set := &svmkit.Dataset{Dim: d, X: make([]svmkit.Row, n), Y: make([]float64, n)}
	switch rapid.IntRange(0, 2).Draw(t, "labels") {
	case 0:
		set.Y = rapid.SliceOfN(anyFloat, n, n).Draw(t, "y")
	case 1:
		set.Classes = []string{"a", "b"}
		for i := range set.Y {
			set.Y[i] = float64(2*(i%2) - 1)
		}
	case 2:
		set.Classes = []string{"-1.5", "3", "20"}
		for i := range set.Y {
			set.Y[i] = float64(i % 3)
		}
	}
	for i := range set.X {
		if dense {
			set.X[i].Value = rapid.SliceOfN(anyFloat, d, d).Draw(t, "x")
			continue
		}
		set.X[i].Index = []int32{}
		for j := range d {
			if i == 0 && j == d-1 || rapid.Bool().Draw(t, "stored") {
				set.X[i].Index = append(set.X[i].Index, int32(j))
				set.X[i].Value = append(set.X[i].Value, anyFloat.Draw(t, "x"))
			}
		}
	}
	return set
}

// labelsOf returns the options with which set comes back as it was.
func labelsOf(set *svmkit.Dataset) dataset.Labels {
	if set.Classes == nil {
		return dataset.Labels{Task: dataset.Regression}
	}
	return dataset.Labels{Classes: set.Classes}
}

func TestLIBSVMRoundTripIsBitExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawSet(t, false)
		var text strings.Builder
		if err := dataset.WriteLIBSVM(&text, set); err != nil {
			t.Fatal(err)
		}
		got, err := readLIBSVM(strings.NewReader(text.String()), &dataset.LIBSVMOptions{Labels: labelsOf(set)})
		if err != nil || !equal(set, got) {
			t.Fatalf("%v\n%s\n%+v\n%+v", err, text.String(), set, got)
		}
	})
	dense := &svmkit.Dataset{X: svmkit.DenseRows([]float64{0, 1, math.Copysign(0, -1), 0}, 2), Y: []float64{1, -1}, Dim: 2}
	var text strings.Builder
	if err := dataset.WriteLIBSVM(&text, dense); err != nil || text.String() != "1 2:1\n-1 1:-0\n" {
		t.Errorf("dense rows become %q, %v", text.String(), err)
	}
}

func TestWritersRefuse(t *testing.T) {
	set := &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 2}, 1), Y: []float64{1, -1}, Dim: 1}
	for _, name := range []string{"", "a b", "a:b", "a,b", "#", "NA", "a\n", "\xff\xfea", "\x1f\x8b"} {
		set.Classes = []string{"x", name}
		if err := dataset.WriteLIBSVM(&strings.Builder{}, set); !errors.Is(err, dataset.ErrUnwritable) {
			t.Errorf("class %q: %v", name, err)
		}
	}
	set.Classes = []string{"x", ""}
	if err := dataset.WriteCSV(&strings.Builder{}, set); !errors.Is(err, dataset.ErrUnwritable) {
		t.Errorf("CSV, empty class: %v", err)
	}
	var param *svmkit.ParamError
	weighted := &svmkit.Dataset{X: set.X, Y: set.Y, Weight: []float64{1, 2}, Dim: 1}
	for _, write := range []error{dataset.WriteCSV(&strings.Builder{}, weighted), dataset.WriteLIBSVM(&strings.Builder{}, weighted)} {
		if !errors.As(write, &param) || param.Name != "Weight" {
			t.Errorf("weights: %v", write)
		}
	}
	set.Classes = []string{"x", "y", "z"}
	for _, write := range []error{dataset.WriteCSV(&strings.Builder{}, set), dataset.WriteLIBSVM(&strings.Builder{}, set)} {
		if !errors.Is(write, svmkit.ErrNoClass) {
			t.Errorf("label -1 of three classes: %v", write)
		}
	}
	if err := dataset.WriteCSV(failingWriter{}, &svmkit.Dataset{X: set.X, Y: set.Y, Dim: 1}); !errors.Is(err, errDisk) {
		t.Errorf("full disk: %v", err)
	}
}

var errDisk = errors.New("disk full")

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errDisk }

func TestLabelOptions(t *testing.T) {
	read := func(l dataset.Labels, labels ...string) (*svmkit.Dataset, error) {
		return readLIBSVM(strings.NewReader(strings.Join(labels, " 1:1\n")+" 1:1\n"), &dataset.LIBSVMOptions{Labels: l})
	}
	for name, c := range map[string]struct {
		l       dataset.Labels
		labels  []string
		y       []float64
		classes []string
	}{
		"order given":           {dataset.Labels{Classes: []string{"+1", "-1"}}, []string{"1", "-1", "1.0"}, []float64{-1, 1, -1}, []string{"+1", "-1"}},
		"three given, two seen": {dataset.Labels{Classes: []string{"c", "b", "a"}}, []string{"a", "c"}, []float64{2, 0}, []string{"c", "b", "a"}},
		"one seen of two given": {dataset.Labels{Classes: []string{"a", "b"}}, []string{"b", "b"}, []float64{1, 1}, []string{"a", "b"}},
		"positive of two":       {dataset.Labels{Positive: "ham"}, []string{"ham", "spam"}, []float64{1, -1}, []string{"spam", "ham"}},
		"positive of three":     {dataset.Labels{Positive: "+2"}, []string{"1", "2", "3"}, []float64{-1, 1, -1}, []string{"not 2", "2"}},
		"the rest by name":      {dataset.Labels{Classes: []string{"not 2", "2"}}, []string{"1", "2", "x"}, []float64{-1, 1, -1}, []string{"not 2", "2"}},
		"positive of many":      {dataset.Labels{Positive: "0.5"}, []string{"0.5", "2", "3.25"}, []float64{1, -1, -1}, []string{"not 0.5", "0.5"}},
		"names and numbers":     {dataset.Labels{}, []string{"b", "10", "9"}, []float64{2, 0, 1}, []string{"10", "9", "b"}},
		"late name":             {dataset.Labels{}, []string{"1", "1", "x"}, []float64{-1, -1, 1}, []string{"1", "x"}},
		"fractions are classes": {dataset.Labels{Task: dataset.Classification}, []string{"0.5", "0", "+0"}, []float64{1, -1, -1}, []string{"0", "0.5"}},
	} {
		set, err := read(c.l, c.labels...)
		if err != nil || !slices.Equal(set.Y, c.y) || !slices.Equal(set.Classes, c.classes) {
			t.Errorf("%s: %+v, %v", name, set, err)
		}
	}
	many := []string{}
	for i := range dataset.AutoClasses {
		many = append(many, string(rune('0'+i/10))+string(rune('0'+i%10)))
	}
	if set, err := read(dataset.Labels{}, many...); err != nil || len(set.Classes) != dataset.AutoClasses {
		t.Errorf("%d integers: %v, %v", len(many), set.Classes, err)
	}
	if set, err := read(dataset.Labels{}, append(many, "99")...); err != nil || set.Classes != nil {
		t.Errorf("one integer more: %v, %v", set.Classes, err)
	}
	if _, err := read(dataset.Labels{Classes: []string{"a", "b"}}, "a", "c"); !errors.Is(err, svmkit.ErrNoClass) {
		t.Errorf("label that is no class: %v", err)
	}
	if _, err := read(dataset.Labels{Positive: "x"}, "a", "c"); !errors.Is(err, svmkit.ErrNoClass) {
		t.Errorf("positive class that never occurs: %v", err)
	}
	if _, err := read(dataset.Labels{Task: dataset.Classification}, "1", "1"); !errors.Is(err, svmkit.ErrOneClass) {
		t.Errorf("one class: %v", err)
	}
	if _, err := read(dataset.Labels{Task: dataset.Regression}, "a"); !errors.Is(err, dataset.ErrNotNumber) {
		t.Errorf("name as target: %v", err)
	}
	for _, l := range []dataset.Labels{{Task: 3}, {Classes: []string{"a"}}, {Classes: []string{"1", "+1"}}, {Classes: []string{"a", ""}},
		{Positive: "a", Classes: []string{"a", "b"}}, {Task: dataset.Regression, Positive: "a"}} {
		if _, err := read(l, "1", "2"); !errors.As(err, new(*svmkit.ParamError)) {
			t.Errorf("%+v: %v", l, err)
		}
	}
}

// A class without rows does not keep a set from being written, whatever its name.
func TestClassWithoutRowsIsWritten(t *testing.T) {
	set, err := dataset.ReadLIBSVM(context.Background(), strings.NewReader("ham 1:1\nham 1:2\n"), nil)
	if err != nil || !slices.Equal(set.Classes, []string{"ham", svmkit.RestName("ham")}) {
		t.Fatal(set, err)
	}
	var b bytes.Buffer
	if err := dataset.WriteLIBSVM(&b, set); err != nil || b.String() != "ham 1:1\nham 1:2\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}
