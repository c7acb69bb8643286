package svm_test

import (
	"math"
	"testing"
)

// knownRounding is what remains of the fractions of knownProblems after a few roundings, on numbers up to 100.
const knownRounding = 1e-12

func nearKnown(a, b float64) bool {
	return math.Abs(a-b) <= knownRounding*max(1, math.Abs(a), math.Abs(b))
}

// The optimality conditions of the hard margin are sufficient: a plane with such an α is
// the one of maximum margin.
func TestKnownProblemsAreOptimal(t *testing.T) {
	for _, k := range knownProblems() {
		t.Run(k.Name, func(t *testing.T) {
			if err := k.Data.ValidateBinary(); err != nil {
				t.Fatal(err)
			}
			if len(k.Alpha) != k.Data.Len() || len(k.Plane.W) != k.Data.Dim {
				t.Fatal("lengths")
			}
			w, sum, balance, least := make([]float64, k.Data.Dim), 0.0, 0.0, math.Inf(1)
			for i, x := range k.Data.X {
				a, y := k.Alpha[i], k.Data.Y[i]
				functional := y * k.Plane.Score(x)
				if a < 0 || a > 0 && !nearKnown(functional, 1) {
					t.Errorf("row %d: α = %g at y·f = %g", i, a, functional)
				}
				x.AddTo(w, a*y)
				sum, balance, least = sum+a, balance+a*y, min(least, functional)
			}
			for j := range w {
				if !nearKnown(w[j], k.Plane.W[j]) {
					t.Errorf("w = %v, but Σαyx = %v", k.Plane.W, w)
				}
			}
			if !nearKnown(least, 1) {
				t.Errorf("min y·f = %g, want 1", least)
			}
			if norm := k.Plane.Norm(); !nearKnown(sum, norm*norm) || !nearKnown(k.Gamma, 1/norm) {
				t.Errorf("Σα = %g and γ = %g do not fit ‖w‖ = %g", sum, k.Gamma, norm)
			}
			if k.FreeBias && !nearKnown(balance, 0) || !k.FreeBias && k.Plane.B != 0 {
				t.Errorf("bias: Σαy = %g, b = %g", balance, k.Plane.B)
			}
			if gamma, row := k.Plane.SetMargin(k.Data); !nearKnown(gamma, k.Gamma) ||
				k.Name == "three points, no bias" && row != 0 {
				t.Errorf("half-margin %g at row %d, want %g", gamma, row, k.Gamma)
			}
			if !nearKnown(k.Radius, k.Data.Radius()) {
				t.Errorf("R = %g, want %g", k.Radius, k.Data.Radius())
			}
		})
	}
}

func TestKnownMistakes(t *testing.T) {
	counted := 0
	for _, k := range knownProblems() {
		if k.Mistakes == 0 {
			continue
		}
		counted++
		w, mistakes := make([]float64, k.Data.Dim), 0
		for clean := false; !clean && mistakes < 1000; {
			clean = true
			for x, y := range k.Data.All() {
				if y*x.Dot(w) <= 0 {
					x.AddTo(w, y)
					mistakes, clean = mistakes+1, false
				}
			}
		}
		if mistakes != k.Mistakes {
			t.Errorf("%s: %d mistakes, want %d", k.Name, mistakes, k.Mistakes)
		}
		if k.Name == "three points, no bias" && (w[0] != 4 || w[1] != -2) {
			t.Errorf("%s: the run ends at %v, want (4, −2)", k.Name, w)
		}
	}
	if counted < 3 {
		t.Errorf("only %d problems have a count", counted)
	}
}

// Every call builds new data: a test may change its copy.
func TestKnownProblemsShareNothing(t *testing.T) {
	a, b := knownProblems()[0], knownProblems()[0]
	a.Data.Y[0], a.Plane.W[0], a.Data.X[0].Value[0] = 9, 9, 9
	if b.Data.Y[0] == 9 || b.Plane.W[0] == 9 || b.Data.X[0].Value[0] == 9 {
		t.Error("two problems share memory")
	}
}
