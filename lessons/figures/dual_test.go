package figures

import (
	"math"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
)

// oneConstraint is ½w² subject to w ≥ 1, whose saddle is w = α = 1.
func oneConstraint(w, alpha float64) Saddle {
	return Saddle{L: func(w, a float64) float64 { return w*w/2 - a*(w-1) }, WMin: -1, WMax: 3,
		AlphaMax: 2.5, W: w, Alpha: alpha,
		Levels: []float64{-0.5, 0, 0.25, 1, 2, 3}}
}

// Five places along x₁: −2, −1 of class −1 and 2, 3, 5 of class +1. The best plane stands at ½ with
// γ = 1.5.
func fiveInARow() *svmkit.Dataset {
	return mustSet([][]float64{{-2, 1}, {-1, 0}, {2, 1}, {3, -1}, {5, 0}},
		[]float64{-1, -1, 1, 1, 1})
}

func TestBiasMarginSaysWhichSideHoldsThePlane(t *testing.T) {
	for want, place := range map[string]float64{
		"The top, γ = 1.5":                           0.5,
		"γ = 1: the nearest point is of class −1":    0,
		"γ = 0.5: the nearest point is of class +1":  1.5,
		"does not separate the classes here: γ = −1": 3,
	} {
		for _, scale := range []float64{1, 4} { // of (w, b): the same plane
			f, err := BiasMargin(fiveInARow(), plane(scale, 0, -scale*place))
			if err != nil || !strings.Contains(f.Caption, want) {
				t.Errorf("place %g: %v, %v; want %q", place, f, err, want)
			}
		}
	}
	for _, h := range []svmkit.Hyperplane{plane(0, 0, 1), plane(1e-300, 0, 1),
		plane(math.NaN(), 0, 0)} {
		if f, err := BiasMargin(fiveInARow(), h); err == nil {
			t.Errorf("%v is no plane that can be drawn: %s", h, f.Caption)
		}
	}
	if _, err := BiasMargin(mustSet([][]float64{{0, 0}, {1, 0}}, []float64{1, 1}),
		plane(1, 0, 0)); err == nil {
		t.Error("one class has no margin between classes")
	}
}

func lonePoint() *svmkit.Dataset {
	return mustSet([][]float64{{1, 0}, {4, 1}, {0, 5}}, []float64{-1, 1, 1})
}

func sixOnTheEdge() *svmkit.Dataset {
	return mustSet([][]float64{{-1, -1}, {-1, 0}, {-1, 1}, {1, -1}, {1, 0}, {1, 1}},
		[]float64{-1, -1, -1, 1, 1, 1})
}

// closingHistory is a history whose gap halves at each update, after one infinite primal.
func closingHistory() []svmkit.Progress {
	h := []svmkit.Progress{{Certificate: svmkit.Certificate{Primal: math.Inf(1)}}}
	for k := 1; k <= 12; k++ {
		d := math.Pow(0.5, float64(k))
		h = append(h, svmkit.Progress{Updates: k,
			Certificate: svmkit.Certificate{Primal: 1 + d, Dual: 1 - d, Gap: 2 * d}})
	}
	return h
}

func TestSaddlePointTestsItsClaim(t *testing.T) {
	for _, c := range []struct {
		w, alpha float64
		want     string
	}{{1, 1, "A saddle"}, {1.5, 1, "no saddle"}, {1, 1.5, "no saddle"}, {0.5, 0, "no saddle"}} {
		f, err := SaddlePoint(oneConstraint(c.w, c.alpha))
		if err != nil || !strings.Contains(f.Caption, c.want) {
			t.Errorf("(%g, %g): %v, %v; want %q", c.w, c.alpha, f, err, c.want)
		}
	}
	s := oneConstraint(1, 1)
	for _, alpha := range []float64{0, 0.7, 2.2} { // ∂L/∂w = w − α
		const searched = 1e-6 // the search's own rounding
		if got := s.lowest(alpha); math.Abs(got-alpha) > searched {
			t.Errorf("the least L at α = %g is at w = %g, want w = α", alpha, got)
		}
	}
	for _, bad := range []Saddle{{}, oneConstraint(7, 1), oneConstraint(1, -1),
		oneConstraint(1, math.NaN()),
		{L: s.L, WMin: -1, WMax: 3, AlphaMax: 2, W: 1, Alpha: 1},
		{L: s.L, WMin: -1, WMax: 3, AlphaMax: 2, W: 1, Alpha: 1, Levels: make([]float64, 13)},
		{L: s.L, WMin: -1, WMax: 3, AlphaMax: 2, W: 1, Alpha: 1, Levels: []float64{math.NaN()}},
		{L: func(float64, float64) float64 { return math.NaN() }, WMin: -1, WMax: 1, AlphaMax: 1,
			Levels: []float64{1}}} {
		if f, err := SaddlePoint(bad); !isParam(err) {
			t.Errorf("%+v: %v, %v", bad, f, err)
		}
	}
}

// No point of a grid of feasible α has a larger dual than best's, and the dual there is ½‖w‖².
func TestTripleFindsTheTopOfTheDual(t *testing.T) {
	for _, x := range [][][]float64{{{1, 0}, {4, 1}, {0, 5}}, {{0, 0}, {2, 0}, {3, 1}},
		{{0, 0}, {1, 0}, {1, 0}}} {
		d, err := newTriple(mustSet(x, []float64{-1, 1, 1}))
		if err != nil {
			t.Fatal(err)
		}
		top := d.best()
		height := d.dual(top.X, top.Y)
		for i := range 101 {
			for k := range 101 {
				s, u := float64(i)/20, float64(k)/20
				if d.dual(s, u) > height+1e-12 {
					t.Fatalf("%v: D(%g, %g) = %g above D%v = %g", x, s, u, d.dual(s, u), top,
						height)
				}
			}
		}
		if q := d.above(top, 0.25*height); math.Abs(d.dual(q.X, q.Y)-0.75*height) > 1e-12 ||
			q.X != top.X {
			t.Errorf("%v: the dual at %v above the top is %g, want three quarters of %g", x, q,
				d.dual(q.X, q.Y), height)
		}
		h, err := d.plane([]float64{top.X + top.Y, top.X, top.Y})
		if err != nil {
			t.Fatal(err)
		}
		if got := h.Norm() * h.Norm() / 2; math.Abs(got-height) > 1e-12 {
			t.Errorf("%v: ½‖w‖² = %g, dual %g", x, got, height)
		}
	}
}

func TestDualTripleSaysWhatItSees(t *testing.T) {
	set := lonePoint()
	for want, alpha := range map[string][]float64{
		"At the top of the dual, 0.25": {0.25, 0.1875, 0.0625},
		"its plane is not feasible":    {0.1, 0.1, 0},
		"its plane is feasible":        {0.5, 0.375, 0.125},
	} {
		f, err := DualTriple(set, alpha)
		if err != nil || !strings.Contains(f.Caption, want) {
			t.Errorf("%v: %v, %v; want %q", alpha, f, err, want)
		}
	}
	for _, alpha := range [][]float64{nil, {1, 1}, {1, 1, 1}, {0, 1, -1}, {math.NaN(), 0, 0}} {
		if _, err := DualTriple(set, alpha); !isParam(err) {
			t.Errorf("α = %v: %v", alpha, err)
		}
	}
	between := mustSet([][]float64{{0, 0}, {-1, 0}, {1, 0}}, []float64{-1, 1, 1})
	if _, err := DualTriple(between, []float64{1, 0.5, 0.5}); !isParam(err) {
		t.Errorf("an inseparable set: %v", err)
	}
	if _, err := DualTriple(sixOnTheEdge(), make([]float64, 6)); !isParam(err) {
		t.Errorf("six points: %v", err)
	}
}

func TestPrimalDualKeepsTheBestOfEither(t *testing.T) {
	h := closingHistory()
	h[5].Primal, h[6].Dual = 5, -3 // a solver may fall back
	f, err := PrimalDual(h)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"after 12 updates between 0.9998 and 1.",
		"comes after 1 update."} {
		if !strings.Contains(f.Caption, want) {
			t.Errorf("%q, want %q in it", f.Caption, want)
		}
	}
	closed := closingHistory()
	closed[len(closed)-1].Dual = closed[len(closed)-1].Primal - 1.25e-14
	if f, err := PrimalDual(closed); err != nil ||
		!strings.Contains(f.Caption, "they agree within 1.2e−14.") {
		t.Errorf("ends that print alike: %v, %v", f, err)
	}
	if _, err := PrimalDual(nil); !isParam(err) {
		t.Errorf("no history: %v", err)
	}
	if _, err := PrimalDual(closingHistory()[:1]); !isParam(err) {
		t.Errorf("no finite primal: %v", err)
	}
	h[3].Updates = 0
	if _, err := PrimalDual(h); !isData(err) {
		t.Errorf("updates that fall: %v", err)
	}
}

func TestAlphaBarsBalance(t *testing.T) {
	set := sixOnTheEdge()
	for want, alpha := range map[string][]float64{
		"2 of 6 points carry the plane, and the two classes pull equally hard: the bars add up " +
			"to 0.5": {0, 0.5, 0, 0, 0.5, 0},
		"0.5 above zero, 0.25 below": {0, 0.25, 0, 0, 0.5, 0},
	} {
		f, err := AlphaBars(set, alpha)
		if err != nil || !strings.Contains(f.Caption, want) {
			t.Errorf("%v: %v, %v; want %q", alpha, f, err, want)
		}
	}
	if _, err := AlphaBars(set, []float64{1}); !isParam(err) {
		t.Errorf("one number for six rows: %v", err)
	}
	if _, err := AlphaBars(set, []float64{0, 0, 0, 0, 0, -1}); !isData(err) {
		t.Errorf("a negative α: %v", err)
	}
}

func TestSupportVectorsAreNotThePointsOnTheEdge(t *testing.T) {
	set, h := sixOnTheEdge(), plane(1, 0, 0)
	for want, alpha := range map[string][]float64{
		"2 have α > 0 (large marks with a dark edge); 4 are on the lines": {0, 0.5, 0, 0, 0.5, 0},
		"6 have α > 0 (large marks with a dark edge), all on the lines": {0.1, 0.2, 0.2, 0.1, 0.2,
			0.2},
	} {
		f, err := SupportVectors(set, h, alpha)
		if err != nil || !strings.Contains(f.Caption, want) {
			t.Errorf("%v: %v, %v; want %q", alpha, f, err, want)
		}
	}
	f, err := SupportVectors(set, plane(2, 0, 0), []float64{0, 0.5, 0, 0, 0.5, 0})
	if err != nil || !strings.Contains(f.Caption, "of which 2 are off the lines") {
		t.Errorf("%v, %v; want both off the lines of the plane 2w", f, err)
	}
	if f.Panels != nil {
		t.Error("a close-up of a street that is wide")
	}
	thin := mustSet([][]float64{{-100, 0}, {0, 0}, {2, 0}, {100, 0}}, []float64{-1, -1, 1, 1})
	if f, err := SupportVectors(thin, plane(1, 0, -1), []float64{0, 0.5, 0.5, 0}); err != nil ||
		len(f.Panels) != 2 || !strings.Contains(f.Alt, "close up") {
		t.Errorf("%v, %v; want a close-up of a street 2 wide in a picture of 200", f, err)
	}
	if _, err := SupportVectors(set, h, nil); !isParam(err) {
		t.Errorf("no α: %v", err)
	}
}
