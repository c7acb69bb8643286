package modelfile_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// learned is the largest difference of a score from scikit-learn's, relative to the largest score or 1: both add up
// the same products in another order.
const learned = 1e-10

// coupled is the largest difference of a probability: scikit-learn's LIBSVM iterates to it, for two classes too, until its
// conditions hold to 0.005/K (multiclass_probability in svm.cpp).
const coupled = 0.005 / 2

// The models of testdata/scikit-learn predict what scikit-learn predicted by them. It was version 1.2.1, by
// python3 scikit_learn.py scikit-learn svc-two-scaled svc-three linear-svr in the folder testdata.
// A test of the module tools lets scikit-learn train more models and names their folder in SVMKIT_SCIKIT_LEARN.
func TestModelsOfScikitLearn(t *testing.T) {
	if folder := os.Getenv("SVMKIT_SCIKIT_LEARN"); folder != "" {
		agreeWithScikitLearn(t, folder, 20)
		return
	}
	agreeWithScikitLearn(t, "testdata/scikit-learn", 3)
}

// agreeWithScikitLearn compares the predictions by the models in a folder with those beside them, also after our own
// file.
func agreeWithScikitLearn(t *testing.T, folder string, atLeast int) {
	files, err := filepath.Glob(filepath.Join(folder, "*.predicted.json"))
	if err != nil || len(files) < atLeast {
		t.Fatalf("%d models, error %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var want struct {
			Rows, Scores, Probabilities [][]float64
			Labels                      []string
		}
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		m, err := loadFile(strings.Replace(file, ".predicted", "", 1))
		if err != nil {
			t.Fatal(err)
		}
		stored, err := load(bytes.NewReader(saved(t, m)))
		if err != nil {
			t.Fatal(err)
		}
		if one, ok := inner(m).(*svm.Model); strings.Contains(file, "one-class") != (ok && one.OneClass) {
			t.Errorf("%s: the task was lost", file)
		}
		table, largest := &dataset.Table{Names: m.TableColumns().Features}, 1.0
		for i, row := range want.Rows {
			fields := make([]string, len(row))
			for j, v := range row {
				fields[j] = strconv.FormatFloat(v, 'g', -1, 64)
			}
			table.Rows = append(table.Rows, fields)
			for _, f := range want.Scores[i] {
				largest = max(largest, math.Abs(f))
			}
		}
		for _, m := range []*pipeline.Model{m, stored} {
			predictions, err := m.PredictTable(table)
			if err != nil {
				t.Fatal(err)
			}
			for i, p := range predictions {
				label := p.Name
				if m.ClassNames() == nil {
					label = strconv.FormatFloat(p.Y, 'g', -1, 64)
				}
				got := scoresOf(m, svmkit.Dense(want.Rows[i]...))
				if len(got) != len(want.Scores[i]) {
					t.Fatalf("%s: %d scores, not %d", file, len(got), len(want.Scores[i]))
				}
				for k, f := range want.Scores[i] {
					if !(math.Abs(got[k]-f) <= learned*largest) {
						t.Errorf("%s, row %d: score %v, scikit-learn's %v", file, i, got[k], f)
					}
				}
				if want.Labels[i] != label && !isRegression(m) {
					t.Errorf("%s, row %d: predicted %s, by scikit-learn %s", file, i, label, want.Labels[i])
				}
				if want.Probabilities != nil && len(want.Probabilities[i]) == 2 && !(math.Abs(p.Probabilities[1]-want.Probabilities[i][1]) <= coupled) {
					t.Errorf("%s, row %d: probability %v, scikit-learn's %v", file, i, p.Probabilities[1], want.Probabilities[i])
				}
			}
		}
	}
}

func isRegression(m *pipeline.Model) bool {
	one, ok := inner(m).(*svm.Model)
	return ok && one.Regression
}

// inner returns the model of scaled rows.
func inner(m *pipeline.Model) svmkit.Model { return svmkit.Unwrap(m) }

// scoresOf returns the decision function in scikit-learn's signs: of a pair of classes, positive is the lower one.
func scoresOf(m *pipeline.Model, x svmkit.Row) []float64 {
	if scaling, _ := tune.Unscaled(m.Model); scaling != nil {
		x, _ = scaling.ApplyRow(x)
	}
	switch p := inner(m).(type) {
	case *multiclass.PairClassifier:
		var scores []float64
		for _, pair := range p.Models {
			scores = append(scores, -pair.Scorer.(*svm.Model).Score(x))
		}
		return scores
	case *multiclass.Linear:
		return p.ClassScores(x)
	case *svm.Model:
		return []float64{p.Score(x)}
	}
	return nil
}

// Of three classes with a vote each the first one wins, as in scikit-learn, also where another has larger scores.
func TestTiesOfScikitLearn(t *testing.T) {
	m, err := load(strings.NewReader(`{"format": "svmkit scikit-learn 1", "kind": "SVC", "features": ["x"], "classes": ["a", "b", "c"],
		"coef": [[0], [0], [0]], "intercept": [1, -3, 1]}`))
	if err != nil {
		t.Fatal(err)
	}
	if q, err := m.PredictFields(map[string]string{"x": "1"}); err != nil || q.Name != "a" {
		t.Errorf("class %q, error %v, want a", q.Name, err)
	}
}

// LIBSVM's probability of the first class of a pair is 1/(1 + exp(A·f + B)), with its own f. That is the opposite of
// decision_function for two classes, and coef·x + intercept for each of more pairs.
func TestProbabilitiesOfScikitLearn(t *testing.T) {
	const rounding = 1e-15
	const head = `{"format": "svmkit scikit-learn 1", "kind": "SVC", "features": ["x"], `
	first := func(f, a, b float64) float64 { return 1 / (1 + math.Exp(a*f+b)) }
	two, err := load(strings.NewReader(head + `"classes": ["ham", "spam"], "coef": [[2]], "intercept": [1], "probA": [-1.5], "probB": [0.75]}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := two.PredictFields(map[string]string{"x": "-0.75"})
	if want := 1 - first(0.5, -1.5, 0.75); err != nil || !(math.Abs(p.Probabilities[1]-want) <= rounding) {
		t.Errorf("two classes: %+v, %v, want %g", p, err, want)
	}
	three, err := load(strings.NewReader(head + `"classes": ["a", "b", "c"], "coef": [[2], [1], [-1]], "intercept": [1, 0, 0.5], "probA": [-1.5, -2, -1], "probB": [0.75, -0.5, 0.1]}`))
	if err != nil {
		t.Fatal(err)
	}
	x := svmkit.Dense(0.25)
	for k, want := range []float64{first(1.5, -1.5, 0.75), first(0.25, -2, -0.5), first(0.25, -1, 0.1)} {
		pair := inner(three).(*multiclass.PairClassifier).Models[k]
		if got := 1 - svm.ModelOf(pair.Scorer).Platt.Probability(pair.Score(x)); !(math.Abs(got-want) <= rounding) {
			t.Errorf("pair %d: %g, want %g", k, got, want)
		}
	}
}

// A file of scikit-learn with one thing wrong is refused, with its place and the cause.
func TestScikitLearnRefuses(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile("testdata/scikit-learn/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	two, three, regression := read("svc-two-scaled.json"), read("svc-three.json"), read("linear-svr.json")
	const at = -1
	for _, c := range []struct {
		name, file, old, new string
		column               int // at: that of the key in the text
		is                   error
		names                string // what the message has to name
	}{
		{"nothing in it", "{}", "", "", 1, modelfile.ErrNotModel, ""},
		{"another JSON", `{"kind": "SVC"}`, "", "", 0, modelfile.ErrNotModel, ""},
		{"no JSON", `{format}`, "", "", 2, modelfile.ErrMalformed, ""},
		{"format", two, "svmkit scikit-learn 1", "other 1", 0, modelfile.ErrNotModel, ""},
		{"version", two, "scikit-learn 1", "scikit-learn 2", 0, modelfile.ErrVersion, ""},
		{"unknown key", two, `"gamma"`, `"Gamma"`, 0, modelfile.ErrMalformed, `"Gamma"`},
		{"twice", two, `"degree"`, `"gamma": 1, "gamma"`, 0, modelfile.ErrMalformed, `"gamma"`},
		{"null", two, `"coef0": 0.0`, `"coef0": null`, 0, modelfile.ErrMalformed, "coef0"},
		{"null in a list", two, `"mean": [`, `"mean": [null, `, 0, modelfile.ErrMalformed, "mean"},
		{"text for a number", two, `"coef0": 0.0`, `"coef0": "0"`, 0, modelfile.ErrMalformed, "coef0"},
		{"NaN", two, `"coef0": 0.0`, `"coef0": NaN`, 0, modelfile.ErrMalformed, "'N'"},
		{"too large", two, `"coef0": 0.0`, `"coef0": 1e999`, 0, modelfile.ErrMalformed, "coef0"},
		{"kind", two, `"SVC"`, `"RidgeClassifier"`, at, modelfile.ErrUnsupported, "NuSVC"},
		{"kernel", two, `"rbf"`, `"precomputed"`, at, modelfile.ErrUnsupported, "precomputed"},
		{"no kernel", two, `"kernel": "rbf",`, ``, at, modelfile.ErrMalformed, "support_vectors"},
		{"gamma", two, `"gamma": `, `"gamma": -`, at, modelfile.ErrMalformed, "gamma"},
		{"degree", two, `"rbf", "gamma": 0.33333333333333337, "coef0": 0.0, "degree": 3`, `"poly", "gamma": 1, "degree": 0`, at, modelfile.ErrMalformed, "degree"},
		{"a name twice", two, `"x1"`, `"x0"`, at, modelfile.ErrMalformed, "x0"},
		{"no features", two, `["x0", "x1", "x2"]`, `[]`, at, svmkit.ErrNoColumns, "features"},
		{"mean", two, `"mean": [`, `"mean": [1, `, at, modelfile.ErrMalformed, "mean"},
		{"scale", two, `"scale": [`, `"scale": [0, `, at, modelfile.ErrMalformed, "scale"},
		{"a class twice", two, `"ham"`, `"spam"`, at, modelfile.ErrMalformed, "classes"},
		{"no classes", two, `["ham", "spam"]`, `[]`, at, modelfile.ErrMalformed, "classes"},
		{"one class", two, `"ham", `, ``, at, modelfile.ErrMalformed, "classes"},
		{"three classes", two, `"ham"`, `"eggs", "ham"`, at, modelfile.ErrMalformed, "intercept"},
		{"classes of a regression", regression, `"coef"`, `"classes": ["a", "b"], "coef"`, at, modelfile.ErrMalformed, "classes"},
		{"intercept", two, `"intercept": [`, `"intercept": [0, `, at, modelfile.ErrMalformed, "intercept"},
		{"support vectors", two, `"support_vectors": [[`, `"support_vectors": [[0, `, at, modelfile.ErrMalformed, "row 0"},
		{"coefficients", two, `"dual_coef": [[`, `"dual_coef": [[0, `, at, modelfile.ErrMalformed, "dual_coef"},
		{"rows of coefficients", two, `"dual_coef": [[`, `"dual_coef": [[], [`, at, modelfile.ErrMalformed, "dual_coef"},
		{"counts", three, `"n_support": [`, `"n_support": [1, `, at, modelfile.ErrMalformed, "n_support"},
		{"too few", three, `"n_support": [7, 10, 10]`, `"n_support": [7, 10, 9]`, at, modelfile.ErrMalformed, "n_support"},
		{"too many", three, `"n_support": [7, 10, 10]`, `"n_support": [7, 10, 11]`, at, modelfile.ErrMalformed, "n_support"},
		{"an overflow", three, `"n_support": [7, 10, 10]`, `"n_support": [9223372036854775807, 9223372036854775807, 29]`, at, modelfile.ErrMalformed, "n_support"},
		{"a negative count", three, `"n_support": [`, `"n_support": [-`, at, modelfile.ErrMalformed, "n_support"},
		{"half of a sigmoid", two, `"coef0"`, `"probA": [1], "coef0"`, at, modelfile.ErrMalformed, "probA"},
		{"a plane, too", two, `"dual_coef"`, `"coef": [[1]], "dual_coef"`, at, modelfile.ErrMalformed, "coef"},
		{"coef", regression, `"coef": [[`, `"coef": [[1, `, at, modelfile.ErrMalformed, "row 0"},
		{"support vectors of a plane", regression, `"coef"`, `"support_vectors": [], "coef"`, at, modelfile.ErrMalformed, "support_vectors"},
		{"a kernel of a plane", regression, `"coef"`, `"kernel": "rbf", "gamma": 1, "coef"`, at, modelfile.ErrUnsupported, "kernel"},
		{"cut off", two[:len(two)-1], "", "", 0, modelfile.ErrTruncated, ""},
		{"more", two + "{}", "", "", 0, modelfile.ErrMalformed, "end"},
	} {
		bad := strings.Replace(c.file, c.old, c.new, 1)
		if c.old != "" && bad == c.file {
			t.Errorf("%s: the file has no %q:\n%s", c.name, c.old, c.file)
		}
		m, err := load(strings.NewReader(bad))
		var parse *modelfile.ParseError
		if m != nil || !errors.As(err, &parse) || parse.Line != 1 || !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.names) {
			t.Errorf("%s: error %v, want %v that names %q", c.name, err, c.is, c.names)
			continue
		}
		key := strings.Fields(strings.TrimPrefix(c.old, `"`))
		if c.column > 0 && parse.Column != c.column || c.column == at && key != nil && parse.Column < 2 {
			t.Errorf("%s: column %d: %v", c.name, parse.Column, err)
		}
	}
	_, err := load(strings.NewReader(strings.Replace(two, `"mean": [`, "\n  \"mean\": [1, ", 1)))
	if parse := (*modelfile.ParseError)(nil); !errors.As(err, &parse) || parse.Line != 2 || parse.Column != 3 {
		t.Errorf("error %v, want line 2, column 3", err)
	}
}

// Whatever text begins like a model of scikit-learn, loading it is a *modelfile.ParseError with a place inside of the
// text, or a model that is saved and loaded again as it is.
func FuzzScikitLearn(f *testing.F) {
	files, err := filepath.Glob("testdata/scikit-learn/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) == 0 || text[0] != '{' {
			return
		}
		m, err := load(bytes.NewReader(text))
		if err != nil {
			var parse *modelfile.ParseError
			lines := bytes.Split(text, []byte("\n"))
			if m != nil || !errors.As(err, &parse) || parse.Line < 1 || parse.Line > len(lines) || parse.Column < 1 || parse.Column > len(lines[parse.Line-1])+1 {
				t.Fatalf("%v is no place in %d lines", err, len(lines))
			}
			return
		}
		once := saved(t, m)
		again, err := load(bytes.NewReader(once))
		if err != nil {
			t.Fatalf("%v\n%s", err, once)
		}
		if twice := saved(t, again); !bytes.Equal(once, twice) || !slices.Equal(m.ClassNames(), again.ClassNames()) {
			t.Fatalf("%s\nthen\n%s", once, twice)
		}
		scoresOf(m, svmkit.Dense(make([]float64, len(m.Columns().Features))...))
	})
}
