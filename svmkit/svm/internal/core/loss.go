package core

import (
	"math"

	"github.com/svmkit/course/svmkit/loss"
)

// Kind says how a loss charges what lies outside of its range of scores.
type Kind uint8

const (
	Absolute Kind = iota // hinge, ε-insensitive: by the distance
	Squared              // their squares
	Logistic             // by log(1 + exp(−ys)); there is no range
)

// Loss is the loss of one row times its cost, φ(s), as a function of the score s, and its conjugate as a
// function of the dual variable β, d(β) = −φ*(−β). It is the only place that knows the losses:
//
//	           φ(s)                                          d(β)                    box of β
//	Absolute   Under·max(0, Low − s) + Over·max(0, s − High)   β·edge                  [−Over, Under]
//	Squared    the same with both distances squared          β·edge − β²/(4·cost)    none, but a side without cost stays 0
//	Logistic   c·log(1 + exp(−ys))                           c·H(βy/c)               0 < βy < c
//
// where edge and cost are Low and Under for β > 0, High and Over for β < 0, and H is the entropy in nats.
// Classification is the case of a half-open range: a positive row has Low = 1 and no upper edge (High = +∞,
// Over = 0), a negative one High = −1 and no lower edge. Regression has both, Low = y − ε and High = y + ε. A
// logistic row of label y has its cost c in Under if y = 1 and in Over if y = −1.
type Loss struct {
	Low, High   float64
	Under, Over float64
	Kind        Kind
}

// Value returns φ(s). Under the hard margin it is 0 or +Inf.
func (l *Loss) Value(s float64) float64 {
	if l.Kind == Logistic {
		y, c := l.label()
		return c * loss.Logistic{}.Value(s, y)
	}
	out, cost := l.Low-s, l.Under
	if s > l.High {
		out, cost = s-l.High, l.Over
	}
	switch {
	case out <= 0: // not NaN
		return 0
	case l.Kind == Squared:
		return cost * out * out
	}
	return cost * out
}

// Derivatives returns −φ′(s), which is the β that s is optimal for, and φ″(s). On an edge they are those of the
// inside, 0.
func (l *Loss) Derivatives(s float64) (beta, curvature float64) {
	switch {
	case l.Kind == Logistic: // c·y·σ(−ys) and c·σ(ys)·σ(−ys), without overflow
		y, c := l.label()
		e := math.Exp(-math.Abs(s))
		wrong := e / (1 + e) // σ(−ys), if ys ≥ 0
		if y*s < 0 {
			wrong = 1 / (1 + e)
		}
		return c * y * wrong, c * e / ((1 + e) * (1 + e))
	case s < l.Low && l.Kind == Squared:
		return 2 * l.Under * (l.Low - s), 2 * l.Under
	case s > l.High && l.Kind == Squared:
		return 2 * l.Over * (l.High - s), 2 * l.Over
	case s < l.Low:
		return l.Under, 0
	case s > l.High:
		return -l.Over, 0
	}
	return 0, 0
}

// Box returns the range of β.
func (l *Loss) Box() (lo, hi float64) {
	lo, hi = -l.Over, l.Under
	if l.Kind == Squared {
		if lo < 0 {
			lo = math.Inf(-1)
		}
		if hi > 0 {
			hi = math.Inf(1)
		}
	}
	return lo, hi
}

// Dual returns d(β) for β in the box.
func (l *Loss) Dual(beta float64) float64 {
	edge, cost := l.Low, l.Under
	switch {
	case l.Kind == Logistic:
		y, c := l.label()
		return -c * loss.Logistic{}.Conjugate(-beta/c, y)
	case beta == 0:
		return 0
	case beta < 0:
		edge, cost = l.High, l.Over
	}
	d := beta * edge
	if l.Kind == Squared {
		d -= beta * beta / (4 * cost)
	}
	return d
}

// DualSlopes returns d′(β+), or −∞ at the upper end of the box, and d′(β−), or +∞ at the lower end. Not for
// the logistic loss.
func (l *Loss) DualSlopes(beta float64) (up, down float64) {
	lo, hi := l.Box()
	up, down = math.Inf(-1), math.Inf(1)
	if beta < hi {
		up = l.dualSlope(beta, beta >= 0)
	}
	if beta > lo {
		down = l.dualSlope(beta, beta > 0)
	}
	return up, down
}

// dualSlope returns d′(β), at 0 that of the named side.
func (l *Loss) dualSlope(beta float64, positive bool) float64 {
	edge := l.High
	if positive {
		edge = l.Low
	}
	return edge - beta*l.DualCurvature(positive)
}

// DualCurvature returns −d″ on a side of zero: 1/(2·cost) of a squared loss, otherwise 0. It is 0, too, on a
// side without cost, where no β is.
func (l *Loss) DualCurvature(positive bool) float64 {
	cost := l.Over
	if positive {
		cost = l.Under
	}
	if l.Kind != Squared || cost == 0 {
		return 0
	}
	return 1 / (2 * cost)
}

// Optimal returns the scores at which the row and its β satisfy the optimality condition −β ∈ ∂φ(s): an
// interval, often a point.
func (l *Loss) Optimal(beta float64) (from, to float64) {
	switch {
	case l.Kind == Logistic:
		y, c := l.label()
		low, high := logisticMargins(beta*y, c)
		if y < 0 {
			low, high = -high, -low
		}
		return low, high
	case beta == 0:
		return l.Low, l.High
	case l.Kind == Squared && beta > 0:
		s := l.Low - beta/(2*l.Under)
		return s, s
	case l.Kind == Squared:
		s := l.High - beta/(2*l.Over)
		return s, s
	case beta >= l.Under:
		return math.Inf(-1), l.Low
	case beta > 0:
		return l.Low, l.Low
	case beta <= -l.Over:
		return l.High, math.Inf(1)
	}
	return l.High, l.High
}

// logisticMargins returns the margins ys that α = c·σ(−ys) is optimal for. Far from the boundary α rounds to c, and
// underflows to 0: there they are those that rounding takes to this α, up to infinity.
func logisticMargins(alpha, c float64) (low, high float64) {
	margin := func(alpha float64) float64 {
		a := min(max(alpha/c, 0), 1)
		return math.Log1p(-a) - math.Log(a)
	}
	const exact = 0.99 // of c, up to which the rounding of α moves the margin by less than 100 roundings
	if alpha < exact*c && alpha >= smallestNormal {
		s := margin(alpha)
		return s, s
	}
	return margin(alpha + max(c*4*Roundoff, smallestNormal)), margin(alpha - max(c*4*Roundoff, smallestNormal))
}

// smallestNormal is the least number with all its digits.
const smallestNormal = 0x1p-1022

// Excess returns the Fenchel–Young term φ(s) + φ*(−β) + βs = φ(s) − d(β) + βs for β in the box. It is ≥ 0,
// zero exactly if s is optimal for β, and its sum over the rows is the duality gap (for w = Σβᵢφ(xᵢ), and
// Σβᵢ = Sum if the bias is free). Every case is a sum of terms ≥ 0, so nothing cancels.
func (l *Loss) Excess(beta, s float64) float64 {
	if l.Kind == Logistic {
		return max(0, l.Value(s)-l.Dual(beta)+beta*s)
	}
	// Seen from the side that β is on: x is how far s lies inside of that edge, cost what it
	// costs to be outside, other the distance beyond the other edge.
	x, cost := s-l.Low, l.Under
	other := max(0, s-l.High)
	otherCost := l.Over
	if beta < 0 || beta == 0 && l.Under == 0 {
		beta, x, cost = -beta, l.High-s, l.Over
		other, otherCost = max(0, l.Low-s), l.Under
	}
	switch {
	case l.Kind == Squared && cost > 0 && x < 0:
		d := -x - beta/(2*cost)
		x = cost * d * d
	case l.Kind == Squared && beta > 0:
		x = beta*x + beta*beta/(4*cost)
	case x < 0:
		x *= beta - cost
	case beta > 0:
		x *= beta
	default:
		x = 0
	}
	switch {
	case other == 0:
		return x
	case l.Kind == Squared:
		return x + otherCost*other*other
	}
	return x + otherCost*other
}

// Step returns the value of β that maximises the dual objective with all other β fixed,
//
//	−½q(v − β)² − s·(v − β) + d(v)   over v in the box,
//
// for a row with score s at β, where q ≥ 0 is the curvature. The function is concave with a kink at v = 0,
// where its slope falls by High − Low: so either the parabola of v > 0 has its top at a positive v, or that of
// v < 0 at a negative one, or the top is the kink. A maximum at infinity (q = 0 under a hard margin)
// is no step: β is returned. Not for the logistic loss.
func (l *Loss) Step(beta, s, q float64) float64 {
	lo, hi := l.Box()
	v := 0.0
	c := l.DualCurvature(true)
	if up := beta + (l.Low-s-c*beta)/(q+c); up > 0 {
		v = min(up, hi)
	} else {
		c = l.DualCurvature(false)
		if down := beta + (l.High-s-c*beta)/(q+c); down < 0 {
			v = max(down, lo)
		}
	}
	if math.IsInf(v, 0) {
		return beta
	}
	return v
}

// ProjectedGradient returns the slope of the dual objective in β in the direction in which it can rise, for
// a row with score s: positive upwards, negative downwards, 0 at an optimal β. For an optimal β at a
// corner, slack says by how much the score may change before it is not. Not for the logistic loss.
func (l *Loss) ProjectedGradient(beta, s float64) (gradient, slack float64) {
	lo, hi := l.Box()
	switch {
	case beta > 0:
		g := l.Low - s - l.DualCurvature(true)*beta
		if beta >= hi && g > 0 {
			return 0, g
		}
		return g, 0
	case beta < 0:
		g := l.High - s - l.DualCurvature(false)*beta
		if beta <= lo && g < 0 {
			return 0, -g
		}
		return g, 0
	case s < l.Low:
		return l.Low - s, 0
	case s > l.High:
		return l.High - s, 0
	}
	return 0, min(s-l.Low, l.High-s)
}

// label returns the label and the cost of a row of the logistic loss.
func (l *Loss) label() (y, c float64) {
	if l.Under > 0 {
		return 1, l.Under
	}
	return -1, l.Over
}
