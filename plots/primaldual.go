package plots

import (
	"fmt"
	"image/color"
	"math"
	"strconv"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// PrimalDual draws how the primal and the dual objective of a fit close in on the optimum,
// over its updates: above both values, below their gap.
// history holds the values that Settings.Progress received. A primal that is infinite (a plane that
// violates a hard margin) is left out, and the caption says where the first finite one is.
// Of the primal the best value so far is drawn.
func PrimalDual(history []svmkit.Progress) (*Figure, error) {
	if len(history) == 0 {
		return nil, &svmkit.ParamError{Name: "history", Value: "empty", Need: "must hold at least one certificate"}
	}
	var primal, dual, gap []point
	first := -1
	for k, h := range history {
		if math.IsNaN(h.Primal) || math.IsNaN(h.Dual) || math.IsInf(h.Dual, 0) || math.IsInf(h.Primal, -1) {
			return nil, &svmkit.DataError{Row: k, Col: svmkit.NoPlace, Value: h.Dual, Err: svmkit.ErrNotFinite}
		}
		if k > 0 && h.Updates < history[k-1].Updates {
			return nil, &svmkit.DataError{Row: k, Col: svmkit.NoPlace, Value: float64(h.Updates), Err: errFalls}
		}
		x, d := float64(h.Updates), h.Dual
		if len(dual) > 0 {
			d = max(d, dual[len(dual)-1].Y)
		}
		dual = append(dual, point{X: x, Y: d})
		if math.IsInf(h.Primal, 1) && first < 0 {
			continue
		}
		best := h.Primal
		if first < 0 {
			first = k
		} else {
			best = min(best, primal[len(primal)-1].Y)
		}
		primal = append(primal, point{X: x, Y: best})
		if g := best - d; g > 0 {
			gap = append(gap, point{X: x, Y: g})
		}
	}
	if first < 0 {
		return nil, &svmkit.ParamError{Name: "history", Value: "no finite primal", Need: "must hold a certificate with a finite primal value"}
	}
	last, bottom := history[len(history)-1], dual[len(dual)-1].Y
	end := primal[len(primal)-1].Y

	objectives := newPlot("updates", "objective")
	view := emptyBox().cover(dual...).cover(point{X: 0, Y: end})
	// The first primal may be a thousand times the optimum: it must not set the scale.
	span := max(end-dual[0].Y, 1e-9*math.Abs(end))
	view.ymax = min(primal[0].Y, end+1.2*span) + 0.1*span
	if view.xmax == view.xmin {
		view.xmax++
	}
	view.xmax += 0.02 * (view.xmax - view.xmin)
	view.ymin -= 0.05 * (view.ymax - view.ymin)
	show(objectives, view)
	upper := marked{path{primal, line(vermillion, 1.7, dashed)}, mark{square, color.White, vermillion, 2.6}}
	lower := marked{path{dual, line(blue, 1.7, nil)}, mark{disc, blue, blue, 2.6}}
	between := area{func(b box) []point {
		ps := make([]point, 0, 2*len(primal))
		for _, q := range primal {
			ps = append(ps, point{X: q.X, Y: min(q.Y, b.ymax)})
		}
		for k := len(dual) - 1; k >= first; k-- {
			ps = append(ps, dual[k])
		}
		return ps
	}, paleBand, draw.LineStyle{}}
	objectives.Add(between, upper.path, lower.path, fewer(primal, upper.mark), fewer(dual, lower.mark))

	f := &Figure{Panels: [][]*plot.Plot{{objectives}}, Legend: []Entry{{"primal, best so far", upper}, {"dual", lower}, {"the optimum is in here", between}}}
	ends := fmt.Sprintf("between %s and %s", num(bottom), num(end))
	if num(bottom) == num(end) {
		rest := math.Abs(end - bottom)
		if rest == 0 && len(gap) > 0 {
			rest = gap[len(gap)-1].Y // the last one above rounding
		}
		ends = fmt.Sprintf("they agree within %s", minus(strconv.FormatFloat(rest, 'g', 2, 64)))
	}
	f.Caption = fmt.Sprintf("Whatever the solver does, the optimum lies between the two curves: after %s %s.", plural(last.Updates, "update"), ends)
	f.Alt = fmt.Sprintf("The dual (circles) rises from %s to %s and the primal (squares) falls from %s to %s over %s.",
		num(dual[0].Y), num(bottom), num(primal[0].Y), num(end), plural(last.Updates, "update"))
	if first > 0 {
		f.Caption += fmt.Sprintf(" The first plane with every point on its right side comes after %s.", plural(history[first].Updates, "update"))
	}
	if len(gap) > 1 {
		gaps := newPlot("updates", "gap")
		g := emptyBox().cover(gap...)
		g.xmin, g.xmax = view.xmin, view.xmax
		g.ymin, g.ymax = g.ymin/2, g.ymax*2
		show(gaps, g)
		logarithmic(&gaps.Y)
		closing := marked{path{gap, line(green, 1.6, dotted)}, mark{triangle, green, green, 3}}
		gaps.Add(closing.path, fewer(gap, closing.mark))
		f.Panels = append(f.Panels, []*plot.Plot{gaps})
		f.Legend = append(f.Legend, Entry{"gap", closing})
		f.Width, f.Height = phoneWidth, 6.6*vg.Inch
		f.Alt = "Two panels. Above: " + f.Alt + fmt.Sprintf(" Below, on a logarithmic axis: their difference shrinks from %s to %s.", num(gap[0].Y), num(gap[len(gap)-1].Y))
	}
	return f, nil
}

// fewer marks at most maxCurveMarks of the places.
func fewer(at []point, m mark) marks {
	var some []point
	for _, k := range thin(len(at), maxCurveMarks) {
		some = append(some, at[k])
	}
	return marks{some, m}
}
