package plots

import (
	"fmt"
	"math"

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
	if err := planar(set); err != nil {
		return nil, err
	}
	if err := checkStyles("planes", len(planes), "plane"); err != nil {
		return nil, err
	}
	p := planarPlot(set)
	rows := thin(set.Len(), maxRows)
	view, origin := extent(set), true
	var lines []Entry
	for i, h := range planes {
		if err := checkPlane(h.Plane, 2, false); err != nil {
			return nil, err
		}
		origin = origin && h.Plane.B == 0
		l := planeLine{h.Plane, planeStyles[i].line}
		p.Add(l)
		lines = append(lines, Entry{h.Name, l})
	}
	if origin { // where all of them meet
		view = view.cover(point{})
		p.Add(marks{[]point{{}}, mark{upright, ink, ink, 3.5}})
	}
	show(p, view.grow(0.10))
	f := &Figure{Plot: p, EqualUnits: true, Width: phoneWidth, Height: 4.4 * vg.Inch}
	f.Legend = append(scatter(p, set, rows, 1), lines...)
	f.Caption, f.Alt = separatorWords(set, planes)
	f.Caption += thinned(len(rows), set.Len(), "points")
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
		caption = fmt.Sprintf("None of %s separates the classes.", plural(len(planes), "plane"))
	case len(planes) == 1:
		caption = fmt.Sprintf("The plane separates the classes, with half-margin %s.", num(least))
	case n == 2 && len(planes) == 2:
		caption = fmt.Sprintf("Both planes separate the classes, with half-margins %s and %s.", num(least), num(most))
	case n == len(planes):
		caption = fmt.Sprintf("All %s separate the classes, with half-margins from %s to %s.", plural(n, "plane"), num(least), num(most))
	default:
		caption = fmt.Sprintf("%s of %s separate the classes, with half-margins from %s to %s.", count(n), plural(len(planes), "plane"), num(least), num(most))
	}
	alt = fmt.Sprintf("Scatter plot of %s over %s, with %s.", pointWords(set), axisWords(set), plural(len(planes), "line"))
	for _, h := range planes {
		gamma, _ := h.Plane.SetMargin(set)
		alt += fmt.Sprintf(" %s: %s, half-margin %s.", upperFirst(plain(h.Name)), equation(h.Plane), num(gamma))
	}
	return caption, alt
}
