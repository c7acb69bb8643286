package plots

import (
	"cmp"
	"fmt"
	"math"

	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// CostGamma is what a grid over the cost C and a kernel's γ gave: an error rate in [0, 1] and a
// number of support vectors for each pair; entry [i][j] is that of C[i] and Gamma[j].
type CostGamma struct {
	C, Gamma []float64 // positive and rising, 2 to 8 of each
	Error    [][]float64
	Support  [][]int
}

// CostGammaMap draws the grid: C to the right, γ upwards, a cell a pair. The darker a cell, the larger the
// error rate, which stands in it as a percentage, over the number of support vectors. The least errors are framed.
func CostGammaMap(g CostGamma) (*Figure, error) {
	if err := g.validate(); err != nil {
		return nil, err
	}
	best, worst := g.ends()
	// The scale ends well above the worst error, so that black text is legible on every cell.
	p := costGammaPlot(g.C, g.Gamma, pen.Shade{Lo: 0, Hi: 2.2 * max(worst, 1e-3), Stops: pen.Sequential}, func(i, j int) float64 { return g.Error[i][j] })
	framed := frames(len(g.C), len(g.Gamma), 0.04, pen.Line(pen.Vermillion, 2.2, nil), func(i, j int) bool { return g.Error[i][j] <= best })
	p.Add(framed, twoTexts{len(g.C), len(g.Gamma), func(i, j int) (string, string) {
		return fmt.Sprintf("%.1f%%", 100*g.Error[i][j]), prose.Count(g.Support[i][j])
	}})
	f := &Figure{Plot: p, Legend: []pen.Entry{{Name: "least error; in each cell error, and support vectors", Mark: framed}}}
	f.Width, f.Height = costGammaSize(p, len(g.Gamma))
	f.Caption, f.Alt = g.words(best)
	return f, nil
}

// costGammaPlot draws a cell for each pair of C, to the right, and γ, upwards, in the shade of its value.
func costGammaPlot(costs, gammas []float64, s pen.Shade, value func(i, j int) float64) *plot.Plot {
	columns, rows := len(costs), len(gammas)
	var bottom, side []plot.Tick
	for i, name := range shortNames(costs) {
		bottom = append(bottom, plot.Tick{Value: float64(i) + 0.5, Label: name})
	}
	for j, name := range shortNames(gammas) {
		side = append(side, plot.Tick{Value: float64(j) + 0.5, Label: name})
	}
	p := pen.MatrixPlot("cost $C$", `$\gamma$`, bottom, side)
	pen.Show(p, geom.Box{XMin: 0, XMax: float64(columns), YMin: 0, YMax: float64(rows)})
	p.Add(pen.Heat{Rows: rows, Columns: columns, Value: func(r, c int) float64 { return value(c, rows-1-r) }, Shade: s}, pen.CellLines{Rows: rows, Columns: columns})
	return p
}

func costGammaSize(p *plot.Plot, rows int) (width, height vg.Length) {
	return pen.MatrixSize(p, pen.PhoneWidth-0.7*vg.Inch, vg.Length(rows)*0.42*vg.Inch)
}

// frames returns the frames of some cells of costGammaPlot, inside of them by a margin.
func frames(columns, rows int, margin float64, style draw.LineStyle, framed func(i, j int) bool) pen.Segments {
	s := pen.Segments{Style: style}
	for i := range columns {
		for j := range rows {
			if !framed(i, j) {
				continue
			}
			ps := geom.Box{XMin: float64(i) + margin, XMax: float64(i) + 1 - margin, YMin: float64(j) + margin, YMax: float64(j) + 1 - margin}.Corners()
			for k := range ps {
				s.From, s.To = append(s.From, ps[k]), append(s.To, ps[(k+1)%4])
			}
		}
	}
	return s
}

// shortNames writes numbers for the narrow ticks of one axis: all as powers of ten if they are and one of them has more
// than four decimals or five digits, else all as decimal numbers.
func shortNames(values []float64) []string {
	var decimals, powers []string
	long := false
	for _, v := range values {
		decimals = append(decimals, prose.Num(prose.Roughly(v)))
		if e := math.Log10(v); math.Abs(e-math.Round(e)) < 1e-9 {
			powers, long = append(powers, "$"+prose.Power(math.Pow(10, math.Round(e)))+"$"), long || e < -4.5 || e > 4.5
		}
	}
	if long && len(powers) == len(values) {
		return powers
	}
	return decimals
}

func (g CostGamma) validate() error {
	if err := validCostGamma(g.C, g.Gamma); err != nil {
		return err
	}
	if len(g.Error) != len(g.C) || len(g.Support) != len(g.C) {
		return check.All(svmkit.ErrMismatch)
	}
	for i := range g.C {
		if len(g.Error[i]) != len(g.Gamma) || len(g.Support[i]) != len(g.Gamma) {
			return check.Data(i, svmkit.NoPlace, 0, svmkit.ErrMismatch)
		}
		for j, e := range g.Error[i] {
			if !(e >= 0 && e <= 1) {
				return check.Data(i, j, e, check.ErrShare)
			}
			if g.Support[i][j] < 0 {
				return check.Data(i, j, float64(g.Support[i][j]), check.ErrCount)
			}
		}
	}
	return nil
}

// validCostGamma checks the values of the two axes.
func validCostGamma(costs, gammas []float64) error {
	for _, axis := range []struct {
		name string
		at   []float64
	}{{"C", costs}, {"Gamma", gammas}} {
		if err := cmp.Or(check.Count(axis.name, len(axis.at), 2, 8, "value"), check.Rising(axis.name, axis.at, math.SmallestNonzeroFloat64)); err != nil {
			return err
		}
	}
	return nil
}

// ends returns the least and the largest error.
func (g CostGamma) ends() (best, worst float64) {
	best = math.Inf(1)
	for _, row := range g.Error {
		for _, e := range row {
			best, worst = min(best, e), max(worst, e)
		}
	}
	return best, worst
}

// twoTexts writes one text over another into each cell of costGammaPlot.
type twoTexts struct {
	columns, rows int
	at            func(i, j int) (upper, lower string)
}

func (t twoTexts) Plot(c draw.Canvas, p *plot.Plot) {
	sty := pen.TextStyle(pen.TickSize)
	sty.XAlign, sty.YAlign = draw.XCenter, draw.YCenter
	for i := range t.columns {
		for j := range t.rows {
			upper, lower := t.at(i, j)
			middle := pen.CanvasPoint(&c, p, geom.Point{X: float64(i) + 0.5, Y: float64(j) + 0.5})
			c.FillText(sty, vg.Point{X: middle.X, Y: middle.Y + 7.5}, upper)
			c.FillText(sty, vg.Point{X: middle.X, Y: middle.Y - 4}, lower)
		}
	}
}

func (g CostGamma) words(best float64) (caption, alt string) {
	first, more := "", 0
	fewest, most := math.MaxInt, 0
	for i, c := range g.C {
		alt += fmt.Sprintf(" C = %s:", prose.Num(c))
		for j, v := range g.Gamma {
			if g.Error[i][j] <= best {
				if first == "" {
					first = fmt.Sprintf("C = %s and γ = %s, with %s", prose.Num(c), prose.Num(prose.Roughly(v)), prose.Plural(g.Support[i][j], "support vector"))
				} else {
					more++
				}
			}
			fewest, most = min(fewest, g.Support[i][j]), max(most, g.Support[i][j])
			if j > 0 {
				alt += ","
			}
			alt += fmt.Sprintf(" %.1f %% and %s", 100*g.Error[i][j], prose.Count(g.Support[i][j]))
		}
		alt += "."
	}
	caption = fmt.Sprintf("The least error, %.1f %%, is that of %s", 100*best, first)
	if more > 0 {
		caption += fmt.Sprintf(" (and of %d more)", more)
	}
	caption += fmt.Sprintf(". The numbers of support vectors reach from %s to %s.", prose.Count(fewest), prose.Count(most))
	low, high := g.Gamma[0], g.Gamma[len(g.Gamma)-1]
	alt = fmt.Sprintf("Grid of %d costs C (horizontal) by %d values of γ (vertical), from %s to %s, with an error rate and a number of support vectors in each cell; dark is a large error. From the least γ to the largest, %s",
		len(g.C), len(g.Gamma), prose.Num(prose.Roughly(low)), prose.Num(prose.Roughly(high)), alt[1:])
	return caption, alt
}
