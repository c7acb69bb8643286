package plots

import (
	"fmt"
	"image/color"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
	"gonum.org/v1/plot/vg"
)

// offLine is the violation above which a row is crossed out, relative to 1 in classification and
// to the largest residual in regression. Smaller ones cannot be seen.
const offLine = 0.01

// KKT draws the optimality conditions of Karush, Kuhn and Tucker, a point a row, over the
// broken line on which all points of a solution lie.
//
// With the hinge loss the axes are y·f(x) and α = βy: α is C left of 1, anything from 0 to C
// at 1, and 0 right of it. With the ε-insensitive loss they are the residual y − f(x) and β: −C
// left of −ε, 0 between −ε and ε, C right of ε. Where rows have bounds of their own,
// the vertical axis is in units of these. Rows off the line, by more than 0.01 (in
// regression, 0.01 of the largest residual), are crossed out. Rows of weight 0 are left out.
//
// model and beta, one number a row, may come from anywhere; of an [*svm.Result] r they are r
// and r.Beta. Other losses have no such line: they are a *svmkit.ParamError.
func KKT(problem *svm.Problem, model svmkit.Scorer, beta []float64) (*Figure, error) {
	k, err := newConditions(problem, model, beta)
	if err != nil {
		return nil, err
	}
	p := newPlot(`functional margin $y\,f(x)$`, `$\alpha$`)
	if k.regression {
		p.X.Label.Text, p.Y.Label.Text = `residual $y - f(x)$`, `$\beta$`
	}
	if k.relative {
		p.Y.Label.Text += ", in units of its bound"
	}
	view := emptyBox().cover(k.at...).cover(point{})
	if !math.IsInf(k.top, 1) {
		view = view.cover(point{Y: k.top})
	}
	if k.regression {
		view = view.cover(point{X: 1.4 * k.epsilon}, point{X: -1.4 * k.epsilon})
		if !math.IsInf(k.bottom, 1) {
			view = view.cover(point{Y: -k.bottom})
		}
	} else {
		view = view.cover(point{X: 1.2})
	}
	w, h := 0.05*(view.xmax-view.xmin), 0.08*(view.ymax-view.ymin)
	if w == 0 {
		w = 0.1 // regression with ε = 0 and every residual 0
	}
	if h == 0 {
		h = 0.1 // a hard margin without any α
	}
	view = box{view.xmin - w, view.xmax + w, view.ymin - h, view.ymax + h}
	show(p, view)
	ideal := path{k.ideal(view), line(faint, 2.4, nil)}
	p.Add(ideal)
	markOf := [3]mark{atZero: {disc, color.White, ink, 3}, isFree: {diamond, color.RGBA{0xf7, 0xdd, 0x9d, 0xff}, ink, 3.6}, atBound: {square, color.White, ink, 2.4}} // no class has these colours
	cross := marks{mark: mark{saltire, vermillion, vermillion, 5.4}}
	var off []int
	for i, d := range k.violation {
		if d > k.tolerance {
			off = append(off, i)
			cross.at = append(cross.at, k.at[i])
		}
	}
	nothing := `$\alpha = 0$`
	if k.regression {
		nothing = `$\beta = 0$`
	}
	rows := thin(len(k.at), maxRows, off[:min(len(off), maxRows)]...)
	f := &Figure{Plot: p, Height: 4 * vg.Inch, Legend: []Entry{{"KKT conditions", ideal}}}
	for s, name := range []string{nothing, "free", "at the bound"} {
		cloud := marks{mark: markOf[s]}
		for _, i := range rows {
			if k.state[i] == weightState(s) {
				cloud.at = append(cloud.at, k.at[i])
			}
		}
		p.Add(cloud)
		f.Legend = append(f.Legend, Entry{name, cloud})
	}
	if len(off) > 0 {
		crossed := marks{mark: cross.mark}
		for _, at := range thin(len(off), maxRows) {
			crossed.at = append(crossed.at, cross.at[at])
		}
		p.Add(crossed)
		f.Legend = append(f.Legend, Entry{"off the line", crossed})
	}
	f.Caption, f.Alt = k.words(len(off))
	f.Caption += thinned(len(rows), len(k.at), "rows")
	return f, nil
}

// conditions holds the place of each row relative to the KKT conditions.
type conditions struct {
	regression  bool
	epsilon     float64
	top, bottom float64 // the upper and lower end of the box on the vertical axis; Inf for a hard margin
	relative    bool    // the vertical axis is in units of each row's own bound

	at        []point
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
		return nil, &svmkit.ParamError{Name: "Loss", Value: fmt.Sprintf("%T", l), Need: "must be Hinge or EpsInsensitive: the conditions of others have no corners"}
	}
	set := problem.Data
	if err := oneEachRow("beta", beta, set); err != nil {
		return nil, err
	}
	scores, err := scoreRows(model, set.X)
	if err != nil {
		return nil, err
	}
	k.scale(problem.C, set)
	widest := 0.0
	for i, f := range scores {
		if set.RowWeight(i) == 0 {
			continue
		}
		if !(math.Abs(f) <= maxDrawn) {
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: f, Err: svmkit.ErrNotFinite}
		}
		if !(math.Abs(set.Y[i]) <= maxDrawn) {
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: set.Y[i], Err: errTooLarge}
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

// bounds returns the bounds of row i, whose weight is positive: of β below and of β above zero in regression, twice that of
// α = βy in classification.
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
	if !(size >= -tolerance && size <= upper+tolerance && size <= maxDrawn) {
		return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: beta, Err: errOutsideBox}
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
	k.at, k.state, k.violation = append(k.at, point{X: x, Y: v}), append(k.state, state), append(k.violation, violation)
	return nil
}

// ideal returns the broken line, as far as the view reaches.
func (k *conditions) ideal(view box) []point {
	top, bottom := min(k.top, view.ymax), min(k.bottom, -view.ymin)
	if !k.regression {
		line := []point{{X: view.xmin, Y: top}, {X: 1, Y: top}, {X: 1}, {X: view.xmax}}
		if math.IsInf(k.top, 1) { // left of 1 a hard margin allows nothing
			return line[1:]
		}
		return line
	}
	line := []point{{X: view.xmin, Y: -bottom}, {X: -k.epsilon, Y: -bottom}, {X: -k.epsilon}, {X: k.epsilon}, {X: k.epsilon, Y: top}, {X: view.xmax, Y: top}}
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
	rows := plural(len(k.state), "row")
	if off == 0 {
		caption = fmt.Sprintf("All of %s lie on the broken line of the optimality conditions: %s %s = 0 (%s), %s free (%s), %s at the bound (%s). The farthest is off by %s.",
			rows, haveHas(n[atZero]), name, where[atZero], isAreNumber(n[isFree]), where[isFree], count(n[atBound]), where[atBound], num(tidy(worst)))
	} else {
		caption = fmt.Sprintf("Of %s, %s off the broken line of the optimality conditions by more than %s (crosses), the worst by %s: this is no solution. %s %s = 0, %s free, %s at the bound.",
			rows, isAreNumber(off), num(k.tolerance), num(worst), haveHas(n[atZero]), name, isAreNumber(n[isFree]), count(n[atBound]))
	}
	b := emptyBox().cover(k.at...)
	alt = fmt.Sprintf("Scatter plot of %s over %s, from %s to %s and from %s to %s. ", rows, axes, num(b.xmin), num(b.xmax), num(b.ymin), num(b.ymax))
	switch {
	case k.regression && math.IsInf(k.top, 1):
		alt += fmt.Sprintf("A broken line comes up at −%s, runs at height 0 to %s and goes on upwards.", num(k.epsilon), num(k.epsilon))
	case k.regression:
		alt += fmt.Sprintf("A broken line runs at height −%s up to −%s, at 0 up to %s, and at %s beyond.", num(k.bottom), num(k.epsilon), num(k.epsilon), num(k.top))
	case math.IsInf(k.top, 1):
		alt += "A broken line comes down at 1 and runs on at height 0."
	default:
		alt += fmt.Sprintf("A broken line runs at height %s up to 1, falls to 0 there, and stays.", num(k.top))
	}
	alt += fmt.Sprintf(" Circles are at zero (%s), diamonds free (%s), squares at the bound (%s); %s crossed out. The largest distance from the line is %s.",
		count(n[atZero]), count(n[isFree]), count(n[atBound]), isAreNumber(off), num(tidy(worst)))
	return caption, alt
}
