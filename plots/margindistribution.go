package plots

import (
	"fmt"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot/vg/draw"
)

// NamedModel is a model with its name in a legend, which may hold math.
type NamedModel struct {
	Name  string
	Model svmkit.Scorer
}

// MarginDistribution draws, for up to six models, the share of rows with a functional margin
// y·f(x) ≤ m, against m. Its value at m = 0 is the error rate, at m = 1 the share of rows with a
// hinge loss > 0; the area under the curve left of 1, shaded for a single model, is the mean hinge
// loss. Only scores of models trained with the same loss are on one scale.
//
// The set may have any number of columns; its labels are ±1. A row whose score is not finite
// is a *svmkit.DataError. ([MarginHistogram] shows signed distances, the classes apart.)
func MarginDistribution(set *svmkit.Dataset, models []NamedModel) (*Figure, error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	if err := drawable(set); err != nil {
		return nil, err
	}
	if err := checkStyles("models", len(models), "model"); err != nil {
		return nil, err
	}
	p := newPlot(`functional margin $m = y\,f(x)$`, `share of rows with $y\,f(x) \le m$`)
	f := &Figure{Plot: p}
	view := emptyBox().cover(point{X: 0}, point{X: 1.25, Y: 1.04})
	var steps []path
	var words []string
	left := ""
	for i, m := range models {
		margins, err := functionalMargins(set, m)
		if err != nil {
			return nil, err
		}
		view = view.cover(point{X: margins[0]}, point{X: margins[len(margins)-1]})
		steps = append(steps, path{staircaseOf(margins), styles[i].line})
		words = append(words, marginShares(m.Name, margins))
		left += thinned(min(len(margins), maxCurve), len(margins), "steps of "+plainMath.Replace(m.Name))
	}
	d := 0.04 * (view.xmax - view.xmin)
	view.xmin, view.xmax = view.xmin-d, view.xmax+d
	show(p, view)
	if len(steps) == 1 {
		loss := area{func(b box) []point { return leftOfOne(steps[0].at, b.xmin) }, paleRed, draw.LineStyle{}}
		p.Add(loss)
		f.Legend = append(f.Legend, Entry{"mean hinge loss", loss})
	}
	zero, unit := vertical{0, line(ink, 1.2, nil)}, vertical{1, line(faint, 1.2, dashed)}
	p.Add(zero, unit)
	for i, s := range steps {
		var places []point
		for _, k := range thin(len(s.at)-2, 12) { // not at the ends, where many curves meet
			places = append(places, s.at[1+k])
		}
		s.at = append(append([]point{{X: view.xmin}}, s.at...), point{X: view.xmax, Y: 1})
		curve := marked{s, styles[i].mark}
		p.Add(s, marks{places, styles[i].mark})
		f.Legend = append(f.Legend, Entry{models[i].Name, curve})
	}
	f.Legend = append(f.Legend, Entry{"$m = 0$", zero}, Entry{"$m = 1$", unit})
	f.Caption = "Left of 0 a row is on the wrong side, left of 1 it has a hinge loss."
	for _, w := range words {
		f.Caption += " " + w
	}
	f.Caption += left
	f.Alt = fmt.Sprintf("Step curves of the share of %s, from 0 to 1 (vertical), whose functional margin is at most m, from %s to %s (horizontal); vertical lines at 0 and 1.",
		plural(set.Len(), "row"), num(view.xmin+d), num(view.xmax-d))
	for i, s := range steps {
		f.Alt += fmt.Sprintf(" %s: margins from %s to %s, %s.", plainMath.Replace(models[i].Name), num(s.at[0].X), num(s.at[len(s.at)-1].X), dashNames[i])
	}
	return f, nil
}

// dashNames say how the lines of styles are dashed.
var dashNames = [...]string{"solid", "dashed", "dotted", "dashes and dots", "long dashes", "black dashes"}

// functionalMargins returns y·f(x) of all rows, rising.
func functionalMargins(set *svmkit.Dataset, m NamedModel) ([]float64, error) {
	margins, err := scoreRows(m.Model, set.X)
	if err != nil {
		return nil, err
	}
	margins = slices.Clone(margins)
	for i, f := range margins {
		if !(math.Abs(f) <= maxDrawn) {
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: f, Err: fmt.Errorf("model %q: score: %w", m.Name, svmkit.ErrNotFinite)}
		}
		margins[i] = set.Y[i] * f
	}
	slices.Sort(margins)
	return margins, nil
}

// staircaseOf returns the empirical distribution function of rising values: two corners a
// step. Of more than maxCurve values an even sample steps, and the curve is lower than the
// true one by 1/maxCurve at most.
func staircaseOf(values []float64) []point {
	var corners []point
	n := float64(len(values))
	height := 0.0
	for _, k := range thin(len(values), maxCurve) {
		next := float64(k+1) / n
		corners = append(corners, point{X: values[k], Y: height}, point{X: values[k], Y: next})
		height = next
	}
	return corners
}

// leftOfOne returns the area under the corners of a staircase, from xmin to 1.
func leftOfOne(corners []point, xmin float64) []point {
	region := []point{{X: min(xmin, 1)}}
	height := 0.0
	for _, c := range corners {
		if c.X >= 1 {
			break
		}
		region = append(region, c)
		height = c.Y
	}
	return append(region, point{X: 1, Y: height}, point{X: 1})
}

// marginShares says what a caption says of one model.
func marginShares(name string, margins []float64) string {
	wrong, inside, hinge := 0, 0, 0.0
	for _, m := range margins {
		switch {
		case m <= 0:
			wrong++
		case m < 1:
			inside++
		}
		hinge += max(0, 1-m)
	}
	n := float64(len(margins))
	return fmt.Sprintf("%s: %s at or left of 0, %s between 0 and 1, mean hinge loss %s.",
		plainMath.Replace(name), percent(float64(wrong)/n), percent(float64(inside)/n), num(hinge/n))
}
