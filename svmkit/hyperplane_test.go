package svmkit_test

import (
	"errors"
	"math"
	"testing"

	"github.com/svmkit/course/svmkit"
	"pgregory.net/rapid"
)

// plane draws a hyperplane whose normal is not tiny, so that rounding can be bounded.
func plane(t *rapid.T, d int) svmkit.Hyperplane {
	w := vector(t, d, "w")
	w[rapid.IntRange(0, d-1).Draw(t, "big")] = rapid.SampledFrom([]float64{-1, 1, 3}).Draw(t, "entry")
	return svmkit.Hyperplane{W: w, B: number().Draw(t, "b")}
}

// size bounds |f| and the terms it is made of, for rounding.
func size(h svmkit.Hyperplane, x svmkit.Row) float64 {
	return 1 + math.Abs(h.B) + h.Norm()*x.Norm()
}

func TestProjection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 8).Draw(t, "d")
		h, v := plane(t, d), vector(t, d, "x")
		x := rapid.SampledFrom([]svmkit.Row{svmkit.Dense(v...), sparse(v)}).Draw(t, "row")
		p := h.Project(x)
		foot := svmkit.Dense(p...)

		if f := h.Score(foot); !near(f, 0, size(h, x)) {
			t.Fatalf("f(x_p) = %g, want 0", f)
		}
		away := x.ToDense(d) // x − x_p
		foot.AddTo(away, -1)
		length := svmkit.Dense(away...).Norm()
		if dist := h.Distance(x); !near(length, dist, size(h, x)) {
			t.Fatalf("‖x−x_p‖ = %g, distance %g", length, dist)
		}
		if along := math.Abs(svmkit.Dense(away...).Dot(h.W)); !near(along, length*h.Norm(), size(h, x)*h.Norm()) {
			t.Fatalf("x − x_p is not parallel to w: %g against %g", along, length*h.Norm())
		}
		// No other point of the plane is nearer: any point q, brought onto the plane.
		q := svmkit.Dense(h.Project(svmkit.Dense(vector(t, d, "q")...))...)
		other := x.ToDense(d)
		q.AddTo(other, -1)
		if n := svmkit.Dense(other...).Norm(); n < length && !near(n, length, size(h, x)) {
			t.Fatalf("a point of the plane at %g, nearer than the foot at %g", n, length)
		}
	})
}

func TestScalingThePlane(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 8).Draw(t, "d")
		h, x := plane(t, d), svmkit.Dense(vector(t, d, "x")...)
		k := math.Pow(10, rapid.Float64Range(-200, 200).Draw(t, "exponent"))
		tol := size(h, x) / h.Norm()
		up, flip := h.Scale(k), h.Scale(-k)
		if a, b := up.Score(x)/k, h.Score(x); !near(a, b, size(h, x)) {
			t.Fatalf("score: %g after scaling by %g, want %g times that", a, k, b)
		}
		if a, b := up.SignedDistance(x), h.SignedDistance(x); !near(a, b, tol) {
			t.Fatalf("signed distance %g became %g after scaling by %g", b, a, k)
		}
		if a, b := flip.SignedDistance(x), h.SignedDistance(x); !near(a, -b, tol) {
			t.Fatalf("signed distance %g became %g after scaling by %g: the sides must swap", b, a, -k)
		}
		if a, b := flip.Distance(x), h.Distance(x); !near(a, b, tol) {
			t.Fatalf("distance %g became %g", b, a)
		}
		a, b := up.Project(x), h.Project(x)
		for j := range a {
			if !near(a[j], b[j], tol) {
				t.Fatalf("projection %v became %v after scaling by %g", b, a, k)
			}
		}
	})
}

func TestPositiveBiasMovesThePlaneAgainstItsNormal(t *testing.T) {
	h := svmkit.Hyperplane{W: []float64{1, 0}, B: 1} // x₁ = −1
	if p := h.Project(svmkit.Dense(0, 7)); p[0] != -1 || p[1] != 7 {
		t.Errorf("the foot of (0,7) is %v, want (−1,7)", p)
	}
	if d := h.SignedDistance(svmkit.Dense(0, 0)); d != 1 {
		t.Errorf("the origin is at %g, want 1", d)
	}
}

// separated draws a plane and a set of both classes that it separates.
func separated(t *rapid.T) (svmkit.Hyperplane, *svmkit.Dataset) {
	d := rapid.IntRange(1, 6).Draw(t, "d")
	h := plane(t, d)
	set := &svmkit.Dataset{Dim: d}
	for i := range rapid.IntRange(2, 10).Draw(t, "n") {
		y := float64(1 - 2*(i%2))
		p := h.Project(svmkit.Dense(vector(t, d, "at")...))
		far := rapid.Float64Range(0.01, 9).Draw(t, "distance")
		svmkit.Dense(h.W...).AddTo(p, y*far/h.Norm())
		set.X, set.Y = append(set.X, svmkit.Dense(p...)), append(set.Y, y)
	}
	return h, set
}

// separatedRounding: the distance of a point that was put 0.01 or more away from the plane
// has lost a few digits to the coordinates, which are up to 10⁴ times larger.
const separatedRounding = 1e-9

func TestCanonical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, set := separated(t)
		if rapid.Bool().Draw(t, "scaled") {
			h = h.Scale(math.Pow(10, rapid.Float64Range(-200, 200).Draw(t, "exponent")))
		}
		gamma, row := h.SetMargin(set)
		if !(gamma > 0) || gamma != h.Margin(set.X[row], set.Y[row]) {
			t.Fatalf("margin %g at row %d", gamma, row)
		}
		c, err := h.Canonical(set)
		if err != nil {
			t.Fatal(err)
		}
		least := math.Inf(1)
		for x, y := range set.All() {
			least = min(least, y*c.Score(x))
			if h.Margin(x, y) < gamma {
				t.Fatalf("a row at %g, below the set's margin %g", h.Margin(x, y), gamma)
			}
		}
		if math.Abs(least-1) > separatedRounding {
			t.Fatalf("min y·f = %g, want 1", least)
		}
		if half := 1 / c.Norm(); math.Abs(half-gamma) > separatedRounding*gamma {
			t.Fatalf("1/‖w‖ = %g, margin %g", half, gamma)
		}

		// The flipped plane has every row on its wrong side.
		back := h.Scale(-1)
		if m, _ := back.SetMargin(set); !(m < 0) {
			t.Fatalf("all wrong, yet the margin is %g", m)
		}
		if m := back.Margin(set.X[row], set.Y[row]); m != -gamma {
			t.Fatalf("flipped, the margin of row %d is %g, want %g", row, m, -gamma)
		}
		var e *svmkit.DataError
		if _, err := back.Canonical(set); !errors.Is(err, svmkit.ErrNotSeparated) || !errors.As(err, &e) {
			t.Fatalf("flipped: %v, want ErrNotSeparated", err)
		}
		if e.Value >= 0 || e.Value != set.Y[e.Row]*back.Score(set.X[e.Row]) {
			t.Fatalf("the error names row %d, value %g", e.Row, e.Value)
		}
	})
}

func TestCanonicalRejects(t *testing.T) {
	one := &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 2}, 1), Y: []float64{1, 1}, Dim: 1}
	two := &svmkit.Dataset{X: one.X, Y: []float64{1, -1}, Dim: 1}
	for _, c := range []struct {
		name string
		h    svmkit.Hyperplane
		set  *svmkit.Dataset
		want error
	}{
		{"no rows", svmkit.Hyperplane{W: []float64{1}}, &svmkit.Dataset{Dim: 1}, svmkit.ErrEmpty},
		{"w = 0, both classes", svmkit.Hyperplane{W: []float64{0}, B: 1}, two, svmkit.ErrNoNormal},
		{"w = 0, one class", svmkit.Hyperplane{W: []float64{0}, B: 1}, one, svmkit.ErrNoNormal},
		{"row on the plane", svmkit.Hyperplane{W: []float64{1}, B: -1}, one, svmkit.ErrNotSeparated},
		{"wrong side", svmkit.Hyperplane{W: []float64{1}, B: 0}, two, svmkit.ErrNotSeparated},
		{"NaN", svmkit.Hyperplane{W: []float64{1}, B: math.NaN()}, one, svmkit.ErrNotSeparated},
	} {
		if _, err := c.h.Canonical(c.set); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

// Without a normal there is no distance: NaN, whatever the bias.
func TestNoNormalNoDistance(t *testing.T) {
	x := svmkit.Dense(1, 2)
	set := &svmkit.Dataset{X: []svmkit.Row{x}, Y: []float64{1}, Dim: 2}
	for _, b := range []float64{-1, 0, 1} {
		h := svmkit.Hyperplane{W: []float64{0, 0}, B: b}
		gamma, _ := h.SetMargin(set)
		for name, v := range map[string]float64{
			"SignedDistance": h.SignedDistance(x), "Distance": h.Distance(x), "Margin": h.Margin(x, 1), "SetMargin": gamma,
		} {
			if !math.IsNaN(v) {
				t.Errorf("w = 0, b = %g: %s = %g, want NaN", b, name, v)
			}
		}
	}
}

func TestSetMarginOfNothingPanics(t *testing.T) {
	if !panics(func() { svmkit.Hyperplane{W: []float64{1}}.SetMargin(&svmkit.Dataset{Dim: 1}) }) {
		t.Error("no panic")
	}
}

func TestNewHyperplane(t *testing.T) {
	for _, w := range [][]float64{{1, 0}, {-3}, {1e-200, 0}, {5e-324}, {1e200, 1e200}} {
		if h, err := svmkit.NewHyperplane(w, 2); err != nil || &h.W[0] != &w[0] || h.B != 2 {
			t.Errorf("w = %v: %v, %v", w, h, err)
		}
	}
	for name, c := range map[string]struct {
		w    []float64
		want error
	}{
		"zero": {[]float64{0, 0}, svmkit.ErrNoNormal}, "empty": {nil, svmkit.ErrNoColumns},
		"NaN": {[]float64{1, math.NaN()}, svmkit.ErrNotFinite}, "Inf": {[]float64{math.Inf(-1)}, svmkit.ErrNotFinite},
	} {
		if _, err := svmkit.NewHyperplane(c.w, 0); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	var e *svmkit.ParamError
	if _, err := svmkit.NewHyperplane([]float64{1}, math.NaN()); !errors.As(err, &e) || e.Name != "b" {
		t.Errorf("b = NaN: %v, want a ParamError about b", err)
	}
}
