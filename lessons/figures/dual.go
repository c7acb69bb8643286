package figures

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// AlphaBars draws one bar per row, from 0 to αᵢyᵢ: upwards for the class +1, downwards for −1.
//
// A row with a bar is a support vector, αᵢ > 0. A row without a bar does not contribute to w. If
// Σ αᵢyᵢ = 0, the bars of both sides add up to the same length. alpha holds one number ≥ 0 per row.
func AlphaBars(set *svmkit.Dataset, alpha []float64) (*plots.Figure, error) {
	if err := cmp.Or(set.ValidateBinary(), check.PerRow("alpha", alpha, set)); err != nil {
		return nil, err
	}
	var support []int
	up, down := 0.0, 0.0
	bars := map[float64]*pen.Segments{1: {Style: pen.Line(pen.Blue, 2.4, nil)},
		-1: {Style: pen.Line(pen.Vermillion, 2.4, nil)}}
	ends := map[float64]*pen.Marks{1: {Mark: pen.Positive}, -1: {Mark: pen.Negative}}
	view := geom.Rect(0.5, float64(set.Len())+0.5, 0, 0)
	for i, a := range alpha {
		if !(a >= 0 && a <= check.Max) {
			return nil, check.Data(i, svmkit.NoPlace, a, errAlpha)
		}
		if a == 0 {
			continue
		}
		support = append(support, i)
		y := set.Y[i]
		up, down = up+a*(1+y)/2, down+a*(1-y)/2
		tip := geom.Pt(float64(i+1), a*y)
		view = view.Cover(tip)
		bars[y].Add(geom.Point{X: tip.X}, tip)
		ends[y].At = append(ends[y].At, tip)
	}
	if d := view.YMax - view.YMin; d > 0 {
		view.YMin, view.YMax = view.YMin-0.15*d, view.YMax+0.15*d
	} else {
		view.YMin, view.YMax = -1, 1
	}
	p := pen.NewPlot("row", `$\alpha_i y_i$`)
	pen.Show(p, view)
	zero := pen.Join([]geom.Point{{X: view.XMin}, {X: view.XMax}}, pen.Line(pen.Faint, 1, nil))
	p.Add(zero, bars[-1], bars[1], ends[-1], ends[1])
	f := &plots.Figure{Plot: p, Width: pen.PhoneWidth, Height: 3.2 * vg.Inch,
		Legend: pen.Legend{{Name: pen.ClassName(set, 1), Mark: ends[1]},
			{Name: pen.ClassName(set, -1), Mark: ends[-1]}}}
	f.Caption = prose.Say("%s of %s carry the plane: %v above zero, %v below.",
		prose.UpperFirst(prose.Count(len(support))), prose.Plural(set.Len(), "point"), up, down)
	if math.Abs(up-down) <= isOne*max(up, down) {
		f.Caption = prose.Say("%v of %s carry the plane, and "+
			"the two classes pull equally hard: the bars add up to %v on either side.",
			len(support), prose.Plural(set.Len(), "point"), up)
	}
	f.Alt = prose.Say("Bar chart of αy over %s. %sall others are zero. Positive bars sum to %v, "+
		"negative ones to %v.", prose.Plural(set.Len(), "row"),
		prose.First(12, support, "and %v more; ", func(i int) string {
			return prose.Say("row %d: %v; ", i+1, alpha[i]*set.Y[i])
		}), up, -down)
	return f, nil
}

var errAlpha = fmt.Errorf("a dual variable must be at least 0 and finite")

// BiasMargin draws how the half-margin γ of planes of one direction depends on the bias.
//
// The upper panel has the set with the plane h and, if it separates the classes, the lines at its
// half-margin on both sides. The lower panel has γ over −b/‖w‖, the place of the plane along w, and
// marks the place of h. Each point gives a line of slope −1 (class +1) or +1 (class −1), and γ is
// the smallest of these lines. So γ is concave and piecewise linear.
//
// Both axes are the same for every b inside of the set. It is an error if the set is not planar,
// lacks a class or w = 0.
func BiasMargin(set *svmkit.Dataset, h svmkit.Hyperplane) (*plots.Figure, error) {
	if err := cmp.Or(check.Planar(set), set.ValidateBinary(), check.Plane(h, 2)); err != nil {
		return nil, err
	}
	h = h.Scale(1 / h.Norm())
	if err := check.Plane(h, 2); err != nil { // its place is too far away to draw
		return nil, err
	}
	low, high := math.Inf(1), math.Inf(-1)   // of all places along w
	plus, minus := math.Inf(1), math.Inf(-1) // the first place of class +1, the last one of −1
	for i, x := range set.X {
		place := x.Dot(h.W)
		low, high = min(low, place), max(high, place)
		if set.Y[i] > 0 {
			plus = min(plus, place)
		} else {
			minus = max(minus, place)
		}
	}
	gamma := func(place float64) float64 { return min(plus-place, place-minus) }
	here, top := -h.B, (plus+minus)/2
	low, high = min(low-0.1*(high-low), here), max(high+0.1*(high-low), here)
	value, best := gamma(here), gamma(top)

	rows := pen.Thin(set.Len(), pen.MaxRows)
	upper := pen.PlanarPlot(set)
	pen.Show(upper, geom.Extent(set).Grow(0.1))
	var legend pen.Legend
	border := pen.Plane(h, pen.Line(pen.Ink, 1.8, nil))
	if value > 0 {
		var edge pen.PlaneLine
		border, edge = addStreet(upper, h.Scale(1/value))
		legend.Add(`at the distance $\gamma$`, edge)
	} else {
		upper.Add(border)
	}
	legend = append(pen.Scatter(upper, set, rows, 1.2).With("plane", border), legend...)

	lower := pen.NewPlot(`place of the plane, $-b$`, `half-margin $\gamma$`)
	bottom := min(gamma(low), gamma(high))
	if best > 0 {
		bottom = -best
	}
	pen.Show(lower, geom.Rect(low, high, bottom, best+0.4*(best-bottom)))
	nearPlus := pen.Segment(geom.Pt(low, plus-low),
		geom.Pt(high, plus-high), pen.Line(pen.Blue, 1.2, pen.Dotted))
	nearMinus := pen.Segment(geom.Pt(low, low-minus),
		geom.Pt(high, high-minus), pen.Line(pen.Vermillion, 1.2, pen.Dashed))
	roof := pen.Join([]geom.Point{{X: low, Y: gamma(low)}, {X: top, Y: best},
		{X: high, Y: gamma(high)}}, pen.Line(pen.Green, 2.2, nil))
	mine := pen.Solid(pen.Diamond, pen.Ink, 4.5).At(geom.Pt(here, value))
	lower.Add(pen.Join([]geom.Point{{X: low}, {X: high}}, pen.Line(pen.Faint, 1, nil)),
		nearPlus, nearMinus, roof, mine)
	f := &plots.Figure{Panels: [][]*plot.Plot{{upper}, {lower}}, EqualUnits: true,
		Width: pen.PhoneWidth, Height: 6.6 * vg.Inch}
	f.Legend = legend.With(`$\gamma$`, roof).With("to the first of +1", nearPlus).
		With("to the first of −1", nearMinus).With("this plane", mine)
	switch {
	case value >= best-isOne*(high-low):
		f.Caption = prose.Say("The top, γ = %v: a point of either class is as near. To move "+
			"the plane either way brings it nearer to one of them, so no plane of this "+
			"direction does better.", value)
	case value <= 0:
		f.Caption = prose.Say("The plane does not separate the classes here: γ = %v.", value)
	case here < top:
		f.Caption = prose.Say("γ = %v: the nearest point is of class −1, and moving towards "+
			"the class +1 raises γ at the rate 1.", value)
	default:
		f.Caption = prose.Say("γ = %v: the nearest point is of class +1, and moving towards "+
			"the class −1 raises γ at the rate 1.", value)
	}
	f.Caption += prose.Thinned(len(rows), set.Len(), "points")
	f.Alt = prose.Say("Two panels. Above: scatter plot of %s over %s, with the plane "+
		"%s. Below: the half-margin γ over the place of the plane, which rises with slope 1 to "+
		"%v at %v and falls with slope −1 after it; a diamond marks the plane at %v, with γ = %v.",
		prose.Points(set), prose.Axes(set), prose.Equation(h), best, top, here, value)
	return f, nil
}

// triple holds three points of the plane, one of which is alone in its class.
//
// Because of Σ αᵢyᵢ = 0, the α of the lone point is the sum of the other two, s and t. So the dual
// of the hard margin is D(s, t) = 2(s + t) − ½‖s·u + t·v‖². Here u and v are the differences of the
// two points to the lone one.
type triple struct {
	set        *svmkit.Dataset
	lone, i, j int
	u, v       geom.Point
}

// DualTriple draws the dual problem of the hard margin for three points of the plane, two of one
// class and one of the other.
//
// The upper panel has the level lines of the dual over the two α of the pair, and rings alpha. The
// third α is their sum. The lower panel has the plane w = Σ αᵢyᵢxᵢ with the lines f = ±1; its bias
// is in the middle between the scores of the classes. A dotted line joins the lone point to the
// mean of the pair with the weights α. At the optimum it joins the nearest points of the hulls.
//
// The α must be feasible: three numbers ≥ 0 with Σ αᵢyᵢ = 0. It is an error if w = 0.
func DualTriple(set *svmkit.Dataset, alpha []float64) (*plots.Figure, error) {
	d, err := newTriple(set)
	if err != nil {
		return nil, err
	}
	h, err := d.plane(alpha)
	if err != nil {
		return nil, err
	}
	best, s, t := d.best(), alpha[d.i], alpha[d.j]
	value, height := d.dual(s, t), d.dual(best.X, best.Y)

	left := pen.NewPlot(fmt.Sprintf(`$\alpha_%d$`, d.i+1), fmt.Sprintf(`$\alpha_%d$`, d.j+1))
	// the same for a slider's positions near the optimum
	side := max(2*max(best.X, best.Y), 1.1*max(s, t))
	pen.Show(left, geom.Rect(-0.06*side, side, -0.06*side, side))
	var values []float64
	var written pen.Labels
	for _, q := range []float64{0.9, 0.6, 0.2, -0.6, -1.5, -3} {
		v := q * height
		values = append(values, v)
		if at := d.above(best, height-v); at.Y < side {
			written.Items = append(written.Items,
				pen.Label{At: at, Text: prose.Num(v), Colour: pen.Green})
		}
	}
	lines := pen.LevelLines{F: d.dual, Values: values, Style: pen.Line(pen.Green, 1, nil),
		First: true}
	forbidden := func(normal []float64) pen.Area {
		return pen.Area{Polygon: func(b geom.Box) []geom.Point {
			return geom.HalfPlane(b.Corners(), svmkit.Hyperplane{W: normal})
		}, Fill: pen.PaleRed}
	}
	negative := forbidden([]float64{-1, 0})
	top := pen.Solid(pen.Diamond, pen.Ink, 4.5).At(best)
	here := pen.RingAt(geom.Pt(s, t), 7, pen.Line(pen.Purple, 2, nil))
	left.Add(lines, negative, forbidden([]float64{0, -1}), top, here, written)

	view := geom.Extent(set).Grow(0.25)
	right := pen.PlanarPlot(set)
	pen.Show(right, view)
	border, edge := addStreet(right, h)
	mean := d.mean(s, t)
	apart := pen.Segment(geom.At(set.X[d.lone]), mean, pen.Line(pen.Ink, 1.4, pen.Dotted))
	right.Add(apart, pen.RingAt(mean, 4, pen.Line(pen.Ink, 1.4, nil)))
	classes := pen.Scatter(right, set, []int{0, 1, 2}, 1.2)
	names := pen.Labels{Clear: 8, Lines: []svmkit.Hyperplane{h}}
	for k, x := range set.X {
		names.Avoid = append(names.Avoid, geom.At(x))
		names.Items = append(names.Items, pen.Label{At: geom.At(x),
			Text: fmt.Sprintf(`$\alpha_%d = %s$`, k+1, prose.Num(alpha[k]))})
	}
	right.Add(names)

	f := &plots.Figure{Panels: [][]*plot.Plot{{left}, {right}}, EqualUnits: true,
		Width: pen.PhoneWidth, Height: 7.4 * vg.Inch}
	f.Legend = append(pen.Legend{{Name: "level lines of the dual, with values", Mark: lines},
		{Name: `$\alpha < 0$: not allowed`, Mark: negative}, {Name: "optimum", Mark: top},
		{Name: `this $\alpha$, dual ` + prose.Num(value), Mark: here}}, classes...).
		With("plane", border).With(`$f = \pm 1$`, edge).
		With(`hull points of the weights $\alpha$`, apart)
	f.Caption, f.Alt = d.words(alpha, h, best)
	return f, nil
}

func newTriple(set *svmkit.Dataset) (d triple, err error) {
	if err := cmp.Or(check.Planar(set), set.ValidateBinary()); err != nil {
		return d, err
	}
	if set.Len() != 3 {
		return d, check.Param("set", prose.Plural(set.Len(), "row"), "must have 3 rows")
	}
	for set.Y[d.lone] == set.Y[(d.lone+1)%3] || set.Y[d.lone] == set.Y[(d.lone+2)%3] {
		d.lone++
	}
	d.set, d.i, d.j = set, (d.lone+1)%3, (d.lone+2)%3
	d.i, d.j = min(d.i, d.j), max(d.i, d.j)
	from := geom.At(set.X[d.lone])
	way := func(i int) geom.Point {
		p := geom.At(set.X[i])
		return geom.Pt(p.X-from.X, p.Y-from.Y)
	}
	d.u, d.v = way(d.i), way(d.j)
	if hull := closestOn(d.u, d.v); hull == (geom.Point{}) {
		return d, check.Param("set", "three points", "must be separable: the lone point "+
			"lies between the other two, and the dual has no maximum")
	}
	return d, nil
}

// closestOn returns the point of the segment u–v nearest to the origin.
func closestOn(u, v geom.Point) geom.Point { return geom.Nearest(geom.Point{}, u, v) }

// dual returns D(s, t).
func (d triple) dual(s, t float64) float64 {
	x, y := s*d.u.X+t*d.v.X, s*d.u.Y+t*d.v.Y
	return 2*(s+t) - (x*x+y*y)/2
}

// mean returns the point of the pair's segment with the weights s and t, their sum not 0.
func (d triple) mean(s, t float64) geom.Point {
	from := geom.At(d.set.X[d.lone])
	return geom.Pt(from.X+(s*d.u.X+t*d.v.X)/(s+t), from.Y+(s*d.u.Y+t*d.v.Y)/(s+t))
}

// best returns the maximiser. With s + t = a and m the point of the segment u–v at the share
// of t, D = 2a − ½a²‖m‖²: the nearest m to the origin and a = 2/‖m‖² are best.
func (d triple) best() geom.Point {
	m := closestOn(d.u, d.v)
	a := 2 / (m.X*m.X + m.Y*m.Y)
	share := 0.0
	if length := geom.Distance(d.u, d.v); length > 0 {
		share = geom.Distance(d.u, m) / length
	}
	return geom.Pt(a*(1-share), a*share)
}

// above returns the point straight above the optimum where the dual is lower by drop. On that line
// it is a parabola.
func (d triple) above(best geom.Point, drop float64) geom.Point {
	square := d.v.X*d.v.X + d.v.Y*d.v.Y
	slope := 2 - (best.X*d.u.X+best.Y*d.v.X)*d.v.X - (best.X*d.u.Y+best.Y*d.v.Y)*d.v.Y
	return geom.Pt(best.X, best.Y+(slope+math.Sqrt(slope*slope+2*square*drop))/square)
}

// plane returns the plane of α.
func (d triple) plane(alpha []float64) (svmkit.Hyperplane, error) {
	if len(alpha) != 3 {
		return svmkit.Hyperplane{}, check.Param("alpha", alpha, "must be 3 numbers, one a row")
	}
	w, sum, size := []float64{0, 0}, 0.0, 0.0
	for i, a := range alpha {
		if !(a >= 0 && a <= check.Max) {
			return svmkit.Hyperplane{}, check.Param("alpha", a, "must be at least 0 and finite")
		}
		d.set.X[i].AddTo(w, a*d.set.Y[i])
		sum, size = sum+a*d.set.Y[i], max(size, a)
	}
	if math.Abs(sum) > valueRoundoff*size {
		return svmkit.Hyperplane{}, check.Param("alpha", alpha, "must satisfy Σαy = 0")
	}
	h := svmkit.Hyperplane{W: w}
	if err := check.Plane(h, 2); err != nil {
		return h, err
	}
	low, high := math.Inf(1), math.Inf(-1) // the least score of +1, the largest of −1
	for i, x := range d.set.X {
		if d.set.Y[i] > 0 {
			low = min(low, h.Score(x))
		} else {
			high = max(high, h.Score(x))
		}
	}
	h.B = -(low + high) / 2
	return h, nil
}

func (d triple) words(alpha []float64, h svmkit.Hyperplane, best geom.Point) (caption, alt string) {
	value, height := d.dual(alpha[d.i], alpha[d.j]), d.dual(best.X, best.Y)
	least := math.Inf(1)
	for i, x := range d.set.X {
		least = min(least, d.set.Y[i]*h.Score(x))
	}
	switch {
	case height-value <= isOne*height:
		caption = prose.Say("At the top of the dual, %v, the lines f = ±1 touch the points "+
			"and none lies between them.", height)
	case least < 1-isOne:
		caption = prose.Say("The dual is %v here, below its greatest value %v, and its plane "+
			"is not feasible: the smallest y·f(x) is %v.", value, height, least)
	default:
		caption = prose.Say("The dual is %v here, below its greatest value %v; its plane is "+
			"feasible, with a street narrower than it could be.", value, height)
	}
	alt = prose.Say("Two panels. Above: closed level lines of the dual over α%d "+
		"and α%d, with a diamond at the optimum %v, value %v, and a ring at (%v, %v), value %v; "+
		"negative α are shaded. Below: %s over %s, with the plane %s and dashed lines where f is "+
		"−1 and 1, %v apart; the smallest y·f(x) is %v. The three α are %v, %v and %v. A dotted "+
		"line of length %v joins point %d to the mean of the other two with their α as weights.",
		d.i+1, d.j+1, best, height, alpha[d.i], alpha[d.j], value, prose.Points(d.set),
		prose.Axes(d.set), prose.Equation(h), 2/h.Norm(), least, alpha[0], alpha[1],
		alpha[2], geom.Distance(geom.At(d.set.X[d.lone]), d.mean(alpha[d.i], alpha[d.j])), d.lone+1)
	return caption, alt
}

// PrimalDual draws the primal and the dual objective of a fit over its updates, and the duality gap
// below them.
//
// history holds the values that Settings.Progress received. The primal curve shows the best value
// so far. A plane that violates a hard margin has an infinite primal value, which is left out; the
// caption names the first finite one.
func PrimalDual(history []svmkit.Progress) (*plots.Figure, error) {
	if err := check.Some("history", len(history)); err != nil {
		return nil, err
	}
	var primal, dual, gap []geom.Point
	first := -1
	for k, h := range history {
		if math.IsNaN(h.Primal) || math.IsNaN(h.Dual) || math.IsInf(h.Dual, 0) ||
			math.IsInf(h.Primal, -1) {
			return nil, check.Data(k, svmkit.NoPlace, h.Dual, svmkit.ErrNotFinite)
		}
		if k > 0 && h.Updates < history[k-1].Updates {
			return nil, check.Data(k, svmkit.NoPlace, float64(h.Updates), check.ErrFalls)
		}
		x, d := float64(h.Updates), h.Dual
		if len(dual) > 0 {
			d = max(d, dual[len(dual)-1].Y)
		}
		dual = append(dual, geom.Pt(x, d))
		if math.IsInf(h.Primal, 1) && first < 0 {
			continue
		}
		best := h.Primal
		if first < 0 {
			first = k
		} else {
			best = min(best, primal[len(primal)-1].Y)
		}
		primal = append(primal, geom.Pt(x, best))
		if g := best - d; g > 0 {
			gap = append(gap, geom.Pt(x, g))
		}
	}
	if first < 0 {
		return nil, check.Param("history", "no finite primal",
			"must hold a certificate with a finite primal value")
	}
	last, bottom := history[len(history)-1], dual[len(dual)-1].Y
	end := primal[len(primal)-1].Y

	objectives := pen.NewPlot("updates", "objective")
	view := geom.Empty().Cover(dual...).Cover(geom.Pt(0, end))
	// The first primal may be a thousand times the optimum: it must not set the scale.
	span := max(end-dual[0].Y, 1e-9*math.Abs(end))
	view.YMax = min(primal[0].Y, end+1.2*span) + 0.1*span
	if view.XMax == view.XMin {
		view.XMax++
	}
	view.XMax += 0.02 * (view.XMax - view.XMin)
	view.YMin -= 0.05 * (view.YMax - view.YMin)
	pen.Show(objectives, view)
	upper := pen.Marked(primal, pen.Line(pen.Vermillion, 1.7, pen.Dashed),
		pen.Hollow(pen.Square, pen.Vermillion, 2.6))
	lower := pen.Marked(dual, pen.Line(pen.Blue, 1.7, nil), pen.Solid(pen.Disc, pen.Blue, 2.6))
	roof := slices.Clone(primal)
	for k := range roof {
		roof[k].Y = min(roof[k].Y, view.YMax)
	}
	between := pen.Filled(geom.Strip(roof, dual[first:]), pen.PaleBand)
	objectives.Add(between, upper.Path, lower.Path, upper.Dots(pen.MaxCurveMarks),
		lower.Dots(pen.MaxCurveMarks))

	f := &plots.Figure{Panels: [][]*plot.Plot{{objectives}},
		Legend: pen.Legend{{Name: "primal, best so far", Mark: upper}, {Name: "dual", Mark: lower},
			{Name: "the optimum is in here", Mark: between}}}
	ends := prose.Say("between %v and %v", bottom, end)
	if prose.Num(bottom) == prose.Num(end) {
		rest := math.Abs(end - bottom)
		if rest == 0 && len(gap) > 0 {
			rest = gap[len(gap)-1].Y // the last one above rounding
		}
		ends = fmt.Sprintf("they agree within %s",
			prose.Minus(strconv.FormatFloat(rest, 'g', 2, 64)))
	}
	f.Caption = fmt.Sprintf("Whatever the solver does, the optimum lies between the two curves: "+
		"after %s %s.", prose.Plural(last.Updates, "update"), ends)
	f.Alt = prose.Say("The dual (circles) rises from "+
		"%v to %v and the primal (squares) falls from %v to %v over %s.",
		dual[0].Y, bottom, primal[0].Y, end, prose.Plural(last.Updates, "update"))
	f.Caption += prose.If(first > 0, " The first plane with every point on its right side comes "+
		"after %s.", prose.Plural(history[first].Updates, "update"))
	if len(gap) > 1 {
		gaps := pen.NewPlot("updates", "gap")
		g := geom.Empty().Cover(gap...)
		g.XMin, g.XMax = view.XMin, view.XMax
		g.YMin, g.YMax = g.YMin/2, g.YMax*2
		pen.Show(gaps, g)
		pen.Logarithmic(&gaps.Y)
		closing := pen.Marked(gap, pen.Line(pen.Green, 1.6, pen.Dotted),
			pen.Solid(pen.Triangle, pen.Green, 3))
		gaps.Add(closing.Path, closing.Dots(pen.MaxCurveMarks))
		f.Panels = append(f.Panels, []*plot.Plot{gaps})
		f.Legend.Add("gap", closing)
		f.Width, f.Height = pen.PhoneWidth, 6.6*vg.Inch
		f.Alt = "Two panels. Above: " + f.Alt + prose.Say(" Below, on a logarithmic axis: "+
			"their difference shrinks from %v to %v.", gap[0].Y, gap[len(gap)-1].Y)
	}
	return f, nil
}

// Saddle is a function of a weight w and a dual variable α ≥ 0, convex in w, and the point
// that is claimed to be its saddle.
type Saddle struct {
	L                    func(w, alpha float64) float64
	WMin, WMax, AlphaMax float64   // the view: w from WMin to WMax, α from 0 to AlphaMax
	W, Alpha             float64   // the point, inside of the view
	Levels               []float64 // values of L whose level lines are drawn: 1 to 12
}

// SaddlePoint draws a claimed saddle point of L(w, α) among the level lines of L.
//
// Lines above the value of the point are solid, lines below it dashed. A thick line joins the
// minimisers of L over w for each α. The claim is tested on the lines through the point: L must not
// fall below its value there along w, nor rise above it along α. The caption reports the result.
func SaddlePoint(s Saddle) (*plots.Figure, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	view := geom.Rect(s.WMin, s.WMax, 0, s.AlphaMax)
	value := s.L(s.W, s.Alpha)
	lo, hi := math.Inf(1), math.Inf(-1)
	grid := geom.Grid{F: s.L, Over: view}
	for c := range geom.GridSteps + 1 {
		for r := range geom.GridSteps + 1 {
			lo, hi = min(lo, grid.Z(c, r)), max(hi, grid.Z(c, r))
		}
	}
	var above, below []float64
	var values pen.Labels
	for _, v := range s.Levels {
		colour := color.Color(pen.Blue)
		if v > value {
			above = append(above, v)
		} else {
			below, colour = append(below, v), pen.Vermillion
		}
		for _, at := range s.labelled(grid, v) {
			values.Items = append(values.Items,
				pen.Label{At: at, Text: prose.Num(v), Colour: colour})
		}
	}
	p := pen.NewPlot("weight $w$", `dual variable $\alpha$`)
	pen.Show(p, view)
	higher := pen.LevelLines{F: s.L, Values: above, Style: pen.Line(pen.Blue, 1.1, nil)}
	lower := pen.LevelLines{F: s.L, Values: below, Style: pen.Line(pen.Vermillion, 1.1, pen.Dashed)}
	level := pen.LevelLines{F: s.L, Values: []float64{value},
		Style: pen.Line(pen.Faint, 1.2, pen.Dotted)}
	valley := pen.Path{Style: pen.Line(pen.Green, 2, nil)}
	for r := range geom.GridSteps + 1 {
		a := grid.Y(r)
		valley.At = append(valley.At, geom.Pt(s.lowest(a), a))
	}
	here := pen.Solid(pen.Diamond, pen.Ink, 4.5).At(geom.Pt(s.W, s.Alpha))
	p.Add(higher, lower, level, valley, here, values,
		pen.Labels{Items: []pen.Label{{At: here.At[0], Text: "$L = " + prose.Num(value) + "$",
			Lean: geom.Pt(1, 0.4)}}, Avoid: here.At, Clear: 7})
	f := &plots.Figure{Plot: p, Width: pen.PhoneWidth, Height: 4.2 * vg.Inch,
		Legend: pen.Legend{{Name: "$L$ higher", Mark: higher}, {Name: "$L$ lower", Mark: lower},
			{Name: "as high as the saddle", Mark: level},
			{Name: `$\min_w L$ for each $\alpha$`, Mark: valley}, {Name: "saddle", Mark: here}}}
	if s.holds() {
		f.Caption = prose.Say("A saddle: along w the point (%v, %v) is the lowest, along α "+
			"none is higher. Following the valley, the least L over w rises to its greatest "+
			"value, %v, there.", s.W, s.Alpha, value)
	} else {
		f.Caption = prose.Say("The point (%v, %v) is no saddle: L falls below %v along w or "+
			"rises above it along α.", s.W, s.Alpha, value)
		f.Legend[4].Name = "no saddle"
	}
	f.Alt = prose.Say("Level lines of L over w from %v to %v (horizontal) and "+
		"α from 0 to %v (vertical). A diamond at (%v, %v) has L = %v; solid lines are higher, "+
		"dashed ones lower, each with its value; L is between %v and %v. A thick line joins "+
		"the lowest point of each row, from w = %v at α = 0 to w = %v at the top.", s.WMin, s.WMax,
		s.AlphaMax, s.W, s.Alpha, value, lo, hi, valley.At[0].X, valley.At[geom.GridSteps].X)
	return f, nil
}

// labelled returns where the value of a level line is written: on each of its branches, the place
// farthest from the saddle that is not at the border.
func (s Saddle) labelled(grid geom.Grid, value float64) (places []geom.Point) {
	w, h := s.WMax-s.WMin, s.AlphaMax
	for _, branch := range grid.Level(value) {
		far, most := geom.Point{}, 0.0
		for _, q := range branch {
			x, y := (q.X-s.WMin)/w, q.Y/h
			if d := math.Hypot((q.X-s.W)/w, (q.Y-s.Alpha)/h); d > most &&
				min(x, 1-x, y, 1-y) > 0.06 {
				far, most = q, d
			}
		}
		if most > 0 {
			places = append(places, far)
		}
	}
	return places
}

// valueRoundoff bounds the relative roundoff of the values of L.
const valueRoundoff = 1e-9

// holds tests the two inequalities on a fine grid of the lines through the point.
func (s Saddle) holds() bool {
	value := s.L(s.W, s.Alpha)
	for k := range 1001 {
		t := float64(k) / 1000
		along, up := s.L(s.WMin+t*(s.WMax-s.WMin), s.Alpha), s.L(s.W, t*s.AlphaMax)
		tol := valueRoundoff * max(1, math.Abs(value), math.Abs(along), math.Abs(up))
		if along < value-tol || up > value+tol {
			return false
		}
	}
	return true
}

// lowest returns the w of the range with the least L(w, α), by ternary search: L is convex.
func (s Saddle) lowest(alpha float64) float64 {
	a, b := s.WMin, s.WMax
	for range 100 {
		m, n := a+(b-a)/3, b-(b-a)/3
		if s.L(m, alpha) < s.L(n, alpha) {
			b = n
		} else {
			a = m
		}
	}
	return math.Round((a+b)/2*1e6) / 1e6 // the search is exact to the square root of the roundoff
}

func (s Saddle) validate() error {
	switch {
	case s.L == nil:
		return check.Param("L", nil, "must be a function")
	case !(s.WMin < s.W && s.W < s.WMax && -check.Max < s.WMin && s.WMax < check.Max):
		return check.Param("W", s.W, "must lie between WMin and WMax, both finite")
	case len(s.Levels) == 0:
		return check.Some("Levels", 0)
	case !(0 <= s.Alpha && s.Alpha < s.AlphaMax && s.AlphaMax < check.Max):
		return check.Param("Alpha", s.Alpha,
			"must be at least 0 and below AlphaMax, which is finite")
	}
	return cmp.Or(check.Levels(s.Levels, pen.MaxLevels),
		check.Surface("L", s.L, geom.Rect(s.WMin, s.WMax, 0, s.AlphaMax)))
}

// The marks of support vectors are larger than the marks of their classes and have a dark edge.
var (
	positiveSupport = pen.Mark{Shape: pen.Disc, Fill: pen.Blue, Edge: pen.Ink, Radius: 4.6}
	negativeSupport = pen.Mark{Shape: pen.Square, Fill: pen.Vermillion, Edge: pen.Ink, Radius: 4.2}
)

// narrowStreet is the width of a street, as a part of the longer side of the picture, below which
// a second panel shows it from close up.
const narrowStreet = 0.08

// closeUpMargin is the space around the support vectors in the second panel, in widths of the
// street.
const closeUpMargin = 2.2

// SupportVectors draws a 2-D set with the lines f = ±1 of the plane h. Support vectors, α > 0, have
// larger marks with a dark edge; points on these lines with α = 0 a dotted ring. Where the street
// is narrow a second panel shows the support vectors from close up.
//
// alpha holds one number ≥ 0 a row. It is an error if the set is not planar or w = 0.
func SupportVectors(set *svmkit.Dataset, h svmkit.Hyperplane, alpha []float64) (*plots.Figure,
	error) {
	if err := cmp.Or(check.Planar(set), check.Plane(h, 2),
		check.PerRow("alpha", alpha, set)); err != nil {
		return nil, err
	}
	onLine := pen.Rings{Style: pen.Line(pen.Faint, 1.8, pen.Dotted)}
	plus, minus := pen.Marks{Mark: positiveSupport}, pen.Marks{Mark: negativeSupport}
	var keep, support []int
	off, around := 0, geom.Empty()
	for i, x := range set.X {
		onEdge := math.Abs(set.Y[i]*h.Score(x)-1) <= isOne
		switch a := alpha[i]; {
		case !(a >= 0 && a <= check.Max):
			return nil, check.Data(i, svmkit.NoPlace, a, errAlpha)
		case a > 0:
			support, around = append(support, i), around.Cover(geom.At(x))
			if !onEdge {
				off++
			}
		case onEdge:
			onLine.At, keep = append(onLine.At, geom.At(x)), append(keep, i)
		}
	}
	plus.At, minus.At = geom.OfClass(set, support, 1), geom.OfClass(set, support, -1)
	rows := pen.Thin(set.Len(), pen.MaxRows, append(keep, support...)...)
	if len(rows) > 150 { // as scatter does
		plus.Mark.Radius, minus.Mark.Radius = 0.65*plus.Mark.Radius, 0.65*minus.Mark.Radius
	}
	f := &plots.Figure{EqualUnits: true, Width: pen.PhoneWidth, Height: 4.4 * vg.Inch}
	panel := func(view geom.Box) (p *plot.Plot, legend pen.Legend) {
		p = pen.PlanarPlot(set)
		pen.Show(p, view)
		border, edge := addStreet(p, h)
		legend = pen.Scatter(p, set, rows, 1).With("plane", border).With(`$f = \pm 1$`, edge)
		for _, s := range []struct {
			name string
			pen.Marks
		}{{`$y = +1$, $\alpha > 0$`, plus}, {`$y = -1$, $\alpha > 0$`, minus}} {
			if len(s.At) > 0 {
				p.Add(s.Marks)
				legend.Add(s.name, s.Marks)
			}
		}
		if len(onLine.At) > 0 {
			p.Add(onLine)
			legend.Add(`$y f = 1$, $\alpha = 0$`, onLine)
		}
		return p, legend
	}
	whole := geom.Extent(set).Grow(0.12)
	street := 2 / h.Norm()
	f.Plot, f.Legend = panel(whole)
	closeUp := ""
	if side := max(whole.XMax-whole.XMin, whole.YMax-whole.YMin); len(support) > 0 &&
		street < narrowStreet*side {
		near := geom.Rect(around.XMin-closeUpMargin*street,
			around.XMax+closeUpMargin*street, around.YMin-closeUpMargin*street, around.YMax+closeUpMargin*street)
		p, _ := panel(near)
		f.Panels, f.Plot, f.Height = [][]*plot.Plot{{f.Plot}, {p}}, nil, 7.4*vg.Inch
		closeUp = " A second panel shows the support vectors from close up."
	}
	n := len(support)
	f.Caption = fmt.Sprintf("Of %s, %s α > 0 (large marks with a dark edge)",
		prose.Plural(set.Len(), "point"), prose.Have(n))
	switch {
	case off > 0:
		f.Caption += fmt.Sprintf(", of which %s off the lines f = ±1.", prose.Are(off))
	case len(onLine.At) > 0:
		f.Caption += fmt.Sprintf("; %s on the lines f = ±1 with α = 0 (dotted rings): a point "+
			"on the margin need not be a support vector.", prose.Are(len(onLine.At)))
	default:
		f.Caption += ", all on the lines f = ±1: the street stands on these alone."
	}
	f.Caption += prose.Thinned(len(rows), set.Len(), "points")
	f.Alt = prose.Say("Scatter plot of %s over %s, with the plane %s and dashed lines where f "+
		"is −1 and 1, %v apart.", prose.Points(set), prose.Axes(set), prose.Equation(h), street)
	f.Alt += prose.First(8, support, " And %v more large marks.", func(i int) string {
		return prose.Say(" A large mark with a dark edge at %v, class %s.", geom.At(set.X[i]),
			prose.Signed(set.Y[i]))
	})
	f.Alt += prose.If(len(onLine.At) > 0, " %s on a dashed line have a dotted ring.",
		prose.UpperFirst(prose.Plural(len(onLine.At), "other point")))
	f.Alt += closeUp
	return f, nil
}
