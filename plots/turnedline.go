package plots

import (
	"fmt"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot/vg"
)

// TurnedLine draws a 2-D set with two lines through the origin, those of the first and the last weights of a
// run: the first dashed, the last solid, each with an arrow to its positive side. The points that the last
// weights are wrong about, with y⟨w,x⟩ ≤ 0, are ringed. Weights (0, 0) have no line and are wrong about every point.
func TurnedLine(set *svmkit.Dataset, first, last [2]float64) (*Figure, error) {
	if err := planar(set); err != nil {
		return nil, err
	}
	p := planarPlot(set)
	view := extent(set).cover(point{}).grow(0.10)
	show(p, view)
	f := &Figure{Plot: p, EqualUnits: true, Width: phoneWidth, Height: 4.4 * vg.Inch}
	from, to := svmkit.Hyperplane{W: first[:]}, svmkit.Hyperplane{W: last[:]}
	var entries []Entry
	lines := ""
	for i, h := range []svmkit.Hyperplane{to, from} {
		name := []string{"last line", "first line"}[i]
		if err := checkPlane(h, 2, true); err != nil {
			return nil, err
		}
		if isZero(h) {
			lines += fmt.Sprintf(" There is no %s: the weights are (0, 0).", name)
			continue
		}
		style := planeStyles[i].line
		a, b, _ := visible(h, view) // it meets the view in the origin
		const along = 0.85          // beyond most points
		normal := normalAt(h, point{X: a.X + along*(b.X-a.X), Y: a.Y + along*(b.Y-a.Y)}, view.side()/9)
		normal.style.Color = style.Color
		p.Add(planeLine{h, style}, normal)
		entries = append(entries, Entry{name, planeLine{h, style}})
		lines += fmt.Sprintf(" %s (%s): %s.", upperFirst(name), dashNames[i], equation(h))
	}
	if len(entries) > 0 {
		entries = append(entries, Entry{"its + side", arrow{style: line(ink, 2, nil)}})
	}
	rows := thin(set.Len(), maxRows)
	f.Legend = append(scatter(p, set, rows, 1), entries...)
	wrong, places := rings{style: line(ink, 1, nil)}, ""
	for _, i := range rows {
		if q := at(set.X[i]); set.Y[i]*to.Score(set.X[i]) <= 0 {
			wrong.at = append(wrong.at, q)
			places += fmt.Sprintf(" (%s, %s)", num(q.X), num(q.Y))
		}
	}
	f.Caption = fmt.Sprintf("The first line is wrong about %s of %s, the last about %s.", count(mistakes(set, from)), plural(set.Len(), "point"), count(mistakes(set, to)))
	f.Alt = fmt.Sprintf("Scatter plot of %s over %s, with the lines of the first and the last weights; an arrow on each points to its positive side.%s", pointWords(set), axisWords(set), lines)
	if places != "" {
		p.Add(wrong)
		f.Legend = append(f.Legend, Entry{"mistakes of the last", wrong})
		f.Alt += " Ringed, as the last line is wrong about them:" + places + "."
	}
	f.Caption += thinned(len(rows), set.Len(), "points")
	return f, nil
}
