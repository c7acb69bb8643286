//go:build unix

package main

import (
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/evidence"
	"github.com/svmkit/course/internal/proctest"
)

// walkTargetsAsClasses trains on y = 10·x and predicts y at x = 4, in three ways.
func walkTargetsAsClasses(t *testing.T) {
	dir := t.TempDir()
	targets, model := proctest.Put(t, dir, "tens", tens()), filepath.Join(dir, "model")
	for _, flags := range [][]string{{"-loss", "eps-insensitive"}, {"-loss", "squared-eps-insensitive"}, {"-loss", "eps-insensitive", "-label", "y"}} {
		well(t, append([]string{"train", "-epsilon", "0", "-C", "1e4", "-tol", "1e-9", "-o", model}, append(flags, targets)...)...)
		happened := strings.TrimSpace(well(t, "predict", "-unlabelled", model, proctest.Put(t, dir, "four", "x\n4\n")).Out)
		input := "svm train " + strings.Join(flags, " ") + ", targets 10, 20, … 80; svm predict at x = 4"
		if v, err := strconv.ParseFloat(happened, 64); err != nil || math.Abs(v-40) > 1e-2 {
			t.Errorf("%s: %s, want 40", input, happened)
			happened += " " + evidence.Wrong
		}
		t.Attr(evidence.Attack, evidence.Line("targets as classes", input, "40", happened))
	}
}
