package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// isOne is how far a functional margin may be from 1 for its point to touch the line. It allows
// for the tolerance of a solver.
const isOne = 1e-6

// addStreet adds the plane h to p, with the lines f = ±1 and the street between them.
func addStreet(p *plot.Plot, h svmkit.Hyperplane) (border, edge pen.PlaneLine) {
	half := 1 / h.Norm()
	street := pen.Street(h, half)
	border, edge = pen.Plane(h, pen.Line(pen.Ink, 1.8, nil)),
		pen.Plane(geom.Shifted(h, half), pen.Line(pen.Faint, 1.3, pen.Dashed))
	p.Add(street, edge, pen.Plane(geom.Shifted(h, -half), edge.Style), border)
	return border, edge
}

// maxConstraintRows is how many numbered lines a reader can follow.
const maxConstraintRows = 12

// WeightSpace shows the problem of the widest street through the origin twice. Above are the rows
// of a 2-D set, numbered from 1; below, over the same numbers, is the plane of all w, where row i
// is the half-plane yᵢ⟨w,xᵢ⟩ ≥ 1. The region that all of them leave is shaded, and a circle about
// the origin shows its point of least norm: the normal of the widest street, which is drawn above.
// Where the region is empty no line through the origin separates the classes.
//
// Both pictures are squares about the origin, with sides of 2·points and 2·weights, so that they
// stay fixed where a row moves. It is an error if the set is not planar or has more than 12 rows,
// or if a half-side is not positive.
func WeightSpace(set *svmkit.Dataset, points, weights float64) (*plots.Figure, error) {
	if err := check.Planar(set); err != nil {
		return nil, err
	}
	if err := cmp.Or(check.Count("rows", set.Len(), 1, maxConstraintRows, "row"),
		check.Positive("points", points), check.Positive("weights", weights)); err != nil {
		return nil, err
	}
	w, held := shortest(set)
	above, below := pen.PlanarPlot(set), pen.NewPlot("$w_1$", "$w_2$")
	pen.Show(above, geom.Square(points))
	pen.Show(below, geom.Square(weights))
	origin := pen.Solid(pen.Upright, pen.Faint, 3.5).At(geom.Point{})
	above.Add(origin)
	region := pen.Area{Polygon: func(b geom.Box) []geom.Point { return allowed(set, b) },
		Fill: pen.PaleBand}
	below.Add(region)
	street, best := above, w
	// none is drawn; the legend keeps its lines, so that the panels keep their places
	if held == nil {
		street, best = pen.NewPlot("", ""), []float64{1, 0}
	}
	border, edge := addStreet(street, svmkit.Hyperplane{W: best})
	names := [2]pen.Labels{{Clear: 7}, {Clear: 5}}
	var centres []geom.Point // of the numbers below
	ringed := pen.Rings{Style: pen.Line(pen.Ink, 1.4, nil)}
	for i, x := range set.X {
		style := pen.Line(pen.Blue, 1.2, nil)
		if set.Y[i] < 0 {
			style = pen.Line(pen.Vermillion, 1.2, pen.Dashed)
		}
		if slices.Contains(held, i) {
			style.Width = 2.6
			ringed.At = append(ringed.At, geom.At(x))
		}
		side := constraint(set, i)
		if side.Norm() == 0 {
			continue // 0 ≥ 1: no line
		}
		below.Add(pen.Plane(side, style))
		name := fmt.Sprint(i + 1)
		names[0].Items = append(names[0].Items, pen.Label{At: geom.At(x), Text: name})
		names[0].Avoid = append(names[0].Avoid, geom.At(x))
		if p, q, ok := geom.Visible(side, geom.Square(weights).Grow(-0.04)); ok {
			at, centre := clearest(set, i, p, q, weights, centres)
			centres = append(centres, centre)
			names[1].Items = append(names[1].Items, pen.Label{At: at,
				Text: name, Colour: style.Color, Lean: geom.Pt(side.W[0], side.W[1])})
			names[1].Avoid = append(names[1].Avoid, at)
		}
	}
	circle := pen.Join(circle(math.Hypot(best[0], best[1])), pen.Line(pen.Green, 1.8, pen.Dotted))
	cross := pen.Solid(pen.Diamond, pen.Ink, 4).At(geom.Pt(best[0], best[1]))
	legend := pen.Scatter(above, set, pen.Thin(set.Len(), pen.MaxRows), 1.2).
		With("widest street", edge).With("its middle", border).
		With("street (above), all constraints hold (below)", region).
		With(`circle through $w$`, circle).With(`shortest $w$`, cross)
	below.Add(origin)
	if held != nil {
		above.Add(ringed)
		below.Add(circle, cross)
	}
	above.Add(names[0])
	below.Add(names[1])
	f := &plots.Figure{Panels: [][]*plot.Plot{{above}, {below}}, Legend: legend, EqualUnits: true,
		Width: pen.PhoneWidth, Height: 8 * vg.Inch}
	f.Caption, f.Alt = weightWords(set, w, held)
	return f, nil
}

// constraint returns y⟨w,x⟩ − 1 of a row as a function of w.
func constraint(set *svmkit.Dataset, i int) svmkit.Hyperplane {
	x, y := geom.At(set.X[i]), set.Y[i]
	return svmkit.Hyperplane{W: []float64{y * x.X, y * x.Y}, B: -1}
}

// allowed returns the part of b where all constraints hold.
func allowed(set *svmkit.Dataset, b geom.Box) []geom.Point {
	polygon := b.Corners()
	for i := range set.X {
		polygon = geom.HalfPlane(polygon, constraint(set, i))
	}
	return polygon
}

// shortest returns the w of least norm with y⟨w,x⟩ ≥ 1 for all rows, and one or two rows that alone
// have the same; nil if there is none. It is the point nearest to the origin of one constraint's
// line or the crossing of two: all of them are tried.
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
		p := geom.Foot(constraint(set, i), geom.Point{})
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

// clearest returns the place on the line of row i, between p and q, whose number can be read best,
// and the number's centre, which is beside the line, where the constraint holds: of the centres in
// the picture the farthest from the other rows' lines and numbers.
func clearest(set *svmkit.Dataset, i int, p, q geom.Point, weights float64,
	numbers []geom.Point) (best, centre geom.Point) {
	const places = 80
	side := constraint(set, i)
	shift := 0.08 * weights / side.Norm() // some 10 of the 250 points of the picture
	most := math.Inf(-1)
	for k := range places + 1 {
		t := float64(k) / places
		at := geom.Between(p, q, t)
		c := geom.Pt(at.X+shift*side.W[0], at.Y+shift*side.W[1])
		clear := min(0, 0.95*weights-max(math.Abs(c.X), math.Abs(c.Y))) // below 0 outside
		if clear == 0 {
			clear = math.Inf(1)
		}
		for k := range set.X {
			if other := constraint(set, k); k != i && other.Norm() > 0 {
				clear = min(clear, other.Distance(geom.Row(c)))
			}
		}
		for _, o := range numbers {
			clear = min(clear, geom.Distance(c, o))
		}
		if clear > most {
			best, centre, most = at, c, clear
		}
	}
	return best, centre
}

func weightWords(set *svmkit.Dataset, w []float64, held []int) (caption, alt string) {
	alt = fmt.Sprintf("Two pictures. Above, a scatter plot of %s over %s:", prose.Points(set),
		prose.Axes(set))
	for i, x := range set.X {
		p := geom.At(x)
		alt += prose.Say(" %d at %v, class %s;", i+1, p, prose.Signed(set.Y[i]))
	}
	alt = alt[:len(alt)-1] + ". Below, the plane of w1 and " +
		"w2 with one line for each point and the region shaded where all constraints hold"
	if held == nil {
		return fmt.Sprintf("No w meets all of the %s (below, nothing is shaded): no line "+
				"through the origin separates the classes.", prose.Plural(set.Len(), "constraint")),
			alt + ": it is empty."
	}
	gamma := prose.Num(1 / math.Hypot(w[0], w[1]))
	if len(held) == 1 {
		caption = fmt.Sprintf("The circle touches the line of "+
			"point %d. This point alone holds the street: w is a "+
			"multiple of it, and γ = 1/‖w‖ = %s is its distance from the origin.", held[0]+1, gamma)
	} else {
		caption = fmt.Sprintf("The circle meets the region in a corner, where the lines of "+
			"points %d and %d cross. These two hold the street; γ = 1/‖w‖ = %s.", held[0]+1,
			held[1]+1, gamma)
	}
	return caption, alt + prose.Say(". A diamond marks the point of "+
		"the region nearest to the origin, (%v, %v), on a dotted circle. Above, "+
		"the street has the half-width %s; rings mark the points that hold it.", w[0], w[1], gamma)
}
