package plots

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot/vg"
)

// CanonicalLines draws a 2-D set with the lines f = −1, 0 and 1 of the plane h, and the
// distance 2/‖w‖ between the outer ones. If h is in canonical form for the set, its smallest
// functional margin y·f(x) is 1, the outer lines touch the nearest points, and no point lies
// between them. If h is not, the picture shows it and the caption says so.
//
// It is an error if the set is not planar or w = 0.
func CanonicalLines(set *svmkit.Dataset, h svmkit.Hyperplane) (*Figure, error) {
	if err := planar(set); err != nil {
		return nil, err
	}
	if err := checkPlane(h, 2, false); err != nil {
		return nil, err
	}
	order := byMargin(set, h)
	least := set.Y[order[0]] * h.Score(set.X[order[0]])
	half := 1 / h.Norm()
	view := extent(set).cover(foot(h, at(set.X[order[0]]))).grow(0.10)
	p := planarPlot(set)
	show(p, view)

	border, edge := addStreet(p, h)
	rows := thin(set.Len(), maxRows, order[0])
	legend := append(scatter(p, set, rows, 1), Entry{"plane $f = 0$", border}, Entry{`lines $f = \pm 1$`, edge})
	touching := touches(set, h)
	for _, i := range touching {
		p.Add(ring{at(set.X[i]), 7, line(ink, 1.4, nil)})
	}

	l := labels{clear: 7, lines: []svmkit.Hyperplane{h}}
	for _, i := range rows {
		l.avoid = append(l.avoid, at(set.X[i]))
	}
	if a, b, ok := visible(h, view); ok {
		on := func(t, d float64) point { // the point at t of the visible plane, d along w
			return point{X: a.X + t*(b.X-a.X) + d*h.W[0]/h.Norm(), Y: a.Y + t*(b.Y-a.Y) + d*h.W[1]/h.Norm()}
		}
		width := line(green, 2, nil)
		p.Add(arrow{on(0.22, 0), on(0.22, half), width}, arrow{on(0.22, 0), on(0.22, -half), width})
		sign, wide := 1.0, view.equalUnits(4, 3.6) // about what will be seen
		if !wide.contains(on(0.22, half+(wide.xmax-wide.xmin)/5)) {
			sign = -1 // a label beyond this tip would lie outside
		}
		l.items = append(l.items, label{at: on(0.22, sign*half), text: `$2/\|w\| = ` + num(2*half) + "$", colour: green,
			lean: point{X: sign * h.W[0], Y: sign * h.W[1]}})
		for _, f := range []float64{1, -1} {
			l.items = append(l.items, label{at: on(0.86, f*half), text: "$f = " + minus(fmt.Sprintf("%+g", f)) + "$",
				lean: point{X: f * h.W[0], Y: f * h.W[1]}})
		}
	}
	p.Add(l)
	f := &Figure{Plot: p, Legend: legend, EqualUnits: true, Width: phoneWidth, Height: 4 * vg.Inch}
	f.Caption, f.Alt = canonicalWords(set, h, least, len(touching))
	f.Caption += thinned(len(rows), set.Len(), "points")
	return f, nil
}

// isOne is how far a functional margin may be from 1 for its point to touch the line. It allows
// for the tolerance of a solver.
const isOne = 1e-6

// touches returns the rows with y·f(x) = 1.
func touches(set *svmkit.Dataset, h svmkit.Hyperplane) (rows []int) {
	for i, x := range set.X {
		if math.Abs(set.Y[i]*h.Score(x)-1) <= isOne {
			rows = append(rows, i)
		}
	}
	return rows
}

func canonicalWords(set *svmkit.Dataset, h svmkit.Hyperplane, least float64, touching int) (caption, alt string) {
	width := num(2 / h.Norm())
	switch {
	case least <= 0:
		caption = fmt.Sprintf("This plane has no canonical form: its smallest y·f(x) is %s, and no factor above 0 makes that 1. The distance %s between the lines f = ±1 is no margin.", num(least), width)
	case math.Abs(least-1) <= isOne:
		caption = fmt.Sprintf("In canonical form the lines f = ±1 bound the street: no point inside, the nearest on its edge (ringed), and 2/‖w‖ = %s from side to side.", width)
	case least > 1:
		caption = fmt.Sprintf("Every point has y·f(x) ≥ 1, and yet this is not the canonical form: the nearest has %s, and the lines f = ±1 touch no point. The empty strip is wider than 2/‖w‖ = %s.", num(least), width)
	default:
		caption = fmt.Sprintf("This is not the canonical form: the nearest point has y·f(x) = %s and lies between the lines f = ±1. The empty strip is narrower than 2/‖w‖ = %s.", num(least), width)
	}
	ringed := "No point lies on a dashed line."
	if touching > 0 {
		ringed = fmt.Sprintf("%s ringed, on a dashed line.", upperFirst(isAre(touching)))
	}
	alt = fmt.Sprintf("Scatter plot of %s over %s. The line %s is the plane; dashed lines on both sides of it, %s apart, are where f is −1 and 1, with an arrow across that is labelled with this width. "+
		"The smallest y·f(x) is %s. %s", pointWords(set), axisWords(set), equation(h), width, num(least), ringed)
	return caption, alt
}
