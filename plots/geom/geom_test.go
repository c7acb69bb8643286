package geom

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"pgregory.net/rapid"
)

// rounding bounds errors of a dozen operations on numbers of size ≤ 100.
const rounding = 1e-9

func plane(w1, w2, b float64) svmkit.Hyperplane {
	return svmkit.Hyperplane{W: []float64{w1, w2}, B: b}
}

func TestVisibleLineLiesOnPlaneAndReachesTheFrame(t *testing.T) {
	b := Box{-3, 5, -2, 1}
	rapid.Check(t, func(t *rapid.T) {
		angle := rapid.SampledFrom([]float64{0, 0.3, math.Pi / 2, 2, math.Pi, 4,
			3 * math.Pi / 2}).Draw(t, "angle")
		through := Point{X: rapid.Float64Range(-2.9, 4.9).Draw(t, "x"),
			Y: rapid.Float64Range(-1.9, 0.9).Draw(t, "y")}
		size := rapid.Float64Range(0.01, 100).Draw(t, "norm")
		w1, w2 := size*math.Cos(angle), size*math.Sin(angle)
		h := plane(w1, w2, -w1*through.X-w2*through.Y)

		p, q, ok := Visible(h, b)
		if !ok {
			t.Fatalf("the line through %v, inside the box, is not visible", through)
		}
		for _, end := range []Point{p, q} {
			if d := h.Distance(Row(end)); d > rounding {
				t.Errorf("end %v lies %g off the line", end, d)
			}
			edge := min(math.Abs(end.X-b.XMin), math.Abs(end.X-b.XMax), math.Abs(end.Y-b.YMin),
				math.Abs(end.Y-b.YMax))
			if edge > rounding {
				t.Errorf("end %v stops %g before the frame", end, edge)
			}
			if !b.Grow(rounding).Contains(end) {
				t.Errorf("end %v leaves the box", end)
			}
		}
		// The point the line was laid through must be between the two ends.
		if d := Distance(p, through) + Distance(through, q) - Distance(p, q); d > rounding {
			t.Errorf("%v is not between %v and %v (excess %g)", through, p, q, d)
		}
	})
}

func TestInvisibleLines(t *testing.T) {
	b := Box{0, 1, 0, 1}
	for name, h := range map[string]svmkit.Hyperplane{
		"vertical, left": plane(1, 0, 0.5), "horizontal, above": plane(0, 1, -2),
		"slanted, far": plane(1, 1, -9), "no normal": plane(0, 0, 1),
		"infinite":     plane(math.Inf(1), 0, 0),
		"not a number": plane(math.NaN(), 1, 0),
	} {
		if p, q, ok := Visible(h, b); ok {
			t.Errorf("%s: visible from %v to %v", name, p, q)
		}
	}
}

func TestEqualUnits(t *testing.T) {
	b := Box{-1, 3, 2, 3}
	for _, size := range [][2]float64{{300, 200}, {100, 400}, {400, 100}} {
		e := b.EqualUnits(size[0], size[1])
		x, y := (e.XMax-e.XMin)/size[0], (e.YMax-e.YMin)/size[1]
		if math.Abs(x-y) > rounding {
			t.Errorf("%v: a unit is %g wide and %g high", size, 1/x, 1/y)
		}
		for _, c := range b.Corners() {
			if !e.Grow(rounding).Contains(c) {
				t.Errorf("%v: corner %v was cut off", size, c)
			}
		}
		if wx, wy := e.XMax-e.XMin, e.YMax-e.YMin; wx > 4+rounding && wy > 1+rounding {
			t.Errorf("%v: both axes grew, to %g and %g", size, wx, wy)
		}
	}
}

func TestFeetLieOnThePlaneAndNoNearerPointExists(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for range 200 {
		h := plane(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
		p := Point{X: 5 * rng.NormFloat64(), Y: 5 * rng.NormFloat64()}
		f := Foot(h, p)
		if d := h.Distance(Row(f)); d > rounding {
			t.Fatalf("foot %v lies %g off the plane", f, d)
		}
		for _, step := range []float64{-1, 1e-3, 2} {
			other := Point{X: f.X - step*h.W[1], Y: f.Y + step*h.W[0]}
			if Distance(p, other) < Distance(p, f) {
				t.Fatalf("%v is nearer to %v than its foot %v", other, p, f)
			}
		}
	}
}

func TestBandHoldsExactlyThePointsWithinItsWidth(t *testing.T) {
	b := Box{-2, 2, -2, 2}
	rng := rand.New(rand.NewPCG(2, 0))
	for range 50 {
		h := plane(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()/2)
		width := rng.Float64()
		polygon := Band(h, width, b)
		for range 40 {
			p := Point{X: 4*rng.Float64() - 2, Y: 4*rng.Float64() - 2}
			d := h.Distance(Row(p)) - width
			if math.Abs(d) < 1e-6 {
				continue // on the edge: either answer is right
			}
			in := len(polygon) > 2 && DistanceToHull(p, polygon) == 0
			if in != (d < 0) {
				t.Fatalf("point %v at %g from the band's edge: inside = %v", p, d, in)
			}
		}
	}
}

func TestHullHoldsAllPointsAndIsConvex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// a small grid: many ties, repeated and collinear points
		coordinate := rapid.IntRange(-4, 4)
		n := rapid.IntRange(1, 20).Draw(t, "n")
		ps := make([]Point, n)
		for i := range ps {
			ps[i] = Point{X: float64(coordinate.Draw(t, "x")), Y: float64(coordinate.Draw(t, "y"))}
		}
		corners := Hull(ps)
		for _, p := range ps {
			if d := DistanceToHull(p, corners); d != 0 {
				t.Fatalf("%v lies %g outside the hull %v", p, d, corners)
			}
		}
		if len(corners) > 2 {
			for i := range corners {
				if cross(corners[i], corners[(i+1)%len(corners)],
					corners[(i+2)%len(corners)]) <= 0 {
					t.Fatalf("the hull %v does not turn left at corner %d", corners, i)
				}
			}
		}
	})
}

// No pair of sampled convex combinations may be nearer than the closest pair, and the two
// points must lie in their hulls.
func TestClosestPair(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	mix := func(ps []Point) Point {
		var p Point
		total := 0.0
		for _, q := range ps {
			a := rng.ExpFloat64()
			p.X, p.Y, total = p.X+a*q.X, p.Y+a*q.Y, total+a
		}
		return Point{X: p.X / total, Y: p.Y / total}
	}
	met, apart := 0, 0
	for range 200 {
		shift := 3 * rng.Float64()
		var a, b []Point
		for range 1 + rng.IntN(6) {
			a = append(a, Point{X: rng.NormFloat64(), Y: rng.NormFloat64()})
		}
		for range 1 + rng.IntN(6) {
			b = append(b, Point{X: rng.NormFloat64() + shift, Y: rng.NormFloat64()})
		}
		p, q := Closest(Hull(a), Hull(b))
		d := Distance(p, q)
		if d == 0 {
			met++
		} else {
			apart++
		}
		if x := DistanceToHull(p, Hull(a)); x > rounding {
			t.Fatalf("p lies %g outside its hull", x)
		}
		if x := DistanceToHull(q, Hull(b)); x > rounding {
			t.Fatalf("q lies %g outside its hull", x)
		}
		for range 50 {
			if pa, pb := mix(a), mix(b); Distance(pa, pb) < d-rounding {
				t.Fatalf("%v and %v are nearer than the closest pair, %g", pa, pb, d)
			}
		}
	}
	if met == 0 || apart == 0 {
		t.Fatalf("the sample has only one kind of case: %d meet, %d are apart", met, apart)
	}
}

func TestCrossedSegmentsMeetWithoutSharingACorner(t *testing.T) {
	p, q := Closest([]Point{{X: -1, Y: 0}, {X: 1, Y: 0}}, []Point{{X: 0.5, Y: -1}, {X: 0.5, Y: 1}})
	if p != q || p != (Point{X: 0.5, Y: 0}) {
		t.Fatalf("closest = %v, %v; want (0.5, 0) twice", p, q)
	}
}
