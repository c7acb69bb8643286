package plots

import (
	"cmp"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot/plotter"
)

// point is a place in the plane, in data units.
type point = plotter.XY

// box is an axis-parallel rectangle in data units: what a panel shows.
type box struct{ xmin, xmax, ymin, ymax float64 }

func emptyBox() box {
	return box{math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)}
}

// cover returns the smallest box that holds b and the given points.
func (b box) cover(ps ...point) box {
	for _, p := range ps {
		b.xmin, b.xmax = min(b.xmin, p.X), max(b.xmax, p.X)
		b.ymin, b.ymax = min(b.ymin, p.Y), max(b.ymax, p.Y)
	}
	return b
}

// grow returns b with the fraction f of its longer side added all round, and at least
// something around a single point.
func (b box) grow(f float64) box {
	d := f * b.side()
	if d == 0 {
		d = max(1, math.Abs(b.xmin), math.Abs(b.ymin)) * f
	}
	return box{b.xmin - d, b.xmax + d, b.ymin - d, b.ymax + d}
}

// side returns the longer side.
func (b box) side() float64 { return max(b.xmax-b.xmin, b.ymax-b.ymin) }

func (b box) centre() point {
	return point{X: b.xmin + (b.xmax-b.xmin)/2, Y: b.ymin + (b.ymax-b.ymin)/2}
}

func (b box) contains(p point) bool {
	return b.xmin <= p.X && p.X <= b.xmax && b.ymin <= p.Y && p.Y <= b.ymax
}

// corners returns the four corners, counterclockwise.
func (b box) corners() []point {
	return []point{{X: b.xmin, Y: b.ymin}, {X: b.xmax, Y: b.ymin},
		{X: b.xmax, Y: b.ymax}, {X: b.xmin, Y: b.ymax}}
}

// equalUnits widens b along one axis, about its centre, so that a data unit
// is as long in x as in y on a canvas of the given width and height (in any one unit).
func (b box) equalUnits(width, height float64) box {
	c := b.centre()
	unit := max((b.xmax-b.xmin)/width, (b.ymax-b.ymin)/height) // data units per canvas unit
	return box{c.X - unit*width/2, c.X + unit*width/2, c.Y - unit*height/2, c.Y + unit*height/2}
}

// row returns a point of the plane as a row, so that the library's own formulas apply.
func row(p point) svmkit.Row { return svmkit.Dense(p.X, p.Y) }

// at returns a row of a 2-D set as a point.
func at(x svmkit.Row) point { return point{X: x.At(0), Y: x.At(1)} }

// foot returns the point of the line h nearest to p.
func foot(h svmkit.Hyperplane, p point) point {
	q := h.Project(row(p))
	return point{X: q[0], Y: q[1]}
}

// shifted returns the line of all points at the signed distance d from h.
func shifted(h svmkit.Hyperplane, d float64) svmkit.Hyperplane {
	return svmkit.Hyperplane{W: h.W, B: h.B - d*h.Norm()}
}

// visible returns the part of the line h that lies in b. ok is false if there is none.
//
// The line is parametrised from the foot of the box's centre in the direction (−w₂, w₁), and
// clipped by Liang and Barsky (1984).
func visible(h svmkit.Hyperplane, b box) (p, q point, ok bool) {
	norm := h.Norm()
	if !(norm > 0) || math.IsInf(norm, 0) {
		return p, q, false
	}
	start := foot(h, b.centre())
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
	keep(start.X, dx, b.xmin, b.xmax)
	keep(start.Y, dy, b.ymin, b.ymax)
	if !(from < to) {
		return p, q, false
	}
	p = point{X: start.X + from*dx, Y: start.Y + from*dy}
	q = point{X: start.X + to*dx, Y: start.Y + to*dy}
	return p, q, true
}

// halfPlane cuts a convex polygon down to the side where f ≥ 0 (Sutherland and Hodgman,
// 1974). The answer is empty if nothing is left.
func halfPlane(polygon []point, h svmkit.Hyperplane) []point {
	var kept []point
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		fp, fq := h.Score(row(p)), h.Score(row(q))
		if fp >= 0 {
			kept = append(kept, p)
		}
		if (fp > 0 && fq < 0) || (fp < 0 && fq > 0) {
			t := fp / (fp - fq)
			kept = append(kept, point{X: p.X + t*(q.X-p.X), Y: p.Y + t*(q.Y-p.Y)})
		}
	}
	return kept
}

// band returns the polygon of the points of b at most d from the line h.
func band(h svmkit.Hyperplane, d float64, b box) []point {
	return halfPlane(halfPlane(b.corners(), shifted(h, -d)), shifted(h, d).Scale(-1))
}

// cross is twice the signed area of the triangle o, a, b: positive if it turns left.
func cross(o, a, b point) float64 {
	return (a.X-o.X)*(b.Y-o.Y) - (a.Y-o.Y)*(b.X-o.X)
}

// hull returns the corners of the convex hull, counterclockwise from the lowest x, by
// Andrew's monotone chain (1979). A single point or a segment gives one or two corners.
func hull(ps []point) []point {
	s := slices.Clone(ps)
	slices.SortFunc(s, func(a, b point) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
	s = slices.Compact(s)
	if len(s) < 3 {
		return s
	}
	chain := func(s []point) []point {
		var c []point
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

// nearest returns the point of the segment a–b nearest to p.
func nearest(p, a, b point) point {
	dx, dy := b.X-a.X, b.Y-a.Y
	length := dx*dx + dy*dy
	if length == 0 {
		return a
	}
	t := min(1, max(0, ((p.X-a.X)*dx+(p.Y-a.Y)*dy)/length))
	return point{X: a.X + t*dx, Y: a.Y + t*dy}
}

func distance(p, q point) float64 { return math.Hypot(p.X-q.X, p.Y-q.Y) }

// distanceToHull returns how far p lies outside the convex polygon, 0 inside it.
func distanceToHull(p point, polygon []point) float64 {
	inside, least := len(polygon) > 2, math.Inf(1)
	for i, a := range polygon {
		b := polygon[(i+1)%len(polygon)]
		inside = inside && cross(a, b, p) >= 0
		least = min(least, distance(p, nearest(p, a, b)))
	}
	if inside {
		return 0
	}
	return least
}

// closest returns a point of each convex polygon so that no other pair is nearer; it is the
// same point twice if the polygons meet.
//
// Two polygons that meet have a corner of one in the other, or two edges that cross. If they
// do not meet, the shortest connection has a corner of one of them at an end.
func closest(a, b []point) (p, q point) {
	for _, c := range a {
		if distanceToHull(c, b) == 0 {
			return c, c
		}
	}
	for _, c := range b {
		if distanceToHull(c, a) == 0 {
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
			if n := nearest(a0, b0, b1); distance(a0, n) < least {
				least, p, q = distance(a0, n), a0, n
			}
			if n := nearest(b0, a0, a1); distance(b0, n) < least {
				least, p, q = distance(b0, n), n, b0
			}
		}
	}
	return p, q
}

// crossing returns the point where two segments that are not parallel cross.
func crossing(a0, a1, b0, b1 point) (point, bool) {
	s0, s1 := cross(b0, b1, a0), cross(b0, b1, a1)
	t0, t1 := cross(a0, a1, b0), cross(a0, a1, b1)
	if s0 == s1 || s0*s1 > 0 || t0*t1 > 0 {
		return point{}, false
	}
	t := s0 / (s0 - s1)
	return point{X: a0.X + t*(a1.X-a0.X), Y: a0.Y + t*(a1.Y-a0.Y)}, true
}

// padded adds a margin around the curves; a linear axis that begins near zero begins at zero.
func (b box) padded(logX, logY bool) box {
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
	b.xmin, b.xmax = side(b.xmin, b.xmax, logX)
	b.ymin, b.ymax = side(b.ymin, b.ymax, logY)
	return b
}
