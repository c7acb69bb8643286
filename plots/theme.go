package plots

import (
	"fmt"
	"image/color"
	"math"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The palette of Okabe and Ito (2008), which readers with any common form of colour
// blindness can tell apart. Yellow and sky blue are left out: too light for lines on white.
var (
	ink        = color.RGBA{0x1a, 0x1a, 0x1a, 0xff}
	faint      = color.RGBA{0x70, 0x70, 0x70, 0xff} // text and lines that support; 5:1 on white
	gridColour = color.RGBA{0xe4, 0xe4, 0xe4, 0xff}
	blue       = color.RGBA{0x00, 0x72, 0xb2, 0xff}
	vermillion = color.RGBA{0xd5, 0x5e, 0x00, 0xff}
	green      = color.RGBA{0x00, 0x9e, 0x73, 0xff}
	purple     = color.RGBA{0xcc, 0x79, 0xa7, 0xff}
	orange     = color.RGBA{0xe6, 0x9f, 0x00, 0xff}
	paleBand   = color.RGBA{0xf1, 0xf0, 0xe4, 0xff}
	paleBlue   = color.RGBA{0xd9, 0xea, 0xf4, 0xff}
	paleRed    = color.RGBA{0xfb, 0xe6, 0xd8, 0xff}
)

// Type sizes in points. A figure is shown at about 130 pixels an inch, so 10 pt are some
// 14 pixels on a page and 9 on a narrow phone.
const (
	labelSize = 11
	tickSize  = 9.5
	noteSize  = 10
)

const (
	defaultWidth  = 5.6 * vg.Inch
	defaultHeight = 3.8 * vg.Inch

	phoneWidth = 4.2 * vg.Inch // a phone shows it whole, and a tick label is 11 pixels tall there
)

// solid, dashed, dotted, … tell lines apart without colour.
var (
	solid   []vg.Length
	dashed  = []vg.Length{6, 3.5}
	dotted  = []vg.Length{1.4, 2.4}
	dashDot = []vg.Length{8, 2.5, 1.5, 2.5}
	long    = []vg.Length{12, 4}
)

func line(c color.Color, width float64, dashes []vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: vg.Points(width), Dashes: dashes}
}

// seriesStyle is how one series is drawn.
type seriesStyle struct {
	line draw.LineStyle
	mark mark
}

// styles are given to the series of a plot in order. Neighbours differ in colour, dash,
// marker, and in whether the marker is filled.
var styles = []seriesStyle{
	{line(blue, 1.6, solid), mark{disc, blue, blue, 2.9}},
	{line(vermillion, 1.6, dashed), mark{square, color.White, vermillion, 2.8}},
	{line(green, 1.6, dotted), mark{triangle, green, green, 3.4}},
	{line(purple, 1.6, dashDot), mark{diamond, color.White, purple, 3.4}},
	{line(orange, 1.6, long), mark{square, orange, orange, 2.6}},
	{line(ink, 1.6, dashed), mark{triangle, color.White, ink, 3.4}},
}

// planeStyles are styles for planes, without the colours of the classes.
var planeStyles = []seriesStyle{
	{line(ink, 1.6, solid), mark{disc, ink, ink, 2.9}},
	{line(purple, 1.6, dashed), mark{square, color.White, purple, 2.8}},
	{line(faint, 1.6, dotted), mark{triangle, faint, faint, 3.4}},
	{line(orange, 1.6, dashDot), mark{diamond, color.White, orange, 3.4}},
	{line(ink, 1.6, long), mark{square, ink, ink, 2.6}},
	{line(green, 1.6, dashed), mark{triangle, color.White, green, 3.4}},
}

// checkStyles refuses a plot without series, and one with more series than styles.
func checkStyles(name string, n int, noun string) error {
	if n == 0 || n > len(styles) {
		return &svmkit.ParamError{Name: name, Value: plural(n, noun), Need: fmt.Sprintf("must be 1 to %d: more cannot be told apart", len(styles))}
	}
	return nil
}

// The two classes: they differ in colour, shape and filling.
var (
	positive = mark{disc, blue, blue, 3.2}
	negative = mark{square, color.White, vermillion, 2.9}
)

type shape int

const (
	disc shape = iota
	square
	triangle
	diamond
	saltire // ×
	upright // +
)

// mark is a glyph with a fill and an edge.
type mark struct {
	shape  shape
	fill   color.Color
	edge   color.Color
	radius vg.Length
}

func (m mark) draw(c *draw.Canvas, at vg.Point) { m.paint(c, m.outline(nil, at)) }

// outline adds the mark's outline at a place to a path.
func (m mark) outline(path vg.Path, at vg.Point) vg.Path {
	r := m.radius
	corner := func(dx, dy vg.Length) vg.Point { return vg.Point{X: at.X + dx*r, Y: at.Y + dy*r} }
	line := func(ps ...vg.Point) {
		path.Move(ps[0])
		for _, p := range ps[1:] {
			path.Line(p)
		}
	}
	switch m.shape {
	case disc:
		path.Move(corner(1, 0))
		path.Arc(at, r, 0, 2*math.Pi)
	case square:
		line(corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1))
	case triangle:
		line(corner(0, 1.1), corner(-1, -0.75), corner(1, -0.75))
	case diamond:
		line(corner(0, 1.2), corner(-1.1, 0), corner(0, -1.2), corner(1.1, 0))
	case saltire:
		line(corner(-1, -1), corner(1, 1))
		line(corner(-1, 1), corner(1, -1))
	case upright:
		line(corner(-1.2, 0), corner(1.2, 0))
		line(corner(0, -1.2), corner(0, 1.2))
	}
	if m.closed() {
		path.Close()
	}
	return path
}

func (m mark) closed() bool { return m.shape != saltire && m.shape != upright }

// paint fills and strokes an outline, or those of many marks.
func (m mark) paint(c *draw.Canvas, path vg.Path) {
	c.SetLineStyle(line(m.edge, 1.2, nil))
	if m.closed() {
		c.SetColor(m.fill)
		c.Fill(path)
		c.SetColor(m.edge)
	}
	c.Stroke(path)
}

// newPlot returns an empty plot in the theme, with a light grid.
func newPlot(x, y string) *plot.Plot {
	p := plot.New()
	p.TextHandler = Math{}
	p.Title.TextStyle = textStyle(noteSize)
	p.Title.TextStyle.XAlign, p.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
	p.Title.Padding = 3
	p.X.Label.Text, p.Y.Label.Text = x, y
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		keep, label := a.Tick.Label, textStyle(tickSize)
		label.XAlign, label.YAlign = keep.XAlign, keep.YAlign
		a.Tick.Label = label
		keep, label = a.Label.TextStyle, textStyle(labelSize)
		label.XAlign, label.YAlign = keep.XAlign, keep.YAlign
		a.Label.TextStyle = label
		a.Label.Padding = 3
		a.LineStyle = line(faint, 0.8, nil)
		a.Tick.LineStyle = line(faint, 0.8, nil)
		a.Tick.Length = 4
		a.Tick.Marker = ticks{}
		a.Padding = 0
	}
	p.Add(&plotter.Grid{Vertical: line(gridColour, 0.7, nil), Horizontal: line(gridColour, 0.7, nil)})
	return p
}

// bare takes the axes' numbers away: for small panels that share one scale.
func bare(p *plot.Plot) *plot.Plot {
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Tick.Marker = plot.ConstantTicks(nil)
		a.Label.Text = ""
	}
	return p
}

// show sets the range of both axes.
func show(p *plot.Plot, b box) {
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = b.xmin, b.xmax, b.ymin, b.ymax
}

// shown returns the range of both axes.
func shown(p *plot.Plot) box { return box{p.X.Min, p.X.Max, p.Y.Min, p.Y.Max} }

// dashNames say how the lines of styles are dashed.
var dashNames = [...]string{"solid", "dashed", "dotted", "dashes and dots", "long dashes", "black dashes"}
