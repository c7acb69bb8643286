package core

import (
	"math"

	"github.com/svmkit/course/svmkit/loss"
)

// Kind tells how a loss charges scores outside its range.
type Kind uint8

const (
	Absolute Kind = iota // hinge and ε-insensitive: by their distance
	Squared              // their squares: by the square of the distance
	Logistic             // by log(1 + exp(−ys)), without a range
)

// Loss is the loss of one row times its cost, φ(s), as a function of the score s, together with its
// conjugate as a function of the dual variable β, d(β) = −φ*(−β). No other code knows the formulas
// of the losses:
//
//	           φ(s)                                          box of β
//	Absolute   Under·max(0, Low − s) + Over·max(0, s − High)  [−Over, Under]
//	Squared    the same with both distances squared           unbounded, 0 on a side without cost
//	Logistic   c·log(1 + exp(−ys))                            0 < βy < c
//
//	           d(β)
//	Absolute   β·edge
//	Squared    β·edge − β²/(4·cost)
//	Logistic   c·H(βy/c)
//
// where edge and cost are Low and Under for β > 0 and High and Over for β < 0, and H is the entropy
// in nats. In classification the range is half-open: a positive row has Low = 1 and no upper edge
// (High = +∞, Over = 0), and a negative row has High = −1 and no lower edge. In regression both
// edges exist, Low = y − ε and High = y + ε. A logistic row with label y has its cost c in Under if
// y = 1 and in Over if y = −1.
type Loss struct {
	Low, High   float64
	Under, Over float64
	Kind        Kind
}

// Value returns φ(s). Under a hard margin it is 0 or +Inf.
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
	case out <= 0: // false for NaN
		return 0
	case l.Kind == Squared:
		return max(timesSquare(cost, out), math.SmallestNonzeroFloat64)
	}
	return max(cost*out, math.SmallestNonzeroFloat64) // a loss that underflows is not 0
}

// timesSquare returns c·d² for c, d ≥ 0, also if c·d underflows and c·d² does not.
func timesSquare(c, d float64) float64 {
	if p := c * d; p >= smallestNormal {
		return p * d
	}
	r := math.Sqrt(c) * d
	return r * r
}

// squareOver returns β²/(4c), also if β² or 4c leaves the range of float64 and the quotient does not.
func squareOver(beta, c float64) float64 {
	if s := beta * beta; s >= smallestNormal && s <= math.MaxFloat64 {
		return s / c / 4
	}
	return beta / c / 4 * beta
}

// Derivatives returns −φ′(s), which is the β for which s is optimal, and φ″(s). On an edge it
// returns the derivatives of the inside, 0.
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
		d -= squareOver(beta, cost)
	}
	return d
}

// DualSlopes returns the one-sided derivatives of d: d′(β+), or −∞ at the upper end of the box, and
// d′(β−), or +∞ at the lower end. It is not for the logistic loss.
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

// dualSlope returns d′(β). At β = 0 it is the derivative on the given side.
func (l *Loss) dualSlope(beta float64, positive bool) float64 {
	edge := l.High
	if positive {
		edge = l.Low
	}
	return edge - beta*l.DualCurvature(positive)
}

// DualCurvature returns −d″ on a side of zero: 1/(2·cost) for a squared loss, and 0 otherwise. It
// is also 0 on a side without cost, where β cannot be.
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

// Optimal returns the interval of scores, often a single point, at which the row and its β satisfy
// the optimality condition −β ∈ ∂φ(s).
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

// logisticMargins returns the interval of margins ys for which α = c·σ(−ys) is optimal. Far from
// the boundary α rounds to c or underflows to 0. There the interval contains all margins that
// rounding takes to this α, up to infinity.
func logisticMargins(alpha, c float64) (low, high float64) {
	margin := func(alpha float64) float64 {
		a := min(max(alpha/c, 0), 1)
		return math.Log1p(-a) - math.Log(a)
	}
	// Up to this share of c, the rounding of α moves the margin by less than 100 roundings.
	const exact = 0.99
	if alpha < exact*c && alpha >= smallestNormal {
		s := margin(alpha)
		return s, s
	}
	return margin(alpha + max(c*4*Roundoff, smallestNormal)),
		margin(alpha - max(c*4*Roundoff, smallestNormal))
}

// smallestNormal is the smallest number with full precision.
const smallestNormal = 0x1p-1022

// Excess returns the Fenchel–Young term φ(s) + φ*(−β) + βs = φ(s) − d(β) + βs for β in the box. It
// is ≥ 0, and zero if and only if s is optimal for β. Its sum over the rows is the duality gap, for
// w = Σβᵢφ(xᵢ) and, if the bias is free, Σβᵢ = Sum. Each case adds terms ≥ 0 only, so nothing
// cancels.
func (l *Loss) Excess(beta, s float64) float64 {
	if l.Kind == Logistic {
		return max(0, l.Value(s)-l.Dual(beta)+beta*s)
	}
	// All numbers are seen from the side of β: x is how far s lies inside that edge, cost is the
	// cost outside it, and other is the distance beyond the other edge.
	x, cost := s-l.Low, l.Under
	other := max(0, s-l.High)
	otherCost := l.Over
	if beta < 0 || beta == 0 && l.Under == 0 {
		beta, x, cost = -beta, l.High-s, l.Over
		other, otherCost = max(0, l.Low-s), l.Under
	}
	switch {
	case l.Kind == Squared && cost > 0 && x < 0:
		x = timesSquare(cost, math.Abs(-x-beta/cost/2))
	case l.Kind == Squared && beta > 0:
		x = beta*x + squareOver(beta, cost)
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
		return x + timesSquare(otherCost, other)
	}
	return x + otherCost*other
}

// Step returns the value of β that maximises the dual objective with all other β fixed,
//
//	−½q(v − β)² − s·(v − β) + d(v)   over v in the box,
//
// for a row with score s at β, where q ≥ 0 is the curvature. The function is concave with a kink at
// v = 0, where its slope drops by High − Low. Either the parabola for v > 0 has its maximum at a
// positive v, or the parabola for v < 0 has its maximum at a negative v, or the maximum is the
// kink. If the maximum is at infinity (q = 0 under a hard margin), Step returns β. It is not for
// the logistic loss.
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

// ProjectedGradient returns the derivative of the dual objective with respect to β, for a row with
// score s. It is 0 if β is optimal, and otherwise it points in a direction in which the box leaves
// room. Its size is |PG| in the paper of DualCoordinate, where the dual is minimised over α. If β
// is optimal and at a corner, slack is how much the score may change before β is no longer optimal.
// ProjectedGradient is not for the logistic loss.
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

// label returns the label and the cost of a row with the logistic loss.
func (l *Loss) label() (y, c float64) {
	if l.Under > 0 {
		return 1, l.Under
	}
	return -1, l.Over
}
