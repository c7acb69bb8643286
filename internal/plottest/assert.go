package plottest

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sample returns the entry of the legend with a name. The test fails if there is none.
func (r *Reading) Sample(name string) Sample {
	r.t.Helper()
	names := []string{}
	for _, s := range r.Legend {
		if s.Name == name {
			return s
		}
		names = append(names, s.Name)
	}
	r.t.Fatalf("the legend has no %q, but %q", name, names)
	return Sample{}
}

// Axes fails the test unless the axes of a panel have these names. "log:" before a name asks for a
// logarithmic axis.
func (r *Reading) Axes(panel int, x, y string) {
	r.t.Helper()
	for _, c := range []struct {
		got  Axis
		want string
	}{{r.Panels[panel].X, x}, {r.Panels[panel].Y, y}} {
		name, logarithmic := strings.CutPrefix(c.want, "log:")
		if c.got.Label != name || c.got.Logarithmic != logarithmic {
			r.t.Errorf("panel %d: the axis is %q, logarithmic %v, want %q", panel, c.got.Label,
				c.got.Logarithmic, c.want)
		}
	}
}

// Tick returns what is written at a value of the axis, "" if nothing is.
func (a Axis) Tick(at float64) string {
	for _, t := range a.Ticks {
		if math.Abs(t.Value-at) < 1e-9 {
			return t.Label
		}
	}
	return ""
}

// Lines returns the lines of a panel that have a style. The legend must show this style under the
// name; a name of "" is not looked for.
func (r *Reading) Lines(panel int, name string, style draw.LineStyle) (lines []Line) {
	r.t.Helper()
	want := styleOf(style)
	if name != "" && !hasLine(append(r.Sample(name).Lines, r.Sample(name).Arrows...), want) {
		r.t.Errorf("the legend's %q is %v, want a line %v", name, r.Sample(name).Panel, want)
	}
	for _, l := range r.Panels[panel].Lines {
		if l.Style == want {
			lines = append(lines, l)
		}
	}
	return lines
}

// Arrows is [Reading.Lines] for arrows.
func (r *Reading) Arrows(panel int, name string, style draw.LineStyle) (lines []Line) {
	r.t.Helper()
	r.Lines(panel, name, style)
	for _, l := range r.Panels[panel].Arrows {
		if l.Style == styleOf(style) {
			lines = append(lines, l)
		}
	}
	return lines
}

// Marks returns the places of a panel's marks of a kind. The legend must show this kind under the
// name; a name of "" is not looked for.
func (r *Reading) Marks(panel int, name string, m pen.Mark) (at []geom.Point) {
	r.t.Helper()
	if name != "" && len(places(r.Sample(name).Marks, m)) == 0 {
		r.t.Errorf("the legend's %q is %v, want a mark %v", name, r.Sample(name).Panel, m)
	}
	return places(r.Panels[panel].Marks, m)
}

// Rings returns the places of a panel's rings of a radius and a style. The legend must show a ring
// of this style under the name; a name of "" is not looked for.
func (r *Reading) Rings(panel int, name string, radius float64,
	style draw.LineStyle) (at []geom.Point) {
	r.t.Helper()
	want := styleOf(style)
	if name != "" {
		rings := r.Sample(name).Rings
		if len(rings) != 1 || rings[0].Edge != want.Colour || rings[0].Width != want.Width ||
			rings[0].Dashes != want.Dashes {
			r.t.Errorf("the legend's %q is %v, want a ring %v", name, r.Sample(name).Panel, want)
		}
	}
	for _, m := range r.Panels[panel].Rings {
		if m.Edge == want.Colour && m.Width == want.Width && m.Dashes == want.Dashes && math.Abs(m.Radius-radius) < 1e-9 {
			at = append(at, m.At)
		}
	}
	return at
}

// Areas returns the areas of a panel with a fill. The legend must show this fill under the name; a
// name of "" is not looked for.
func (r *Reading) Areas(panel int, name string, fill color.Color) (areas [][]geom.Point) {
	r.t.Helper()
	want := color.NRGBAModel.Convert(fill).(color.NRGBA)
	if name != "" {
		if s := r.Sample(name).Areas; len(s) == 0 || s[0].Fill != want {
			r.t.Errorf("the legend's %q is %v, want an area %v", name, s, want)
		}
	}
	for _, a := range r.Panels[panel].Areas {
		if a.Fill == want {
			areas = append(areas, a.At)
		}
	}
	return areas
}

// OnlyArea returns the corners of the only area of some. The test fails if there is another number.
func OnlyArea(t *testing.T, areas [][]geom.Point) []geom.Point {
	t.Helper()
	if len(areas) != 1 {
		t.Fatalf("%d areas %v, want one", len(areas), areas)
	}
	return areas[0]
}

// Text returns the texts of a panel that stand within a distance of a place.
func (p Panel) Text(near geom.Point, distance float64) (words []string) {
	for _, s := range p.Texts {
		if geom.Distance(s.At, near) <= distance {
			words = append(words, s.String)
		}
	}
	return words
}

// Written reports whether a panel has a text of a colour.
func (p Panel) Written(text string, c color.Color) bool {
	for _, s := range p.Texts {
		if s.String == text && s.Colour == color.NRGBAModel.Convert(c) {
			return true
		}
	}
	return false
}

func styleOf(l draw.LineStyle) Style {
	return Style{color.NRGBAModel.Convert(l.Color).(color.NRGBA), float64(l.Width),
		fmt.Sprint(l.Dashes)}
}

func hasLine(lines []Line, want Style) bool {
	for _, l := range lines {
		if l.Style == want {
			return true
		}
	}
	return false
}

func places(marks []Mark, want pen.Mark) (at []geom.Point) {
	clear := func(c color.Color) color.NRGBA {
		if c == nil {
			return color.NRGBA{}
		}
		return color.NRGBAModel.Convert(c).(color.NRGBA)
	}
	for _, m := range marks {
		open := want.Shape == pen.Saltire || want.Shape == pen.Upright
		if m.Shape == want.Shape && m.Edge == clear(want.Edge) &&
			(open || m.Fill == clear(want.Fill)) &&
			math.Abs(m.Radius-float64(want.Radius)) < 1e-6 {
			at = append(at, m.At)
		}
	}
	return at
}

// Near is how far drawn numbers may be from those that are wanted, relative to 1 and their size.
const Near = 1e-6

func near(a, b geom.Point) bool {
	return math.Abs(a.X-b.X) <= Near*(1+math.Abs(b.X)) &&
		math.Abs(a.Y-b.Y) <= Near*(1+math.Abs(b.Y))
}

// SamePoints fails the test unless got holds the points of want, in any order.
func SamePoints(t *testing.T, what string, got, want []geom.Point) {
	t.Helper()
	left := append([]geom.Point(nil), got...)
	for _, p := range want {
		found := false
		for k, q := range left {
			if near(q, p) {
				left, found = append(left[:k], left[k+1:]...), true
				break
			}
		}
		if !found {
			t.Errorf("%s: nothing at (%g, %g), but %v", what, p.X, p.Y, got)
			return
		}
	}
	if len(left) > 0 {
		t.Errorf("%s: also at %v", what, left)
	}
}

// SamePath fails the test unless got goes through the points of want, from either end.
func SamePath(t *testing.T, what string, got, want []geom.Point) {
	t.Helper()
	same := func(back bool) bool {
		if len(got) != len(want) {
			return false
		}
		for k, p := range want {
			q := got[k]
			if back {
				q = got[len(got)-1-k]
			}
			if !near(q, p) {
				return false
			}
		}
		return true
	}
	if !same(false) && !same(true) {
		t.Errorf("%s goes through %v, want %v", what, got, want)
	}
}

// OnLevel fails the test unless all points have one score of those given.
func OnLevel(t *testing.T, what string, at []geom.Point, h svmkit.Hyperplane, scores ...float64) {
	t.Helper()
	for _, v := range scores {
		on := len(at) > 0
		for _, p := range at {
			on = on && math.Abs(h.Score(geom.Row(p))-v) <= Near*(1+h.Norm())
		}
		if on {
			return
		}
	}
	t.Errorf("%s goes through %v: not where the score is %v", what, at, scores)
}

// OnGraph fails the test unless all points are on the graph of f, and there is one.
func OnGraph(t *testing.T, what string, at []geom.Point, f func(x float64) float64) {
	t.Helper()
	if len(at) == 0 {
		t.Errorf("%s is not drawn", what)
	}
	for _, p := range at {
		if y := f(p.X); !(math.Abs(p.Y-y) <= Near*(1+math.Abs(y))) {
			t.Errorf("%s is at (%g, %g), want the height %g", what, p.X, p.Y, y)
			return
		}
	}
}

// Rows returns the rows of a planar set as points; without numbers, all of them.
func Rows(set *svmkit.Dataset, rows ...int) (at []geom.Point) {
	if rows == nil {
		for _, x := range set.X {
			at = append(at, geom.At(x))
		}
	}
	for _, i := range rows {
		at = append(at, geom.At(set.X[i]))
	}
	return at
}

// Where returns the rows of a set with a property, as points.
func Where(set *svmkit.Dataset, holds func(i int) bool) (at []geom.Point) {
	for i, x := range set.X {
		if holds(i) {
			at = append(at, geom.At(x))
		}
	}
	return at
}

// Classes fails the test unless a panel marks both classes of a set at their points, the marks a
// factor as large as [pen.Positive] and [pen.Negative].
func (r *Reading) Classes(panel int, set *svmkit.Dataset, size float64) {
	r.t.Helper()
	r.classes(panel, set, size, pen.ClassName(set, 1), pen.ClassName(set, -1))
}

// ClassMarks is [Reading.Classes] without a look at the legend, which may have smaller marks.
func (r *Reading) ClassMarks(panel int, set *svmkit.Dataset, size float64) {
	r.t.Helper()
	r.classes(panel, set, size, "", "")
}

func (r *Reading) classes(panel int, set *svmkit.Dataset, size float64, plus, minus string) {
	r.t.Helper()
	for _, c := range []struct {
		label float64
		name  string
		mark  pen.Mark
	}{{1, plus, pen.Positive}, {-1, minus, pen.Negative}} {
		c.mark.Radius *= vg.Length(size)
		SamePoints(r.t, fmt.Sprintf("class %+g", c.label),
			r.Marks(panel, c.name, c.mark),
			Where(set, func(i int) bool { return set.Y[i] == c.label }))
	}
}
