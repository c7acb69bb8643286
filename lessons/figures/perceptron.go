package figures

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
	"github.com/svmkit/course/svmkit/samples"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// AugmentedLift shows that a bias is the weight of one more feature, which is always 1. The set and
// the plane h have one dimension: h is a threshold on a line. The line is lifted to height 1, and
// the threshold is where it meets the line through the origin whose normal is (w, b).
func AugmentedLift(set *svmkit.Dataset, h svmkit.Hyperplane) (*plots.Figure, error) {
	if err := cmp.Or(check.Labelled(set, 1), check.Plane(h, 1)); err != nil {
		return nil, err
	}
	lifted := set.Augment(1)
	through := svmkit.Hyperplane{W: []float64{h.W[0], h.B}}
	threshold := geom.Pt(-h.B/h.W[0], 1)
	view := geom.Extent(lifted).Cover(geom.Point{}, geom.Point{Y: 1.5})
	if view.Grow(1).Contains(threshold) { // a plane far from the points is left outside
		view = view.Cover(threshold)
	}
	view = view.Grow(0.12)

	name := "$x$"
	if set.Features != nil {
		name = prose.Literal(set.Features[0])
	}
	p := pen.NewPlot(name, "the new feature")
	pen.Show(p, view)
	height := pen.Plane(svmkit.Hyperplane{W: []float64{0, 1}, B: -1},
		pen.Line(pen.Faint, 1.2, pen.Dotted))
	plane := pen.Plane(through, pen.Line(pen.Ink, 1.8, nil))
	length := 0.3 * min(view.XMax-view.XMin, view.YMax-view.YMin) / through.Norm()
	normal := pen.Arrow{From: geom.Point{}, To: geom.Pt(length*h.W[0], length*h.B),
		Style: pen.Line(pen.Green, 2, nil)}
	at := pen.RingAt(threshold, 7, pen.Line(pen.Ink, 1.4, nil))
	p.Add(height, plane)
	rows := pen.Thin(set.Len(), pen.MaxRows)
	legend := pen.Scatter(p, lifted, rows, 1)
	p.Add(pen.Origin, normal, at)

	f := &plots.Figure{Plot: p, EqualUnits: true, Width: pen.PhoneWidth, Height: 3.6 * vg.Inch}
	f.Legend = legend.With("height 1", height).With("$wx + b \\cdot 1 = 0$", plane).
		With("direction of $(w, b)$", normal).With("threshold", at)
	wrong := geom.Mistakes(set, h)
	f.Caption = prose.Say("The threshold %v is where the number line, lifted to height 1, "+
		"meets the black line through the origin: the bias %v is the second entry of its "+
		"normal, and %s on the wrong side.", threshold.X, h.B, prose.PointsAre(wrong)) +
		prose.Thinned(len(rows), set.Len(), "points")
	f.Alt = prose.Say("%s at height 1 over %s from %v to %v. A line through the origin with "+
		"normal (%v, %v) crosses height 1 at the ringed threshold %v; %s on the wrong side of it.",
		prose.UpperFirst(prose.Points(set)), prose.Plain(name), geom.Extent(lifted).XMin,
		geom.Extent(lifted).XMax, h.W[0], h.B, threshold.X, prose.PointsAre(wrong))
	return f, nil
}

// Planes rebuilds the planes of a run from its trace: w after k mistakes is the sum of y·x
// over them, and with bias b is the sum of y. That holds for runs from w = 0 with step size
// 1; other step sizes give the same planes, with w and b scaled.
func Planes(set *svmkit.Dataset, trace []perceptron.Mistake, bias bool) ([]PlaneStep, error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	h := svmkit.Hyperplane{W: make([]float64, set.Dim)}
	steps := make([]PlaneStep, len(trace))
	for k, m := range trace {
		if err := check.Index("Index", m.Index, set.Len()); err != nil {
			return nil, err
		}
		before := h
		h.W = slices.Clone(h.W)
		y := set.Y[m.Index]
		set.X[m.Index].AddTo(h.W, y)
		if bias {
			h.B += y
		}
		steps[k] = PlaneStep{Before: before, After: h, Index: m.Index}
	}
	return steps, nil
}

// PlaneStep is one mistake of a run on a 2-D set: the plane before and after its update,
// and the row that caused it. Before may have w = 0, as the first one of a perceptron has:
// there is no plane yet.
type PlaneStep struct {
	Before, After svmkit.Hyperplane
	Index         int
}

// PlaneStrip draws a run as a strip of small panels, one for each mistake: the plane before
// its update dashed, after it solid, the mistaken point ringed, and w after the update as an
// arrow; all arrows have one scale, that of the points if the planes go through the origin and the
// arrows fit, so w is seen to grow. Of more than 12 mistakes, 12 are shown, evenly spaced.
func PlaneStrip(set *svmkit.Dataset, steps []PlaneStep) (*plots.Figure, error) {
	r, err := newPlanarRun(set, steps)
	if err != nil {
		return nil, err
	}
	show := pen.Thin(len(steps), pen.MaxPanels)
	columns := min(2, len(show))
	f := &plots.Figure{EqualUnits: true, Width: pen.PhoneWidth}
	var panels []*plot.Plot
	for _, k := range show {
		p, legend := r.panel(k, 0.75)
		panels, f.Legend = append(panels, pen.Bare(p)), legend
	}
	f.Panels = slices.Collect(slices.Chunk(panels, columns))
	side := (pen.PhoneWidth - 20) / vg.Length(columns)
	f.Height = vg.Length(len(f.Panels))*side + 0.9*vg.Inch
	f.Caption, f.Alt = r.words(len(show))
	return f, nil
}

// PlaneFrames draws the same run as figures of their own: figure k is mistake k + 1.
func PlaneFrames(set *svmkit.Dataset, steps []PlaneStep) ([]*plots.Figure, error) {
	r, err := newPlanarRun(set, steps)
	if err != nil {
		return nil, err
	}
	var frames []*plots.Figure
	for k, s := range steps {
		p, legend := r.panel(k, 1)
		_, drawn := r.arrow(s.After)
		legend = slices.DeleteFunc(legend, func(e plots.Entry) bool { // of what this frame does not show
			return e.Name == "before" && geom.IsZero(s.Before) || e.Name == "$w$ after" && !drawn
		})
		f := &plots.Figure{Plot: p, Legend: legend, EqualUnits: true,
			Width: pen.PhoneWidth, Height: pen.PhoneWidth}
		f.Caption, f.Alt = r.frameWords(k)
		frames = append(frames, f)
	}
	return frames, nil
}

// planarRun is a run with what all of its panels share.
type planarRun struct {
	set    *svmkit.Dataset
	steps  []PlaneStep
	view   geom.Box
	rows   []int   // drawn
	scale  float64 // length of an arrow for ‖w‖ = 1, in data units
	origin bool    // all planes go through the origin
}

func newPlanarRun(set *svmkit.Dataset, steps []PlaneStep) (*planarRun, error) {
	if err := cmp.Or(check.Planar(set), check.Some("steps", len(steps))); err != nil {
		return nil, err
	}
	r := &planarRun{set: set, steps: steps, origin: true}
	longest := 0.0
	var mistaken []int
	for _, s := range steps {
		if err := cmp.Or(check.Index("Index", s.Index, set.Len()), check.MaybePlane(s.Before, 2),
			check.MaybePlane(s.After, 2)); err != nil {
			return nil, err
		}
		r.origin = r.origin && s.Before.B == 0 && s.After.B == 0
		longest = max(longest, s.After.Norm())
		mistaken = append(mistaken, s.Index)
	}
	r.rows = pen.Thin(set.Len(), pen.MaxRows, mistaken...)
	r.view = geom.Extent(set)
	if r.origin {
		r.view = r.view.Cover(geom.Point{})
	}
	if longest > 0 {
		side := r.view.Side()
		r.scale = 0.42 * side / longest
		switch {
		case r.origin && longest <= 2*side: // the arrows fit: points and arrows have one scale
			r.scale = 1
		case r.scale == 0:
			r.scale = 1 / longest
		}
	}
	for _, s := range steps {
		if a, ok := r.arrow(s.After); ok && r.origin {
			r.view = r.view.Cover(a.To)
		}
	}
	r.view = r.view.Grow(0.10)
	return r, nil
}

// arrow returns w as an arrow from the plane: from the origin if all planes meet there,
// else from the middle of what is to be seen of the plane.
func (r *planarRun) arrow(h svmkit.Hyperplane) (pen.Arrow, bool) {
	if geom.IsZero(h) {
		return pen.Arrow{}, false
	}
	from := geom.Point{}
	if !r.origin {
		a, b, ok := geom.Visible(h, r.view)
		if !ok {
			return pen.Arrow{}, false
		}
		from = geom.Middle(a, b)
	}
	to := geom.Pt(from.X+r.scale*h.W[0], from.Y+r.scale*h.W[1])
	return pen.Arrow{From: from, To: to, Style: pen.Line(pen.Green, 2, nil)}, true
}

// panel draws step k, with marks of the given size.
func (r *planarRun) panel(k int, size vg.Length) (*plot.Plot, pen.Legend) {
	s := r.steps[k]
	p := pen.PlanarPlot(r.set)
	pen.Show(p, r.view)
	p.Title.Text = prose.Say("mistake %v", k+1)
	// Every panel lists all kinds of marks, also those it happens not to show.
	before, after := pen.Plane(s.Before, pen.Line(pen.Faint, 1.5, pen.Dashed)),
		pen.Plane(s.After, pen.Line(pen.Ink, 2, nil))
	ringed := pen.RingAt(geom.At(r.set.X[s.Index]), 6.5, pen.Line(pen.Ink, 1.5, nil))
	legend := pen.Scatter(p, r.set, r.rows, size)
	p.Add(before, after, ringed)
	if r.origin {
		p.Add(pen.Origin)
	}
	w, ok := r.arrow(s.After)
	if ok {
		p.Add(w)
	}
	w.Style = pen.Line(pen.Green, 2, nil)
	switch {
	case geom.IsZero(s.After):
		p.Title.Text += ": to $w = 0$"
	case geom.IsZero(s.Before):
		p.Title.Text += ": from $w = 0$"
	}
	return p, legend.With("before", before).With("after", after).With("mistake", ringed).
		With("$w$ after", w)
}

// frameWords describes step k alone.
func (r *planarRun) frameWords(k int) (caption, alt string) {
	s := r.steps[k]
	x, y := r.set.X[s.Index], r.set.Y[s.Index]
	_, drawn := r.arrow(s.After)
	lines := prose.Either(geom.IsZero(s.Before), "no line before, as w = 0, and the line after",
		"a dashed line before and a solid line after")
	caption = prose.Say("Mistake %v of %v moves y·f of the ringed point from %v to %v. After it %v of %v points are "+
		"misclassified.", k+1, len(r.steps), y*s.Before.Score(x), y*s.After.Score(x), geom.Mistakes(r.set, s.After), r.set.Len())
	caption += prose.If(drawn && !(r.scale == 1 && r.origin), " The arrow w has a scale of its own.")
	alt = prose.Say("%s over %s, %s mistake %v, and a ring on the point (%v, %v) with the label %s. After it w = (%v, %v) "+
		"and b = %v.", prose.Points(r.set), prose.Axes(r.set), lines, k+1, x.At(0), x.At(1), prose.Signed(y), s.After.W[0], s.After.W[1], s.After.B)
	return caption, prose.UpperFirst(alt)
}

// words describes the run.
func (r *planarRun) words(shown int) (caption, alt string) {
	n := len(r.steps)
	last := r.steps[n-1].After
	caption = fmt.Sprintf("Each mistake adds its ringed point, with its sign, to w: %s",
		prose.Plural(n, "mistake"))
	wrong := geom.Mistakes(r.set, last)
	if wrong == 0 {
		caption += ", and the last plane separates the classes."
	} else {
		caption += prose.Say("; after the last one %v of %v points are still on the wrong side.",
			wrong, r.set.Len())
	}
	scale := prose.Either(r.scale == 1 && r.origin,
		" Arrows and points have one scale.", " All arrows w have one scale.")
	caption += scale + prose.Thinned(shown, n, "mistakes") +
		prose.Thinned(len(r.rows), r.set.Len(), "points")

	alt = fmt.Sprintf("Panels with %s over %s; in each "+
		"a dashed line, the plane before a mistake, a solid line, the plane after it, "+
		"a ring on the mistaken point, and an arrow for w.", prose.Points(r.set), prose.Axes(r.set))
	alt += prose.If(geom.IsZero(r.steps[0].Before),
		" Before the first mistake w is zero and there is no plane.")
	if !geom.IsZero(last) {
		angle := math.Atan2(last.W[1], last.W[0]) * 180 / math.Pi
		alt += prose.Say(" After the last mistake the plane "+
			"is %s, its normal at %v degrees from the first axis, and %s on the wrong side.",
			prose.Equation(last), math.Round(angle), prose.PointsAre(wrong))
	}
	return caption, alt
}

// VectorUpdate is one update of a perceptron through the origin of the plane: w before it,
// and the example (x, y) that caused it.
type VectorUpdate struct {
	W []float64 // length 2; may be zero
	X svmkit.Row
	Y float64 // −1 or +1
}

// after returns w + yx.
func (u VectorUpdate) after() []float64 {
	w := []float64{u.W[0], u.W[1]}
	u.X.AddTo(w, u.Y)
	return w
}

// UpdateVectors draws what an update does, up to three in a row: the arrow yx is put to the
// tip of w, and the sum is the new w. The score of x rises by ‖x‖² for y = +1 and falls by as
// much for y = −1; the caption says whether x is on its correct side then.
func UpdateVectors(updates []VectorUpdate) (*plots.Figure, error) {
	if err := check.Count("updates", len(updates), 1, 3, "update"); err != nil {
		return nil, err
	}
	f := &plots.Figure{EqualUnits: true, Panels: [][]*plot.Plot{nil}, Width: pen.PhoneWidth}
	view, err := arrowsBox(updates)
	if err != nil {
		return nil, err
	}
	f.Caption = "An update puts the arrow yx to the tip of w"
	f.Alt = fmt.Sprintf("%s with arrows from the origin, in equal units.",
		prose.Plural(len(updates), "panel"))
	for i, u := range updates {
		p, legend := u.panel(view)
		f.Panels[0] = append(f.Panels[0], p)
		if i == 0 {
			f.Legend = legend
		}
		caption, alt := u.words()
		f.Caption += []string{": ", "; "}[min(i, 1)] + caption
		f.Alt += " " + alt
	}
	f.Caption += "."
	f.Height = pen.PhoneWidth/vg.Length(len(updates)) + 0.9*vg.Inch
	return f, nil
}

// arrowsBox returns the box of all arrows and points of some updates, which it checks.
func arrowsBox(updates []VectorUpdate) (geom.Box, error) {
	view := geom.Empty().Cover(geom.Point{})
	for _, u := range updates {
		if err := cmp.Or(check.Planar(u.set()),
			check.MaybePlane(svmkit.Hyperplane{W: u.W}, 2)); err != nil {
			return view, err
		}
		w, yx, sum := u.arrows()
		view = view.Cover(w.To, yx.To, sum.To, geom.At(u.X))
	}
	return view.Grow(0.16), nil
}

// set returns the example alone.
func (u VectorUpdate) set() *svmkit.Dataset {
	return &svmkit.Dataset{X: []svmkit.Row{u.X}, Y: []float64{u.Y}, Dim: 2}
}

// mistake reports whether w misclassifies the example.
func (u VectorUpdate) mistake() bool { return u.Y*u.score(u.W) <= 0 }

// arrows returns w, yx at its tip, and their sum.
func (u VectorUpdate) arrows() (w, yx, sum pen.Arrow) {
	tip, a := geom.Pt(u.W[0], u.W[1]), u.after()
	end := geom.Pt(a[0], a[1])
	return pen.Arrow{From: geom.Point{}, To: tip, Style: pen.Line(pen.Faint, 1.6, nil)},
		pen.Arrow{From: tip, To: end, Style: pen.Line(pen.Purple, 1.8, nil)},
		pen.Arrow{From: geom.Point{}, To: end, Style: pen.Line(pen.Green, 2.2, nil)}
}

func (u VectorUpdate) panel(view geom.Box) (*plot.Plot, pen.Legend) {
	p := pen.Bare(pen.NewPlot("", ""))
	pen.Show(p, view)
	w, yx, sum := u.arrows()
	before := pen.Plane(svmkit.Hyperplane{W: u.W}, pen.Line(pen.Faint, 1.4, pen.Dashed))
	after := pen.Plane(svmkit.Hyperplane{W: u.after()}, pen.Line(pen.Ink, 1.8, nil))
	p.Add(before, after)
	pen.Scatter(p, u.set(), []int{0}, 1.2)
	x := geom.At(u.X)
	names := pen.Labels{Clear: 5, Avoid: slices.Concat([]geom.Point{x, {}}, w.Along(8), yx.Along(8),
		sum.Along(8)), Items: []pen.Label{{At: x, Text: "$x$", Lean: x},
		{At: sum.To, Text: "$w + yx$", Colour: pen.Green, Lean: sum.To}}}
	if u.W[0] != 0 || u.W[1] != 0 {
		p.Add(w)
		middle := geom.Pt((yx.From.X+yx.To.X)/2, (yx.From.Y+yx.To.Y)/2)
		names.Items = append(names.Items, pen.Label{At: w.To, Text: "$w$", Colour: pen.Faint,
			Lean: w.To}, pen.Label{At: middle, Text: "$yx$", Colour: pen.Purple, Lean: middle})
	}
	p.Add(yx, sum, pen.Origin, names)
	p.Title.Text = prose.Say("$y = %s$: score %v to %v",
		prose.Signed(u.Y), u.score(u.W), u.score(u.after()))
	return p, pen.Legend{{Name: "plane before", Mark: before}, {Name: "plane after", Mark: after},
		{Name: "$w$", Mark: w}, {Name: "$yx$", Mark: yx}, {Name: "$w + yx$", Mark: sum}}
}

// score returns the score of x under w.
func (u VectorUpdate) score(w []float64) float64 { return u.X.Dot(w) }

func (u VectorUpdate) words() (caption, alt string) {
	side := prose.Either(u.Y*u.score(u.after()) <= 0, "so it is still misclassified", "so it is now classified correctly")
	x, a := geom.At(u.X), u.after()
	caption = prose.Say("the score of the point with y = %s goes from %v to %v, by %v, %s",
		prose.Signed(u.Y), u.score(u.W), u.score(a), math.Abs(u.score(a)-u.score(u.W)), side)
	alt = prose.Say("The point %v with y = %s: w = (%v, %v) becomes (%v, %v), and the "+
		"line across w turns with it.", x, prose.Signed(u.Y), u.W[0], u.W[1], a[0], a[1])
	return caption, alt
}

// Rounds draws a run of a perceptron through the origin of the plane, two figures a round. The
// first asks: it shows w and its line, and a ring on the point that has come. The second answers:
// after a mistake the arrow yx stands at the tip of w, and their sum is the new w. All arrows have
// their true length, and all figures one range.
func Rounds(rounds []VectorUpdate) ([]*plots.Figure, error) {
	if err := check.Some("rounds", len(rounds)); err != nil {
		return nil, err
	}
	view, err := arrowsBox(rounds)
	if err != nil {
		return nil, err
	}
	points := &svmkit.Dataset{Dim: 2}
	seen := map[geom.Point]bool{}
	for _, u := range rounds {
		if !seen[geom.At(u.X)] {
			seen[geom.At(u.X)] = true
			points.X, points.Y = append(points.X, u.X), append(points.Y, u.Y)
		}
	}
	var figures []*plots.Figure
	for i, u := range rounds {
		figures = append(figures, u.round(i+1, points, view, false),
			u.round(i+1, points, view, true))
	}
	return figures, nil
}

// round draws round k of Rounds: the question or the answer.
func (u VectorUpdate) round(k int, points *svmkit.Dataset, view geom.Box,
	answer bool) *plots.Figure {
	x, a := geom.At(u.X), u.after()
	p := pen.NewPlot("$x_1$", "$x_2$")
	pen.Show(p, view)
	w, yx, sum := u.arrows()
	before, after := pen.Plane(svmkit.Hyperplane{W: u.W}, pen.Line(pen.Faint, 1.4, pen.Dashed)),
		pen.Plane(svmkit.Hyperplane{W: a}, pen.Line(pen.Ink, 1.8, nil))
	here := pen.RingAt(x, 7, pen.Line(pen.Ink, 1.5, nil))
	p.Add(before)
	pen.Scatter(p, points, pen.Thin(points.Len(), pen.MaxRows), 1.3)
	p.Add(here, pen.Origin, w)
	f := &plots.Figure{Plot: p, EqualUnits: true, Width: pen.PhoneWidth, Height: pen.PhoneWidth,
		Legend: pen.Legend{{Name: "$y = +1$", Mark: pen.Positive.At()},
			{Name: "$y = -1$", Mark: pen.Negative.At()}, {Name: "the point that came", Mark: here}}}
	if !geom.IsZero(svmkit.Hyperplane{W: u.W}) {
		f.Legend.Add("$w$ before, its line", w)
	}
	place := prose.Say("%v with y = %s", x, prose.Signed(u.Y))
	old, score := prose.Say("w = (%v, %v)", u.W[0], u.W[1]), prose.Num(u.score(u.W))
	p.Title.Text = fmt.Sprintf("round %d: %s. A mistake?", k, place)
	f.Caption = fmt.Sprintf("Round %d: %s, and the point %s comes. Is it a mistake, and where "+
		"will the tip of w be?", k, old, place)
	switch {
	case answer && u.mistake():
		p.Add(after, yx, sum)
		f.Legend.Add("$yx$", yx)
		f.Legend.Add("$w$ after", sum)
		f.Legend.Add("line after", after)
		p.Title.Text = fmt.Sprintf("round %d: score %s, a mistake", k, score)
		f.Caption = prose.Say("Round %d: the score of %s is %s, a mistake. The arrow yx takes "+
			"the tip of w to (%v, %v).", k, place, score, a[0], a[1])
	case answer:
		p.Title.Text = fmt.Sprintf("round %d: score %s, right", k, score)
		f.Caption = fmt.Sprintf("Round %d: the score of %s is %s, the right sign. Nothing "+
			"changes: %s.", k, place, score, old)
	}
	have := prose.Either(geom.IsZero(svmkit.Hyperplane{W: u.W}),
		"no arrow and no line, as "+old, "the arrow "+old+" from the origin and the line across it")
	if answer && u.mistake() {
		have += ", then the arrow yx"
		have += prose.If(!geom.IsZero(svmkit.Hyperplane{W: a}),
			", the new w and the line across it")
	}
	f.Alt = fmt.Sprintf("%s, a ring on %s, %s. %s", prose.UpperFirst(prose.Points(points)), place,
		have, f.Caption)
	return f
}

// Cloud returns sixty points of the unit disc, all at least 0.1 away from a line through the origin
// that separates them.
func Cloud(seed uint64) (*svmkit.Dataset, error) {
	set, _, err := samples.Separable{N: 60, Dim: 2, Margin: 0.1, Radius: 1}.Generate(seed)
	return set, err
}

// Rounded returns the rounds of a perceptron through the origin that starts at w = 0 and sees the
// rows of a planar set in turn.
func Rounded(set *svmkit.Dataset, rounds int) (all []VectorUpdate) {
	w := []float64{0, 0}
	for t := range rounds {
		i := t % set.Len()
		u := VectorUpdate{W: w, X: set.X[i], Y: set.Y[i]}
		if all = append(all, u); u.mistake() {
			w = u.after()
		}
	}
	return all
}

// Jumps draws the number of misclassified points of a set before and after each update of a run. It
// begins with all n points.
func Jumps(count []float64) (*plots.Figure, error) {
	if err := check.Count("counts", len(count), 2, 1000, "count"); err != nil {
		return nil, err
	}
	k, ups, downs := make([]float64, len(count)), 0, 0
	for i := range count[1:] {
		k[i+1] = float64(i + 1)
		switch {
		case count[i+1] > count[i]:
			ups++
		case count[i+1] < count[i]:
			downs++
		}
	}
	last := len(count) - 1
	f, err := plots.Lines([]plots.Series{{Name: "misclassified", X: k, Y: count}},
		plots.Axes{X: "updates $k$", Y: "misclassified points"},
		prose.Say("The number of misclassified points is no measure of progress: %v of %v updates raise it and %v lower it, "+
			"and the run ends at %v.", ups, last, downs, count[last]),
		prose.Say("Misclassified points, of %v, before and after %v updates: %v.", count[0], last, count))
	if err == nil {
		f.Width, f.Height = 300, 230 // points
	}
	return f, err
}

// Stream returns n examples with three features on both sides of a plane. From the round turn on,
// their labels are exchanged. All rows share one piece of memory.
func Stream(n, turn int) iter.Seq2[svmkit.Row, float64] {
	return func(yield func(svmkit.Row, float64) bool) {
		r, x := rand.New(rand.NewPCG(7, 0)), make([]float64, 3)
		for t := 0; t < n; {
			for j := range x {
				x[j] = 2*r.Float64() - 1
			}
			f := x[0] - 2*x[1] + x[2]/2
			if math.Abs(f) < 0.2 {
				continue // too near to the plane
			}
			if t >= turn {
				f = -f
			}
			if t++; !yield(svmkit.Dense(x...), math.Copysign(1, f)) {
				return
			}
		}
	}
}
