package figures

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// offLine is the violation above which a row is crossed out, relative to 1 in classification and
// to the largest residual in regression. Smaller ones cannot be seen.
const offLine = 0.01

// KKT draws the optimality conditions of Karush, Kuhn and Tucker with one point per row, and the
// broken line on which all points of a solution lie.
//
// With the hinge loss the axes are y·f(x) and α = βy: α is C left of 1, anything from 0 to C
// at 1, and 0 right of it. With the ε-insensitive loss they are the residual y − f(x) and β: −C
// left of −ε, 0 between −ε and ε, C right of ε. Where rows have bounds of their own,
// the vertical axis is in units of these. Rows off the line, by more than 0.01 (in
// regression, 0.01 of the largest residual), are crossed out. Rows of weight 0 are left out.
//
// beta holds one number per row. model and beta may come from any solver; for an [*svm.Result] r
// pass r and r.Beta. Other losses have no such line: they are a *svmkit.ParamError.
func KKT(problem *svm.Problem, model svmkit.Scorer, beta []float64) (*plots.Figure, error) {
	k, err := newConditions(problem, model, beta)
	if err != nil {
		return nil, err
	}
	p := pen.NewPlot(`functional margin $y\,f(x)$`, `$\alpha$`)
	if k.regression {
		p.X.Label.Text, p.Y.Label.Text = `residual $y - f(x)$`, `$\beta$`
	}
	p.Y.Label.Text += prose.If(k.relative, ", in units of its bound")
	view := geom.Empty().Cover(k.at...).Cover(geom.Point{})
	if !math.IsInf(k.top, 1) {
		view = view.Cover(geom.Point{Y: k.top})
	}
	if k.regression {
		view = view.Cover(geom.Point{X: 1.4 * k.epsilon}, geom.Point{X: -1.4 * k.epsilon})
		if !math.IsInf(k.bottom, 1) {
			view = view.Cover(geom.Point{Y: -k.bottom})
		}
	} else {
		view = view.Cover(geom.Point{X: 1.2})
	}
	w, h := 0.05*(view.XMax-view.XMin), 0.08*(view.YMax-view.YMin)
	if w == 0 {
		w = 0.1 // regression with ε = 0 and every residual 0
	}
	if h == 0 {
		h = 0.1 // a hard margin without any α
	}
	view = view.Pad(w, h)
	pen.Show(p, view)
	ideal := pen.Join(k.ideal(view), pen.Line(pen.Faint, 2.4, nil))
	p.Add(ideal)
	pale := color.RGBA{0xf7, 0xdd, 0x9d, 0xff} // no class has these colours
	markOf := [3]pen.Mark{atZero: {Shape: pen.Disc, Fill: color.White, Edge: pen.Ink, Radius: 3},
		isFree:  {Shape: pen.Diamond, Fill: pale, Edge: pen.Ink, Radius: 3.6},
		atBound: {Shape: pen.Square, Fill: color.White, Edge: pen.Ink, Radius: 2.4}}
	var off []int
	for i, d := range k.violation {
		if d > k.tolerance {
			off = append(off, i)
		}
	}
	nothing := prose.Either(k.regression, `$\beta = 0$`, `$\alpha = 0$`)
	rows := pen.Thin(len(k.at), pen.MaxRows, off[:min(len(off), pen.MaxRows)]...)
	f := &plots.Figure{Plot: p, Height: 4 * vg.Inch,
		Legend: pen.Legend{{Name: "KKT conditions", Mark: ideal}}}
	for s, name := range []string{nothing, "free", "at the bound"} {
		cloud := pen.Marks{Mark: markOf[s]}
		for _, i := range rows {
			if k.state[i] == weightState(s) {
				cloud.At = append(cloud.At, k.at[i])
			}
		}
		p.Add(cloud)
		f.Legend.Add(name, cloud)
	}
	if len(off) > 0 {
		crossed := pen.Marks{Mark: pen.Solid(pen.Saltire, pen.Vermillion, 5.4)}
		for _, i := range pen.Some(off, pen.MaxRows) {
			crossed.At = append(crossed.At, k.at[i])
		}
		p.Add(crossed)
		f.Legend.Add("off the line", crossed)
	}
	f.Caption, f.Alt = k.words(len(off))
	f.Caption += prose.Thinned(len(rows), len(k.at), "rows")
	return f, nil
}

// conditions holds the place of each row relative to the KKT conditions.
type conditions struct {
	regression bool
	epsilon    float64
	// the upper and lower end of the box on the vertical axis; Inf for a hard margin
	top, bottom float64
	relative    bool // the vertical axis is in units of each row's own bound

	at        []geom.Point
	state     []weightState
	violation []float64 // distance of the score from those that β is optimal for
	tolerance float64
}

func newConditions(problem *svm.Problem, model svmkit.Scorer, beta []float64) (*conditions, error) {
	if err := problem.Validate(); err != nil {
		return nil, err
	}
	k := &conditions{regression: problem.Regression()}
	switch l := problem.Loss.(type) {
	case nil, loss.Hinge:
	case loss.EpsInsensitive:
		k.epsilon = l.Epsilon
	default:
		return nil, check.Param("Loss", fmt.Sprintf("%T", l),
			"must be Hinge or EpsInsensitive: the conditions of others have no corners")
	}
	set := problem.Data
	if err := check.PerRow("beta", beta, set); err != nil {
		return nil, err
	}
	scores, err := check.Scores(model, set.X)
	if err != nil {
		return nil, err
	}
	k.scale(problem.C, set)
	widest := 0.0
	for i, f := range scores {
		if set.RowWeight(i) == 0 {
			continue
		}
		if err := cmp.Or(check.Finite(i, svmkit.NoPlace, f),
			check.Finite(i, svmkit.NoPlace, set.Y[i])); err != nil {
			return nil, err
		}
		above, below := bounds(problem.C, set, i, k.regression)
		if err := k.add(i, set.Y[i], f, beta[i], above, below); err != nil {
			return nil, err
		}
		widest = max(widest, math.Abs(k.at[len(k.at)-1].X))
	}
	k.tolerance = offLine
	if k.regression {
		k.tolerance = offLine * widest
	}
	return k, nil
}

// bounds returns the bounds of row i, whose weight is positive. In regression they are the bounds of
// β below and above zero; in classification both are the bound of α = βy.
func bounds(c svm.Cost, set *svmkit.Dataset, i int, regression bool) (above, below float64) {
	weight := one(c.C) * set.RowWeight(i)
	positive, negative := weight*one(c.Positive), weight*one(c.Negative)
	switch {
	case regression: // β < 0 is α⁺, of a score above the tube
		return negative, positive
	case set.Y[i] > 0:
		return positive, positive
	}
	return negative, negative
}

// one returns a factor that is 1 if it was left at zero.
func one(v float64) float64 {
	if v == 0 {
		return 1
	}
	return v
}

// scale sets the ends of the vertical axis: C itself if all rows share it.
func (k *conditions) scale(c svm.Cost, set *svmkit.Dataset) {
	for i := range set.X {
		if set.RowWeight(i) == 0 {
			continue
		}
		a, b := bounds(c, set, i, k.regression)
		if k.top == 0 { // the first
			k.top, k.bottom = a, b
		}
		if a != k.top || b != k.bottom {
			k.relative = !math.IsInf(k.top, 1)
		}
	}
	if k.relative {
		k.top, k.bottom = 1, 1
	}
}

// add places row i. The scores that β is optimal for are a half-line or a single number; its
// violation is how far the score is from them.
func (k *conditions) add(i int, y, f, beta, above, below float64) error {
	x, v, upper := y*f, beta*y, above
	edge, side := 1.0, 1.0 // where the line is vertical; the sign of β in regression
	if k.regression {
		x, v = y-f, beta
		if beta < 0 {
			side, upper = -1, below
		}
		edge = k.epsilon
	}
	size := side * v // α ≥ 0
	tolerance := boundTolerance
	if !math.IsInf(upper, 1) {
		tolerance = boundTolerance * upper
	}
	if !(size >= -tolerance && size <= upper+tolerance && size <= check.Max) {
		return check.Data(i, svmkit.NoPlace, beta, errOutsideBox)
	}
	state, violation := isFree, math.Abs(side*x-edge)
	switch {
	case size <= tolerance:
		state = atZero
		violation = max(0, edge-x)
		if k.regression {
			violation = max(0, math.Abs(x)-edge)
		}
	case size >= upper-tolerance:
		state = atBound
		violation = max(0, x-edge)
		if k.regression {
			violation = max(0, edge-side*x)
		}
	}
	if k.relative {
		v /= upper
	}
	k.at, k.state, k.violation = append(k.at, geom.Pt(x, v)), append(k.state, state),
		append(k.violation, violation)
	return nil
}

// ideal returns the broken line, as far as the view reaches.
func (k *conditions) ideal(view geom.Box) []geom.Point {
	top, bottom := min(k.top, view.YMax), min(k.bottom, -view.YMin)
	if !k.regression {
		line := []geom.Point{{X: view.XMin, Y: top}, {X: 1, Y: top}, {X: 1}, {X: view.XMax}}
		if math.IsInf(k.top, 1) { // left of 1 a hard margin allows nothing
			return line[1:]
		}
		return line
	}
	line := []geom.Point{{X: view.XMin, Y: -bottom}, {X: -k.epsilon, Y: -bottom}, {X: -k.epsilon},
		{X: k.epsilon}, {X: k.epsilon, Y: top}, {X: view.XMax, Y: top}}
	if math.IsInf(k.top, 1) {
		return line[1:5]
	}
	return line
}

func (k *conditions) words(off int) (caption, alt string) {
	var n [3]int
	worst := 0.0
	for i, s := range k.state {
		n[s]++
		worst = max(worst, k.violation[i])
	}
	name, where := "α", [3]string{"y·f ≥ 1", "y·f = 1", "y·f ≤ 1"}
	axes := "y·f(x) (horizontal) and α (vertical)"
	if k.regression {
		name, where = "β", [3]string{"inside the tube", "on its edge", "outside"}
		axes = "the residual y − f(x) (horizontal) and β (vertical)"
	}
	rows := prose.Plural(len(k.state), "row")
	if off == 0 {
		caption = prose.Say("All of %s lie on the broken line of the optimality conditions: "+
			"%s %s = 0 (%s), %s free (%s), %v at the bound (%s). The farthest is off by %v.",
			rows, prose.Have(n[atZero]), name, where[atZero],
			prose.Are(n[isFree]), where[isFree], n[atBound], where[atBound], prose.Tidy(worst))
	} else {
		caption = prose.Say("Of %s, %s off the broken line "+
			"of the optimality conditions by more than %v (crosses), the worst by "+
			"%v: this is no solution. %s %s = 0, %s free, %v at the bound.", rows, prose.Are(off),
			k.tolerance, worst, prose.Have(n[atZero]), name, prose.Are(n[isFree]), n[atBound])
	}
	b := geom.Empty().Cover(k.at...)
	alt = prose.Say("Scatter plot of %s over %s, from %v to %v and from %v to %v. ",
		rows, axes, b.XMin, b.XMax, b.YMin, b.YMax)
	switch {
	case k.regression && math.IsInf(k.top, 1):
		alt += prose.Say("A broken line comes up at −%v, runs at height 0 to %v and goes on "+
			"upwards.", k.epsilon, k.epsilon)
	case k.regression:
		alt += prose.Say("A broken line runs at height −%v up to −%v, at 0 up to %v, and at "+
			"%v beyond.", k.bottom, k.epsilon, k.epsilon, k.top)
	case math.IsInf(k.top, 1):
		alt += "A broken line comes down at 1 and runs on at height 0."
	default:
		alt += prose.Say("A broken line runs at height %v up to 1, falls to 0 there, and stays.",
			k.top)
	}
	alt += prose.Say(" Circles are at zero (%v), diamonds free (%v), "+
		"squares at the bound (%v); %s crossed out. The largest distance from the line is %v.",
		n[atZero], n[isFree], n[atBound], prose.Are(off), prose.Tidy(worst))
	return caption, alt
}

// SoftFit is a soft margin for [SoftStreet] and [CStrip]: its plane, its dual weights, one number
// between 0 and C a row, and C > 0, the cost of a unit of slack.
type SoftFit struct {
	Plane svmkit.Hyperplane
	Alpha []float64
	C     float64
}

// SoftStreet draws a 2-D set with the lines f = 0 and f = ±1 of a soft margin. From each point on
// the wrong side of the line f = y of its class a segment leads to that line: the slack, ξ/‖w‖
// long. Rings mark the free points, 0 < α < C; larger marks with a dark edge those at the bound, α
// = C. With w = 0 there are no lines.
//
// It is an error if the set is not planar, or if some α is not from 0 to C.
func SoftStreet(set *svmkit.Dataset, fit SoftFit) (*plots.Figure, error) {
	s, err := newSoft(set, fit)
	if err != nil {
		return nil, err
	}
	f := &plots.Figure{EqualUnits: true, Width: pen.PhoneWidth, Height: 4.6 * vg.Inch}
	f.Plot, f.Legend = s.panel(geom.Extent(set).Grow(0.15))
	f.Caption = prose.Say("C = %v: %s", fit.C, s.claim())
	f.Alt = fmt.Sprintf("Scatter plot of %s over %s. %s%s", prose.Points(set), prose.Axes(set),
		s.lines(), s.places())
	return f, nil
}

// CStrip draws the soft margins of one 2-D set side by side, up to 12, each as [SoftStreet] does,
// on the same axes without numbers, with its C above it.
//
// It is an error if there are no fits or more than 12, or if SoftStreet refuses one of them.
func CStrip(set *svmkit.Dataset, fits []SoftFit) (*plots.Figure, error) {
	if err := check.Count("fits", len(fits), 1, pen.MaxPanels, "fit"); err != nil {
		return nil, err
	}
	const columns = 2 // on a phone
	f := &plots.Figure{EqualUnits: true, Width: pen.PhoneWidth,
		Height: vg.Length(1.2+1.9*float64((len(fits)+1)/columns)) * vg.Inch}
	for k, fit := range fits {
		s, err := newSoft(set, fit)
		if err != nil {
			return nil, err
		}
		var p *plot.Plot
		p, f.Legend = s.panel(geom.Extent(set).Grow(0.12))
		pen.Bare(p).Title.Text = "$C = " + prose.Num(fit.C) + "$"
		if k%columns == 0 {
			f.Panels = append(f.Panels, make([]*plot.Plot, columns))
		}
		f.Panels[k/columns][k%columns] = p
		if k > 0 {
			f.Caption += " "
			f.Alt += " "
		} else {
			f.Alt = fmt.Sprintf("%s, each a scatter plot of %s over %s. ",
				prose.UpperFirst(prose.Plural(len(fits), "panel")), prose.Points(set),
				prose.Axes(set))
		}
		f.Caption += prose.Say("C = %v: %s", fit.C, s.claim())
		f.Alt += prose.Say("C = %v: %s%s", fit.C, s.lines(), s.places())
	}
	return f, nil
}

// soft is a soft margin with its points sorted by α.
type soft struct {
	set         *svmkit.Dataset
	fit         SoftFit
	free, bound []int
	slack       []float64 // ξ of each row
	total       float64   // Σξ
	wrong       int       // rows with y·f ≤ 0
	flat        bool      // w = 0
}

func newSoft(set *svmkit.Dataset, fit SoftFit) (s soft, err error) {
	if err := cmp.Or(check.Planar(set), check.MaybePlane(fit.Plane, 2),
		check.PerRow("alpha", fit.Alpha, set), checkWeights(fit.Alpha, fit.C)); err != nil {
		return s, err
	}
	s = soft{set: set, fit: fit, slack: make([]float64, set.Len()), flat: geom.IsZero(fit.Plane)}
	for i, a := range fit.Alpha {
		switch stateOf(a, fit.C) {
		case atBound:
			s.bound = append(s.bound, i)
		case isFree:
			s.free = append(s.free, i)
		}
		m := set.Y[i] * fit.Plane.Score(set.X[i])
		s.slack[i] = max(0, 1-m)
		s.total += s.slack[i]
		if m <= 0 {
			s.wrong++
		}
	}
	return s, nil
}

// panel returns the plot and its legend, which is the same for all fits, so that a slider does not
// move the axes.
func (s soft) panel(view geom.Box) (*plot.Plot, pen.Legend) {
	p := pen.PlanarPlot(s.set)
	pen.Show(p, view)
	border, edge := pen.PlaneLine{Style: pen.Line(pen.Ink, 1.8, nil)},
		pen.PlaneLine{Style: pen.Line(pen.Faint, 1.3, pen.Dashed)}
	slacks := pen.Segments{Style: pen.Line(pen.Green, 1.8, nil)}
	if !s.flat {
		border, edge = addStreet(p, s.fit.Plane)
		for i, xi := range s.slack {
			if xi > isOne {
				from := geom.At(s.set.X[i])
				slacks.From = append(slacks.From, from)
				slacks.To = append(slacks.To, geom.Foot(geom.Shifted(s.fit.Plane,
					s.set.Y[i]/s.fit.Plane.Norm()), from))
			}
		}
		p.Add(slacks)
	}
	legend := pen.Scatter(p, s.set, pen.Thin(s.set.Len(), pen.MaxRows,
		append(s.free, s.bound...)...), 1.1)
	plus, minus := positiveSupport.At(geom.OfClass(s.set, s.bound, 1)...),
		negativeSupport.At(geom.OfClass(s.set, s.bound, -1)...)
	ringed := pen.Rings{Style: pen.Line(pen.Ink, 1.5, nil)}
	ringed.At = append(ringed.At, geom.Rows(s.set, s.free)...)
	p.Add(minus, plus, ringed)
	return p, legend.With("$f = 0$", border).With(`$f = \pm 1$`, edge).
		With(`$y = +1$, $\alpha = C$`, plus).With(`$y = -1$, $\alpha = C$`, minus).
		With(`$0 < \alpha < C$`, ringed).With(`slack, $\xi/\|w\|$ long`, slacks)
}

// claim is what the picture shows, in a sentence.
func (s soft) claim() string {
	width := prose.Either(!s.flat,
		"a street "+prose.Num(2/s.fit.Plane.Norm())+" wide", "no street, as w = 0")
	return prose.Say("%s, slacks that add up to %v, %s on the wrong side or on f = 0.",
		width, prose.Tidy(s.total), prose.Plural(s.wrong, "point"))
}

func (s soft) lines() string {
	if s.flat {
		return "No line is drawn."
	}
	return prose.Say("A solid line where f is 0, %s, and dashed lines where f is −1 and 1, %v "+
		"apart.", prose.Equation(s.fit.Plane), 2/s.fit.Plane.Norm())
}

// places lists the marked points.
func (s soft) places() string {
	const named = 8
	return prose.First(named, s.free, " And %v more rings.", func(i int) string {
		return prose.Say(" A ring at %v.", geom.At(s.set.X[i]))
	}) + prose.First(named, s.bound, " And %v more large marks.", func(i int) string {
		return prose.Say(" A large mark with a dark edge at %v, class %s, slack %v.",
			geom.At(s.set.X[i]), prose.Signed(s.set.Y[i]), prose.Tidy(s.slack[i]))
	})
}

// AlphaPath draws the dual weights of a soft margin over C: alpha[k] holds one number per row for the
// cost c[k]. Costs rise, and what lies between two of them is drawn straight, so for an exact path
// c holds the places where a weight changes its slope; a curve has marks where its own does.
// Nothing is above the line α = C. Rows whose weights are equal throughout share a curve; there may
// be up to six curves.
//
// It is an error if the costs do not rise from 0 or more, or if a weight is not from 0 to C.
func AlphaPath(c []float64, alpha [][]float64) (*plots.Figure, error) {
	if len(c) < 2 || len(alpha) != len(c) {
		return nil, check.Param("alpha", prose.Plural(len(alpha), "row"),
			"must be one for each of two or more costs, not of %d", len(c))
	}
	if err := check.Rising("c", c, 0); err != nil {
		return nil, err
	}
	n := len(alpha[0])
	for k, row := range alpha {
		if len(row) != n {
			return nil, check.Param("alpha", prose.Plural(len(row), "number"),
				"must be as many for each cost: %s", prose.Count(n))
		}
		if err := check.Each(row, 0, c[k]+boundTolerance*c[k], errOutsideBox); err != nil {
			return nil, err
		}
	}
	curves, names := alphaCurves(alpha)
	if err := check.Count("alpha", len(curves), 1, len(pen.Styles), "different curve"); err != nil {
		return nil, err
	}
	top := max(0, slices.Max(slices.Concat(alpha...)))
	last := c[len(c)-1]
	p := pen.NewPlot("cost $C$ of a unit of slack", `$\alpha$`)
	pen.Show(p, geom.Rect(c[0], last, -0.04*top, 1.15*top))
	outside := pen.Filled([]geom.Point{{X: c[0], Y: c[0]}, {X: p.Y.Max, Y: p.Y.Max},
		{X: c[0], Y: p.Y.Max}}, pen.PaleRed)
	all := pen.Join([]geom.Point{{X: c[0], Y: c[0]}, {X: last, Y: last}},
		pen.Line(pen.Faint, 1.3, pen.Dashed))
	p.Add(outside, all)
	f := &plots.Figure{Plot: p, Width: pen.PhoneWidth, Height: 3.6 * vg.Inch,
		Legend: pen.Legend{{Name: `$\alpha > C$: not allowed`, Mark: outside},
			{Name: `$\alpha = C$`, Mark: all}}}
	f.Alt = prose.Say("Line chart of α from 0 to %v over C from %v to %v; the triangle above "+
		"the line α = C is shaded.", top, c[0], last)
	for k, i := range curves {
		curve, knots := pen.Styles[k].Curve(nil), pen.Marks{Mark: pen.Styles[k].Mark}
		f.Alt += fmt.Sprintf(" %s:", strings.ReplaceAll(prose.Plain(names[k]), `\alpha_`, "α"))
		for m, v := range alpha {
			curve.At = append(curve.At, geom.Pt(c[m], v[i]))
			inside := m > 0 && m < len(c)-1
			bend := inside && bends(c[m-1], c[m], c[m+1], alpha[m-1][i], v[i], alpha[m+1][i])
			if bend {
				knots.At = append(knots.At, geom.Pt(c[m], v[i]))
			}
			f.Alt += prose.If(!inside || bend, " %v at C = %v,", prose.Tidy(v[i]), c[m])
		}
		f.Alt = f.Alt[:len(f.Alt)-1] + "."
		p.Add(curve.Path, knots)
		f.Legend.Add(names[k], curve)
	}
	f.Caption = fmt.Sprintf("The weights of %s, straight between the marks, which stand where "+
		"the slope changes. None is ever above C.", prose.Plural(n, "point"))
	return f, nil
}

// bends reports whether the middle one of three points of a path is off the line through the
// others.
func bends(x0, x1, x2, y0, y1, y2 float64) bool {
	straight := y0 + (y2-y0)*(x1-x0)/(x2-x0)
	return math.Abs(y1-straight) > boundTolerance*max(1, math.Abs(y1))
}

// alphaCurves returns the first row of each set of rows whose weights are equal throughout, and the
// names of the sets.
func alphaCurves(alpha [][]float64) (first []int, names []string) {
	same := func(i, j int) bool {
		for _, row := range alpha {
			if math.Abs(row[i]-row[j]) > boundTolerance*max(1, row[i]) {
				return false
			}
		}
		return true
	}
next:
	for i := range alpha[0] {
		name := fmt.Sprintf(`$\alpha_{%d}$`, i+1)
		for k, j := range first {
			if same(i, j) {
				names[k] += ", " + name
				continue next
			}
		}
		first, names = append(first, i), append(names, name)
	}
	return first, names
}

// AccuracyOverC draws the mean accuracy over several splits of a set, on the test rows and on the
// training rows, against C on a logarithmic axis, with bars of one standard error up and down, and
// a line for the hard margin's mean on the test rows. test[k] and train[k] hold one accuracy from 0
// to 1 for each split at the cost c[k]; hard one for each split.
//
// It is an error if the costs do not rise from above 0, or if there are fewer than two splits.
func AccuracyOverC(c []float64, test, train [][]float64, hard []float64) (*plots.Figure, error) {
	if len(c) < 2 || len(test) != len(c) || len(train) != len(c) {
		return nil, check.Param("test, train", len(test),
			"must have one entry for each of two or more costs, not of %d", len(c))
	}
	if err := check.Rising("c", c, math.SmallestNonzeroFloat64); err != nil {
		return nil, err
	}
	splits := len(hard)
	average := func(rows [][]float64) (at []geom.Point, err []float64, _ error) {
		for k, row := range rows {
			mean, sem, e := meanError(row, splits)
			if e != nil {
				return nil, nil, e
			}
			at, err = append(at, geom.Pt(c[k], mean)), append(err, sem)
		}
		return at, err, nil
	}
	testAt, testErr, err := average(test)
	if err != nil {
		return nil, err
	}
	trainAt, trainErr, err := average(train)
	if err != nil {
		return nil, err
	}
	hardMean, hardErr, err := meanError(hard, splits)
	if err != nil {
		return nil, err
	}
	p := pen.NewPlot("cost $C$ of a unit of slack", "accuracy")
	view, best := geom.Empty().Cover(geom.Pt(c[0], hardMean)), 0
	for k, q := range testAt {
		if q.Y > testAt[best].Y {
			best = k
		}
		view = view.Cover(geom.Pt(q.X, q.Y-testErr[k]), geom.Pt(q.X, q.Y+testErr[k]),
			geom.Pt(q.X, trainAt[k].Y-trainErr[k]), geom.Pt(q.X, trainAt[k].Y+trainErr[k]))
	}
	d, side := 0.06*(view.YMax-view.YMin), math.Pow(view.XMax/view.XMin, 0.04)
	pen.Show(p, geom.Rect(view.XMin/side, view.XMax*side, view.YMin-d, view.YMax+d))
	pen.Logarithmic(&p.X)
	level := pen.Join([]geom.Point{{X: p.X.Min, Y: hardMean}, {X: p.X.Max, Y: hardMean}},
		pen.Line(pen.Ink, 1.5, pen.Dotted))
	p.Add(level)
	f := &plots.Figure{Plot: p, Width: pen.PhoneWidth, Height: 3.8 * vg.Inch}
	for k, s := range []struct {
		name string
		at   []geom.Point
		err  []float64
	}{{"test", testAt, testErr}, {"training", trainAt, trainErr}} {
		look := pen.PlaneStyles[k] // test and training are no classes
		curve := look.Curve(s.at)
		p.Add(errorBars{At: s.at, Err: s.err, Style: pen.Line(look.Line.Color, 1.1, nil)}, curve)
		f.Legend.Add(s.name, curve)
	}
	f.Legend.Add("hard margin, test", level)
	top := testAt[best]
	f.Caption = prose.Say("Means of %s with bars of one standard "+
		"error. On the test rows the best cost shown is C = %v, with %s; the hard margin has %s.",
		prose.Plural(splits, "split"), top.X, percentTenth(top.Y), percentTenth(hardMean))
	n := len(c) - 1
	f.Alt = prose.Say("Two curves of mean accuracy over C from %v "+
		"to %v, logarithmic, with error bars. Training goes from %s to %s. Test goes from %s to "+
		"%s at C = %v and to %s at the right end; its bars are from %s to %s long, up and down. "+
		"A dotted level line at %s is the hard margin on the test rows, standard error %s.", c[0],
		c[n], percentTenth(trainAt[0].Y), percentTenth(trainAt[n].Y), percentTenth(testAt[0].Y),
		percentTenth(top.Y), top.X, percentTenth(testAt[n].Y), percentTenth(slices.Min(testErr)),
		percentTenth(slices.Max(testErr)), percentTenth(hardMean), percentTenth(hardErr))
	return f, nil
}

// meanError returns the mean of some accuracies and its standard error.
func meanError(v []float64, n int) (mean, sem float64, err error) {
	if n < 2 || len(v) != n {
		return 0, 0, check.Param("splits", len(v),
			"must be two or more, and as many for each cost and the hard margin")
	}
	if err := check.Each(v, 0, 1, check.ErrShare); err != nil {
		return 0, 0, err
	}
	for _, a := range v {
		mean += a / float64(n)
	}
	for _, a := range v {
		sem += (a - mean) * (a - mean)
	}
	return mean, math.Sqrt(sem / float64(n-1) / float64(n)), nil
}

// percentTenth writes a share as a percentage with one decimal place.
func percentTenth(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }
