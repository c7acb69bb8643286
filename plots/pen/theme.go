package pen

import (
	"image/color"
	"math"

	"github.com/svmkit/course/plots/geom"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Pale mixes a colour with white, for a background.
func Pale(c color.Color) color.Color {
	r, g, b, _ := c.RGBA()
	mix := func(v uint32) uint8 { return uint8(255 - (255-v>>8)*22/100) }
	return color.RGBA{mix(r), mix(g), mix(b), 0xff}
}

// The palette of Okabe and Ito (2008), which readers with any common form of colour
// blindness can tell apart. Yellow and sky blue are left out: too light for lines on white.
var (
	Ink        = color.RGBA{0x1a, 0x1a, 0x1a, 0xff}
	Faint      = color.RGBA{0x70, 0x70, 0x70, 0xff} // text and lines that support; 5:1 on white
	GridColour = color.RGBA{0xe4, 0xe4, 0xe4, 0xff}
	Blue       = color.RGBA{0x00, 0x72, 0xb2, 0xff}
	Vermillion = color.RGBA{0xd5, 0x5e, 0x00, 0xff}
	Green      = color.RGBA{0x00, 0x9e, 0x73, 0xff}
	Purple     = color.RGBA{0xcc, 0x79, 0xa7, 0xff}
	Orange     = color.RGBA{0xe6, 0x9f, 0x00, 0xff}
	PaleBand   = color.RGBA{0xf1, 0xf0, 0xe4, 0xff}
	PaleBlue   = color.RGBA{0xd9, 0xea, 0xf4, 0xff}
	PaleRed    = color.RGBA{0xfb, 0xe6, 0xd8, 0xff}
)

// Type sizes in points. A figure is shown at about 130 pixels an inch, so 10 pt are some
// 14 pixels on a page and 9 on a narrow phone.
const (
	LabelSize = 11
	TickSize  = 9.5
	NoteSize  = 10
)

const PhoneWidth = 4.2 * vg.Inch // a phone shows it whole, and a tick label is 11 pixels tall there

// solid, dashed, dotted, … tell lines apart without colour.
var (
	solid   []vg.Length
	Dashed  = []vg.Length{6, 3.5}
	Dotted  = []vg.Length{1.4, 2.4}
	dashDot = []vg.Length{8, 2.5, 1.5, 2.5}
	long    = []vg.Length{12, 4}
)

func Line(c color.Color, width float64, dashes []vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: vg.Points(width), Dashes: dashes}
}

// SeriesStyle is how one series is drawn.
type SeriesStyle struct {
	Line draw.LineStyle
	Mark Mark
}

// Curve returns the path through places in this style.
func (s SeriesStyle) Curve(at []geom.Point) MarkedPath { return Marked(at, s.Line, s.Mark) }

// Styles are given to the series of a plot in order. Neighbours differ in colour, dash,
// marker, and in whether the marker is filled.
var Styles = []SeriesStyle{
	{Line(Blue, 1.6, solid), Mark{Disc, Blue, Blue, 2.9}},
	{Line(Vermillion, 1.6, Dashed), Mark{Square, color.White, Vermillion, 2.8}},
	{Line(Green, 1.6, Dotted), Mark{Triangle, Green, Green, 3.4}},
	{Line(Purple, 1.6, dashDot), Mark{Diamond, color.White, Purple, 3.4}},
	{Line(Orange, 1.6, long), Mark{Square, Orange, Orange, 2.6}},
	{Line(Ink, 1.6, Dashed), Mark{Triangle, color.White, Ink, 3.4}},
}

// PlaneStyles are styles for planes, without the colours of the classes.
var PlaneStyles = []SeriesStyle{
	{Line(Ink, 1.6, solid), Mark{Disc, Ink, Ink, 2.9}},
	{Line(Purple, 1.6, Dashed), Mark{Square, color.White, Purple, 2.8}},
	{Line(Faint, 1.6, Dotted), Mark{Triangle, Faint, Faint, 3.4}},
	{Line(Orange, 1.6, dashDot), Mark{Diamond, color.White, Orange, 3.4}},
	{Line(Ink, 1.6, long), Mark{Square, Ink, Ink, 2.6}},
	{Line(Green, 1.6, Dashed), Mark{Triangle, color.White, Green, 3.4}},
}

// The two classes: they differ in colour, shape and filling.
var (
	Positive = Mark{Disc, Blue, Blue, 3.2}
	Negative = Mark{Square, color.White, Vermillion, 2.9}
)

// Origin marks the origin by a small cross.
var Origin = Solid(Upright, Ink, 3.5).At(geom.Point{})

// Shape is the form of a [Mark].
type Shape int

const (
	Disc Shape = iota
	Square
	Triangle
	Diamond
	Saltire // ×
	Upright // +
)

// Mark is a glyph with a fill and an edge.
type Mark struct {
	Shape  Shape
	Fill   color.Color
	Edge   color.Color
	Radius vg.Length
}

// Solid returns a mark of one colour.
func Solid(s Shape, c color.Color, radius vg.Length) Mark { return Mark{s, c, c, radius} }

// Hollow returns a mark with an edge, white inside.
func Hollow(s Shape, c color.Color, radius vg.Length) Mark {
	return Mark{s, color.White, c, radius}
}

func (m Mark) Draw(c *draw.Canvas, at vg.Point) { m.paint(c, m.Outline(nil, at)) }

// Outline adds the mark's outline at a place to a path.
func (m Mark) Outline(path vg.Path, at vg.Point) vg.Path {
	r := m.Radius
	corner := func(dx, dy vg.Length) vg.Point { return vg.Point{X: at.X + dx*r, Y: at.Y + dy*r} }
	line := func(ps ...vg.Point) {
		path.Move(ps[0])
		for _, p := range ps[1:] {
			path.Line(p)
		}
	}
	switch m.Shape {
	case Disc:
		path.Move(corner(1, 0))
		path.Arc(at, r, 0, 2*math.Pi)
	case Square:
		line(corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1))
	case Triangle:
		line(corner(0, 1.1), corner(-1, -0.75), corner(1, -0.75))
	case Diamond:
		line(corner(0, 1.2), corner(-1.1, 0), corner(0, -1.2), corner(1.1, 0))
	case Saltire:
		line(corner(-1, -1), corner(1, 1))
		line(corner(-1, 1), corner(1, -1))
	case Upright:
		line(corner(-1.2, 0), corner(1.2, 0))
		line(corner(0, -1.2), corner(0, 1.2))
	}
	if m.closed() {
		path.Close()
	}
	return path
}

func (m Mark) closed() bool { return m.Shape != Saltire && m.Shape != Upright }

// paint fills and strokes an outline, or the outlines of many marks.
func (m Mark) paint(c *draw.Canvas, path vg.Path) {
	c.SetLineStyle(Line(m.Edge, 1.2, nil))
	if m.closed() {
		c.SetColor(m.Fill)
		c.Fill(path)
		c.SetColor(m.Edge)
	}
	c.Stroke(path)
}

// NewPlot returns an empty plot in the theme, with a light grid.
func NewPlot(x, y string) *plot.Plot {
	p := plot.New()
	p.TextHandler = Math{}
	p.Title.TextStyle = TextStyle(NoteSize)
	p.Title.TextStyle.XAlign, p.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
	p.Title.Padding = 3
	p.X.Label.Text, p.Y.Label.Text = x, y
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		keep, label := a.Tick.Label, TextStyle(TickSize)
		label.XAlign, label.YAlign = keep.XAlign, keep.YAlign
		a.Tick.Label = label
		keep, label = a.Label.TextStyle, TextStyle(LabelSize)
		label.XAlign, label.YAlign = keep.XAlign, keep.YAlign
		a.Label.TextStyle = label
		a.Label.Padding = 3
		a.LineStyle = Line(Faint, 0.8, nil)
		a.Tick.LineStyle = Line(Faint, 0.8, nil)
		a.Tick.Length = 4
		a.Tick.Marker = ticks{}
		a.Padding = 0
	}
	p.Add(&plotter.Grid{Vertical: Line(GridColour, 0.7, nil),
		Horizontal: Line(GridColour, 0.7, nil)})
	return p
}

// Bare takes the axes' numbers away: for small panels that share one scale.
func Bare(p *plot.Plot) *plot.Plot {
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Tick.Marker = plot.ConstantTicks(nil)
		a.Label.Text = ""
	}
	return p
}

// Show sets the range of both axes.
func Show(p *plot.Plot, b geom.Box) {
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = b.XMin, b.XMax, b.YMin, b.YMax
}

// Shown returns the range of both axes.
func Shown(p *plot.Plot) geom.Box { return geom.Rect(p.X.Min, p.X.Max, p.Y.Min, p.Y.Max) }
