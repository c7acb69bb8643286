package figures

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/tune"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// CVCurve draws what a search with cross-validation found: the mean score over the folds, with bars
// of one standard error up and down, against C on a logarithmic axis, one curve for each of up to
// six γ; against γ if only γ varies. A search over kernels, degrees or ε is refused. It marks the
// best point, the band of one standard error below it (above, for a loss), and the choice of the
// one-standard-error rule: the smallest C, then γ, whose mean lies in the band.
//
// score names the metric on the vertical axis, and may hold math. Points without all folds
// finished are not drawn, and the caption counts them. With a single fold there are no bars.
func CVCurve(s *tune.Selection, score string) (*plots.Figure, error) {
	best, simplest, err := check.Search(s)
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
			view = view.Cover(at, geom.Pt(at.X, at.Y-c.err[k]), geom.Pt(at.X, at.Y+c.err[k]))
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
	fig := &plots.Figure{Plot: p}
	fig.Caption, fig.Alt = v.words(best, simplest, prose.Plain(score))
	var tied pen.Legend
	if best.StdErr > 0 { // not NaN
		limit := oneErrorAway(s, best)
		band := pen.Filled(geom.Rect(view.XMin, view.XMax, best.Mean, limit).Corners(),
			pen.PaleBand)
		p.Add(band)
		tied.Add("within one standard error", band)
	}
	v.dodge(math.Pow(view.XMax/view.XMin, 0.011))
	choice := pen.Vertical{X: v.place(simplest.Params).X, Style: pen.Line(pen.Ink, 1.3, pen.Dashed)}
	p.Add(choice)
	for i, c := range v.curves {
		curve := pen.Styles[i].Curve(c.at)
		p.Add(errorBars{At: c.at, Err: c.err, Style: pen.Line(pen.Styles[i].Line.Color, 1.1, nil)},
			curve)
		fig.Legend.Add(prose.Either(c.name != "" || len(v.curves) > 1, c.name,
			"mean and standard error"), curve)
	}
	top := pen.RingAt(v.place(best.Params), 6.5, pen.Line(pen.Ink, 1.5, nil))
	p.Add(top)
	fig.Legend.Add("best", top)
	fig.Legend.Add("one-standard-error choice", choice)
	fig.Legend = append(fig.Legend, tied...)
	return fig, nil
}

// oneErrorAway returns the mean that is worse than the best by its standard error. A larger mean is
// worse if the best is not the largest.
func oneErrorAway(s *tune.Selection, best tune.Point) float64 {
	for _, p := range s.Points {
		if check.Finished(p) && p.Mean > best.Mean {
			return best.Mean + best.StdErr
		}
	}
	return best.Mean - best.StdErr
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
		if !check.Finished(p) {
			v.missing++
			continue
		}
		at := geom.Pt(v.x(p.Params), p.Mean)
		if !(at.X > 0 && at.X <= check.Max) || !(math.Abs(p.Mean) <= check.Max) ||
			math.IsInf(p.StdErr, 0) {
			return nil, check.Data(i, svmkit.NoPlace, p.Mean, svmkit.ErrNotFinite)
		}
		v.folds = len(p.Scores)
		c := v.curveOf(p.Gamma)
		if c == nil {
			return nil, check.Param("Gamma", fmt.Sprintf("%d values", len(gammas)),
				"at most %d curves can be told apart", len(pen.Styles))
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
	caption = prose.Found(best, simplest, score, v.folds)
	caption += prose.If(v.missing > 0, " %s not finished and not drawn.",
		prose.UpperFirst(prose.PointsAre(v.missing)))
	axis := prose.Either(v.byGamma, "γ", "C")
	alt = fmt.Sprintf("Mean %s with bars of one standard error against %s on a logarithmic axis.",
		score, axis)
	alt += prose.If(len(v.curves) > 1, " Points of one C are set side by side.")
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
		name := prose.Either(c.name != "", " For "+prose.Plain(c.name)+":", "")
		last := c.at[len(c.at)-1]
		alt += prose.Say("%s from %v at %v to %v at %v, lowest %v at %v, highest %v at %v.",
			name+" "+prose.Plural(len(c.at), "point"), prose.Roughly(c.at[0].Y),
			prose.Roughly(c.at[0].X), prose.Roughly(last.Y), prose.Roughly(last.X),
			prose.Roughly(lo.Y), prose.Roughly(lo.X), prose.Roughly(hi.Y), prose.Roughly(hi.X))
	}
	alt += fmt.Sprintf(" A ring marks the best point, a dashed vertical line the "+
		"one-standard-error choice, %s.", prose.Params(simplest.Params))
	return caption, alt
}

// maxConfused is how many classes can be drawn with a number in each cell, maxShares with a
// percentage below it that can be read on a phone.
const (
	maxConfused = 20
	maxShares   = 6
)

// ConfusionMatrix draws how often rows of each class were predicted as each class: a row of
// cells a true class, a column a predicted one, right answers on the diagonal. A cell has its
// count and, up to 6 classes, what share of the class that is; the darker, the larger the
// share. Scores of exactly zero predict no class: if there are any, they have a column.
//
// [tune.Confuse] counts, for two classes and for more. At most 20 classes can be drawn.
func ConfusionMatrix(c *tune.Confusion) (*plots.Figure, error) {
	if err := checkConfusion(c); err != nil {
		return nil, err
	}
	k, columns := len(c.Names), len(c.Names)
	none := 0
	for _, n := range c.None {
		none += n
	}
	if none > 0 {
		columns++
	}
	counted := func(t, p int) int {
		if p == k {
			return c.None[t]
		}
		return c.Count[t][p]
	}
	share := func(t, p int) float64 { // 0 for a class without rows
		return float64(counted(t, p)) / float64(max(1, c.Of(t)))
	}
	var bottom, side []plot.Tick
	longest := 0
	for i, name := range c.Names {
		name = prose.Minus(name)
		longest = max(longest, len([]rune(name)))
		bottom = append(bottom, plot.Tick{Value: float64(i) + 0.5, Label: prose.Literal(name)})
		side = append(side, plot.Tick{Value: float64(k-i) - 0.5, Label: prose.Literal(name)})
	}
	if none > 0 {
		bottom = append(bottom, plot.Tick{Value: float64(k) + 0.5, Label: "none"})
	}
	p := pen.MatrixPlot("predicted class", "true class", bottom, side)
	if longest*columns > 48 { // the names would run into each other
		p.X.Tick.Label.Rotation = math.Pi / 5
		p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XRight, draw.YCenter
	}
	pen.Show(p, geom.Rect(0, float64(columns), 0, float64(k)))
	shade := pen.Shade{Lo: 0, Hi: 1, Stops: pen.Sequential}
	p.Add(pen.Heat{Rows: k, Columns: columns, Value: share, Shade: shade},
		pen.CellLines{Rows: k, Columns: columns}, cellText{k, columns, counted, share, shade})
	f := &plots.Figure{Plot: p}
	f.Width, f.Height = pen.MatrixSize(p, 5.2*vg.Inch, 3.8*vg.Inch)
	f.Caption, f.Alt = confusionWords(c, none)
	return f, nil
}

func checkConfusion(c *tune.Confusion) error {
	switch {
	case c == nil:
		return check.Param("confusion", nil, "must not be nil")
	case len(c.Names) < 2 || len(c.Names) > maxConfused:
		return check.Param("confusion", prose.Plural(len(c.Names), "class name"),
			"must have 2 to %d classes", maxConfused)
	case len(c.Count) != len(c.Names) || len(c.None) != len(c.Names):
		return check.All(svmkit.ErrMismatch)
	}
	total := 0
	for t, row := range c.Count {
		if len(row) != len(c.Names) {
			return check.Data(t, svmkit.NoPlace, 0, svmkit.ErrMismatch)
		}
		for p, n := range append([]int{c.None[t]}, row...) {
			if n < 0 {
				return check.Data(t, p-1, float64(n), check.ErrCount)
			}
			total += n
		}
	}
	if total == 0 {
		return check.All(svmkit.ErrEmpty)
	}
	return nil
}

// cellText writes counts, and shares below them, into the cells of a heat map.
type cellText struct {
	rows, columns int
	count         func(r, c int) int
	share         func(r, c int) float64
	shade         pen.Shade
}

func (t cellText) Plot(c draw.Canvas, p *plot.Plot) {
	corner, next := pen.CanvasPoint(&c, p, geom.Point{}), pen.CanvasPoint(&c, p, geom.Pt(1, 1))
	width, height := float64(next.X-corner.X), float64(next.Y-corner.Y)
	large := min(13, 0.42*height, 0.42*width)
	small := min(9.5, 0.3*height, 0.28*width)
	both := t.rows <= maxShares && height > 24
	for r := range t.rows {
		for k := range t.columns {
			n := t.count(r, k)
			if n == 0 && t.rows > 4 { // zeros in a large matrix are noise
				continue
			}
			at := pen.CanvasPoint(&c, p, geom.Pt(float64(k)+0.5, float64(t.rows-r)-0.5))
			sty := pen.TextStyle(large)
			sty.XAlign, sty.YAlign = draw.XCenter, draw.YCenter
			sty.Color = inkOn(t.shade.Colour(t.share(r, k)))
			if !both {
				c.FillText(sty, at, prose.Count(n))
				continue
			}
			c.FillText(sty, vg.Point{X: at.X, Y: at.Y + vg.Length(0.55*small)}, prose.Count(n))
			sty.Font.Size = vg.Points(small)
			c.FillText(sty, vg.Point{X: at.X, Y: at.Y - vg.Length(0.75*large)},
				prose.Percent(t.share(r, k)))
		}
	}
}

func confusionWords(c *tune.Confusion, none int) (caption, alt string) {
	most, from, to := 0, 0, 0
	for t, row := range c.Count {
		for p, n := range row {
			if t != p && n > most {
				most, from, to = n, t, p
			}
		}
	}
	caption = fmt.Sprintf("%s of %s are predicted right.",
		prose.UpperFirst(prose.Percent(c.Accuracy())), prose.Plural(c.Total(), "row"))
	caption += prose.If(most > 0, " The most frequent mistake: %s taken for %s, %s.",
		prose.Minus(c.Names[from]), prose.Minus(c.Names[to]), prose.Plural(most, "time"))
	caption += prose.If(none > 0, " %s no prediction.", prose.Have(none))
	caption += prose.If(len(c.Names) <= maxShares, " Percentages are of the true class.")
	alt = fmt.Sprintf("Matrix of %d true classes (rows) by predicted classes (columns).",
		len(c.Names))
	for t, name := range c.Names {
		if c.Of(t) == 0 {
			alt += fmt.Sprintf(" Of %s there is no row.", prose.Minus(name))
			continue
		}
		alt += fmt.Sprintf(" Of %s %s, %s right", prose.Plural(c.Of(t), "row"),
			"of "+prose.Minus(name), prose.Are(c.Count[t][t]))
		for p, n := range c.Count[t] {
			alt += prose.If(p != t && n > 0, ", %v taken for %s", n, prose.Minus(c.Names[p]))
		}
		alt += prose.If(c.None[t] > 0, ", %v without a prediction", c.None[t])
		alt += "."
	}
	return caption, alt
}

// NamedProbabilities holds the probabilities that a model predicts for the rows of a set, and its
// name in a legend, which may hold math.
type NamedProbabilities struct {
	Name        string
	Probability []float64 // P(y = +1) of each row, in [0, 1]
}

// Reliability draws the reliability diagram of up to six models. Their probabilities are sorted
// into bins of equal width, 1/bins. A mark stands for the rows of a bin: at their mean probability
// and at the part of them that is positive, with a bar of one standard error of that part, √(q(1 −
// q)/n), up and down. Marks of a calibrated model are near the diagonal. Bins without rows have no
// mark. 2 ≤ bins ≤ 20.
//
// Both labels must occur. The caption has the mean distance of the marks from the diagonal, each
// row counted once: the expected calibration error.
func Reliability(truth *svmkit.Dataset, models []NamedProbabilities, bins int) (*plots.Figure,
	error) {
	if err := cmp.Or(check.Count("models", len(models), 1, len(pen.Styles), "model"),
		check.Count("bins", bins, 2, 20, "bin"), truth.Validate()); err != nil {
		return nil, err
	}
	once := *truth
	once.Weight = nil // every row counts once
	if err := once.ValidateBinary(); err != nil {
		return nil, err
	}
	p := pen.NewPlot("probability that the model gives", "part that is positive")
	pen.Show(p, geom.Rect(-0.05, 1.05, -0.05, 1.05))
	level := pen.Join([]geom.Point{{}, {X: 1, Y: 1}}, pen.Line(pen.Faint, 1.1, pen.Dotted))
	p.Add(level)
	f := &plots.Figure{Plot: p, EqualUnits: true, Width: pen.PhoneWidth, Height: 4.6 * vg.Inch}
	// the marks once more, white ones as rims: near a corner they would hide others
	var full, rims []plot.Plotter
	for k, m := range models {
		b, err := binned(truth, m, bins)
		if err != nil {
			return nil, fmt.Errorf("model %q: %w", m.Name, err)
		}
		look := pen.PlaneStyles[k] // models are no classes
		curve := look.Curve(b.at)
		p.Add(errorBars{At: b.at, Err: b.err, Style: pen.Line(look.Line.Color, 1.1, nil)}, curve)
		if look.Mark.Fill == color.White {
			look.Mark.Fill = color.Transparent
			rims = append(rims, look.Mark.At(b.at...))
		} else {
			full = append(full, look.Mark.At(b.at...))
		}
		f.Legend.Add(m.Name, curve)
		name := prose.Plain(m.Name)
		f.Caption += prose.If(k > 0, ", ")
		f.Caption += prose.Say("%s: %v", name, prose.Roughly(b.distance))
		f.Alt += " " + name + ":"
		for q, at := range b.at {
			f.Alt += prose.Say(" %v of %d rows at %v;",
				prose.Roughly(at.Y), b.rows[q], prose.Roughly(at.X))
		}
		f.Alt = f.Alt[:len(f.Alt)-1] + "."
	}
	p.Add(append(full, rims...)...)
	f.Caption = "Bars are one standard error, which is 0 where all rows of a bin or none are " +
		"positive. Mean distance from the diagonal, each row counted once. " + f.Caption + "."
	f.Alt = prose.Say("Reliability diagram of %s over %s: mean probability "+
		"of a bin of width %v (horizontal, 0 to 1), part of its rows that is positive (vertical, "+
		"0 to 1), with the diagonal of a calibrated model.", prose.Plural(len(models), "model"),
		prose.Plural(truth.Len(), "row"), 1/float64(bins)) + f.Alt
	f.Legend.Add("calibrated", level)
	return f, nil
}

// bins holds the marks of a model.
type bins struct {
	at       []geom.Point
	err      []float64
	rows     []int
	distance float64 // the mean over all rows of |part positive − mean probability| of their bins
}

func binned(truth *svmkit.Dataset, m NamedProbabilities, count int) (b bins, err error) {
	if len(m.Probability) != truth.Len() {
		return b, check.Data(svmkit.NoPlace, svmkit.NoPlace, float64(len(m.Probability)),
			svmkit.ErrMismatch)
	}
	if err := check.Each(m.Probability, 0, 1, check.ErrShare); err != nil {
		return b, err
	}
	rows, sum, positive := make([]int, count), make([]float64, count), make([]float64, count)
	for i, q := range m.Probability {
		k := min(count-1, int(q*float64(count)))
		rows[k]++
		sum[k] += q
		if truth.Y[i] > 0 {
			positive[k]++
		}
	}
	for k, n := range rows {
		if n == 0 {
			continue
		}
		at := geom.Pt(sum[k]/float64(n), positive[k]/float64(n))
		b.at, b.rows = append(b.at, at), append(b.rows, n)
		b.err = append(b.err, math.Sqrt(at.Y*(1-at.Y)/float64(n)))
		b.distance += math.Abs(at.Y-at.X) * float64(n) / float64(truth.Len())
	}
	return b, nil
}

// inkOn returns black or white, whichever stands out from c more.
func inkOn(c color.RGBA) color.Color {
	if 0.299*float64(c.R)+0.587*float64(c.G)+0.114*float64(c.B) > 140 {
		return pen.Ink
	}
	return color.White
}
