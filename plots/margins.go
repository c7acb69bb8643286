package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot/vg"
)

// SignedMargins draws a 2-D set with the plane h: every point's perpendicular to the plane,
// the normal w, and the signed geometric margin y·f(x)/‖w‖ of the points that decide.
//
// If h separates the set, the band of half-width γ, its margin, is shaded and the nearest
// point ringed. If not, the worst point is ringed, and the perpendiculars of all points on
// the wrong side stand out: the margin of a set is negative then. Margins are written at all
// points if there are at most 10, at the ringed one otherwise; perpendiculars are drawn
// for the 20 smallest margins.
//
// It is an error if the set is not planar or w = 0.
func SignedMargins(set *svmkit.Dataset, h svmkit.Hyperplane) (*Figure, error) {
	if err := planar(set); err != nil {
		return nil, err
	}
	if err := checkPlane(h, 2, false); err != nil {
		return nil, err
	}
	gamma, worst := h.SetMargin(set)
	order := byMargin(set, h)
	drops := order[:min(len(order), maxDrops)]
	rows := thin(set.Len(), maxRows, drops...)

	view := marginView(set, h, drops).grow(0.10)
	p := planarPlot(set)
	show(p, view)
	var legend []Entry
	planeEntry := planeLine{h, line(ink, 1.8, nil)}
	if gamma > 0 {
		street := area{func(b box) []point { return band(h, gamma, b) }, paleBand, line(nil, 0, nil)}
		p.Add(street, planeLine{shifted(h, gamma), line(faint, 1, dashed)}, planeLine{shifted(h, -gamma), line(faint, 1, dashed)})
		legend = append(legend, Entry{`within $\gamma$ of the plane`, street})
	}
	right, wrong := feet(set, h, drops)
	right.style, wrong.style = line(faint, 0.9, dotted), line(vermillion, 1.8, nil)
	p.Add(right, planeEntry, wrong)
	legend = append(scatter(p, set, rows, 1), legend...)
	legend = append(legend, Entry{"plane $f(x) = 0$", planeEntry})
	if len(wrong.from) > 0 {
		legend = append(legend, Entry{"wrong side", wrong})
	}

	nearest := ring{at(set.X[worst]), 7, line(ink, 1.4, nil)}
	w := normalArrow(h, view)
	p.Add(nearest, w, marginLabels(set, h, order, rows, w.to))

	f := &Figure{Plot: p, Legend: legend, EqualUnits: true, Height: 4.4 * vg.Inch}
	f.Caption, f.Alt = marginWords(set, h, len(rows), len(drops))
	return f, nil
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

// marginView returns the box of the points and of the feet of their perpendiculars; of the
// nearest point's foot alone if the plane is so far that all would make the points a heap.
func marginView(set *svmkit.Dataset, h svmkit.Hyperplane, drops []int) box {
	points := extent(set)
	all := points
	for _, i := range drops {
		all = all.cover(foot(h, at(set.X[i])))
	}
	side := func(b box) float64 { return max(b.xmax-b.xmin, b.ymax-b.ymin) }
	if side(all) <= 1.6*side(points) {
		return all
	}
	return points.cover(foot(h, at(set.X[drops[0]])))
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

// normalArrow returns w's direction as an arrow from the plane, a sixth of the view long,
// near that end of the plane where it stays in the view.
func normalArrow(h svmkit.Hyperplane, view box) arrow {
	a, b, ok := visible(h, view)
	if !ok {
		a = foot(h, view.centre())
		b = a
	}
	from := point{X: a.X + 0.88*(b.X-a.X), Y: a.Y + 0.88*(b.Y-a.Y)}
	length := max(view.xmax-view.xmin, view.ymax-view.ymin) / 6 / h.Norm()
	to := point{X: from.X + length*h.W[0], Y: from.Y + length*h.W[1]}
	if !view.contains(to) { // the other end of the plane
		from = point{X: a.X + 0.12*(b.X-a.X), Y: a.Y + 0.12*(b.Y-a.Y)}
		to = point{X: from.X + length*h.W[0], Y: from.Y + length*h.W[1]}
	}
	return arrow{from, to, line(green, 2, nil)}
}

// marginLabels writes the smallest margins at their points, and w at its arrow.
func marginLabels(set *svmkit.Dataset, h svmkit.Hyperplane, order, rows []int, tip point) labels {
	n := len(order)
	if n > 10 {
		n = 1
	}
	away := point{X: h.W[0], Y: h.W[1]}
	l := labels{clear: 7, line: &h, items: []label{{at: tip, text: "$w$", colour: green, lean: away}}}
	for _, i := range rows {
		l.avoid = append(l.avoid, at(set.X[i]))
	}
	for _, i := range order[:n] {
		m := h.Margin(set.X[i], set.Y[i])
		text, c := minus(fmt.Sprintf("%+.3g", m)), color.Color(ink)
		if m == 0 {
			text = "0" // also for −0
		}
		if m <= 0 {
			c = vermillion
		}
		lean := away // from the plane
		if h.Score(set.X[i]) < 0 {
			lean = point{X: -away.X, Y: -away.Y}
		}
		l.items = append(l.items, label{at(set.X[i]), text, c, lean})
	}
	return l
}

func marginWords(set *svmkit.Dataset, h svmkit.Hyperplane, shown, drops int) (caption, alt string) {
	gamma, worst := h.SetMargin(set)
	wrong := mistakes(set, h)
	if gamma > 0 {
		caption = fmt.Sprintf("Every point is on its own side, and none is nearer to the plane than γ = %s, the distance of the ringed point.", num(gamma))
	} else {
		caption = fmt.Sprintf("The plane does not separate the classes: of %s, %s on its wrong side or on it, the ringed one worst, at the signed distance %s.",
			plural(set.Len(), "point"), isAreNumber(wrong), num(gamma))
	}
	caption += thinned(shown, set.Len(), "points")
	if drops < set.Len() {
		caption += fmt.Sprintf(" Perpendiculars are drawn for the %d smallest margins.", drops)
	}
	x := at(set.X[worst])
	alt = fmt.Sprintf("Scatter plot of %s over %s, with the line %s as the plane, an arrow for its normal w, and a perpendicular from each point to the plane. "+
		"The smallest signed distance is %s, at the ringed point (%s, %s); %s on the wrong side.",
		pointWords(set), axisWords(set), equation(h), num(gamma), num(x.X), num(x.Y), isAre(wrong))
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
