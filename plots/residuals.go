package plots

import (
	"math"
	"slices"

	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot/vg"
)

// Residuals draws the errors of a regression in any number of columns: f(x) − y over the
// prediction f(x), with the tube |f(x) − y| ≤ ε. A fit that misses the shape of the data shows
// here as a bend or a slope, one whose errors grow as a funnel.
func Residuals(set *svmkit.Dataset, f svmkit.Scorer, epsilon float64) (*Figure, error) {
	if err := check.Targets(set, 0); err != nil {
		return nil, err
	}
	fit := TubeFit{F: f, Epsilon: epsilon}
	if err := fit.validate(set); err != nil {
		return nil, err
	}
	n := set.Len()
	scores, errs := make([]float64, n), make([]float64, n)
	var absolute, squared, largest float64
	far := 0
	for i, x := range set.X {
		scores[i] = f.Score(x)
		errs[i] = scores[i] - set.Y[i]
		absolute += math.Abs(errs[i]) / float64(n)
		squared += errs[i] * errs[i] / float64(n)
		if math.Abs(errs[i]) > largest {
			largest, far = math.Abs(errs[i]), i
		}
	}
	rows, edge := pen.Thin(n, pen.MaxRows, far), edgeOf(set)
	size := vg.Length(1)
	if len(rows) > manyPoints {
		size = 0.65
	}
	inside := pen.Marks{Mark: pen.Mark{Shape: pen.Disc, Fill: pen.PaleBlue, Edge: pen.Blue,
		Radius: 2.9 * size}}
	outside := pen.Marks{Mark: pen.Solid(pen.Square, pen.Vermillion, 2.6*size)}
	view := geom.Empty().Cover(geom.Pt(scores[0], epsilon), geom.Pt(scores[0], -epsilon))
	for _, i := range rows {
		q := geom.Pt(scores[i], errs[i])
		view = view.Cover(q)
		if math.Abs(q.Y) <= epsilon+edge {
			inside.At = append(inside.At, q)
		} else {
			outside.At = append(outside.At, q)
		}
	}
	view.XMin, view.XMax = widened(view.XMin, view.XMax)
	view.YMin, view.YMax = widened(view.YMin, view.YMax)
	p := pen.NewPlot("prediction $f(x)$", "error $f(x) - y$")
	pen.Show(p, view)
	tube := pen.Area{Polygon: func(b geom.Box) []geom.Point {
		return []geom.Point{{X: b.XMin, Y: -epsilon}, {X: b.XMax, Y: -epsilon},
			{X: b.XMax, Y: epsilon}, {X: b.XMin, Y: epsilon}}
	}, Fill: pen.PaleBand, Border: pen.Line(pen.Faint, 1.2, pen.Dashed)}
	zero := pen.Path{At: []geom.Point{{X: view.XMin}, {X: view.XMax}},
		Style: pen.Line(pen.Ink, 1.4, nil)}
	p.Add(tube, zero, inside, outside)
	c := fit.count(set)
	fig := &Figure{Plot: p, Legend: pen.Legend{{Name: "no error", Mark: zero},
		{Name: `tube $\pm\epsilon$`, Mark: tube}}}
	for _, e := range []pen.Entry{{Name: "in the tube", Mark: inside},
		{Name: "outside", Mark: outside}} {
		if len(e.Mark.(pen.Marks).At) > 0 {
			fig.Legend = append(fig.Legend, e)
		}
	}
	fig.Caption = prose.Say("Of %s, %s within %v of the prediction; "+
		"the mean absolute error is %v, the largest %v.",
		prose.Plural(n, "point"), prose.Are(c.inside), epsilon, absolute, largest)
	fig.Caption += prose.Thinned(len(rows), n, "points")
	fig.Alt = prose.Say("Scatter plot of the error f(x) − y (vertical) over the prediction f(x) "+
		"from %v to %v (horizontal), with a shaded band of half-width %v around the line 0. %s "+
		"in the band (circles), %v above it and %v below (squares). Mean absolute error %v, root "+
		"mean square %v; the largest error is %v, where the prediction is %v.", slices.Min(scores),
		slices.Max(scores), epsilon, prose.UpperFirst(prose.PointsAre(c.inside)),
		c.below, c.above, absolute, math.Sqrt(squared), errs[far], scores[far])
	return fig, nil
}
