package pen

import (
	"image"
	"image/color"
	"math"

	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/prose"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Shade is a scale of colours for values from lo to hi.
type Shade struct {
	Lo, Hi float64
	Stops  []color.RGBA
}

// Sequential runs from white to dark blue; diverging from dark vermillion through white, which
// is zero, to dark blue, so there lo must be −hi. Their lightness falls steadily away from
// white: grey print keeps the size of a value, and loses of a diverging scale only the sign.
var (
	Sequential = []color.RGBA{{0xff, 0xff, 0xff, 0xff}, {0x8f, 0xc1, 0xe0, 0xff},
		{0x00, 0x72, 0xb2, 0xff}, {0x00, 0x25, 0x46, 0xff}}
	Diverging = []color.RGBA{{0x7a, 0x2f, 0x00, 0xff}, {0xd5, 0x5e, 0x00, 0xff},
		{0xff, 0xff, 0xff, 0xff}, {0x00, 0x72, 0xb2, 0xff}, {0x00, 0x31, 0x5c, 0xff}}
)

// ShadeSteps is how many colours a scale has: a PNG keeps 256, and text needs some.
const ShadeSteps = 60

// Colour returns the colour of v.
func (s Shade) Colour(v float64) color.RGBA {
	t := 0.0
	if s.Hi > s.Lo {
		t = min(max((v-s.Lo)/(s.Hi-s.Lo), 0), 1)
	}
	t = math.Round(t*ShadeSteps) / ShadeSteps * float64(len(s.Stops)-1)
	k := min(int(t), len(s.Stops)-2)
	a, b, u := s.Stops[k], s.Stops[k+1], t-float64(k)
	mix := func(x, y uint8) uint8 {
		return uint8(math.Round(float64(x) + u*(float64(y)-float64(x))))
	}
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

// Heat draws a matrix as cells of one unit, the first row on top.
type Heat struct {
	Rows, Columns int
	Value         func(r, c int) float64
	Shade         Shade
}

// A matrix of more than maxCells is drawn as one image, with about heatPixels pixels along its
// longer side: an SVG with one polygon per cell would have megabytes. Browsers keep the form of
// an image, so its cells must be squares: the figure needs equal units then.
const (
	maxCells   = 900
	heatPixels = 720
)

func (h Heat) Plot(c draw.Canvas, p *plot.Plot) {
	if h.Rows*h.Columns <= maxCells {
		h.plotCells(c, p)
		return
	}
	side := max(1, heatPixels/max(h.Rows, h.Columns))
	img := image.NewRGBA(image.Rect(0, 0, side*h.Columns, side*h.Rows))
	for r := range h.Rows {
		for k := range h.Columns {
			fill := h.Shade.Colour(h.Value(r, k))
			for y := side * r; y < side*(r+1); y++ {
				for x := side * k; x < side*(k+1); x++ {
					img.SetRGBA(x, y, fill)
				}
			}
		}
	}
	c.DrawImage(vg.Rectangle{Min: CanvasPoint(&c, p, geom.Point{}),
		Max: CanvasPoint(&c, p, geom.Pt(float64(h.Columns), float64(h.Rows)))}, img)
}

// plotCells draws one polygon per cell. Each reaches half a point under its neighbours on the right
// and below, which are drawn later, so that no gaps show between them.
func (h Heat) plotCells(c draw.Canvas, p *plot.Plot) {
	for r := range h.Rows {
		for k := range h.Columns {
			lo := CanvasPoint(&c, p, geom.Pt(float64(k), float64(h.Rows-r-1)))
			hi := CanvasPoint(&c, p, geom.Pt(float64(k+1), float64(h.Rows-r)))
			if k+1 < h.Columns {
				hi.X += 0.5
			}
			if r+1 < h.Rows {
				lo.Y -= 0.5
			}
			c.FillPolygon(h.Shade.Colour(h.Value(r, k)), Corners(lo, hi))
		}
	}
}

// MatrixPlot returns an empty plot for a matrix: no grid and no axes' lines, named groups of
// rows and columns in the place of numbers.
func MatrixPlot(x, y string, columns, rows []plot.Tick) *plot.Plot {
	p := NewPlot(x, y)
	p.X.LineStyle.Width, p.Y.LineStyle.Width = 0, 0
	p.X.Tick.Length, p.Y.Tick.Length = 0, 0
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.ConstantTicks(columns), plot.ConstantTicks(rows)
	// over the grid
	p.Add(Area{func(b geom.Box) []geom.Point { return b.Corners() }, color.White, draw.LineStyle{}})
	return p
}

// MatrixSize returns the size of a figure in which the cells of a matrix plot fill the panel and,
// with the given lengths of its sides, have the wanted form next to the names on the left.
func MatrixSize(p *plot.Plot, width, height vg.Length) (w, h vg.Length) {
	longest := vg.Length(0)
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		longest = max(longest, p.Y.Tick.Label.Width(t.Label))
	}
	label := p.Y.Label.TextStyle.Height(p.Y.Label.Text) + p.Y.Label.Padding
	return width + longest + label + 20, height + p.X.Tick.Label.Height("1") + label + 18
}

// CellLines draws the borders of the cells of a matrix.
type CellLines struct{ Rows, Columns int }

func (l CellLines) Plot(c draw.Canvas, p *plot.Plot) {
	s := Segments{Style: Line(GridColour, 0.7, nil)}
	for r := range l.Rows + 1 {
		s.Add(geom.Point{Y: float64(r)}, geom.Pt(float64(l.Columns), float64(r)))
	}
	for k := range l.Columns + 1 {
		s.Add(geom.Point{X: float64(k)}, geom.Pt(float64(k), float64(l.Rows)))
	}
	s.Plot(c, p)
}

// PairPlot draws a cell for each pair of C, to the right, and γ, upwards, in the shade of its
// value.
func PairPlot(costs, gammas []float64, s Shade, value func(i, j int) float64) *plot.Plot {
	columns, rows := len(costs), len(gammas)
	var bottom, side []plot.Tick
	for i, name := range shortNames(costs) {
		bottom = append(bottom, plot.Tick{Value: float64(i) + 0.5, Label: name})
	}
	for j, name := range shortNames(gammas) {
		side = append(side, plot.Tick{Value: float64(j) + 0.5, Label: name})
	}
	p := MatrixPlot("cost $C$", `$\gamma$`, bottom, side)
	Show(p, geom.Rect(0, float64(columns), 0, float64(rows)))
	p.Add(Heat{Rows: rows, Columns: columns, Value: func(r, c int) float64 {
		return value(c, rows-1-r)
	}, Shade: s}, CellLines{Rows: rows, Columns: columns})
	return p
}

// PairSize returns the size of a figure of [PairPlot] with so many rows.
func PairSize(p *plot.Plot, rows int) (width, height vg.Length) {
	return MatrixSize(p, PhoneWidth-0.7*vg.Inch, vg.Length(rows)*0.42*vg.Inch)
}

// Frames returns the frames of some cells of PairPlot, inside of them by a margin.
func Frames(columns, rows int, margin float64, style draw.LineStyle,
	framed func(i, j int) bool) Segments {
	s := Segments{Style: style}
	for i := range columns {
		for j := range rows {
			if !framed(i, j) {
				continue
			}
			ps := geom.Rect(float64(i)+margin,
				float64(i)+1-margin, float64(j)+margin, float64(j)+1-margin).Corners()
			for k := range ps {
				s.Add(ps[k], ps[(k+1)%4])
			}
		}
	}
	return s
}

// shortNames writes numbers for the narrow ticks of one axis: all as powers of ten if they are and
// one of them has more than four decimals or five digits, else all as decimal numbers.
func shortNames(values []float64) []string {
	var decimals, powers []string
	long := false
	for _, v := range values {
		decimals = append(decimals, prose.Num(prose.Roughly(v)))
		if e := math.Log10(v); math.Abs(e-math.Round(e)) < 1e-9 {
			powers, long = append(powers, "$"+prose.Power(math.Pow(10, math.Round(e)))+"$"),
				long || e < -4.5 || e > 4.5
		}
	}
	if long && len(powers) == len(values) {
		return powers
	}
	return decimals
}

// PairTexts writes one text over another into each cell of PairPlot.
type PairTexts struct {
	Columns, Rows int
	At            func(i, j int) (upper, lower string)
}

func (t PairTexts) Plot(c draw.Canvas, p *plot.Plot) {
	sty := TextStyle(TickSize)
	sty.XAlign, sty.YAlign = draw.XCenter, draw.YCenter
	for i := range t.Columns {
		for j := range t.Rows {
			upper, lower := t.At(i, j)
			middle := CanvasPoint(&c, p, geom.Pt(float64(i)+0.5, float64(j)+0.5))
			c.FillText(sty, vg.Point{X: middle.X, Y: middle.Y + 7.5}, upper)
			c.FillText(sty, vg.Point{X: middle.X, Y: middle.Y - 4}, lower)
		}
	}
}
