package figures

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// weightState says whether a dual weight α is at a bound.
type weightState int

const (
	atZero weightState = iota
	isFree
	atBound
)

// stateFill are the colours of the three states: light, middle and dark, so that they differ in
// grey print too.
var stateFill = [...]color.Color{color.White, pen.Orange, pen.Blue}

var stateNames = [...]string{"at zero", "free", "at the bound"}

// boundTolerance is how near to 0 or upper, in units of upper, a weight counts as at the bound.
const boundTolerance = 1e-9

func stateOf(alpha, upper float64) weightState {
	switch {
	case alpha <= boundTolerance*upper:
		return atZero
	case alpha >= (1-boundTolerance)*upper:
		return atBound
	}
	return isFree
}

func states(alpha []float64, upper float64) (n [3]int) {
	for _, a := range alpha {
		n[stateOf(a, upper)]++
	}
	return n
}

func checkWeights(alpha []float64, upper float64) error {
	if err := check.Positive("upper", upper); err != nil {
		return err
	}
	if len(alpha) == 0 {
		return check.All(svmkit.ErrEmpty)
	}
	return check.Each(alpha, -boundTolerance*upper, (1+boundTolerance)*upper, errOutsideBox)
}

var errOutsideBox = errors.New("a dual weight must lie between 0 and its upper bound")

// WeightHistogram counts the dual variables α of a model by their place in the box [0, upper].
//
// One bar counts the rows with α = 0, five bars the free ones, and one bar the rows at the bound,
// with the number of rows above each bar. The vertical axis is logarithmic if the tallest bar is 30
// times as tall as the tallest bar of the free ones.
func WeightHistogram(alpha []float64, upper float64) (*plots.Figure, error) {
	if err := checkWeights(alpha, upper); err != nil {
		return nil, err
	}
	bars := weightBins(alpha, upper)
	p := pen.NewPlot(`dual weight $\alpha$, in units of its bound`, "rows")
	ticks, last := make([]plot.Tick, len(bars)), len(bars)-1
	for k := range bars {
		ticks[k] = plot.Tick{Value: float64(k), Label: fmt.Sprintf("< .%d", 2*k)}
	}
	ticks[0].Label, ticks[last-1].Label, ticks[last].Label = "0", "< 1", "1"
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
	tallest, free := slices.Max(bars), slices.Max(bars[1:last])
	floor, top, scale := 0.0, 1.15*float64(tallest), ""
	if tallest >= 30*max(1, free) {
		floor, top = 0.5, 3*float64(tallest) // so that a bar of one row has a height
		pen.Logarithmic(&p.Y)
		scale = " The vertical axis is logarithmic."
	}
	pen.Show(p, geom.Rect(-0.6, float64(last)+0.6, floor, top))
	f := &plots.Figure{Plot: p, Width: pen.PhoneWidth, Height: 3 * vg.Inch}
	for s, ends := range [...][2]int{atZero: {0, 1}, isFree: {1, last}, atBound: {last, last + 1}} {
		kind := columns{floor: floor, fill: stateFill[s]}
		for k := ends[0]; k < ends[1]; k++ {
			if bars[k] > 0 {
				kind.bars = append(kind.bars,
					column{float64(k) - 0.4, float64(k) + 0.4, float64(bars[k])})
			}
		}
		p.Add(kind)
		f.Legend.Add(stateNames[s], kind)
	}
	n := states(alpha, upper)
	f.Caption = fmt.Sprintf("Of %s, %s at zero, %s free and %s at the bound: only the last two "+
		"kinds are support vectors.%s", prose.Plural(len(alpha), "dual weight"),
		prose.Are(n[atZero]), prose.Are(n[isFree]), prose.Are(n[atBound]), scale)
	f.Alt = prose.Say("Bar chart of %s by their place in the box from 0 to %v: a bar of %v "+
		"at zero; five bars of equal width for the free ones, of %v; and a bar of %v at the bound.",
		prose.Plural(len(alpha), "dual weight"), upper, n[atZero], bars[1:last], n[atBound])
	return f, nil
}

// weightBins counts: at zero, five bins of equal width of the free ones, at the bound.
func weightBins(alpha []float64, upper float64) []int {
	bars := make([]int, 7)
	for _, a := range alpha {
		switch stateOf(a, upper) {
		case atZero:
			bars[0]++
		case atBound:
			bars[6]++
		default:
			bars[1+min(4, int(5*a/upper))]++
		}
	}
	return bars
}

type column struct{ from, to, height float64 }

// columns draws bars that stand on a floor, with their heights as numbers over them.
type columns struct {
	bars  []column
	floor float64
	fill  color.Color
}

func (b columns) Plot(c draw.Canvas, p *plot.Plot) {
	for _, bar := range b.bars {
		b.bar(&c, vg.Rectangle{Min: pen.CanvasPoint(&c, p, geom.Pt(bar.from, b.floor)),
			Max: pen.CanvasPoint(&c, p, geom.Pt(bar.to, bar.height))})
		sty := pen.TextStyle(pen.NoteSize)
		sty.XAlign, sty.YAlign = draw.XCenter, draw.YBottom
		at := pen.CanvasPoint(&c, p, geom.Pt((bar.from+bar.to)/2, bar.height))
		c.FillText(sty, vg.Point{X: at.X, Y: at.Y + 2}, prose.Num(bar.height))
	}
}

func (b columns) Thumbnail(c *draw.Canvas) { b.bar(c, c.Rectangle) }

func (b columns) bar(c *draw.Canvas, r vg.Rectangle) {
	box(c, r.Min, r.Max, b.fill, pen.Line(pen.Ink, 0.8, nil))
}

// WeightHistory shows which dual weights are at a bound over the passes: one strip for each row of
// the data, from left to right the passes, light where α is at zero, middle where it is free, dark
// where it is at its bound. history[k] holds the weights after passes[k] passes, which must rise;
// the columns are equally wide. The strips are sorted by where their weights end; of more than 150
// rows, 150 are drawn, evenly spaced in this order.
func WeightHistory(passes []int, history [][]float64, upper float64) (*plots.Figure, error) {
	if len(history) < 2 {
		return nil, check.Param("history", len(history), "must hold at least two moments")
	}
	if len(passes) != len(history) {
		return nil, check.Param("passes", prose.Plural(len(passes), "number"),
			"must be one for each moment of the history: %s", prose.Count(len(history)))
	}
	for k, alpha := range history {
		if err := checkWeights(alpha, upper); err != nil {
			return nil, err
		}
		if len(alpha) != len(history[0]) {
			return nil, check.All(svmkit.ErrMismatch)
		}
		if k > 0 && passes[k] <= passes[k-1] {
			return nil, check.Param("passes", passes[k], "must rise")
		}
	}
	end := len(history) - 1
	last := history[end]
	order := pen.Thin(len(last), len(last))
	slices.SortStableFunc(order, func(i, k int) int {
		return int(stateOf(last[i], upper)) - int(stateOf(last[k], upper))
	})
	rows := pen.Some(order, 150)
	strips := strips{}
	for _, i := range rows {
		cells := make([]weightState, len(history))
		for k, alpha := range history {
			cells[k] = stateOf(alpha[i], upper)
		}
		strips.rows = append(strips.rows, cells)
	}
	p := pen.NewPlot("after passes", "rows, sorted by their last state")
	p.Y.Tick.Marker = plot.ConstantTicks(nil)
	var ticks []plot.Tick
	for _, k := range pen.Thin(len(passes), 9) {
		ticks = append(ticks, plot.Tick{Value: float64(k), Label: prose.Count(passes[k])})
	}
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
	pen.Show(p, geom.Rect(-0.5, float64(len(history))-0.5, 0, float64(len(rows))))
	p.Add(strips)
	f := &plots.Figure{Plot: p, Width: pen.PhoneWidth, Height: 3.8 * vg.Inch}
	for s, name := range stateNames {
		f.Legend.Add(name, columns{fill: stateFill[s]})
	}
	n, settled := states(last, upper), settledAfter(history, upper)
	half, most := passes[settled[(len(settled)-1)/2]], passes[settled[(9*len(settled)-1)/10]]
	f.Caption = prose.Say("Of the moments shown, half of "+
		"the %s are in their last state from pass %v on, nine in ten from pass %v on; after "+
		"pass %v, %s at zero, %s free and %s at the bound.", prose.Plural(len(last), "weight"),
		half, most, passes[end], prose.Are(n[atZero]), prose.Are(n[isFree]), prose.Are(n[atBound]))
	f.Caption += prose.Thinned(len(rows), len(last), "rows")
	first := states(history[0], upper)
	f.Alt = prose.Say("Strips of cells, one strip for "+
		"each row of the data, %s from pass %v to pass %v from left to right; light "+
		"is at zero, middle is free, dark is at the bound. At first %s at zero, %s free, %s at "+
		"the bound; at the end %v, %v and %v. Half of the strips keep their shade from pass %v on.",
		prose.Plural(len(passes), "moment"), passes[0], passes[end], prose.Are(first[atZero]),
		prose.Are(first[isFree]), prose.Are(first[atBound]), n[atZero], n[isFree], n[atBound], half)
	return f, nil
}

// settledAfter returns, in ascending order, for each weight the first moment from which its state
// stays.
func settledAfter(history [][]float64, upper float64) []int {
	last := history[len(history)-1]
	settled := make([]int, len(last))
	for i, a := range last {
		k := len(history) - 1
		for k > 0 && stateOf(history[k-1][i], upper) == stateOf(a, upper) {
			k--
		}
		settled[i] = k
	}
	slices.Sort(settled)
	return settled
}

// strips draws rows of cells, the first row at the bottom, one unit each way.
type strips struct{ rows [][]weightState }

func (s strips) Plot(c draw.Canvas, p *plot.Plot) {
	for y, cells := range s.rows {
		for from := 0; from < len(cells); {
			to := from + 1
			for to < len(cells) && cells[to] == cells[from] {
				to++
			}
			lo := pen.CanvasPoint(&c, p, geom.Pt(float64(from)-0.5, float64(y)))
			hi := pen.CanvasPoint(&c, p, geom.Pt(float64(to)-0.5, float64(y+1)))
			hi.Y += 0.5 // strips overlap, so that no gaps show between them
			c.FillPolygon(stateFill[cells[from]], pen.Corners(lo, hi))
			from = to
		}
	}
}

// CoordinateStep is a concave parabola over an interval: how an objective changes with one
// coordinate α, from its value From:
//
//	gain(α) = Slope·(α − From) − ½·Curvature·(α − From)²,    0 ≤ α ≤ Upper
//
// In the dual of a support vector machine Slope is 1 − y·f(x) and Curvature κ(x,x).
type CoordinateStep struct {
	From      float64 // the current α, in [0, Upper]
	Slope     float64
	Curvature float64 // > 0
	Upper     float64 // > 0
}

// Gain returns what the objective gains if the coordinate moves to a.
func (s CoordinateStep) Gain(a float64) float64 {
	d := a - s.From
	return s.Slope*d - s.Curvature*d*d/2
}

// Vertex returns where the whole parabola is highest, in the interval or not.
func (s CoordinateStep) Vertex() float64 { return s.From + s.Slope/s.Curvature }

// Optimum returns where the parabola is highest in [0, Upper]: the vertex, clipped. A parabola
// only rises on the way to its vertex, so the end of the interval on this way is best if the
// vertex lies beyond.
func (s CoordinateStep) Optimum() float64 { return min(s.Upper, max(0, s.Vertex())) }

func (s CoordinateStep) validate() error {
	return cmp.Or(check.Within("Slope", s.Slope, -1e9, 1e9),
		check.Within("Curvature", s.Curvature, 1e-9, 1e9),
		check.Within("Upper", s.Upper, 1e-9, 1e9), check.Within("From", s.From, 0, s.Upper))
}

// Parabolas draws up to three steps of coordinate ascent below each other, over one axis of α: the
// objective along the coordinate, the current α, the vertex, and the best point of the interval.
func Parabolas(steps []CoordinateStep) (*plots.Figure, error) {
	if err := check.Count("steps", len(steps), 1, 3, "step"); err != nil {
		return nil, err
	}
	f := &plots.Figure{Width: pen.PhoneWidth,
		Height: vg.Length(0.7+1.7*float64(len(steps))) * vg.Inch}
	inside, axis := 0, geom.Empty()
	for _, s := range steps {
		if err := s.validate(); err != nil {
			return nil, err
		}
		axis = axis.Cover(geom.Point{}, geom.Point{X: s.Upper}, geom.Point{X: s.Vertex()})
	}
	axis = axis.Grow(0.08)
	for k, s := range steps {
		p := pen.NewPlot("", "gain")
		vertex, best := s.Vertex(), s.Optimum()
		view := geom.Empty().Cover(geom.Pt(0, s.Gain(0)), geom.Pt(s.Upper, s.Gain(s.Upper)),
			geom.Pt(vertex, s.Gain(vertex)), geom.Point{X: s.From})
		view = view.Grow(0.12)
		view.XMin, view.XMax = axis.XMin, axis.XMax
		view.YMax += 0.08 * (view.YMax - view.YMin)
		pen.Show(p, view)
		interval := pen.Column(0, s.Upper, pen.PaleBand)
		interval.Border = pen.Line(pen.Faint, 1, nil)
		curve := pen.Join(geom.Sample(s.Gain, view.XMin, view.XMax, false),
			pen.Line(pen.Blue, 1.6, nil))
		from := pen.Solid(pen.Disc, pen.Vermillion, 3.4).At(geom.Point{X: s.From})
		peak := pen.Hollow(pen.Triangle, pen.Ink, 4).At(geom.Pt(vertex, s.Gain(vertex)))
		to := pen.Solid(pen.Diamond, pen.Ink, 4).At(geom.Pt(best, s.Gain(best)))
		p.Add(interval, curve, from, to, peak)
		if k == 0 {
			f.Legend = pen.Legend{{Name: "gain of the dual objective", Mark: curve},
				{Name: "allowed", Mark: interval}, {Name: "now", Mark: from},
				{Name: "vertex", Mark: peak}, {Name: "best allowed", Mark: to}}
		}
		where := "the vertex is allowed"
		switch {
		case vertex > s.Upper:
			where = "clipped to the upper end"
		case vertex < 0:
			where = "clipped to 0"
		default:
			inside++
		}
		p.Title.Text = where
		if k == len(steps)-1 {
			p.X.Label.Text = `$\alpha$`
		}
		f.Panels = append(f.Panels, []*plot.Plot{p})
		if f.Alt == "" {
			f.Alt = fmt.Sprintf("%s below each other with a concave parabola each, the gain of "+
				"the objective over one coordinate α. ",
				prose.UpperFirst(prose.Plural(len(steps), "panel")))
		}
		f.Alt += prose.Say("Panel %d: α stands at %v in the interval "+
			"from 0 to %v; the vertex is at %v, the best allowed point at %v with a gain of %v. ",
			k+1, s.From, s.Upper, vertex, best, s.Gain(best))
	}
	f.Caption = prose.Say("The best allowed point is the vertex "+
		"where the vertex is allowed (%v of %s), and otherwise the end of the interval next to it.",
		inside, prose.Plural(len(steps), "panel"))
	return f, nil
}

// BoxQuadratic is the function pᵀα − ½αᵀQα of two variables over the box 0 ≤ α ≤ Upper, to be
// maximised. The dual of a support vector machine with two rows has p = (1, 1) and
// Qᵢⱼ = yᵢyⱼκ(xᵢ, xⱼ).
type BoxQuadratic struct {
	Q     [2][2]float64 // symmetric and positive definite
	P     [2]float64
	Upper [2]float64 // > 0, finite

	// Equality is the normal of the line ⟨Equality,α⟩ = 0, drawn if it is not zero: the labels,
	// for the constraint Σαᵢyᵢ = 0 of a free bias.
	Equality [2]float64
}

// Value returns the function at a.
func (q BoxQuadratic) Value(a [2]float64) float64 {
	square := q.Q[0][0]*a[0]*a[0] + 2*q.Q[0][1]*a[0]*a[1] + q.Q[1][1]*a[1]*a[1]
	return q.P[0]*a[0] + q.P[1]*a[1] - square/2
}

// Maximiser returns the best point of the box. Along each of its four edges and inside, the
// best point has a closed form; one of these five is the best of all.
func (q BoxQuadratic) Maximiser() [2]float64 {
	best := [2]float64{}
	consider := func(a [2]float64) {
		for i, v := range a {
			if !(v >= 0 && v <= q.Upper[i]) {
				return
			}
		}
		if q.Value(a) > q.Value(best) {
			best = a
		}
	}
	for i := range 2 {
		for _, fixed := range []float64{0, q.Upper[i]} {
			k := 1 - i
			var a [2]float64
			a[i] = fixed
			a[k] = min(q.Upper[k], max(0, (q.P[k]-q.Q[0][1]*fixed)/q.Q[k][k]))
			consider(a)
		}
	}
	consider(q.centre())
	return best
}

// centre is the maximiser without the box: Qα = p.
func (q BoxQuadratic) centre() [2]float64 {
	det := q.determinant()
	return [2]float64{(q.P[0]*q.Q[1][1] - q.P[1]*q.Q[0][1]) / det,
		(q.P[1]*q.Q[0][0] - q.P[0]*q.Q[0][1]) / det}
}

func (q BoxQuadratic) determinant() float64 { return q.Q[0][0]*q.Q[1][1] - q.Q[0][1]*q.Q[0][1] }

func (q BoxQuadratic) validate() error {
	for i := range 2 {
		for _, v := range []float64{q.Q[i][0], q.Q[i][1], q.P[i], q.Upper[i], q.Equality[i]} {
			if err := check.Within("BoxQuadratic", v, -1e9, 1e9); err != nil {
				return err
			}
		}
		if !(q.Upper[i] > 0) {
			return check.Param("Upper", q.Upper[i], "must be positive")
		}
	}
	if q.Q[0][1] != q.Q[1][0] {
		return check.Param("Q", q.Q, "must be symmetric")
	}
	if !(q.Q[0][0] > 0 && q.Q[1][1] > 0 && q.determinant() > 1e-9*q.Q[0][0]*q.Q[1][1]) {
		return check.Param("Q", q.Q, "must be positive definite: its level sets are ellipses then")
	}
	return nil
}

// level returns the ellipse on which the function falls short of its peak by drop. With
// Q = LLᵀ the points are centre + √(2·drop)·L⁻ᵀu over the unit circle.
func (q BoxQuadratic) level(drop float64) []geom.Point {
	l11 := math.Sqrt(q.Q[0][0])
	l21 := q.Q[0][1] / l11
	l22 := math.Sqrt(q.Q[1][1] - l21*l21)
	c, r := q.centre(), math.Sqrt(2*drop)
	const steps = 180
	ring := make([]geom.Point, steps+1)
	for i := range ring {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / steps)
		y := r * sin / l22
		x := (r*cos - l21*y) / l11
		ring[i] = geom.Pt(c[0]+x, c[1]+y)
	}
	return ring
}

// Staircase draws the level sets of a quadratic function of two variables, its box, and the
// path of a method that climbs it. Coordinate ascent moves along one axis at a time, so its path
// is a staircase. The path has at least one point; 200 at most are drawn.
func Staircase(q BoxQuadratic, walked [][2]float64) (*plots.Figure, error) {
	if err := cmp.Or(q.validate(), check.Some("path", len(walked))); err != nil {
		return nil, err
	}
	for i, a := range walked {
		for j, v := range a {
			if math.IsNaN(v) || math.Abs(v) > 1e9 {
				return nil, check.Data(i, j, v, svmkit.ErrNotFinite)
			}
		}
	}
	p := pen.NewPlot(`$\alpha_1$`, `$\alpha_2$`)
	inside := pen.Filled(geom.Rect(0, q.Upper[0], 0, q.Upper[1]).Corners(), pen.PaleBand)
	inside.Border = pen.Line(pen.Faint, 1, nil)
	walk := pen.Marked(geom.Points(pen.Some(walked, 200)),
		pen.Line(pen.Vermillion, 1.6, nil), pen.Solid(pen.Disc, pen.Vermillion, 2.4))
	best := q.Maximiser()
	top := pen.Solid(pen.Diamond, pen.Ink, 4).At(geom.Pt(best[0], best[1]))
	view := geom.Empty().Cover(geom.Point{},
		geom.Pt(q.Upper[0], q.Upper[1])).Cover(walk.At...).Grow(0.07)
	pen.Show(p, view)
	p.Add(inside)
	level := pen.Path{Style: pen.Line(pen.Blue, 1, nil)}
	peak := q.Value(q.centre())
	deepest := 0.0
	for _, c := range view.Corners() {
		deepest = max(deepest, peak-q.Value([2]float64{c.X, c.Y}))
	}
	const levels = 9 // spaced like squares: evenly in distance from the peak
	for k := 1; k <= levels && deepest > 0; k++ {
		t := float64(k) / levels
		p.Add(pen.Join(q.level(t*t*deepest), level.Style))
	}
	f := &plots.Figure{Plot: p, EqualUnits: true, Width: pen.PhoneWidth, Height: 4 * vg.Inch,
		Legend: pen.Legend{{Name: "level sets", Mark: level}, {Name: "the box", Mark: inside},
			{Name: "path", Mark: walk}, {Name: "best point of the box", Mark: top}}}
	if q.Equality != [2]float64{} {
		equal := pen.Plane(svmkit.Hyperplane{W: q.Equality[:]}, pen.Line(pen.Green, 1.8, pen.Dashed))
		p.Add(equal)
		f.Legend.Add(`$\sum_i \alpha_i y_i = 0$`, equal)
	}
	p.Add(walk,
		pen.RingAt(walk.At[0], 5.5, pen.Line(pen.Vermillion, 1.2, nil)), top)
	f.Caption, f.Alt = q.staircaseWords(walked)
	f.Caption += prose.Thinned(len(walk.At), len(walked), "points of the path")
	return f, nil
}

func (q BoxQuadratic) staircaseWords(walk [][2]float64) (caption, alt string) {
	start, end, best := walk[0], walk[len(walk)-1], q.Maximiser()
	steps, along, up := len(walk)-1, 0, 0
	for i := 1; i < len(walk); i++ {
		if walk[i][0] == walk[i-1][0] || walk[i][1] == walk[i-1][1] {
			along++
		}
		if q.Value(walk[i]) > q.Value(walk[i-1]) {
			up++
		}
	}
	short := q.Value(best) - q.Value(end)
	if math.Abs(short) <= 1e-12*max(1, math.Abs(q.Value(best))) {
		short = 0
	}
	value := "at the best value of the box"
	switch {
	case short > 0:
		value = prose.Num(short) + " below the best value of the box"
	case short < 0:
		value = prose.Num(-short) + " above the best value of the box, outside of it"
	}
	raising := prose.Either(up == steps, "each", prose.Count(up))
	switch {
	case steps == 0:
		caption = prose.Say("The path has not left its start %v, %s.", start, value)
	case along == steps:
		caption = fmt.Sprintf("After %s, each along one axis and %s raising the value, the path "+
			"is %s.", prose.Plural(steps, "step"), raising, value)
	default:
		caption = prose.Say("After %s, %v of them along one axis and %s raising the value, "+
			"the path is %s.", prose.Plural(steps, "step"), along, raising, value)
	}
	if q.Equality != [2]float64{} {
		left := q.Equality[0]*end[0] + q.Equality[1]*end[1]
		if math.Abs(left) <= 1e-12 {
			caption += " It ends on the line Σαy = 0."
		} else {
			caption += prose.Say(" It ends off the line Σαy = 0, where the sum is %v.", left)
		}
	}
	alt = prose.Say("Ellipses around %v are level "+
		"sets of a concave function of α1 (horizontal) and α2 (vertical), "+
		"in equal units. The box from (0, 0) to %v is shaded; its best point %v is a diamond. "+
		"A path of %s leads from %v, ringed, to %v; the function rises from %v to %v.", q.centre(),
		q.Upper, best, prose.Plural(steps, "step"), start, end, q.Value(start), q.Value(end))
	alt += prose.If(q.Equality != [2]float64{},
		" A dashed line through the origin has the normal %v.", q.Equality)
	return caption, alt
}
