package plots

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// shade is a scale of colours for values from lo to hi.
type shade struct {
	lo, hi float64
	stops  []color.RGBA
}

// sequential runs from white to dark blue; diverging from dark vermillion through white, which
// is zero, to dark blue, so there lo must be −hi. Their lightness falls steadily away from
// white: grey print keeps the size of a value, and loses of a diverging scale only the sign.
var (
	sequential = []color.RGBA{{0xff, 0xff, 0xff, 0xff}, {0x8f, 0xc1, 0xe0, 0xff}, {0x00, 0x72, 0xb2, 0xff}, {0x00, 0x25, 0x46, 0xff}}
	diverging  = []color.RGBA{{0x7a, 0x2f, 0x00, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0xff, 0xff, 0xff, 0xff}, {0x00, 0x72, 0xb2, 0xff}, {0x00, 0x31, 0x5c, 0xff}}
)

// shadeSteps is how many colours a scale has: a PNG keeps 256, and text needs some.
const shadeSteps = 60

// colour returns the colour of v.
func (s shade) colour(v float64) color.RGBA {
	t := 0.0
	if s.hi > s.lo {
		t = min(max((v-s.lo)/(s.hi-s.lo), 0), 1)
	}
	t = math.Round(t*shadeSteps) / shadeSteps * float64(len(s.stops)-1)
	k := min(int(t), len(s.stops)-2)
	a, b, u := s.stops[k], s.stops[k+1], t-float64(k)
	mix := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + u*(float64(y)-float64(x)))) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

// inkOn returns black or white, whichever stands out from c more.
func inkOn(c color.RGBA) color.Color {
	if 0.299*float64(c.R)+0.587*float64(c.G)+0.114*float64(c.B) > 140 {
		return ink
	}
	return color.White
}

// heat draws a matrix as cells of one unit, the first row on top.
type heat struct {
	rows, columns int
	value         func(r, c int) float64
	shade         shade
}

// A matrix of more than maxCells is drawn as one image, with about heatPixels pixels along its
// longer side: an SVG with a polygon a cell would have megabytes. Browsers keep the form of
// an image, so its cells must be squares: the figure needs equal units then.
const (
	maxCells   = 900
	heatPixels = 720
)

func (h heat) Plot(c draw.Canvas, p *plot.Plot) {
	if h.rows*h.columns <= maxCells {
		h.plotCells(c, p)
		return
	}
	side := max(1, heatPixels/max(h.rows, h.columns))
	img := image.NewRGBA(image.Rect(0, 0, side*h.columns, side*h.rows))
	for r := range h.rows {
		for k := range h.columns {
			fill := h.shade.colour(h.value(r, k))
			for y := side * r; y < side*(r+1); y++ {
				for x := side * k; x < side*(k+1); x++ {
					img.SetRGBA(x, y, fill)
				}
			}
		}
	}
	c.DrawImage(vg.Rectangle{
		Min: canvasPoint(&c, p, point{}),
		Max: canvasPoint(&c, p, point{X: float64(h.columns), Y: float64(h.rows)})}, img)
}

// plotCells draws a polygon a cell. Each reaches half a point under its neighbours on the right
// and below, which are drawn later, so that no gaps show between them.
func (h heat) plotCells(c draw.Canvas, p *plot.Plot) {
	for r := range h.rows {
		for k := range h.columns {
			lo := canvasPoint(&c, p, point{X: float64(k), Y: float64(h.rows - r - 1)})
			hi := canvasPoint(&c, p, point{X: float64(k + 1), Y: float64(h.rows - r)})
			if k+1 < h.columns {
				hi.X += 0.5
			}
			if r+1 < h.rows {
				lo.Y -= 0.5
			}
			c.FillPolygon(h.shade.colour(h.value(r, k)), []vg.Point{lo, {X: hi.X, Y: lo.Y}, hi, {X: lo.X, Y: hi.Y}})
		}
	}
}

// colourBar explains a shade: a strip of the given place with the numbers of its ends and its
// middle on the right.
type colourBar struct {
	shade shade
	place box
}

func (b colourBar) Plot(c draw.Canvas, p *plot.Plot) {
	at := func(x, t float64) vg.Point {
		return canvasPoint(&c, p, point{X: x, Y: b.place.ymin + t*(b.place.ymax-b.place.ymin)})
	}
	for k := range shadeSteps { // from the top down: each covers the seam of the one before
		t := float64(shadeSteps-k) / shadeSteps
		lo, hi := at(b.place.xmin, 0), at(b.place.xmax, t)
		c.FillPolygon(b.shade.colour(b.shade.lo+(t-0.5/shadeSteps)*(b.shade.hi-b.shade.lo)), []vg.Point{lo, {X: hi.X, Y: lo.Y}, hi, {X: lo.X, Y: hi.Y}})
	}
	lo, hi := at(b.place.xmin, 0), at(b.place.xmax, 1)
	c.StrokeLines(line(faint, 0.8, nil), []vg.Point{lo, {X: hi.X, Y: lo.Y}, hi, {X: lo.X, Y: hi.Y}, lo})
	sty := textStyle(tickSize)
	sty.YAlign = draw.YCenter
	for _, t := range []float64{0, 0.5, 1} {
		q := at(b.place.xmax, t)
		c.FillText(sty, vg.Point{X: q.X + 4, Y: q.Y + sty.FontExtents().Descent/2}, num(roughly(b.shade.lo+t*(b.shade.hi-b.shade.lo))))
	}
}

// roughly rounds to three significant digits, for the few places where four are too wide.
func roughly(v float64) float64 { return significant(v, 3) }

// significant rounds to a number of significant digits.
func significant(v float64, digits int) float64 {
	if v == 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(v)))-float64(digits-1))
	if unit == 0 {
		return 0
	}
	return math.Round(v/unit) * unit
}

// matrixPlot returns an empty plot for a matrix: no grid and no axes' lines, named groups of
// rows and columns in the place of numbers.
func matrixPlot(x, y string, columns, rows []plot.Tick) *plot.Plot {
	p := newPlot(x, y)
	p.X.LineStyle.Width, p.Y.LineStyle.Width = 0, 0
	p.X.Tick.Length, p.Y.Tick.Length = 0, 0
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.ConstantTicks(columns), plot.ConstantTicks(rows)
	p.Add(area{func(b box) []point { return b.corners() }, color.White, draw.LineStyle{}}) // over the grid
	return p
}

// matrixSize returns the size of a figure in which the cells of a matrix plot fill the panel and, with
// the given lengths of its sides, have the wanted form beside the names on the left.
func matrixSize(p *plot.Plot, width, height vg.Length) (w, h vg.Length) {
	longest := vg.Length(0)
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		longest = max(longest, p.Y.Tick.Label.Width(t.Label))
	}
	label := p.Y.Label.TextStyle.Height(p.Y.Label.Text) + p.Y.Label.Padding
	return width + longest + label + 20, height + p.X.Tick.Label.Height("1") + label + 18
}

// cellLines draws the borders of the cells of a matrix.
type cellLines struct{ rows, columns int }

func (l cellLines) Plot(c draw.Canvas, p *plot.Plot) {
	s := segments{style: line(gridColour, 0.7, nil)}
	for r := range l.rows + 1 {
		s.from, s.to = append(s.from, point{Y: float64(r)}), append(s.to, point{X: float64(l.columns), Y: float64(r)})
	}
	for k := range l.columns + 1 {
		s.from, s.to = append(s.from, point{X: float64(k)}), append(s.to, point{X: float64(k), Y: float64(l.rows)})
	}
	s.Plot(c, p)
}
