package plots

import (
	"fmt"
	"image/color"
	"math"

	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm"
	"gonum.org/v1/plot/vg"
)

// RegionMarks says what [DecisionRegions] marks besides the points.
type RegionMarks struct {
	// rows to ring; nil: the support vectors of the model, if it is an *svm.Model or *svm.Result
	Support []int
	Name    string    // of what is ringed, in the legend; "" means support vector
	Size    vg.Length // of marks and rings, as a factor; 0 means 1
}

// maxRings is how many rings are drawn: more would hide the points.
const maxRings = 120

// Colours of the decision regions, from f < −1 to f > 1.
var regionFills = []color.Color{color.RGBA{0xf7, 0xd3, 0xb9, 0xff}, color.RGBA{0xfd,
	0xf0, 0xe6, 0xff}, color.RGBA{0xea, 0xf3, 0xf9, 0xff}, color.RGBA{0xbf, 0xdc, 0xee, 0xff}}

// DecisionRegions draws the regions of the plane where a model's score f is positive and
// negative, paler where |f| < 1, with the lines f = 0 and f = ±1,
// over the points of a 2-D set. The model may be any that scores rows of two columns.
//
// The axes have equal units unless one feature's range is more than four times the other's.
// Where the score is NaN the background stays white. Rings are drawn for 120 support vectors at
// most.
//
// It is an error if the set is not planar, or if a row to ring is not one of the set.
func DecisionRegions(set *svmkit.Dataset, model svmkit.Scorer, extra RegionMarks) (*Figure, error) {
	if extra.Name == "" {
		extra.Name = "support vector"
	}
	if extra.Size == 0 {
		extra.Size = 1
	}
	if err := check.Planar(set); err != nil {
		return nil, err
	}
	scores, err := check.Scores(model, set.X)
	if err != nil {
		return nil, err
	}
	d := &regions{set: set, scores: scores, field: &scoreField{model: model}}
	if err := d.findRings(model, extra.Support); err != nil {
		return nil, err
	}
	d.equal = geom.SameScale(geom.Extent(set).Cover(d.rings...))
	view := d.view()
	p := pen.PlanarPlot(set)
	pen.Show(p, view)
	ground, err := d.field.over(view)
	if err != nil {
		return nil, err
	}
	d.positive, d.number, d.lo, d.hi = ground.share()
	zero := scoreLine{d.field, 0, pen.Line(pen.Ink, 1.9, nil)}
	upper, lower := scoreLine{d.field, 1, pen.Line(pen.Ink, 1.2, pen.Dashed)},
		scoreLine{d.field, -1, pen.Line(pen.Ink, 1.2, pen.Dotted)}
	if d.lo < d.hi {
		p.Add(scoreBands{d.field, []float64{-1, 0, 1}, regionFills}, upper, lower, zero)
	}
	rows := pen.Thin(set.Len(), pen.MaxRows, d.keep...)
	f := &Figure{Plot: p, EqualUnits: d.equal, Height: 4.4 * vg.Inch}
	f.Legend = pen.Scatter(p, set, rows, extra.Size)
	if d.lo < d.hi {
		f.Legend.Add("$f = 0$", zero)
		f.Legend.Add("$f = +1$", upper)
		f.Legend.Add("$f = -1$", lower)
	}
	if len(d.rings) > 0 {
		ringed := pen.Rings{Radius: pen.RingRadius * extra.Size, Style: pen.Line(pen.Ink, 1.4, nil)}
		for _, k := range pen.Thin(len(d.rings), maxRings) {
			ringed.At = append(ringed.At, d.rings[k])
		}
		p.Add(ringed)
		f.Legend.Add(extra.Name, ringed)
	}
	f.Caption, f.Alt = d.words()
	f.Caption += prose.Thinned(len(rows), set.Len(), "points") +
		prose.Thinned(min(len(d.rings), maxRings), len(d.rings), "rings")
	return f, nil
}

// regions is a score over the plane, with the rows to mark.
type regions struct {
	set    *svmkit.Dataset
	scores []float64
	field  *scoreField
	equal  bool // units on both axes

	rings []geom.Point
	keep  []int // rows that must be drawn

	positive, number, lo, hi float64 // of the score over the panel
}

func (d *regions) findRings(model svmkit.Scorer, rows []int) error {
	if rows == nil {
		var m *svm.Model
		switch model := model.(type) {
		case *svm.Model:
			m = model
		case *svm.Result:
			m = &model.Model
		default:
			return nil
		}
		for _, x := range m.SV { // the set need not be the one of the training
			d.rings = append(d.rings, geom.At(x))
		}
		return nil
	}
	for _, i := range rows {
		if err := check.Index("Support", i, d.set.Len()); err != nil {
			return err
		}
		d.rings, d.keep = append(d.rings, geom.At(d.set.X[i])), append(d.keep, i)
	}
	return nil
}

// view returns what the panel shows: the points with a margin around them.
func (d *regions) view() geom.Box {
	b := geom.Extent(d.set).Cover(d.rings...)
	if d.equal {
		return b.Grow(0.12)
	}
	w, h := 0.1*(b.XMax-b.XMin), 0.1*(b.YMax-b.YMin)
	return geom.Box{XMin: b.XMin - w, XMax: b.XMax + w, YMin: b.YMin - h, YMax: b.YMax + h}
}

func (d *regions) words() (caption, alt string) {
	wrong, inside, none := 0, 0, 0
	for i, f := range d.scores {
		switch m := d.set.Y[i] * f; {
		case math.IsNaN(m):
			none++
		case m <= 0:
			wrong++
		case m < 1:
			inside++
		}
	}
	n := prose.Plural(d.set.Len(), "point")
	switch {
	case d.number == 0:
		caption = "The model has no score around these points: it is NaN."
	case d.lo == d.hi:
		caption = prose.Say("The score is %v everywhere around these points: there is no line "+
			"f = 0, and no region.", d.lo)
	case wrong == 0 && none == 0:
		caption = prose.Say("All of %s lie in the region of their class, %v of them between "+
			"the lines f = ±1.", n, inside)
	default:
		caption = fmt.Sprintf("Of %s, %s in the region of the other class or on the line f = 0, "+
			"and %s in the right one but between the lines f = ±1.", n, prose.Are(wrong),
			prose.Are(inside))
	}
	if len(d.rings) > 0 {
		caption += fmt.Sprintf(" %s ringed.", prose.UpperFirst(countSupport(len(d.rings))))
	}
	if none > 0 {
		caption += fmt.Sprintf(" At %s the score is not a number.", prose.Plural(none, "point"))
	}
	if d.number > 0 && d.number < 1 {
		caption += fmt.Sprintf(" The background is white where the score is not a number, on %s "+
			"of the box around the points.", prose.Percent(1-d.number))
	}
	alt = fmt.Sprintf("Scatter plot of %s over %s, on a background that shows the sign of a "+
		"model's score: positive on %s of the box around them.",
		prose.Points(d.set), d.axes(), prose.Percent(d.positive))
	if d.number > 0 {
		alt += prose.Say(" The score runs from %v to %v there; a solid line is where it is 0, "+
			"a dashed one where it is 1, a dotted one where it is −1.", d.lo, d.hi)
	}
	alt += fmt.Sprintf(" %s on the wrong side, %s on the right side with |f| below 1.",
		prose.UpperFirst(prose.PointsAre(wrong)), prose.Are(inside))
	for k, q := range d.rings {
		if k == 6 {
			alt += prose.Say(" And %v more rings.", len(d.rings)-k)
			break
		}
		alt += prose.Say(" A ring at %v.", q)
	}
	return caption, alt
}

// axes says over which axes the points are drawn.
func (d *regions) axes() string {
	axes := prose.Axes(d.set)
	if !d.equal {
		axes = axes[:len(axes)-len(", in equal units")] + ", in different units"
	}
	return axes
}

func countSupport(n int) string {
	if n == 1 {
		return "1 support vector is"
	}
	return prose.Count(n) + " support vectors are"
}
