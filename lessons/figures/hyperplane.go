package figures

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/samples"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// CanonicalLines draws a 2-D set with the lines f = −1, 0 and 1 of the plane h, and the
// distance 2/‖w‖ between the outer ones.
//
// If h is in canonical form for the set, its smallest functional margin y·f(x) is 1. Then the outer
// lines touch the nearest points, and no point lies between them. The caption tells whether h is in
// canonical form.
//
// It is an error if the set is not planar or w = 0.
func CanonicalLines(set *svmkit.Dataset, h svmkit.Hyperplane) (*plots.Figure, error) {
	if err := cmp.Or(check.Planar(set), check.Plane(h, 2)); err != nil {
		return nil, err
	}
	order := byMargin(set, h)
	least := set.Y[order[0]] * h.Score(set.X[order[0]])
	half := 1 / h.Norm()
	view := geom.Extent(set).Cover(geom.Foot(h, geom.At(set.X[order[0]]))).Grow(0.10)
	p := pen.PlanarPlot(set)
	pen.Show(p, view)

	border, edge := addStreet(p, h)
	rows := pen.Thin(set.Len(), pen.MaxRows, order[0])
	legend := pen.Scatter(p, set, rows, 1).With("plane $f = 0$", border).With(`lines $f = \pm 1$`, edge)
	touching := touches(set, h)
	for _, i := range touching {
		p.Add(pen.RingAt(geom.At(set.X[i]), 7, pen.Line(pen.Ink, 1.4, nil)))
	}

	l := pen.Labels{Clear: 7, Lines: []svmkit.Hyperplane{h}}
	l.Avoid = append(l.Avoid, geom.Rows(set, rows)...)
	if a, b, ok := geom.Visible(h, view); ok {
		on := func(t, d float64) geom.Point { // the point at t of the visible plane, d along w
			return geom.Pt(a.X+t*(b.X-a.X)+d*h.W[0]/h.Norm(), a.Y+t*(b.Y-a.Y)+d*h.W[1]/h.Norm())
		}
		width := pen.Line(pen.Green, 2, nil)
		p.Add(pen.Arrow{From: on(0.22, 0), To: on(0.22, half), Style: width},
			pen.Arrow{From: on(0.22, 0), To: on(0.22, -half), Style: width})
		sign, wide := 1.0, view.EqualUnits(4, 3.6) // about what will be seen
		if !wide.Contains(on(0.22, half+(wide.XMax-wide.XMin)/5)) {
			sign = -1 // a label beyond this tip would lie outside
		}
		l.Items = append(l.Items, pen.Label{At: on(0.22, sign*half), Text: `$2/\|w\| = ` +
			prose.Num(2*half) + "$", Colour: pen.Green, Lean: geom.Pt(sign*h.W[0], sign*h.W[1])})
		for _, f := range []float64{1, -1} {
			l.Items = append(l.Items, pen.Label{At: on(0.86, f*half), Text: "$f = " +
				prose.Minus(fmt.Sprintf("%+g", f)) + "$", Lean: geom.Pt(f*h.W[0], f*h.W[1])})
		}
	}
	p.Add(l)
	f := &plots.Figure{Plot: p, Legend: legend, EqualUnits: true, Width: pen.PhoneWidth,
		Height: 4 * vg.Inch}
	f.Caption, f.Alt = canonicalWords(set, h, least, len(touching))
	f.Caption += prose.Thinned(len(rows), set.Len(), "points")
	return f, nil
}

// TwoStreets draws the streets of two planes that separate a 2-D set, below each other, as
// [CanonicalLines] draws the canonical form of each.
//
// It is an error if a plane does not separate the set.
func TwoStreets(set *svmkit.Dataset, upper, lower svmkit.Hyperplane) (*plots.Figure, error) {
	var one [2]*plots.Figure
	var width [2]float64
	for k, h := range []svmkit.Hyperplane{upper, lower} {
		if err := cmp.Or(check.Planar(set), check.Plane(h, 2)); err != nil {
			return nil, err
		}
		c, err := h.Canonical(set)
		if err != nil {
			return nil, err
		}
		if one[k], err = CanonicalLines(set, c); err != nil {
			return nil, err
		}
		width[k] = 2 / c.Norm()
	}
	f, err := plots.Stack(one[0], one[1])
	if err != nil {
		return nil, err
	}
	f.Caption = prose.Say("The points are the same in both pictures. The street of the upper line "+
		"is %v wide, and the street of the lower line is %v wide.", width[0], width[1])
	return f, nil
}

// touches returns the rows with y·f(x) = 1.
func touches(set *svmkit.Dataset, h svmkit.Hyperplane) (rows []int) {
	for i, x := range set.X {
		if math.Abs(set.Y[i]*h.Score(x)-1) <= isOne {
			rows = append(rows, i)
		}
	}
	return rows
}

func canonicalWords(set *svmkit.Dataset, h svmkit.Hyperplane, least float64, touching int) (caption,
	alt string) {
	width := prose.Num(2 / h.Norm())
	switch {
	case least <= 0:
		caption = prose.Say("This plane has no canonical form: its smallest y·f(x) is %v, and no "+
			"factor above 0 makes that 1. The distance %s between the lines f = ±1 is no margin.",
			least, width)
	case math.Abs(least-1) <= isOne:
		caption = fmt.Sprintf("In canonical form no point lies between the lines f = ±1, the nearest "+
			"points (ringed) lie on them, and the lines are 2/‖w‖ = %s apart.", width)
	case least > 1:
		caption = prose.Say("Every point has y·f(x) ≥ 1, and yet this is not the canonical "+
			"form: the nearest has %v, and the lines f = ±1 touch no point. The empty strip is "+
			"wider than 2/‖w‖ = %s.", least, width)
	default:
		caption = prose.Say("This is not the canonical form: the nearest point has y·f(x) "+
			"= %v and lies between the lines f = ±1. The empty strip is narrower than 2/‖w‖ = %s.",
			least, width)
	}
	ringed := prose.Either(touching > 0, fmt.Sprintf("%s ringed, on a dashed line.",
		prose.UpperFirst(prose.PointsAre(touching))), "No point lies on a dashed line.")
	alt = prose.Say("Scatter plot of %s over %s. The "+
		"line %s is the plane; dashed lines on both sides of it, %s apart, are where f is −1 and "+
		"1, with an arrow across that is labelled with this width. The smallest y·f(x) is %v. %s",
		prose.Points(set), prose.Axes(set), prose.Equation(h), width, least, ringed)
	return caption, alt
}

// HalfSpaces draws the line h in the plane, the half-plane on each side of it, its normal
// w with the right angle that they make, and up to 12 points with their scores f(x). Points
// of the line have a mark of their own.
//
// It is an error if w = 0, if there is no point or if one has not two columns.
func HalfSpaces(h svmkit.Hyperplane, points []svmkit.Row) (*plots.Figure, error) {
	if err := cmp.Or(check.Plane(h, 2), check.Count("points", len(points), 1, 12,
		"point")); err != nil {
		return nil, err
	}
	view := geom.Empty()
	for i, x := range points {
		if err := check.Point(i, x); err != nil {
			return nil, err
		}
		view = view.Cover(geom.At(x), geom.Foot(h, geom.At(x)))
	}
	view = view.Grow(0.22)
	p := pen.NewPlot("$x_1$", "$x_2$")
	pen.Show(p, view)

	half := func(h svmkit.Hyperplane, fill color.Color) pen.Area {
		where := func(b geom.Box) []geom.Point { return geom.HalfPlane(b.Corners(), h) }
		return pen.Area{Polygon: where, Fill: fill}
	}
	plus, minusSide := half(h, pen.PaleBlue), half(h.Scale(-1), pen.PaleRed)
	border := pen.Plane(h, pen.Line(pen.Ink, 1.8, nil))
	w, name := normalArrow(h, view)
	p.Add(plus, minusSide, border, cornerAt(w.From, w.To, view), w)

	l := pen.Labels{Clear: 7, Lines: []svmkit.Hyperplane{h}, Items: []pen.Label{{At: w.To,
		Text: name, Colour: pen.Green, Lean: geom.Pt(h.W[0], h.W[1])}}}
	sides := [3]pen.Marks{{Mark: pen.Negative}, {Mark: onPlane}, {Mark: pen.Positive}}
	l.Avoid = append(l.Avoid, w.From)
	for _, x := range points {
		s := &sides[1+side(h, x)]
		s.At = append(s.At, geom.At(x))
		l.Avoid = append(l.Avoid, geom.At(x))
	}
	for _, x := range points {
		l.Items = append(l.Items, pen.Label{At: geom.At(x),
			Text: "$f = " + prose.Minus(prose.Num(exactScore(h, x))) + "$",
			Lean: geom.Pt(h.Score(x)*h.W[0], h.Score(x)*h.W[1])})
	}
	for s := range sides {
		p.Add(sides[s])
	}
	p.Add(l)
	legend := pen.Legend{{Name: "$f(x) > 0$", Mark: shadedMark{plus, pen.Positive}},
		{Name: "$f(x) < 0$", Mark: shadedMark{minusSide, pen.Negative}},
		{Name: "plane $f(x) = 0$", Mark: border}}
	f := &plots.Figure{Plot: p, Legend: legend, EqualUnits: true, Width: pen.PhoneWidth,
		Height: 4 * vg.Inch}
	f.Caption, f.Alt = halfSpaceWords(h, points, sides)
	return f, nil
}

// onPlane marks a point of neither class.
var onPlane = pen.Hollow(pen.Diamond, pen.Ink, 3.6)

// scoreRoundoff bounds the roundoff of a score, in units of ‖w‖‖x‖ + |b|.
const scoreRoundoff = 1e-14

// exactScore returns f(x), or 0 if f(x) is not above its roundoff.
func exactScore(h svmkit.Hyperplane, x svmkit.Row) float64 {
	f := h.Score(x)
	if math.Abs(f) <= scoreRoundoff*(h.Norm()*x.Norm()+math.Abs(h.B)) {
		return 0
	}
	return f
}

// side returns −1, 0 or 1: on which side of h the point lies.
func side(h svmkit.Hyperplane, x svmkit.Row) int {
	switch f := exactScore(h, x); {
	case f < 0:
		return -1
	case f > 0:
		return 1
	}
	return 0
}

// shadedMark is a legend's sample of a side: its shade with the mark of its points on it.
type shadedMark struct {
	pen.Area
	mark pen.Mark
}

func (s shadedMark) Thumbnail(c *draw.Canvas) {
	s.Area.Thumbnail(c)
	s.mark.Draw(c, c.Center())
}

// cornerAt draws the small square of a right angle at a corner: one side runs towards along,
// the other is turned from it by a quarter to the left.
func cornerAt(corner, along geom.Point, view geom.Box) plot.Plotter {
	size := view.Side() / 26
	length := geom.Distance(corner, along)
	u := geom.Pt((along.X-corner.X)/length*size, (along.Y-corner.Y)/length*size)
	v := geom.Pt(-u.Y, u.X)
	return pen.Join([]geom.Point{{X: corner.X + u.X, Y: corner.Y + u.Y},
		{X: corner.X + u.X + v.X, Y: corner.Y + u.Y + v.Y}, {X: corner.X + v.X, Y: corner.Y + v.Y}},
		pen.Line(pen.Ink, 1, nil))
}

func halfSpaceWords(h svmkit.Hyperplane, points []svmkit.Row, sides [3]pen.Marks) (caption,
	alt string) {
	caption = "The normal w is perpendicular to the plane and points to the side where f(x) is " +
		"positive."
	if n := len(sides[1].At); n > 0 {
		caption += fmt.Sprintf(" %s on the plane itself: f = 0 is no class.",
			prose.Either(n == 1, "One point lies", prose.Plural(n, "point")+" lie"))
	}
	scores := make([]string, len(points))
	for i, x := range points {
		scores[i] = prose.Say("%v at (%v, %v)", exactScore(h, x), x.At(0), x.At(1))
	}
	alt = prose.Say("The line %s divides the picture into a shaded side with positive scores "+
		"and one with negative scores. An arrow for the normal w = (%v, %v) stands on it at a "+
		"right angle and points to the positive side. %s: the score f is %s. Filled circles are "+
		"positive, open squares negative, open diamonds on the line.", prose.Equation(h), h.W[0],
		h.W[1], prose.UpperFirst(prose.Plural(len(points), "point")), strings.Join(scores, ", "))
	return caption, alt
}

// SignedMargins draws a 2-D set with the plane h: every point's perpendicular to the plane,
// the normal w to scale, and the signed geometric margin y·f(x)/‖w‖ of the points that decide.
//
// If h separates the set, the band of half-width γ, its margin, is shaded and the nearest
// points are ringed. If not, the worst ones are ringed, and the perpendiculars of all points on
// the wrong side stand out: the margin of a set is negative then. Margins are written at all
// points if there are at most 10. Of more points the smallest is written, at one of the ringed
// ones, or in the legend if it is γ and more than 4 are ringed. Perpendiculars are drawn for the
// 20 smallest margins. The axes depend on the set alone where they show a part of the plane.
//
// It is an error if the set is not planar or w = 0.
func SignedMargins(set *svmkit.Dataset, h svmkit.Hyperplane) (*plots.Figure, error) {
	if err := cmp.Or(check.Planar(set), check.Plane(h, 2)); err != nil {
		return nil, err
	}
	gamma, _ := h.SetMargin(set)
	order := byMargin(set, h)
	ringed := slices.Sorted(slices.Values(order[:tied(set, h, order)]))
	drops := order[:min(len(order), pen.MaxDrops)]
	rows := pen.Thin(set.Len(), pen.MaxRows, slices.Concat(drops, ringed)...)

	crowded := gamma > 0 && len(order) > maxWritten && len(ringed) > maxRinged
	view := marginView(set, h, drops)
	p := pen.PlanarPlot(set)
	pen.Show(p, view)
	var legend pen.Legend
	planeEntry := pen.Plane(h, pen.Line(pen.Ink, 1.8, nil))
	if gamma > 0 {
		street, style := pen.Street(h, gamma), pen.Line(pen.Faint, 1, pen.Dashed)
		p.Add(street, pen.Plane(geom.Shifted(h, gamma), style),
			pen.Plane(geom.Shifted(h, -gamma), style))
		name := prose.Either(crowded,
			`within $\gamma$ = `+prose.Num(gamma)+" of the plane", `within $\gamma$ of the plane`)
		legend.Add(name, street)
	}
	right, wrong := feet(set, h, drops)
	right.Style, wrong.Style = pen.Line(pen.Faint, 0.9, pen.Dotted), pen.Line(pen.Purple, 2, nil)
	p.Add(right, planeEntry, wrong)
	legend = append(pen.Scatter(p, set, rows, 1), legend...)
	legend.Add("plane $f(x) = 0$", planeEntry)
	if len(wrong.From) > 0 {
		legend.Add("wrong side", wrong)
	}

	radius := vg.Length(7)
	if crowded {
		radius = 4.5
	}
	for _, i := range ringed {
		p.Add(pen.RingAt(geom.At(set.X[i]), radius, pen.Line(pen.Ink, 1.4, nil)))
	}
	w, name := normalArrow(h, view)
	written := order
	switch {
	case crowded:
		written = nil
	case len(order) > maxWritten:
		written = ringed[:1]
	}
	p.Add(w, marginLabels(set, h, written, rows,
		pen.Label{At: w.To, Text: name, Colour: pen.Green, Lean: geom.Pt(h.W[0], h.W[1])}))

	f := &plots.Figure{Plot: p, Legend: legend, EqualUnits: true, Width: pen.PhoneWidth,
		Height: 4 * vg.Inch}
	f.Caption, f.Alt = marginWords(set, h, ringed, len(rows), len(drops))
	return f, nil
}

// maxWritten is how many margins are written at their points, and maxRinged how many rings are
// drawn large.
const (
	maxWritten = 10
	maxRinged  = 4
)

// tied counts the rows at the beginning of order, smallest margin first, that a picture of the set
// shows at one distance.
func tied(set *svmkit.Dataset, h svmkit.Hyperplane, order []int) int {
	const same = 1e-6 // of the picture's longer side
	b := geom.Extent(set)
	gamma, n := h.Margin(set.X[order[0]], set.Y[order[0]]), 1
	for n < len(order) && h.Margin(set.X[order[n]], set.Y[order[n]])-gamma <= same*b.Side() {
		n++
	}
	return n
}

// byMargin returns the numbers of the rows, smallest margin first.
func byMargin(set *svmkit.Dataset, h svmkit.Hyperplane) []int {
	order := pen.Thin(set.Len(), set.Len())
	margin := make([]float64, set.Len())
	for i, x := range set.X {
		margin[i] = h.Margin(x, set.Y[i])
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(margin[i], margin[k]) })
	return order
}

// marginView returns the box of the points, with a border, if the plane is to be seen there: the
// same box then for every plane. Else it covers the feet of the perpendiculars, too; the nearest
// point's foot alone if the plane is so far that all would make the points a heap.
func marginView(set *svmkit.Dataset, h svmkit.Hyperplane, drops []int) geom.Box {
	const border = 0.12
	points := geom.Extent(set)
	if _, _, ok := geom.Visible(h, points.Grow(border)); ok {
		return points.Grow(border)
	}
	all := points
	for _, i := range drops {
		all = all.Cover(geom.Foot(h, geom.At(set.X[i])))
	}
	if all.Side() > 1.6*points.Side() {
		all = points.Cover(geom.Foot(h, geom.At(set.X[drops[0]])))
	}
	return all.Grow(border)
}

// feet returns the perpendiculars from the given rows to h, apart for the rows on the right
// and on the wrong side. A row on the plane has none.
func feet(set *svmkit.Dataset, h svmkit.Hyperplane, rows []int) (right, wrong pen.Segments) {
	for _, i := range rows {
		s := &right
		if set.Y[i]*h.Score(set.X[i]) <= 0 {
			s = &wrong
		}
		from := geom.At(set.X[i])
		s.Add(from, geom.Foot(h, from))
	}
	return right, wrong
}

// normalArrow returns w as an arrow that begins on the plane, and its name. The arrow has the length
// of [normalLength], and begins near the end of the visible plane at which its tip is in the view.
func normalArrow(h svmkit.Hyperplane, view geom.Box) (w pen.Arrow, name string) {
	a, b, ok := geom.Visible(h, view)
	if !ok {
		a = geom.Foot(h, view.Centre())
		b = a
	}
	length, name := normalLength(h, view)
	for {
		for _, t := range []float64{0.88, 0.12, 0.7, 0.3, 0.5} {
			w = normalAt(h, geom.Between(a, b, t), length)
			if view.Contains(w.To) {
				return w, name
			}
		}
		if unit, unitName := unitLength(view); unit < length {
			length, name = unit, unitName
			continue
		}
		return w, name
	}
}

// normalAt returns the normal of h as an arrow of the given length.
func normalAt(h svmkit.Hyperplane, from geom.Point, length float64) pen.Arrow {
	t := length / h.Norm()
	return pen.Arrow{From: from, To: geom.Pt(from.X+t*h.W[0], from.Y+t*h.W[1]),
		Style: pen.Line(pen.Green, 2, nil)}
}

// normalLength returns how long the normal is drawn, in data units, and its name: w itself if it is
// neither too long for the view nor too short to be seen, else as [unitLength] says.
func normalLength(h svmkit.Hyperplane, view geom.Box) (length float64, name string) {
	if norm := h.Norm(); norm >= view.Side()/15 && norm <= longest*view.Side() {
		return norm, "$w$"
	}
	return unitLength(view)
}

// longest is the length of the longest arrow for a normal, in parts of the view.
const longest = 0.45

// unitLength returns the length and the name of w/‖w‖ times a power of ten that can be seen in the
// view.
func unitLength(view geom.Box) (length float64, name string) {
	length = math.Pow(10, math.Floor(math.Log10(longest*view.Side())))
	if length == 1 {
		return length, `$w/\|w\|$`
	}
	return length, "$" + prose.Num(length) + ` w/\|w\|$`
}

// marginLabels writes the margins of the given rows at their points, and the name of w at its
// arrow.
func marginLabels(set *svmkit.Dataset, h svmkit.Hyperplane, written, rows []int,
	normal pen.Label) pen.Labels {
	l := pen.Labels{Clear: 7, Lines: []svmkit.Hyperplane{h}, Items: []pen.Label{normal}}
	l.Avoid = append(l.Avoid, geom.Rows(set, rows)...)
	for _, i := range written {
		m := h.Margin(set.X[i], set.Y[i])
		text := prose.Minus(fmt.Sprintf("%+.3g", m))
		if m == 0 {
			text = "0" // also for −0
		}
		lean := normal.Lean // from the plane
		if h.Score(set.X[i]) < 0 {
			lean = geom.Pt(-lean.X, -lean.Y)
		}
		l.Items = append(l.Items, pen.Label{At: geom.At(set.X[i]), Text: text, Lean: lean})
	}
	return l
}

func marginWords(set *svmkit.Dataset, h svmkit.Hyperplane, ringed []int, shown, drops int) (caption,
	alt string) {
	gamma, _ := h.SetMargin(set)
	wrong := geom.Mistakes(set, h)
	ringedOne, points := "the ringed one has", "the ringed point"
	if n := len(ringed); n > 1 {
		ringedOne, points = "the ringed ones have", prose.Say("the %v ringed points", n)
		at := map[geom.Point]bool{}
		for _, i := range ringed {
			at[geom.Pt(set.X[i].At(0), set.X[i].At(1))] = true
		}
		if len(at) < n {
			points += " in " + prose.Plural(len(at), "place")
		}
	}
	if gamma > 0 {
		caption = prose.Say("Every point is on its own side, and none is nearer to the plane "+
			"than γ = %v, the distance of %s.", gamma, points)
	} else {
		caption = prose.Say("The plane does not separate the "+
			"classes: of %s, %s on its wrong side or on it, and %s the smallest geometric margin, %v.",
			prose.Plural(set.Len(), "point"), prose.Are(wrong), ringedOne, gamma)
	}
	caption += prose.Thinned(shown, set.Len(), "points")
	caption += prose.If(drops < set.Len(),
		" Perpendiculars are drawn for the %d smallest margins.", drops)
	places := make([]string, 0, maxWritten)
	for _, i := range ringed[:min(len(ringed), maxWritten)] {
		places = append(places, prose.Say("(%v, %v)", set.X[i].At(0), set.X[i].At(1)))
	}
	each := prose.Either(drops < set.Len(),
		fmt.Sprintf("each of the %d points with the smallest margins", drops), "each point")
	alt = prose.Say("Scatter plot of %s over %s, with the line %s as the plane, an "+
		"arrow for its normal w, and a perpendicular from %s to the plane. The smallest geometric "+
		"margin is %v, at %s %s; %s on the wrong side.", prose.Points(set), prose.Axes(set),
		prose.Equation(h), each, gamma, points, strings.Join(places, ", "), prose.PointsAre(wrong))
	alt += prose.If(gamma > 0,
		" A shaded band of that half-width along the plane holds no point inside.")
	return caption, alt
}

// BiasShift draws the lines ⟨w,x⟩ + b = 0 of one normal w and up to six biases: they are
// parallel, and the line of b lies at −b/‖w‖, counted along w from the origin.
//
// It is an error if w = 0 or if there is no bias.
func BiasShift(w []float64, biases []float64) (*plots.Figure, error) {
	if err := check.Count("biases", len(biases), 1, len(pen.Styles), "line"); err != nil {
		return nil, err
	}
	origin := geom.Point{}
	view := geom.Empty().Cover(origin)
	var feet []geom.Point
	for _, b := range biases {
		h := svmkit.Hyperplane{W: w, B: b}
		if err := check.Plane(h, 2); err != nil {
			return nil, err
		}
		feet = append(feet, geom.Foot(h, origin))
		view = view.Cover(geom.Foot(h, origin))
	}
	view = view.Grow(0.3)
	p := pen.NewPlot("$x_1$", "$x_2$")
	pen.Show(p, view)

	length, arrowName := normalLength(svmkit.Hyperplane{W: w}, view)
	normal := normalAt(svmkit.Hyperplane{W: w}, origin, length)
	tip := normal.To
	l := pen.Labels{Clear: 7, Avoid: append([]geom.Point{origin}, feet...),
		Items: []pen.Label{{At: tip, Text: arrowName, Colour: pen.Green, Lean: tip},
			{At: origin, Text: "0", Lean: geom.Pt(w[1], -w[0])}}}
	var legend pen.Legend
	for _, b := range biases {
		plane := pen.Plane(svmkit.Hyperplane{W: w, B: b}, pen.Line(pen.Ink, 1.8, nil))
		p.Add(plane)
		if legend == nil {
			legend.Add("planes with the normal $w$", plane)
		}
		name := "$b = " + prose.Num(b) + "$"
		if from, to, ok := geom.Visible(plane.Plane, view); ok { // away from the feet, where w is
			end := geom.Pt(from.X+0.12*(to.X-from.X), from.Y+0.12*(to.Y-from.Y))
			l.Items = append(l.Items, pen.Label{At: end, Text: name, Lean: tip})
		}
	}
	marks := onPlane.At(feet...)
	legend.Add("foot of the origin", marks)
	p.Add(marks, normal, pen.Solid(pen.Upright, pen.Ink, 4).At(origin), l)
	f := &plots.Figure{Plot: p, Legend: legend, EqualUnits: true, Width: pen.PhoneWidth,
		Height: 4 * vg.Inch}
	f.Caption, f.Alt = shiftWords(w, biases, feet)
	return f, nil
}

func shiftWords(w, biases []float64, feet []geom.Point) (caption, alt string) {
	norm := svmkit.Dense(w...).Norm()
	low, high := slices.Min(biases), slices.Max(biases)
	caption = prose.Say("The plane with the bias b lies at −b/‖w‖, counted along w from the "+
		"origin: b = %v puts it at %v.", high, -high/norm)
	if low < high {
		caption = prose.Say("A larger bias moves the plane against w: from b = %v to b = %v "+
			"it moves by %v, which is the difference of the biases divided by ‖w‖ = %v.", low, high,
			(high-low)/norm, norm)
	}
	places := make([]string, len(biases))
	for i, b := range biases {
		places[i] = prose.Say("b = %v passes through %v, %v from the origin along w",
			b, feet[i], -b/norm)
	}
	alt = prose.Say("%s with the normal w = (%v, %v), in equal units; an arrow from "+
		"the origin has its direction. The line with %s.", prose.UpperFirst(prose.Plural(len(biases),
		"parallel line")), w[0], w[1], strings.Join(places, "; the line with "))
	return caption, alt
}

// Projection draws why the perpendicular is the shortest segment from x to the line h: the foot
// x_p with its right angle, and another point z of the line at the end of a hypotenuse. All
// lengths are written at their segments.
//
// It is an error if w = 0 or if x lies on the line: the perpendicular has no length then.
func Projection(h svmkit.Hyperplane, x svmkit.Row) (*plots.Figure, error) {
	if err := cmp.Or(check.Plane(h, 2), check.Point(0, x)); err != nil {
		return nil, err
	}
	if side(h, x) == 0 {
		return nil, check.Param("x", x.Value, "must not lie on the plane")
	}
	t := newTriangle(h, x)
	view := geom.Empty().Cover(t.x, t.foot, t.z, t.otherWay()).Grow(0.17)
	p := pen.NewPlot("$x_1$", "$x_2$")
	pen.Show(p, view)

	border := pen.Plane(h, pen.Line(pen.Ink, 1.8, nil))
	short := pen.Segment(t.x, t.foot, pen.Line(pen.Purple, 2.4, nil))
	far := pen.Segment(t.x, t.z, pen.Line(pen.Faint, 1.6, pen.Dashed))
	length, name := normalLength(h, view)
	w := normalAt(h, t.otherWay(), length)
	p.Add(border, far, short, cornerAt(t.foot, t.x, view),
		w, pen.Solid(pen.Disc, pen.Ink, 3.4).At(t.x), onPlane.At(t.foot, t.z))

	up := geom.Pt(t.x.X-t.foot.X, t.x.Y-t.foot.Y) // from the plane to x
	down := geom.Pt(-up.X, -up.Y)
	along := geom.Pt(t.z.X-t.foot.X, t.z.Y-t.foot.Y)
	back := geom.Pt(-along.X, -along.Y)
	p.Add(pen.Labels{Clear: 7, Lines: []svmkit.Hyperplane{h},
		Avoid: []geom.Point{t.x, t.foot, t.z, {X: t.foot.X + 0.1*up.X, Y: t.foot.Y + 0.1*up.Y}},
		Items: []pen.Label{
			{At: t.x, Text: "$x$", Lean: up},
			{At: t.foot, Text: "$x_p$", Lean: down},
			{At: t.z, Text: "$z$", Lean: down},
			{At: w.To, Text: name, Colour: pen.Green, Lean: back},
			{At: geom.Middle(t.x, t.foot), Text: "$d = " + prose.Num(geom.Distance(t.x, t.foot)) +
				"$",
				Lean: back},
			{At: geom.Middle(t.x, t.z), Text: `$\|x - z\| = ` + prose.Num(geom.Distance(t.x, t.z)) +
				"$", Colour: pen.Faint, Lean: along},
			{At: geom.Middle(t.foot, t.z), Text: `$\|x_p - z\| = ` +
				prose.Num(geom.Distance(t.foot, t.z)) + "$", Lean: down},
		}})

	legend := pen.Legend{{Name: "plane $f = 0$", Mark: border},
		{Name: "perpendicular", Mark: short}, {Name: "segment to another point", Mark: far}}
	f := &plots.Figure{Plot: p, Legend: legend, EqualUnits: true, Width: pen.PhoneWidth,
		Height: 4 * vg.Inch}
	f.Caption, f.Alt = t.words(h, prose.Plain(name))
	return f, nil
}

// rightTriangle has its right angle at the foot of x, and a third corner z on the plane.
type rightTriangle struct{ x, foot, z geom.Point }

// newTriangle lays z on the plane, three quarters of x's distance from its foot.
func newTriangle(h svmkit.Hyperplane, x svmkit.Row) rightTriangle {
	t := rightTriangle{x: geom.At(x), foot: geom.Foot(h, geom.At(x))}
	reach := 0.75 * geom.Distance(t.x, t.foot) / h.Norm()
	t.z = geom.Pt(t.foot.X+reach*h.W[1], t.foot.Y-reach*h.W[0])
	return t
}

// otherWay returns the point of the plane opposite to z, where w is drawn.
func (t rightTriangle) otherWay() geom.Point {
	return geom.Pt(t.foot.X-0.7*(t.z.X-t.foot.X), t.foot.Y-0.7*(t.z.Y-t.foot.Y))
}

func (t rightTriangle) words(h svmkit.Hyperplane, normal string) (caption, alt string) {
	d, hyp := geom.Distance(t.x, t.foot), geom.Distance(t.x, t.z)
	caption = prose.Say("The foot x_p is the nearest point of the plane, because the "+
		"segment to any other point z is the hypotenuse of a right triangle (%v against %v).", hyp, d)
	alt = prose.Say("The line %s and a point x = %v. "+
		"A perpendicular of length %v leads from x to its foot x_p = %v on the line, with "+
		"a right angle there. A dashed segment of length %v leads to another point z = %v of the "+
		"line, %v from the foot. The arrow %s stands on the line, parallel to the perpendicular.",
		prose.Equation(h), t.x, d, t.foot, hyp, t.z, geom.Distance(t.foot, t.z), normal)
	return caption, alt
}

// RingedFlowers are the two irises that the first figure of lesson 1 lets a reader move: a setosa
// and a flower of the other species, by petal length and petal width in cm.
var RingedFlowers = [2][2]float64{{1.9, 0.4}, {3, 1.1}}

// Petals returns the 150 irises by petal length and petal width, setosa as +1 and the other two
// species as −1. The two [RingedFlowers] are at the places that moved holds.
func Petals(moved [][]float64) (*svmkit.Dataset, error) {
	set, err := samples.Iris().OneVsRest("setosa")
	if err != nil {
		return nil, err
	}
	set = set.Columns(2, 3)
	var rows [2]int // both are found before one is moved, perhaps to where the other was
	for k, start := range RingedFlowers {
		rows[k] = slices.IndexFunc(set.X, func(x svmkit.Row) bool {
			return x.At(0) == start[0] && x.At(1) == start[1]
		})
	}
	for k, place := range moved {
		set.X[rows[k]] = svmkit.Dense(place...)
	}
	return set, nil
}

// Halfway returns the line with the normal −(cos t, sin t), t in degrees, that lies halfway between
// the two classes of a planar set. Along this normal the classes are gap apart. A negative gap is
// an overlap.
func Halfway(set *svmkit.Dataset, degrees float64) (h svmkit.Hyperplane, gap float64) {
	const digits = 1e12 // the cosine of 90° is 0
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	h.W = []float64{-math.Round(digits*cos) / digits, -math.Round(digits*sin) / digits}
	plus, minus := math.Inf(1), math.Inf(-1)
	for i, x := range set.X {
		if along := x.Dot(h.W); set.Y[i] > 0 {
			plus = min(plus, along)
		} else {
			minus = max(minus, along)
		}
	}
	h.B = -(plus + minus) / 2
	return h, plus - minus
}

// PetalStreet draws [SignedMargins] of petals, with axes that stay in place while a line turns.
func PetalStreet(set *svmkit.Dataset, h svmkit.Hyperplane) (*plots.Figure, error) {
	f, err := SignedMargins(set, h)
	if err == nil {
		f.Plot.X.Min, f.Plot.X.Max, f.Plot.Y.Min, f.Plot.Y.Max = 0.4, 7.5, -0.6, 3.2
		f.Height = 230 // points
	}
	return f, err
}
