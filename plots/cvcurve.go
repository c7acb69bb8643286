package plots

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/tune"
	"gonum.org/v1/plot/vg/draw"
)

// CVCurve draws what a search with cross-validation found: the mean score over the folds,
// with bars of one standard error up and down, against C on a logarithmic axis, one curve for each
// of up to six γ; against γ if only γ varies. A search over kernels, degrees or ε is refused. It marks the best point, the
// band of one standard error below it (above, for a loss), and the choice of the
// one-standard-error rule: the smallest C, then γ, whose mean lies in the band.
//
// score names the metric on the vertical axis, and may hold math. Points without all folds
// finished are not drawn, and the caption counts them. With a single fold there are no bars.
func CVCurve(s *tune.Selection, score string) (*Figure, error) {
	best, simplest, err := chosen(s)
	if err != nil {
		return nil, err
	}
	v, err := newCVCurves(s)
	if err != nil {
		return nil, err
	}
	p := pen.NewPlot(v.axis, score)
	view := geom.Empty()
	for _, c := range v.curves {
		for k, at := range c.at {
			view = view.Cover(at, geom.Point{X: at.X, Y: at.Y - c.err[k]}, geom.Point{X: at.X, Y: at.Y + c.err[k]})
		}
	}
	f := math.Pow(max(view.XMax/view.XMin, 10), 0.06)
	view.XMin, view.XMax = view.XMin/f, view.XMax*f
	d := 0.08 * (view.YMax - view.YMin)
	if d == 0 {
		d = 0.05 * max(math.Abs(view.YMax), 1e-3)
	}
	view.YMin, view.YMax = view.YMin-d, view.YMax+d
	pen.Show(p, view)
	pen.Logarithmic(&p.X)
	fig := &Figure{Plot: p}
	fig.Caption, fig.Alt = v.words(best, simplest, prose.Plain(score))
	var tied []pen.Entry
	if best.StdErr > 0 { // not NaN
		limit := oneErrorAway(s, best)
		band := pen.Area{Polygon: func(b geom.Box) []geom.Point {
			return []geom.Point{{X: b.XMin, Y: best.Mean}, {X: b.XMax, Y: best.Mean}, {X: b.XMax, Y: limit}, {X: b.XMin, Y: limit}}
		}, Fill: pen.PaleBand, Border: draw.LineStyle{}}
		p.Add(band)
		tied = append(tied, pen.Entry{Name: "within one standard error", Mark: band})
	}
	v.dodge(math.Pow(view.XMax/view.XMin, 0.011))
	choice := pen.Vertical{X: v.place(simplest.Params).X, Style: pen.Line(pen.Ink, 1.3, pen.Dashed)}
	p.Add(choice)
	for i, c := range v.curves {
		curve := pen.MarkedPath{Path: pen.Path{At: c.at, Style: pen.Styles[i].Line}, Mark: pen.Styles[i].Mark}
		p.Add(pen.ErrorBars{At: c.at, Err: c.err, Style: pen.Line(pen.Styles[i].Line.Color, 1.1, nil)}, curve.Path, pen.Marks{At: c.at, Mark: pen.Styles[i].Mark})
		if c.name != "" || len(v.curves) > 1 {
			fig.Legend = append(fig.Legend, pen.Entry{Name: c.name, Mark: curve})
		} else {
			fig.Legend = append(fig.Legend, pen.Entry{Name: "mean and standard error", Mark: curve})
		}
	}
	top := pen.Ring{At: v.place(best.Params), Radius: 6.5, Style: pen.Line(pen.Ink, 1.5, nil)}
	p.Add(top)
	fig.Legend = append(fig.Legend, pen.Entry{Name: "best", Mark: top}, pen.Entry{Name: "one-standard-error choice", Mark: choice})
	fig.Legend = append(fig.Legend, tied...)
	return fig, nil
}

// oneErrorAway returns the mean that is worse than the best by its standard error. A larger mean is
// worse if the best is not the largest.
func oneErrorAway(s *tune.Selection, best tune.Point) float64 {
	for _, p := range s.Points {
		if finished(p) && p.Mean > best.Mean {
			return best.Mean + best.StdErr
		}
	}
	return best.Mean - best.StdErr
}

// finished reports whether all folds of a point have a score.
func finished(p tune.Point) bool {
	return len(p.Scores) > 0 && !slices.ContainsFunc(p.Scores, math.IsNaN)
}

// cvCurves is a search, a curve for each γ.
type cvCurves struct {
	byGamma bool // γ is the parameter on the axis
	axis    string
	curves  []cvCurve
	missing int // points without a score
	folds   int
}

type cvCurve struct {
	name  string
	gamma float64
	at    []geom.Point
	err   []float64 // standard errors; 0 where there is none
}

func (v *cvCurves) x(p tune.Params) float64 {
	if v.byGamma {
		return p.Gamma
	}
	return p.C
}

// chosen returns the best point and that of the one-standard-error rule. A search over more than C and γ is refused.
func chosen(s *tune.Selection) (best, simplest tune.Point, err error) {
	if s == nil {
		return best, simplest, check.Param("selection", nil, "must not be nil")
	}
	best, ok := s.Best()
	if !ok {
		return best, simplest, check.All(errNoPoint)
	}
	for _, p := range s.Points {
		if first := s.Points[0]; p.Kernel != first.Kernel || p.Degree != first.Degree || p.Epsilon != first.Epsilon {
			return best, simplest, check.Param("selection", p.Params.String(), "must differ from %s in C and γ alone, as all points must", first.Params)
		}
	}
	simplest, _ = s.OneStandardError()
	return best, simplest, nil
}

func newCVCurves(s *tune.Selection) (*cvCurves, error) {
	v := &cvCurves{axis: "$C$"}
	costs, gammas := map[float64]bool{}, map[float64]bool{}
	for _, p := range s.Points {
		costs[p.C], gammas[p.Gamma] = true, true
	}
	if len(costs) == 1 && len(gammas) > 1 {
		v.byGamma, v.axis = true, `$\gamma$`
	}
	for i, p := range s.Points {
		if !finished(p) {
			v.missing++
			continue
		}
		at := geom.Point{X: v.x(p.Params), Y: p.Mean}
		if !(at.X > 0 && at.X <= check.Max) || !(math.Abs(p.Mean) <= check.Max) || math.IsInf(p.StdErr, 0) {
			return nil, check.Data(i, svmkit.NoPlace, p.Mean, svmkit.ErrNotFinite)
		}
		v.folds = len(p.Scores)
		c := v.curveOf(p.Gamma)
		if c == nil {
			return nil, check.Param("Gamma", fmt.Sprintf("%d values", len(gammas)), "at most %d curves can be told apart", len(pen.Styles))
		}
		spread := p.StdErr
		if math.IsNaN(spread) {
			spread = 0
		}
		// Points come in the order of the grid, which need not rise.
		k := len(c.at)
		for k > 0 && c.at[k-1].X > at.X {
			k--
		}
		c.at, c.err = slices.Insert(c.at, k, at), slices.Insert(c.err, k, spread)
	}
	return v, nil
}

// dodge sets the curves of several γ side by side, each a factor from the next, so that bars at
// one C do not hide each other.
func (v *cvCurves) dodge(factor float64) {
	for i, c := range v.curves {
		f := math.Pow(factor, float64(i)-float64(len(v.curves)-1)/2)
		for k := range c.at {
			c.at[k].X *= f
		}
	}
}

// place returns where the point of these parameters is drawn.
func (v *cvCurves) place(p tune.Params) geom.Point {
	c := v.curveOf(p.Gamma)
	at := geom.Point{X: math.Inf(1)}
	for _, q := range c.at {
		if math.Abs(math.Log(q.X/v.x(p))) < math.Abs(math.Log(at.X/v.x(p))) {
			at = q
		}
	}
	return at
}

// curveOf returns the curve of γ, nil if it would be one too many.
func (v *cvCurves) curveOf(gamma float64) *cvCurve {
	if v.byGamma {
		gamma = 0
	}
	for i := range v.curves {
		if v.curves[i].gamma == gamma {
			return &v.curves[i]
		}
	}
	if len(v.curves) == len(pen.Styles) {
		return nil
	}
	c := cvCurve{gamma: gamma}
	if gamma != 0 {
		c.name = `$\gamma$ = ` + prose.Num(prose.Roughly(gamma))
	}
	v.curves = append(v.curves, c)
	return &v.curves[len(v.curves)-1]
}

func (v *cvCurves) words(best, simplest tune.Point, score string) (caption, alt string) {
	caption = foundBy(best, simplest, score, v.folds)
	if v.missing > 0 {
		caption += fmt.Sprintf(" %s not finished and not drawn.", prose.UpperFirst(prose.PointsAre(v.missing)))
	}
	axis := "C"
	if v.byGamma {
		axis = "γ"
	}
	alt = fmt.Sprintf("Mean %s with bars of one standard error against %s on a logarithmic axis.", score, axis)
	if len(v.curves) > 1 {
		alt += " Points of one C are set side by side."
	}
	for _, c := range v.curves {
		lo, hi := c.at[0], c.at[0]
		for _, at := range c.at {
			if at.Y < lo.Y {
				lo = at
			}
			if at.Y > hi.Y {
				hi = at
			}
		}
		name := ""
		if c.name != "" {
			name = " For " + prose.Plain(c.name) + ":"
		}
		last := c.at[len(c.at)-1]
		alt += fmt.Sprintf("%s from %s at %s to %s at %s, lowest %s at %s, highest %s at %s.",
			name+" "+prose.Plural(len(c.at), "point"), prose.Num(prose.Roughly(c.at[0].Y)), prose.Num(prose.Roughly(c.at[0].X)), prose.Num(prose.Roughly(last.Y)), prose.Num(prose.Roughly(last.X)),
			prose.Num(prose.Roughly(lo.Y)), prose.Num(prose.Roughly(lo.X)), prose.Num(prose.Roughly(hi.Y)), prose.Num(prose.Roughly(hi.X)))
	}
	alt += fmt.Sprintf(" A ring marks the best point, a dashed vertical line the one-standard-error choice, %s.", cAndGamma(simplest.Params))
	return caption, alt
}

// cAndGamma writes the parameters of a point.
func cAndGamma(p tune.Params) string {
	text := "C = " + prose.Num(prose.Roughly(p.C))
	if p.Gamma != 0 {
		text += ", γ = " + prose.Num(prose.Roughly(p.Gamma))
	}
	return text
}

// foundBy says what a search has found.
func foundBy(best, simplest tune.Point, score string, folds int) string {
	measured := func(p tune.Point) string {
		if math.IsNaN(p.StdErr) {
			return prose.Num(prose.Roughly(p.Mean))
		}
		return prose.Num(prose.Roughly(p.Mean)) + " ± " + prose.Num(prose.Significant(p.StdErr, 2))
	}
	text := fmt.Sprintf("The best mean %s over %s, %s, is that of %s", score, prose.Plural(folds, "fold"), measured(best), cAndGamma(best.Params))
	switch {
	case math.IsNaN(best.StdErr):
		return text + "; one fold alone has no standard error."
	case best.Params == simplest.Params:
		return text + "; no simpler point is within one standard error of it."
	}
	return text + fmt.Sprintf("; within one standard error of it, the simplest is %s, with %s.", cAndGamma(simplest.Params), measured(simplest))
}

var errNoPoint = errors.New("no point of the search has all of its folds finished")
