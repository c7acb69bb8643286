package geom

import (
	"cmp"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot/plotter"
)

// Point is a place in the plane, in data units.
type Point = plotter.XY

// Box is an axis-parallel rectangle in data units, such as the visible part of a plot.
type Box struct{ XMin, XMax, YMin, YMax float64 }

// Rect returns the box from xmin to xmax and from ymin to ymax.
func Rect(xmin, xmax, ymin, ymax float64) Box { return Box{xmin, xmax, ymin, ymax} }

// Square returns the box from −side to side in both directions.
func Square(side float64) Box { return Box{-side, side, -side, side} }

func Empty() Box { return Box{math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)} }

// Cover returns the smallest box that holds b and the given points.
func (b Box) Cover(ps ...Point) Box {
	for _, p := range ps {
		b.XMin, b.XMax = min(b.XMin, p.X), max(b.XMax, p.X)
		b.YMin, b.YMax = min(b.YMin, p.Y), max(b.YMax, p.Y)
	}
	return b
}

// Grow returns b with the fraction f of its longer side added all round, and at least
// something around a single point.
func (b Box) Grow(f float64) Box {
	d := f * b.Side()
	if d == 0 {
		d = max(1, math.Abs(b.XMin), math.Abs(b.YMin)) * f
	}
	return b.Pad(d, d)
}

// Pad returns b with dx added left and right, and dy above and below.
func (b Box) Pad(dx, dy float64) Box {
	return Box{b.XMin - dx, b.XMax + dx, b.YMin - dy, b.YMax + dy}
}

// Side returns the longer side.
func (b Box) Side() float64 { return max(b.XMax-b.XMin, b.YMax-b.YMin) }

func (b Box) Centre() Point { return Pt(b.XMin+(b.XMax-b.XMin)/2, b.YMin+(b.YMax-b.YMin)/2) }

func (b Box) Contains(p Point) bool {
	return b.XMin <= p.X && p.X <= b.XMax && b.YMin <= p.Y && p.Y <= b.YMax
}

// Corners returns the four corners, counterclockwise.
func (b Box) Corners() []Point {
	return []Point{{X: b.XMin, Y: b.YMin}, {X: b.XMax, Y: b.YMin},
		{X: b.XMax, Y: b.YMax}, {X: b.XMin, Y: b.YMax}}
}

// EqualUnits widens b along one axis, about its centre, so that a data unit
// is as long in x as in y on a canvas of the given width and height (in any one unit).
func (b Box) EqualUnits(width, height float64) Box {
	c := b.Centre()
	unit := max((b.XMax-b.XMin)/width, (b.YMax-b.YMin)/height) // data units per canvas unit
	return Box{c.X - unit*width/2, c.X + unit*width/2, c.Y - unit*height/2, c.Y + unit*height/2}
}

// Row returns a point of the plane as a row, so that the library's own formulas apply.
func Row(p Point) svmkit.Row { return svmkit.Dense(p.X, p.Y) }

// At returns a row of a 2-D set as a point.
func At(x svmkit.Row) Point { return Pt(x.At(0), x.At(1)) }

// Foot returns the point of the line h nearest to p.
func Foot(h svmkit.Hyperplane, p Point) Point {
	q := h.Project(Row(p))
	return Pt(q[0], q[1])
}

// Shifted returns the line of all points at the signed distance d from h.
func Shifted(h svmkit.Hyperplane, d float64) svmkit.Hyperplane {
	return svmkit.Hyperplane{W: h.W, B: h.B - d*h.Norm()}
}

// Visible returns the part of the line h that lies in b. ok is false if there is none.
//
// The line is parametrised from the foot of the box's centre in the direction (−w₂, w₁), and
// clipped by Liang and Barsky (1984).
func Visible(h svmkit.Hyperplane, b Box) (p, q Point, ok bool) {
	norm := h.Norm()
	if !(norm > 0) || math.IsInf(norm, 0) {
		return p, q, false
	}
	start := Foot(h, b.Centre())
	dx, dy := -h.W[1]/norm, h.W[0]/norm
	from, to := math.Inf(-1), math.Inf(1)
	keep := func(x, d, lo, hi float64) {
		if d == 0 {
			if x < lo || x > hi {
				from, to = 1, 0
			}
			return
		}
		t0, t1 := (lo-x)/d, (hi-x)/d
		from, to = max(from, min(t0, t1)), min(to, max(t0, t1))
	}
	keep(start.X, dx, b.XMin, b.XMax)
	keep(start.Y, dy, b.YMin, b.YMax)
	if !(from < to) {
		return p, q, false
	}
	p = Pt(start.X+from*dx, start.Y+from*dy)
	q = Pt(start.X+to*dx, start.Y+to*dy)
	return p, q, true
}

// HalfPlane cuts a convex polygon down to the side where f ≥ 0 (Sutherland and Hodgman,
// 1974). The answer is empty if nothing is left.
func HalfPlane(polygon []Point, h svmkit.Hyperplane) []Point {
	var kept []Point
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		fp, fq := h.Score(Row(p)), h.Score(Row(q))
		if fp >= 0 {
			kept = append(kept, p)
		}
		if (fp > 0 && fq < 0) || (fp < 0 && fq > 0) {
			t := fp / (fp - fq)
			kept = append(kept, Between(p, q, t))
		}
	}
	return kept
}

// Band returns the polygon of the points of b at most d from the line h.
func Band(h svmkit.Hyperplane, d float64, b Box) []Point {
	return HalfPlane(HalfPlane(b.Corners(), Shifted(h, -d)), Shifted(h, d).Scale(-1))
}

// cross is twice the signed area of the triangle o, a, b: positive if it turns left.
func cross(o, a, b Point) float64 { return (a.X-o.X)*(b.Y-o.Y) - (a.Y-o.Y)*(b.X-o.X) }

// Hull returns the corners of the convex hull, counterclockwise from the lowest x, by
// Andrew's monotone chain (1979). A single point or a segment gives one or two corners.
func Hull(ps []Point) []Point {
	s := slices.Clone(ps)
	slices.SortFunc(s, func(a, b Point) int {
		return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y))
	})
	s = slices.Compact(s)
	if len(s) < 3 {
		return s
	}
	chain := func(s []Point) []Point {
		var c []Point
		for _, p := range s {
			for len(c) >= 2 && cross(c[len(c)-2], c[len(c)-1], p) <= 0 {
				c = c[:len(c)-1]
			}
			c = append(c, p)
		}
		return c[:len(c)-1] // the last corner opens the other chain
	}
	lower := chain(s)
	slices.Reverse(s)
	return append(lower, chain(s)...)
}

// Nearest returns the point of the segment a–b nearest to p.
func Nearest(p, a, b Point) Point {
	dx, dy := b.X-a.X, b.Y-a.Y
	length := dx*dx + dy*dy
	if length == 0 {
		return a
	}
	t := min(1, max(0, ((p.X-a.X)*dx+(p.Y-a.Y)*dy)/length))
	return Pt(a.X+t*dx, a.Y+t*dy)
}

// Strip returns the polygon between two curves: one forwards, then the other backwards.
func Strip(a, b []Point) []Point {
	b = slices.Clone(b)
	slices.Reverse(b)
	return slices.Concat(a, b)
}

func Distance(p, q Point) float64 { return math.Hypot(p.X-q.X, p.Y-q.Y) }

// DistanceToHull returns how far p lies outside the convex polygon, 0 inside it.
func DistanceToHull(p Point, polygon []Point) float64 {
	inside, least := len(polygon) > 2, math.Inf(1)
	for i, a := range polygon {
		b := polygon[(i+1)%len(polygon)]
		inside = inside && cross(a, b, p) >= 0
		least = min(least, Distance(p, Nearest(p, a, b)))
	}
	if inside {
		return 0
	}
	return least
}

// Closest returns a point of each convex polygon so that no other pair is nearer; it is the
// same point twice if the polygons meet.
//
// Two polygons that meet have a corner of one in the other, or two edges that cross. If they
// do not meet, the shortest connection has a corner of one of them at an end.
func Closest(a, b []Point) (p, q Point) {
	for _, c := range a {
		if DistanceToHull(c, b) == 0 {
			return c, c
		}
	}
	for _, c := range b {
		if DistanceToHull(c, a) == 0 {
			return c, c
		}
	}
	least := math.Inf(1)
	for i, a0 := range a {
		a1 := a[(i+1)%len(a)]
		for k, b0 := range b {
			b1 := b[(k+1)%len(b)]
			if m, ok := crossing(a0, a1, b0, b1); ok {
				return m, m
			}
			if n := Nearest(a0, b0, b1); Distance(a0, n) < least {
				least, p, q = Distance(a0, n), a0, n
			}
			if n := Nearest(b0, a0, a1); Distance(b0, n) < least {
				least, p, q = Distance(b0, n), n, b0
			}
		}
	}
	return p, q
}

// crossing returns the point where two segments that are not parallel cross.
func crossing(a0, a1, b0, b1 Point) (Point, bool) {
	s0, s1 := cross(b0, b1, a0), cross(b0, b1, a1)
	t0, t1 := cross(a0, a1, b0), cross(a0, a1, b1)
	if s0 == s1 || s0*s1 > 0 || t0*t1 > 0 {
		return Point{}, false
	}
	t := s0 / (s0 - s1)
	return Between(a0, a1, t), true
}

// Padded adds a margin around the curves; a linear axis that begins near zero begins at zero.
func (b Box) Padded(logX, logY bool) Box {
	side := func(lo, hi float64, logs bool) (float64, float64) {
		if logs {
			f := max(1.1, math.Pow(hi/lo, 0.05))
			return lo / f, hi * f
		}
		d := 0.05 * (hi - lo)
		if d == 0 {
			d = 0.05 * max(1, math.Abs(hi))
		}
		if lo >= 0 && lo < 0.4*hi {
			return 0, hi + d
		}
		return lo - d, hi + d
	}
	b.XMin, b.XMax = side(b.XMin, b.XMax, logX)
	b.YMin, b.YMax = side(b.YMin, b.YMax, logY)
	return b
}

// HullTolerance is how far, relative to the size of the set, a given point may lie outside its
// hull, and two points may differ and count as one.
const HullTolerance = 1e-7

func Zip(x, y []float64, rows []int) []Point {
	ps := make([]Point, len(rows))
	for k, i := range rows {
		ps[k] = Pt(x[i], y[i])
	}
	return ps
}

// IsZero reports whether w = 0, the normal of no plane.
func IsZero(h svmkit.Hyperplane) bool {
	for _, v := range h.W {
		if v != 0 {
			return false
		}
	}
	return !math.IsNaN(h.B) && !math.IsInf(h.B, 0)
}

// Rows returns the rows with the given numbers.
func Rows(set *svmkit.Dataset, rows []int) []Point {
	ps := make([]Point, len(rows))
	for k, i := range rows {
		ps[k] = At(set.X[i])
	}
	return ps
}

// OfClass returns the rows with the given label among those numbered.
func OfClass(set *svmkit.Dataset, rows []int, label float64) []Point {
	var ps []Point
	for _, i := range rows {
		if set.Y[i] == label {
			ps = append(ps, At(set.X[i]))
		}
	}
	return ps
}

// Extent returns the box of all rows.
func Extent(set *svmkit.Dataset) Box {
	b := Empty()
	for _, x := range set.X {
		b = b.Cover(At(x))
	}
	return b
}

// Mistakes counts the rows with y·f(x) ≤ 0.
func Mistakes(set *svmkit.Dataset, h svmkit.Hyperplane) (n int) {
	for i, x := range set.X {
		if set.Y[i]*h.Score(x) <= 0 {
			n++
		}
	}
	return n
}

func Middle(a, b Point) Point { return Pt((a.X+b.X)/2, (a.Y+b.Y)/2) }

// SameScale reports whether equal units leave enough of both features to be seen.
func SameScale(b Box) bool {
	w, h := b.XMax-b.XMin, b.YMax-b.YMin
	return w == 0 || h == 0 || max(w, h) <= 4*min(w, h)
}

// Sample returns 160 points of the graph of f, evenly spaced on a linear or a log axis.
func Sample(f func(float64) float64, from, to float64, logs bool) []Point {
	const steps = 160
	ps := make([]Point, steps+1)
	for i := range ps {
		t := float64(i) / steps
		x := from + t*(to-from)
		if logs {
			x = from * math.Pow(to/from, t)
		}
		ps[i] = Pt(x, f(x))
	}
	return ps
}

// Pt returns the point (x, y).
func Pt(x, y float64) Point { return Point{X: x, Y: y} }

// Points returns places given as pairs.
func Points(pairs [][2]float64) []Point {
	ps := make([]Point, len(pairs))
	for i, q := range pairs {
		ps[i] = Pt(q[0], q[1])
	}
	return ps
}

// Between returns the point of the line from a to b at t: a at 0, b at 1.
func Between(a, b Point, t float64) Point { return Pt(a.X+t*(b.X-a.X), a.Y+t*(b.Y-a.Y)) }
