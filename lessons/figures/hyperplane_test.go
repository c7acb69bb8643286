package figures

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/svmkit"
)

func canonicalNine() (*svmkit.Dataset, svmkit.Hyperplane) {
	h, err := plane(2, 1, 0.1).Canonical(nine())
	if err != nil {
		panic(err)
	}
	return nine(), h
}

// The mark of a point follows its exact side, also where the score of a point of the line
// is a rounding away from 0.
func TestSideOfAPoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for range 1000 {
		h := plane(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
		x := svmkit.Dense(10*rng.NormFloat64(), 10*rng.NormFloat64())
		on := h.Project(x)
		if s := side(h, svmkit.Dense(on...)); s != 0 {
			t.Fatalf("%v lies on %v, and its side is %d", on, h, s)
		}
		for _, sign := range []float64{-1, 1} {
			off := svmkit.Dense(on[0]+sign*1e-6*h.W[0]/h.Norm(), on[1]+sign*1e-6*h.W[1]/h.Norm())
			if s := side(h, off); float64(s) != sign {
				t.Fatalf("%v lies 1e-6 off %v on the side %g, and its side is %d", off, h, sign, s)
			}
		}
	}
}

// The drawn triangle has its right angle at the foot, on the plane, and its sides obey
// Pythagoras.
func TestProjectionTriangle(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	for range 1000 {
		h := plane(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
		tri := newTriangle(h, svmkit.Dense(3*rng.NormFloat64(), 3*rng.NormFloat64()))
		d, other, hyp := geom.Distance(tri.x, tri.foot), geom.Distance(tri.foot, tri.z),
			geom.Distance(tri.x, tri.z)
		if math.Abs(hyp*hyp-d*d-other*other) > rounding || math.Abs(other-0.75*d) > rounding {
			t.Fatalf("%v: sides %g, %g and %g", h, d, other, hyp)
		}
		for _, p := range []geom.Point{tri.foot, tri.z, tri.otherWay()} {
			if off := h.Distance(geom.Row(p)); off > rounding {
				t.Fatalf("%v lies %g off the plane", p, off)
			}
		}
	}
}

func TestTouchingRows(t *testing.T) {
	set, h := canonicalNine()
	for _, c := range []struct {
		name string
		h    svmkit.Hyperplane
		want int
		says string
	}{
		{"canonical", h, 1, "no point lies between"},
		{"twice", h.Scale(2), 0, "touch no point"},
		{"half", h.Scale(0.5), 0, "narrower"},
		{"swapped", h.Scale(-1), 0, "no canonical form"},
	} {
		if got := touches(set, c.h); len(got) != c.want {
			t.Errorf("%s: rows %v touch, want %d", c.name, got, c.want)
		}
		f, err := CanonicalLines(set, c.h)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(f.Caption, c.says) {
			t.Errorf("%s: the caption %q does not say %q", c.name, f.Caption, c.says)
		}
	}
}

// Lengths are to scale: the normal is w itself where it fits, else w/‖w‖ times a power of ten that
// its name says.
func TestNormalIsToScale(t *testing.T) {
	view := geom.Box{XMin: -5, XMax: 5, YMin: -4, YMax: 4}
	for _, c := range []struct {
		h      svmkit.Hyperplane
		length float64
		name   string
	}{
		{plane(2.4, 3.2, 1), 4, "$w$"},
		{plane(0.6, 0.8, 0), 1, `$w/\|w\|$`}, // also w itself, had it a length to be seen
		{plane(30, 40, 0), 1, `$w/\|w\|$`},
		{plane(2.4, 3.2, -17), 1, `$w/\|w\|$`}, // w itself would leave the view
	} {
		w, name := normalArrow(c.h, view)
		if got := geom.Distance(w.From, w.To); !(math.Abs(got-c.length) < rounding) ||
			c.length != 1 && name != c.name {
			t.Errorf("%v: drawn %g long, named %s; want %g, %s", c.h, got, name, c.length, c.name)
		}
		if off := c.h.Distance(geom.Row(w.From)); !(off < rounding) || !view.Contains(w.To) {
			t.Errorf("%v: the arrow stands %g off the plane, its tip %v", c.h, off, w.To)
		}
	}
	if length, name := unitLength(geom.Box{XMin: 0, XMax: 0.03, YMin: 0,
		YMax: 0.01}); length != 0.01 || name != `$0.01 w/\|w\|$` {
		t.Errorf("in a small view: %g, %s", length, name)
	}
}

// All points of the smallest margin are ringed and named, and the axes stay where they are while
// the plane moves.
func TestSignedMarginsRingsAllNearest(t *testing.T) {
	set, err := svmkit.NewDataset([][]float64{{6, 3}, {1, 3}, {-3, 1}, {0, -5}},
		[]float64{1, 1, -1, -1})
	if err != nil {
		t.Fatal(err)
	}
	var first geom.Box
	for k, b := range []float64{-5, -5 + 1e-12, 4, -20} {
		f, err := SignedMargins(set, plane(3, 4, b))
		if err != nil {
			t.Fatal(err)
		}
		if k < 2 && (!strings.Contains(f.Caption, "2 ringed points") ||
			!strings.Contains(f.Alt, "(1, 3), (−3, 1)")) {
			t.Errorf("b = %g: two points are nearest, and the words are %q, %q", b, f.Caption,
				f.Alt)
		}
		if k >= 2 && strings.Contains(f.Caption, "ringed points") {
			t.Errorf("b = %g: one point is nearest, and the caption is %q", b, f.Caption)
		}
		if k == 0 {
			first = pen.Shown(f.Plot)
		}
		if got := pen.Shown(f.Plot); got != first {
			t.Errorf("b = %g: the axes are %v, they were %v", b, got, first)
		}
	}
}

// Where many points of a large set are nearest, no single one of them carries the margin; and the
// words count the perpendiculars that are drawn.
func TestSignedMarginsOfACrowd(t *testing.T) {
	set := &svmkit.Dataset{Dim: 2}
	for k := range 30 {
		y := float64(2*(k%2) - 1)
		set.X, set.Y = append(set.X, svmkit.Dense(float64(k), y/2)), append(set.Y, y)
	}
	f, err := SignedMargins(set, plane(0, 1, 0))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(f.Legend, func(e pen.Entry) bool {
		return strings.Contains(e.Name,
			"= 0.5")
	}) {
		t.Errorf("the legend does not say that γ = 0.5: %v", f.Legend)
	}
	if want := "each of the 20 points with the smallest margins"; !strings.Contains(f.Alt, want) {
		t.Errorf("the alternative text %q does not say %q", f.Alt, want)
	}
	few, err := SignedMargins(set.Subset([]int{0, 1, 2}), plane(0, 1, 0))
	if err != nil || !strings.Contains(few.Alt, "a perpendicular from each point") {
		t.Errorf("%v, %v: three points have a perpendicular each", few, err)
	}
}

// The arrow of a projection is named as it is drawn.
func TestProjectionNamesItsArrow(t *testing.T) {
	for want, h := range map[string]svmkit.Hyperplane{"arrow w/‖w‖ stands": plane(3, 4, -5),
		"arrow w stands": plane(1.5, 2, -2.5)} {
		f, err := Projection(h, svmkit.Dense(6, 3))
		if err != nil || !strings.Contains(f.Alt, want) {
			t.Errorf("%v, %v; want %q", f, err, want)
		}
	}
}

func TestBiasShiftSaysHowFar(t *testing.T) {
	f, err := BiasShift([]float64{3, 4}, []float64{-5, 0, 10})
	if err != nil {
		t.Fatal(err)
	}
	// ‖w‖ = 5: the planes lie at 1, 0 and −2 along w, through (0.6, 0.8), (0, 0), (−1.2, −1.6).
	for _, want := range []string{"by 3,", "‖w‖ = 5"} {
		if !strings.Contains(f.Caption, want) {
			t.Errorf("the caption %q does not say %q", f.Caption, want)
		}
	}
	for _, want := range []string{"(0.6, 0.8), 1 from", "(−1.2, −1.6), −2 from", "(0, 0), 0 from"} {
		if !strings.Contains(f.Alt, want) {
			t.Errorf("the alternative text %q does not say %q", f.Alt, want)
		}
	}
}

func TestHyperplaneFiguresRefuse(t *testing.T) {
	nan := math.NaN()
	one := []svmkit.Row{svmkit.Dense(1, 2)}
	for name, build := range map[string]func() (*plots.Figure, error){
		"half-spaces: no points": func() (*plots.Figure,
			error) {
			return HalfSpaces(plane(1, 0, 0), nil)
		},
		"half-spaces: 13 points": func() (*plots.Figure,
			error) {
			return HalfSpaces(plane(1, 0, 0), make([]svmkit.Row, 13))
		},
		"half-spaces: w = 0": func() (*plots.Figure,
			error) {
			return HalfSpaces(plane(0, 0, 1), one)
		},
		"half-spaces: 3-D point": func() (*plots.Figure,
			error) {
			return HalfSpaces(plane(1, 0, 0), []svmkit.Row{svmkit.Dense(1, 2, 3)})
		},
		"half-spaces: NaN": func() (*plots.Figure,
			error) {
			return HalfSpaces(plane(1, 0, 0), []svmkit.Row{svmkit.Dense(1, nan)})
		},
		"half-spaces: huge": func() (*plots.Figure,
			error) {
			return HalfSpaces(plane(1, 0, 0), []svmkit.Row{svmkit.Dense(1, 1e200)})
		},
		"projection: on the line": func() (*plots.Figure,
			error) {
			return Projection(plane(1, 0, -1), svmkit.Dense(1, 7))
		},
		"projection: w = 0": func() (*plots.Figure,
			error) {
			return Projection(plane(0, 0, 1), one[0])
		},
		"projection: 1-D point": func() (*plots.Figure,
			error) {
			return Projection(plane(1, 0, 0), svmkit.Dense(1))
		},
		"shift: no bias": func() (*plots.Figure,
			error) {
			return BiasShift([]float64{1, 0}, nil)
		},
		"shift: seven": func() (*plots.Figure,
			error) {
			return BiasShift([]float64{1, 0}, make([]float64, 7))
		},
		"shift: NaN": func() (*plots.Figure,
			error) {
			return BiasShift([]float64{1, 0}, []float64{nan})
		},
		"shift: w = 0": func() (*plots.Figure,
			error) {
			return BiasShift([]float64{0, 0}, []float64{1})
		},
		"canonical: w = 0": func() (*plots.Figure,
			error) {
			return CanonicalLines(nine(), plane(0, 0, 1))
		},
		"canonical: 3-D": func() (*plots.Figure,
			error) {
			return CanonicalLines(basisVectors(3), plane(1, 1, 1))
		},
		"canonical: nil": func() (*plots.Figure,
			error) {
			return CanonicalLines(nil, plane(1, 1, 1))
		},
	} {
		if f, err := build(); err == nil {
			t.Errorf("%s: drawn, with the caption %q", name, f.Caption)
		}
	}
}
