package plots

import (
	"cmp"
	"fmt"
	"math"

	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot/vg"
)

// NamedPlane is a plane with its name in a legend, which may hold math.
type NamedPlane struct {
	Name  string
	Plane svmkit.Hyperplane
}

// Separators draws up to six planes over one 2-D set, told apart by colour, dash and name,
// and counts those that separate the set, with their half-margins γ.
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
		l := pen.PlaneLine{Plane: h.Plane, Style: pen.PlaneStyles[i].Line}
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

// separating returns how many planes have every point on its right side, and the least and
// the largest half-margin among those.
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
