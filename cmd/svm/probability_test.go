package main

import (
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// predicted takes lines "class number …" apart.
func predicted(t *testing.T, out string) (classes []string, numbers [][]float64) {
	t.Helper()
	for line := range strings.Lines(out) {
		words := strings.Fields(line)
		var row []float64
		for _, w := range words[1:] {
			v, err := strconv.ParseFloat(w, 64)
			if err != nil {
				t.Fatal(err)
			}
			row = append(row, v)
		}
		classes, numbers = append(classes, words[0]), append(numbers, row)
	}
	return classes, numbers
}

// Three classes have three probabilities with the sum 1, from models alone and from pipelines; in most rows the largest is that of the class.
func TestProbabilitiesOfThreeClasses(t *testing.T) {
	const rounding = 1e-9
	names := []string{"setosa", "versicolor", "virginica"}
	for _, flags := range []string{"-multi ovo", "-multi ovr", "-multi ovo -scale standardize", "-scale standardize"} {
		model := filepath.Join(t.TempDir(), "model")
		report, _ := must(t, fisher(t), append(append([]string{"train", "-probability", "-o", model}, strings.Fields(flags)...), "-")...)
		if !strings.Contains(report, "3 of 3 reached the tolerance") {
			t.Errorf("%s: %s", flags, report)
		}
		out, _ := must(t, fisher(t), "predict", "-probability", model, "-")
		agree := 0
		head, body, _ := strings.Cut(out, "\n")
		if head != "labels setosa versicolor virginica" {
			t.Errorf("%s: %q", flags, head)
		}
		classes, all := predicted(t, body)
		for i, p := range all {
			if len(p) != 3 || !(math.Abs(p[0]+p[1]+p[2]-1) <= rounding && slices.Min(p) >= 0) {
				t.Fatalf("%s, row %d: %v", flags, i, p)
			}
			if classes[i] == names[slices.Index(p, slices.Max(p))] {
				agree++
			}
		}
		if least := 135; len(all) != 150 || agree < least {
			t.Errorf("%s: %d rows, of which %d agree", flags, len(all), agree)
		}
	}
}

// What has no probabilities says so before any work, and a class of one row after the fit.
func TestNoProbabilities(t *testing.T) {
	for _, extra := range []string{"", " -scale standardize"} {
		flags := strings.Fields("train -probability -multi cs" + extra)
		if status, _, errs := svmRun(t, fisher(t), append(flags, "-")...); status != exitUsage || !strings.Contains(errs, "-multi ovo or ovr") {
			t.Errorf("%s: status %d, %q", flags, status, errs)
		}
	}
	model := filepath.Join(t.TempDir(), "model")
	const lonely = "0 1:1\n0 1:2\n1 1:5\n1 1:6\n2 1:9\n"
	status, _, errs := svmRun(t, lonely, "train", "-probability", "-o", model, "-")
	if status != exitError || !exists(model) || !strings.Contains(errs, "class \"2\" has only row 5") {
		t.Errorf("status %d, %q", status, errs)
	}
	weights := file(t, "weights", "1\n0\n1\n1\n1\n0\n1\n1\n")
	for rows, says := range map[string]string{"0 1:1\n0 1:2\n0 1:3\n0 1:4\n1 1:5\n1 1:6\n0 1:7\n0 1:8\n": `class "1" has only row 5`,
		"0 1:1\n0 1:2\n0 1:3\n2 1:4\n1 1:5\n1 1:6\n2 1:7\n2 1:8\n": `class "1" has only row 5`} {
		if status, _, errs := svmRun(t, rows, "train", "-probability", "-weights", weights, "-"); status != exitError || !strings.Contains(errs, says) {
			t.Errorf("status %d, %q, want %q", status, errs, says)
		}
	}
	if status, _, errs := svmRun(t, lonely, "predict", "-probability", model, "-"); status != exitError || !strings.Contains(errs, "train it with -probability") {
		t.Errorf("status %d, %q", status, errs)
	}
}
