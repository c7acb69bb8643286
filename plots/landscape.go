package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Surface is a function of two variables with the lines, points and paths to draw on it. F and the
// view must be set; the rest may stay empty.
type Surface struct {
	F                      func(x, y float64) float64 // finite over the view
	XMin, XMax, YMin, YMax float64                    // the view
	// names of the axes; "" means w₁ and w₂; may hold math
	X, Y string
	// values of F whose level sets are drawn, at most 12; nil: nine, closer near the minimum
	Levels []float64
	// write a level's value on each of its lines, not on the longest only
	LabelAll bool
	// the highest point is wanted and not the lowest
	Maximise bool
	// paths without the colours of the classes, for a map next to points
	PlaneStyles bool

	// Borders are lines between which F is constant, at most 12. They are drawn instead of level
	// sets, with the value of F in each piece of the view that has space for it.
	Borders []svmkit.Hyperplane

	// Feasible holds the constraints ⟨w,(x,y)⟩ + b ≥ 0, at most 12. The region where all hold is
	// shaded, and the minimum is the minimum of this region. The line of a constraint without a
	// name is drawn at its border only.
	Feasible []NamedLine
	Lines    []NamedLine  // more lines ⟨w,(x,y)⟩ + b = 0
	Paths    []NamedPath  // at most 6 together with Lines
	Points   []NamedPoint // written next to a diamond
}

// NamedLine is a line of the plane, or the half-plane on its positive side. Names are plain text; a
// line without a name is not in the legend.
type NamedLine struct {
	Name string
	Line svmkit.Hyperplane
}

// NamedPath is the path of a method, from its first point, which is ringed, to its last. Without
// marks it is a curve.
type NamedPath struct {
	Name    string
	At      [][2]float64
	NoMarks bool
}

// NamedPoint is a point with a text next to it.
type NamedPoint struct {
	Name string
	At   [2]float64
}

const (
	maxConstraints = 12
	maxWays        = 6 // paths and lines: as many as there are styles
)

// Landscape draws the level sets of a function of two variables, with constraints, lines, points
// and paths.
//
// Each level set has its value, and paths belong to methods that descend (or climb). The lowest
// point of the view, or of the region of the constraints, is searched on grids that zoom in and
// marked by a cross; it is exact to about a thousandth of the view. If a whole area takes the least
// value, nothing is marked and the caption states it. If F is constant between lines, Borders draws
// these exactly, which sampled level sets cannot.
//
// Of longer paths 1,000 points are drawn and 40 marked. Both axes have equal units, which show that
// a gradient is at right angles to its level set. Set EqualUnits of the figure to false if the
// variables have different units.
func Landscape(s Surface) (*Figure, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	p := pen.NewPlot(cmp.Or(s.X, "$w_1$"), cmp.Or(s.Y, "$w_2$"))
	view := s.view()
	pen.Show(p, view)
	f := &Figure{Plot: p, EqualUnits: true, Width: pen.PhoneWidth, Height: 4.2 * vg.Inch}
	add := func(name string, m plot.Thumbnailer) {
		if name != "" {
			f.Legend.Add(name, m)
		}
	}
	if len(s.Feasible) > 0 {
		region := pen.Area{Polygon: s.region, Fill: pen.PaleBand}
		p.Add(region, regionBorder{s, pen.Line(pen.Ink, 1.1, nil)})
		add("all constraints hold", region)
		for _, c := range s.Feasible {
			if c.Name == "" {
				continue // beyond the region its line would look like a level set
			}
			side := pen.Plane(c.Line, pen.Line(pen.Faint, 1.3, nil))
			p.Add(side)
			add(c.Name, side)
		}
	}
	best := s.search()
	levels := numberedLevels{LevelLines: pen.LevelLines{F: s.F, Values: s.levels(best),
		Style: pen.Line(pen.Faint, 0.9, nil)}, all: s.LabelAll}
	for _, l := range s.Paths {
		levels.avoid = append(levels.avoid, geom.Points(l.At)...)
	}
	for _, q := range s.Points {
		levels.avoid = append(levels.avoid, geom.Pt(q.At[0], q.At[1]))
	}
	if best.single {
		levels.avoid = append(levels.avoid, best.at)
	}
	if len(s.Borders) > 0 {
		p.Add(pieces{s, levels.Style, levels.avoid})
		add("where the value jumps", levels)
	} else {
		p.Add(levels)
		add("level sets", levels)
	}
	for i, l := range s.Lines {
		// from the other end than the paths
		extra := pen.Plane(l.Line, pen.Styles[maxWays-1-i].Line)
		p.Add(extra)
		add(l.Name, extra)
	}
	var top []plot.Plotter
	ways := pen.Styles
	if s.PlaneStyles {
		ways = pen.PlaneStyles
	}
	for i, l := range s.Paths {
		walk := ways[i].Curve(geom.Points(pen.Some(l.At, pen.MaxCurve)))
		p.Add(walk.Path)
		if l.NoMarks {
			add(l.Name, walk.Path)
			continue
		}
		top = append(top, walk.Dots(pen.MaxCurveMarks),
			pen.RingAt(walk.At[0], 5.5, pen.Line(ways[i].Mark.Edge, 1.2, nil)))
		add(l.Name, walk)
	}
	if best.single {
		cross := pen.Solid(pen.Upright, pen.Ink, 4.5).At(best.at)
		top = append(top, cross)
		add(prose.Either(s.Maximise, "highest", "lowest")+" point", cross)
	}
	names := pen.Labels{Clear: 7, Avoid: levels.avoid}
	for _, c := range s.Feasible {
		names.Lines = append(names.Lines, c.Line)
	}
	diamonds := pen.Marks{Mark: pen.Solid(pen.Diamond, pen.Ink, 4)}
	for _, q := range s.Points {
		at := geom.Pt(q.At[0], q.At[1])
		diamonds.At = append(diamonds.At, at)
		names.Items = append(names.Items, pen.Label{At: at, Text: q.Name})
	}
	p.Add(top...)
	p.Add(diamonds, names)
	f.Caption, f.Alt = s.words(best)
	for _, l := range s.Paths {
		f.Caption += prose.Thinned(min(len(l.At), pen.MaxCurve), len(l.At), "points of "+l.Name)
	}
	return f, nil
}

func (s Surface) view() geom.Box { return geom.Rect(s.XMin, s.XMax, s.YMin, s.YMax) }

// region returns the part of b where all constraints hold.
func (s Surface) region(b geom.Box) []geom.Point {
	polygon := b.Corners()
	for _, c := range s.Feasible {
		polygon = geom.HalfPlane(polygon, c.Line)
	}
	return polygon
}

// regionBorder draws the sides of the region that lie on lines of constraints: not those on the
// frame.
type regionBorder struct {
	s     Surface
	style draw.LineStyle
}

func (r regionBorder) Plot(c draw.Canvas, p *plot.Plot) {
	view := pen.Shown(p)
	corners := r.s.region(view)
	for i, from := range corners {
		to := corners[(i+1)%len(corners)]
		for _, side := range r.s.Feasible {
			roundoff := 1e-9 * side.Line.Norm() * (view.XMax - view.XMin + view.YMax - view.YMin)
			if max(math.Abs(side.Line.Score(geom.Row(from))),
				math.Abs(side.Line.Score(geom.Row(to)))) <= roundoff {
				pen.Join([]geom.Point{from, to}, r.style).Plot(c, p)
			}
		}
	}
}

// holds reports whether all constraints hold at p. On the border roundoff decides.
func (s Surface) holds(p geom.Point) bool {
	for _, c := range s.Feasible {
		if c.Line.Score(geom.Row(p)) < 0 {
			return false
		}
	}
	return true
}

// height is the function, its sign turned if it is to be maximised.
func (s Surface) height(p geom.Point) float64 {
	if s.Maximise {
		return -s.F(p.X, p.Y)
	}
	return s.F(p.X, p.Y)
}

// extremum is the best point of the view that was found.
type extremum struct {
	at       geom.Point
	value    float64 // of F
	worst    float64 // the other end of F over the view
	most     float64 // the other end of F over the feasible points of the view
	feasible bool    // some point of the view is
	share    float64 // of the feasible view with this value
	area     bool    // many points have it, not all at the border of the view
	single   bool    // one point has it, not at the border
}

// flatness is the relative difference below which values count as equal.
const flatness = 1e-9

// search finds the best feasible point: the best node of a grid over the view, then of grids about
// the best node so far, each of half the size. A best value on several nodes of the first grid
// belongs to an area.
func (s Surface) search() extremum {
	view := s.view()
	best, worst := math.Inf(1), math.Inf(-1)
	var at geom.Point
	look := func(over geom.Box, steps int, each func(q geom.Point, z float64)) {
		for c := range steps + 1 {
			for r := range steps + 1 {
				tx, ty := float64(c)/float64(steps), float64(r)/float64(steps)
				q := geom.Pt(over.XMin+tx*(over.XMax-over.XMin), over.YMin+ty*(over.YMax-over.YMin))
				if view.Contains(q) {
					each(q, s.height(q))
				}
			}
		}
	}
	var feasible []geom.Point
	var heights []float64
	consider := func(q geom.Point, z float64) {
		if z < best && s.holds(q) {
			best, at = z, q
		}
	}
	look(view, geom.GridSteps, func(q geom.Point, z float64) {
		worst = max(worst, z)
		if s.holds(q) {
			feasible, heights = append(feasible, q), append(heights, z)
		}
		consider(q, z)
	})
	if math.IsInf(best, 1) {
		return extremum{}
	}
	equal, inside := 0, 0
	for i, z := range heights {
		if z-best <= flatness*(worst-best) {
			equal++
			if !s.onBorder(feasible[i]) {
				inside++
			}
		}
	}
	w, h := view.XMax-view.XMin, view.YMax-view.YMin
	for range 12 { // to 2⁻¹² of the view
		w, h = w/2, h/2
		look(geom.Rect(at.X-w/2, at.X+w/2, at.Y-h/2, at.Y+h/2), 30, consider)
	}
	const corners = 4 // nodes about one point
	e := extremum{at: at, value: s.F(at.X, at.Y), worst: worst, most: slices.Max(heights),
		feasible: true, share: float64(equal) / float64(len(feasible))}
	e.area = inside > corners
	e.single = !e.area && !s.onBorder(at)
	if s.Maximise {
		e.worst, e.most = -e.worst, -e.most
	}
	return e
}

// onBorder reports whether p is at the border of the view, where F may continue beyond it.
func (s Surface) onBorder(p geom.Point) bool {
	w, h := 1e-3*(s.XMax-s.XMin), 1e-3*(s.YMax-s.YMin)
	return p.X < s.XMin+w || p.X > s.XMax-w || p.Y < s.YMin+h || p.Y > s.YMax-h
}

// levels returns the levels of Surface; else nine between the best and the worst value, spaced like
// squares, which is evenly in distance from the lowest point of a round parabola.
func (s Surface) levels(e extremum) []float64 {
	if s.Levels != nil || !e.feasible {
		return s.Levels
	}
	const n = 9
	span := e.worst - e.value // negative if F is maximised
	if span == 0 {
		return nil
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(span)))-2) // values that can be written
	var values []float64
	for k := 1; k <= n; k++ {
		t := float64(k) / (n + 1)
		values = append(values, math.Round((e.value+t*t*span)/unit)*unit)
	}
	return values
}

// numberedLevels draws level lines, and writes the value of each level on its longest line, or on
// all of them, as far as possible from the frame, from the numbers already written and from the
// places to avoid.
type numberedLevels struct {
	pen.LevelLines
	avoid []geom.Point
	all   bool
}

func (l numberedLevels) Plot(c draw.Canvas, p *plot.Plot) {
	var taken []vg.Point
	for _, at := range l.avoid {
		taken = append(taken, pen.CanvasPoint(&c, p, at))
	}
	s := geom.Grid{F: l.F, Over: pen.Shown(p), Exact: true}
	z := s.Values()
	type number struct {
		at    vg.Point
		value float64
	}
	var numbers []number
	for _, v := range l.Values {
		lines := s.LevelOf(z, v)
		for _, one := range lines {
			pen.Join(one, l.Style).Plot(c, p)
		}
		if !l.all && len(lines) > 1 {
			lines = [][]geom.Point{slices.MaxFunc(lines,
				func(a, b []geom.Point) int { return len(a) - len(b) })}
		}
		for _, one := range lines {
			// points of distance: below it a number would cover something
			const least = vg.Length(22)
			if best, d := freest(&c, p, one, taken); d > least {
				taken = append(taken, best)
				numbers = append(numbers, number{best, v})
			}
		}
	}
	for _, n := range numbers { // over all lines
		pen.WriteOver(&c, n.at, prose.Num(n.value))
	}
}

// freest returns the place that is farthest from the frame and from the taken places, and its
// distance.
func freest(c *draw.Canvas, p *plot.Plot, places []geom.Point, taken []vg.Point) (best vg.Point,
	most vg.Length) {
	for _, at := range places {
		q := pen.CanvasPoint(c, p, at)
		d := min(q.X-c.Min.X, c.Max.X-q.X, q.Y-c.Min.Y, c.Max.Y-q.Y)
		for _, t := range taken {
			if d <= most {
				break
			}
			d = min(d, vg.Length(math.Hypot(float64(q.X-t.X), float64(q.Y-t.Y))))
		}
		if d > most {
			best, most = q, d
		}
	}
	return best, most
}

// pieces draws the lines between which a function is constant, and its value in each piece.
type pieces struct {
	s     Surface
	style draw.LineStyle
	avoid []geom.Point
}

func (l pieces) Plot(c draw.Canvas, p *plot.Plot) {
	cells := [][]geom.Point{pen.Shown(p).Corners()}
	for _, h := range l.s.Borders {
		pen.Plane(h, l.style).Plot(c, p)
		var cut [][]geom.Point
		for _, cell := range cells {
			for _, side := range []svmkit.Hyperplane{h, h.Scale(-1)} {
				if part := geom.HalfPlane(cell, side); len(part) > 2 {
					cut = append(cut, part)
				}
			}
		}
		cells = cut
	}
	for _, cell := range cells {
		middle := geom.Point{}
		for _, q := range cell {
			middle.X, middle.Y = middle.X+q.X/float64(len(cell)), middle.Y+q.Y/float64(len(cell))
		}
		text := prose.Num(l.s.F(middle.X, middle.Y))
		free := math.Inf(1) // points of distance from the sides and from other drawings
		here := pen.CanvasPoint(&c, p, middle)
		far := func(q geom.Point) float64 {
			at := pen.CanvasPoint(&c, p, q)
			return math.Hypot(float64(at.X-here.X), float64(at.Y-here.Y))
		}
		for i, q := range cell {
			free = min(free, far(geom.Nearest(middle, q, cell[(i+1)%len(cell)])))
		}
		for _, q := range l.avoid {
			free = min(free, far(q)-5)
		}
		if free > 0.55*float64(pen.LabelExtent(text).X) {
			pen.WriteOver(&c, here, text)
		}
	}
}

func (s Surface) validate() error {
	if s.F == nil {
		return check.Param("F", nil, "must be a function")
	}
	for _, side := range [][2]float64{{s.XMin, s.XMax}, {s.YMin, s.YMax}} {
		if !(-check.Max < side[0] && side[0] < side[1] && side[1] < check.Max) {
			return check.Param("XMin, XMax, YMin, YMax", side,
				"must be finite and rise: they are the view")
		}
	}
	switch n := len(s.Paths) + len(s.Lines); {
	case n > maxWays:
		return check.Param("Paths, Lines", prose.Count(n),
			"must be at most %d together: more cannot be told apart", maxWays)
	case len(s.Feasible) > maxConstraints:
		return check.Param("Feasible", prose.Plural(len(s.Feasible), "constraint"),
			"must be at most %d", maxConstraints)
	case len(s.Borders) > maxConstraints:
		return check.Param("Borders", prose.Plural(len(s.Borders), "line"), "must be at most %d",
			maxConstraints)
	}
	if err := check.Levels(s.Levels, pen.MaxLevels); err != nil {
		return err
	}
	for _, l := range slices.Concat(s.Feasible, s.Lines) {
		if err := check.Plane(l.Line, 2); err != nil {
			return fmt.Errorf("line %q: %w", l.Name, err)
		}
	}
	for i, h := range s.Borders {
		if err := check.Plane(h, 2); err != nil {
			return fmt.Errorf("border %d: %w", i, err)
		}
	}
	for _, l := range s.Paths {
		if len(l.At) == 0 {
			return check.All(fmt.Errorf("path %q: %w", l.Name, svmkit.ErrEmpty))
		}
		for i, q := range l.At {
			if err := s.checkPoint(i, q); err != nil {
				return fmt.Errorf("path %q: %w", l.Name, err)
			}
		}
	}
	for i, q := range s.Points {
		if err := s.checkPoint(i, q.At); err != nil {
			return fmt.Errorf("point %q: %w", q.Name, err)
		}
	}
	return check.Surface("F", s.F, s.view())
}

// checkPoint checks that a place and the function there can be drawn and written.
func (s Surface) checkPoint(i int, q [2]float64) error {
	for j, v := range q {
		if math.IsNaN(v) || math.Abs(v) > check.Max {
			return check.Data(i, j, v, svmkit.ErrNotFinite)
		}
	}
	if z := s.F(q[0], q[1]); !(math.Abs(z) <= check.Max) {
		return check.Data(i, svmkit.NoPlace, z, svmkit.ErrNotFinite)
	}
	return nil
}

// words returns the caption and the alternative text: the best point, and the effect of each path
// on the function.
func (s Surface) words(e extremum) (caption, alt string) {
	var said []string
	place := fmt.Sprintf("(%s, %s)", s.near(e.at.X, s.XMax-s.XMin), s.near(e.at.Y, s.YMax-s.YMin))
	bound := len(s.Feasible) > 0
	where := prose.Either(bound, "where all constraints hold", "in the picture")
	whole := prose.Either(bound, "their region", "the picture")
	its := prose.Either(bound, "Where all constraints hold, its", "Its")
	least := prose.Either(s.Maximise, "greatest", "least")
	value := prose.Either(math.Abs(e.value) > 1e-6*math.Abs(e.worst-e.value),
		prose.Num(prose.Roughly(e.value)), "0")
	switch {
	case !e.feasible:
		said = append(said, fmt.Sprintf("No point of the picture satisfies all of the %s.",
			prose.Plural(len(s.Feasible), "constraint")))
	case e.single:
		said = append(said, fmt.Sprintf("The %s value %s, %s, is taken near %s.", least, where,
			value, place))
	case e.area:
		said = append(said,
			prose.Say("The %s value %s, %s, is taken on a whole area, %v %% of %s, and "+
				"at %s for one.", least, where, value, prose.Roughly(100*e.share), whole, place))
	default:
		said = append(said, fmt.Sprintf("The %s value %s, %s, lies at the border of the "+
			"picture, near %s: beyond it the function may go on.", least, where, value, place))
	}
	var drawn []string
	for _, l := range s.Paths {
		if l.NoMarks {
			drawn = append(drawn, fmt.Sprintf("A curve, %s.", l.Name))
			continue
		}
		said = append(said, s.walkWords(l))
	}
	caption = strings.Join(said, " ")
	for _, l := range s.Lines {
		drawn = append(drawn, fmt.Sprintf("A line, %s.", l.Name))
	}
	for _, q := range s.Points {
		drawn = append(drawn, prose.Say("A diamond at (%v, %v), %s, where the function is %v.",
			q.At[0], q.At[1], q.Name, s.F(q.At[0], q.At[1])))
	}
	if n := len(s.Feasible); n > 0 && e.feasible {
		drawn = append([]string{fmt.Sprintf("The part of the picture where %s hold is shaded.",
			prose.Plural(n, "linear constraint"))}, drawn...)
	}
	low, high := value, prose.Num(prose.Roughly(e.most))
	if s.Maximise {
		low, high = high, low
	}
	span := prose.Either(e.feasible,
		fmt.Sprintf(" %s values reach from %s to %s.", its, low, high), "")
	kind := "Level sets, with their values, of a function of two variables"
	if n := len(s.Borders); n > 0 {
		kind = fmt.Sprintf("A function of two variables that is constant between %s, with its "+
			"value in each piece", prose.Plural(n, "line"))
	}
	alt = strings.Join(append([]string{prose.Say("%s, from %v to %v (horizontal) and from %v to "+
		"%v (vertical).%s", kind, s.XMin, s.XMax, s.YMin, s.YMax, span), caption}, drawn...), " ")
	return caption, alt
}

// near writes a coordinate that was found by search, over a view of the given length.
func (s Surface) near(v, length float64) string {
	if math.Abs(v) < 1e-4*length {
		return "0"
	}
	return prose.Num(prose.Roughly(v))
}

// walkWords describes how the function changes along a path.
func (s Surface) walkWords(l NamedPath) string {
	value := func(k int) float64 { return s.F(l.At[k][0], l.At[k][1]) }
	at := func(k int) string { return prose.Say("(%v, %v)", l.At[k][0], l.At[k][1]) }
	last, rises := len(l.At)-1, 0
	if last == 0 {
		return prose.Say("%s: at the start %s, where the function is %v.", l.Name, at(0), value(0))
	}
	for k := 1; k <= last; k++ {
		if value(k) > value(k-1) {
			rises++
		}
	}
	return prose.Say("%s: %s from %s to %s take the function from %v to %v; it rises in %v of "+
		"them.", l.Name, prose.Plural(last, "step"), at(0), at(last), value(0), value(last), rises)
}
