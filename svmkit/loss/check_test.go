package loss_test

import (
	"cmp"
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit/loss"
)

// reporter is the part of a *testing.T that checkLoss uses.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

// lossSettings chooses the instances of checkLoss. Zero values mean the defaults.
type lossSettings struct {
	Labels []float64 // labels or targets y to try; default −1 and +1
	Scores []float64 // scores to try besides the random ones: put the kinks here
	Reach  float64   // random scores lie in ±Reach; default 10
	Trials int       // random instances of each law and label; default 500
	Seed   uint64    // of the random instances; default 0
}

const (
	// lossRoundoff bounds the roundoff of a law, relative to its largest term: a loss takes a
	// handful of operations, each with an error of 1.1e-16, and exp and log a few ulp.
	lossRoundoff = 1e-13
	// lossStep is the step of the difference quotients. At 1e-5 their roundoff, about
	// 1e-16/1e-5, and their curvature error, 1e-5·ℓ″, are of similar size.
	lossStep = 1e-5
	// far is a score that counts as infinite in the supremum of u·s − ℓ(s).
	far = 1e6
)

// checkLoss checks that l is what [loss.Convex] promises:
//
//   - convexity: no chord of ℓ(·, y) runs below the graph;
//   - subgradient inequality: ℓ(r) ≥ ℓ(s) + g(s)·(r−s) for all pairs of scores;
//   - finite differences: g(s) lies between the left and the right difference quotient, which at
//     a kink leave exactly ∂ℓ;
//   - Fenchel–Young: ℓ(s) + ℓ*(u) ≥ u·s for all pairs, with equality at u = g(s);
//   - conjugate: ℓ*(u) is the supremum of u·s − ℓ(s), found by bisection on g, inside and
//     outside the range of slopes; where the supremum runs off to infinity, ℓ*(u) is +Inf.
//
// A law that fails is reported once, with the numbers of its first counterexample. The last law is
// tried only if the laws about Subgradient hold. o may be nil.
func checkLoss(t reporter, l loss.Convex, o *lossSettings) {
	t.Helper()
	var set lossSettings
	if o != nil {
		set = *o
	}
	if set.Labels == nil {
		set.Labels = []float64{-1, 1}
	}
	set.Reach, set.Trials = cmp.Or(set.Reach, 10), cmp.Or(set.Trials, 500)
	c := lossCheck{reporter: t, l: l, o: set, r: rand.New(rand.NewPCG(set.Seed, 0)), failed: map[string]bool{}}
	c.each(c.chord)
	c.each(c.slope)
	c.each(c.quotients)
	c.each(c.fenchelYoung)
	if !c.failed["subgradient inequality"] && !c.failed["finite differences"] {
		c.each(c.conjugate)
	}
}

// each tries one law on all labels.
func (c *lossCheck) each(law func(y float64)) {
	c.Helper()
	for _, y := range c.o.Labels {
		for range c.o.Trials {
			law(y)
		}
	}
}

type lossCheck struct {
	reporter
	l      loss.Convex
	o      lossSettings
	r      *rand.Rand
	failed map[string]bool // laws that have been reported
}

// fail reports a law once.
func (c *lossCheck) fail(law, format string, args ...any) {
	c.Helper()
	if !c.failed[law] {
		c.failed[law] = true
		c.Errorf("%T: %s: "+format, append([]any{c.l, law}, args...)...)
	}
}

// score draws a score: a given one, one on a grid of halves about 0 and y (where kinks
// often are), or any.
func (c *lossCheck) score(y float64) float64 {
	switch k := c.r.IntN(4); {
	case k == 0 && len(c.o.Scores) > 0:
		return c.o.Scores[c.r.IntN(len(c.o.Scores))]
	case k == 1:
		return float64(c.r.IntN(9)-4) / 2
	case k == 2:
		return y + float64(c.r.IntN(9)-4)/2
	}
	return c.o.Reach * (2*c.r.Float64() - 1)
}

// above reports a ≥ b up to roundoff relative to the terms; false if a or b is NaN.
func above(a, b float64, terms ...float64) bool {
	size := 1.0
	for _, x := range terms {
		size = max(size, math.Abs(x))
	}
	return a >= b-lossRoundoff*size
}

func (c *lossCheck) chord(y float64) {
	c.Helper()
	a, b, k := c.score(y), c.score(y), c.r.Float64()
	la, lb := c.l.Value(a, y), c.l.Value(b, y)
	at := k*a + (1-k)*b
	if chord, v := k*la+(1-k)*lb, c.l.Value(at, y); !above(chord, v, la, lb) {
		c.fail("convexity", "ℓ(%g) = %g lies above the chord from ℓ(%g) = %g to ℓ(%g) = %g (y = %g)",
			at, v, a, la, b, lb, y)
	}
}

func (c *lossCheck) slope(y float64) {
	c.Helper()
	s, r := c.score(y), c.score(y)
	g, ls, lr := c.l.Subgradient(s, y), c.l.Value(s, y), c.l.Value(r, y)
	if !above(lr, ls+g*(r-s), ls, lr, g*(r-s)) {
		c.fail("subgradient inequality", "ℓ(%g) = %g is below the line through ℓ(%g) = %g of slope %g (y = %g)",
			r, lr, s, ls, g, y)
	}
}

func (c *lossCheck) quotients(y float64) {
	c.Helper()
	s := c.score(y)
	low, high := s-lossStep, s+lossStep // s−low is not exactly the step: divide by what it is
	l, g := c.l.Value(s, y), c.l.Subgradient(s, y)
	left := (l - c.l.Value(low, y)) / (s - low)
	right := (c.l.Value(high, y) - l) / (high - s)
	noise := max(1, math.Abs(l), math.Abs(s)) / lossStep
	if !above(g, left, noise) || !above(right, g, noise) {
		c.fail("finite differences", "g(%g) = %g is not between the difference quotients %g and %g (y = %g)",
			s, g, left, right, y)
	}
}

// slopeIn draws u: a slope of ℓ, one between two such, or one just outside.
func (c *lossCheck) slopeIn(y float64) float64 {
	lo, hi := c.l.Subgradient(-c.o.Reach, y), c.l.Subgradient(c.o.Reach, y)
	switch c.r.IntN(4) {
	case 0:
		return c.l.Subgradient(c.score(y), y)
	case 1:
		return lo - (1+math.Abs(lo))*c.r.Float64()
	case 2:
		return hi + (1+math.Abs(hi))*c.r.Float64()
	}
	return lo + (hi-lo)*c.r.Float64()
}

func (c *lossCheck) fenchelYoung(y float64) {
	c.Helper()
	s, u := c.score(y), c.slopeIn(y)
	l, d := c.l.Value(s, y), c.l.Conjugate(u, y)
	if !above(l+d, u*s, l, finiteOr(d, 0), u*s, u*y) {
		c.fail("Fenchel–Young", "ℓ(%g) + ℓ*(%g) = %g + %g is below the product %g (y = %g)", s, u, l, d, u*s, y)
	}
	g := c.l.Subgradient(s, y)
	if d := c.l.Conjugate(g, y); !above(g*s, l+d, l, finiteOr(d, 0), g*s, g*y) {
		c.fail("Fenchel–Young equality", "ℓ(%g) + ℓ*(%g) = %g + %g should equal the product %g: %g is a subgradient there (y = %g)",
			s, g, l, d, g*s, g, y)
	}
}

func (c *lossCheck) conjugate(y float64) {
	c.Helper()
	u := c.slopeIn(y)
	d := c.l.Conjugate(u, y)
	if c.l.Subgradient(-far, y) > u || c.l.Subgradient(far, y) < u {
		if !math.IsInf(d, 1) {
			c.fail("conjugate", "ℓ*(%g) = %g, but u·s − ℓ(s) grows without end: want +Inf (y = %g)", u, d, y)
		}
		return
	}
	// u·s − ℓ(s) is concave and rises while g(s) < u. Invariant: g(lo) ≤ u ≤ g(hi), so the
	// maximum lies between; 100 halvings leave neighbouring floats.
	lo, hi := -far, far
	for range 100 {
		if mid := lo + (hi-lo)/2; c.l.Subgradient(mid, y) < u {
			lo = mid
		} else {
			hi = mid
		}
	}
	l := c.l.Value(hi, y)
	if sup := u*hi - l; !above(d, sup, l, u*hi) || !above(sup, d, l, u*hi) {
		c.fail("conjugate", "ℓ*(%g) = %g, but the supremum of u·s − ℓ(s) is %g at s = %g (y = %g)", u, d, sup, hi, y)
	}
}

func finiteOr(x, other float64) float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return other
	}
	return x
}
