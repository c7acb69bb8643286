// Package plottest reads back what a figure draws, for tests: the marks, lines, areas and texts of
// its panels in data coordinates, and the samples of its legend.
//
//	r := plottest.Read(t, figure)
//	for _, l := range r.Lines(0, "plane $f = 0$", pen.Line(pen.Ink, 1.8, nil)) {
//		plottest.OnLevel(t, "the plane", l.At, h, 0)
//	}
//	ringed := r.Rings(0, "support vector", 6.5, pen.Line(pen.Ink, 1.4, nil))
//	plottest.SamePoints(t, "rings", ringed, supportVectors)
//
// A test that compares these with the mathematics of a figure fails if two lines are swapped, a
// wrong point is ringed, a colour is exchanged or a width is halved.
package plottest

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// Reading is a figure as it is drawn.
type Reading struct {
	Panels []Panel // in the order of their rows
	Legend []Sample
	t      *testing.T
}

// Panel is what one plot draws over its grid, in data coordinates and in the order of drawing.
type Panel struct {
	Lines  []Line
	Areas  []Area
	Marks  []Mark
	Rings  []Mark // discs without a fill
	Arrows []Line // from the first point to the second
	Texts  []Text
	Images int
	Title  string
	X, Y   Axis
	View   geom.Box
}

// Axis holds the texts along one side of a panel.
type Axis struct {
	Label       string
	Logarithmic bool
	Ticks       []plot.Tick
}

// Sample is an entry of a legend with what it shows.
type Sample struct {
	Name string
	Panel
}

// Style is how a line is drawn.
type Style struct {
	Colour color.NRGBA
	Width  float64 // points
	Dashes string
}

// Line is a stroke along its points.
type Line struct {
	Style
	At []geom.Point
}

// Area is a filled polygon.
type Area struct {
	At    []geom.Point
	Fill  color.NRGBA
	Layer int // larger ones are drawn later, over smaller ones
}

// Mark is a glyph. Of a ring the Fill is transparent.
type Mark struct {
	Shape      pen.Shape
	At         geom.Point
	Fill, Edge color.NRGBA
	Radius     float64 // points
	Width      float64 // points, of the edge
	Dashes     string  // of the edge
	Layer      int     // as of an [Area]
}

// Text is a label; its place is the middle of its ground, or where it begins if it has none.
type Text struct {
	At     geom.Point
	String string // math without its bars and spaces
	Colour color.NRGBA
}

// probe notes the range and the place of a plot while it is drawn.
type probe struct {
	names   [2]string // of the axes; while it is drawn, logarithmic axes have none
	actions *[]recorder.Action
	until   int // how many actions there are when it is drawn
	data    vg.Rectangle
	x, y    plot.Axis
	title   string
}

func (q *probe) Plot(c draw.Canvas, p *plot.Plot) {
	q.until, q.data, q.x, q.y, q.title = len(*q.actions), c.Rectangle, p.X, p.Y, p.Title.Text
}

// Read draws a figure on a canvas that remembers.
func Read(t *testing.T, f *plots.Figure) *Reading {
	t.Helper()
	w, h := f.Size()
	c := &recorder.Canvas{}
	bare := *f
	bare.Legend = nil
	var probes []*probe
	watched := func(p *plot.Plot) *plot.Plot {
		if p == nil {
			return nil
		}
		q := *p
		watch := &probe{names: [2]string{p.X.Label.Text, p.Y.Label.Text}, actions: &c.Actions}
		q.Add(watch)
		probes = append(probes, watch)
		return &q
	}
	bare.Plot = watched(f.Plot)
	bare.Panels = nil
	for _, row := range f.Panels {
		var ps []*plot.Plot
		for _, p := range row {
			ps = append(ps, watched(p))
		}
		bare.Panels = append(bare.Panels, ps)
	}
	if err := bare.Draw(draw.NewCanvas(c, w, h)); err != nil {
		t.Fatal(err)
	}
	r := &Reading{t: t}
	from := 0
	for _, q := range probes {
		p := &reader{back: q.back, inside: q.data}
		p.read(c.Actions[from:q.until], true)
		p.Title = q.title
		p.X, p.Y = axisOf(q.names[0], q.x), axisOf(q.names[1], q.y)
		p.View = geom.Box{XMin: q.x.Min, XMax: q.x.Max, YMin: q.y.Min, YMax: q.y.Max}
		r.Panels = append(r.Panels, p.Panel)
		from = q.until
	}
	for _, e := range f.Legend {
		c := &recorder.Canvas{}
		canvas := draw.Canvas{Canvas: c, Rectangle: vg.Rectangle{Max: vg.Point{X: 26, Y: 10}}}
		if e.Mark != nil {
			e.Mark.Thumbnail(&canvas)
		}
		p := &reader{back: func(q vg.Point) geom.Point {
			return geom.Point{X: float64(q.X),
				Y: float64(q.Y)}
		}}
		p.read(c.Actions, false)
		r.Legend = append(r.Legend, Sample{e.Name, p.Panel})
	}
	return r
}

func axisOf(name string, a plot.Axis) Axis {
	_, linear := a.Scale.(plot.LinearScale)
	return Axis{name, !linear, a.Tick.Marker.Ticks(a.Min, a.Max)}
}

// back returns the data coordinates of a place on the canvas.
func (q *probe) back(at vg.Point) geom.Point {
	along := func(a plot.Axis, v, lo, hi vg.Length) float64 {
		t := float64((v - lo) / (hi - lo))
		if _, linear := a.Scale.(plot.LinearScale); linear {
			return a.Min + t*(a.Max-a.Min)
		}
		return a.Min * math.Pow(a.Max/a.Min, t)
	}
	return geom.Point{X: along(q.x, at.X, q.data.Min.X, q.data.Max.X),
		Y: along(q.y, at.Y, q.data.Min.Y, q.data.Max.Y)}
}

// reader turns the actions on a canvas into a panel.
type reader struct {
	Panel
	back   func(vg.Point) geom.Point
	inside vg.Rectangle

	style   Style
	filled  vg.Path // the last fill, for a stroke of the same outline
	fill    color.NRGBA
	textual bool // the last colour is that of a text
	begun   bool // the axes are drawn, and the data begin
	layer   int
}

func (r *reader) read(actions []recorder.Action, axes bool) {
	for k, action := range actions {
		r.layer = k
		switch a := action.(type) {
		case *recorder.SetColor:
			r.style.Colour, r.textual = color.NRGBAModel.Convert(a.Color).(color.NRGBA), false
		case *recorder.SetLineWidth:
			r.style.Width = float64(a.Width)
		case *recorder.SetLineDash:
			r.style.Dashes = fmt.Sprint(a.Dashes)
		case *recorder.DrawImage:
			r.Images++
		case *recorder.FillString:
			if axes && !r.begun { // a title, a number of an axis, or its label
				r.textual = true
				continue
			}
			if r.textual {
				r.Texts[len(r.Texts)-1].String += a.String
				continue
			}
			r.textual = true
			text := Text{r.back(a.Point), a.String, r.style.Colour}
			if n := len(r.Areas); n > 0 && r.Areas[n-1].Fill == ground && len(r.filled) > 0 {
				text.At = middle(r.Areas[n-1].At)
				r.Areas = r.Areas[:n-1]
			}
			r.Texts = append(r.Texts, text)
		case *recorder.Fill:
			if axes && !r.begun && covers(a.Path, r.inside) {
				continue // the ground of the figure, or of the plot
			}
			r.begun, r.filled, r.fill = true, a.Path, r.style.Colour
			if !r.arrow(a.Path) {
				for _, part := range parts(a.Path) {
					r.Areas = append(r.Areas, Area{r.places(part), r.style.Colour, r.layer})
				}
			}
			continue
		case *recorder.Stroke:
			if !r.textual && !(axes && r.axis(a.Path)) {
				r.begun = true
				r.stroke(a.Path)
			}
		}
		switch action.(type) {
		case *recorder.SetColor, *recorder.SetLineWidth, *recorder.SetLineDash:
		default:
			r.filled = nil
		}
	}
}

// ground is what labels are written on.
var ground = color.NRGBA{0xff, 0xff, 0xff, 0xc8}

// axis reports whether a stroke is one of an axis or of the grid.
func (r *reader) axis(p vg.Path) bool {
	if len(p) != 2 || r.style.Width > 0.81 {
		return false
	}
	if r.style.Colour == color.NRGBAModel.Convert(pen.GridColour) {
		r.begun = true
		return true
	}
	if r.begun {
		return false
	}
	const edge = 1e-6
	a, b, in := p[0].Pos, p[1].Pos, r.inside
	return a.Y <= in.Min.Y+edge && b.Y <= in.Min.Y+edge || a.X <= in.Min.X+edge &&
		b.X <= in.Min.X+edge
}

func (r *reader) stroke(path vg.Path) {
	if slices.EqualFunc(path, r.filled, same) { // marks
		r.Areas = r.Areas[:len(r.Areas)-len(parts(path))]
		for _, part := range parts(path) {
			m := r.mark(part)
			m.Fill = r.fill
			r.Marks = append(r.Marks, m)
		}
		return
	}
	all := parts(path)
	for k := 0; k < len(all); k++ {
		part := all[k]
		switch {
		case part[len(part)-1].Type == vg.ArcComp || len(part) > 1 && part[1].Type == vg.ArcComp:
			r.Rings = append(r.Rings, r.mark(part))
		// the width of all marks
		case k+1 < len(all) && r.style.Width == 1.2 && crossed(part, all[k+1]):
			m := Mark{Shape: pen.Saltire, At: r.back(between(part)), Edge: r.style.Colour,
				Width: r.style.Width, Layer: r.layer,
				Radius: float64(part[1].Pos.X-part[0].Pos.X) / 2}
			if part[0].Pos.Y == part[1].Pos.Y {
				m.Shape, m.Radius = pen.Upright, m.Radius/1.2
			}
			r.Marks = append(r.Marks, m)
			k++
		default:
			r.Lines = append(r.Lines, Line{r.style, r.places(part)})
		}
	}
}

// mark recognises the outline of a glyph by its corners.
func (r *reader) mark(part vg.Path) Mark {
	m := Mark{Edge: r.style.Colour, Width: r.style.Width, Dashes: r.style.Dashes, Layer: r.layer}
	var corners []vg.Point
	for _, c := range part {
		switch c.Type {
		case vg.ArcComp:
			m.Shape, m.At, m.Radius = pen.Disc, r.back(c.Pos), float64(c.Radius)
			return m
		case vg.MoveComp, vg.LineComp:
			corners = append(corners, c.Pos)
		}
	}
	lo, hi := corners[0], corners[0]
	for _, c := range corners {
		lo, hi = vg.Point{X: min(lo.X, c.X), Y: min(lo.Y, c.Y)},
			vg.Point{X: max(hi.X, c.X), Y: max(hi.Y, c.Y)}
	}
	wide := float64(hi.X-lo.X) / 2
	m.At = r.back(vg.Point{X: (lo.X + hi.X) / 2, Y: (lo.Y + hi.Y) / 2})
	switch {
	case len(corners) == 3:
		m.Shape, m.Radius = pen.Triangle, wide
		m.At = r.back(vg.Point{X: (lo.X + hi.X) / 2, Y: lo.Y + 0.75*vg.Length(wide)})
	case corners[0] == lo:
		m.Shape, m.Radius = pen.Square, wide
	default:
		m.Shape, m.Radius = pen.Diamond, wide/1.1
	}
	return m
}

// arrow makes an arrow of the last line if the filled path is a triangle at its end.
func (r *reader) arrow(path vg.Path) bool {
	n := len(r.Lines) - 1
	if len(path) != 4 || n < 0 || r.Lines[n].Colour != r.style.Colour || len(r.Lines[n].At) != 2 {
		return false
	}
	at, neck := r.places(path), r.Lines[n].At[1]
	if geom.Distance(geom.Middle(at[1], at[2]), neck) > 1e-6*(1+math.Abs(neck.X)+math.Abs(neck.Y)) {
		return false
	}
	r.Arrows = append(r.Arrows, Line{r.Lines[n].Style, []geom.Point{r.Lines[n].At[0], at[0]}})
	r.Lines = r.Lines[:n]
	return true
}

// places returns the corners of a path in data coordinates.
func (r *reader) places(part vg.Path) (at []geom.Point) {
	for _, c := range part {
		if c.Type == vg.MoveComp || c.Type == vg.LineComp {
			at = append(at, r.back(c.Pos))
		}
	}
	return at
}

func same(a, b vg.PathComp) bool {
	return a.Type == b.Type && a.Pos == b.Pos && a.Radius == b.Radius
}

// parts splits a path where it moves.
func parts(p vg.Path) (all []vg.Path) {
	for _, c := range p {
		if c.Type == vg.MoveComp {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], c)
	}
	return all
}

func between(part vg.Path) vg.Point {
	return vg.Point{X: (part[0].Pos.X + part[1].Pos.X) / 2, Y: (part[0].Pos.Y + part[1].Pos.Y) / 2}
}

// crossed reports whether two lines halve each other.
func crossed(a, b vg.Path) bool {
	if len(a) != 2 || len(b) != 2 {
		return false
	}
	m, n := between(a), between(b)
	return math.Hypot(float64(m.X-n.X), float64(m.Y-n.Y)) < 1e-9
}

func covers(p vg.Path, r vg.Rectangle) bool {
	const edge = 1e-6
	return len(p) > 2 && p[0].Pos.X <= r.Min.X+edge && p[0].Pos.Y <= r.Min.Y+edge &&
		p[2].Pos.X >= r.Max.X-edge && p[2].Pos.Y >= r.Max.Y-edge
}

func middle(ps []geom.Point) (m geom.Point) {
	for _, p := range ps {
		m.X, m.Y = m.X+p.X/float64(len(ps)), m.Y+p.Y/float64(len(ps))
	}
	return m
}
