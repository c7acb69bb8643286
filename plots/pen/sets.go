package pen

import (
	"fmt"
	"slices"

	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// PlanarPlot returns an empty plot with the features' names on its axes.
func PlanarPlot(set *svmkit.Dataset) *plot.Plot {
	return NewPlot(FeatureName(set, 0), FeatureName(set, 1))
}

// FeatureName returns the name of a column on an axis.
func FeatureName(set *svmkit.Dataset, j int) string {
	if set.Features != nil {
		return prose.Literal(set.Features[j])
	}
	return fmt.Sprintf("$x_%d$", j+1)
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

// ClassName returns the name of a label's class in a legend.
func ClassName(set *svmkit.Dataset, label float64) string {
	sign := prose.Either(label < 0, "$y = -1$", "$y = +1$")
	k, ok := svmkit.ClassOf(label, 2)
	if !ok || len(set.Classes) != 2 {
		return sign
	}
	return prose.Literal(set.Classes[k]) + ", " + sign
}

// MaxCurve is how many points of a curve are drawn, maxCurveMarks how many of them marked.
const (
	MaxCurve      = 1000
	MaxCurveMarks = 40
)

// Limits of what one figure draws; beyond them it shows an even sample and says so.
const (
	MaxRows     = 1200 // points of a set
	MaxMistakes = 240  // marks along a trace
	MaxPanels   = 12   // of a strip
	MaxRuns     = 2000 // marks in a cloud of runs
	MaxDrops    = 20   // perpendiculars
)

// Thin returns at most limit numbers out of 0 … n−1, rising and evenly spaced, with the first
// and the last among them, and those in keep on top of the limit.
func Thin(n, limit int, keep ...int) []int {
	kept := slices.Clone(keep)
	if n <= limit {
		limit = n
	}
	for i := range limit {
		k := i
		if limit > 1 {
			k = i * (n - 1) / (limit - 1)
		}
		kept = append(kept, k)
	}
	slices.Sort(kept)
	return slices.Compact(kept)
}

// Some returns at most limit of the things, as [Thin] chooses them.
func Some[T any](all []T, limit int) []T {
	var some []T
	for _, k := range Thin(len(all), limit) {
		some = append(some, all[k])
	}
	return some
}
