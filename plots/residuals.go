package plots

import (
	"fmt"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot/vg"
)

// Residuals draws the errors of a regression in any number of columns: f(x) − y over the
// prediction f(x), with the tube |f(x) − y| ≤ ε. A fit that misses the shape of the data shows
// here as a bend or a slope, one whose errors grow as a funnel.
func Residuals(set *svmkit.Dataset, f svmkit.Scorer, epsilon float64) (*Figure, error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	if err := targets(set); err != nil {
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
	rows, edge := thin(n, maxRows, far), edgeOf(set)
	size := vg.Length(1)
	if len(rows) > manyPoints {
		size = 0.65
	}
	inside := marks{mark: mark{disc, paleBlue, blue, 2.9 * size}}
	outside := marks{mark: mark{square, vermillion, vermillion, 2.6 * size}}
	view := emptyBox().cover(point{X: scores[0], Y: epsilon}, point{X: scores[0], Y: -epsilon})
	for _, i := range rows {
		q := point{X: scores[i], Y: errs[i]}
		view = view.cover(q)
		if math.Abs(q.Y) <= epsilon+edge {
			inside.at = append(inside.at, q)
		} else {
			outside.at = append(outside.at, q)
		}
	}
	view.xmin, view.xmax = widened(view.xmin, view.xmax)
	view.ymin, view.ymax = widened(view.ymin, view.ymax)
	p := newPlot("prediction $f(x)$", "error $f(x) - y$")
	show(p, view)
	tube := area{func(b box) []point {
		return []point{{X: b.xmin, Y: -epsilon}, {X: b.xmax, Y: -epsilon}, {X: b.xmax, Y: epsilon}, {X: b.xmin, Y: epsilon}}
	}, paleBand, line(faint, 1.2, dashed)}
	zero := path{[]point{{X: view.xmin}, {X: view.xmax}}, line(ink, 1.4, nil)}
	p.Add(tube, zero, inside, outside)
	c := fit.count(set)
	fig := &Figure{Plot: p, Legend: []Entry{{"no error", zero}, {`tube $\pm\epsilon$`, tube}}}
	for _, e := range []Entry{{"in the tube", inside}, {"outside", outside}} {
		if len(e.Mark.(marks).at) > 0 {
			fig.Legend = append(fig.Legend, e)
		}
	}
	fig.Caption = fmt.Sprintf("Of %s, %s within %s of the prediction; the mean absolute error is %s, the largest %s.",
		plural(n, "point"), isAreNumber(c.inside), num(epsilon), num(absolute), num(largest))
	fig.Caption += thinned(len(rows), n, "points")
	fig.Alt = fmt.Sprintf("Scatter plot of the error f(x) − y (vertical) over the prediction f(x) from %s to %s (horizontal), with a shaded band of half-width %s around the line 0. "+
		"%s in the band (circles), %s above it and %s below (squares). Mean absolute error %s, root mean square %s; the largest error is %s, where the prediction is %s.",
		num(slices.Min(scores)), num(slices.Max(scores)), num(epsilon), upperFirst(isAre(c.inside)), count(c.below), count(c.above), // a point below the curve has f(x) > y
		num(absolute), num(math.Sqrt(squared)), num(errs[far]), num(scores[far]))
	return fig, nil
}
