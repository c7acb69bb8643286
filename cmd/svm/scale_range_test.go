package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// A test file with a column beyond training is refused with a flag that works.
func TestScaleMoreColumns(t *testing.T) {
	measures := filepath.Join(t.TempDir(), "measures")
	must(t, "", "scale", "-kind", "minmax", "-low", "-1", "-dense", "-save", measures, border("scale.tr.libsvm"))
	status, _, errs := svmRun(t, "", "scale", "-load", measures, "-dense", border("scale.te.libsvm"))
	if status != exitError || !strings.Contains(errs, "(-more-columns leaves such columns out)") {
		t.Errorf("status %d, %s", status, errs)
	}
	out, errs := must(t, "", "scale", "-load", measures, "-more-columns", "-dense", border("scale.te.libsvm"))
	if want := "svm: " + border("scale.te.libsvm") + ": 1 numbers are left out, because -load has 3 columns\n"; out != "3,3,-6,1\n-1,0,-6,-1\n" || errs != want {
		t.Errorf("%s%s", out, errs)
	}
	for args, says := range map[string]string{
		"scale -more-columns -":                                   "-more-columns has no effect without -load",
		"scale -more-columns -header no -load " + measures + " -": "the rows have 4 columns, but the training rows had 3",
	} {
		if _, _, errs := svmRun(t, "1,2,3,4,1\n1,2,3,4,0\n", strings.Fields(args)...); !strings.Contains(errs, says) {
			t.Errorf("svm %s: %s", args, errs)
		}
	}
}

// A range file of svm-scale gives what svm-scale gives: these are its file and its rows for testdata/borders.
func TestScaleByRangeFile(t *testing.T) {
	measures := file(t, "range", "x\n-1 1\n1 0 4\n2 0 10\n")
	for data, want := range map[string]string{border("scale.tr.libsvm"): "1 1:-1 2:1\n-1 1:1 2:-1\n1\n", border("scale.te.libsvm"): "1 1:3 2:3\n-1 1:-1\n"} {
		out, errs := must(t, "", "scale", "-load", measures, "-more-columns", "-dense", "-format", "libsvm", data)
		if got := strings.ReplaceAll(out, " \n", "\n"); got != want || !strings.Contains(errs, "left out") {
			t.Errorf("%s: %q, want %q; %s", data, got, want, errs)
		}
	}
	for text, says := range map[string]string{
		"y\n0 1\n-1 1\nx\n-1 1\n1 0 4\n": ": the range file scales the labels, too, in its part y: delete its first three lines to scale the columns alone",
		"x\n-1 1\n1 4 0\n":               " holds no measures of svm scale -save or svm-scale -s: not a scaling: line 3: want a column and two numbers that rise",
	} {
		measures := file(t, "range", text)
		if status, _, errs := svmRun(t, "", "scale", "-load", measures, "-dense", border("scale.te.libsvm")); status != exitError || !strings.Contains(errs, measures+says) {
			t.Errorf("status %d, %s", status, errs)
		}
	}
	if status, _, errs := svmRun(t, "", "scale", "-load", measures, "-zero-based", border("scale.te.libsvm")); status != exitUsage || !strings.Contains(errs, "svm-scale keeps no range of the index 0") {
		t.Errorf("status %d, %s", status, errs)
	}
}
