package plots

import (
	"fmt"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot/vg"
)

// Fits draws up to six functions of one column over the points that they were fitted to, told
// apart by colour, dash and name, and says which share of the points lies below each: for a
// fit with ε = 0 and weights C₁ of scores that are too high and C₂ of those too low, at most
// C₂/(C₁+C₂), and at least that with the points on the curve. The tubes are not drawn.
func Fits(set *svmkit.Dataset, fits []TubeFit) (*Figure, error) {
	if err := scalar(set); err != nil {
		return nil, err
	}
	if err := checkStyles("fits", len(fits), "fit"); err != nil {
		return nil, err
	}
	for _, t := range fits {
		if err := t.validate(set); err != nil {
			return nil, err
		}
	}
	view := scalarView(set, fits)
	p := scalarPlot(set)
	show(p, view)
	dots := marks{mark: mark{disc, paleBlue, faint, 2.6}}
	if set.Len() > manyPoints {
		dots.mark.radius = 1.9
	}
	rows, edge := thin(set.Len(), maxRows), edgeOf(set)
	for _, i := range rows {
		dots.at = append(dots.at, point{X: set.X[i].At(0), Y: set.Y[i]})
	}
	p.Add(dots)
	f := &Figure{Plot: p, Height: 4.2 * vg.Inch}
	f.Alt = fmt.Sprintf("Scatter plot of %s, with %s.", scalarWords(set), plural(len(fits), "curve"))
	f.Caption = "Points below the curve, of " + count(set.Len()) + ":"
	for k, t := range fits {
		style := styles[k].line
		style.Width = vg.Points(2)
		curve := path{t.curve(view, 0), style}
		p.Add(curve)
		f.Legend = append(f.Legend, Entry{t.Name, curve})
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
		f.Caption += fmt.Sprintf("%s %s for %s, with %s on it", []string{"", ";"}[min(k, 1)], count(below), name, count(on))
		f.Alt += fmt.Sprintf(" %s: %s, with %s below it.", upperFirst(name), t.course(set), plural(below, "point"))
	}
	f.Caption += "." + thinned(len(rows), set.Len(), "points")
	return f, nil
}
