package plots

import (
	"fmt"
	"math"

	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
)

// TubeFit is a regression of one column to be drawn: the function, the half-width of its tube
// and, if there are any, the dual variables.
type TubeFit struct {
	Name    string // above its panel or in the legend; may hold math, see [pen.Math]
	F       svmkit.Scorer
	Epsilon float64   // ε ≥ 0, in units of the target
	Beta    []float64 // one number a row, not 0 at support vectors; nil: nothing is ringed
}

func (t TubeFit) validate(set *svmkit.Dataset) error {
	if t.F == nil {
		return check.Param("F", nil, "must be a fitted function")
	}
	if err := check.NotNegative("Epsilon", t.Epsilon); err != nil {
		return err
	}
	if t.Beta != nil {
		if err := check.PerRow("Beta", t.Beta, set); err != nil {
			return err
		}
	}
	for i, b := range t.Beta {
		if math.IsNaN(b) {
			return check.Data(i, svmkit.NoPlace, b, svmkit.ErrNotFinite)
		}
	}
	for i, x := range set.X {
		if f := t.F.Score(x); !(math.Abs(f) <= check.Max) {
			return check.Data(i, svmkit.NoPlace, f,
				fmt.Errorf("the function's value: %w", svmkit.ErrNotFinite))
		}
	}
	return nil
}

// counted holds the numbers of a set's points in and outside a tube.
type counted struct {
	inside, above, below int     // points; those on the edge count as inside
	slack                float64 // Σξ
	support, misplaced   int     // rows with β ≠ 0, and those of them strictly inside the tube
}

// onEdge is how far from the tube's edge, in units of the largest |y|, a point still counts as
// on it. It is above the error of scores of a tight fit, and low enough that with ε = 0 points
// near the curve do not count: 1e-4 would count one of 342 penguins, 0.6 g away.
const onEdge = 1e-5

func edgeOf(set *svmkit.Dataset) float64 {
	largest := 1e-300 // so that a set of zeros has an edge, too
	for _, y := range set.Y {
		largest = max(largest, math.Abs(y))
	}
	return onEdge * largest
}

func (t TubeFit) count(set *svmkit.Dataset) (c counted) {
	edge := edgeOf(set)
	for i, x := range set.X {
		r := set.Y[i] - t.F.Score(x)
		beyond := math.Abs(r) - t.Epsilon
		switch {
		case beyond <= edge:
			c.inside++
		case r > 0:
			c.above++
		default:
			c.below++
		}
		c.slack += max(0, beyond)
		if t.Beta != nil && t.Beta[i] != 0 {
			c.support++
			if beyond < -edge {
				c.misplaced++
			}
		}
	}
	return c
}

// scalarView is the box of the points and of the fits, with a margin.
func scalarView(set *svmkit.Dataset, fits []TubeFit) geom.Box {
	view := geom.Empty()
	for i, x := range set.X {
		view = view.Cover(geom.Pt(x.At(0), set.Y[i]))
	}
	view.XMin, view.XMax = widened(view.XMin, view.XMax)
	points := view
	for _, t := range fits {
		for _, p := range t.curve(view, 0) {
			view = view.Cover(p)
		}
	}
	// A fit is cut off where it leaves the points far behind.
	height := points.YMax - points.YMin
	view.YMin, view.YMax = max(view.YMin, points.YMin-height), min(view.YMax, points.YMax+height)
	view.YMin, view.YMax = widened(view.YMin, view.YMax)
	return view
}

// widened adds a twentieth at both ends.
func widened(lo, hi float64) (float64, float64) {
	d := 0.05 * (hi - lo)
	if d == 0 {
		d = 0.05 * max(1, math.Abs(lo))
	}
	return lo - d, hi + d
}

// curve samples f + shift over the view; values that are not finite are left out.
func (t TubeFit) curve(view geom.Box, shift float64) (ps []geom.Point) {
	f := func(x float64) float64 { return t.F.Score(svmkit.Dense(x)) + shift }
	for _, p := range geom.Sample(f, view.XMin, view.XMax, false) {
		if math.Abs(p.Y) <= check.Max {
			ps = append(ps, p)
		}
	}
	return ps
}

// scalarPlot returns an empty plot with the feature's name on its axis.
func scalarPlot(set *svmkit.Dataset) *plot.Plot {
	x := "$x$"
	if set.Features != nil {
		x = prose.Literal(set.Features[0])
	}
	return pen.NewPlot(x, "$y$")
}

// scalarWords says for an alternative text which points there are, over which axes.
func scalarWords(set *svmkit.Dataset) string {
	name, b := "x", geom.Empty()
	if set.Features != nil {
		name = set.Features[0]
	}
	for i, x := range set.X {
		b = b.Cover(geom.Pt(x.At(0), set.Y[i]))
	}
	return prose.Say("%s over %s from %v to %v (horizontal), the target y from %v to %v "+
		"(vertical)", prose.Plural(set.Len(), "point"), name, b.XMin, b.XMax, b.YMin, b.YMax)
}

// course returns the values of a fit at both ends of the data and in the middle, in words.
func (t TubeFit) course(set *svmkit.Dataset) string {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range set.X {
		lo, hi = min(lo, x.At(0)), max(hi, x.At(0))
	}
	f := func(x float64) string { return prose.Num(t.F.Score(svmkit.Dense(x))) }
	return fmt.Sprintf("from %s at the left over %s in the middle to %s at the right", f(lo),
		f(lo+(hi-lo)/2), f(hi))
}
