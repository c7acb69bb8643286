package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// GrowthPanel is mistakes against one size of a problem: its number of rows, or of columns.
type GrowthPanel struct {
	X      string   // what grows in number, for the axis: "rows $n$"
	Series []Series // at most five
}

// Growth draws mistakes against the sizes of a problem under the bound R²/γ², which does not depend on them: one panel
// a size, below each other. The horizontal axes are logarithmic. The panels have one vertical axis, which is logarithmic too
// if all mistakes stay below a tenth of the bound.
func Growth(panels []GrowthPanel, bound float64) (*Figure, error) {
	if len(panels) == 0 {
		return nil, &svmkit.ParamError{Name: "panels", Value: "none", Need: "must hold at least one"}
	}
	if !(bound > 0 && bound <= maxDrawn) {
		return nil, &svmkit.ParamError{Name: "bound", Value: bound, Need: "must be positive and finite"}
	}
	low, high := math.Inf(1), 0.0
	for _, panel := range panels {
		for _, s := range panel.Series {
			if err := s.Validate(Axes{LogX: true}); err != nil {
				return nil, err
			}
			for _, v := range slices.Concat(s.Y, s.Low, s.High) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	logY := low > 0 && high < bound/10
	f := &Figure{Width: phoneWidth, Height: 0.9*vg.Inch + 2.5*vg.Inch*vg.Length(len(panels))}
	f.Alt = fmt.Sprintf("%s of mistakes with the bound as a flat line at %s.", plural(len(panels), "line chart"), num(bound))
	var grown []string
	for _, panel := range panels {
		drawn, err := panel.draw(bound, logY)
		if err != nil {
			return nil, err
		}
		drawn.Plot.Y.Min, drawn.Plot.Y.Max = 0, 1.08*max(bound, high)
		if logY {
			drawn.Plot.Y.Min, drawn.Plot.Y.Max = low/1.3, 1.6*bound
		}
		f.Panels = append(f.Panels, []*plot.Plot{drawn.Plot})
		f.Alt += " " + drawn.Alt
		grown = append(grown, drawn.Caption)
		f.Legend = merge(f.Legend, drawn.Legend)
	}
	sizes := strings.Join(grown, " and ")
	f.Caption = fmt.Sprintf("While %s, the mistakes stay between %s and %s, under the bound R²/γ² = %s.", sizes, num(low), num(high), num(bound))
	if high > bound*(1+roundoff) {
		f.Caption = fmt.Sprintf("While %s, the mistakes reach %s, above R²/γ² = %s: a hypothesis of the theorem does not hold.", sizes, num(high), num(bound))
	}
	return f, nil
}

// draw returns the panel as a figure whose caption says what grows, without a full stop.
func (g GrowthPanel) draw(bound float64, logY bool) (*Figure, error) {
	from, to := math.Inf(1), 0.0
	alt := fmt.Sprintf("Over %s on a logarithmic axis:", plain(g.X))
	for _, s := range g.Series {
		n := len(s.X) - 1
		from, to = min(from, s.X[0]), max(to, s.X[n])
		alt += fmt.Sprintf(" %s from %s mistakes at %s to %s at %s.", plain(s.Name), num(s.Y[0]), num(s.X[0]), num(s.Y[n]), num(s.X[n]))
	}
	flat := Series{Name: `bound $R^2/\gamma^2$`, X: []float64{from, to}, Y: []float64{bound, bound}, NoMarks: true}
	caption := fmt.Sprintf("the number of %s grows from %s to %s", plain(g.X), num(from), num(to))
	return Lines(append([]Series{flat}, g.Series...), Axes{X: g.X, Y: "mistakes", LogX: true, LogY: logY}, caption, alt)
}

// merge appends the entries whose names are not in the legend yet.
func merge(legend, more []Entry) []Entry {
	for _, e := range more {
		if !slices.ContainsFunc(legend, func(known Entry) bool { return known.Name == e.Name }) {
			legend = append(legend, e)
		}
	}
	return legend
}
