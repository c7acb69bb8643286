package plots

import (
	"cmp"
	"fmt"
	"image/color"
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

// NamedPlane is a plane with its name in a legend, which may hold math.
type NamedPlane struct {
	Name  string
	Plane svmkit.Hyperplane
}

// Separators draws up to six planes over one 2-D set, and counts the planes that separate the set.
//
// The planes differ in colour, dash and name, and the caption gives their half-margins γ.
func Separators(set *svmkit.Dataset, planes []NamedPlane) (*Figure, error) {
	if err := cmp.Or(check.Planar(set), check.Count("planes", len(planes), 1, len(pen.Styles),
		"plane")); err != nil {
		return nil, err
	}
	p := pen.PlanarPlot(set)
	rows := pen.Thin(set.Len(), pen.MaxRows)
	view, origin := geom.Extent(set), true
	var lines pen.Legend
	for i, h := range planes {
		if err := check.Plane(h.Plane, 2); err != nil {
			return nil, err
		}
		origin = origin && h.Plane.B == 0
		l := pen.Plane(h.Plane, pen.PlaneStyles[i].Line)
		p.Add(l)
		lines.Add(h.Name, l)
	}
	if origin { // where all of them meet
		view = view.Cover(geom.Point{})
		p.Add(pen.Origin)
	}
	pen.Show(p, view.Grow(0.10))
	f := &Figure{Plot: p, EqualUnits: true, Width: pen.PhoneWidth, Height: 4.4 * vg.Inch}
	f.Legend = append(pen.Scatter(p, set, rows, 1), lines...)
	f.Caption, f.Alt = separatorWords(set, planes)
	f.Caption += prose.Thinned(len(rows), set.Len(), "points")
	return f, nil
}

// separating returns the number of planes with every point on its right side, and the least and the
// largest half-margin among them.
func separating(set *svmkit.Dataset, planes []NamedPlane) (n int, least, most float64) {
	least, most = math.Inf(1), 0
	for _, h := range planes {
		if gamma, _ := h.Plane.SetMargin(set); gamma > 0 {
			n, least, most = n+1, min(least, gamma), max(most, gamma)
		}
	}
	return n, least, most
}

func separatorWords(set *svmkit.Dataset, planes []NamedPlane) (caption, alt string) {
	n, least, most := separating(set, planes)
	switch {
	case n == 0:
		caption = fmt.Sprintf("None of %s separates the classes.",
			prose.Plural(len(planes), "plane"))
	case len(planes) == 1:
		caption = prose.Say("The plane separates the classes, with half-margin %v.", least)
	case n == 2 && len(planes) == 2:
		caption = prose.Say("Both planes separate the classes, with half-margins %v and %v.",
			least, most)
	case n == len(planes):
		caption = prose.Say("All %s separate the classes, with half-margins from %v to %v.",
			prose.Plural(n, "plane"), least, most)
	default:
		caption = prose.Say("%v of %s separate the classes, with half-margins from %v to %v.",
			n, prose.Plural(len(planes), "plane"), least, most)
	}
	alt = fmt.Sprintf("Scatter plot of %s over %s, with %s.", prose.Points(set), prose.Axes(set),
		prose.Plural(len(planes), "line"))
	for _, h := range planes {
		gamma, _ := h.Plane.SetMargin(set)
		alt += prose.Say(" %s: %s, half-margin %v.",
			prose.UpperFirst(prose.Plain(h.Name)), prose.Equation(h.Plane), gamma)
	}
	return caption, alt
}

// Hulls draws the convex hulls of both classes of a 2-D set, with a common point or the two nearest
// points.
//
// If a point lies in both hulls, no plane separates the classes. Otherwise the distance of the two
// nearest points is the width of the margin of the set. plus and minus, of length 2, are these
// points in the hulls of class +1 and −1; equal points are a common point. If both are nil, Hulls
// finds them.
func Hulls(set *svmkit.Dataset, plus, minus []float64) (*Figure, error) {
	if err := cmp.Or(check.Planar(set), set.ValidateBinary()); err != nil {
		return nil, err
	}
	all := pen.Thin(set.Len(), set.Len())
	hullPlus, hullMinus := geom.Hull(geom.OfClass(set, all, 1)),
		geom.Hull(geom.OfClass(set, all, -1))
	view := geom.Extent(set)
	size := max(view.XMax-view.XMin, view.YMax-view.YMin)
	p, q := geom.Closest(hullPlus, hullMinus)
	if plus != nil || minus != nil {
		for _, given := range []struct {
			name string
			at   []float64
			hull []geom.Point
		}{{"plus", plus, hullPlus}, {"minus", minus, hullMinus}} {
			if len(given.at) != 2 {
				return nil, check.Param(given.name, given.at,
					"must be a point of the plane, or both nil")
			}
			if d := geom.DistanceToHull(geom.Pt(given.at[0], given.at[1]),
				given.hull); !(d <= geom.HullTolerance*size) {
				return nil, check.Param(given.name, given.at,
					"must lie in the convex hull of its class")
			}
		}
		least := geom.Distance(p, q)
		p, q = geom.Pt(plus[0], plus[1]), geom.Pt(minus[0], minus[1])
		if d := geom.Distance(p, q); d > least+geom.HullTolerance*size {
			return nil, check.Param("plus, minus", d,
				"must be a nearest pair: the hulls have points at the distance %g", least)
		}
	}
	meet := geom.Distance(p, q) <= geom.HullTolerance*size

	f := &Figure{Plot: pen.PlanarPlot(set), EqualUnits: true, Width: pen.PhoneWidth}
	view = view.Grow(0.06)
	flat := (view.YMax - view.YMin) / (view.XMax - view.XMin)
	f.Height = min(pen.PhoneWidth*vg.Length(flat)+1.1*vg.Inch, 4.4*vg.Inch)
	pen.Show(f.Plot, view)
	var fills pen.Legend
	var edges []plot.Plotter
	for _, h := range []struct {
		name    string
		corners []geom.Point
		fill    color.Color
		edge    draw.LineStyle
	}{{"hull of +1", hullPlus, pen.PaleBlue, pen.Line(pen.Blue, 1.4, nil)},
		{"hull of −1", hullMinus, pen.PaleRed, pen.Line(pen.Vermillion, 1.4, pen.Dashed)}} {
		// The second fill is translucent, so that both show where they overlap.
		r, g, b, _ := h.fill.RGBA()
		shape := pen.Filled(h.corners,
			color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0xb0})
		f.Plot.Add(shape)
		edges = append(edges, pen.Join(append(slices.Clone(h.corners), h.corners[0]), h.edge))
		shape.Border = h.edge // in the legend
		fills.Add(h.name, shape)
	}
	f.Plot.Add(edges...)
	rows := pen.Thin(set.Len(), pen.MaxRows)
	markSize := vg.Length(1)
	if meet { // small marks, which let the overlap be seen
		markSize = 0.6
	}
	f.Legend = append(pen.Scatter(f.Plot, set, rows, markSize), fills...)
	if meet {
		common := pen.RingAt(p, 7, pen.Line(pen.Ink, 1.8, nil))
		f.Plot.Add(common, pen.Solid(pen.Saltire, pen.Ink, 2.6).At(p))
		f.Legend.Add("in both hulls", common)
	} else {
		gap := pen.Segment(p, q, pen.Line(pen.Ink, 2, pen.Dotted))
		f.Plot.Add(gap, pen.RingAt(p, 6, pen.Line(pen.Ink, 1.4, nil)),
			pen.RingAt(q, 6, pen.Line(pen.Ink, 1.4, nil)))
		f.Legend.Add("nearest points", gap)
	}
	f.Caption, f.Alt = hullWords(set, p, q, meet)
	f.Caption += prose.Thinned(len(rows), set.Len(), "points")
	return f, nil
}

func hullWords(set *svmkit.Dataset, p, q geom.Point, meet bool) (caption, alt string) {
	alt = fmt.Sprintf("Scatter plot of %s over %s, with the convex hull of each class shaded. ",
		prose.Points(set), prose.Axes(set))
	if meet {
		caption = prose.Say("The ringed point %v lies in the convex hulls of both "+
			"classes: no plane can separate them.", p)
		return caption, alt + prose.Say("The hulls overlap; a ring marks a common point at %v.", p)
	}
	d := geom.Distance(p, q)
	caption = prose.Say("The hulls of the classes are apart: a plane fits between them, and "+
		"none with a larger margin than half of their distance %v, γ = %v.", d, d/2)
	return caption, alt + prose.Say("The hulls do not meet; a dotted line joins the rings "+
		"on their nearest points, %v of class +1 and %v of class −1, at the distance %v.", p, q, d)
}
