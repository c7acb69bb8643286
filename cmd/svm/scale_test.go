package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestScale(t *testing.T) {
	measures := filepath.Join(t.TempDir(), "measures")
	const train = "0,10,a\n4,30,b\n2,20,a\n"
	out, errs := must(t, train, "scale", "-kind", "minmax", "-save", measures, "-")
	if want := "0,0,a\n1,1,b\n0.5,0.5,a\n"; out != want || errs != "" {
		t.Errorf("%q, %q, want %q", out, errs, want)
	}
	// The test rows are mapped by the training rows' measures: 8 of 0 … 4 is 2.
	out, _ = must(t, "8,20,b\n1,10,a\n", "scale", "-load", measures, "-")
	if want := "2,0.5,b\n0.25,0,a\n"; out != want {
		t.Errorf("%q, want %q", out, want)
	}
	if status, _, errs := svmRun(t, "8,b\n1,a\n", "scale", "-load", measures, "-"); status != exitError || !strings.Contains(errs, "1 columns, but the training rows had 2") {
		t.Errorf("status %d, %q", status, errs)
	}
	for _, bad := range []string{`{"kind":"minmax","dim":2,"shift":[1]}`, `{"kind":"maxabs","dim":1,"scale":[0]}`, `{"kind":"x","dim":1}`, `{"kind":"maxabs"}`} {
		if status, _, errs := svmRun(t, train, "scale", "-load", file(t, "bad", bad), "-"); status != exitError || !strings.Contains(errs, "no measures") {
			t.Errorf("%s: status %d, %q", bad, status, errs)
		}
	}
}

func TestScaleOfASparseFile(t *testing.T) {
	measures := filepath.Join(t.TempDir(), "measures")
	const train = "1 1:2 3:-4\n-1 2:5\n"
	for args, want := range map[string]string{
		"-save " + measures:           "1 1:1 3:-1\n-1 2:1\n",
		"-kind minmax -dense":         "1,0,0,1\n0,1,1,-1\n",
		"-kind minmax -dense -low -1": "1,-1,-1,1\n-1,1,1,-1\n",
		"-format csv":                 "1,0,-1,1\n0,1,0,-1\n",
		"-kind unit-norm":             "1 1:0.4472135954999579 3:-0.8944271909999159\n-1 2:1\n",
		"-kind minmax -dense -regression -format libsvm": "1 1:1 3:0\n-1 2:1 3:1\n",
	} {
		out, _ := must(t, train, append(append([]string{"scale"}, strings.Fields(args)...), "-")...)
		if strings.ReplaceAll(out, " 3:0", "") != strings.ReplaceAll(want, " 3:0", "") {
			t.Errorf("scale %s: %q, want %q", args, out, want)
		}
	}
	// A test file whose last columns are all zero has fewer of them.
	if out, _ := must(t, "1 1:4\n-1 1:1\n", "scale", "-load", measures, "-"); out != "1 1:2\n-1 1:0.5\n" {
		t.Errorf("%q", out)
	}
}

// Measures come back from their file, of every kind; such as lack a number of a column are refused.
func TestMeasuresComeBack(t *testing.T) {
	rows := file(t, "rows.csv", "1,2,0\n3,-4,1\n-5,6,0\n")
	for _, kind := range []string{"standardize", "center", "unit-variance", "minmax", "maxabs", "unit-norm"} {
		measures := filepath.Join(t.TempDir(), "measures")
		once, _ := must(t, "", "scale", "-kind", kind, "-save", measures, rows)
		if again, _ := must(t, "", "scale", "-load", measures, rows); again != once {
			t.Errorf("%s: %q with the measures of the file, %q when measured", kind, again, once)
		}
	}
	for _, bad := range []string{
		`{"kind":"minmax","dim":2}`, `{"kind":"standardize","dim":2,"shift":[1,2]}`, `{"kind":"maxabs","dim":2,"scale":[1]}`,
		`{"kind":"maxabs","dim":2,"scale":[1,0]}`, `{"kind":"center","dim":2}`, `{"kind":"unit-norm","dim":2,"scale":[1,1]}`, `{"kind":"k","dim":2}`,
	} {
		name := file(t, "bad", bad)
		if status, out, errs := svmRun(t, "", "scale", "-load", name, rows); status != exitError || !strings.Contains(errs, name+" holds no measures") || out != "" {
			t.Errorf("%s: status %d, message %q, output %q", bad, status, errs, out)
		}
	}
}

// A column of ±1e308 has no mean, and maxabs needs none.
func TestScaleOfTheLargestNumbers(t *testing.T) {
	out, _ := must(t, "", "scale", "-kind", "maxabs", file(t, "rows.csv", "1e308,1,0\n-1e308,2,1\n-1e308,2,1\n-1e308,2,0\n"))
	if !strings.Contains(out, "1,0.5,") || !strings.Contains(out, "-1,1,") {
		t.Errorf("scaled to %q", out)
	}
}
