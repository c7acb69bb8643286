package pen

import (
	"math"

	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/prose"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

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
	Show(p, geom.Box{XMin: 0, XMax: float64(columns), YMin: 0, YMax: float64(rows)})
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
			ps := geom.Box{XMin: float64(i) + margin, XMax: float64(i) + 1 - margin,
				YMin: float64(j) + margin, YMax: float64(j) + 1 - margin}.Corners()
			for k := range ps {
				s.From, s.To = append(s.From, ps[k]), append(s.To, ps[(k+1)%4])
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
