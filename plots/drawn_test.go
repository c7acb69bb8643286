package plots_test

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/plottest"
	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/tune"
)

// These tests read the figures back from their canvas, and state in mathematics what must be seen.

func read(t *testing.T) func(f *plots.Figure, err error) *plottest.Reading {
	return func(f *plots.Figure, err error) *plottest.Reading {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return plottest.Read(t, f)
	}
}

func only(t *testing.T, what string, lines []plottest.Line) []geom.Point {
	t.Helper()
	if len(lines) != 1 {
		t.Fatalf("%s: %d lines %v, want one", what, len(lines), lines)
	}
	return lines[0].At
}

func points(x, y []float64) (at []geom.Point) {
	for i := range x {
		at = append(at, geom.Point{X: x[i], Y: y[i]})
	}
	return at
}

func set(t *testing.T, x [][]float64, y []float64) *svmkit.Dataset {
	t.Helper()
	s, err := svmkit.NewDataset(x, y)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// seven is two classes on both sides of x₁ = 0 but for one point.
func seven(t *testing.T) *svmkit.Dataset {
	return set(t, [][]float64{{1, 0}, {2, 1}, {1.5, -1}, {-1, 0.5}, {-2, 0}, {-1, -1}, {0.5, 0.5}},
		[]float64{1, 1, 1, -1, -1, -1, -1})
}

type score func(x, y float64) float64

func (f score) Score(x svmkit.Row) float64 { return f(x.At(0), x.At(1)) }

// Series i has the line and the marks of style i, over its band; a curve goes through its own
// points.
func TestLinesDrawn(t *testing.T) {
	x := []float64{1, 2, 4}
	series := []plots.Series{{Name: "a", X: x, Y: []float64{3, 1, 2}, Low: []float64{2, 0.5, 1},
		High: []float64{4, 2, 3}},
		{Name: "b", X: x, Y: []float64{1, 2, 3}, NoMarks: true},
		{Name: "c", X: x, Y: []float64{2, 2, 2}, Curve: []float64{1, 4, 1}}}
	for _, classes := range []bool{true, false} {
		looks := pen.Styles
		if !classes {
			looks = pen.PlaneStyles
		}
		r := read(t)(plots.Lines(series, plots.Axes{X: "the x", Y: "the y", LogY: true,
			NoClasses: !classes}, "A caption.", "A text."))
		for i, s := range series {
			through := s.Y
			if s.Curve != nil {
				through = s.Curve
			}
			plottest.SamePath(t, s.Name, only(t, s.Name, r.Lines(0, s.Name, looks[i].Line)),
				points(x, through))
			if s.NoMarks {
				plottest.SamePoints(t, s.Name+" without marks", r.Marks(0, "", looks[i].Mark), nil)
			} else {
				plottest.SamePoints(t, s.Name, r.Marks(0, s.Name, looks[i].Mark), points(x, s.Y))
			}
		}
		r.Axes(0, "the x", "log:the y")
		band := plottest.OnlyArea(t, r.Areas(0, "", pen.Pale(looks[0].Line.Color)))
		plottest.SamePoints(t, "band", band,
			append(points(x, series[0].Low), points(x, series[0].High)...))
	}
}

// Each plane is the line where its score is 0, in the style of its legend.
func TestSeparatorsDrawn(t *testing.T) {
	s := seven(t)
	planes := []plots.NamedPlane{{Name: "first",
		Plane: svmkit.Hyperplane{W: []float64{1, 0}, B: -0.75}},
		{Name: "second", Plane: svmkit.Hyperplane{W: []float64{1, 1}}}}
	r := read(t)(plots.Separators(s, planes))
	r.Classes(0, s, 1)
	for i, p := range planes {
		plottest.OnLevel(t, p.Name, only(t, p.Name, r.Lines(0, p.Name, pen.PlaneStyles[i].Line)),
			p.Plane, 0)
	}
	r.Axes(0, "$x_1$", "$x_2$")

	// The origin is marked if all planes go through it.
	cross := pen.Mark{Shape: pen.Upright, Edge: pen.Ink, Radius: 3.5}
	plottest.SamePoints(t, "the origin", r.Marks(0, "", cross), nil)
	r = read(t)(plots.Separators(s, planes[1:]))
	plottest.SamePoints(t, "the origin", r.Marks(0, "", cross), []geom.Point{{}})
}

// The hull of +1 is blue and that of −1 red; the nearest points are ringed and joined, or a common
// point is.
func TestHullsDrawn(t *testing.T) {
	apart := set(t, [][]float64{{1, 0}, {2, 1}, {2, -1}, {1.8, 0}, {-1, 1}, {-1, -1}, {-2, 0}},
		[]float64{1, 1, 1, 1, -1, -1, -1})
	r := read(t)(plots.Hulls(apart, nil, nil))
	r.Classes(0, apart, 1)
	plus, minus := plottest.Rows(apart, 0, 1, 2), plottest.Rows(apart, 4, 5, 6)
	hullsDrawn(t, r, plus, minus)
	p, q := geom.Point{X: 1}, geom.Point{X: -1}
	plottest.SamePath(t, "the shortest way", only(t, "gap",
		r.Lines(0, "nearest points", pen.Line(pen.Ink, 2, pen.Dotted))), []geom.Point{p, q})
	plottest.SamePoints(t, "its ends", r.Rings(0, "", 6, pen.Line(pen.Ink, 1.4, nil)),
		[]geom.Point{p, q})

	meet := set(t, [][]float64{{1, 1}, {-1, -1}, {1, -1}, {-1, 1}}, []float64{1, 1, -1, -1})
	r = read(t)(plots.Hulls(meet, nil, nil))
	r.Classes(0, meet, 0.6)
	plottest.SamePoints(t, "the common point",
		r.Rings(0, "in both hulls", 7, pen.Line(pen.Ink, 1.8, nil)), []geom.Point{{}})
	plottest.SamePoints(t, "its cross", r.Marks(0, "",
		pen.Mark{Shape: pen.Saltire, Edge: pen.Ink, Radius: 2.6}), []geom.Point{{}})
	if f, err := plots.Hulls(apart, []float64{1, 0}, []float64{-2, 0}); err == nil {
		t.Errorf("a pair that is not the nearest is drawn: %s", f.Caption)
	}
}

func hullsDrawn(t *testing.T, r *plottest.Reading, plus, minus []geom.Point) {
	t.Helper()
	for _, c := range []struct {
		name    string
		fill    color.RGBA
		edge    []plottest.Line
		corners []geom.Point
	}{{"hull of +1", pen.PaleBlue, r.Lines(0, "hull of +1", pen.Line(pen.Blue, 1.4, nil)), plus},
		{"hull of −1", pen.PaleRed, r.Lines(0, "hull of −1",
			pen.Line(pen.Vermillion, 1.4, pen.Dashed)), minus}} {
		fill := color.NRGBA{c.fill.R, c.fill.G, c.fill.B, 0xb0}
		areas := r.Areas(0, c.name, fill)
		if len(areas) != 1 {
			t.Fatalf("%s: %d areas", c.name, len(areas))
		}
		plottest.SamePoints(t, c.name, areas[0], c.corners)
		edge := only(t, c.name, c.edge)
		plottest.SamePoints(t, c.name+"'s edge", edge[1:], c.corners)
	}
}

// Level lines have their values, the cross is at the lowest point, paths go through their points
// from their ringed starts, and the region is where all constraints hold.
func TestLandscapeDrawn(t *testing.T) {
	f := func(x, y float64) float64 { return (x-0.5)*(x-0.5) + 2*(y+0.25)*(y+0.25) }
	walk := [][2]float64{{-1.5, 1.5}, {0, 0.5}, {0.4, -0.2}}
	line, side := svmkit.Hyperplane{W: []float64{0, 1}, B: -1},
		svmkit.Hyperplane{W: []float64{1, 0}, B: 1.8}
	levels := []float64{0.5, 1, 2}
	r := read(t)(plots.Landscape(plots.Surface{F: f, XMin: -2, XMax: 2, YMin: -2, YMax: 2,
		Levels:   levels,
		Feasible: []plots.NamedLine{{Name: "side", Line: side}},
		Lines:    []plots.NamedLine{{Name: "line", Line: line}},
		Paths:    []plots.NamedPath{{Name: "walk", At: walk}},
		Points:   []plots.NamedPoint{{Name: "goal", At: [2]float64{1, 1}}}}))
	seen := map[float64]bool{}
	for _, l := range r.Lines(0, "level sets", pen.Line(pen.Faint, 0.9, nil)) {
		for _, v := range levels {
			if math.Abs(f(l.At[0].X, l.At[0].Y)-v) < 0.02 {
				seen[v] = true
				for _, p := range l.At {
					if math.Abs(f(p.X, p.Y)-v) > 0.02 {
						t.Fatalf("the level %g passes %v, where the function is %g", v, p,
							f(p.X, p.Y))
					}
				}
			}
		}
	}
	if len(seen) != len(levels) {
		t.Errorf("levels %v are drawn, want %v", seen, levels)
	}
	for _, s := range r.Panels[0].Texts {
		var v float64
		if n, _ := fmt.Sscan(s.String, &v); n == 1 && math.Abs(f(s.At.X, s.At.Y)-v) > 0.05 {
			t.Errorf("%q stands where the function is %g", s.String, f(s.At.X, s.At.Y))
		}
	}
	var at []geom.Point
	for _, q := range walk {
		at = append(at, geom.Point{X: q[0], Y: q[1]})
	}
	plottest.SamePath(t, "walk", only(t, "walk", r.Lines(0, "walk", pen.Styles[0].Line)), at)
	plottest.SamePoints(t, "walk", r.Marks(0, "walk", pen.Styles[0].Mark), at)
	plottest.SamePoints(t, "its start", r.Rings(0, "", 5.5, pen.Line(pen.Blue, 1.2, nil)), at[:1])
	plottest.OnLevel(t, "line", only(t, "line", r.Lines(0, "line", pen.Styles[5].Line)), line, 0)
	plottest.OnLevel(t, "side", only(t, "side", r.Lines(0, "side", pen.Line(pen.Faint, 1.3, nil))),
		side, 0)
	r.Axes(0, "$w_1$", "$w_2$")
	cross := r.Marks(0, "lowest point", pen.Mark{Shape: pen.Upright, Edge: pen.Ink, Radius: 4.5})
	if len(cross) != 1 || geom.Distance(cross[0], geom.Point{X: 0.5, Y: -0.25}) > 4e-3 {
		t.Errorf("the lowest point is marked at %v", cross)
	}
	plottest.SamePoints(t, "goal", r.Marks(0, "",
		pen.Mark{Shape: pen.Diamond, Fill: pen.Ink, Edge: pen.Ink, Radius: 4}),
		[]geom.Point{{X: 1, Y: 1}})
	if near := r.Panels[0].Text(geom.Point{X: 1, Y: 1}, 0.5); !slices.Contains(near, "goal") {
		t.Errorf("at the point is written %q", near)
	}
	border := only(t, "the region's border", r.Lines(0, "", pen.Line(pen.Ink, 1.1, nil)))
	plottest.OnLevel(t, "the region's border", border, side, 0)
	for _, p := range plottest.OnlyArea(t, r.Areas(0, "all constraints hold", pen.PaleBand)) {
		if side.Score(geom.Row(p)) < -1e-9 {
			t.Errorf("the region reaches %v", p)
		}
	}
	piecesDrawn(t)

	// Of a function that is maximised the cross marks the highest point. Paths can do without the
	// colours of classes, and a curve without marks.
	curve := [][2]float64{{-1, -1}, {0, 1}, {1, -1}}
	r = read(t)(plots.Landscape(plots.Surface{F: func(x, y float64) float64 { return -f(x, y) },
		XMin: -2, XMax: 2, YMin: -2, YMax: 2, Maximise: true, PlaneStyles: true,
		Paths: []plots.NamedPath{{Name: "walk", At: walk}, {Name: "curve", At: curve, NoMarks: true}}}))
	cross = r.Marks(0, "highest point", pen.Mark{Shape: pen.Upright, Edge: pen.Ink, Radius: 4.5})
	if len(cross) != 1 || geom.Distance(cross[0], geom.Point{X: 0.5, Y: -0.25}) > 4e-3 {
		t.Errorf("the highest point is marked at %v", cross)
	}
	plottest.SamePath(t, "walk", only(t, "walk", r.Lines(0, "walk", pen.PlaneStyles[0].Line)), at)
	plottest.SamePath(t, "curve", only(t, "curve", r.Lines(0, "curve", pen.PlaneStyles[1].Line)),
		points([]float64{-1, 0, 1}, []float64{-1, 1, -1}))
	plottest.SamePoints(t, "marks of the curve", r.Marks(0, "", pen.PlaneStyles[1].Mark), nil)
}

// piecesDrawn checks a function that is constant between borders: each piece has its value.
func piecesDrawn(t *testing.T) {
	t.Helper()
	f := func(x, y float64) float64 { return math.Copysign(1, x) + 2*math.Copysign(1, y) }
	borders := []svmkit.Hyperplane{{W: []float64{1, 0}}, {W: []float64{0, 1}}}
	r := read(t)(plots.Landscape(plots.Surface{F: f, XMin: -2, XMax: 2, YMin: -2, YMax: 2,
		Borders: borders}))
	lines := r.Lines(0, "where the value jumps", pen.Line(pen.Faint, 0.9, nil))
	if len(lines) != 2 {
		t.Fatalf("%d borders", len(lines))
	}
	for k, h := range borders {
		plottest.OnLevel(t, "border", lines[k].At, h, 0)
	}
	if len(r.Panels[0].Texts) != 4 {
		t.Fatalf("texts %v", r.Panels[0].Texts)
	}
	for _, s := range r.Panels[0].Texts {
		if want := strings.ReplaceAll(fmt.Sprint(f(s.At.X, s.At.Y)), "-", "−"); s.String != want {
			t.Errorf("at %v is written %q, want %q", s.At, s.String, want)
		}
	}
}

// The solid line is where the score is 0, the dashed one where it is 1, the dotted one where it is
// −1; blue is positive and red negative, paler where |f| < 1; the rows to ring are ringed.
func TestDecisionRegionsDrawn(t *testing.T) {
	s, model := seven(t), score(func(x, y float64) float64 { return 2*x - 0.5 + 0.1*y })
	r := read(t)(plots.DecisionRegions(s, model, plots.RegionMarks{Support: []int{1, 4}}))
	r.Classes(0, s, 1)
	plottest.SamePoints(t, "rings", r.Rings(0, "support vector", 6.5, pen.Line(pen.Ink, 1.4, nil)),
		plottest.Rows(s, 1, 4))
	for _, c := range []struct {
		name  string
		lines []plottest.Line
		want  float64
	}{{"$f = 0$", r.Lines(0, "$f = 0$", pen.Line(pen.Ink, 1.9, nil)), 0},
		{"$f = +1$", r.Lines(0, "$f = +1$", pen.Line(pen.Ink, 1.2, pen.Dashed)), 1},
		{"$f = -1$", r.Lines(0, "$f = -1$", pen.Line(pen.Ink, 1.2, pen.Dotted)), -1}} {
		for _, p := range only(t, c.name, c.lines) {
			if f := model.Score(geom.Row(p)); math.Abs(f-c.want) > 1e-6 {
				t.Errorf("%s passes %v, where f = %g", c.name, p, f)
			}
		}
	}
	// The last area that covers a place is what is seen there.
	bands := map[color.NRGBA][2]float64{{0xf7, 0xd3, 0xb9, 0xff}: {math.Inf(-1), -1},
		{0xfd, 0xf0, 0xe6, 0xff}: {-1, 0}, {0xea, 0xf3, 0xf9, 0xff}: {0, 1},
		{0xbf, 0xdc, 0xee, 0xff}: {1, math.Inf(1)}}
	for _, a := range r.Panels[0].Areas {
		for _, p := range a.At {
			if f, band := model.Score(geom.Row(p)), bands[a.Fill]; f < band[0]-1e-6 {
				t.Errorf("%v reaches %v, where f = %g", a.Fill, p, f)
			}
		}
	}
	for _, at := range []geom.Point{{X: 1.9}, {X: 0.5}, {X: 0.1}, {X: -1.5}} {
		var seen color.NRGBA
		for _, a := range r.Panels[0].Areas {
			if covers(a.At, at) {
				seen = a.Fill
			}
		}
		if f, band := model.Score(geom.Row(at)), bands[seen]; f < band[0] || f > band[1] {
			t.Errorf("at %v, where f = %g, is seen %v", at, f, seen)
		}
	}
}

// covers reports whether a convex polygon holds a place.
func covers(polygon []geom.Point, at geom.Point) bool {
	return geom.DistanceToHull(at,
		polygon) == 0
}

type classifier struct{ *multiclass.Linear }

// Each region has the pale colour of the class that is predicted there, each point the mark of its
// own class, and wrongly predicted points are crossed out.
func TestClassRegionsDrawn(t *testing.T) {
	l := &multiclass.Linear{Classes: multiclass.Classes{Count: 3, Names: []string{"a", "b", "c"}}}
	for _, q := range []geom.Point{{X: -1}, {X: 1}, {Y: 1.5}} { // the nearest of three places
		l.W, l.B = append(l.W, []float64{2 * q.X, 2 * q.Y}), append(l.B, -q.X*q.X-q.Y*q.Y)
	}
	model := classifier{l}
	s := &svmkit.Dataset{Dim: 2, Classes: []string{"a", "b", "c"}, Y: []float64{0, 1, 2, 0, 1},
		X: []svmkit.Row{svmkit.Dense(-1, 0), svmkit.Dense(1, 0), svmkit.Dense(0, 1.5),
			svmkit.Dense(0.8, 0.2), svmkit.Dense(1.2, 0.3)}}
	r := read(t)(plots.ClassRegions(s, model))
	for k, name := range s.Classes {
		plottest.SamePoints(t, name, r.Marks(0, name, pen.Styles[k].Mark),
			plottest.Where(s, func(i int) bool { return s.Y[i] == float64(k) }))
	}
	plottest.SamePoints(t, "crossed out", r.Marks(0, "predicted wrong",
		pen.Mark{Shape: pen.Saltire, Edge: pen.Ink, Radius: 4}), plottest.Rows(s, 3))
	for _, at := range []geom.Point{{X: -0.7, Y: 0.3}, {X: 0.7, Y: 0.1}, {X: 0.1, Y: 1.2}} {
		k := model.Predict(geom.Row(at)).Class
		red, green, blue, _ := pen.Styles[k].Mark.Edge.RGBA()
		mix := func(v uint32) uint8 { return uint8(255 - (255-v>>8)*30/100) }
		want := color.NRGBA{mix(red), mix(green), mix(blue), 0xff}
		var seen color.NRGBA
		for _, a := range r.Panels[0].Areas {
			if covers(a.At, at) {
				seen = a.Fill
			}
		}
		if seen != want {
			t.Errorf("at %v, which is of class %s, is seen %v, want %v", at, s.Classes[k], seen,
				want)
		}
	}
	if len(r.Lines(0, "", pen.Line(pen.Ink, 1.2, nil))) == 0 {
		t.Error("the regions have no borders")
	}
	for _, l := range r.Lines(0, "", pen.Line(pen.Ink, 1.2, nil)) {
		for _, p := range l.At {
			first, second := scores(model, p)
			if first-second > 0.1 {
				t.Errorf("a border passes %v, where the best scores are %g and %g", p, first,
					second)
			}
		}
	}
}

// scores returns the two largest scores.
func scores(m classifier, at geom.Point) (first, second float64) {
	first, second = math.Inf(-1), math.Inf(-1)
	for _, v := range m.ClassScores(geom.Row(at)) {
		if v > first {
			first, second = v, first
		} else if v > second {
			second = v
		}
	}
	return first, second
}

type curve func(x float64) float64

func (f curve) Score(x svmkit.Row) float64 { return f(x.At(0)) }

func five() *svmkit.Dataset {
	return &svmkit.Dataset{Dim: 1, X: svmkit.DenseRows([]float64{0, 1, 2, 3, 4}, 1),
		Y: []float64{0, 1.5, 1.75, 4.5, 2}}
}

func target(s *svmkit.Dataset, rows ...int) (at []geom.Point) {
	for _, i := range rows {
		at = append(at, geom.Point{X: s.X[i].At(0), Y: s.Y[i]})
	}
	return at
}

// The tube is f ± ε; from each point outside of it a segment leads to its edge; rows with β ≠ 0 are
// ringed.
func TestTubeDrawn(t *testing.T) {
	s, f := five(), curve(func(x float64) float64 { return x })
	r := read(t)(plots.Tube(s, plots.TubeFit{Name: "f", F: f, Epsilon: 0.5,
		Beta: []float64{0, 0.3, 0, 1, -1}}))
	plottest.OnGraph(t, "f", only(t, "f", r.Lines(0, "$f(x)$", pen.Line(pen.Ink, 1.8, nil))), f)
	rims := r.Lines(0, "", pen.Line(pen.Faint, 1.2, pen.Dashed))
	if len(rims) != 2 {
		t.Fatalf("%d edges of the tube", len(rims))
	}
	plottest.OnGraph(t, "the upper edge", rims[0].At, func(x float64) float64 { return x + 0.5 })
	plottest.OnGraph(t, "the lower edge", rims[1].At, func(x float64) float64 { return x - 0.5 })
	plottest.SamePoints(t, "in the tube", r.Marks(0, "in the tube",
		pen.Mark{Shape: pen.Disc, Fill: pen.PaleBlue, Edge: pen.Blue, Radius: 2.9}),
		target(s, 0, 1, 2))
	plottest.SamePoints(t, "outside", r.Marks(0, `outside, slack $\xi$`,
		pen.Mark{Shape: pen.Square, Fill: pen.Vermillion, Edge: pen.Vermillion, Radius: 2.6}),
		target(s, 3, 4))
	slack := r.Lines(0, `outside, slack $\xi$`, pen.Line(pen.Vermillion, 1.3, nil))
	if len(slack) != 2 {
		t.Fatalf("%d slacks", len(slack))
	}
	plottest.SamePath(t, "the slack above", slack[0].At,
		[]geom.Point{{X: 3, Y: 3.5}, {X: 3, Y: 4.5}})
	plottest.SamePath(t, "the slack below", slack[1].At, []geom.Point{{X: 4, Y: 3.5}, {X: 4, Y: 2}})
	r.Axes(0, "$x$", "$y$")
	plottest.SamePoints(t, "rings", r.Rings(0, "support vector", 6, pen.Line(pen.Ink, 1.3, nil)),
		target(s, 1, 3, 4))
	for _, p := range plottest.OnlyArea(t, r.Areas(0, `tube $f(x) \pm \epsilon$`, pen.PaleBand)) {
		if cut := p.Y <= r.Panels[0].View.YMin+1e-6; !cut &&
			math.Abs(math.Abs(p.Y-p.X)-0.5) > 1e-6 {
			t.Errorf("the band has a corner at %v", p)
		}
	}
}

// Each curve is its function, in the style of its legend, over the same points.
func TestFitsDrawn(t *testing.T) {
	s := five()
	fits := []plots.TubeFit{{Name: "low", F: curve(func(x float64) float64 { return x / 2 })},
		{Name: "high", F: curve(func(x float64) float64 { return x + 1 })}}
	r := read(t)(plots.Fits(s, fits))
	for k, f := range fits {
		style := pen.Styles[k].Line
		style.Width = 2
		plottest.OnGraph(t, f.Name, only(t, f.Name, r.Lines(0, f.Name, style)), f.F.(curve))
	}
	plottest.SamePoints(t, "points", r.Marks(0, "",
		pen.Mark{Shape: pen.Disc, Fill: pen.PaleBlue, Edge: pen.Faint, Radius: 2.6}),
		target(s, 0, 1, 2, 3, 4))
}

// A row is at its prediction and its error f(x) − y: a score that is too high is above zero.
func TestResidualsDrawn(t *testing.T) {
	s, f := five(), curve(func(x float64) float64 { return x })
	r := read(t)(plots.Residuals(s, f, 0.5))
	r.Axes(0, "prediction $f(x)$", "error $f(x) - y$")
	at := func(rows ...int) (ps []geom.Point) {
		for _, i := range rows {
			x := s.X[i].At(0)
			ps = append(ps, geom.Point{X: x, Y: x - s.Y[i]})
		}
		return ps
	}
	plottest.SamePoints(t, "in the tube", r.Marks(0, "in the tube",
		pen.Mark{Shape: pen.Disc, Fill: pen.PaleBlue, Edge: pen.Blue, Radius: 2.9}), at(0, 1, 2))
	plottest.SamePoints(t, "outside", r.Marks(0, "outside",
		pen.Mark{Shape: pen.Square, Fill: pen.Vermillion, Edge: pen.Vermillion, Radius: 2.6}),
		at(3, 4))
	plottest.OnGraph(t, "no error", only(t, "zero",
		r.Lines(0, "no error", pen.Line(pen.Ink, 1.4, nil))), func(float64) float64 { return 0 })
	rim := only(t, "rim", r.Lines(0, `tube $\pm\epsilon$`, pen.Line(pen.Faint, 1.2, pen.Dashed)))
	for _, p := range rim {
		if math.Abs(math.Abs(p.Y)-0.5) > 1e-9 {
			t.Errorf("the tube's edge has a corner at %v", p)
		}
	}
	for _, p := range plottest.OnlyArea(t, r.Areas(0, `tube $\pm\epsilon$`, pen.PaleBand)) {
		if math.Abs(math.Abs(p.Y)-0.5) > 1e-9 {
			t.Errorf("the tube has a corner at %v", p)
		}
	}
}

// The cell of C and γ has its mean over its standard error; the best has a full frame, the choice
// of the one-standard-error rule a dashed one.
func TestCVMapDrawn(t *testing.T) {
	s := &tune.Selection{}
	for k, mean := range []float64{0.3, 0.12, 0.1, 0.15} {
		s.Points = append(s.Points, tune.Point{Params: tune.Params{C: []float64{1, 10}[k/2],
			Gamma: []float64{0.1, 1}[k%2]},
			CVResult: tune.CVResult{Scores: []float64{mean - 0.03, mean + 0.03}, Mean: mean,
				StdErr: 0.03}})
	}
	r := read(t)(plots.CVMap(s, "error"))
	r.Axes(0, "cost $C$", `$\gamma$`)
	for k, want := range []string{"1", "10"} {
		if got := r.Panels[0].X.Tick(float64(k) + 0.5); got != want {
			t.Errorf("column %d is named %q, want %q", k, got, want)
		}
	}
	for k, want := range []string{"0.1", "1"} {
		if got := r.Panels[0].Y.Tick(float64(k) + 0.5); got != want {
			t.Errorf("row %d is named %q, want %q", k, got, want)
		}
	}
	middle := func(k int) geom.Point {
		return geom.Point{X: float64(k/2) + 0.5,
			Y: float64(k%2) + 0.5}
	}
	for k, p := range s.Points {
		words := strings.Join(r.Panels[0].Text(middle(k), 0.5), " ")
		if !strings.Contains(words, fmt.Sprint(p.Mean)) || !strings.Contains(words, "0.03") {
			t.Errorf("the cell of %s says %q", p.Params, words)
		}
	}
	for _, c := range []struct {
		name  string
		lines []plottest.Line
		cell  int
	}{{"best", r.Lines(0, "best", pen.Line(pen.Vermillion, 2.2, nil)), 2},
		{"choice", r.Lines(0, "one-standard-error choice", pen.Line(pen.Ink, 1.3, pen.Dashed)),
			1}} {
		box := geom.Empty()
		for _, l := range c.lines {
			box = box.Cover(l.At...)
		}
		if len(c.lines) != 4 || geom.Distance(box.Centre(), middle(c.cell)) > 1e-9 {
			t.Errorf("%s: %d sides around %v, want %v", c.name, len(c.lines), box.Centre(),
				middle(c.cell))
		}
	}
	// The shade grows with the mean.
	seen := map[int]color.NRGBA{}
	for _, a := range r.Panels[0].Areas {
		b := geom.Empty().Cover(a.At...)
		if b.XMax-b.XMin < 1.2 {
			seen[2*int(math.Round(b.XMin))+1-(2-int(math.Round(b.YMax)))] = a.Fill
		}
	}
	for k, p := range s.Points {
		for l, q := range s.Points {
			if p.Mean > q.Mean && !(seen[k].R < seen[l].R) {
				t.Errorf("the cell %d with %g is %v, not darker than the cell %d with %g, %v", k,
					p.Mean, seen[k], l, q.Mean, seen[l])
			}
		}
	}
}

// The panels follow in the order of the figures, with what each draws.
func TestStackDrawn(t *testing.T) {
	line := func(name string, y ...float64) *plots.Figure {
		f, err := plots.Lines([]plots.Series{{Name: name, X: []float64{1, 2}, Y: y}}, plots.Axes{},
			"A caption.", "A text.")
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	r := read(t)(plots.Stack(line("a", 1, 2), line("b", 5, 3)))
	plottest.SamePath(t, "above", only(t, "above", r.Lines(0, "a", pen.Styles[0].Line)),
		points([]float64{1, 2}, []float64{1, 2}))
	plottest.SamePath(t, "below", only(t, "below", r.Lines(1, "b", pen.Styles[0].Line)),
		points([]float64{1, 2}, []float64{5, 3}))
}
