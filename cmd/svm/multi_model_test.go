package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
)

// threeClasses is a classifier by hand, in which the plane for class k is (w, b) with s in column k of w and
// the other entries of w equal to others.
func threeClasses(strategy string, s, others, b float64) svmkit.Model {
	classes := multiclass.Classes{Count: 3, Names: []string{"0", "1", "2"}}
	w := func(k int) []float64 {
		w := []float64{others, others, others}
		w[k] = s
		return w
	}
	plane := func(k int) *svm.Model { return &svm.Model{Weights: w(k), Bias: b, Dim: 3} }
	switch strategy {
	case oneVsRest:
		return &multiclass.RestClassifier{Classes: classes, Models: []svmkit.Scorer{plane(0), plane(1), plane(2)}}
	case oneVsOne:
		return &multiclass.PairClassifier{Classes: classes, Models: []multiclass.PairModel{
			{Negative: 0, Positive: 1, Scorer: plane(1)}, {Negative: 0, Positive: 2, Scorer: plane(2)}, {Negative: 1, Positive: 2, Scorer: plane(2)}}}
	}
	return &multiclass.Linear{Classes: classes, W: [][]float64{w(0), w(1), w(2)}, B: []float64{b, b, b}}
}

// The model's file has its name in the message.
func TestLoadNamesTheFile(t *testing.T) {
	name := file(t, "model", "svmkit multi 9\n")
	if status, _, errs := svmRun(t, "", "predict", name, "-"); status != exitError || !strings.Contains(errs, name+", line 1, ") {
		t.Errorf("status %d, %q", status, errs)
	}
	none := filepath.Join(t.TempDir(), "none")
	if status, _, errs := svmRun(t, "", "predict", none, "-"); status != exitError || !strings.Contains(errs, none+": no such file") {
		t.Errorf("status %d, %q", status, errs)
	}
}

// By hand. The score of class k is a third of column k, less 0.1; in one-vs-one, the model of
// (a, b) sees column b only, so a positive entry there is a vote for b.
func TestDecide(t *testing.T) {
	for strategy, want := range map[string][]string{
		oneVsRest:     {"0", "1", "2", "0"},
		crammerSinger: {"0", "1", "2", "0"},
		oneVsOne:      {"1", "2", "2", "0"}, // first row: 0–1 for 1, 0–2 for 0, 1–2 for 1
	} {
		var b bytes.Buffer
		if err := modelfile.Save(&b, threeClasses(strategy, 1.0/3, 0, -0.1)); err != nil {
			t.Fatal(err)
		}
		out, _ := must(t, "9,1,0\n0,9,1\n0,0,9\n0,0,0\n", "predict", "-unlabelled", "-header", "no", "-scores", file(t, "model", b.String()), "-")
		for k, line := range strings.Split(strings.TrimSpace(out), "\n")[1:] {
			if words := strings.Fields(line); len(words) != 4 || words[0] != want[k] {
				t.Errorf("%s, row %d: %q, want %s and three scores", strategy, k, line, want[k])
			}
		}
	}
}

// A score that overflows to NaN is no class: "?", never right, and the rows around it are as ever.
func TestPredictOfNaNIsNoClass(t *testing.T) {
	const text = "0 1:1\n1 1:1.7e308 2:1.7e308 3:1.7e308\n1 2:1\n"
	for _, strategy := range []string{oneVsRest, oneVsOne, crammerSinger} {
		var b bytes.Buffer // large ones of both signs: 1.7e308 in all columns has a score ∞ − ∞
		if err := modelfile.Save(&b, threeClasses(strategy, 6e3, -6e3, -0.1)); err != nil {
			t.Fatal(err)
		}
		out, errs := must(t, text, "predict", "-scores", file(t, "model", b.String()), "-")
		lines := strings.Split(out, "\n")[1:]
		if !strings.HasPrefix(lines[0], "0 ") || !strings.HasPrefix(lines[1], "? ") || !strings.Contains(lines[1], "NaN") || !strings.HasPrefix(lines[2], "1 ") {
			t.Errorf("%s:\n%s", strategy, out)
		}
		if !strings.Contains(errs, "(2 of 3 rows)") {
			t.Errorf("%s: %s", strategy, errs)
		}
	}
}
