package pen

import (
	"image/color"
	"math"

	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Entry explains one kind of mark in the legend.
type Entry struct {
	Name string
	Mark plot.Thumbnailer
}

// Legend lists the entries of a figure.
type Legend []Entry

// Add appends an entry.
func (l *Legend) Add(name string, mark plot.Thumbnailer) { *l = append(*l, Entry{name, mark}) }

// With returns the legend with one more entry.
func (l Legend) With(name string, mark plot.Thumbnailer) Legend { return append(l, Entry{name, mark}) }

// The plotters of this package. Those that draw planes ask the plot for its range when they
// are drawn: only then is it known how far a line reaches.

// CanvasPoint returns where p lands on the canvas.
func CanvasPoint(c *draw.Canvas, p *plot.Plot, at geom.Point) vg.Point {
	return vg.Point{X: c.X(p.X.Norm(at.X)), Y: c.Y(p.Y.Norm(at.Y))}
}

// Corners returns the corners of the rectangle from lo to hi.
func Corners(lo, hi vg.Point) []vg.Point {
	return []vg.Point{lo, {X: hi.X, Y: lo.Y}, hi, {X: lo.X, Y: hi.Y}}
}

// Marks draws one mark at each place.
type Marks struct {
	At   []geom.Point
	Mark Mark
}

// At returns the mark at some places.
func (m Mark) At(places ...geom.Point) Marks { return Marks{places, m} }

// crowd is from how many marks on they are filled first and their edges drawn then: it shows where
// some overlap.
const crowd = 60

func (m Marks) Plot(c draw.Canvas, p *plot.Plot) {
	var all vg.Path // of a crowd: a page shows one shape sooner than hundreds
	for _, at := range m.At {
		switch q := CanvasPoint(&c, p, at); {
		case !c.Contains(q):
		case len(m.At) > crowd:
			all = m.Mark.Outline(all, q)
		default:
			m.Mark.Draw(&c, q)
		}
	}
	if all != nil {
		m.Mark.paint(&c, all)
	}
}

func (m Marks) Thumbnail(c *draw.Canvas) { m.Mark.Draw(c, c.Center()) }

// Path joins places by straight lines.
type Path struct {
	At    []geom.Point
	Style draw.LineStyle
}

// Join returns the path through places.
func Join(at []geom.Point, style draw.LineStyle) Path { return Path{at, style} }

func (l Path) Plot(c draw.Canvas, p *plot.Plot) {
	ps := make([]vg.Point, len(l.At))
	for i, at := range l.At {
		ps[i] = CanvasPoint(&c, p, at)
	}
	if len(ps) > 1 {
		c.StrokeLines(l.Style, c.ClipLinesXY(ps)...)
	}
}

func (l Path) Thumbnail(c *draw.Canvas) { StrokeAcross(c, l.Style) }

// MarkedPath is a path with marks on it.
type MarkedPath struct {
	Path
	Mark Mark
}

// Marked returns the path through places, with marks on it.
func Marked(at []geom.Point, style draw.LineStyle, m Mark) MarkedPath {
	return MarkedPath{Path{at, style}, m}
}

// Dots returns the marks of some places of the path, at most limit.
func (m MarkedPath) Dots(limit int) Marks { return Marks{Some(m.At, limit), m.Mark} }

func (m MarkedPath) Plot(c draw.Canvas, p *plot.Plot) {
	m.Path.Plot(c, p)
	m.Mark.At(m.At...).Plot(c, p)
}

func (m MarkedPath) Thumbnail(c *draw.Canvas) {
	m.Path.Thumbnail(c)
	m.Mark.Draw(c, c.Center())
}

func StrokeAcross(c *draw.Canvas, style draw.LineStyle) {
	y := c.Center().Y
	c.StrokeLine2(style, c.Min.X, y, c.Max.X, y)
}

// PlaneLine draws a hyperplane of the plane: a line across the panel.
type PlaneLine struct {
	Plane svmkit.Hyperplane
	Style draw.LineStyle
}

// Plane returns the line of h.
func Plane(h svmkit.Hyperplane, style draw.LineStyle) PlaneLine { return PlaneLine{h, style} }

func (l PlaneLine) Plot(c draw.Canvas, p *plot.Plot) {
	if a, b, ok := geom.Visible(l.Plane, Shown(p)); ok {
		c.StrokeLines(l.Style, []vg.Point{CanvasPoint(&c, p, a), CanvasPoint(&c, p, b)})
	}
}

func (l PlaneLine) Thumbnail(c *draw.Canvas) { StrokeAcross(c, l.Style) }

// Area fills what polygon returns for the visible box.
type Area struct {
	Polygon func(geom.Box) []geom.Point
	Fill    color.Color
	Border  draw.LineStyle // width 0: no edge
}

// Filled returns the area of a polygon.
func Filled(corners []geom.Point, fill color.Color) Area {
	return Area{Polygon: func(geom.Box) []geom.Point { return corners }, Fill: fill}
}

// Column returns the area between two abscissas, as high as the plot.
func Column(from, to float64, fill color.Color) Area {
	return Area{Polygon: func(b geom.Box) []geom.Point {
		return geom.Rect(from, to, b.YMin, b.YMax).Corners()
	}, Fill: fill}
}

// Street returns the area of the points at most half from the line h.
func Street(h svmkit.Hyperplane, half float64) Area {
	return Area{Polygon: func(b geom.Box) []geom.Point { return geom.Band(h, half, b) },
		Fill: PaleBand}
}

func (a Area) Plot(c draw.Canvas, p *plot.Plot) {
	corners := a.Polygon(Shown(p))
	if len(corners) < 3 {
		return
	}
	ps := make([]vg.Point, len(corners))
	for i, q := range corners {
		ps[i] = CanvasPoint(&c, p, q)
	}
	c.FillPolygon(a.Fill, c.ClipPolygonXY(ps))
	if a.Border.Width > 0 {
		c.StrokeLines(a.Border, append(ps, ps[0]))
	}
}

func (a Area) Thumbnail(c *draw.Canvas) {
	corners := Corners(c.Min, c.Max)
	c.FillPolygon(a.Fill, corners)
	if a.Border.Width > 0 {
		c.StrokeLines(a.Border, append(corners, corners[0]))
	}
}

// Arrow draws a vector from one place to another.
type Arrow struct {
	From, To geom.Point
	Style    draw.LineStyle
}

func (a Arrow) Plot(c draw.Canvas, p *plot.Plot) {
	drawArrow(&c, a.Style, CanvasPoint(&c, p, a.From), CanvasPoint(&c, p, a.To))
}

func (a Arrow) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	drawArrow(c, a.Style, vg.Point{X: c.Min.X, Y: y}, vg.Point{X: c.Max.X, Y: y})
}

func drawArrow(c *draw.Canvas, style draw.LineStyle, from, to vg.Point) {
	dx, dy := float64(to.X-from.X), float64(to.Y-from.Y)
	length := math.Hypot(dx, dy)
	if !(length > 0.5) { // half a point: too short to have a direction
		return
	}
	ux, uy := vg.Length(dx/length), vg.Length(dy/length)
	head := vg.Length(min(7, 0.6*length))
	neck := vg.Point{X: to.X - head*ux, Y: to.Y - head*uy}
	style.Dashes = nil
	c.StrokeLines(style, []vg.Point{from, neck})
	side := 0.42 * head
	c.FillPolygon(style.Color, []vg.Point{to, {X: neck.X - side*uy, Y: neck.Y + side*ux},
		{X: neck.X + side*uy, Y: neck.Y - side*ux}})
}

// Along returns the ends of an arrow and of its equal steps, for labels to keep clear of.
func (a Arrow) Along(steps int) []geom.Point {
	ps := make([]geom.Point, steps+1)
	for i := range ps {
		t := float64(i) / float64(steps)
		ps[i] = geom.Between(a.From, a.To, t)
	}
	return ps
}

// Segments draws many separate lines.
type Segments struct {
	From, To []geom.Point
	Style    draw.LineStyle
}

// Segment returns a single one.
func Segment(from, to geom.Point, style draw.LineStyle) Segments {
	return Segments{[]geom.Point{from}, []geom.Point{to}, style}
}

// Add appends a line.
func (s *Segments) Add(from, to geom.Point) {
	s.From, s.To = append(s.From, from), append(s.To, to)
}

func (s Segments) Plot(c draw.Canvas, p *plot.Plot) {
	var all vg.Path
	for i := range s.From {
		for _, l := range c.ClipLinesXY([]vg.Point{CanvasPoint(&c, p, s.From[i]),
			CanvasPoint(&c, p, s.To[i])}) {
			all.Move(l[0])
			all.Line(l[1])
		}
	}
	c.SetLineStyle(s.Style)
	c.Stroke(all)
}

func (s Segments) Thumbnail(c *draw.Canvas) { StrokeAcross(c, s.Style) }

// Ring emphasises a place.
type Ring struct {
	At     geom.Point
	Radius vg.Length
	Style  draw.LineStyle
}

// RingAt returns a ring around a place.
func RingAt(at geom.Point, radius vg.Length, style draw.LineStyle) Ring {
	return Ring{at, radius, style}
}

func (r Ring) Plot(c draw.Canvas, p *plot.Plot) { r.draw(&c, CanvasPoint(&c, p, r.At)) }

func (r Ring) Thumbnail(c *draw.Canvas) {
	small := r
	small.Radius = min(r.Radius, 5)
	small.draw(c, c.Center())
}

func (r Ring) draw(c *draw.Canvas, at vg.Point) {
	c.SetLineStyle(r.Style)
	c.Stroke(Mark{Shape: Disc, Radius: r.Radius}.Outline(nil, at))
}

// Vertical is a line across the panel at one x.
type Vertical struct {
	X     float64
	Style draw.LineStyle
}

func (v Vertical) Plot(c draw.Canvas, p *plot.Plot) {
	if x := c.X(p.X.Norm(v.X)); c.ContainsX(x) {
		c.StrokeLine2(v.Style, x, c.Min.Y, x, c.Max.Y)
	}
}

func (v Vertical) Thumbnail(c *draw.Canvas) { StrokeAcross(c, v.Style) }

// Rings emphasises many places.
type Rings struct {
	At     []geom.Point
	Radius vg.Length // 0 means ringRadius
	Style  draw.LineStyle
}

const RingRadius = 6.5

func (r Rings) Plot(c draw.Canvas, p *plot.Plot) {
	if r.Radius == 0 {
		r.Radius = RingRadius
	}
	var all vg.Path
	for _, at := range r.At {
		if q := CanvasPoint(&c, p, at); c.Contains(q) {
			all = Mark{Shape: Disc, Radius: r.Radius}.Outline(all, q)
		}
	}
	c.SetLineStyle(r.Style)
	c.Stroke(all)
}

func (r Rings) Thumbnail(c *draw.Canvas) { Ring{Radius: 5, Style: r.Style}.draw(c, c.Center()) }

// LevelLines draws the lines on which f has each of some values. f is sampled over what the
// panel shows when it is drawn: only then is it known how far the panel reaches.
//
// gonum/plot's Contour is not used: it walks through maps, so the same lines come out in
// another order each time, and a figure's bytes must not change.
type LevelLines struct {
	F      func(x, y float64) float64
	Values []float64
	Style  draw.LineStyle
	First  bool // in the first quadrant alone
}

func (l LevelLines) Plot(c draw.Canvas, p *plot.Plot) {
	s := geom.Grid{F: l.F, Over: Shown(p)}
	if l.First {
		s.Over.XMin, s.Over.YMin = max(0, s.Over.XMin), max(0, s.Over.YMin)
	}
	z := s.Values()
	for _, v := range l.Values {
		for _, line := range s.LevelOf(z, v) {
			Path{line, l.Style}.Plot(c, p)
		}
	}
}

func (l LevelLines) Thumbnail(c *draw.Canvas) { StrokeAcross(c, l.Style) }

// MaxLevels is the largest number of level lines whose values fit next to each other.
const MaxLevels = 12
