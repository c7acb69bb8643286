package coordinate

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// A free bias puts the constraint Σβᵢ = 0 on the dual, along which no single coordinate can
// move; its multiplier is b. So add to the primal problem, whose penalty on the bias is rb²/2 (r = 0 for a
// free bias, 1 for a penalized one), the proximal term (b − b₀)²/(2τ) with the centre b₀. For fixed b₀ the
// dual has no constraint:
//
//	b = share·(b₀ + τΣβᵢ),   share = 1/(1 + rτ),   ρ = share·τ in q = ‖xᵢ‖² + ρ
//
// After every epoch b₀ ← b. At the fixed point rb = Σβᵢ and the proximal term is 0. This is the
// method of multipliers with an inexact inner solution: Rockafellar (1976), "Augmented Lagrangians and
// Applications of the Proximal Point Algorithm in Convex Programming". One epoch in a new random order for
// each step of the multiplier is the scheme of Sun, Luo and Ye (2020), "On the Efficiency of Random
// Permutation for ADMM and Coordinate Descent", who prove convergence in expectation for quadratic
// objectives, where a fixed order may diverge.
//
// A penalized bias is treated alike: without the term q grows by 1, which makes the steps of all
// rows with a small ‖xᵢ‖ short.

// prepareBias sets ρ and share from the norms of the rows.
func (d *descent) prepareBias() {
	if d.t.Bias == svmkit.NoBias {
		return
	}
	mean := 0.0
	for i, q := range d.diagQ {
		l := &d.t.Loss[i]
		mean += (q + max(l.DualCurvature(true), l.DualCurvature(false))) / float64(d.t.Len())
	}
	tau := max(proximalShare*mean, d.leastTau())
	if tau == 0 { // all rows are zero: only b is left
		tau = 1
	}
	d.share, d.maxRelaxation = 1, firstMaxRelaxation
	if d.t.Bias == svmkit.PenalizedBias {
		d.share = 1 / (1 + tau)
	}
	d.rho = d.share * tau
}

// proximalShare is τ as a part of the mean curvature of a coordinate of the dual. On wordnet_nv, hinge to 1e-3,
// 0.2 takes 13 passes, 0.08 ten, 0.02 eight, 0.0025 seven; on letter 9, 9, 8 and 13.
const proximalShare = 0.02

// leastTau is the τ with which all β together, each moving over its whole box, move b by edgeShare of the
// distance between the edges of the losses: where ‖xᵢ‖ is small, τ in proportion to ‖xᵢ‖² would be too
// small to move b. The steps stay long, for they end at the box. 0 without boxes.
func (d *descent) leastTau() float64 {
	from, to, reach := 0.0, 0.0, 0.0 // b begins at 0
	for i := range d.t.Loss {
		l := &d.t.Loss[i]
		lo, hi := l.Box()
		reach += max(hi, -lo)
		for _, edge := range [2]float64{l.Low, l.High} {
			if !math.IsInf(edge, 0) {
				from, to = min(from, edge), max(to, edge)
			}
		}
	}
	return edgeShare * (to - from) / reach
}

// edgeShare serves sets like those of TestDualCoordinateMovesTheBiasOfShortRows. No row of the benchmark depends
// on it within a factor of 8.
const edgeShare = 0.1

// moveCentre ends an epoch: b₀ ← b₀ + relaxation·(b − b₀). The relaxation doubles while Σβᵢ − rb hardly
// shrinks, as when all rows are at their bounds until b has moved, and is 1 otherwise. After an
// overshoot its maximum is halved, down to safeRelaxation, so that it cannot cycle.
//
// The b before is kept: it is the one that β fits to.
func (d *descent) moveCentre() {
	if d.t.Bias == svmkit.NoBias {
		return
	}
	d.epochBias = d.b
	before := d.imbalance
	d.imbalance = d.sum
	if d.t.Bias == svmkit.PenalizedBias {
		d.imbalance -= d.b
	}
	switch {
	case d.imbalance*before < 0: // overshoot
		d.relaxation, d.maxRelaxation = 1, max(safeRelaxation, d.maxRelaxation/2)
	case d.imbalance*before > 0 && math.Abs(d.imbalance) > hardlyShrinks*math.Abs(before):
		d.relaxation = min(2*d.relaxation, d.maxRelaxation)
	default:
		d.relaxation = 1
	}
	d.centre += d.relaxation * (d.share*d.b - d.centre)
	d.b = d.centre + d.rho*d.sum
}

// No row of the benchmark depends on these by more than a pass: hardlyShrinks down to a half, firstMaxRelaxation
// within a factor of 4.
const (
	hardlyShrinks      = 0.7
	firstMaxRelaxation = 8
	safeRelaxation     = 1.9 // a proximal point method with a relaxation below 2 converges: Gol'shtein and Tret'yakov (1979)
)

// biasGap estimates what Σβᵢ ≠ rb adds to the gap: (rb − Σβᵢ)²/2 for a penalized bias; for a free one
// the dual objective that making Σβᵢ = 0 costs, about |b·Σβᵢ|.
func (d *descent) biasGap() float64 {
	if d.t.Bias == svmkit.PenalizedBias {
		return d.imbalance * d.imbalance / 2
	}
	return math.Abs(d.imbalance * d.b)
}

// balance changes a β of a penalized bias, whose sum is given and which fits to b, so that Σβᵢ fits: a certificate
// takes Σβᵢ for the bias, and its error would enter the loss of every row. The rows strictly inside of their boxes
// move, which hardly changes the dual objective, all by the same part of their slack, by Δ in sum. That changes their
// scores without bias by −κΔ in the mean, κ being the mean of their inner products. So Σβᵢ = b + κΔ leaves f as it was:
//
//	Δ = (Σβᵢ − b)/(1 + κ)
//
// A certificate of a free bias repairs β and takes the best b instead.
func (d *descent) balance(beta []float64, sum, b float64) {
	excess, free, count := sum-b, 0.0, 0
	if d.t.Bias != svmkit.PenalizedBias || excess == 0 {
		return
	}
	for i, v := range beta {
		if slack := d.t.FreeSlack(i, v, excess); slack > 0 {
			free, count = free+slack, count+1
		}
	}
	if count == 0 {
		return
	}
	excess /= 1 + d.meanInnerProduct(beta, excess, count)
	part := min(1, math.Abs(excess)/free)
	for i, v := range beta {
		beta[i] -= math.Copysign(part*d.t.FreeSlack(i, v, excess), excess)
	}
}

// likeness returns κ of balance, weighted by the slacks of the rows, count of them: the squared norm of their mean. If
// there are many it is estimated by the pairs of different rows of a sample: where slacks are alike, the products of
// rows with themselves hardly count among all.
func (d *descent) meanInnerProduct(beta []float64, excess float64, count int) float64 {
	if d.scratch == nil {
		d.scratch = d.t.Memory.Floats(d.t.Dim)
	}
	sum := d.scratch
	clear(sum)
	every := (count + innerProductRows - 1) / innerProductRows
	total, squares, own := 0.0, 0.0, 0.0
	for i, v := range beta {
		slack := d.t.FreeSlack(i, v, excess)
		if slack == 0 {
			continue
		}
		if count--; count%every == 0 {
			rowAdd(&d.x[i], sum, slack)
			total += slack
			squares += slack * slack
			own += slack * slack * d.x[i].SquaredNorm()
		}
	}
	products, weights := svmkit.Dense(sum...).SquaredNorm(), total*total
	if every > 1 {
		products, weights = products-own, weights-squares
	}
	if mean := products / weights; mean > 0 {
		return mean
	}
	return 0 // the estimate is negative, or not a number
}

// likenessRows bounds the sample of likeness. Without κ, six sets of sparse rows take 1.7 % more passes and certificates
// to 1e-3 and 1e-6, that drawn by Zipf's law, hinge to 1e-3, 60 %.
const innerProductRows = 64
