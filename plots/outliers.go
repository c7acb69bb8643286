package plots

import (
	"fmt"
	"image/color"
	"math"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot/vg"
)

// onLine is the largest |f| that counts as 0, as a part of the largest |f| of all points: the score of a free support
// vector of a one-class model is 0 up to rounding and up to the tolerance of the fit.
const onLine = 1e-9

// Outliers draws the region of the plane where the score f of a one-class model is positive, with the line f = 0, over
// the points of a 2-D set: those with f < 0 are the outliers, open squares. Labels of the set are not used, and Y may be
// nil. The model may be any that scores rows of two columns; the support vectors of a [*svm.Model] or [*svm.Result] are
// ringed, 120 at most. Axes are as in [DecisionRegions].
//
// It is an error if the set is not planar or the model has no finite score for a point.
func Outliers(set *svmkit.Dataset, model svmkit.Scorer) (*Figure, error) {
	marked := &svmkit.Dataset{}
	if set != nil {
		*marked = *set
		marked.Classes, marked.Y = nil, make([]float64, len(set.X))
		for i := range marked.Y {
			marked.Y[i] = 1
		}
	}
	if err := planar(marked); err != nil {
		return nil, err
	}
	scores, err := scoreRows(model, marked.X)
	if err != nil {
		return nil, err
	}
	size := 0.0
	for i, f := range scores {
		if size = max(size, math.Abs(f)); !(math.Abs(f) <= maxDrawn) {
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: f, Err: svmkit.ErrNotFinite}
		}
	}
	outliers := 0
	for i, f := range scores {
		if f < -onLine*size {
			marked.Y[i], outliers = -1, outliers+1
		}
	}
	d := &regions{set: marked, scores: scores, field: &scoreField{model: model}}
	if err := d.findRings(model, nil); err != nil {
		return nil, err
	}
	d.equal = sameScale(extent(marked).cover(d.rings...))
	view := d.view()
	p := planarPlot(marked)
	show(p, view)
	ground, err := d.field.over(view)
	if err != nil {
		return nil, err
	}
	share, _, _, _ := ground.share()
	zero := scoreLine{d.field, 0, line(ink, 1.9, nil)}
	p.Add(scoreBands{d.field, []float64{0}, []color.Color{color.White, regionFills[2]}}, zero)
	rows := thin(marked.Len(), maxRows)
	f := &Figure{Plot: p, EqualUnits: d.equal, Height: 4.4 * vg.Inch}
	for _, e := range scatter(p, marked, rows, 1) {
		if e.Name = "point"; e.Mark.(marks).mark.shape == negative.shape {
			e.Name = "outlier, $f < 0$"
		}
		f.Legend = append(f.Legend, e)
	}
	f.Legend = append(f.Legend, Entry{"$f = 0$", zero})
	f.Caption = fmt.Sprintf("Of %s, %s outside of the line f = 0.", plural(marked.Len(), "point"), isAreNumber(outliers))
	f.Alt = fmt.Sprintf("Scatter plot of %s (filled circles) and %s (open squares) over %s. The score is positive on %s of the box around them, which is coloured, and 0 on a solid line.",
		plural(marked.Len()-outliers, "point"), plural(outliers, "outlier"), d.axes(), percent(share))
	if len(d.rings) > 0 {
		rings := ringed{style: line(ink, 1.4, nil)}
		for _, k := range thin(len(d.rings), maxRings) {
			rings.at = append(rings.at, d.rings[k])
		}
		p.Add(rings)
		f.Legend = append(f.Legend, Entry{"support vector", rings})
		f.Caption += fmt.Sprintf(" %s ringed.", upperFirst(countSupport(len(d.rings))))
		f.Alt += fmt.Sprintf(" %s ringed.", upperFirst(countSupport(len(d.rings))))
	}
	f.Caption += thinned(len(rows), marked.Len(), "points") + thinned(min(len(d.rings), maxRings), len(d.rings), "rings")
	return f, nil
}
