package figures

import (
	"math"
	"math/rand/v2"
	"slices"
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

func TestProofStepSaysWhatTheStepsSay(t *testing.T) {
	for _, c := range []struct {
		k        int
		part     ProofPart
		says, in string
	}{
		{2, ProofAlong, "at least kγ = 2 ahead along w*; it is 2 ahead.", ""},
		{2, ProofLength, "at most √k·R = 4.47 long; it is 2.24 long.", "between w and yx is 135°"},
		{4, ProofBoth, "at least 4 ahead along w*, and at most 6.32 long.", "leads to (4, 2)"},
		{6, ProofAlong, "kγ = 6 ahead along w*. The run ended after mistake 5.", ""},
		{10, ProofBoth, "a single place would be left", "crosses w* at 10"},
		{11, ProofBoth, "no place would be left", "there is none"},
	} {
		f, err := ProofStep(twoPointRun(), []float64{1, 0}, twoPoints, c.k, c.part)
		if err != nil || !strings.Contains(f.Caption, c.says) || !strings.Contains(f.Alt, c.in) {
			t.Errorf("k = %d, part %d: %v, %v, want %q and %q", c.k, c.part, f, err, c.says, c.in)
		}
	}
}

// For every γ and order R is 1, γ is what was asked for, and the run ends within the bound.
func TestStreetRunHasItsNumbers(t *testing.T) {
	for order := range StreetOrders {
		for _, gamma := range []float64{0.05, 0.2, 0.4} {
			s, err := StreetRun(gamma, order)
			if err != nil {
				t.Fatal(err)
			}
			least, _ := s.Star.SetMargin(s.Set)
			end, _ := s.Last.SetMargin(s.Set)
			made := float64(len(s.Trace.Mistakes))
			if math.Abs(least-gamma) > rounding || math.Abs(s.Set.Radius()-1) > rounding || s.Set.Len() != 30 ||
				!(end > 0) || made < 1 || made > 1/gamma/gamma {
				t.Errorf("order %d, γ = %g: γ %g, R %g, %d rows, last margin %g, %g mistakes", order, gamma,
					least, s.Set.Radius(), s.Set.Len(), end, made)
			}
			for i := 1; i < s.Set.Len(); i++ {
				a, b := s.Star.Margin(s.Set.X[i-1], s.Set.Y[i-1]), s.Star.Margin(s.Set.X[i], s.Set.Y[i])
				if order == 1 && s.Set.Y[i-1] < s.Set.Y[i] || order == 2 && a < b || order == 3 && a > b {
					t.Errorf("order %d: rows %d and %d are exchanged", order, i-1, i)
				}
			}
		}
	}
	for _, bad := range []float64{0, 1, math.NaN()} {
		if _, err := StreetRun(bad, 0); err == nil {
			t.Errorf("γ = %g is accepted", bad)
		}
	}
	if _, err := StreetRun(0.1, 4); err == nil {
		t.Error("order 4 is accepted")
	}
}

// Each recorded mistake is one, leads from w to w + yx, and begins where the one before ended; in every
// fourth run it is at the point with the smallest yf(x).
func TestWitnessedRunsAreRuns(t *testing.T) {
	runs, err := WitnessedRuns(24)
	if err != nil || len(runs) != 24 {
		t.Fatal(len(runs), err)
	}
	for i, run := range runs {
		set, star, err := RandomSet(rand.New(rand.NewPCG(3, uint64(i))))
		if err != nil {
			t.Fatal(err)
		}
		gamma, _ := star.SetMargin(set)
		if !run.Ended || len(run.Mistakes) == 0 || run.Gamma != gamma || run.Radius != set.Radius() ||
			!slices.Equal(run.Star, star.W) {
			t.Errorf("run %d: ended %v, γ %g of %g", i, run.Ended, run.Gamma, gamma)
		}
		w := make([]float64, set.Dim)
		for k, m := range run.Mistakes {
			x := svmkit.Dense(m.X...)
			if !slices.Equal(m.Before, w) || m.Y*x.Dot(w) > 0 {
				t.Fatalf("run %d: mistake %d is none, or does not go on", i, k)
			}
			x.AddTo(w, m.Y)
			if !slices.Equal(m.After, w) {
				t.Fatalf("run %d: mistake %d does not add yx", i, k)
			}
			for r, z := range set.X {
				if i%4 == 3 && set.Y[r]*z.Dot(m.Before) < m.Y*x.Dot(m.Before) {
					t.Fatalf("run %d: mistake %d is not at the worst point", i, k)
				}
			}
		}
		if wrong := Misclassified(set, svmkit.Hyperplane{W: w}); wrong != 0 {
			t.Errorf("run %d ends with %d points misclassified", i, wrong)
		}
	}
}

// The numbers that lesson 3 reads aloud.
func TestRunsOfLesson3(t *testing.T) {
	loose, err := LooseRuns(300)
	if err != nil {
		t.Fatal(err)
	}
	below := 0
	for i, r := range loose {
		if float64(r.Mistakes) > r.Bound*(1+roundoff) {
			t.Errorf("run %d: %d mistakes > %g", i, r.Mistakes, r.Bound)
		}
		if float64(r.Mistakes) < r.Bound/4 {
			below++
		}
	}
	if m := medianRatio(loose); below <= 150 || math.Abs(m-0.216) > 5e-4 {
		t.Errorf("%d of 300 runs below a quarter, median %g", below, m)
	}
	tight, err := TightRuns(1, 4, 20)
	if err != nil || len(tight.Last) != 20 || tight.Sizes[1] != (TightRun{4, 4, 4}) ||
		math.Abs(tight.Numbers.Bound()-20) > 1e-12 {
		t.Errorf("%v, %v", tight, err)
	}
	for i, m := range tight.Last {
		if k := float64(i + 1); math.Abs(m.Align-k/math.Sqrt(20)) > rounding || math.Abs(m.NormW-math.Sqrt(k)) > rounding {
			t.Errorf("mistake %g: ⟨w,w*⟩ = %g, ‖w‖ = %g", k, m.Align, m.NormW)
		}
	}
	panels, err := MistakesBySize()
	if err != nil || len(panels) != 2 {
		t.Fatal(err)
	}
	for i, p := range panels {
		s := p.Series[0]
		for k := range s.X {
			if !(s.Low[k] >= 1 && s.Low[k] <= s.Y[k] && s.Y[k] <= s.High[k] && s.High[k] <= 100) {
				t.Errorf("panel %d, size %g: %g, %g, %g", i, s.X[k], s.Low[k], s.Y[k], s.High[k])
			}
		}
	}
	points, dims := panels[0].Series[0].Y, panels[1].Series[0].Y
	for i, want := range [][2]float64{{points[1], 21}, {points[5], 6.1}, {dims[3], 17}, {dims[5], 2.3}} {
		if math.Abs(want[0]-want[1]) > 0.5 {
			t.Errorf("mean %d is %g, the lesson says %g", i, want[0], want[1])
		}
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
