package main

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestCV(t *testing.T) {
	text := two(t, 101)
	out, errs := must(t, text, "cv", "-folds", "4", "-")
	rows, right, mean := 0, 0, 0.0
	for k, line := range strings.Split(strings.TrimSpace(out), "\n") {
		var fold, r, n int
		var percent float64
		if k == 4 {
			var m, se float64
			if _, err := fmt.Sscanf(line, "mean accuracy %f%% ± %f%%", &m, &se); err != nil || math.Abs(m-mean/4) > 1e-4 {
				t.Errorf("%q, %v, want a mean of %g", line, err, mean/4)
			}
			continue
		}
		if _, err := fmt.Sscanf(line, "fold %d accuracy %f%% (%d of %d)", &fold, &percent, &r, &n); err != nil ||
			fold != k+1 || math.Abs(percent-100*float64(r)/float64(n)) > 1e-4 {
			t.Errorf("%q, %v", line, err)
		}
		rows, right, mean = rows+n, right+r, mean+percent
	}
	// Two classes at distance 2 are told apart on 84 % of the rows at best; guessing gives 50.
	if rows != 101 || right < 70 || right > 98 || errs != "" {
		t.Errorf("%d of %d right, %q\n%s", right, rows, errs, out)
	}
}

func TestCVDoesNotDependOnThreads(t *testing.T) {
	text := two(t, 60)
	one, _ := must(t, text, "cv", "-threads", "1", "-kernel", "rbf", "-")
	three, _ := must(t, text, "cv", "-threads", "3", "-kernel", "rbf", "-")
	other, _ := must(t, text, "cv", "-seed", "2", "-kernel", "rbf", "-")
	if one != three {
		t.Errorf("%s\n%s", one, three)
	}
	if one == other {
		t.Error("the seed changes nothing")
	}
}

func TestCVOfARegression(t *testing.T) {
	var b strings.Builder
	for k := range 30 { // y = 2x + 1 exactly
		fmt.Fprintf(&b, "%d,%d\n", k, 2*k+1)
	}
	out, _ := must(t, b.String(), "cv", "-header", "no", "-loss", "eps-insensitive", "-epsilon", "0.01", "-")
	var mean, se float64
	if _, err := fmt.Sscanf(out[strings.Index(out, "mean  "):], "mean mean squared error %f ± %f", &mean, &se); err != nil || mean > 0.1 {
		t.Errorf("%v\n%s", err, out)
	}
}

// A class that some fold has no row of is named; one of as many rows as folds, and a target, are not.
func TestCVOfAClassOfFewRows(t *testing.T) {
	const rows = "a,kind\n1,x\n2,x\n3,x\n7,y\n8,y\n9,y\n5,%s\n6,%s\n"
	for _, c := range []struct{ text, flags, want string }{
		{fmt.Sprintf(rows, "z", "z"), "", "svm: standard input: class \"z\" has fewer rows (2) than folds (3)\n"},
		{fmt.Sprintf(rows, "z", "z"), "-scale minmax", "svm: standard input: class \"z\" has fewer rows (2) than folds (3)\n"},
		{fmt.Sprintf(rows, "x", "y"), "", ""},
		{"1 1:1\n1 1:2\n1 1:3\n-1 1:7\n-1 1:8\n", "", "svm: standard input: class \"-1\" has fewer rows (2) than folds (3)\n"},
		{"1 1:1\n1 1:2\n1 1:3\n-1 1:7\n-1 1:8\n", "-loss eps-insensitive", ""},
	} {
		if _, errs := must(t, c.text, append(append([]string{"cv", "-folds", "3"}, strings.Fields(c.flags)...), "-")...); errs != c.want {
			t.Errorf("%q, %s: %q, want %q", c.text, c.flags, errs, c.want)
		}
	}
}

// A row whose score is exactly zero has no prediction, and none is right.
func TestCVOfScoresOfZero(t *testing.T) {
	out, _ := must(t, "a,kind\n"+strings.Repeat("0,x\n0,y\n", 4), "cv", "-bias", "none", "-folds", "2", "-")
	if !strings.Contains(out, "mean    accuracy 0.0000% ± 0.00%") {
		t.Error(out)
	}
}
