package plots

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot/vg"
)

// BoxQuadratic is the function pᵀα − ½αᵀQα of two variables over the box 0 ≤ α ≤ Upper, to be
// maximised. The dual of a support vector machine with two rows has p = (1, 1) and
// Qᵢⱼ = yᵢyⱼκ(xᵢ, xⱼ).
type BoxQuadratic struct {
	Q     [2][2]float64 // symmetric and positive definite
	P     [2]float64
	Upper [2]float64 // > 0, finite

	// Equality is the normal of the line ⟨Equality,α⟩ = 0, drawn if it is not zero: the labels,
	// for the constraint Σαᵢyᵢ = 0 of a free bias.
	Equality [2]float64
}

// Value returns the function at a.
func (q BoxQuadratic) Value(a [2]float64) float64 {
	square := q.Q[0][0]*a[0]*a[0] + 2*q.Q[0][1]*a[0]*a[1] + q.Q[1][1]*a[1]*a[1]
	return q.P[0]*a[0] + q.P[1]*a[1] - square/2
}

// Maximiser returns the best point of the box. Along each of its four edges and inside, the
// best point has a closed form; one of these five is the best of all.
func (q BoxQuadratic) Maximiser() [2]float64 {
	best := [2]float64{}
	consider := func(a [2]float64) {
		for i, v := range a {
			if !(v >= 0 && v <= q.Upper[i]) {
				return
			}
		}
		if q.Value(a) > q.Value(best) {
			best = a
		}
	}
	for i := range 2 {
		for _, fixed := range []float64{0, q.Upper[i]} {
			k := 1 - i
			var a [2]float64
			a[i] = fixed
			a[k] = min(q.Upper[k], max(0, (q.P[k]-q.Q[0][1]*fixed)/q.Q[k][k]))
			consider(a)
		}
	}
	consider(q.centre())
	return best
}

// centre is the maximiser without the box: Qα = p.
func (q BoxQuadratic) centre() [2]float64 {
	det := q.determinant()
	return [2]float64{
		(q.P[0]*q.Q[1][1] - q.P[1]*q.Q[0][1]) / det,
		(q.P[1]*q.Q[0][0] - q.P[0]*q.Q[0][1]) / det,
	}
}

func (q BoxQuadratic) determinant() float64 { return q.Q[0][0]*q.Q[1][1] - q.Q[0][1]*q.Q[0][1] }

func (q BoxQuadratic) validate() error {
	for i := range 2 {
		for _, v := range []float64{q.Q[i][0], q.Q[i][1], q.P[i], q.Upper[i], q.Equality[i]} {
			if math.IsNaN(v) || math.Abs(v) > 1e9 {
				return &svmkit.ParamError{Name: "BoxQuadratic", Value: v, Need: "must hold numbers of at most 1e9"}
			}
		}
		if !(q.Upper[i] > 0) {
			return &svmkit.ParamError{Name: "Upper", Value: q.Upper[i], Need: "must be positive"}
		}
	}
	if q.Q[0][1] != q.Q[1][0] {
		return &svmkit.ParamError{Name: "Q", Value: q.Q, Need: "must be symmetric"}
	}
	if !(q.Q[0][0] > 0 && q.Q[1][1] > 0 && q.determinant() > 1e-9*q.Q[0][0]*q.Q[1][1]) {
		return &svmkit.ParamError{Name: "Q", Value: q.Q, Need: "must be positive definite: its level sets are ellipses then"}
	}
	return nil
}

// level returns the ellipse on which the function falls short of its peak by drop. With
// Q = LLᵀ the points are centre + √(2·drop)·L⁻ᵀu over the unit circle.
func (q BoxQuadratic) level(drop float64) []point {
	l11 := math.Sqrt(q.Q[0][0])
	l21 := q.Q[0][1] / l11
	l22 := math.Sqrt(q.Q[1][1] - l21*l21)
	c, r := q.centre(), math.Sqrt(2*drop)
	const steps = 180
	ring := make([]point, steps+1)
	for i := range ring {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / steps)
		y := r * sin / l22
		x := (r*cos - l21*y) / l11
		ring[i] = point{X: c[0] + x, Y: c[1] + y}
	}
	return ring
}

// Staircase draws the level sets of a quadratic function of two variables, its box, and the
// path of a method that climbs it. Coordinate ascent moves along one axis at a time, so its path
// is a staircase. The path has at least one point; 200 at most are drawn.
func Staircase(q BoxQuadratic, walked [][2]float64) (*Figure, error) {
	if err := q.validate(); err != nil {
		return nil, err
	}
	if len(walked) == 0 {
		return nil, &svmkit.ParamError{Name: "path", Value: "none", Need: "must hold at least one point"}
	}
	for i, a := range walked {
		for j, v := range a {
			if math.IsNaN(v) || math.Abs(v) > 1e9 {
				return nil, &svmkit.DataError{Row: i, Col: j, Value: v, Err: svmkit.ErrNotFinite}
			}
		}
	}
	p := newPlot(`$\alpha_1$`, `$\alpha_2$`)
	inside := area{func(box) []point {
		return []point{{}, {X: q.Upper[0]}, {X: q.Upper[0], Y: q.Upper[1]}, {Y: q.Upper[1]}}
	}, paleBand, line(faint, 1, nil)}
	rows := thin(len(walked), 200)
	walk := marked{path: path{nil, line(vermillion, 1.6, nil)}, mark: mark{disc, vermillion, vermillion, 2.4}}
	for _, i := range rows {
		walk.at = append(walk.at, point{X: walked[i][0], Y: walked[i][1]})
	}
	best := q.Maximiser()
	top := marks{[]point{{X: best[0], Y: best[1]}}, mark{diamond, ink, ink, 4}}
	view := emptyBox().cover(point{}, point{X: q.Upper[0], Y: q.Upper[1]}).cover(walk.at...).grow(0.07)
	show(p, view)
	p.Add(inside)
	level := path{nil, line(blue, 1, nil)}
	peak := q.Value(q.centre())
	deepest := 0.0
	for _, c := range view.corners() {
		deepest = max(deepest, peak-q.Value([2]float64{c.X, c.Y}))
	}
	const levels = 9 // spaced like squares: evenly in distance from the peak
	for k := 1; k <= levels && deepest > 0; k++ {
		t := float64(k) / levels
		p.Add(path{q.level(t * t * deepest), level.style})
	}
	f := &Figure{Plot: p, EqualUnits: true, Width: phoneWidth, Height: 4 * vg.Inch, Legend: []Entry{
		{"level sets", level}, {"the box", inside}, {"path", walk}, {"best point of the box", top}}}
	if q.Equality != [2]float64{} {
		equal := planeLine{svmkit.Hyperplane{W: q.Equality[:]}, line(green, 1.8, dashed)}
		p.Add(equal)
		f.Legend = append(f.Legend, Entry{`$\sum_i \alpha_i y_i = 0$`, equal})
	}
	p.Add(walk.path, marks{walk.at, walk.mark}, ring{walk.at[0], 5.5, line(vermillion, 1.2, nil)}, top)
	f.Caption, f.Alt = q.staircaseWords(walked)
	f.Caption += thinned(len(rows), len(walked), "points of the path")
	return f, nil
}

func (q BoxQuadratic) staircaseWords(walk [][2]float64) (caption, alt string) {
	start, end, best := walk[0], walk[len(walk)-1], q.Maximiser()
	steps, along, up := len(walk)-1, 0, 0
	for i := 1; i < len(walk); i++ {
		if walk[i][0] == walk[i-1][0] || walk[i][1] == walk[i-1][1] {
			along++
		}
		if q.Value(walk[i]) > q.Value(walk[i-1]) {
			up++
		}
	}
	at := func(a [2]float64) string { return "(" + num(a[0]) + ", " + num(a[1]) + ")" }
	short := q.Value(best) - q.Value(end)
	if math.Abs(short) <= 1e-12*max(1, math.Abs(q.Value(best))) {
		short = 0
	}
	value := "at the best value of the box"
	switch {
	case short > 0:
		value = num(short) + " below the best value of the box"
	case short < 0:
		value = num(-short) + " above the best value of the box, outside of it"
	}
	raising := count(up)
	if up == steps {
		raising = "each"
	}
	switch {
	case steps == 0:
		caption = fmt.Sprintf("The path has not left its start %s, %s.", at(start), value)
	case along == steps:
		caption = fmt.Sprintf("After %s, each along one axis and %s raising the value, the path is %s.", plural(steps, "step"), raising, value)
	default:
		caption = fmt.Sprintf("After %s, %s of them along one axis and %s raising the value, the path is %s.", plural(steps, "step"), count(along), raising, value)
	}
	if q.Equality != [2]float64{} {
		left := q.Equality[0]*end[0] + q.Equality[1]*end[1]
		if math.Abs(left) <= 1e-12 {
			caption += " It ends on the line Σαy = 0."
		} else {
			caption += fmt.Sprintf(" It ends off the line Σαy = 0, where the sum is %s.", num(left))
		}
	}
	alt = fmt.Sprintf("Ellipses around %s are level sets of a concave function of α1 (horizontal) and α2 (vertical), in equal units. The box from (0, 0) to %s is shaded; its best point %s is a diamond. "+
		"A path of %s leads from %s, ringed, to %s; the function rises from %s to %s.",
		at(q.centre()), at(q.Upper), at(best), plural(steps, "step"), at(start), at(end), num(q.Value(start)), num(q.Value(end)))
	if q.Equality != [2]float64{} {
		alt += fmt.Sprintf(" A dashed line through the origin has the normal %s.", at(q.Equality))
	}
	return caption, alt
}
