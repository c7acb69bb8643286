package main

import (
	"os"
	"strings"
	"testing"
)

// Users who come from svm-predict exchange its arguments, name the output last, and give flags that go with another
// file. Each of them is told what to write.
func TestMovingFromThePeers(t *testing.T) {
	t.Chdir(t.TempDir())
	const (
		svc = "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 2\nnr_sv 1 1\nSV\n1 1:1 \n-1 1:-1 \n"
		svr = "svm_type epsilon_svr\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nprobA 0.5\nSV\n1 1:1 \n"
		// The logistic regression of three classes gives each of them a probability of 0 below −745.
		far    = "solver_type L2R_LR\nnr_class 3\nlabel 1 2 3\nnr_feature 1\nbias -1\nw\n-1e3 -1e3 -1e3 \n"
		huge   = "solver_type L2R_LR\nnr_class 2\nlabel 1 2\nnr_feature 2\nbias -1\nw\n1e308 \n-1e308 \n"
		python = `{"format": "svmkit scikit-learn 1", "kind": "LinearSVC", "features": ["x0"], "classes": ["a", "b"], "intercept": [0], "coef": [[1]]}`
		sure   = `{"format": "svmkit scikit-learn 1", "kind": "SVC", "features": ["x0", "x1"], "classes": ["a", "b"], "intercept": [0], "coef": [[1e308, -1e308]], "probA": [-1], "probB": [0]}`
		rows   = "1 1:1\n2 1:-1\n1\n"
	)
	for name, text := range map[string]string{"svc": svc, "svr": svr, "far": far, "huge": huge, "python": python, "rows": rows,
		"sure": sure, "long.csv": "x0,x1\n" + strings.Repeat("0,0\n", 299) + "10,10\n",
		"wide": "1 1:10 2:10\n", "zero": "1 0:1 1:2\n", "range": "x\n-1 1\n1 0 2\n", "names.csv": "x0\n1\n-1\n", "plain.csv": "1,2\n2,1\n3,1\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	must(t, "", "train", "-o", "ours", "rows")
	for args, want := range map[string]struct {
		status int
		says   string
	}{
		"predict rows svc":                                       {exitError, "rows: no model, but svc is one; exchange them, as svm predict takes MODEL first, then FILE"},
		"predict rows rows":                                      {exitError, "rows, line 1: not a model file of svmkit"},
		"predict svc rows out":                                   {exitUsage, `an argument too many: "out"; wanted: MODEL FILE, and the output by -o`},
		"train rows out":                                         {exitUsage, `an argument too many: "out"; wanted: FILE, and the output by -o`},
		"predict -columns 9 ours rows":                           {exitUsage, "-columns 9: the model has 1 columns; leave out -columns"},
		"predict ours wide":                                      {exitError, "wide: a row names column 2, but the training rows had 1 columns (-more-columns leaves such columns out)"},
		"predict -probability svr rows":                          {exitError, "svr is a regression, which has no probabilities: leave out -probability and -by-probability"},
		"predict -by-probability svr rows":                       {exitError, "svr is a regression, which has no probabilities: leave out -probability and -by-probability"},
		"predict -probability far rows":                          {exitError, "rows, row 1: the probabilities are not numbers, as its scores are too large; scale the columns, or predict without probabilities"},
		"predict -by-probability far rows":                       {exitError, "rows, row 1: the probabilities are not numbers"},
		"predict -probability huge wide":                         {exitError, "wide, row 1: the probabilities are not numbers"},
		"predict -probability -unlabelled -o lost sure long.csv": {exitError, "long.csv, row 300: the probabilities are not numbers"},
		"scale -dense -load range zero":                          {exitError, "zero: svm-scale keeps no range of the index 0; let svm-scale measure a file whose indices start at 1"},
		"predict -unlabelled python plain.csv":                   {exitError, "missing \"x0\"; not known \"1\", \"2\"\n"},
		"predict -more-columns svc plain.csv":                    {exitError, "plain.csv: -more-columns is for LIBSVM files, and this is a CSV file"},
		"predict -skip-missing python names.csv":                 {exitError, "names.csv: -skip-missing has no effect on a table"},
		"predict -columns 1 python names.csv":                    {exitError, "names.csv: -columns is for LIBSVM files, and this is a CSV file"},
	} {
		status, out, errs := svmRun(t, "", strings.Fields(args)...)
		if status != want.status || out != "" || !strings.Contains(errs, want.says) {
			t.Errorf("svm %s: status %d, %q, %s, want %s", args, status, out, errs, want.says)
		}
	}
	if _, err := os.Stat("lost"); err == nil {
		t.Error("an output of which a part is missing")
	}
	// Without the flags, or with the arguments exchanged, each of them predicts.
	for args, want := range map[string]string{"svc rows": "1\n2\n2\n", "far rows": "1\n1\n1\n", "svr rows": "1\n-1\n0\n", "-more-columns ours wide": "1\n",
		"python rows": "b\na\na\n", "-zero-based -columns 1 python -": "b\na\n", "-unlabelled python names.csv": "b\na\n"} {
		if out, _ := must(t, "1 0:1\n2 0:-1\n", append([]string{"predict"}, strings.Fields(args)...)...); out != want {
			t.Errorf("svm predict %s prints %q, want %q", args, out, want)
		}
	}
}
