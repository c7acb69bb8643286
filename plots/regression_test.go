package plots

import (
	"math"
	"strings"
	"testing"

	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/svmkit"
)

// curveOf is a function of the first column as a Scorer.
type curveOf func(x float64) float64

func (f curveOf) Score(x svmkit.Row) float64 { return f(x.At(0)) }

// fivePoints around the line y = x: residuals 0, 0.5, −0.5, 1.5 and −2.
func fivePoints() *svmkit.Dataset {
	return mustSet([][]float64{{0}, {1}, {2}, {3}, {4}}, []float64{0, 1.5, 1.5, 4.5, 2})
}

func risingFit() TubeFit {
	return TubeFit{Name: "rising", F: curveOf(func(x float64) float64 { return x }), Epsilon: 0.5,
		Beta: []float64{0, 0.3, -0.1, 1, -1}}
}

// The edge belongs to the tube; the slacks sum to 1 + 1.5.
func TestTubeCounts(t *testing.T) {
	const rounding = 1e-12 // a sum of two halves
	c := risingFit().count(fivePoints())
	if c.inside != 3 || c.above != 1 || c.below != 1 || c.support != 4 || c.misplaced != 0 ||
		math.Abs(c.slack-2.5) > rounding {
		t.Errorf("%+v; want 3 inside, 1 above, 1 below, 4 support vectors, none misplaced, "+
			"slack 2.5", c)
	}
	inside := risingFit()
	inside.Beta[0] = 0.1 // the point on the curve itself
	if c := inside.count(fivePoints()); c.misplaced != 1 {
		t.Errorf("%+v; want one support vector inside", c)
	}
}

func TestTubeSaysWhatItSees(t *testing.T) {
	narrow, wide, wrong := risingFit(), risingFit(), risingFit()
	narrow.Epsilon, narrow.Beta = 0, nil
	wide.Epsilon, wide.Beta = 2, make([]float64, 5)
	wrong.Epsilon = 0.6
	for want, fit := range map[string]TubeFit{
		"3 are in the tube f(x) ± 0.5 and have no loss; 1 above it and 1 below have": risingFit(),
		"2.5 in all. The 4 support vectors (ringed) lie on the edge or outside.":     risingFit(),
		"1 is on it, 2 above and 2 below pay 4.5 in all.":                            narrow,
		"All 5 points lie in the tube f(x) ± 2: the loss is 0. There is no":          wide,
		"2 are strictly inside of the tube: this is not the solution":                wrong,
	} {
		f, err := Tube(fivePoints(), fit)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(f.Caption, want) {
			t.Errorf("%q, want %q in it", f.Caption, want)
		}
	}
}

// Below y = x are two of the five points, one is on it; below y = x + 1.2 are four.
func TestFitsCountPointsBelow(t *testing.T) {
	f, err := examples["fits"]()
	if err != nil {
		t.Fatal(err)
	}
	if want := "of 5: 2 for rising, with 1 on it; 4 for higher, with 0 on it."; !strings.Contains(f.Caption, want) {
		t.Errorf("%q, want %q in it", f.Caption, want)
	}
}

func TestResidualsMeasure(t *testing.T) {
	f, err := Residuals(fivePoints(), risingFit().F, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	// |r| = 0, 0.5, 0.5, 1.5, 2: mean 0.9; mean square 6.75/5 = 1.35, its root 1.162.
	for _, want := range []string{"3 are within 0.5", "error is 0.9, the largest 2.",
		"root mean square 1.162", "the largest error is 2, where the prediction is 4"} {
		if !strings.Contains(f.Caption+f.Alt, want) {
			t.Errorf("%q, %q: want %q", f.Caption, f.Alt, want)
		}
	}
}

// Large sets are thinned by rule, and the caption says so; no support vector is dropped.
func TestRegressionFiguresThin(t *testing.T) {
	n := 3000
	x, y, beta := make([][]float64, n), make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = []float64{float64(i)}, math.Sin(float64(i))
	}
	beta[1501] = 1
	set := mustSet(x, y)
	fit := TubeFit{Name: "flat", F: curveOf(func(float64) float64 { return 0 }), Epsilon: 0.1,
		Beta: beta}
	for name, build := range map[string]func() (*Figure, error){
		"tube":      func() (*Figure, error) { return Tube(set, fit) },
		"fits":      func() (*Figure, error) { return Fits(set, []TubeFit{fit}) },
		"residuals": func() (*Figure, error) { return Residuals(set, fit.F, 0.1) },
	} {
		f, err := build()
		if err != nil || !strings.Contains(f.Caption, "Of 3,000 points, 1,20") {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
	if _, _, shown := tubePlot(set, fit); shown != pen.MaxRows+1 {
		t.Errorf("%d points are shown, want the sample and the support vector", shown)
	}
}

func TestRegressionFiguresRefuse(t *testing.T) {
	good, set := risingFit(), fivePoints()
	flat := mustSet([][]float64{{0, 1}, {1, 2}}, []float64{1, 2})
	nan := curveOf(func(float64) float64 { return math.NaN() })
	for name, build := range map[string]func() (*Figure, error){
		"two columns": func() (*Figure, error) { return Tube(flat, good) },
		"no function": func() (*Figure, error) { return Tube(set, TubeFit{}) },
		"negative ε": func() (*Figure, error) {
			return Tube(set,
				TubeFit{F: good.F, Epsilon: -1})
		},
		"β of other rows": func() (*Figure, error) {
			return Tube(set,
				TubeFit{F: good.F, Beta: []float64{1}})
		},
		"no fits":    func() (*Figure, error) { return Fits(set, nil) },
		"seven fits": func() (*Figure, error) { return Fits(set, make([]TubeFit, 7)) },
	} {
		if f, err := build(); !isParam(err) || f != nil {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
	for name, build := range map[string]func() (*Figure, error){
		"not finite": func() (*Figure, error) { return Tube(set, TubeFit{F: nan}) },
		"residuals":  func() (*Figure, error) { return Residuals(set, nan, 1) },
		"β is NaN": func() (*Figure, error) {
			return Tube(set, TubeFit{F: good.F, Beta: []float64{0, math.NaN(), 0, 0, 0}})
		},
		"empty": func() (*Figure, error) { return Residuals(new(svmkit.Dataset), good.F, 1) },
	} {
		if f, err := build(); !isData(err) || f != nil {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}

// A point a ten-thousandth of the largest |y| away from the curve is beside it; one a millionth
// away is on it.
func TestOnTheEdgeIsNarrow(t *testing.T) {
	set := mustSet([][]float64{{0}, {1}, {2}, {3}}, []float64{0, 1 + 4e-6, 2 + 4e-4, 4})
	f, err := Fits(set, []TubeFit{{Name: "rising",
		F: curveOf(func(x float64) float64 { return x })}})
	if err != nil {
		t.Fatal(err)
	}
	if want := "0 for rising, with 2 on it."; !strings.Contains(f.Caption, want) {
		t.Errorf("%q, want %q in it", f.Caption, want)
	}
}
