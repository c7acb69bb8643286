package modelfile_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
)

// classifiers are models for K classes of every strategy, by hand: the plane for class k is that of column k.
func classifiers() map[string]svmkit.Model {
	classes := multiclass.Classes{Count: 3, Names: []string{"µ \"é\"\nend", "end", "c"}}
	w := func(k int) []float64 {
		w := []float64{math.Copysign(0, -1), 0, 0}
		w[k] = 1.0 / 3
		return w
	}
	plane := func(k int, negative string) *svm.Model {
		return &svm.Model{Weights: w(k), Bias: -0.1, Dim: 3, Classes: []string{negative, classes.Names[k]}}
	}
	ovr, rbf := &multiclass.RestClassifier{Classes: classes}, &multiclass.RestClassifier{Classes: classes}
	ovo, cs := &multiclass.PairClassifier{Classes: classes}, &multiclass.Linear{Classes: classes}
	for k, name := range classes.Names {
		ovr.Models = append(ovr.Models, plane(k, "not "+name))
		rbf.Models = append(rbf.Models, &svm.Model{Kernel: kernel.RBF{Gamma: 0.5}, SV: []svmkit.Row{svmkit.Dense(w(k)...)},
			Coef: []float64{1}, Rows: []int{k}, Bound: []bool{true}, Dim: 3, Classes: []string{"not " + name, name}})
		cs.W, cs.B = append(cs.W, w(k)), append(cs.B, -0.1)
		for b := k + 1; b < 3; b++ {
			ovo.Models = append(ovo.Models, multiclass.PairModel{Negative: k, Positive: b, Scorer: plane(b, name)})
		}
	}
	return map[string]svmkit.Model{"ovr": ovr, "rbf": rbf, "ovo": ovo, "cs": cs}
}

func TestClassifiersComeBack(t *testing.T) {
	for name, m := range classifiers() {
		text := string(savedBy(t, m))
		for _, given := range []string{text, text + "\n \n", strings.ReplaceAll(text, "\n", "\r\n")} {
			got, err := modelfile.Load(strings.NewReader(given))
			if err != nil {
				t.Errorf("%s: %v\n%s", name, err, given)
				continue
			}
			if again := string(savedBy(t, got)); !reflect.DeepEqual(got, m) || again != text { // DeepEqual takes −0 for 0
				t.Errorf("%s: %+v came back as %+v", name, m, got)
			}
		}
	}
}

// What package multiclass has fitted comes back with the same scores, to the bit, with names and without.
func TestFittedClassifiersComeBack(t *testing.T) {
	fitter := func(k kernel.Kernel) svmkit.Fitter {
		return func(ctx context.Context, set *svmkit.Dataset) (svmkit.Model, error) {
			return svm.Fit(ctx, &svm.Problem{Data: set, Kernel: k}, nil, nil)
		}
	}
	named := samples.Iris()
	unnamed := *named
	unnamed.Classes = nil
	for _, set := range []*svmkit.Dataset{named, &unnamed} {
		ovr, err := multiclass.OneVsRest{Binary: fitter(nil)}.Fit(t.Context(), set)
		if err != nil {
			t.Fatal(err)
		}
		ovo, err := multiclass.OneVsOne{Binary: fitter(kernel.RBF{Gamma: 0.5})}.Fit(t.Context(), set)
		if err != nil {
			t.Fatal(err)
		}
		cs, err := multiclass.CrammerSinger{Data: set}.Fit(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []svmkit.Model{ovr, ovo, &cs.Linear} {
			got, err := modelfile.Load(bytes.NewReader(savedBy(t, c)))
			if err != nil {
				t.Fatalf("%T: %v", c, err)
			}
			for i, x := range set.X {
				if a, b := c.(multiclass.Classifier).ClassScores(x), got.(multiclass.Classifier).ClassScores(x); !reflect.DeepEqual(a, b) {
					t.Fatalf("%T, row %d: scores %v, loaded %v", c, i, a, b)
				}
			}
		}
	}
}

// Whatever is missing at the end, the file is no model, and says where it ends.
func TestTruncatedClassifier(t *testing.T) {
	for name, m := range classifiers() {
		text := string(savedBy(t, m))
		for cut := range len(text) {
			_, err := modelfile.Load(strings.NewReader(text[:cut]))
			line, want := strings.Count(text[:cut], "\n")+1, modelfile.ErrTruncated
			if line == 1 {
				want = modelfile.ErrNotModel // half a first line can be anything
			}
			var parse *modelfile.ParseError
			if !errors.As(err, &parse) || !errors.Is(err, want) || parse.Line != line {
				t.Fatalf("%s, cut at %d: %v, want line %d: %v\n%s", name, cut, err, line, want, text[:cut])
			}
		}
	}
}

func TestMalformedClassifier(t *testing.T) {
	const model = "svmkit model 1\ntask classification\ndim 1\nclass \"not a\"\nclass \"a\"\nkernel linear\nbias 0\nweights\n1\nend\n"
	other := strings.NewReplacer(`not a`, `not b`, `"a"`, `"b"`).Replace(model)
	good := "svmkit multi 1\nstrategy ovr\nclasses 2\nclass \"a\"\nclass \"b\"\n" + model + other
	if _, err := modelfile.Load(strings.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		old, new string
		cause    error
		line     int
	}{
		{"multi 1", "multi 2", modelfile.ErrVersion, 1},
		{"multi 1", "multiply 1", modelfile.ErrNotModel, 1},
		{"ovr", "dag", modelfile.ErrMalformed, 2},
		{"ovr", "ovr ovo", modelfile.ErrMalformed, 2},
		{"strategy", "tactic", modelfile.ErrMalformed, 2},
		{"classes 2", "classes 1", modelfile.ErrMalformed, 3},
		{"classes 2", "classes -2", modelfile.ErrMalformed, 3},
		{"classes 2", "classes x", modelfile.ErrMalformed, 3},
		{"classes 2", "classes 3", modelfile.ErrMalformed, 6},
		{"classes 2", "classes 2147483647", modelfile.ErrMalformed, 6},
		{"classes 2", "classes 999999999999", modelfile.ErrMalformed, 3},
		{`class "a"`, `class a`, modelfile.ErrMalformed, 4},
		{`class "a"`, "class `a`", modelfile.ErrMalformed, 4},
		{`class "a"`, `class `, modelfile.ErrMalformed, 4},
		{`class "b"`, `class "a"`, modelfile.ErrMalformed, 5},
		{"svmkit model 1\n", "", modelfile.ErrMalformed, 6},
		{"svmkit model 1", "svmkit model 7", modelfile.ErrVersion, 6},
		{"svmkit model 1", "svmkit multi 1", modelfile.ErrMalformed, 6},
		{"dim 1", "dim 0", modelfile.ErrMalformed, 8},
		{"bias 0", "bias NaN", svmkit.ErrNotFinite, 12},
		{"weights\n1\n", "weights\n1\n2\n", modelfile.ErrMalformed, 15},
		{model + other, other + model, modelfile.ErrMalformed, 6},
		{other, model, modelfile.ErrMalformed, 16},
		{other, strings.NewReplacer("dim 1", "dim 2", "\n1\n", "\n1\n1\n").Replace(other), modelfile.ErrMalformed, 16},
		{"task classification\ndim 1\nclass \"not a\"\nclass \"a\"\n", "task regression\ndim 1\n", modelfile.ErrMalformed, 6},
		{model, "solver_type L2R_LR\n" + model, modelfile.ErrMalformed, 6},
		{other, other + other, modelfile.ErrMalformed, 26},
		{other, other + "\nx", modelfile.ErrMalformed, 27},
		{other, other + strings.Repeat("é", 1000), modelfile.ErrMalformed, 26},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		if text == good {
			t.Fatalf("%q is not in the file", c.old)
		}
		_, err := modelfile.Load(strings.NewReader(text))
		var parse *modelfile.ParseError
		if !errors.As(err, &parse) || !errors.Is(err, c.cause) || parse.Line != c.line || !utf8.ValidString(err.Error()) || len(err.Error()) > 200 {
			t.Errorf("%q for %q: %v, want line %d: %v", c.new, c.old, err, c.line, c.cause)
		}
	}
}

// The planes of Crammer–Singer have no class names that would tell them from other models.
func TestPlanesAreHyperplanesOfClassification(t *testing.T) {
	text := string(savedBy(t, classifiers()["cs"]))
	for _, c := range []struct{ old, new, says string }{
		{"classification", "regression", "model 1 is a regression"},
		{"weights\n0.3333333333333333\n0\n0\n", "vectors 0\n", "model 1 is no hyperplane"},
		{"weights", "platt 1 0\nweights", "model 1 is no hyperplane"},
	} {
		changed := strings.Replace(text, c.old, c.new, 1)
		if _, err := modelfile.Load(strings.NewReader(changed)); !errors.Is(err, modelfile.ErrMalformed) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v", c.new, err)
		}
	}
}

// One model after another is no file without the head of a classifier.
func TestSingleModelsStayStrict(t *testing.T) {
	text := string(savedBy(t, classifiers()["ovr"]))
	models := text[strings.Index(text, "svmkit model 1"):]
	if _, err := modelfile.Load(strings.NewReader(models)); !errors.Is(err, modelfile.ErrMalformed) {
		t.Error(err)
	}
}

// A reader that fails is not a file that ends, and its error is kept.
func TestClassifierReaderError(t *testing.T) {
	text := string(savedBy(t, classifiers()["ovo"]))
	for cut := 0; cut < len(text); cut += 7 {
		r := io.MultiReader(strings.NewReader(text[:cut]), iotest.ErrReader(errFull))
		if _, err := modelfile.Load(r); !errors.Is(err, errFull) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
}

// What Load would refuse, or what no file can hold, is not written.
func TestSaveRefusesClassifiers(t *testing.T) {
	ovr := func(change func(*multiclass.RestClassifier)) svmkit.Model {
		c := classifiers()["ovr"].(*multiclass.RestClassifier)
		change(c)
		return c
	}
	ovo := classifiers()["ovo"].(*multiclass.PairClassifier)
	ovo.Models[0], ovo.Models[1] = ovo.Models[1], ovo.Models[0]
	few := classifiers()["ovo"].(*multiclass.PairClassifier)
	few.Models = few.Models[:2]
	cs := classifiers()["cs"].(*multiclass.Linear)
	cs.W[1] = cs.W[1][:2]
	infinite := classifiers()["cs"].(*multiclass.Linear)
	infinite.B[2] = math.Inf(1)
	var parameter *svmkit.ParamError
	var data *svmkit.DataError
	for name, c := range map[string]struct {
		m    svmkit.Model
		want any
	}{
		"nothing":                 {nil, &parameter},
		"a nil pointer":           {(*multiclass.Linear)(nil), &parameter},
		"a nil result":            {(*svm.Result)(nil), &parameter},
		"a plane":                 {svmkit.AsModel(svmkit.Hyperplane{}, nil), &parameter},
		"a class without rows":    {ovr(func(c *multiclass.RestClassifier) { c.Models[1] = nil }), &parameter},
		"a scorer of one's own":   {ovr(func(c *multiclass.RestClassifier) { c.Models[1] = svmkit.Hyperplane{W: []float64{1}} }), &parameter},
		"one model too many":      {ovr(func(c *multiclass.RestClassifier) { c.Models = append(c.Models, c.Models[0]) }), &parameter},
		"models of wrong classes": {ovr(func(c *multiclass.RestClassifier) { c.Models[0], c.Models[1] = c.Models[1], c.Models[0] }), &parameter},
		"equal names":             {ovr(func(c *multiclass.RestClassifier) { c.Names = []string{"a", "b", "a"} }), &parameter},
		"no classes":              {&multiclass.Linear{}, &parameter},
		"pairs out of order":      {ovo, &parameter},
		"a pair too few":          {few, &parameter},
		"planes of two lengths":   {cs, &parameter},
		"an infinite bias":        {infinite, &data},
	} {
		var b bytes.Buffer
		if err := modelfile.Save(&b, c.m); !errors.As(err, c.want) || b.Len() > 0 {
			t.Errorf("%s: %v, %d bytes; want a %T", name, err, b.Len(), c.want)
		}
	}
}

func TestMain(m *testing.M) { leaktest.Main(m) }
