package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot/vg"
)

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
func SignedMargins(set *svmkit.Dataset, h svmkit.Hyperplane) (*Figure, error) {
	if err := planar(set); err != nil {
		return nil, err
	}
	if err := checkPlane(h, 2, false); err != nil {
		return nil, err
	}
	gamma, _ := h.SetMargin(set)
	order := byMargin(set, h)
	ringed := slices.Sorted(slices.Values(order[:tied(set, h, order)]))
	drops := order[:min(len(order), maxDrops)]
	rows := thin(set.Len(), maxRows, slices.Concat(drops, ringed)...)

	crowded := gamma > 0 && len(order) > maxWritten && len(ringed) > maxRinged
	view := marginView(set, h, drops)
	p := planarPlot(set)
	show(p, view)
	var legend []Entry
	planeEntry := planeLine{h, line(ink, 1.8, nil)}
	if gamma > 0 {
		street := area{func(b box) []point { return band(h, gamma, b) }, paleBand, line(nil, 0, nil)}
		p.Add(street, planeLine{shifted(h, gamma), line(faint, 1, dashed)}, planeLine{shifted(h, -gamma), line(faint, 1, dashed)})
		name := `within $\gamma$ of the plane`
		if crowded {
			name = `within $\gamma$ = ` + num(gamma) + " of the plane"
		}
		legend = append(legend, Entry{name, street})
	}
	right, wrong := feet(set, h, drops)
	right.style, wrong.style = line(faint, 0.9, dotted), line(purple, 2, nil)
	p.Add(right, planeEntry, wrong)
	legend = append(scatter(p, set, rows, 1), legend...)
	legend = append(legend, Entry{"plane $f(x) = 0$", planeEntry})
	if len(wrong.from) > 0 {
		legend = append(legend, Entry{"wrong side", wrong})
	}

	radius := vg.Length(7)
	if crowded {
		radius = 4.5
	}
	for _, i := range ringed {
		p.Add(ring{at(set.X[i]), radius, line(ink, 1.4, nil)})
	}
	w, name := normalArrow(h, view)
	written := order
	switch {
	case crowded:
		written = nil
	case len(order) > maxWritten:
		written = ringed[:1]
	}
	p.Add(w, marginLabels(set, h, written, rows, label{at: w.to, text: name, colour: green, lean: point{X: h.W[0], Y: h.W[1]}}))

	f := &Figure{Plot: p, Legend: legend, EqualUnits: true, Width: phoneWidth, Height: 4 * vg.Inch}
	f.Caption, f.Alt = marginWords(set, h, ringed, len(rows), len(drops))
	return f, nil
}

// maxWritten is how many margins are written at their points, and maxRinged how many rings are drawn large.
const (
	maxWritten = 10
	maxRinged  = 4
)

// tied counts the rows at the beginning of order, smallest margin first, that a picture of the set shows at one distance.
func tied(set *svmkit.Dataset, h svmkit.Hyperplane, order []int) int {
	const same = 1e-6 // of the picture's longer side
	b := extent(set)
	gamma, n := h.Margin(set.X[order[0]], set.Y[order[0]]), 1
	for n < len(order) && h.Margin(set.X[order[n]], set.Y[order[n]])-gamma <= same*b.side() {
		n++
	}
	return n
}

// byMargin returns the numbers of the rows, smallest margin first.
func byMargin(set *svmkit.Dataset, h svmkit.Hyperplane) []int {
	order := make([]int, set.Len())
	margin := make([]float64, set.Len())
	for i, x := range set.X {
		order[i], margin[i] = i, h.Margin(x, set.Y[i])
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(margin[i], margin[k]) })
	return order
}

// marginView returns the box of the points, with a border, if the plane is to be seen there: the same box then for every
// plane. Else it covers the feet of the perpendiculars, too; the nearest point's foot alone if the plane is so far that
// all would make the points a heap.
func marginView(set *svmkit.Dataset, h svmkit.Hyperplane, drops []int) box {
	const border = 0.12
	points := extent(set)
	if _, _, ok := visible(h, points.grow(border)); ok {
		return points.grow(border)
	}
	all := points
	for _, i := range drops {
		all = all.cover(foot(h, at(set.X[i])))
	}
	if all.side() > 1.6*points.side() {
		all = points.cover(foot(h, at(set.X[drops[0]])))
	}
	return all.grow(border)
}

// feet returns the perpendiculars from the given rows to h, apart for the rows on the right
// and on the wrong side. A row on the plane has none.
func feet(set *svmkit.Dataset, h svmkit.Hyperplane, rows []int) (right, wrong segments) {
	for _, i := range rows {
		s := &right
		if set.Y[i]*h.Score(set.X[i]) <= 0 {
			s = &wrong
		}
		from := at(set.X[i])
		s.from, s.to = append(s.from, from), append(s.to, foot(h, from))
	}
	return right, wrong
}

// normalArrow returns w as an arrow that stands on the plane, and its name: w itself where that fits, else as
// [normalLength] says. It stands near that end of the visible plane where its tip stays in the view.
func normalArrow(h svmkit.Hyperplane, view box) (w arrow, name string) {
	a, b, ok := visible(h, view)
	if !ok {
		a = foot(h, view.centre())
		b = a
	}
	length, name := normalLength(h, view)
	for {
		for _, t := range []float64{0.88, 0.12, 0.7, 0.3, 0.5} {
			w = normalAt(h, point{X: a.X + t*(b.X-a.X), Y: a.Y + t*(b.Y-a.Y)}, length)
			if view.contains(w.to) {
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
func normalAt(h svmkit.Hyperplane, from point, length float64) arrow {
	t := length / h.Norm()
	return arrow{from, point{X: from.X + t*h.W[0], Y: from.Y + t*h.W[1]}, line(green, 2, nil)}
}

// normalLength returns how long the normal is drawn, in data units, and its name: w itself if it is neither too long for the
// view nor too short to be seen, else as [unitLength] says.
func normalLength(h svmkit.Hyperplane, view box) (length float64, name string) {
	if norm := h.Norm(); norm >= view.side()/15 && norm <= longest*view.side() {
		return norm, "$w$"
	}
	return unitLength(view)
}

// longest is the length of the longest arrow for a normal, in parts of the view.
const longest = 0.45

// unitLength returns the length and the name of w/‖w‖ times a power of ten that can be seen in the view.
func unitLength(view box) (length float64, name string) {
	length = math.Pow(10, math.Floor(math.Log10(longest*view.side())))
	if length == 1 {
		return length, `$w/\|w\|$`
	}
	return length, "$" + num(length) + ` w/\|w\|$`
}

// marginLabels writes the margins of the given rows at their points, and the name of w at its arrow.
func marginLabels(set *svmkit.Dataset, h svmkit.Hyperplane, written, rows []int, normal label) labels {
	l := labels{clear: 7, lines: []svmkit.Hyperplane{h}, items: []label{normal}}
	for _, i := range rows {
		l.avoid = append(l.avoid, at(set.X[i]))
	}
	for _, i := range written {
		m := h.Margin(set.X[i], set.Y[i])
		text := minus(fmt.Sprintf("%+.3g", m))
		if m == 0 {
			text = "0" // also for −0
		}
		lean := normal.lean // from the plane
		if h.Score(set.X[i]) < 0 {
			lean = point{X: -lean.X, Y: -lean.Y}
		}
		l.items = append(l.items, label{at: at(set.X[i]), text: text, lean: lean})
	}
	return l
}

func marginWords(set *svmkit.Dataset, h svmkit.Hyperplane, ringed []int, shown, drops int) (caption, alt string) {
	gamma, _ := h.SetMargin(set)
	wrong := mistakes(set, h)
	ringedOne, points := "the ringed one", "the ringed point"
	if n := len(ringed); n > 1 {
		ringedOne, points = "the ringed ones", fmt.Sprintf("the %s ringed points", count(n))
		at := map[point]bool{}
		for _, i := range ringed {
			at[point{X: set.X[i].At(0), Y: set.X[i].At(1)}] = true
		}
		if len(at) < n {
			points += " in " + plural(len(at), "place")
		}
	}
	if gamma > 0 {
		caption = fmt.Sprintf("Every point is on its own side, and none is nearer to the plane than γ = %s, the distance of %s.", num(gamma), points)
	} else {
		caption = fmt.Sprintf("The plane does not separate the classes: of %s, %s on its wrong side or on it, %s worst, at the signed distance %s.",
			plural(set.Len(), "point"), isAreNumber(wrong), ringedOne, num(gamma))
	}
	caption += thinned(shown, set.Len(), "points")
	if drops < set.Len() {
		caption += fmt.Sprintf(" Perpendiculars are drawn for the %d smallest margins.", drops)
	}
	places := make([]string, 0, maxWritten)
	for _, i := range ringed[:min(len(ringed), maxWritten)] {
		places = append(places, fmt.Sprintf("(%s, %s)", num(set.X[i].At(0)), num(set.X[i].At(1))))
	}
	each := "each point"
	if drops < set.Len() {
		each = fmt.Sprintf("each of the %d points with the smallest margins", drops)
	}
	alt = fmt.Sprintf("Scatter plot of %s over %s, with the line %s as the plane, an arrow for its normal w, and a perpendicular from %s to the plane. "+
		"The smallest signed distance is %s, at %s %s; %s on the wrong side.",
		pointWords(set), axisWords(set), equation(h), each, num(gamma), points, strings.Join(places, ", "), isAre(wrong))
	if gamma > 0 {
		alt += " A shaded band of that half-width along the plane holds no point inside."
	}
	return caption, alt
}

// equation writes the plane as a·x1 + b·x2 + c = 0.
func equation(h svmkit.Hyperplane) string {
	term := func(v float64) string {
		if v < 0 {
			return " − " + num(-v)
		}
		return " + " + num(v)
	}
	return fmt.Sprintf("%s·x1%s·x2%s = 0", num(h.W[0]), term(h.W[1]), term(h.B))
}

func isAre(n int) string {
	switch n {
	case 0:
		return "no point is"
	case 1:
		return "1 point is"
	}
	return count(n) + " points are"
}

// isAreNumber is isAre where the points have been named.
func isAreNumber(n int) string {
	if n == 1 {
		return "1 is"
	}
	return count(n) + " are"
}
