package coordinate

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// A free bias puts the constraint Σβᵢ = 0 on the dual, along which no single coordinate can
// move: LIBLINEAR therefore penalizes the bias. But the constraint's multiplier is b itself.
// Add to the primal problem, whose penalty on the bias is rb²/2 (r = 0 for a free bias), the
// proximal term (b − b₀)²/(2τ), where b₀ is the bias found so far. For fixed b₀ that is a problem
// with a penalized bias, and its dual has no constraint:
//
//	b = share·(b₀ + τΣβᵢ),   share = 1/(1 + rτ),   so ρ = share·τ in q = ‖xᵢ‖² + ρ
//
// It is enough to put b₀ ← b after every epoch. Once b stays, rb = Σβᵢ and the proximal term is
// gone. This is the method of multipliers with an inexact inner solution: Rockafellar (1976),
// "Augmented Lagrangians and Applications of the Proximal Point Algorithm in Convex
// Programming". One sweep in a new random order for each move of the multiplier is the scheme of
// Sun, Luo and Ye (2020), "On the Efficiency of Random Permutation for ADMM and Coordinate
// Descent", who prove convergence in expectation for quadratic objectives, where a fixed
// order may diverge.
//
// A penalized bias gains as well: without the term q grows by 1, and where ‖xᵢ‖ is small that
// makes all steps short.

// proximalShare is τ in units of the mean curvature of a coordinate: ‖xᵢ‖², and what a squared loss adds, without
// which b would creep where the rows are short. On four narrow sets 0.03 to 0.3 make little
// difference, 1 costs up to twice the epochs, and ten times on one set. On sparse text, where all
// rows pull at one bias but hardly at each other, 0.02 takes two thirds of the epochs of 0.1.
const proximalShare = 0.02

// prepareBias sets ρ and what belongs to it from the norms of the rows. r is 0 or 1.
func (d *descent) prepareBias() {
	if d.t.Bias == svmkit.NoBias {
		return
	}
	mean := 0.0
	for i, q := range d.rows.q {
		l := &d.t.Loss[i]
		mean += (q + max(l.DualCurvature(true), l.DualCurvature(false))) / float64(d.t.Len())
	}
	tau := max(proximalShare*mean, d.leastTau())
	if tau == 0 { // all rows are zero: only b is left
		tau = 1
	}
	d.share, d.fastest = 1, mostHaste
	if d.t.Bias == svmkit.PenalizedBias {
		d.share = 1 / (1 + tau)
	}
	d.rho = d.share * tau
}

// leastTau is the τ with which all rows at the ends of their boxes move b, in one epoch, by a part of the
// distance between the edges: where the rows are short, b is what brings the scores there, and τ in
// proportion to ‖xᵢ‖² alone would take it there in millions of epochs. It does not make the steps of
// single rows short, for they end at the box. 0 if there are no boxes.
func (d *descent) leastTau() float64 {
	from, to, room := 0.0, 0.0, 0.0 // b begins at 0
	for i := range d.t.Loss {
		l := &d.t.Loss[i]
		lo, hi := l.Box()
		room += max(hi, -lo)
		for _, edge := range [2]float64{l.Low, l.High} {
			if !math.IsInf(edge, 0) {
				from, to = min(from, edge), max(to, edge)
			}
		}
	}
	return edgeShare * (to - from) / room
}

// edgeShare is that part.
const edgeShare = 0.1

// moveCentre ends an epoch: b₀ ← b. While Σβᵢ − rb hardly shrinks, as long as all rows stand at their
// bounds and wait for b, it goes farther, twice as far each time. A centre that has gone too far may
// hurry half as much from then on, and in the end by the relaxation that is always allowed: to hurry
// for ever can go round in a circle.
func (d *descent) moveCentre() {
	if d.t.Bias == svmkit.NoBias {
		return
	}
	before := d.imbalance
	d.imbalance = d.sum
	if d.t.Bias == svmkit.PenalizedBias {
		d.imbalance -= d.b
	}
	switch {
	case d.imbalance*before < 0: // too far
		d.haste, d.fastest = 1, max(relaxation, d.fastest/2)
	case d.imbalance*before > 0 && math.Abs(d.imbalance) > hardlyShrinks*math.Abs(before):
		d.haste = min(2*d.haste, d.fastest)
	default:
		d.haste = 1
	}
	d.centre += d.haste * (d.share*d.b - d.centre)
	d.b = d.centre + d.rho*d.sum
}

const (
	hardlyShrinks = 0.7
	mostHaste     = 8
	relaxation    = 1.9 // a proximal point method that is relaxed by a factor below 2 converges: Gol'shtein and Tret'yakov (1979)
)

// biasGap estimates what Σβᵢ ≠ rb adds to the gap: (rb − Σβᵢ)²/2 for a penalized bias; for a free one
// the price of the repair, of the size of |b·Σβᵢ|.
func (d *descent) biasGap() float64 {
	if d.t.Bias == svmkit.PenalizedBias {
		return d.imbalance * d.imbalance / 2
	}
	return math.Abs(d.imbalance * d.b)
}

// balance moves a penalized bias's β to Σβᵢ = b, at the cost of the rows strictly inside of their
// boxes, which the dual objective hardly notices. The bias of a certificate is Σβᵢ, and every
// row's loss feels it: without this a certificate sees what n steps have left in Σβᵢ by chance, and
// not how good w is. A free bias needs no such help: for it β is repaired and b is the best there is.
func (d *descent) balance() {
	excess, room := d.sum-d.b, 0.0
	if d.t.Bias != svmkit.PenalizedBias || excess == 0 {
		return
	}
	for i, v := range d.beta {
		room += d.t.FreeSlack(i, v, excess)
	}
	if room == 0 {
		return
	}
	part := min(1, math.Abs(excess)/room)
	for i, v := range d.beta {
		d.beta[i] -= math.Copysign(part*d.t.FreeSlack(i, v, excess), excess)
	}
}
