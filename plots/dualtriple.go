package plots

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// triple is three points of the plane, the first alone in its class. The condition
// Σ αᵢyᵢ = 0 makes its α the sum of the other two, so the hard margin's dual is a function
// of those: D(s, t) = 2(s + t) − ½‖s·u + t·v‖², u and v the differences to the lone point.
type triple struct {
	set        *svmkit.Dataset
	lone, i, j int
	u, v       point
}

// DualTriple shows the dual of the hard margin for three points of the plane, two of one
// class and one of the other: its level lines over the two α of the pair (the third is their
// sum), alpha, and its plane w = Σ αᵢyᵢxᵢ with the lines f = ±1. The bias puts the plane in the
// middle between the scores of the classes. A dotted line joins the lone point to the mean of the pair with the weights α; at the
// optimum these are the nearest points of the hulls.
//
// The α must be feasible: three numbers ≥ 0 with Σ αᵢyᵢ = 0. It is an error if w = 0.
func DualTriple(set *svmkit.Dataset, alpha []float64) (*Figure, error) {
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

	left := newPlot(fmt.Sprintf(`$\alpha_%d$`, d.i+1), fmt.Sprintf(`$\alpha_%d$`, d.j+1))
	side := max(2*max(best.X, best.Y), 1.1*max(s, t)) // the same for a slider's positions near the optimum
	show(left, box{-0.06 * side, side, -0.06 * side, side})
	var values []float64
	var written labels
	for _, q := range []float64{0.9, 0.6, 0.2, -0.6, -1.5, -3} {
		v := q * height
		values = append(values, v)
		if at := d.above(best, height-v); at.Y < side {
			written.items = append(written.items, label{at: at, text: num(v), colour: green})
		}
	}
	lines := levelLines{f: d.dual, values: values, style: line(green, 1, nil), first: true}
	forbidden := func(normal []float64) area {
		return area{func(b box) []point { return halfPlane(b.corners(), svmkit.Hyperplane{W: normal}) }, paleRed, line(nil, 0, nil)}
	}
	negative := forbidden([]float64{-1, 0})
	top := marks{[]point{best}, mark{diamond, ink, ink, 4.5}}
	here := ring{point{X: s, Y: t}, 7, line(purple, 2, nil)}
	left.Add(lines, negative, forbidden([]float64{0, -1}), top, here, written)

	view := extent(set).grow(0.25)
	right := planarPlot(set)
	show(right, view)
	border, edge := addStreet(right, h)
	mean := d.mean(s, t)
	apart := segments{[]point{at(set.X[d.lone])}, []point{mean}, line(ink, 1.4, dotted)}
	right.Add(apart, ring{mean, 4, line(ink, 1.4, nil)})
	classes := scatter(right, set, []int{0, 1, 2}, 1.2)
	names := labels{clear: 8, lines: []svmkit.Hyperplane{h}}
	for k, x := range set.X {
		names.avoid = append(names.avoid, at(x))
		names.items = append(names.items, label{at: at(x), text: fmt.Sprintf(`$\alpha_%d = %s$`, k+1, num(alpha[k]))})
	}
	right.Add(names)

	f := &Figure{Panels: [][]*plot.Plot{{left}, {right}}, EqualUnits: true, Width: phoneWidth, Height: 7.4 * vg.Inch}
	f.Legend = append([]Entry{{"level lines of the dual, with values", lines}, {`$\alpha < 0$: not allowed`, negative}, {"optimum", top}, {`this $\alpha$, dual ` + num(value), here}},
		append(classes, Entry{"plane", border}, Entry{`$f = \pm 1$`, edge}, Entry{`hull points of the weights $\alpha$`, apart})...)
	f.Caption, f.Alt = d.words(alpha, h, best)
	return f, nil
}

func newTriple(set *svmkit.Dataset) (d triple, err error) {
	if err := planar(set); err != nil {
		return d, err
	}
	if err := set.ValidateBinary(); err != nil {
		return d, err
	}
	if set.Len() != 3 {
		return d, &svmkit.ParamError{Name: "set", Value: plural(set.Len(), "row"), Need: "must have 3 rows"}
	}
	for set.Y[d.lone] == set.Y[(d.lone+1)%3] || set.Y[d.lone] == set.Y[(d.lone+2)%3] {
		d.lone++
	}
	d.set, d.i, d.j = set, (d.lone+1)%3, (d.lone+2)%3
	d.i, d.j = min(d.i, d.j), max(d.i, d.j)
	from := at(set.X[d.lone])
	way := func(i int) point { p := at(set.X[i]); return point{X: p.X - from.X, Y: p.Y - from.Y} }
	d.u, d.v = way(d.i), way(d.j)
	if hull := closestOn(d.u, d.v); hull == (point{}) {
		return d, &svmkit.ParamError{Name: "set", Value: "three points", Need: "must be separable: the lone point lies between the other two, and the dual has no maximum"}
	}
	return d, nil
}

// closestOn returns the point of the segment u–v nearest to the origin.
func closestOn(u, v point) point { return nearest(point{}, u, v) }

// dual returns D(s, t).
func (d triple) dual(s, t float64) float64 {
	x, y := s*d.u.X+t*d.v.X, s*d.u.Y+t*d.v.Y
	return 2*(s+t) - (x*x+y*y)/2
}

// mean returns the point of the pair's segment with the weights s and t, their sum not 0.
func (d triple) mean(s, t float64) point {
	from := at(d.set.X[d.lone])
	return point{X: from.X + (s*d.u.X+t*d.v.X)/(s+t), Y: from.Y + (s*d.u.Y+t*d.v.Y)/(s+t)}
}

// best returns the maximiser. With s + t = a and m the point of the segment u–v at the share
// of t, D = 2a − ½a²‖m‖²: the nearest m to the origin and a = 2/‖m‖² are best.
func (d triple) best() point {
	m := closestOn(d.u, d.v)
	a := 2 / (m.X*m.X + m.Y*m.Y)
	share := 0.0
	if length := distance(d.u, d.v); length > 0 {
		share = distance(d.u, m) / length
	}
	return point{X: a * (1 - share), Y: a * share}
}

// above returns the point straight above the optimum where the dual is lower by drop. On that line it is a parabola.
func (d triple) above(best point, drop float64) point {
	square := d.v.X*d.v.X + d.v.Y*d.v.Y
	slope := 2 - (best.X*d.u.X+best.Y*d.v.X)*d.v.X - (best.X*d.u.Y+best.Y*d.v.Y)*d.v.Y
	return point{X: best.X, Y: best.Y + (slope+math.Sqrt(slope*slope+2*square*drop))/square}
}

// plane returns the plane of α.
func (d triple) plane(alpha []float64) (svmkit.Hyperplane, error) {
	if len(alpha) != 3 {
		return svmkit.Hyperplane{}, &svmkit.ParamError{Name: "alpha", Value: alpha, Need: "must be 3 numbers, one a row"}
	}
	w, sum, size := []float64{0, 0}, 0.0, 0.0
	for i, a := range alpha {
		if !(a >= 0 && a <= maxDrawn) {
			return svmkit.Hyperplane{}, &svmkit.ParamError{Name: "alpha", Value: a, Need: "must be at least 0 and finite"}
		}
		d.set.X[i].AddTo(w, a*d.set.Y[i])
		sum, size = sum+a*d.set.Y[i], max(size, a)
	}
	if math.Abs(sum) > valueRoundoff*size {
		return svmkit.Hyperplane{}, &svmkit.ParamError{Name: "alpha", Value: alpha, Need: "must satisfy Σαy = 0"}
	}
	h := svmkit.Hyperplane{W: w}
	if err := checkPlane(h, 2, false); err != nil {
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

func (d triple) words(alpha []float64, h svmkit.Hyperplane, best point) (caption, alt string) {
	value, height := d.dual(alpha[d.i], alpha[d.j]), d.dual(best.X, best.Y)
	least := math.Inf(1)
	for i, x := range d.set.X {
		least = min(least, d.set.Y[i]*h.Score(x))
	}
	switch {
	case height-value <= isOne*height:
		caption = fmt.Sprintf("At the top of the dual, %s, the lines f = ±1 touch the points and none lies between them.", num(height))
	case least < 1-isOne:
		caption = fmt.Sprintf("The dual is %s here, below its greatest value %s, and its plane is not feasible: the smallest y·f(x) is %s.", num(value), num(height), num(least))
	default:
		caption = fmt.Sprintf("The dual is %s here, below its greatest value %s; its plane is feasible, with a street narrower than it could be.", num(value), num(height))
	}
	alt = fmt.Sprintf("Two panels. Above: closed level lines of the dual over α%d and α%d, with a diamond at the optimum (%s, %s), value %s, and a ring at (%s, %s), value %s; negative α are shaded. "+
		"Below: %s over %s, with the plane %s and dashed lines where f is −1 and 1, %s apart; the smallest y·f(x) is %s. The three α are %s, %s and %s. A dotted line of length %s joins point %d to the mean of the other two with their α as weights.",
		d.i+1, d.j+1, num(best.X), num(best.Y), num(height), num(alpha[d.i]), num(alpha[d.j]), num(value),
		pointWords(d.set), axisWords(d.set), equation(h), num(2/h.Norm()), num(least), num(alpha[0]), num(alpha[1]), num(alpha[2]),
		num(distance(at(d.set.X[d.lone]), d.mean(alpha[d.i], alpha[d.j]))), d.lone+1)
	return caption, alt
}
