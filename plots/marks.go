package plots

import (
	"image/color"
	"math"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The plotters of this package. Those that draw planes ask the plot for its range when they
// are drawn: only then is it known how far a line reaches.

// canvasPoint returns where p lands on the canvas.
func canvasPoint(c *draw.Canvas, p *plot.Plot, at point) vg.Point {
	return vg.Point{X: c.X(p.X.Norm(at.X)), Y: c.Y(p.Y.Norm(at.Y))}
}

// marks draws one mark at each place.
type marks struct {
	at   []point
	mark mark
}

// crowd is from how many marks on they are filled first and their edges drawn then: it shows where some overlap.
const crowd = 60

func (m marks) Plot(c draw.Canvas, p *plot.Plot) {
	var all vg.Path // of a crowd: a page shows one shape sooner than hundreds
	for _, at := range m.at {
		switch q := canvasPoint(&c, p, at); {
		case !c.Contains(q):
		case len(m.at) > crowd:
			all = m.mark.outline(all, q)
		default:
			m.mark.draw(&c, q)
		}
	}
	if all != nil {
		m.mark.paint(&c, all)
	}
}

func (m marks) Thumbnail(c *draw.Canvas) { m.mark.draw(c, c.Center()) }

// path joins places by straight lines.
type path struct {
	at    []point
	style draw.LineStyle
}

func (l path) Plot(c draw.Canvas, p *plot.Plot) {
	ps := make([]vg.Point, len(l.at))
	for i, at := range l.at {
		ps[i] = canvasPoint(&c, p, at)
	}
	if len(ps) > 1 {
		c.StrokeLines(l.style, c.ClipLinesXY(ps)...)
	}
}

func (l path) Thumbnail(c *draw.Canvas) { strokeAcross(c, l.style) }

// marked is a path with marks on it, for legends.
type marked struct {
	path
	mark mark
}

func (m marked) Thumbnail(c *draw.Canvas) {
	m.path.Thumbnail(c)
	m.mark.draw(c, c.Center())
}

func strokeAcross(c *draw.Canvas, style draw.LineStyle) {
	y := c.Center().Y
	c.StrokeLine2(style, c.Min.X, y, c.Max.X, y)
}

// planeLine draws a hyperplane of the plane: a line across the panel.
type planeLine struct {
	h     svmkit.Hyperplane
	style draw.LineStyle
}

func (l planeLine) Plot(c draw.Canvas, p *plot.Plot) {
	if a, b, ok := visible(l.h, shown(p)); ok {
		c.StrokeLines(l.style, []vg.Point{canvasPoint(&c, p, a), canvasPoint(&c, p, b)})
	}
}

func (l planeLine) Thumbnail(c *draw.Canvas) { strokeAcross(c, l.style) }

// area fills what polygon returns for the visible box.
type area struct {
	polygon func(box) []point
	fill    color.Color
	edge    draw.LineStyle // width 0: no edge
}

func (a area) Plot(c draw.Canvas, p *plot.Plot) {
	corners := a.polygon(shown(p))
	if len(corners) < 3 {
		return
	}
	ps := make([]vg.Point, len(corners))
	for i, q := range corners {
		ps[i] = canvasPoint(&c, p, q)
	}
	c.FillPolygon(a.fill, c.ClipPolygonXY(ps))
	if a.edge.Width > 0 {
		c.StrokeLines(a.edge, append(ps, ps[0]))
	}
}

func (a area) Thumbnail(c *draw.Canvas) {
	corners := []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}}
	c.FillPolygon(a.fill, corners)
	if a.edge.Width > 0 {
		c.StrokeLines(a.edge, append(corners, corners[0]))
	}
}

// arrow draws a vector from one place to another.
type arrow struct {
	from, to point
	style    draw.LineStyle
}

func (a arrow) Plot(c draw.Canvas, p *plot.Plot) {
	drawArrow(&c, a.style, canvasPoint(&c, p, a.from), canvasPoint(&c, p, a.to))
}

func (a arrow) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	drawArrow(c, a.style, vg.Point{X: c.Min.X, Y: y}, vg.Point{X: c.Max.X, Y: y})
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
	c.FillPolygon(style.Color, []vg.Point{to, {X: neck.X - side*uy, Y: neck.Y + side*ux}, {X: neck.X + side*uy, Y: neck.Y - side*ux}})
}

// along returns the ends of an arrow and of its equal steps, for labels to keep clear of.
func (a arrow) along(steps int) []point {
	ps := make([]point, steps+1)
	for i := range ps {
		t := float64(i) / float64(steps)
		ps[i] = point{X: a.from.X + t*(a.to.X-a.from.X), Y: a.from.Y + t*(a.to.Y-a.from.Y)}
	}
	return ps
}

// segments draws many separate lines.
type segments struct {
	from, to []point
	style    draw.LineStyle
}

func (s segments) Plot(c draw.Canvas, p *plot.Plot) {
	var all vg.Path
	for i := range s.from {
		for _, l := range c.ClipLinesXY([]vg.Point{canvasPoint(&c, p, s.from[i]), canvasPoint(&c, p, s.to[i])}) {
			all.Move(l[0])
			all.Line(l[1])
		}
	}
	c.SetLineStyle(s.style)
	c.Stroke(all)
}

func (s segments) Thumbnail(c *draw.Canvas) { strokeAcross(c, s.style) }

// ring emphasises a place.
type ring struct {
	at     point
	radius vg.Length
	style  draw.LineStyle
}

func (r ring) Plot(c draw.Canvas, p *plot.Plot) { r.draw(&c, canvasPoint(&c, p, r.at)) }

func (r ring) Thumbnail(c *draw.Canvas) {
	small := r
	small.radius = min(r.radius, 5)
	small.draw(c, c.Center())
}

func (r ring) draw(c *draw.Canvas, at vg.Point) {
	c.SetLineStyle(r.style)
	c.Stroke(mark{shape: disc, radius: r.radius}.outline(nil, at))
}

// vertical is a line across the panel at one x.
type vertical struct {
	x     float64
	style draw.LineStyle
}

func (v vertical) Plot(c draw.Canvas, p *plot.Plot) {
	if x := c.X(p.X.Norm(v.x)); c.ContainsX(x) {
		c.StrokeLine2(v.style, x, c.Min.Y, x, c.Max.Y)
	}
}

func (v vertical) Thumbnail(c *draw.Canvas) { strokeAcross(c, v.style) }

// rings emphasises many places.
type rings struct {
	at     []point
	radius vg.Length // 0 means ringRadius
	style  draw.LineStyle
}

const ringRadius = 6.5

func (r rings) Plot(c draw.Canvas, p *plot.Plot) {
	if r.radius == 0 {
		r.radius = ringRadius
	}
	var all vg.Path
	for _, at := range r.at {
		if q := canvasPoint(&c, p, at); c.Contains(q) {
			all = mark{shape: disc, radius: r.radius}.outline(all, q)
		}
	}
	c.SetLineStyle(r.style)
	c.Stroke(all)
}

func (r rings) Thumbnail(c *draw.Canvas) { ring{radius: 5, style: r.style}.draw(c, c.Center()) }
