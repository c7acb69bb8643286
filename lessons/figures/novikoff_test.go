package figures

import (
	"math"
	"strings"
	"testing"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
	"pgregory.net/rapid"
)

func TestTightCaseCountsRunsThatMeetTheBound(t *testing.T) {
	trace, n, err := traced(basisVectors(3), ones(3))
	if err != nil {
		t.Fatal(err)
	}
	// Met; met although the bound is no whole number; one short; one over, which cannot be.
	f, err := TightCase([]TightRun{{1, 1, 1}, {2, 2, 2.5}, {3, 2, 3}, {4, 5, 4}}, trace, n)
	if err != nil || !strings.Contains(f.Caption, "in 2 of 4 runs") {
		t.Errorf("%v, %v", f, err)
	}
}

func TestAngles(t *testing.T) {
	got, err := angles([]perceptron.Mistake{{NormW: 2, Align: 2 * 3 * math.Cos(1)},
		{NormW: 1, Align: -3}, {NormW: 1, Align: 3 * (1 + 1e-12)}}, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{180 / math.Pi, 180, 0} {
		if !(math.Abs(got[i]-want) <= angleRoundoff) { // NaN fails too
			t.Errorf("angle %d = %g, want %g", i, got[i], want)
		}
	}
}

func TestCaptionsSayWhenAHypothesisFails(t *testing.T) {
	trace, n, err := traced(cloud(8, 300), ones(8))
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]Novikoff{
		"γ": {n.Gamma * 20, n.NormReference, n.Radius},
		"R": {n.Gamma, n.NormReference, n.Radius / 20},
	} {
		f, err := Squeeze(trace, bad)
		if err != nil || !strings.Contains(f.Caption, "leaves its bounds") ||
			!strings.Contains(f.Caption, name) {
			t.Errorf("wrong %s: %v, %v", name, f, err)
		}
		if f, err := AngleToReference(trace, bad); err != nil ||
			!strings.Contains(f.Caption, "hypothesis") {
			t.Errorf("wrong %s: angle: %v, %v", name, f, err)
		}
	}
	runs := manyRuns()
	runs[17].Mistakes = int(2 * runs[17].Bound)
	if f, err := MistakesAgainstBound(runs); err != nil ||
		!strings.Contains(f.Caption, "1 has more mistakes than R²/γ²") {
		t.Errorf("a run above its bound: %v, %v", f, err)
	}
	grown := []plots.Series{{X: []float64{1, 2}, Y: []float64{3, 9}}}
	const both = "While the number of rows grows from 1 to 2 and the number of columns d of 7 " +
		"rows grows from 1 to 2, the mistakes reach 9, above R²/γ² = 5"
	if f, err := Growth([]GrowthPanel{{"rows", grown}, {"columns $d$ of 7 rows", grown}},
		5); err != nil || !strings.HasPrefix(f.Caption, both) {
		t.Errorf("growth above the bound: %v, %v", f, err)
	}
	if f, err := SignedMargins(square40(), plane(1, 0, 0.3)); err != nil ||
		!strings.Contains(f.Caption, "does not separate") {
		t.Errorf("a plane that does not separate: %v, %v", f, err)
	}
}

// Few mistakes under a high bound would lie on the axis: that takes a logarithmic one.
func TestGrowthChoosesItsAxis(t *testing.T) {
	for bound, logs := range map[float64]bool{20: false, 1000: true} {
		f, err := Growth([]GrowthPanel{{"rows",
			[]plots.Series{{X: []float64{10, 100}, Y: []float64{3, 9}}}}}, bound)
		if err != nil {
			t.Fatal(err)
		}
		if _, got := f.Panels[0][0].Y.Scale.(pen.PositiveLog); got != logs {
			t.Errorf("bound %g over 3 to 9 mistakes: logarithmic = %v", bound, got)
		}
	}
}

func TestNearestRun(t *testing.T) {
	groups, nearest, err := checkRuns([]BoundRun{{2, 8, "b"}, {3, 4, "a"}, {90, 900, "b"}})
	if err != nil || nearest != 1 || len(groups) != 2 || groups[0] != "b" {
		t.Errorf("groups %v, nearest %d, %v", groups, nearest, err)
	}
}

func positiveNumber(t *rapid.T, name string) float64 {
	return math.Exp(rapid.Float64Range(-6, 6).Draw(t, name))
}

func TestSqueezeClosesExactlyAtTheBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := Novikoff{positiveNumber(t, "gamma"), positiveNumber(t, "norm"),
			positiveNumber(t, "radius")}
		k := n.Bound()
		if lo, hi := n.Lower(k), n.Upper(k); math.Abs(lo-hi) > rounding*hi {
			t.Errorf("at k = R²/γ² = %g the sides are %g and %g", k, lo, hi)
		}
		if n.Lower(0.99*k) >= n.Upper(0.99*k) {
			t.Error("the squeeze is closed before the bound")
		}
		if n.Lower(1.01*k) <= n.Upper(1.01*k) {
			t.Error("the squeeze is open after the bound")
		}
		// cos of the ceiling is the ratio of the two sides, at any k.
		part := rapid.Float64Range(0.01, 0.99).Draw(t, "part") * k
		if c := math.Cos(n.Ceiling(part) * math.Pi / 180); math.Abs(c-n.Lower(part)/n.Upper(part)) > rounding {
			t.Errorf("cos ceiling = %g, Lower/Upper = %g", c, n.Lower(part)/n.Upper(part))
		}
	})
	if c := (Novikoff{1, 1, 2}).Ceiling(4.1); !math.IsNaN(c) {
		t.Errorf("beyond the bound the ceiling is %g, want NaN: no w is left", c)
	}
}

func TestBrokenNamesTheLink(t *testing.T) {
	n := Novikoff{Gamma: 1, NormReference: 1, Radius: 2}
	good := []perceptron.Mistake{{NormW: 2, Align: 1.5}, {NormW: 2.5, Align: 2.2}}
	if k, link := n.broken(good); k != 0 {
		t.Errorf("a run inside the squeeze is broken at %d: %s", k, link)
	}
	for name, bad := range map[string]perceptron.Mistake{
		"margin": {NormW: 2.5, Align: 1.9}, "radius": {NormW: 2.9, Align: 2.2},
		"Cauchy–Schwarz": {NormW: 2.1, Align: 2.2},
	} {
		if k, link := n.broken([]perceptron.Mistake{good[0], bad}); k != 2 || link == "" {
			t.Errorf("%s: broken at %d (%q), want 2", name, k, link)
		}
	}
}

// Under a slider only the curves may move.
func TestSqueezeWithinKeepsItsAxes(t *testing.T) {
	trace := []perceptron.Mistake{{NormW: 1, Align: 0.5}, {NormW: 1.2, Align: 1}}
	wide, err := SqueezeWithin(trace, Novikoff{0.1, 1, 1}, 400)
	if err != nil {
		t.Fatal(err)
	}
	narrow, err := SqueezeWithin(trace, Novikoff{0.4, 1, 1}, 400)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := pen.Shown(wide.Plot), pen.Shown(narrow.Plot); a != b || !(a.XMax > 400) ||
		!(a.YMin < 0.05) {
		t.Errorf("axes %v and %v", a, b)
	}
}

func TestNovikoffStepMeasures(t *testing.T) {
	right := VectorUpdate{[]float64{3, 0}, svmkit.Dense(0, -4), -1}
	obtuse := VectorUpdate{[]float64{3, 0}, svmkit.Dense(-3, 3), 1}
	f, err := NovikoffStep([]VectorUpdate{right, obtuse}, []float64{0, 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"at 90° it is 5 long, and the circle's radius is 5",
		"at 135° it is 3 long, and the circle's radius is 5.2"} {
		if !strings.Contains(f.Caption, words) {
			t.Errorf("caption %q lacks %q", f.Caption, words)
		}
	}
	if !strings.Contains(f.Alt, "moves from 0 to 4.") ||
		!strings.Contains(f.Alt, "moves from 0 to 3.") {
		t.Errorf("alt %q", f.Alt)
	}
}

func TestStreetAndRunCountsItsErrors(t *testing.T) {
	for _, c := range []struct {
		last svmkit.Hyperplane
		says string
	}{{plane(2, 1, 0), "7 mistakes and stops at a line that separates"},
		{plane(-2, -1, 0), "40 points on the wrong side"}} {
		f, err := StreetAndRun(square40(), plane(2, 1, 0), c.last, 7)
		if err != nil || !strings.Contains(f.Caption, c.says) {
			t.Errorf("%v: %v", f, err)
		}
	}
}
