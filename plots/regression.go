package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// TubeFit is a regression of one column to be drawn: the function and the half-width of its tube.
//
// Beta holds the dual variables, if there are any.
type TubeFit struct {
	// Name is above its panel or in the legend; may hold math, see [pen.Math].
	Name    string
	F       svmkit.Scorer
	Epsilon float64   // ε ≥ 0, in units of the target
	Beta    []float64 // one number per row, not 0 at support vectors; nil: nothing is ringed
}

func (t TubeFit) validate(set *svmkit.Dataset) error {
	if t.F == nil {
		return check.Param("F", nil, "must be a fitted function")
	}
	if err := check.NotNegative("Epsilon", t.Epsilon); err != nil {
		return err
	}
	if t.Beta != nil {
		if err := check.PerRow("Beta", t.Beta, set); err != nil {
			return err
		}
	}
	for i, b := range t.Beta {
		if math.IsNaN(b) {
			return check.Data(i, svmkit.NoPlace, b, svmkit.ErrNotFinite)
		}
	}
	for i, x := range set.X {
		if f := t.F.Score(x); !(math.Abs(f) <= check.Max) {
			return check.Data(i, svmkit.NoPlace, f,
				fmt.Errorf("the function's value: %w", svmkit.ErrNotFinite))
		}
	}
	return nil
}

// tubeCounts holds the numbers of a set's points in and outside a tube.
type tubeCounts struct {
	inside, above, below int     // points; those on the edge count as inside
	slack                float64 // Σξ
	support, misplaced   int     // rows with β ≠ 0, and those of them strictly inside the tube
}

// onEdge is the distance from the tube's edge, in units of the largest |y|, within which a point
// still counts as on it. It is above the error of scores of a tight fit, and low enough that with ε
// = 0 points near the curve do not count: 1e-4 would count one of 342 penguins, 0.6 g away.
const onEdge = 1e-5

func edgeOf(set *svmkit.Dataset) float64 {
	largest := 1e-300 // so that a set of zeros has an edge, too
	for _, y := range set.Y {
		largest = max(largest, math.Abs(y))
	}
	return onEdge * largest
}

func (t TubeFit) count(set *svmkit.Dataset) (c tubeCounts) {
	edge := edgeOf(set)
	for i, x := range set.X {
		r := set.Y[i] - t.F.Score(x)
		beyond := math.Abs(r) - t.Epsilon
		switch {
		case beyond <= edge:
			c.inside++
		case r > 0:
			c.above++
		default:
			c.below++
		}
		c.slack += max(0, beyond)
		if t.Beta != nil && t.Beta[i] != 0 {
			c.support++
			if beyond < -edge {
				c.misplaced++
			}
		}
	}
	return c
}

// scalarView is the box of the points and of the fits, with a margin.
func scalarView(set *svmkit.Dataset, fits []TubeFit) geom.Box {
	view := geom.Empty()
	for i, x := range set.X {
		view = view.Cover(geom.Pt(x.At(0), set.Y[i]))
	}
	view.XMin, view.XMax = widened(view.XMin, view.XMax)
	points := view
	for _, t := range fits {
		for _, p := range t.curve(view, 0) {
			view = view.Cover(p)
		}
	}
	// A fit is cut off where it leaves the points far behind.
	height := points.YMax - points.YMin
	view.YMin, view.YMax = max(view.YMin, points.YMin-height), min(view.YMax, points.YMax+height)
	view.YMin, view.YMax = widened(view.YMin, view.YMax)
	return view
}

// widened adds a twentieth at both ends.
func widened(lo, hi float64) (float64, float64) {
	d := 0.05 * (hi - lo)
	if d == 0 {
		d = 0.05 * max(1, math.Abs(lo))
	}
	return lo - d, hi + d
}

// curve samples f + shift over the view; values that are not finite are left out.
func (t TubeFit) curve(view geom.Box, shift float64) (ps []geom.Point) {
	f := func(x float64) float64 { return t.F.Score(svmkit.Dense(x)) + shift }
	for _, p := range geom.Sample(f, view.XMin, view.XMax, false) {
		if math.Abs(p.Y) <= check.Max {
			ps = append(ps, p)
		}
	}
	return ps
}

// scalarPlot returns an empty plot with the feature's name on its axis.
func scalarPlot(set *svmkit.Dataset) *plot.Plot {
	x := "$x$"
	if set.Features != nil {
		x = prose.Literal(set.Features[0])
	}
	return pen.NewPlot(x, "$y$")
}

// scalarWords describes the points and their axes for an alternative text.
func scalarWords(set *svmkit.Dataset) string {
	name, b := "x", geom.Empty()
	if set.Features != nil {
		name = set.Features[0]
	}
	for i, x := range set.X {
		b = b.Cover(geom.Pt(x.At(0), set.Y[i]))
	}
	return prose.Say("%s over %s from %v to %v (horizontal), the target y from %v to %v "+
		"(vertical)", prose.Plural(set.Len(), "point"), name, b.XMin, b.XMax, b.YMin, b.YMax)
}

// threeValues returns the values of a fit at both ends of the data and in the middle, in words.
func (t TubeFit) threeValues(set *svmkit.Dataset) string {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range set.X {
		lo, hi = min(lo, x.At(0)), max(hi, x.At(0))
	}
	f := func(x float64) string { return prose.Num(t.F.Score(svmkit.Dense(x))) }
	return fmt.Sprintf("from %s at the left over %s in the middle to %s at the right", f(lo),
		f(lo+(hi-lo)/2), f(hi))
}

// Tube draws a regression of one column: the fit f, the tube |y − f(x)| ≤ ε, and the slacks.
//
// The tube is a band with dashed edges. For each point outside, a segment from the edge to the
// point shows its slack ξ. Support vectors (β ≠ 0) are ringed. Any function can be drawn. The
// caption counts the points, and names support vectors strictly inside the tube, which no solution
// has.
func Tube(set *svmkit.Dataset, fit TubeFit) (*Figure, error) {
	if err := check.Targets(set, 1); err != nil {
		return nil, err
	}
	// a kernel's score is a sum over all support vectors, and is asked for a curve and in several
	// counts
	if fit.F != nil {
		fit.F = remembered{fit.F, map[float64]float64{}}
	}
	if err := fit.validate(set); err != nil {
		return nil, err
	}
	p, legend, shown := tubePlot(set, fit)
	f := &Figure{Plot: p, Legend: legend, Height: 4.2 * vg.Inch}
	f.Caption, f.Alt = fit.words(set)
	f.Caption += prose.Thinned(shown, set.Len(), "points")
	return f, nil
}

// remembered computes the score of each abscissa once.
type remembered struct {
	svmkit.Scorer
	scores map[float64]float64
}

func (r remembered) Score(x svmkit.Row) float64 {
	at := x.At(0)
	score, known := r.scores[at]
	if !known {
		score = r.Scorer.Score(x)
		r.scores[at] = score
	}
	return score
}

// manyPoints is the number of points from which marks are smaller and their lines thinner.
const manyPoints = 120

func pointScale(n int) vg.Length {
	if n > manyPoints {
		return 0.65
	}
	return 1
}

// tubePlot draws one fit and returns how many points it shows: all support vectors, and an
// even sample of the others if there are too many.
func tubePlot(set *svmkit.Dataset, t TubeFit) (p *plot.Plot, legend pen.Legend, shown int) {
	view, size := scalarView(set, []TubeFit{t}), pointScale(set.Len())
	width := 1.3 * float64(size)
	inside := pen.Marks{Mark: pen.Mark{Shape: pen.Disc, Fill: pen.PaleBlue, Edge: pen.Blue,
		Radius: 2.9 * size}}
	outside := pen.Marks{Mark: pen.Solid(pen.Square, pen.Vermillion, 2.6*size)}
	slack := pen.Segments{Style: pen.Line(pen.Vermillion, width, nil)}
	ringed := pen.Rings{Radius: 6 * size, Style: pen.Line(pen.Ink, width, nil)}

	var keep []int
	for i, b := range t.Beta {
		if b != 0 && len(keep) < pen.MaxRows {
			keep = append(keep, i)
		}
	}
	rows, edge := pen.Thin(set.Len(), pen.MaxRows, keep...), edgeOf(set)
	for _, i := range rows {
		f := t.F.Score(set.X[i])
		q := geom.Pt(set.X[i].At(0), set.Y[i])
		switch r := q.Y - f; {
		case r > t.Epsilon+edge:
			outside.At = append(outside.At, q)
			slack.Add(geom.Pt(q.X, f+t.Epsilon), q)
		case r < -t.Epsilon-edge:
			outside.At = append(outside.At, q)
			slack.Add(geom.Pt(q.X, f-t.Epsilon), q)
		default:
			inside.At = append(inside.At, q)
		}
		if t.Beta != nil && t.Beta[i] != 0 {
			ringed.At = append(ringed.At, q)
		}
	}
	p = scalarPlot(set)
	pen.Show(p, view)
	upper, lower := t.curve(view, t.Epsilon), t.curve(view, -t.Epsilon)
	fit := pen.Join(t.curve(view, 0), pen.Line(pen.Ink, 1.8, nil))
	rim := pen.Join(upper, pen.Line(pen.Faint, 1.2, pen.Dashed))
	tube := shadedTube{pen.Filled(geom.Strip(upper, lower), pen.PaleBand), rim.Style}
	p.Add(tube.Area, rim, pen.Join(lower, rim.Style), slack, inside, outside, fit, ringed)
	legend = pen.Legend{{Name: "$f(x)$", Mark: fit}, {Name: `tube $f(x) \pm \epsilon$`, Mark: tube}}
	for _, e := range []struct {
		n int
		pen.Entry
	}{{len(inside.At), pen.Entry{Name: "in the tube", Mark: inside}},
		{len(outside.At), pen.Entry{Name: `outside, slack $\xi$`, Mark: slackMark{slack, outside}}},
		{len(ringed.At), pen.Entry{Name: "support vector", Mark: ringed}}} {
		if e.n > 0 {
			legend = append(legend, e.Entry)
		}
	}
	return p, legend, len(rows)
}

// shadedTube is a band with its edges, for the legend.
type shadedTube struct {
	pen.Area
	rim draw.LineStyle
}

func (t shadedTube) Thumbnail(c *draw.Canvas) {
	t.Area.Thumbnail(c)
	c.StrokeLine2(t.rim, c.Min.X, c.Min.Y, c.Max.X, c.Min.Y)
	c.StrokeLine2(t.rim, c.Min.X, c.Max.Y, c.Max.X, c.Max.Y)
}

// slackMark is a point at the end of its segment, for the legend.
type slackMark struct {
	pen.Segments
	end pen.Marks
}

func (s slackMark) Thumbnail(c *draw.Canvas) {
	s.Segments.Thumbnail(c)
	s.end.Mark.Draw(c, vg.Point{X: c.Max.X - 3, Y: c.Center().Y})
}

func (t TubeFit) words(set *svmkit.Dataset) (caption, alt string) {
	c := t.count(set)
	out := c.above + c.below
	switch {
	case out == 0:
		caption = prose.Say("All %s lie in the tube f(x) ± %v: the loss is 0.",
			prose.Plural(set.Len(), "point"), t.Epsilon)
	case t.Epsilon == 0:
		caption = prose.Say("With ε = 0 the tube is the curve "+
			"itself: of %s, %s on it, %v above and %v below pay %v in all.",
			prose.Plural(set.Len(), "point"), prose.Are(c.inside), c.above, c.below, c.slack)
	default:
		caption = prose.Say("Of %s, %s in the tube f(x) ± %v and have no loss; "+
			"%v above it and %v below have the length of their segment as slack ξ, %v in all.",
			prose.Plural(set.Len(), "point"),
			prose.Are(c.inside), t.Epsilon, c.above, c.below, c.slack)
	}
	if t.Beta != nil {
		switch {
		case c.support == 0:
			caption += " There is no support vector."
		case c.misplaced > 0:
			caption += fmt.Sprintf(" Of %s (ringed), %s strictly inside of the tube: this is not "+
				"the solution.", prose.Plural(c.support, "support vector"), prose.Are(c.misplaced))
		case c.support == 1:
			caption += " The support vector (ringed) lies on the edge or outside."
		default:
			caption += fmt.Sprintf(" The %s (ringed) lie on the edge or outside.",
				prose.Plural(c.support, "support vector"))
		}
	}
	alt = prose.Say("Scatter plot of %s. The curve f runs "+
		"%s, in a pale band of half-width %v with dashed edges. %s in the band (circles); %v "+
		"above and %v below are squares, each joined to the band by a segment.", scalarWords(set),
		t.threeValues(set), t.Epsilon, prose.UpperFirst(prose.PointsAre(c.inside)), c.above, c.below)
	alt += prose.If(t.Beta != nil, " %s ringed.", prose.UpperFirst(prose.PointsAre(c.support)))
	return caption, alt
}

// Fits draws up to six functions of one column over the points that they were fitted to.
//
// They differ in colour, dash and name. The caption states the share of the points below each
// function: for a fit with ε = 0 and weights C₁ of scores that are too high and C₂ of scores that
// are too low, it is at most C₂/(C₁+C₂), and at least this value with the points on the curve. The
// tubes are not drawn.
func Fits(set *svmkit.Dataset, fits []TubeFit) (*Figure, error) {
	if err := cmp.Or(check.Targets(set, 1), check.Count("fits", len(fits), 1, len(pen.Styles),
		"fit")); err != nil {
		return nil, err
	}
	for _, t := range fits {
		if err := t.validate(set); err != nil {
			return nil, err
		}
	}
	view := scalarView(set, fits)
	p := scalarPlot(set)
	pen.Show(p, view)
	dots := pen.Marks{Mark: pen.Mark{Shape: pen.Disc, Fill: pen.PaleBlue, Edge: pen.Faint,
		Radius: 2.6}}
	if set.Len() > manyPoints {
		dots.Mark.Radius = 1.9
	}
	rows, edge := pen.Thin(set.Len(), pen.MaxRows), edgeOf(set)
	for _, i := range rows {
		dots.At = append(dots.At, geom.Pt(set.X[i].At(0), set.Y[i]))
	}
	p.Add(dots)
	f := &Figure{Plot: p, Height: 4.2 * vg.Inch}
	f.Alt = fmt.Sprintf("Scatter plot of %s, with %s.", scalarWords(set),
		prose.Plural(len(fits), "curve"))
	f.Caption = "Points below the curve, of " + prose.Count(set.Len()) + ":"
	for k, t := range fits {
		style := pen.Styles[k].Line
		style.Width = vg.Points(2)
		curve := pen.Join(t.curve(view, 0), style)
		p.Add(curve)
		f.Legend.Add(t.Name, curve)
		below, on := 0, 0
		for i, x := range set.X {
			switch r := set.Y[i] - t.F.Score(x); {
			case r < -edge:
				below++
			case r <= edge:
				on++
			}
		}
		name := prose.Plain(t.Name)
		f.Caption += prose.Say("%s %v for %s, with %v on it",
			[]string{"", ";"}[min(k, 1)], below, name, on)
		f.Alt += fmt.Sprintf(" %s: %s, with %s below it.", prose.UpperFirst(name), t.threeValues(set),
			prose.Plural(below, "point"))
	}
	f.Caption += "." + prose.Thinned(len(rows), set.Len(), "points")
	return f, nil
}

// Residuals draws the errors f(x) − y of a regression over the prediction f(x), for any number of
// columns.
//
// It also draws the tube |f(x) − y| ≤ ε. A fit that misses the shape of the data shows a bend or a
// slope here, and a fit whose errors grow shows a funnel.
func Residuals(set *svmkit.Dataset, f svmkit.Scorer, epsilon float64) (*Figure, error) {
	if err := check.Targets(set, 0); err != nil {
		return nil, err
	}
	fit := TubeFit{F: f, Epsilon: epsilon}
	if err := fit.validate(set); err != nil {
		return nil, err
	}
	n := set.Len()
	scores, errs := make([]float64, n), make([]float64, n)
	var absolute, squared, largest float64
	far := 0
	for i, x := range set.X {
		scores[i] = f.Score(x)
		errs[i] = scores[i] - set.Y[i]
		absolute += math.Abs(errs[i]) / float64(n)
		squared += errs[i] * errs[i] / float64(n)
		if math.Abs(errs[i]) > largest {
			largest, far = math.Abs(errs[i]), i
		}
	}
	rows, edge := pen.Thin(n, pen.MaxRows, far), edgeOf(set)
	size := pointScale(len(rows))
	inside := pen.Marks{Mark: pen.Mark{Shape: pen.Disc, Fill: pen.PaleBlue, Edge: pen.Blue,
		Radius: 2.9 * size}}
	outside := pen.Marks{Mark: pen.Solid(pen.Square, pen.Vermillion, 2.6*size)}
	view := geom.Empty().Cover(geom.Pt(scores[0], epsilon), geom.Pt(scores[0], -epsilon))
	for _, i := range rows {
		q := geom.Pt(scores[i], errs[i])
		view = view.Cover(q)
		if math.Abs(q.Y) <= epsilon+edge {
			inside.At = append(inside.At, q)
		} else {
			outside.At = append(outside.At, q)
		}
	}
	view.XMin, view.XMax = widened(view.XMin, view.XMax)
	view.YMin, view.YMax = widened(view.YMin, view.YMax)
	p := pen.NewPlot("prediction $f(x)$", "error $f(x) - y$")
	pen.Show(p, view)
	tube := pen.Filled(geom.Rect(view.XMin, view.XMax, -epsilon, epsilon).Corners(), pen.PaleBand)
	tube.Border = pen.Line(pen.Faint, 1.2, pen.Dashed)
	zero := pen.Join([]geom.Point{{X: view.XMin}, {X: view.XMax}}, pen.Line(pen.Ink, 1.4, nil))
	p.Add(tube, zero, inside, outside)
	c := fit.count(set)
	fig := &Figure{Plot: p, Legend: pen.Legend{{Name: "no error", Mark: zero},
		{Name: `tube $\pm\epsilon$`, Mark: tube}}}
	for _, e := range []pen.Entry{{Name: "in the tube", Mark: inside},
		{Name: "outside", Mark: outside}} {
		if len(e.Mark.(pen.Marks).At) > 0 {
			fig.Legend = append(fig.Legend, e)
		}
	}
	fig.Caption = prose.Say("Of %s, %s within %v of the prediction; "+
		"the mean absolute error is %v, the largest %v.",
		prose.Plural(n, "point"), prose.Are(c.inside), epsilon, absolute, largest)
	fig.Caption += prose.Thinned(len(rows), n, "points")
	fig.Alt = prose.Say("Scatter plot of the error f(x) − y (vertical) over the prediction f(x) "+
		"from %v to %v (horizontal), with a shaded band of half-width %v around the line 0. %s "+
		"in the band (circles), %v above it and %v below (squares). Mean absolute error %v, root "+
		"mean square %v; the largest error is %v, where the prediction is %v.", slices.Min(scores),
		slices.Max(scores), epsilon, prose.UpperFirst(prose.PointsAre(c.inside)),
		c.below, c.above, absolute, math.Sqrt(squared), errs[far], scores[far])
	return fig, nil
}
