package main

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/svm"
)

// threeClasses are models of every strategy, by hand: class k's machine looks at column k.
func threeClasses() map[string]*multiModel {
	classes := []string{"µ \"é\"\nend", "end", "c"}
	plane := func(k int) []float64 {
		w := []float64{math.Copysign(0, -1), 0, 0}
		w[k] = 1.0 / 3
		return w
	}
	models := map[string]*multiModel{}
	for _, strategy := range []string{oneVsRest, oneVsOne, crammerSinger} {
		m := &multiModel{strategy: strategy, classes: classes}
		for seat := range m.seats() {
			seat.Model = &svm.Model{Weights: plane(seat.positive), Bias: -0.1, Dim: 3, Classes: m.names(seat)}
			m.machines = append(m.machines, seat)
		}
		models[strategy] = m
	}
	m := &multiModel{strategy: oneVsRest, classes: classes}
	for seat := range m.seats() {
		seat.Model = &svm.Model{Kernel: kernel.RBF{Gamma: 0.5}, SV: []svmkit.Row{svmkit.Dense(plane(seat.positive)...)},
			Coef: []float64{1}, Rows: []int{seat.positive}, Bound: []bool{true}, Dim: 3, Classes: m.names(seat)}
		m.machines = append(m.machines, seat)
	}
	models["rbf"] = m
	return models
}

func multiFileText(t *testing.T, m *multiModel) string {
	t.Helper()
	var b bytes.Buffer
	if err := m.save(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMultiModelsComeBack(t *testing.T) {
	for name, m := range threeClasses() {
		text := multiFileText(t, m)
		for _, given := range []string{text, text + "\n \n", strings.ReplaceAll(text, "\n", "\r\n")} {
			got, err := loadMulti(strings.NewReader(given))
			if err != nil {
				t.Errorf("%s: %v\n%s", name, err, given)
				continue
			}
			if again := multiFileText(t, got); !reflect.DeepEqual(got, m) || again != text { // DeepEqual takes −0 for 0
				t.Errorf("%s: %+v came back as %+v", name, m, got)
			}
		}
	}
}

// Whatever is missing at the end, the file is no model, and says where it ends.
func TestTruncatedMultiModel(t *testing.T) {
	for name, m := range threeClasses() {
		text := multiFileText(t, m)
		for cut := range len(text) {
			_, err := loadMulti(strings.NewReader(text[:cut]))
			var parse *svm.ParseError
			if !errors.As(err, &parse) || !errors.Is(err, svm.ErrTruncated) {
				t.Fatalf("%s, cut at %d: %v\n%s", name, cut, err, text[:cut])
			}
			if want := strings.Count(text[:cut], "\n") + 1; parse.Line != want {
				t.Fatalf("%s, cut at %d: line %d, want %d", name, cut, parse.Line, want)
			}
		}
	}
}

func TestMalformedMultiModel(t *testing.T) {
	const model = "svmkit model 1\ntask classification\ndim 1\nclass \"not a\"\nclass \"a\"\nkernel linear\nbias 0\nweights\n1\nend\n"
	other := strings.NewReplacer(`not a`, `not b`, `"a"`, `"b"`).Replace(model)
	good := "svmkit multi 1\nstrategy ovr\nclasses 2\nclass \"a\"\nclass \"b\"\n" + model + other
	if _, err := loadMulti(strings.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		old, new string
		cause    error
		line     int
	}{
		{"multi 1", "multi 2", svm.ErrVersion, 1},
		{"multi 1", "multiply 1", svm.ErrMalformed, 1},
		{"ovr", "dag", svm.ErrMalformed, 2},
		{"strategy", "tactic", svm.ErrMalformed, 2},
		{"classes 2", "classes 1", svm.ErrMalformed, 3},
		{"classes 2", "classes -2", svm.ErrMalformed, 3},
		{"classes 2", "classes x", svm.ErrMalformed, 3},
		{"classes 2", "classes 3", svm.ErrMalformed, 6},
		{"classes 2", "classes 999999999999", svm.ErrMalformed, 6},
		{`class "a"`, `class a`, svm.ErrMalformed, 4},
		{`class "a"`, "class `a`", svm.ErrMalformed, 4},
		{`class "a"`, `class `, svm.ErrMalformed, 4},
		{`class "b"`, `class "a"`, svm.ErrMalformed, 5},
		{"svmkit model 1\n", "", svm.ErrMalformed, 6},
		{"svmkit model 1", "svmkit model 7", svm.ErrVersion, 6},
		{"dim 1", "dim 0", svm.ErrMalformed, 8},
		{"bias 0", "bias NaN", svmkit.ErrNotFinite, 12},
		{"weights\n1\n", "weights\n1\n2\n", svm.ErrMalformed, 15},
		{model + other, other + model, svm.ErrMalformed, 6},
		{other, model, svm.ErrMalformed, 16},
		{other, strings.NewReplacer("dim 1", "dim 2", "\n1\n", "\n1\n1\n").Replace(other), svm.ErrMalformed, 16},
		{"task classification\ndim 1\nclass \"not a\"\nclass \"a\"\n", "task regression\ndim 1\n", svm.ErrMalformed, 6},
		{model, "solver_type L2R_LR\n" + model, svm.ErrMalformed, 6},
		{other, other + other, svm.ErrMalformed, 26},
		{other, other + "\nx", svm.ErrMalformed, 27},
		{other, other + strings.Repeat("é", 1000), svm.ErrMalformed, 26},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		if text == good {
			t.Fatalf("%q is not in the file", c.old)
		}
		_, err := loadMulti(strings.NewReader(text))
		var parse *svm.ParseError
		if !errors.As(err, &parse) || !errors.Is(err, c.cause) || parse.Line != c.line || !utf8.ValidString(err.Error()) || len(err.Error()) > 200 {
			t.Errorf("%q for %q: %v, want line %d: %v", c.new, c.old, err, c.line, c.cause)
		}
	}
}

// The planes of Crammer–Singer have no class names that would tell them from a regression.
func TestRegressionIsNoPlane(t *testing.T) {
	text := multiFileText(t, threeClasses()[crammerSinger])
	_, err := loadMulti(strings.NewReader(strings.Replace(text, "classification", "regression", 1)))
	if !errors.Is(err, svm.ErrMalformed) || !strings.Contains(err.Error(), "machine 1 is a regression") {
		t.Error(err)
	}
}

// A model of several machines is no single model, and one machine after another is none either.
func TestSingleModelsStayStrict(t *testing.T) {
	text := multiFileText(t, threeClasses()[oneVsRest])
	if _, err := svm.Load(strings.NewReader(text)); !errors.Is(err, svm.ErrNotModel) {
		t.Error(err)
	}
	machines := text[strings.Index(text, "svmkit model 1"):]
	if _, err := svm.Load(strings.NewReader(machines)); !errors.Is(err, svm.ErrMalformed) {
		t.Error(err)
	}
}

// A reader that fails is not a file that ends, and its error is kept.
func TestMultiReaderError(t *testing.T) {
	text := multiFileText(t, threeClasses()[oneVsOne])
	for cut := 0; cut < len(text); cut += 7 {
		if _, err := loadMulti(&failing{strings.NewReader(text[:cut])}); !errors.Is(err, errBroken) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
}

type failing struct{ *strings.Reader }

func (f *failing) Read(p []byte) (int, error) {
	if f.Len() == 0 {
		return 0, errBroken
	}
	return f.Reader.Read(p)
}

// The file has its name in the message, and a model without one of its machines is not written.
func TestMultiFileOnDisk(t *testing.T) {
	name := file(t, "model", "svmkit multi 9\n")
	if _, _, err := (&app{ctx: t.Context()}).loadAny(name); err == nil || !strings.Contains(err.Error(), name+": line 1: ") {
		t.Error(err)
	}
	if _, _, err := (&app{ctx: t.Context()}).loadAny(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	m := threeClasses()[oneVsOne]
	m.machines = m.machines[:2]
	var b bytes.Buffer
	if err := m.save(&b); err == nil || b.Len() > 0 {
		t.Errorf("%v, %d bytes", err, b.Len())
	}
}

// By hand. The score of class k is a third of column k, less 0.1; in one-vs-one, the machine of
// (a, b) looks at column b only, so a positive entry there is a vote for b.
func TestDecide(t *testing.T) {
	rows := []svmkit.Row{svmkit.Dense(9, 1, 0), svmkit.Dense(0, 9, 1), svmkit.Dense(0, 0, 9), svmkit.Dense(0, 0, 0)}
	for strategy, want := range map[string][]int{
		oneVsRest:     {0, 1, 2, 0},
		crammerSinger: {0, 1, 2, 0},
		oneVsOne:      {1, 2, 2, 0}, // first row: 0–1 for 1, 0–2 for 0, 1–2 for 1
	} {
		class, scores := threeClasses()[strategy].decide(rows)
		if !reflect.DeepEqual(class, want) || len(scores) != 4 || len(scores[0]) != 3 {
			t.Errorf("%s: %v, want %v; scores %v", strategy, class, want, scores)
		}
	}
}

// A score that overflows to NaN is no class: "?", never right, and the rows around it are as ever.
func TestPredictOfNaNIsNoClass(t *testing.T) {
	const text = "0 1:1\n1 1:1.7e308 2:1.7e308 3:1.7e308\n1 2:1\n"
	for _, strategy := range []string{oneVsRest, oneVsOne, crammerSinger} {
		m := threeClasses()[strategy]
		m.classes = []string{"0", "1", "2"}
		for k := range m.machines {
			machine := m.machines[k]
			machine.Classes = m.names(machine)
			for j := range machine.Weights { // large ones of both signs: 1.7e308 in all columns has a score ∞ − ∞
				machine.Weights[j] = -6e3
			}
			machine.Weights[machine.positive] = 6e3
		}
		out, errs := must(t, text, "predict", "-scores", file(t, "model", multiFileText(t, m)), "-")
		lines := strings.Split(out, "\n")
		if !strings.HasPrefix(lines[0], "0 ") || !strings.HasPrefix(lines[1], "? ") || !strings.Contains(lines[1], "NaN") || !strings.HasPrefix(lines[2], "1 ") {
			t.Errorf("%s:\n%s", strategy, out)
		}
		if !strings.Contains(errs, "(2 of 3 rows)") {
			t.Errorf("%s: %s", strategy, errs)
		}
	}
}
