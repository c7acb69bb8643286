package svm

import "math"

// coordinate is what one step needs to know of its row: dᵢ and its box, and the curvature q.
type coordinate struct {
	low, high             float64 // the range of scores that costs nothing; ±Inf on an open side
	lo, hi                float64 // the box of βᵢ
	curveUnder, curveOver float64 // −d″ᵢ for β > 0 and β < 0: 1/(2·price) if p = 2, else 0
	q                     float64 // Kᵢᵢ, plus 1/r for a penalty rb²/2 on the bias; ≥ 0
}

// newCoordinates returns the coordinates of t; square(i) is Kᵢᵢ.
func newCoordinates(t *task, square func(i int) float64) []coordinate {
	c := make([]coordinate, t.len())
	for i := range c {
		c[i].low, c[i].high, c[i].q = t.low[i], t.high[i], square(i)
		c[i].lo, c[i].hi = t.box(i)
		if t.squared && t.under[i] > 0 {
			c[i].curveUnder = 1 / (2 * t.under[i])
		}
		if t.squared && t.over[i] > 0 {
			c[i].curveOver = 1 / (2 * t.over[i])
		}
	}
	return c
}

// optimum returns the value of βᵢ that maximises the dual objective with all others fixed,
//
//	−½q(β − βᵢ)² − f·(β − βᵢ) + dᵢ(β),
//
// for a row with score f at βᵢ = beta. The function is concave with a kink at β = 0, where its
// slope falls by high − low: so either the parabola of β > 0 has its top at a positive β, or that
// of β < 0 at a negative one, or the top is the kink. A maximum at infinity (q = 0 under a
// hard margin) is no step: beta is returned.
func (c *coordinate) optimum(beta, f float64) float64 {
	if up := beta + (c.low-f-c.curveUnder*beta)/(c.q+c.curveUnder); up > 0 {
		return c.finite(min(up, c.hi), beta)
	}
	if down := beta + (c.high-f-c.curveOver*beta)/(c.q+c.curveOver); down < 0 {
		return c.finite(max(down, c.lo), beta)
	}
	return 0
}

func (c *coordinate) finite(v, otherwise float64) float64 {
	if math.IsInf(v, 0) {
		return otherwise
	}
	return v
}

// pull returns the slope of the dual objective in βᵢ in the direction in which it can rise:
// positive upwards, negative downwards, 0 at an optimal βᵢ (the projected gradient). For an
// optimal βᵢ at a corner, ease says by how much the score may change before it is not.
func (c *coordinate) pull(beta, f float64) (pull, ease float64) {
	switch {
	case beta > 0:
		g := c.low - f - c.curveUnder*beta
		if beta >= c.hi && g > 0 {
			return 0, g
		}
		return g, 0
	case beta < 0:
		g := c.high - f - c.curveOver*beta
		if beta <= c.lo && g < 0 {
			return 0, -g
		}
		return g, 0
	case f < c.low:
		return c.low - f, 0
	case f > c.high:
		return c.high - f, 0
	}
	return 0, min(f-c.low, c.high-f)
}

// dual returns dᵢ(β), as task.dual does.
func (c *coordinate) dual(beta float64) float64 {
	switch {
	case beta > 0:
		return beta * (c.low - beta*c.curveUnder/2)
	case beta < 0:
		return beta * (c.high - beta*c.curveOver/2)
	}
	return 0
}

// loss returns φᵢ(s), as task.loss does.
func (c *coordinate) loss(s float64) float64 {
	excess, price, curve := c.low-s, c.hi, c.curveUnder
	if s > c.high {
		excess, price, curve = s-c.high, -c.lo, c.curveOver
	}
	switch {
	case !(excess > 0):
		return 0
	case curve > 0:
		return excess * excess / (2 * curve)
	}
	return price * excess
}
