package plots

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"sync"

	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// RegionMarks selects the rows that [DecisionRegions] marks besides the points.
type RegionMarks struct {
	// rows to ring; nil: the support vectors of the model, if it is an *svm.Model or *svm.Result
	Support []int
	Name    string    // of a ringed row, in the legend; "" means support vector
	Size    vg.Length // of marks and rings, as a factor; 0 means 1
}

// maxRings is the largest number of rings: more would hide the points.
const maxRings = 120

// Colours of the decision regions, from f < −1 to f > 1.
var regionFills = []color.Color{color.RGBA{0xf7, 0xd3, 0xb9, 0xff}, color.RGBA{0xfd,
	0xf0, 0xe6, 0xff}, color.RGBA{0xea, 0xf3, 0xf9, 0xff}, color.RGBA{0xbf, 0xdc, 0xee, 0xff}}

// DecisionRegions draws the regions where a model's score f is positive and negative, over the
// points of a 2-D set.
//
// The regions are paler where |f| < 1, and the lines f = 0 and f = ±1 are drawn. The model may be
// any scorer of rows with two columns. Where the score is NaN the background stays white. Rings are
// drawn for at most 120 support vectors. The axes have equal units unless one feature's range is
// more than four times the other's.
//
// The error is about a set that is not planar, or a row to ring that is not in the set.
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
		ringed.At = append(ringed.At, pen.Some(d.rings, maxRings)...)
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
		if m := Trained(model); m != nil {
			for _, x := range m.SV { // the set need not be the one of the training
				d.rings = append(d.rings, geom.At(x))
			}
		}
		return nil
	}
	if err := check.Rows("Support", rows, d.set); err != nil {
		return err
	}
	d.rings, d.keep = geom.Rows(d.set, rows), rows
	return nil
}

// Trained returns the model of an *svm.Model or *svm.Result, nil for any other scorer.
func Trained(model svmkit.Scorer) *svm.Model {
	switch m := model.(type) {
	case *svm.Model:
		return m
	case *svm.Result:
		return &m.Model
	}
	return nil
}

// view returns the visible part of the plane: the points with a margin around them.
func (d *regions) view() geom.Box {
	b := geom.Extent(d.set).Cover(d.rings...)
	if d.equal {
		return b.Grow(0.12)
	}
	return b.Pad(0.1*(b.XMax-b.XMin), 0.1*(b.YMax-b.YMin))
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
	caption += prose.If(len(d.rings) > 0,
		" %s ringed.", prose.UpperFirst(prose.Be(len(d.rings), "support vector")))
	caption += prose.If(none > 0, " At %s the score is not a number.", prose.Plural(none, "point"))
	caption += prose.If(d.number > 0 && d.number < 1, " The background is white where "+
		"the score is not a number, on %s of the box around the points.", prose.Percent(1-d.number))
	alt = fmt.Sprintf("Scatter plot of %s over %s, on a background that shows "+
		"the sign of a model's score: positive on %s of the box around them.", prose.Points(d.set),
		prose.AxesIn(d.set, prose.Either(d.equal, "equal", "different")), prose.Percent(d.positive))
	alt += prose.If(d.number > 0, " The score runs from %v to %v there; a solid line "+
		"is where it is 0, a dashed one where it is 1, a dotted one where it is −1.", d.lo, d.hi)
	alt += fmt.Sprintf(" %s on the wrong side, %s on the right side with |f| below 1.",
		prose.UpperFirst(prose.PointsAre(wrong)), prose.Are(inside))
	return caption, alt + prose.First(6, d.rings, " And %v more rings.", func(q geom.Point) string {
		return prose.Say(" A ring at %v.", q)
	})
}

// scoreField is a model's score over the plane, sampled over what a panel shows.
type scoreField struct {
	model svmkit.Scorer

	mu   sync.Mutex
	last *scoreGrid // one sample serves all layers and formats
}

// over returns the score sampled over b.
func (f *scoreField) over(b geom.Box) (*scoreGrid, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.last != nil && f.last.Over == b {
		return f.last, nil
	}
	g := &scoreGrid{Grid: geom.Grid{Over: b}}
	rows := make([]svmkit.Row, 0, (geom.GridSteps+1)*(geom.GridSteps+1))
	for c := range geom.GridSteps + 1 {
		for r := range geom.GridSteps + 1 {
			rows = append(rows, svmkit.Dense(g.X(c), g.Y(r)))
		}
	}
	scores, err := check.Scores(f.model, rows)
	if err != nil {
		return nil, err
	}
	for k, v := range scores { // infinities would turn into NaN between two nodes
		scores[k] = min(max(v, -check.Max), check.Max)
	}
	g.values = slices.Collect(slices.Chunk(scores, geom.GridSteps+1))
	f.last = g
	return g, nil
}

// mustOver is over while drawing, where [Figure.Draw] turns a panic into an error.
func (f *scoreField) mustOver(b geom.Box) *scoreGrid {
	g, err := f.over(b)
	if err != nil {
		panic(err)
	}
	return g
}

// scoreGrid holds the score at the nodes of a grid, by column and row; NaN where the model has
// none.
type scoreGrid struct {
	geom.Grid
	values [][]float64
}

// above returns polygons that together are the region where the score is at least v. Whole
// cells that are neighbours in a row become one rectangle; a cell that the level line crosses is
// cut along it, triangle by triangle, just as level cuts it. Cells at a node without a
// score are left out.
func (g *scoreGrid) above(v float64) (polygons [][]geom.Point) {
	for r := range geom.GridSteps {
		from := -1 // first cell of the rectangle that is growing
		flush := func(to int) {
			if from >= 0 {
				polygons = append(polygons,
					geom.Rect(g.X(from), g.X(to), g.Y(r), g.Y(r+1)).Corners())
				from = -1
			}
		}
		for c := range geom.GridSteps {
			left, right := g.values[c], g.values[c+1]
			z := [4]float64{left[r], right[r], right[r+1], left[r+1]}
			if slices.Min(z[:]) >= v { // not if one of them is NaN
				if from < 0 {
					from = c
				}
				continue
			}
			flush(c)
			if math.IsNaN(z[0] + z[1] + z[2] + z[3]) {
				continue
			}
			corners := geom.Rect(g.X(c), g.X(c+1), g.Y(r), g.Y(r+1)).Corners()
			for _, t := range [2][3]int{{0, 1, 2}, {0, 2, 3}} {
				var cut []geom.Point
				for k := range 3 {
					a, b := t[k], t[(k+1)%3]
					if z[a] >= v {
						cut = append(cut, corners[a])
					}
					if (z[a] >= v) != (z[b] >= v) {
						s := (v - z[a]) / (z[b] - z[a])
						cut = append(cut, geom.Between(corners[a], corners[b], s))
					}
				}
				if len(cut) > 2 {
					polygons = append(polygons, cut)
				}
			}
		}
		flush(geom.GridSteps)
	}
	return polygons
}

// share returns the shares of the panel where the score is positive and where it is a number,
// counted at the nodes, and its least and greatest value.
func (g *scoreGrid) share() (positive, number, lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range slices.Concat(g.values...) {
		if math.IsNaN(v) {
			continue
		}
		number++
		if v > 0 {
			positive++
		}
		lo, hi = min(lo, v), max(hi, v)
	}
	const nodes = (geom.GridSteps + 1) * (geom.GridSteps + 1)
	return positive / nodes, number / nodes, lo, hi
}

// scoreBands fills the background: fills[0] where the score is below values[0], fills[k] from
// values[k−1] on. The values rise.
type scoreBands struct {
	field  *scoreField
	values []float64
	fills  []color.Color
}

func (b scoreBands) Plot(c draw.Canvas, p *plot.Plot) {
	g := b.field.mustOver(pen.Shown(p))
	for k, fill := range b.fills {
		v := math.Inf(-1)
		if k > 0 {
			v = b.values[k-1]
		}
		fillGround(&c, p, g.above(v), fill)
	}
}

// fillGround fills polygons as one path. Its pieces turn the same way, so no gaps show
// between them.
func fillGround(c *draw.Canvas, p *plot.Plot, polygons [][]geom.Point, fill color.Color) {
	var ground vg.Path
	for _, polygon := range polygons {
		for i, q := range polygon {
			if at := pen.CanvasPoint(c, p, q); i == 0 {
				ground.Move(at)
			} else {
				ground.Line(at)
			}
		}
		ground.Close()
	}
	c.SetColor(fill)
	c.Fill(ground)
}

// scoreLine draws the line on which the score has one value.
type scoreLine struct {
	field *scoreField
	value float64
	style draw.LineStyle
}

func (l scoreLine) Plot(c draw.Canvas, p *plot.Plot) {
	g := l.field.mustOver(pen.Shown(p))
	for _, line := range g.LevelOf(g.values, l.value) { // they end where the score is NaN
		pen.Join(line, l.style).Plot(c, p)
	}
}

func (l scoreLine) Thumbnail(c *draw.Canvas) { pen.StrokeAcross(c, l.style) }
