package bound_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit/bound"
	"pgregory.net/rapid"
)

func TestHingeRootSolvesTheQuadratic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, r, h := positive(t, "normW"), positive(t, "R"), positive(t, "H")
		m, b := bound.HingeRoot(w, r, h), w*r
		// M − B√M − H = 0; the terms cancel, so the error is relative to the largest.
		if residual := m - b*math.Sqrt(m) - h; math.Abs(residual) > rounding*(m+b*math.Sqrt(m)+h) {
			t.Fatalf("M = %g leaves %g", m, residual)
		}
	})
}

func TestHingeForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, r, h := positive(t, "normW"), positive(t, "R"), positive(t, "H")
		root, half, loose := bound.HingeRoot(w, r, h), bound.HingeHalfLoosened(w, r, h), bound.HingeLoosened(w, r, h)
		if !near(root, half) {
			t.Fatalf("root %g and its expansion %g differ", root, half)
		}
		if !atMost(root, loose) || !atMost(loose, 1.21*root) {
			t.Fatalf("loosened %g is not between root %g and 1.21 times it", loose, root)
		}
		for name, f := range forms {
			if !atMost(f(w, r, h), f(w, r, 2*h)) || !atMost(f(w, r, h), f(2*w, r, h)) || !atMost(f(w, r, h), f(w, 2*r, h)) {
				t.Fatalf("%s falls as an argument rises", name)
			}
			if k := positive(t, "k"); !near(f(w, r, h), f(w/k, r*k, h)) {
				t.Fatalf("%s: scaling the data by %g and w* by its inverse changes it", name, k)
			}
		}
	})
}

// The worst ratio of loosened to root depends on H/B² only; walk over it.
func TestHingeLoosenedRatio(t *testing.T) {
	worst, at := 0.0, 0.0
	for e := -6.0; e <= 6; e += 0.001 {
		h := math.Pow(10, e)
		if q := bound.HingeLoosened(1, 1, h) / bound.HingeRoot(1, 1, h); q > worst {
			worst, at = q, h
		}
	}
	if worst > 1.21 || worst < 1.2 || math.Abs(at-0.21) > 0.01 {
		t.Errorf("worst ratio %.4f at H/B² = %.3f, the comment says 1.21 near 0.21", worst, at)
	}
}

var forms = map[string]func(normW, radius, hinge float64) float64{
	"root": bound.HingeRoot, "half-loosened": bound.HingeHalfLoosened, "loosened": bound.HingeLoosened,
}

func TestHingeLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, r, m := positive(t, "normW"), positive(t, "R"), float64(rapid.IntRange(0, 1e6).Draw(t, "M"))
		for name, f := range forms {
			if got, want := f(w, r, 0), bound.Novikoff(r, 1/w); !near(got, want) {
				t.Fatalf("%s at H = 0: %g, Novikoff has %g", name, got, want)
			}
			// The vacuous minimum: w* = 0 loses 1 on each of the M mistake rounds.
			if got := f(0, r, m); !near(got, m) {
				t.Fatalf("%s at w* = 0, H = M: %g, want %g", name, got, m)
			}
		}
	})
}

// Every prefix of a run over noisy data obeys the bound for w* drawn before the run.
func TestHingeBoundHoldsOnRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 0))
	const dim = 3
	for range 100 {
		var star, w [dim]float64
		for j := range star {
			star[j] = r.NormFloat64() * 3
		}
		radius, hinge, mistakes := 0.0, 0.0, 0.0
		for range 200 {
			var x [dim]float64
			var norm, score, target float64
			for j := range x {
				x[j] = r.NormFloat64()
				norm, score, target = norm+x[j]*x[j], score+w[j]*x[j], target+star[j]*x[j]
			}
			y := math.Copysign(1, target)
			if r.Float64() < 0.1 {
				y = -y
			}
			radius = max(radius, math.Sqrt(norm))
			if y*score > 0 {
				continue
			}
			for j := range w {
				w[j] += y * x[j]
			}
			mistakes++
			hinge += max(0, 1-y*target)
			normStar := math.Sqrt(star[0]*star[0] + star[1]*star[1] + star[2]*star[2])
			if b := bound.HingeRoot(normStar, radius, hinge); !atMost(mistakes, b) {
				t.Fatalf("%g mistakes > %g", mistakes, b)
			}
		}
	}
}
