package main

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// What the README says that the command prints, it prints: the same lines in the same order, and the
// same words. Numbers may differ in the last digits shown where the optimum fixes them, and freely
// where they tell of the solver's way (iterations, updates, what is left of the gap) or of time.
func TestREADMEShowsWhatTrainPrints(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..") // the README's commands start there
	const command = "$ go run ./cmd/svm "
	_, block, found := strings.Cut(string(readme), command)
	line, rest, _ := strings.Cut(block, "\n")
	shown, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatalf("no %q with its output in the README", command)
	}
	out, _ := must(t, "", strings.Fields(line)...)
	want, got := strings.Split(strings.TrimSpace(shown), "\n"), strings.Split(strings.TrimSpace(out), "\n")
	if len(want) != len(got) {
		t.Fatalf("the README shows %d lines, there are %d:\n%s", len(want), len(got), out)
	}
	const digits = 1e-4 // a gap of 1e-6 leaves w and b of a problem of this size three to four digits
	for i := range want {
		free := regexp.MustCompile(`^(iterations|updates|relative gap|KKT|support|seconds)`).MatchString(want[i])
		w, g := strings.Fields(want[i]), strings.Fields(got[i])
		same := len(w) == len(g)
		for k := 0; same && k < len(w); k++ {
			a, notA := strconv.ParseFloat(w[k], 64)
			b, notB := strconv.ParseFloat(g[k], 64)
			same = w[k] == g[k] || notA == nil && notB == nil && (free || math.Abs(a-b) <= digits*math.Abs(b))
		}
		if !same {
			t.Errorf("the README shows\n%s\nand the command prints\n%s", want[i], got[i])
		}
	}
}
