package plots

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// BiasMargin shows what the bias does for planes of one direction. Above: the set with the plane h and the lines
// at its half-margin on both sides, if it separates the classes. Below: the half-margin γ over the place −b/‖w‖ of the plane on
// the line along w, and the place of h. γ is the smallest of one line for each point, of slope −1 for the
// class +1 and slope +1 for the class −1, so it is concave and piecewise linear.
//
// Both axes are the same for every b inside of the set. It is an error if the set is not planar, lacks a class or w = 0.
func BiasMargin(set *svmkit.Dataset, h svmkit.Hyperplane) (*Figure, error) {
	if err := planar(set); err != nil {
		return nil, err
	}
	if err := set.ValidateBinary(); err != nil {
		return nil, err
	}
	if err := checkPlane(h, 2, false); err != nil {
		return nil, err
	}
	h = h.Scale(1 / h.Norm())
	if err := checkPlane(h, 2, false); err != nil { // its place is too far away to draw
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

	rows := thin(set.Len(), maxRows)
	upper := planarPlot(set)
	show(upper, extent(set).grow(0.1))
	var legend []Entry
	border := planeLine{h, line(ink, 1.8, nil)}
	if value > 0 {
		var edge planeLine
		border, edge = addStreet(upper, h.Scale(1/value))
		legend = append(legend, Entry{`at the distance $\gamma$`, edge})
	} else {
		upper.Add(border)
	}
	legend = append(append(scatter(upper, set, rows, 1.2), Entry{"plane", border}), legend...)

	lower := newPlot(`place of the plane, $-b$`, `half-margin $\gamma$`)
	bottom := min(gamma(low), gamma(high))
	if best > 0 {
		bottom = -best
	}
	show(lower, box{low, high, bottom, best + 0.4*(best-bottom)})
	nearPlus := segments{[]point{{X: low, Y: plus - low}}, []point{{X: high, Y: plus - high}}, line(blue, 1.2, dotted)}
	nearMinus := segments{[]point{{X: low, Y: low - minus}}, []point{{X: high, Y: high - minus}}, line(vermillion, 1.2, dashed)}
	roof := path{[]point{{X: low, Y: gamma(low)}, {X: top, Y: best}, {X: high, Y: gamma(high)}}, line(green, 2.2, nil)}
	mine := marks{[]point{{X: here, Y: value}}, mark{diamond, ink, ink, 4.5}}
	lower.Add(path{[]point{{X: low}, {X: high}}, line(faint, 1, nil)}, nearPlus, nearMinus, roof, mine)
	f := &Figure{Panels: [][]*plot.Plot{{upper}, {lower}}, EqualUnits: true, Width: phoneWidth, Height: 6.6 * vg.Inch}
	f.Legend = append(legend, Entry{`$\gamma$`, roof}, Entry{"to the first of +1", nearPlus}, Entry{"to the first of −1", nearMinus}, Entry{"this plane", mine})
	switch {
	case value >= best-isOne*(high-low):
		f.Caption = fmt.Sprintf("The top, γ = %s: a point of either class is as near. To move the plane either way brings it nearer to one of them, so no plane of this direction does better.", num(value))
	case value <= 0:
		f.Caption = fmt.Sprintf("The plane does not separate the classes here: γ = %s.", num(value))
	case here < top:
		f.Caption = fmt.Sprintf("γ = %s: the nearest point is of class −1, and moving towards the class +1 raises γ at the rate 1.", num(value))
	default:
		f.Caption = fmt.Sprintf("γ = %s: the nearest point is of class +1, and moving towards the class −1 raises γ at the rate 1.", num(value))
	}
	f.Caption += thinned(len(rows), set.Len(), "points")
	f.Alt = fmt.Sprintf("Two panels. Above: scatter plot of %s over %s, with the plane %s. Below: the half-margin γ over the place of the plane, which rises with slope 1 to %s at %s and falls with slope −1 after it; a diamond marks the plane at %s, with γ = %s.",
		pointWords(set), axisWords(set), equation(h), num(best), num(top), num(here), num(value))
	return f, nil
}
