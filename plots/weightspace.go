package plots

import (
	"fmt"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// maxConstraintRows is how many numbered lines a reader can follow.
const maxConstraintRows = 12

// WeightSpace shows the problem of the widest street through the origin twice. Above are the rows of a 2-D set, numbered from
// 1; below, over the same numbers, is the plane of all w, where row i is the half-plane yᵢ⟨w,xᵢ⟩ ≥ 1. The region that all of them
// leave is shaded, and a circle about the origin shows its point of least norm: the normal of the widest street, which is
// drawn above. Where the region is empty no line through the origin separates the classes.
//
// Both pictures are squares about the origin, with sides of 2·points and 2·weights, so that they stay fixed where a row moves. It is an
// error if the set is not planar or has more than 12 rows, or if a half-side is not positive.
func WeightSpace(set *svmkit.Dataset, points, weights float64) (*Figure, error) {
	if err := planar(set); err != nil {
		return nil, err
	}
	if n := set.Len(); n == 0 || n > maxConstraintRows {
		return nil, &svmkit.ParamError{Name: "rows", Value: n, Need: fmt.Sprintf("must be 1 to %d: more lines cannot be told apart", maxConstraintRows)}
	}
	for name, side := range map[string]float64{"points": points, "weights": weights} {
		if !(side > 0 && side <= maxDrawn) {
			return nil, &svmkit.ParamError{Name: name, Value: side, Need: "must be the positive half-side of a picture"}
		}
	}
	w, held := shortest(set)
	square := func(side float64) box { return box{-side, side, -side, side} }

	above, below := planarPlot(set), newPlot("$w_1$", "$w_2$")
	show(above, square(points))
	show(below, square(weights))
	origin := marks{[]point{{}}, mark{upright, faint, faint, 3.5}}
	above.Add(origin)
	region := area{func(b box) []point { return allowed(set, b) }, paleBand, line(nil, 0, nil)}
	below.Add(region)
	street, best := above, w
	if held == nil { // none is drawn; the legend keeps its lines, so that the panels keep their places
		street, best = newPlot("", ""), []float64{1, 0}
	}
	border, edge := addStreet(street, svmkit.Hyperplane{W: best})
	names := [2]labels{{clear: 7}, {clear: 5}}
	var centres []point // of the numbers below
	ringed := rings{style: line(ink, 1.4, nil)}
	for i, x := range set.X {
		style := line(blue, 1.2, nil)
		if set.Y[i] < 0 {
			style = line(vermillion, 1.2, dashed)
		}
		if slices.Contains(held, i) {
			style.Width = 2.6
			ringed.at = append(ringed.at, at(x))
		}
		side := constraint(set, i)
		if side.Norm() == 0 {
			continue // 0 ≥ 1: no line
		}
		below.Add(planeLine{side, style})
		name := fmt.Sprint(i + 1)
		names[0].items = append(names[0].items, label{at: at(x), text: name})
		names[0].avoid = append(names[0].avoid, at(x))
		if p, q, ok := visible(side, square(weights).grow(-0.04)); ok {
			at, centre := clearest(set, i, p, q, weights, centres)
			centres = append(centres, centre)
			names[1].items = append(names[1].items, label{at: at, text: name, colour: style.Color, lean: point{X: side.W[0], Y: side.W[1]}})
			names[1].avoid = append(names[1].avoid, at)
		}
	}
	circle := path{arcAround(math.Hypot(best[0], best[1])), line(green, 1.8, dotted)}
	cross := marks{[]point{{X: best[0], Y: best[1]}}, mark{diamond, ink, ink, 4}}
	legend := append(scatter(above, set, thin(set.Len(), maxRows), 1.2), Entry{"widest street", edge}, Entry{"its middle", border},
		Entry{"street (above), all constraints hold (below)", region}, Entry{`circle through $w$`, circle}, Entry{`shortest $w$`, cross})
	below.Add(origin)
	if held != nil {
		above.Add(ringed)
		below.Add(circle, cross)
	}
	above.Add(names[0])
	below.Add(names[1])
	f := &Figure{Panels: [][]*plot.Plot{{above}, {below}}, Legend: legend, EqualUnits: true, Width: phoneWidth, Height: 8 * vg.Inch}
	f.Caption, f.Alt = weightWords(set, w, held)
	return f, nil
}

// constraint returns y⟨w,x⟩ − 1 of a row as a function of w.
func constraint(set *svmkit.Dataset, i int) svmkit.Hyperplane {
	x, y := at(set.X[i]), set.Y[i]
	return svmkit.Hyperplane{W: []float64{y * x.X, y * x.Y}, B: -1}
}

// allowed returns the part of b where all constraints hold.
func allowed(set *svmkit.Dataset, b box) []point {
	polygon := b.corners()
	for i := range set.X {
		polygon = halfPlane(polygon, constraint(set, i))
	}
	return polygon
}

// shortest returns the w of least norm with y⟨w,x⟩ ≥ 1 for all rows, and one or two rows that alone
// have the same; nil if there is none. It is the point nearest to the origin of one constraint's line or the crossing of two: all of them
// are tried.
func shortest(set *svmkit.Dataset) (w []float64, held []int) {
	least := math.Inf(1)
	try := func(v []float64, rows ...int) {
		norm := math.Hypot(v[0], v[1])
		if !(norm < least*(1-isOne)) { // of equal ones the first
			return
		}
		for i := range set.X {
			if !(constraint(set, i).Score(svmkit.Dense(v...)) >= -isOne) {
				return
			}
		}
		w, held, least = v, rows, norm
	}
	for i := range set.X {
		p := foot(constraint(set, i), point{})
		try([]float64{p.X, p.Y}, i)
	}
	for i := range set.X {
		for k := range i {
			a, b := constraint(set, i).W, constraint(set, k).W
			d := a[0]*b[1] - a[1]*b[0]
			try([]float64{(b[1] - a[1]) / d, (a[0] - b[0]) / d}, k, i)
		}
	}
	return w, held
}

// clearest returns the place on the line of row i, between p and q, whose number can be read best, and the number's centre, which is
// beside the line, where the constraint holds: of the centres in the picture the farthest from the other rows' lines and numbers.
func clearest(set *svmkit.Dataset, i int, p, q point, weights float64, numbers []point) (best, centre point) {
	const places = 80
	side := constraint(set, i)
	shift := 0.08 * weights / side.Norm() // some 10 of the 250 points of the picture
	most := math.Inf(-1)
	for k := range places + 1 {
		t := float64(k) / places
		at := point{X: p.X + t*(q.X-p.X), Y: p.Y + t*(q.Y-p.Y)}
		c := point{X: at.X + shift*side.W[0], Y: at.Y + shift*side.W[1]}
		clear := min(0, 0.95*weights-max(math.Abs(c.X), math.Abs(c.Y))) // below 0 outside
		if clear == 0 {
			clear = math.Inf(1)
		}
		for k := range set.X {
			if other := constraint(set, k); k != i && other.Norm() > 0 {
				clear = min(clear, other.Distance(row(c)))
			}
		}
		for _, o := range numbers {
			clear = min(clear, distance(c, o))
		}
		if clear > most {
			best, centre, most = at, c, clear
		}
	}
	return best, centre
}

func weightWords(set *svmkit.Dataset, w []float64, held []int) (caption, alt string) {
	alt = fmt.Sprintf("Two pictures. Above, a scatter plot of %s over %s:", pointWords(set), axisWords(set))
	for i, x := range set.X {
		p := at(x)
		alt += fmt.Sprintf(" %d at (%s, %s), class %s;", i+1, num(p.X), num(p.Y), signed(set.Y[i]))
	}
	alt = alt[:len(alt)-1] + ". Below, the plane of w1 and w2 with one line for each point and the region shaded where all constraints hold"
	if held == nil {
		return fmt.Sprintf("No w meets all of the %s (below, nothing is shaded): no line through the origin separates the classes.", plural(set.Len(), "constraint")),
			alt + ": it is empty."
	}
	gamma := num(1 / math.Hypot(w[0], w[1]))
	if len(held) == 1 {
		caption = fmt.Sprintf("The circle touches the line of point %d. This point alone holds the street: w is a multiple of it, and γ = 1/‖w‖ = %s is its distance from the origin.", held[0]+1, gamma)
	} else {
		caption = fmt.Sprintf("The circle meets the region in a corner, where the lines of points %d and %d cross. These two hold the street; γ = 1/‖w‖ = %s.", held[0]+1, held[1]+1, gamma)
	}
	return caption, alt + fmt.Sprintf(". A diamond marks the point of the region nearest to the origin, (%s, %s), on a dotted circle. Above, the street has the half-width %s; rings mark the points that hold it.", num(w[0]), num(w[1]), gamma)
}
