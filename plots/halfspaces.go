package plots

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// HalfSpaces draws the line h in the plane, the half-plane on each side of it, its normal
// w with the right angle that they make, and up to 12 points with their scores f(x). Points
// of the line have a mark of their own.
//
// It is an error if w = 0, if there is no point or if one has not two columns.
func HalfSpaces(h svmkit.Hyperplane, points []svmkit.Row) (*Figure, error) {
	if err := checkPlane(h, 2, false); err != nil {
		return nil, err
	}
	if n := len(points); n < 1 || n > 12 {
		return nil, &svmkit.ParamError{Name: "points", Value: n, Need: "must be 1 to 12: each has its score written at it"}
	}
	view := emptyBox()
	for i, x := range points {
		if err := planarPoint(i, x); err != nil {
			return nil, err
		}
		view = view.cover(at(x), foot(h, at(x)))
	}
	view = view.grow(0.22)
	p := newPlot("$x_1$", "$x_2$")
	show(p, view)

	plus := area{func(b box) []point { return halfPlane(b.corners(), h) }, paleBlue, line(nil, 0, nil)}
	minusSide := area{func(b box) []point { return halfPlane(b.corners(), h.Scale(-1)) }, paleRed, line(nil, 0, nil)}
	border := planeLine{h, line(ink, 1.8, nil)}
	w, name := normalArrow(h, view)
	p.Add(plus, minusSide, border, cornerAt(w.from, w.to, view), w)

	l := labels{clear: 7, lines: []svmkit.Hyperplane{h}, items: []label{{at: w.to, text: name, colour: green, lean: point{X: h.W[0], Y: h.W[1]}}}}
	sides := [3]marks{{mark: negative}, {mark: onPlane}, {mark: positive}}
	l.avoid = append(l.avoid, w.from)
	for _, x := range points {
		s := &sides[1+side(h, x)]
		s.at = append(s.at, at(x))
		l.avoid = append(l.avoid, at(x))
	}
	for _, x := range points {
		l.items = append(l.items, label{at: at(x), text: "$f = " + minus(num(exactScore(h, x))) + "$", lean: point{X: h.Score(x) * h.W[0], Y: h.Score(x) * h.W[1]}})
	}
	for s := range sides {
		p.Add(sides[s])
	}
	p.Add(l)
	legend := []Entry{{"$f(x) > 0$", shadedMark{plus, positive}}, {"$f(x) < 0$", shadedMark{minusSide, negative}}, {"plane $f(x) = 0$", border}}
	f := &Figure{Plot: p, Legend: legend, EqualUnits: true, Width: phoneWidth, Height: 4 * vg.Inch}
	f.Caption, f.Alt = halfSpaceWords(h, points, sides)
	return f, nil
}

// onPlane marks a point of neither class.
var onPlane = mark{diamond, color.White, ink, 3.6}

// planarPoint checks that a point can be drawn.
func planarPoint(i int, x svmkit.Row) error {
	if x.Index != nil || len(x.Value) != 2 {
		return &svmkit.ParamError{Name: "point", Value: i, Need: "must be a dense row of two columns"}
	}
	for j, v := range x.Value {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return &svmkit.DataError{Row: i, Col: j, Value: v, Err: svmkit.ErrNotFinite}
		case math.Abs(v) > maxDrawn:
			return &svmkit.DataError{Row: i, Col: j, Value: v, Err: errTooLarge}
		}
	}
	return nil
}

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
	area
	mark mark
}

func (s shadedMark) Thumbnail(c *draw.Canvas) {
	s.area.Thumbnail(c)
	s.mark.draw(c, c.Center())
}

// cornerAt draws the small square of a right angle at a corner: one side runs towards along,
// the other is turned from it by a quarter to the left.
func cornerAt(corner, along point, view box) plot.Plotter {
	size := view.side() / 26
	length := distance(corner, along)
	u := point{X: (along.X - corner.X) / length * size, Y: (along.Y - corner.Y) / length * size}
	v := point{X: -u.Y, Y: u.X}
	return path{[]point{{X: corner.X + u.X, Y: corner.Y + u.Y},
		{X: corner.X + u.X + v.X, Y: corner.Y + u.Y + v.Y}, {X: corner.X + v.X, Y: corner.Y + v.Y}}, line(ink, 1, nil)}
}

func halfSpaceWords(h svmkit.Hyperplane, points []svmkit.Row, sides [3]marks) (caption, alt string) {
	caption = "The normal w is perpendicular to the plane and points to the side where f(x) is positive."
	if n := len(sides[1].at); n > 0 {
		caption += fmt.Sprintf(" %s on the plane itself: f = 0 is no class.", upperFirst(lieLies(n)))
	}
	scores := make([]string, len(points))
	for i, x := range points {
		scores[i] = fmt.Sprintf("%s at (%s, %s)", num(exactScore(h, x)), num(x.At(0)), num(x.At(1)))
	}
	alt = fmt.Sprintf("The line %s divides the picture into a shaded side with positive scores and one with negative scores. "+
		"An arrow for the normal w = (%s, %s) stands on it at a right angle and points to the positive side. "+
		"%s: the score f is %s. Filled circles are positive, open squares negative, open diamonds on the line.",
		equation(h), num(h.W[0]), num(h.W[1]), upperFirst(plural(len(points), "point")), strings.Join(scores, ", "))
	return caption, alt
}

func lieLies(n int) string {
	if n == 1 {
		return "one point lies"
	}
	return plural(n, "point") + " lie"
}
