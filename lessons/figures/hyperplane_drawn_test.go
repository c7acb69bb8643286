package figures

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/plottest"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/svmkit"
)

// The plane is where f = 0; blue is the side with f > 0 and red the other; w stands on the plane,
// as long as it is; each point has the mark of its side and its score.
func TestHalfSpacesDrawn(t *testing.T) {
	h := plane(3, 4, -5)
	rows := []svmkit.Row{svmkit.Dense(6, 3), svmkit.Dense(0, -5), svmkit.Dense(3, -1),
		svmkit.Dense(-3, 3.5)}
	r := read(t)(HalfSpaces(h, rows))
	plottest.OnLevel(t, "the plane", only(t, "the plane",
		r.Lines(0, "plane $f(x) = 0$", pen.Line(pen.Ink, 1.8, nil))), h, 0)
	between(t, "the positive side", r.Areas(0, "$f(x) > 0$", pen.PaleBlue), h, 0, math.Inf(1))
	between(t, "the negative side", r.Areas(0, "$f(x) < 0$", pen.PaleRed), h, math.Inf(-1), 0)
	w := only(t, "w", r.Arrows(0, "", pen.Line(pen.Green, 2, nil)))
	plottest.OnLevel(t, "the foot of w", w[:1], h, 0)
	plottest.SamePoints(t, "the tip of w", w[1:], []geom.Point{{X: w[0].X + 3, Y: w[0].Y + 4}})
	named(t, r.Panels[0], w[1], "w", pen.Green)
	perpendicular(t, only(t, "right angle", r.Lines(0, "", pen.Line(pen.Ink, 1, nil))), h.W)
	if want := (pen.Mark{Shape: pen.Diamond, Fill: color.White, Edge: pen.Ink, Radius: 3.6}); onPlane != want {
		t.Errorf("points of the plane are marked by %v", onPlane)
	}
	var sides [3][]geom.Point
	for _, x := range rows {
		f := h.Score(x)
		k := 1
		if f != 0 {
			k += int(math.Copysign(1, f))
		}
		sides[k] = append(sides[k], geom.At(x))
		written(t, r.Panels[0], geom.At(x), 1.5, "f="+scoreText(f))
	}
	plottest.SamePoints(t, "negative", r.Marks(0, "$f(x) < 0$", pen.Negative), sides[0])
	plottest.SamePoints(t, "on the plane", r.Marks(0, "", onPlane), sides[1])
	plottest.SamePoints(t, "positive", r.Marks(0, "$f(x) > 0$", pen.Positive), sides[2])
	planeAxes(t, r, 0)
}

func scoreText(f float64) string {
	if f < 0 {
		return fmt.Sprintf("−%g", -f)
	}
	return fmt.Sprintf("%g", f)
}

// The perpendicular leads to the foot of x, the dashed way to another point of the plane, and each
// length stands at its segment.
func TestProjectionDrawn(t *testing.T) {
	h, x := plane(3, 4, -5), geom.Point{X: 6, Y: 3}
	r := read(t)(Projection(h, geom.Row(x)))
	foot := geom.Point{X: 3, Y: -1} // x − 5·(3, 4)/5
	plottest.OnLevel(t, "the plane", only(t, "the plane",
		r.Lines(0, "plane $f = 0$", pen.Line(pen.Ink, 1.8, nil))), h, 0)
	plottest.SamePath(t, "the perpendicular", only(t, "perpendicular",
		r.Lines(0, "perpendicular", pen.Line(pen.Purple, 2.4, nil))), []geom.Point{x, foot})
	way := only(t, "other way", r.Lines(0, "segment to another point",
		pen.Line(pen.Faint, 1.6, pen.Dashed)))
	plottest.SamePoints(t, "it begins in x", way[:1], []geom.Point{x})
	plottest.OnLevel(t, "z", way[1:], h, 0)
	z := way[1]
	perpendicular(t, only(t, "right angle", r.Lines(0, "", pen.Line(pen.Ink, 1, nil))), h.W)
	plottest.SamePoints(t, "x", r.Marks(0, "",
		pen.Mark{Shape: pen.Disc, Fill: pen.Ink, Edge: pen.Ink, Radius: 3.4}), []geom.Point{x})
	plottest.SamePoints(t, "feet", r.Marks(0, "", onPlane), []geom.Point{foot, z})
	w := only(t, "w", r.Arrows(0, "", pen.Line(pen.Green, 2, nil)))
	pointsAlong(t, w, h.W)
	plottest.OnLevel(t, "the foot of w", w[:1], h, 0)
	named(t, r.Panels[0], w[1], "w/w", pen.Green)
	for _, c := range []struct {
		at   geom.Point
		text string
	}{{geom.Middle(x, foot), fmt.Sprintf("d=%g", geom.Distance(x, foot))},
		{geom.Middle(x, z), fmt.Sprintf("x−z=%g", geom.Distance(x, z))},
		{geom.Middle(foot, z), fmt.Sprintf("xp−z=%g", geom.Distance(foot, z))}, {x, "x"},
		{foot, "xp"}, {z, "z"}} {
		written(t, r.Panels[0], c.at, 1.2, c.text)
	}
	planeAxes(t, r, 0)
}

// The line of b is where ⟨w,x⟩ = −b, and the marks are −b·w/‖w‖², the points nearest to the origin.
func TestBiasShiftDrawn(t *testing.T) {
	w, biases := []float64{2, 1}, []float64{-3, -1, 0, 1, 3}
	r := read(t)(BiasShift(w, biases))
	lines := r.Lines(0, "planes with the normal $w$", pen.Line(pen.Ink, 1.8, nil))
	if len(lines) != len(biases) {
		t.Fatalf("%d lines of %d biases", len(lines), len(biases))
	}
	var feet []geom.Point
	for i, b := range biases {
		plottest.OnLevel(t, "b = "+scoreText(b), lines[i].At, svmkit.Hyperplane{W: w, B: b}, 0)
		feet = append(feet, geom.Point{X: -b * 2 / 5, Y: -b / 5})
	}
	plottest.SamePoints(t, "feet", r.Marks(0, "foot of the origin", onPlane), feet)
	// Larger b are farther back along w, and so are their names.
	last := math.Inf(1)
	for _, b := range biases {
		name := textAt(t, r.Panels[0], "b="+scoreText(b))
		place := 2*name.X + name.Y
		if math.Abs(place+b) > 1 || place >= last {
			t.Errorf("the name of b = %g stands where ⟨w,x⟩ = %g", b, place)
		}
		last = place
	}
	named(t, r.Panels[0], geom.Point{}, "0", pen.Ink)
	arrow := only(t, "w", r.Arrows(0, "", pen.Line(pen.Green, 2, nil)))
	named(t, r.Panels[0], arrow[1], "w/w", pen.Green)
	plottest.SamePoints(t, "w begins", arrow[:1], []geom.Point{{}})
	pointsAlong(t, arrow, w)
	plottest.SamePoints(t, "origin", r.Marks(0, "",
		pen.Mark{Shape: pen.Upright, Edge: pen.Ink, Radius: 4}), []geom.Point{{}})
	planeAxes(t, r, 0)
}

// The dashed lines are where f = ±1 and bound the street; the arrows lead from the plane to both;
// the points with y·f = 1 are ringed.
func TestCanonicalLinesDrawn(t *testing.T) {
	nine, canonical := canonicalNine()
	for name, c := range map[string]struct {
		set *svmkit.Dataset
		h   svmkit.Hyperplane
	}{"canonical": {nine, canonical}, "twice": {nine, canonical.Scale(2)},
		"both sides touch": {sixOnTheEdge(), plane(1, 0, 0)}} {
		set, h := c.set, c.h
		r := read(t)(CanonicalLines(set, h))
		streetDrawn(t, r, 0, "plane $f = 0$", `lines $f = \pm 1$`, h)
		r.Classes(0, set, 1)
		plottest.SamePoints(t, name+": rings", r.Rings(0, "", 7, pen.Line(pen.Ink, 1.4, nil)),
			plottest.Where(set, func(i int) bool { return math.Abs(set.Y[i]*h.Score(set.X[i])-1) < 1e-9 }))
		arrows := r.Arrows(0, "", pen.Line(pen.Green, 2, nil))
		if len(arrows) != 2 {
			t.Fatalf("%s: %d arrows", name, len(arrows))
		}
		for k, a := range arrows {
			plottest.OnLevel(t, "the arrow's foot", a.At[:1], h, 0)
			plottest.OnLevel(t, "the arrow's tip", a.At[1:], h, 1-2*float64(k))
			pointsAlong(t, a.At, h.Scale(1-2*float64(k)).W)
		}
		for _, f := range []float64{1, -1} {
			at := h.Score(geom.Row(textAt(t, r.Panels[0], "f="+signed[f])))
			nearest(t, "f = "+signed[f], 0, []float64{math.Abs(at - f), math.Abs(at), math.Abs(at + f)})
		}
		width := "2/w=" + fmt.Sprintf("%.4g", 2/h.Norm())
		if !r.Panels[0].Written(width, pen.Green) {
			t.Errorf("%s: no text %q in %v", name, width, r.Panels[0].Texts)
		}
	}
}

// The upper picture has the street of the first plane, the lower one that of the second, and the
// caption has their widths in this order.
func TestTwoStreetsDrawn(t *testing.T) {
	set := sixOnTheEdge()
	upper, lower := plane(3, 0, 0), plane(2, 0.5, 0)
	r := read(t)(TwoStreets(set, upper, lower))
	var widths []any
	for k, h := range []svmkit.Hyperplane{upper, lower} {
		c, err := h.Canonical(set)
		if err != nil {
			t.Fatal(err)
		}
		streetDrawn(t, r, k, "plane $f = 0$", `lines $f = \pm 1$`, c)
		r.Classes(k, set, 1)
		width := fmt.Sprintf("%.4g", 2/c.Norm())
		if !r.Panels[k].Written("2/w="+width, pen.Green) {
			t.Errorf("panel %d: no width %s in %v", k, width, r.Panels[k].Texts)
		}
		widths = append(widths, width)
	}
	f, err := TwoStreets(set, upper, lower)
	if want := fmt.Sprintf("upper line is %s wide, and the street of the lower line is %s wide", widths...); err != nil || !strings.Contains(f.Caption, want) {
		t.Errorf("%v; the caption %q does not say %q", err, f.Caption, want)
	}
	if _, err := TwoStreets(set, upper, lower.Scale(-1)); !errors.Is(err, svmkit.ErrNotSeparated) {
		t.Errorf("a plane that does not separate: %v", err)
	}
}

// streetDrawn checks a plane with the lines f = ±1 and the street between them, as addStreet draws
// them.
func streetDrawn(t *testing.T, r *plottest.Reading, panel int, border, edge string,
	h svmkit.Hyperplane) {
	t.Helper()
	plottest.OnLevel(t, "the plane", only(t, "the plane",
		r.Lines(panel, border, pen.Line(pen.Ink, 1.8, nil))), h, 0)
	edges := r.Lines(panel, edge, pen.Line(pen.Faint, 1.3, pen.Dashed))
	if len(edges) != 2 {
		t.Fatalf("%d edges of the street", len(edges))
	}
	plottest.OnLevel(t, "the upper edge", edges[0].At, h, 1)
	plottest.OnLevel(t, "the lower edge", edges[1].At, h, -1)
	between(t, "the street", r.Areas(panel, "", pen.PaleBand), h, -1, 1)
}

// Perpendiculars lead from the points to the plane, those of the wrong side stand out; the points
// of the smallest margin are ringed; the shaded band is γ to each side; margins stand at their
// points.
func TestSignedMarginsDrawn(t *testing.T) {
	for name, c := range map[string]struct {
		set *svmkit.Dataset
		h   svmkit.Hyperplane
	}{"separates": {nine(), plane(2, 1, 0.1)}, "does not": {square40(), plane(1, 0, 0.3)}} {
		r := read(t)(SignedMargins(c.set, c.h))
		gamma, _ := c.h.SetMargin(c.set)
		r.Classes(0, c.set, 1)
		plottest.OnLevel(t, "the plane", only(t, "the plane",
			r.Lines(0, "plane $f(x) = 0$", pen.Line(pen.Ink, 1.8, nil))), c.h, 0)
		var right, wrong [][2]geom.Point
		order := byMargin(c.set, c.h)
		for _, i := range order[:min(len(order), 20)] {
			x := geom.At(c.set.X[i])
			way := [2]geom.Point{x, geom.Foot(c.h, x)}
			if c.h.Margin(c.set.X[i], c.set.Y[i]) > 0 {
				right = append(right, way)
			} else {
				wrong = append(wrong, way)
			}
		}
		samePairs(t, name+": perpendiculars", segments(r.Lines(0, "",
			pen.Line(pen.Faint, 0.9, pen.Dotted))), right)
		samePairs(t, name+": wrong side", segments(r.Lines(0, "", pen.Line(pen.Purple, 2, nil))),
			wrong)
		plottest.SamePoints(t, name+": rings", r.Rings(0, "", 7, pen.Line(pen.Ink, 1.4, nil)),
			plottest.Where(c.set, func(i int) bool {
				return c.h.Margin(c.set.X[i],
					c.set.Y[i]) < gamma+1e-9
			}))
		w := only(t, "w", r.Arrows(0, "", pen.Line(pen.Green, 2, nil)))
		pointsAlong(t, w, c.h.W)
		plottest.OnLevel(t, "the foot of w", w[:1], c.h, 0)
		named(t, r.Panels[0], w[1], map[bool]string{true: "w/w", false: "w"}[gamma > 0], pen.Green)
		edges := r.Lines(0, "", pen.Line(pen.Faint, 1, pen.Dashed))
		if gamma <= 0 {
			if len(edges) != 0 {
				t.Errorf("%s: a band", name)
			}
			written(t, r.Panels[0], geom.At(c.set.X[order[0]]), 0.5, fmt.Sprintf("−%.3g", -gamma))
			continue
		}
		unit := c.h.Scale(1 / c.h.Norm())
		if len(edges) != 2 {
			t.Fatalf("%d edges of the band", len(edges))
		}
		plottest.OnLevel(t, "the band's upper edge", edges[0].At, unit, gamma)
		plottest.OnLevel(t, "the band's lower edge", edges[1].At, unit, -gamma)
		between(t, "the band", r.Areas(0, `within $\gamma$ of the plane`, pen.PaleBand), unit,
			-gamma, gamma)
		for i, x := range c.set.X {
			written(t, r.Panels[0], geom.At(x), 0.5,
				fmt.Sprintf("%+.3g", c.h.Margin(x, c.set.Y[i])))
		}
	}
}

// The line is halfway between the classes, and the axes are the same at every angle. The moved
// flowers, and no others, are elsewhere.
func TestPetalStreetDrawn(t *testing.T) {
	set, err := Petals(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, degrees := range []float64{0, 30, 90, 200} {
		h, gap := Halfway(set, degrees)
		if gamma, _ := h.SetMargin(set); !(math.Abs(2*gamma-gap) < 1e-9) {
			t.Errorf("%g°: twice the margin is %g, and the gap %g", degrees, 2*gamma, gap)
		}
		f, err := PetalStreet(set, h)
		if err != nil {
			t.Fatal(err)
		}
		if x, y := f.Plot.X, f.Plot.Y; x.Min != 0.4 || x.Max != 7.5 || y.Min != -0.6 || y.Max != 3.2 {
			t.Errorf("%g°: the axes run from %g to %g and from %g to %g", degrees, x.Min, x.Max, y.Min, y.Max)
		}
	}
	h, _ := Halfway(set, 30)
	r := read(t)(PetalStreet(set, h))
	plottest.OnLevel(t, "the line", only(t, "the line", r.Lines(0, "plane $f(x) = 0$", pen.Line(pen.Ink, 1.8, nil))), h, 0)

	marks := map[geom.Point]bool{}
	for _, x := range set.X {
		marks[geom.At(x)] = true
	}
	if set.Len() != 150 || len(marks) != 102 { // as lesson 1 says
		t.Errorf("%d flowers in %d places", set.Len(), len(marks))
	}

	places := [][]float64{{3, 1.1}, {5, 2}} // the first goes where the second was
	moved, err := Petals(places)
	if err != nil {
		t.Fatal(err)
	}
	var changed []geom.Point
	for i := range set.X {
		if geom.At(set.X[i]) != geom.At(moved.X[i]) {
			changed = append(changed, geom.At(moved.X[i]))
		}
	}
	plottest.SamePoints(t, "moved flowers", changed, []geom.Point{{X: 3, Y: 1.1}, {X: 5, Y: 2}})
}
