package pen

import (
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// PlanarPlot returns an empty plot with the features' names on its axes.
func PlanarPlot(set *svmkit.Dataset) *plot.Plot {
	x, y := "$x_1$", "$x_2$"
	if set.Features != nil {
		x, y = prose.Literal(set.Features[0]), prose.Literal(set.Features[1])
	}
	return NewPlot(x, y)
}

// Scatter adds both classes to p, with marks of the given size, and returns their legend.
func Scatter(p *plot.Plot, set *svmkit.Dataset, rows []int, size vg.Length) Legend {
	plus := Marks{geom.OfClass(set, rows, 1), Positive}
	minus := Marks{geom.OfClass(set, rows, -1), Negative}
	if len(rows) > 150 { // many points: smaller marks
		size *= 0.65
	}
	plus.Mark.Radius *= size
	minus.Mark.Radius *= size
	p.Add(minus, plus)
	var legend Legend
	for _, e := range []Entry{{ClassName(set, 1), plus}, {ClassName(set, -1), minus}} {
		if len(e.Mark.(Marks).At) > 0 {
			legend = append(legend, e)
		}
	}
	return legend
}

// ClassName returns how a legend names the class of a label.
func ClassName(set *svmkit.Dataset, label float64) string {
	sign := "$y = +1$"
	if label < 0 {
		sign = "$y = -1$"
	}
	k, ok := svmkit.ClassOf(label, 2)
	if !ok || len(set.Classes) != 2 {
		return sign
	}
	return prose.Literal(set.Classes[k]) + ", " + sign
}
