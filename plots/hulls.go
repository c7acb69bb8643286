package plots

import (
	"fmt"
	"image/color"
	"slices"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// hullTolerance is how far, relative to the size of the set, a given point may lie outside its
// hull, and two points may differ and count as one.
const hullTolerance = 1e-7

// Hulls draws the convex hulls of both classes of a 2-D set and either a point that lies in both,
// so no plane separates the classes, or the two nearest points, whose distance is the whole margin
// of the set.
//
// plus and minus, of length 2, are these points in the hulls of class +1 and −1; equal points are a
// common one. With nil for both, Hulls finds them.
func Hulls(set *svmkit.Dataset, plus, minus []float64) (*Figure, error) {
	if err := planar(set); err != nil {
		return nil, err
	}
	if err := set.ValidateBinary(); err != nil {
		return nil, err
	}
	all := thin(set.Len(), set.Len())
	hullPlus, hullMinus := hull(points(set, all, 1)), hull(points(set, all, -1))
	view := extent(set)
	size := max(view.xmax-view.xmin, view.ymax-view.ymin)
	p, q := closest(hullPlus, hullMinus)
	if plus != nil || minus != nil {
		for _, given := range []struct {
			name string
			at   []float64
			hull []point
		}{{"plus", plus, hullPlus}, {"minus", minus, hullMinus}} {
			if len(given.at) != 2 {
				return nil, &svmkit.ParamError{Name: given.name, Value: given.at, Need: "must be a point of the plane, or both nil"}
			}
			if d := distanceToHull(point{X: given.at[0], Y: given.at[1]}, given.hull); !(d <= hullTolerance*size) {
				return nil, &svmkit.ParamError{Name: given.name, Value: given.at, Need: "must lie in the convex hull of its class"}
			}
		}
		least := distance(p, q)
		p, q = point{X: plus[0], Y: plus[1]}, point{X: minus[0], Y: minus[1]}
		if d := distance(p, q); d > least+hullTolerance*size {
			return nil, &svmkit.ParamError{Name: "plus, minus", Value: d, Need: fmt.Sprintf("must be a nearest pair: the hulls have points at the distance %g", least)}
		}
	}
	meet := distance(p, q) <= hullTolerance*size

	f := &Figure{Plot: planarPlot(set), EqualUnits: true, Width: phoneWidth}
	view = view.grow(0.06)
	flat := (view.ymax - view.ymin) / (view.xmax - view.xmin)
	f.Height = min(phoneWidth*vg.Length(flat)+1.1*vg.Inch, 4.4*vg.Inch)
	show(f.Plot, view)
	var fills []Entry
	var edges []plot.Plotter
	for _, h := range []struct {
		name    string
		corners []point
		fill    color.Color
		edge    draw.LineStyle
	}{{"hull of +1", hullPlus, paleBlue, line(blue, 1.4, nil)}, {"hull of −1", hullMinus, paleRed, line(vermillion, 1.4, dashed)}} {
		// The second fill is translucent, so that both show where they overlap.
		r, g, b, _ := h.fill.RGBA()
		shape := area{func(box) []point { return h.corners }, color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0xb0}, draw.LineStyle{}}
		f.Plot.Add(shape)
		edges = append(edges, path{append(slices.Clone(h.corners), h.corners[0]), h.edge})
		shape.edge = h.edge // in the legend
		fills = append(fills, Entry{h.name, shape})
	}
	f.Plot.Add(edges...)
	rows := thin(set.Len(), maxRows)
	markSize := vg.Length(1)
	if meet { // small marks, which let the overlap be seen
		markSize = 0.6
	}
	f.Legend = append(scatter(f.Plot, set, rows, markSize), fills...)
	if meet {
		common := ring{p, 7, line(ink, 1.8, nil)}
		f.Plot.Add(common, marks{[]point{p}, mark{saltire, ink, ink, 2.6}})
		f.Legend = append(f.Legend, Entry{"in both hulls", common})
	} else {
		gap := segments{[]point{p}, []point{q}, line(ink, 2, dotted)}
		f.Plot.Add(gap, ring{p, 6, line(ink, 1.4, nil)}, ring{q, 6, line(ink, 1.4, nil)})
		f.Legend = append(f.Legend, Entry{"nearest points", gap})
	}
	f.Caption, f.Alt = hullWords(set, p, q, meet)
	f.Caption += thinned(len(rows), set.Len(), "points")
	return f, nil
}

func hullWords(set *svmkit.Dataset, p, q point, meet bool) (caption, alt string) {
	alt = fmt.Sprintf("Scatter plot of %s over %s, with the convex hull of each class shaded. ", pointWords(set), axisWords(set))
	if meet {
		caption = fmt.Sprintf("The ringed point (%s, %s) lies in the convex hulls of both classes: no plane can separate them.", num(p.X), num(p.Y))
		return caption, alt + fmt.Sprintf("The hulls overlap; a ring marks a common point at (%s, %s).", num(p.X), num(p.Y))
	}
	d := distance(p, q)
	caption = fmt.Sprintf("The hulls of the classes are apart: a plane fits between them, and none with a larger margin than half of their distance %s, γ = %s.", num(d), num(d/2))
	return caption, alt + fmt.Sprintf("The hulls do not meet; a dotted line joins the rings on their nearest points, (%s, %s) of class +1 and (%s, %s) of class −1, at the distance %s.",
		num(p.X), num(p.Y), num(q.X), num(q.Y), num(d))
}
