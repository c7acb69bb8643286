package figures

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// Rows of weight 0 have no condition to meet, also where the others have a hard margin.
func TestKKTLeavesOutRowsOfWeightZero(t *testing.T) {
	apart, count := overlapping(), 0
	apart.Weight = make([]float64, apart.Len())
	for i, x := range apart.X {
		if x.At(0)*apart.Y[i] > 0.3 {
			apart.Weight[i] = 1
			count++
		}
	}
	p := &svm.Problem{Data: apart, C: svm.PerSum(math.Inf(1))}
	r := fitted(p)
	f, err := KKT(p, r, r.Beta)
	if err != nil || count == apart.Len() || !strings.HasPrefix(f.Caption,
		fmt.Sprintf("All of %d rows", count)) {
		t.Errorf("%v, %d rows count: %q", err, count, f.Caption)
	}
}

func TestKKTMeasuresWhatCertifyMeasures(t *testing.T) {
	weight := make([]float64, 50)
	for i := range weight {
		weight[i] = float64(i%3) / 2
	}
	weighted := overlapping()
	weighted.Weight = weight
	for name, p := range map[string]*svm.Problem{
		"hinge":    {Data: overlapping()},
		"weighted": {Data: weighted, C: svm.Cost{C: 2, Positive: 3}, Bias: svmkit.PenalizedBias},
		"tube": {Data: wave(), Loss: loss.EpsInsensitive{Epsilon: 0.15},
			Kernel: kernel.RBF{Gamma: 1}},
		"asymmetric": {Data: wave(), Loss: loss.EpsInsensitive{Epsilon: 0.1},
			C: svm.Cost{C: 1, Positive: 4}, Bias: svmkit.NoBias},
	} {
		rng := rand.New(rand.NewPCG(3, 0))
		solved := fitted(p).Beta
		guess := make([]float64, len(solved))
		for i := range guess {
			above, below := bounds(p.C, p.Data, i, p.Regression())
			guess[i] = above * rng.Float64()
			if p.Regression() && rng.IntN(2) == 0 {
				guess[i] = -below * rng.Float64()
			} else if !p.Regression() {
				guess[i] *= p.Data.Y[i]
			}
			if rng.IntN(3) == 0 {
				guess[i] = 0
			}
		}
		for which, beta := range map[string][]float64{"solved": solved, "guessed": guess} {
			proof, err := p.Certify(beta) // which repairs Σβ = 0 with a free bias
			if err != nil {
				t.Fatal(err)
			}
			k, err := newConditions(p, p.Model(proof), proof.Beta)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, which, err)
			}
			const rounding = 1e-6 // a β so near to its bound that it counts as there
			if got := slices.Max(k.violation); math.Abs(got-proof.KKT) > rounding {
				t.Errorf("%s, %s: the largest violation is %g, that of the certificate %g", name,
					which, got, proof.KKT)
			}
			f, err := KKT(p, p.Model(proof), proof.Beta)
			if err != nil {
				t.Fatal(err)
			}
			if good := strings.HasPrefix(f.Caption, "All of"); good != (which == "solved") {
				t.Errorf("%s, %s: %s", name, which, f.Caption)
			}
			if strings.Contains(f.Caption+f.Alt, "e−") {
				t.Errorf("%s, %s: the words hold what a solver leaves of 0: %s %s", name, which,
					f.Caption, f.Alt)
			}
			for _, at := range k.at {
				if at.Y > k.top*(1+1e-9) || at.Y < -k.bottom*(1+1e-9) {
					t.Errorf("%s: %v is outside of the box", name, at)
				}
			}
		}
	}
}

// A hard margin has no bound: its line comes down at 1.
func TestKKTOfAHardMargin(t *testing.T) {
	p := &svm.Problem{Data: nine(), C: svm.PerSum(math.Inf(1))}
	r := fitted(p)
	f, err := KKT(p, r, r.Beta)
	if err != nil || !strings.HasPrefix(f.Caption, "All of 9 rows") ||
		!strings.Contains(f.Caption, ", 0 at the bound") {
		t.Fatalf("%v, %v", said(f), err)
	}
	if _, err := f.Thumbnail(); err != nil {
		t.Error(err)
	}
}

// sixSoft is separable, with the line 4x₁ − 2x₂ = 1 in the middle of its widest street.
func sixSoft() *svmkit.Dataset {
	return mustSet([][]float64{{1, 1}, {-1, -1}, {0.5, 0}, {0.5, 1}, {2, 0}, {-2, 0}},
		[]float64{1, -1, 1, -1, 1, -1})
}

// softFits are the optimal planes for C = ¼, 1, 5 and 10.
func softFits() []SoftFit {
	return []SoftFit{
		{plane(0.5, 0.25, 0), []float64{0.25, 0.25, 0.25, 0.25, 0, 0}, 0.25},
		{plane(1, 0, 0), []float64{0.5, 0.5, 1, 1, 0, 0}, 1},
		{plane(2, -1, 0), []float64{4, 0, 1, 5, 0, 0}, 5},
		{plane(4, -2, -1), []float64{8, 0, 2, 10, 0, 0}, 10},
	}
}

// softPath is the exact path of sixSoft from C = 1/3 to 12.
func softPath() ([]float64, [][]float64) {
	third := 1. / 3
	return []float64{third, 3, 5, 10, 12}, [][]float64{
		{third, third, third, third, 0, 0}, {1, 1, 3, 3, 0, 0}, {4, 0, 1, 5, 0, 0},
		{8, 0, 2, 10, 0, 0}, {8, 0, 2, 10, 0, 0}}
}

func TestSoftStreetSaysWhatItDraws(t *testing.T) {
	f, err := SoftStreet(sixSoft(), softFits()[1])
	if err != nil {
		t.Fatal(err)
	}
	// f = x₁: two points on the lines f = ±1, ξ = ½ at (½, 0) and 3/2 at (½, 1), which is on the
	// wrong side.
	if want := "C = 1: a street 2 wide, slacks that add up to 2, 1 point on the wrong side or " +
		"on f = 0."; f.Caption != want {
		t.Errorf("caption %q, want %q", f.Caption, want)
	}
	for _, want := range []string{"A ring at (1, 1). A ring at (−1, −1).",
		"(0.5, 1), class −1, slack 1.5", "2 apart"} {
		if !strings.Contains(f.Alt, want) {
			t.Errorf("alt lacks %q: %s", want, f.Alt)
		}
	}
	s, err := newSoft(sixSoft(), softFits()[3])
	if err != nil || len(s.free) != 2 || len(s.bound) != 1 || s.total != 0 || s.wrong != 0 {
		t.Errorf("hard margin: %+v, %v; want 2 free, 1 at the bound, no slack", s, err)
	}
	flat, err := SoftStreet(sixSoft(), SoftFit{plane(0, 0, 1), make([]float64, 6), 1})
	if err != nil || !strings.Contains(flat.Caption,
		"no street, as w = 0, slacks that add up to 6, 3 points on the wrong side") ||
		!strings.Contains(flat.Alt, "No line is drawn") {
		t.Errorf("w = 0: %s, %v", said(flat), err)
	}
}

func TestCStripHoldsAPanelForEachFit(t *testing.T) {
	for n := 1; n <= 4; n++ {
		f, err := CStrip(sixSoft(), softFits()[:n])
		if err != nil {
			t.Fatal(err)
		}
		panels := 0
		for _, row := range f.Panels {
			for _, p := range row {
				if p != nil {
					panels++
				}
			}
		}
		if panels != n || strings.Count(f.Caption, "C = ") != n {
			t.Errorf("%d panels for %d fits: %s", panels, n, f.Caption)
		}
		if _, err := f.PNG(); err != nil {
			t.Error(err)
		}
	}
}

// A solver leaves a little of a slack of 0.
func TestSoftStreetSaysZeroForNearlyZero(t *testing.T) {
	fit := softFits()[3]
	fit.Plane.B += 1e-7
	f, err := SoftStreet(sixSoft(), fit)
	if err != nil {
		t.Fatal(err)
	}
	if want := "slacks that add up to 0, 0 points"; !strings.Contains(f.Caption, want) {
		t.Errorf("caption %q lacks %q", f.Caption, want)
	}
}

func TestAlphaPathNamesCurvesAndBends(t *testing.T) {
	f, err := AlphaPath(softPath())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range f.Legend[2:] {
		names = append(names, e.Name)
	}
	if got := strings.Join(names,
		" | "); got != `$\alpha_{1}$ | $\alpha_{2}$ | $\alpha_{3}$ | $\alpha_{4}$ | $\alpha_{5}$, $\alpha_{6}$` {
		t.Errorf("curves %s", got)
	}
	if want := "α3: 0.3333 at C = 0.3333, 3 at C = 3, 1 at C = 5, 2 at C = 10, 2 at C = 12."; !strings.Contains(f.Alt, want) {
		t.Errorf("alt lacks %q: %s", want, f.Alt)
	}
	// the fourth is straight to 10
	if want := "0.3333 at C = 0.3333, 10 at C = 10, 10 at C = 12."; !strings.Contains(f.Alt, want) {
		t.Errorf("alt lacks %q: %s", want, f.Alt)
	}
}

func TestAccuracyOverCComputesMeansAndErrors(t *testing.T) {
	f, err := examples["accuracy-over-c"]()
	if err != nil {
		t.Fatal(err)
	}
	if want := "Means of 2 splits with bars of one standard error. On the test rows the best " +
		"cost shown is C = 1, with 95.0 %; the hard margin has 90.5 %."; f.Caption != want {
		t.Errorf("caption %q", f.Caption)
	}
	const rounding = 1e-15
	if m, sem, err := meanError([]float64{0.9, 0.94}, 2); err != nil || !(math.Abs(m-0.92) <= rounding) || !(math.Abs(sem-0.02) <= rounding) { // s = 0.04/√2, divided by √2
		t.Errorf("mean %g, standard error %g, %v", m, sem, err)
	}
}

func TestSoftMarginFiguresRefuseBadInput(t *testing.T) {
	nan := math.NaN()
	ones, two := []float64{1, 1}, [][]float64{{1, 1}, {1, 1}}
	fit := func(change func(*SoftFit)) SoftFit {
		f := SoftFit{plane(1, 0, 0), []float64{0.5, 0.5, 1, 1, 0, 0}, 1}
		change(&f)
		return f
	}
	for name, build := range map[string]func() (*plots.Figure, error){
		"street: 3-D": func() (*plots.Figure,
			error) {
			return SoftStreet(basisVectors(3), fit(func(*SoftFit) {}))
		},
		"street: above C": func() (*plots.Figure,
			error) {
			return SoftStreet(sixSoft(), fit(func(f *SoftFit) { f.C = 0.7 }))
		},
		"street: α < 0": func() (*plots.Figure,
			error) {
			return SoftStreet(sixSoft(), fit(func(f *SoftFit) { f.Alpha[0] = -1 }))
		},
		"street: α NaN": func() (*plots.Figure, error) {
			return SoftStreet(sixSoft(), fit(func(f *SoftFit) { f.Alpha[0] = nan }))
		},
		"street: few α": func() (*plots.Figure, error) {
			return SoftStreet(sixSoft(), fit(func(f *SoftFit) { f.Alpha = f.Alpha[1:] }))
		},
		"street: C NaN": func() (*plots.Figure,
			error) {
			return SoftStreet(sixSoft(), fit(func(f *SoftFit) { f.C = nan }))
		},
		"street: C infinite": func() (*plots.Figure, error) {
			return SoftStreet(sixSoft(), fit(func(f *SoftFit) { f.C = math.Inf(1) }))
		},
		"street: w NaN": func() (*plots.Figure, error) {
			return SoftStreet(sixSoft(), fit(func(f *SoftFit) { f.Plane.W[0] = nan }))
		},
		"strip: none": func() (*plots.Figure, error) { return CStrip(sixSoft(), nil) },
		"strip: bad fit": func() (*plots.Figure,
			error) {
			return CStrip(sixSoft(), []SoftFit{{plane(1, 0, 0), nil, 1}})
		},
		"strip: many": func() (*plots.Figure,
			error) {
			return CStrip(sixSoft(), make([]SoftFit, 13))
		},
		"path: one cost": func() (*plots.Figure,
			error) {
			return AlphaPath([]float64{1}, [][]float64{{1}})
		},
		"path: falls": func() (*plots.Figure, error) { return AlphaPath([]float64{2, 1}, two) },
		"path: lengths": func() (*plots.Figure,
			error) {
			return AlphaPath([]float64{1, 2}, [][]float64{{1}, {1, 1}})
		},
		"path: above C": func() (*plots.Figure,
			error) {
			return AlphaPath([]float64{1, 2}, [][]float64{{1.1}, {1}})
		},
		"path: NaN": func() (*plots.Figure,
			error) {
			return AlphaPath([]float64{1, 2}, [][]float64{{1}, {nan}})
		},
		"path: seven curves": func() (*plots.Figure, error) {
			return AlphaPath([]float64{1, 2}, [][]float64{{0, .1, .2, .3, .4, .5, .6},
				{0, .1, .2, .3, .4, .5, .6}})
		},
		"accuracy: one cost": func() (*plots.Figure,
			error) {
			return AccuracyOverC([]float64{1}, two[:1], two[:1], ones)
		},
		"accuracy: C = 0": func() (*plots.Figure,
			error) {
			return AccuracyOverC([]float64{0, 1}, two, two, ones)
		},
		"accuracy: one split": func() (*plots.Figure, error) {
			return AccuracyOverC([]float64{1, 2}, [][]float64{{1}, {1}}, [][]float64{{1}, {1}},
				[]float64{1})
		},
		"accuracy: lengths": func() (*plots.Figure,
			error) {
			return AccuracyOverC([]float64{1, 2}, two, two, []float64{1, 1, 1})
		},
		"accuracy: percent": func() (*plots.Figure, error) {
			return AccuracyOverC([]float64{1, 2}, [][]float64{{95, 96}, {1, 1}}, two, ones)
		},
		"accuracy: NaN": func() (*plots.Figure, error) {
			return AccuracyOverC([]float64{1, 2}, two, [][]float64{{1, nan}, {1, 1}}, ones)
		},
	} {
		f, err := build()
		var param *svmkit.ParamError
		var data *svmkit.DataError
		if !errors.As(err, &param) && !errors.As(err, &data) {
			t.Errorf("%s: %s, %v; want a typed error", name, said(f), err)
		}
	}
}
