package coordinate

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// A free bias b puts the constraint Σβᵢ = 0 on the dual, whose multiplier is b. No single
// coordinate can move along this constraint. We therefore add the proximal term (b − b₀)²/(2τ) with
// the centre b₀ to the primal objective, whose penalty on the bias is rb²/2 (r = 0 for a free bias
// and 1 for a penalized one). For fixed b₀ the dual has no constraint:
//
//	b = share·(b₀ + τΣβᵢ),   share = 1/(1 + rτ),   ρ = share·τ in q = ‖xᵢ‖² + ρ
//
// After every epoch b₀ ← b. At the fixed point rb = Σβᵢ and the proximal term is 0. This is the
// method of multipliers with an inexact inner solution: Rockafellar (1976), "Augmented Lagrangians
// and Applications of the Proximal Point Algorithm in Convex Programming". One epoch in a new
// random order for each step of the multiplier is the scheme of Sun, Luo and Ye (2020), "On the
// Efficiency of Random Permutation for ADMM and Coordinate Descent". They prove convergence in
// expectation for quadratic objectives, where a fixed order may diverge.
//
// A penalized bias is treated in the same way. Without the proximal term q would grow by 1, which
// would make the steps of all rows with a small ‖xᵢ‖ short.

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

// proximalShare is τ as a share of the mean curvature of a coordinate of the dual. On wordnet_nv,
// hinge to 1e-3, 0.2 takes 13 passes, 0.08 ten, 0.02 eight and 0.0025 seven; on letter they take 9,
// 9, 8 and 13. Benchmark: go run -C tools ./bench -rows linear,free wordnet_nv_eighth letter
const proximalShare = 0.02

// leastTau is the τ with which all β together, each moving over its whole box, move b by edgeShare
// times the distance between the edges of the losses. If ‖xᵢ‖ is small, a τ in proportion to ‖xᵢ‖²
// would be too small to move b. The steps stay long, because they end at the box. leastTau returns
// 0 if there are no boxes.
func (d *descent) leastTau() float64 {
	from, to, reach := 0.0, 0.0, 0.0 // b starts at 0
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

// edgeShare is for sets like those of TestDualCoordinateMovesTheBiasOfShortRows. No row of the
// benchmark depends on it within a factor of 8.
// Benchmark: go run -C tools ./bench -rows linear,free -solver "dual coordinate descent"
const edgeShare = 0.1

// moveCentre ends an epoch: b₀ ← b₀ + relaxation·(b − b₀). The relaxation doubles while Σβᵢ − rb
// hardly shrinks, as when all rows are at their bounds until b has moved; otherwise it is 1. After
// an overshoot its maximum is halved, down to safeRelaxation, so that it cannot cycle.
//
// It keeps the previous b in epochBias, because β fits that b.
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

// No row of the benchmark depends on these constants by more than a pass, hardlyShrinks down to a
// half and firstMaxRelaxation within a factor of 4.
// Benchmark: go run -C tools ./bench -rows linear,free -solver "dual coordinate descent"
const (
	hardlyShrinks      = 0.7
	firstMaxRelaxation = 8
	// A proximal point method converges with a relaxation below 2: Gol'shtein and Tret'yakov
	// (1979).
	safeRelaxation = 1.9
)

// biasGap estimates what Σβᵢ ≠ rb adds to the gap. For a penalized bias it is (rb − Σβᵢ)²/2. For a
// free bias it is what making Σβᵢ = 0 costs in the dual objective, about |b·Σβᵢ|.
func (d *descent) biasGap() float64 {
	if d.t.Bias == svmkit.PenalizedBias {
		return d.imbalance * d.imbalance / 2
	}
	return math.Abs(d.imbalance * d.b)
}

// balance changes β so that Σβᵢ fits a penalized bias b, where sum is Σβᵢ and β fits b otherwise. A
// certificate takes Σβᵢ for the bias, so its error would enter the loss of every row. balance moves
// the rows strictly inside their boxes, which hardly changes the dual objective. They all move by
// the same share of their slack, by Δ in sum. This changes their scores without bias by −κΔ on
// average, where κ is the mean of their inner products. So Σβᵢ = b + κΔ leaves f as it was:
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

// meanInnerProduct returns κ of balance: the squared norm of the mean of the count rows that have
// slack, weighted by their slacks. For many rows it estimates κ from the pairs of different rows in
// a sample. If the slacks are similar, the products of rows with themselves hardly count among all
// products.
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
	return 0 // the estimate is negative or NaN
}

// innerProductRows bounds the sample of meanInnerProduct. Without κ, six sets of sparse rows take
// 1.7 % more passes and certificates to 1e-3 and 1e-6. A set drawn by Zipf's law, hinge to 1e-3,
// takes 60 % more. Benchmark: go run -C tools ./bench -rows linear wordnet_nv_eighth
// drawn,n=100000,d=50000,density=0.001
const innerProductRows = 64
