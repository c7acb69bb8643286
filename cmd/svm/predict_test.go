package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// By hand: f(x) = x₁ − x₂, so the classes are known.
const byHand = "svmkit model 1\ntask classification\ndim 2\nclass \"0\"\nclass \"1\"\nkernel linear\nbias 0\nweights\n1\n-1\nend\n"

func TestPredict(t *testing.T) {
	model := file(t, "model", byHand)
	regression := file(t, "regression", "svmkit model 1\ntask regression\ndim 2\nkernel linear\nbias 1\nweights\n1\n-1\nend\n")
	named := file(t, "named", strings.NewReplacer(`"0"`, `"ham"`, `"1"`, `"spam"`).Replace(byHand))
	python := file(t, "python", `{"format": "svmkit scikit-learn 1", "kind": "LinearSVC", "features": ["x0", "x1"], "classes": ["ham", "spam"],
		"coef": [[1, -1]], "intercept": [0]}`)
	outliers := file(t, "outliers", `{"format": "svmkit scikit-learn 1", "kind": "OneClassSVM", "features": ["a", "b"], "intercept": [-0.5], "kernel": "rbf", "gamma": 1,
		"support_vectors": [[1, 2]], "dual_coef": [[1]], "n_support": [1]}`)
	for _, c := range []struct {
		name, stdin string
		args        []string
		out, errs   string
	}{
		{"LIBSVM", "1 1:2\n0 1:3\n0 2:1\n", []string{model}, "1\n1\n0\n", "accuracy 66.6667% (2 of 3 rows)\n"},
		{"no class", "1 1:2 2:2\n", []string{"-scores", model}, "labels 0 1\n? 0\n", "accuracy 0.0000% (0 of 1 rows)\n"},
		{"other labels", "1 1:2\n7 1:3\n", []string{model}, "1\n1\n", "accuracy 50.0000% (1 of 2 rows); the model does not know the class of 1 row: \"7\"\n"},
		{"dummy labels", "5 1:2\n5 2:3\n", []string{model}, "1\n0\n", "accuracy 0.0000% (0 of 2 rows); the model does not know the class of 2 rows: \"5\"\n"},
		{"unseen column", "1 1:2 9:5\n", []string{"-more-columns", model}, "1\n", "accuracy 100.0000% (1 of 1 rows)\n"},
		{"CSV", "2,0,1\n0,1,0\n", []string{model}, "1\n0\n", "accuracy 100.0000% (2 of 2 rows)\n"},
		{"unlabelled", "2,0\n0,1\n", []string{"-unlabelled", model}, "1\n0\n", ""},
		{"label first", "1,2,0\n0,0,1\n", []string{"-label", "1", model}, "1\n0\n", "accuracy 100.0000% (2 of 2 rows)\n"},
		{"names", "2,0,spam\n0,1,spam\n", []string{named}, "spam\nham\n", "accuracy 50.0000% (1 of 2 rows)\n"},
		{"scikit-learn", "x1,x0\n0,2\n1,0\n", []string{"-unlabelled", "-scores", python}, "labels ham spam\nspam 2\nham -1\n", ""},
		{"one class", "a,b\n1,2\n99,2\n", []string{"-scores", outliers}, "labels -1 1\n1 0.5\n-1 -0.5\n", ""},
		{"regression", "3 1:2\n2 2:1\n", []string{regression}, "3\n0\n", "mean squared error 2 over 2 rows\n"},
	} {
		out, errs := must(t, c.stdin, append(append([]string{"predict"}, c.args...), "-")...)
		if out != c.out || errs != c.errs {
			t.Errorf("%s: %q, %q, want %q, %q", c.name, out, errs, c.out, c.errs)
		}
	}
	if out, errs := must(t, "2,0,eggs\n0,1,ham\n", "predict", named, "-"); out != "spam\nham\n" || errs != "accuracy 50.0000% (1 of 2 rows); the model does not know the class of 1 row: \"eggs\"\n" {
		t.Errorf("an unknown name: %q, %q", out, errs)
	}
	if status, _, errs := svmRun(t, "2,0,1,1\n", "predict", model, "-"); status != exitError || !strings.Contains(errs, "3 columns") {
		t.Errorf("too many columns: status %d, %q", status, errs)
	}
}

// A kernel model of dense rows meets a LIBSVM file that names a column beyond them, and a table of more columns.
func TestPredictBeyondTheModelsColumns(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	must(t, "1,2,0\n2,1,1\n0,1,0\n3,0,1\n", "train", "-kernel", "rbf", "-o", model, "-")
	for rows, says := range map[string]string{"0 1:1 9:1\n": "column 9", "1,2,3,0\n": "3 columns"} {
		if status, out, errs := svmRun(t, rows, "predict", model, "-"); status != exitError || !strings.Contains(errs, says) || out != "" {
			t.Errorf("%q: status %d, %q, %q, want %q", rows, status, out, errs, says)
		}
	}
}
