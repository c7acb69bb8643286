package loss_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit/loss"
)

// recorder is a TB that keeps what is reported.
type recorder struct{ reports []string }

func (*recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.reports = append(r.reports, fmt.Sprintf(format, args...))
}

// altered is the hinge with some of its parts replaced.
type altered struct {
	value, subgradient, conjugate func(s, y float64) float64
}

func (a altered) Value(s, y float64) float64 { return either(a.value, loss.Hinge{}.Value)(s, y) }
func (a altered) Subgradient(s, y float64) float64 {
	return either(a.subgradient, loss.Hinge{}.Subgradient)(s, y)
}
func (a altered) Conjugate(s, y float64) float64 {
	return either(a.conjugate, loss.Hinge{}.Conjugate)(s, y)
}

func either(f, g func(s, y float64) float64) func(s, y float64) float64 {
	if f != nil {
		return f
	}
	return g
}

func TestCheckLossCatches(t *testing.T) {
	var hinge loss.Hinge
	for _, c := range []struct {
		name string
		l    loss.Convex
		law  string // that must be reported
	}{
		{"subgradient of the wrong sign",
			altered{subgradient: func(s, y float64) float64 { return -hinge.Subgradient(s, y) }}, "subgradient inequality"},
		{"subgradient by the margin, label forgotten",
			altered{subgradient: func(s, y float64) float64 { return y * hinge.Subgradient(s, y) }}, "subgradient inequality"},
		{"subgradient too flat",
			altered{subgradient: func(s, y float64) float64 { return hinge.Subgradient(s, y) / 2 }}, "finite differences"},
		{"subgradient with its kink at 0",
			altered{subgradient: loss.Perceptron{}.Subgradient}, "subgradient inequality"},
		{"no slope of ∂ℓ at the kink only",
			altered{subgradient: func(s, y float64) float64 {
				if y*s == 1 {
					return y
				}
				return hinge.Subgradient(s, y)
			}}, "finite differences"},
		{"ramp: the hinge cut off at 1, not convex",
			altered{value: func(s, y float64) float64 { return min(1, hinge.Value(s, y)) }}, "convexity"},
		{"NaN somewhere",
			altered{value: func(s, y float64) float64 { return math.Sqrt(s) }}, "convexity"},
		{"conjugate without its domain",
			altered{conjugate: func(u, y float64) float64 { return u * y }}, "Fenchel–Young"},
		{"conjugate of the perceptron loss",
			altered{conjugate: loss.Perceptron{}.Conjugate}, "Fenchel–Young equality"},
		{"conjugate too large inside its domain, right at the ends",
			altered{conjugate: func(u, y float64) float64 {
				return hinge.Conjugate(u, y) - min(0, u*y*(1+u*y))
			}}, "conjugate"},
		{"conjugate finite beyond its domain, where Fenchel–Young sees it only far away",
			altered{conjugate: func(u, y float64) float64 {
				if v := u * y; v > 0 && v < 0.5 {
					return 1000
				}
				return hinge.Conjugate(u, y)
			}}, "conjugate"},
		{"conjugate +Inf everywhere",
			altered{conjugate: func(u, y float64) float64 { return math.Inf(1) }}, "Fenchel–Young equality"},
		{"conjugate NaN",
			altered{conjugate: func(u, y float64) float64 { return math.NaN() }}, "Fenchel–Young"},
	} {
		var r recorder
		checkLoss(&r, c.l, nil)
		found := false
		for _, s := range r.reports {
			found = found || strings.Contains(s, ": "+c.law+": ")
		}
		if !found {
			t.Errorf("%s: no report of %q among %q", c.name, c.law, r.reports)
		}
		if len(r.reports) > 6 {
			t.Errorf("%s: %d reports, want one for each law at most", c.name, len(r.reports))
		}
	}
}

// A kink that no default score meets is found when it is named.
func TestCheckLossUsesGivenScores(t *testing.T) {
	const kink = math.Pi
	broken := altered{
		value: func(s, _ float64) float64 { return math.Abs(s - kink) },
		subgradient: func(s, _ float64) float64 {
			if s == kink {
				return 2 // ∂ℓ is [−1, 1] here
			}
			return math.Copysign(1, s-kink)
		},
		conjugate: func(u, _ float64) float64 {
			if math.Abs(u) > 1 {
				return math.Inf(1)
			}
			return u * kink
		},
	}
	var without, with recorder
	checkLoss(&without, broken, nil)
	checkLoss(&with, broken, &lossSettings{Scores: []float64{kink}})
	if len(without.reports) != 0 || len(with.reports) == 0 {
		t.Errorf("without the score: %q; with it: %q", without.reports, with.reports)
	}
}

// At the kink of the hinge, y = 1, ∂ℓ is [−1, 0]; a little more or less is caught by the
// difference quotient of one side.
func TestCheckLossBoundsTheKinkOnBothSides(t *testing.T) {
	for _, g := range []float64{-1.01, -1, -0.3, 0, 0.01} {
		var r recorder
		checkLoss(&r, altered{subgradient: func(s, y float64) float64 {
			if s == 1 {
				return g
			}
			return loss.Hinge{}.Subgradient(s, y)
		}}, &lossSettings{Labels: []float64{1}})
		caught := strings.Contains(strings.Join(r.reports, "\n"), ": finite differences: ")
		if want := g < -1 || g > 0; caught != want {
			t.Errorf("slope %g at the kink: finite differences report %t, want %t: %q", g, caught, want, r.reports)
		}
	}
}

func TestCheckLossIsDeterministic(t *testing.T) {
	broken := altered{conjugate: loss.Perceptron{}.Conjugate}
	var a, b recorder
	checkLoss(&a, broken, &lossSettings{Seed: 5})
	checkLoss(&b, broken, &lossSettings{Seed: 5})
	if strings.Join(a.reports, "\n") != strings.Join(b.reports, "\n") {
		t.Error("same seed, other reports")
	}
}

// forgetful is a hinge whose author forgot the label in the slope.
type forgetful struct{ loss.Hinge }

func (forgetful) Subgradient(s, y float64) float64 {
	if y*s < 1 {
		return -1 // should be −y
	}
	return 0
}

func TestCheckLossNeedsBothLabels(t *testing.T) {
	var one, both recorder
	checkLoss(&one, forgetful{}, &lossSettings{Labels: []float64{1}})
	checkLoss(&both, forgetful{}, nil)
	var laws []string
	for _, report := range both.reports {
		laws = append(laws, strings.Split(report, ": ")[1])
	}
	want := []string{"subgradient inequality", "finite differences", "Fenchel–Young equality"}
	if len(one.reports) > 0 || !slices.Equal(laws, want) {
		t.Errorf("label +1 only: %q; both labels: %q, want %q", one.reports, laws, want)
	}
}
