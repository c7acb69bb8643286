package figures

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Labelling is a labelling of some points of the plane, with a line that separates its classes; W
// is nil if none does.
type Labelling struct {
	Set   *svmkit.Dataset
	Plane svmkit.Hyperplane
	Names []string // of the points, row by row; nil for none
}

// Labellings draws labelled points with a separating line. If no line separates the classes, it
// draws their convex hulls and a point of both.
//
// Both axes reach from −side to side. One labelling fills the figure; two to 16 are panels without
// numbers on their axes.
//
// It is an error if there are none or more than 16, if a set is not planar, if a line does not
// separate, if the hulls of a set without a line do not meet, if names are not one for each row, or
// if side is not positive and finite.
func Labellings(all []Labelling, side float64) (*plots.Figure, error) {
	const most = 16
	if err := cmp.Or(check.Count("labellings", len(all), 1, most, "labelling"),
		check.Positive("side", side)); err != nil {
		return nil, err
	}
	const columns = 2 // on a phone
	rows := (len(all) + columns - 1) / columns
	f := &plots.Figure{EqualUnits: true, Width: pen.PhoneWidth,
		Height: vg.Length(rows)*1.75*vg.Inch + 0.6*vg.Inch}
	var panels []*plot.Plot
	separable := 0
	for k, l := range all {
		p, words, err := l.panel(side)
		if err != nil {
			return nil, err
		}
		if l.Plane.W != nil {
			separable++
		}
		if len(all) == 1 {
			f.Plot, f.Alt = p, fmt.Sprintf("Scatter plot of %s: %s.", prose.Points(l.Set), words)
			f.Height = pen.PhoneWidth + 0.9*vg.Inch
			break
		}
		panels = append(panels, pen.Bare(p))
		f.Alt += fmt.Sprintf(" Panel %d: %s.", k+1, words)
	}
	switch {
	case len(all) > 1:
		f.Panels = slices.Collect(slices.Chunk(panels, columns))
		f.Alt = prose.UpperFirst(prose.Plural(len(all), "panel")) +
			" with the same points under other labels, filled circles for +1 and open squares " +
			"for −1." + f.Alt
		f.Caption = fmt.Sprintf("Of %d labellings %d have a line with each class on its own side.",
			len(all), separable)
	case separable == 1:
		f.Caption = "With these labels a line has each class on its own side."
	default:
		f.Caption = "With these labels there is no such line: the ringed point lies in the " +
			"hulls of both classes."
	}
	f.Legend = pen.Legend{{Name: "$y = +1$", Mark: pen.Marks{Mark: pen.Positive}},
		{Name: "$y = -1$", Mark: pen.Marks{Mark: pen.Negative}}}
	if separable > 0 {
		f.Legend.Add("separating line", pen.PlaneLine{Style: pen.Line(pen.Ink, 1.8, nil)})
	}
	if separable < len(all) {
		f.Legend.Add("point of both hulls", pen.Ring{Radius: 5, Style: pen.Line(pen.Ink, 1.8, nil)})
	}
	return f, nil
}

// panel draws one labelling, and describes it.
func (l Labelling) panel(side float64) (p *plot.Plot, words string, err error) {
	if err := check.Planar(l.Set); err != nil {
		return nil, "", err
	}
	if l.Names != nil && len(l.Names) != l.Set.Len() {
		return nil, "", check.Param("Names", len(l.Names), "must be one for each row, or none")
	}
	all := pen.Thin(l.Set.Len(), l.Set.Len())
	p = pen.PlanarPlot(l.Set)
	pen.Show(p, geom.Square(side))
	if l.Plane.W != nil {
		if err := check.Plane(l.Plane, 2); err != nil {
			return nil, "", err
		}
		if wrong := geom.Mistakes(l.Set, l.Plane); wrong > 0 {
			return nil, "", check.Param("Plane", prose.Plural(wrong, "mistake"),
				"must separate the set; without a W there is none")
		}
		p.Add(pen.Plane(l.Plane, pen.Line(pen.Ink, 1.8, nil)))
		pen.Scatter(p, l.Set, all, 1.3)
		p.Add(l.letters(l.Plane))
		where := prose.Either(slices.Min(l.Set.Y) == slices.Max(l.Set.Y), "beside", "between")
		return p, fmt.Sprintf("%s against %s, and the line %s %s them", l.places(1), l.places(-1),
			prose.Equation(tidyLine(l.Plane)), where), nil
	}
	plus, minus := geom.Hull(geom.OfClass(l.Set, all, 1)), geom.Hull(geom.OfClass(l.Set, all, -1))
	if len(plus) == 0 || len(minus) == 0 {
		return nil, "", check.Param("Plane", "none",
			"must be given for points of one class: some line has them on one side")
	}
	a, b := geom.Closest(plus, minus)
	if geom.Distance(a, b) > geom.HullTolerance*geom.Extent(l.Set).Side() {
		return nil, "", check.Param("Plane", "none",
			"must be given: the hulls of the classes do not meet")
	}
	for _, h := range []struct {
		corners []geom.Point
		fill    color.Color
		edge    draw.LineStyle
	}{{plus, pen.PaleBlue, pen.Line(pen.Blue, 1.6, nil)},
		{minus, pen.PaleRed, pen.Line(pen.Vermillion, 1.6, pen.Dashed)}} {
		p.Add(pen.Filled(h.corners, h.fill))
		around := h.corners
		if len(around) > 2 {
			around = append(slices.Clone(around), around[0])
		}
		p.Add(pen.Join(around, h.edge))
	}
	pen.Scatter(p, l.Set, all, 1.3)
	p.Add(pen.RingAt(a, 7, pen.Line(pen.Ink, 1.8, nil)), l.letters())
	return p, prose.Say("%s against %s, and no line: the hulls of both classes hold the "+
		"ringed point %v", l.places(1), l.places(-1), a), nil
}

// tidyLine returns the same line with ‖w‖ = 1 and rounded numbers, to be read out.
func tidyLine(h svmkit.Hyperplane) svmkit.Hyperplane {
	norm := h.Norm()
	tidy := func(v float64) float64 { return prose.Tidy(v/norm) + 0 } // + 0: no −0
	return svmkit.Hyperplane{W: []float64{tidy(h.W[0]), tidy(h.W[1])}, B: tidy(h.B)}
}

// letters writes the names of the points next to them.
func (l Labelling) letters(lines ...svmkit.Hyperplane) pen.Labels {
	names := pen.Labels{Lines: lines, Clear: 6}
	for i, name := range l.Names {
		q := geom.At(l.Set.X[i])
		names.Items, names.Avoid = append(names.Items, pen.Label{At: q, Text: prose.Literal(name)}),
			append(names.Avoid, q)
	}
	return names
}

// places lists the points of a class.
func (l Labelling) places(label float64) (words string) {
	for i, x := range l.Set.X {
		if l.Set.Y[i] != label {
			continue
		}
		words += prose.If(words != "", ", ")
		if l.Names != nil {
			words += l.Names[i] + " "
		}
		words += prose.Say("%v", geom.Pt(prose.Tidy(x.At(0)), prose.Tidy(x.At(1))))
	}
	if words == "" {
		return "no point"
	}
	return words
}
