package figures

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/plottest"
	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/svmkit"
)

// The tests in the files *_drawn_test.go read the figures back from their canvas, and state in
// mathematics what must be seen.

// read draws what a constructor returned.
func read(t *testing.T) func(f *plots.Figure, err error) *plottest.Reading {
	return func(f *plots.Figure, err error) *plottest.Reading {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return plottest.Read(t, f)
	}
}

// only returns the only line of some, or fails the test.
func only(t *testing.T, what string, lines []plottest.Line) []geom.Point {
	t.Helper()
	if len(lines) != 1 {
		t.Fatalf("%s: %d lines %v, want one", what, len(lines), lines)
	}
	return lines[0].At
}

// perpendicular checks that a path of three points has a right angle in the middle, with a side
// along w.
func perpendicular(t *testing.T, at []geom.Point, w []float64) {
	t.Helper()
	if len(at) != 3 {
		t.Fatalf("the right angle goes through %v", at)
	}
	a, b := geom.Point{X: at[0].X - at[1].X, Y: at[0].Y - at[1].Y},
		geom.Point{X: at[2].X - at[1].X, Y: at[2].Y - at[1].Y}
	if dot := a.X*b.X + a.Y*b.Y; !(math.Abs(dot) < 1e-9*math.Hypot(a.X, a.Y)) {
		t.Errorf("no right angle at %v", at)
	}
	if !parallel(a, w) && !parallel(b, w) {
		t.Errorf("no side of the right angle %v is along w", at)
	}
}

func parallel(a geom.Point, w []float64) bool {
	return math.Abs(a.X*w[1]-a.Y*w[0]) < 1e-9*(1+math.Hypot(a.X, a.Y)*math.Hypot(w[0], w[1]))
}

// pointsAlong checks that an arrow has the direction of w.
func pointsAlong(t *testing.T, arrow []geom.Point, w []float64) {
	t.Helper()
	d := geom.Point{X: arrow[1].X - arrow[0].X, Y: arrow[1].Y - arrow[0].Y}
	if !parallel(d, w) || d.X*w[0]+d.Y*w[1] <= 0 {
		t.Errorf("the arrow %v does not point along %v", arrow, w)
	}
}

// between checks that the corners of the only area have scores from lo to hi, and reach both.
func between(t *testing.T, what string, areas [][]geom.Point, h svmkit.Hyperplane, lo, hi float64) {
	t.Helper()
	if len(areas) != 1 {
		t.Fatalf("%s: %d areas, want one", what, len(areas))
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, p := range areas[0] {
		f := h.Score(geom.Row(p))
		least, most = min(least, f), max(most, f)
	}
	if !math.IsInf(lo, 0) && !(math.Abs(least-lo) < 1e-6*(1+math.Abs(lo))) || !math.IsInf(hi, 0) &&
		!(math.Abs(most-hi) < 1e-6*(1+math.Abs(hi))) {
		t.Errorf("%s reaches from the score %g to %g, want %g to %g", what, least, most, lo, hi)
	}
}

// segments returns the ends of lines of two points, the first ends and the second ones.
func segments(lines []plottest.Line) (pairs [][2]geom.Point) {
	for _, l := range lines {
		pairs = append(pairs, [2]geom.Point{l.At[0], l.At[len(l.At)-1]})
	}
	return pairs
}

// samePairs checks that drawn segments are those that are wanted, in any order.
func samePairs(t *testing.T, what string, got, want [][2]geom.Point) {
	t.Helper()
	flat := func(all [][2]geom.Point) (from, to, middle []geom.Point) {
		for _, p := range all {
			from, to = append(from, p[0]), append(to, p[1])
			// pairs them
			middle = append(middle, geom.Point{X: p[0].X + 2*p[1].X, Y: p[0].Y + 2*p[1].Y})
		}
		return from, to, middle
	}
	a, b, m := flat(got)
	c, d, n := flat(want)
	plottest.SamePoints(t, what+", from", a, c)
	plottest.SamePoints(t, what+", to", b, d)
	plottest.SamePoints(t, what+", pairs", m, n)
}

// rectangle checks that an area is a box.
func rectangle(t *testing.T, what string, area []geom.Point, want geom.Box) {
	t.Helper()
	got := geom.Empty().Cover(area...)
	for _, d := range []float64{got.XMin - want.XMin, got.XMax - want.XMax, got.YMin - want.YMin,
		got.YMax - want.YMax} {
		if !(math.Abs(d) < 1e-6) {
			t.Errorf("%s is %v, want %v", what, got, want)
			return
		}
	}
}

// written checks that one text is written within a distance of a place.
func written(t *testing.T, p plottest.Panel, near geom.Point, distance float64, text string) {
	t.Helper()
	for _, s := range p.Text(near, distance) {
		if s == text {
			return
		}
	}
	t.Errorf("near (%g, %g) is written %q, not %q", near.X, near.Y, p.Text(near, distance), text)
}

// points pairs abscissas with ordinates.
func points(x, y []float64) []geom.Point {
	at := make([]geom.Point, len(x))
	for i := range x {
		at[i] = geom.Point{X: x[i], Y: y[i]}
	}
	return at
}

// originDrawn checks that the origin is marked.
func originDrawn(t *testing.T, r *plottest.Reading, panel int) {
	t.Helper()
	cross := pen.Mark{Shape: pen.Upright, Edge: pen.Ink, Radius: 3.5}
	plottest.SamePoints(t, "the origin", r.Marks(panel, "", cross), []geom.Point{{}})
}

// subset checks that there are marks, each at one of the places.
func subset(t *testing.T, what string, marks, places []geom.Point) {
	t.Helper()
	if len(marks) == 0 {
		t.Errorf("%s: none", what)
	}
	for _, m := range marks {
		found := false
		for _, p := range places {
			found = found || geom.Distance(m, p) < 1e-6*(1+math.Hypot(p.X, p.Y))
		}
		if !found {
			t.Errorf("%s: one at %v", what, m)
			return
		}
	}
}

// planeAxes checks the names of the axes of a panel that shows points.
func planeAxes(t *testing.T, r *plottest.Reading, panel int) {
	t.Helper()
	r.Axes(panel, "$x_1$", "$x_2$")
}

// titled checks what stands over a panel.
func titled(t *testing.T, p plottest.Panel, want string) {
	t.Helper()
	if p.Title != want {
		t.Errorf("the title is %q, want %q", p.Title, want)
	}
}

// ticked checks what is written at 0, 1, 2, … half-way between two of them if half is ½.
func ticked(t *testing.T, a plottest.Axis, half float64, names ...string) {
	t.Helper()
	for k, want := range names {
		if got := a.Tick(float64(k) + half); got != want {
			t.Errorf("at %g is written %q, want %q", float64(k)+half, got, want)
		}
	}
}

// named checks that a label of a colour stands at a place, no nearer to another label's place.
func named(t *testing.T, p plottest.Panel, at geom.Point, text string, c color.Color) {
	t.Helper()
	near, found := math.Inf(1), ""
	for _, s := range p.Texts {
		if d := geom.Distance(s.At, at); d < near && s.Colour == color.NRGBAModel.Convert(c) {
			near, found = d, s.String
		}
	}
	if found != text || near > 0.2*p.View.Side() {
		t.Errorf("at (%g, %g) is written %q, %g away, want %q", at.X, at.Y, found, near, text)
	}
}

// signed writes the labels.
var signed = map[float64]string{1: "+1", -1: "−1"}

// textAt returns the place of the only text of a panel with some words.
func textAt(t *testing.T, p plottest.Panel, words string) geom.Point {
	t.Helper()
	var at []geom.Point
	for _, s := range p.Texts {
		if strings.ReplaceAll(s.String, " ", "") == words {
			at = append(at, s.At)
		}
	}
	if len(at) != 1 {
		t.Fatalf("%q is written at %v, want one place; all texts: %v", words, at, p.Texts)
	}
	return at[0]
}

// nearest checks that a number is the least of some distances.
func nearest(t *testing.T, what string, own int, distances []float64) {
	t.Helper()
	for k, d := range distances {
		if d < distances[own] {
			t.Errorf("%s is nearer to %d than to %d: %v", what, k, own, distances)
		}
	}
}
