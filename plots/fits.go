package plots

import (
	"cmp"
	"fmt"

	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot/vg"
)

// Fits draws up to six functions of one column over the points that they were fitted to, told
// apart by colour, dash and name, and says which share of the points lies below each: for a
// fit with ε = 0 and weights C₁ of scores that are too high and C₂ of those too low, at most
// C₂/(C₁+C₂), and at least that with the points on the curve. The tubes are not drawn.
func Fits(set *svmkit.Dataset, fits []TubeFit) (*Figure, error) {
	if err := cmp.Or(check.Targets(set, 1), check.Count("fits", len(fits), 1, len(pen.Styles),
		"fit")); err != nil {
		return nil, err
	}
	for _, t := range fits {
		if err := t.validate(set); err != nil {
			return nil, err
		}
	}
	view := scalarView(set, fits)
	p := scalarPlot(set)
	pen.Show(p, view)
	dots := pen.Marks{Mark: pen.Mark{Shape: pen.Disc, Fill: pen.PaleBlue, Edge: pen.Faint,
		Radius: 2.6}}
	if set.Len() > manyPoints {
		dots.Mark.Radius = 1.9
	}
	rows, edge := pen.Thin(set.Len(), pen.MaxRows), edgeOf(set)
	for _, i := range rows {
		dots.At = append(dots.At, geom.Pt(set.X[i].At(0), set.Y[i]))
	}
	p.Add(dots)
	f := &Figure{Plot: p, Height: 4.2 * vg.Inch}
	f.Alt = fmt.Sprintf("Scatter plot of %s, with %s.", scalarWords(set),
		prose.Plural(len(fits), "curve"))
	f.Caption = "Points below the curve, of " + prose.Count(set.Len()) + ":"
	for k, t := range fits {
		style := pen.Styles[k].Line
		style.Width = vg.Points(2)
		curve := pen.Path{At: t.curve(view, 0), Style: style}
		p.Add(curve)
		f.Legend.Add(t.Name, curve)
		below, on := 0, 0
		for i, x := range set.X {
			switch r := set.Y[i] - t.F.Score(x); {
			case r < -edge:
				below++
			case r <= edge:
				on++
			}
		}
		name := t.plainName()
		f.Caption += prose.Say("%s %v for %s, with %v on it",
			[]string{"", ";"}[min(k, 1)], below, name, on)
		f.Alt += fmt.Sprintf(" %s: %s, with %s below it.", prose.UpperFirst(name), t.course(set),
			prose.Plural(below, "point"))
	}
	f.Caption += "." + prose.Thinned(len(rows), set.Len(), "points")
	return f, nil
}
