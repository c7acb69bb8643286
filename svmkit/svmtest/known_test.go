package svmtest_test

import (
	"math"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit/svmtest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// exact is what remains of the fractions above after a few roundings, on numbers up to 100.
const exact = 1e-12

func near(a, b float64) bool { return math.Abs(a-b) <= exact*max(1, math.Abs(a), math.Abs(b)) }

// The optimality conditions of the hard margin are sufficient: a plane with such an α is
// the one of maximum margin.
func TestKnownProblemsAreOptimal(t *testing.T) {
	for _, k := range svmtest.KnownProblems() {
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
				if a < 0 || a > 0 && !near(functional, 1) {
					t.Errorf("row %d: α = %g at y·f = %g", i, a, functional)
				}
				x.AddTo(w, a*y)
				sum, balance, least = sum+a, balance+a*y, min(least, functional)
			}
			for j := range w {
				if !near(w[j], k.Plane.W[j]) {
					t.Errorf("w = %v, but Σαyx = %v", k.Plane.W, w)
				}
			}
			if !near(least, 1) {
				t.Errorf("min y·f = %g, want 1", least)
			}
			if norm := k.Plane.Norm(); !near(sum, norm*norm) || !near(k.Gamma, 1/norm) {
				t.Errorf("Σα = %g and γ = %g do not fit ‖w‖ = %g", sum, k.Gamma, norm)
			}
			if k.FreeBias && !near(balance, 0) || !k.FreeBias && k.Plane.B != 0 {
				t.Errorf("bias: Σαy = %g, b = %g", balance, k.Plane.B)
			}
			if !near(k.Radius, k.Data.Radius()) {
				t.Errorf("R = %g, want %g", k.Radius, k.Data.Radius())
			}
		})
	}
}

func TestKnownMistakes(t *testing.T) {
	counted := 0
	for _, k := range svmtest.KnownProblems() {
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
	a, b := svmtest.KnownProblems()[0], svmtest.KnownProblems()[0]
	a.Data.Y[0], a.Plane.W[0], a.Data.X[0].Value[0] = 9, 9, 9
	if b.Data.Y[0] == 9 || b.Plane.W[0] == 9 || b.Data.X[0].Value[0] == 9 {
		t.Error("two problems share memory")
	}
}
