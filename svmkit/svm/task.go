package svm

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/parallel"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
)

// task is a Problem in the one form that all solvers read. Each row allows its score a range
// and charges what lies outside:
//
//	φᵢ(s) = under[i]·max(0, low[i] − s)ᵖ + over[i]·max(0, s − high[i])ᵖ,    p = 1 or 2
//
// Classification is the case of a half-open range: a positive row has low = 1 and no upper
// edge (over = 0), a negative one has high = −1 and no lower edge (under = 0). Regression
// has both: low = y − ε, high = y + ε. So the hinge and the ε-insensitive loss, and
// their squares, are one problem.
//
// The dual variable is βᵢ with w = Σ βᵢφ(xᵢ): βᵢ = αᵢyᵢ in classification, αᵢ⁻ − αᵢ⁺ (pull up
// minus pull down) in regression. The dual is to maximise
//
//	D(β) = −½ Σᵢⱼ βᵢβⱼKᵢⱼ + Σᵢ dᵢ(βᵢ),   dᵢ(β) = β·low[i] − β²/(4·under[i]) for β > 0
//	                                          β·high[i] − β²/(4·over[i])  for β < 0
//
// over −over[i] ≤ βᵢ ≤ under[i] without the squares if p = 1; without the box if p = 2, but
// a side with price 0 stays shut. A free bias demands Σβᵢ = 0, a penalized one adds 1 to each
// Kᵢⱼ. (Fenchel: dᵢ(β) = −φᵢ*(−β).)
type task struct {
	x           []svmkit.Row
	dim         int
	low, high   []float64
	under, over []float64
	squared     bool // p = 2
	kernel      kernel.Kernel
	bias        svmkit.Bias
	logistic    bool // φᵢ(s) = cᵢ·log(1 + exp(−yᵢs)), cᵢ in under (y = 1) or over: primal solvers only

	rows *kernelRows // the kernel prepared for x; made by kernelRows when first asked for

	crew   *parallel.Crew // threads for passes over the rows; nil: the caller alone
	memory *workspace     // nil: new memory each time
}

func newTask(p *Problem) *task { return newTaskIn(nil, p) }

// newTaskIn is newTask for a task that does not outlive the use of the workspace.
func newTaskIn(memory *workspace, p *Problem) *task {
	n := p.Data.Len()
	t := &task{x: p.Data.X, dim: p.Data.Dim, kernel: p.Kernel, bias: p.Bias.Or(svmkit.FreeBias), memory: memory,
		low: memory.floats(n), high: memory.floats(n), under: memory.floats(n), over: memory.floats(n)}
	eps := p.epsilon()
	switch p.Loss.(type) {
	case loss.SquaredHinge, loss.SquaredEpsInsensitive:
		t.squared = true
	case loss.Logistic:
		t.logistic = true
	}
	regression, price := p.Regression(), p.C.sides(0)
	if regression {
		for i, y := range p.Data.Y {
			if p.C.Weight != nil {
				price = p.C.sides(i)
			}
			t.low[i], t.high[i] = y-eps, y+eps
			t.over[i], t.under[i] = price[0], price[1]
		}
		return t
	}
	inf := math.Inf(1)
	for i, y := range p.Data.Y {
		if p.C.Weight != nil {
			price = p.C.sides(i)
		}
		// Labels are hard to foresee: a table takes half the time of a branch.
		side := math.Float64bits(y) >> 63 // 1 for a negative row
		t.low[i], t.high[i] = [2]float64{1, -inf}[side], [2]float64{inf, -1}[side]
		t.under[i], t.over[i] = [2]float64{price[0], 0}[side], [2]float64{0, price[1]}[side]
	}
	return t
}

func (t *task) len() int { return len(t.low) }

// box returns the range of βᵢ.
func (t *task) box(i int) (lo, hi float64) {
	lo, hi = -t.over[i], t.under[i]
	if t.squared {
		if lo < 0 {
			lo = math.Inf(-1)
		}
		if hi > 0 {
			hi = math.Inf(1)
		}
	}
	return lo, hi
}

// loss returns φᵢ(s). Under the hard margin it is 0 or +Inf.
func (t *task) loss(i int, s float64) float64 {
	if t.logistic {
		return t.logisticLoss(i, s)
	}
	excess, price := t.low[i]-s, t.under[i]
	if s > t.high[i] {
		excess, price = s-t.high[i], t.over[i]
	}
	switch {
	case !(excess > 0):
		return 0
	case t.squared:
		return price * excess * excess
	}
	return price * excess
}

// dual returns dᵢ(β) for β in the box.
func (t *task) dual(i int, beta float64) float64 {
	edge, price := t.low[i], t.under[i]
	switch {
	case t.logistic:
		return t.logisticDual(i, beta)
	case beta == 0:
		return 0
	case beta < 0:
		edge, price = t.high[i], t.over[i]
	}
	d := beta * edge
	if t.squared {
		d -= beta * beta / (4 * price)
	}
	return d
}

// excess returns φᵢ(f) + φᵢ*(−β) + βf = φᵢ(f) − dᵢ(β) + βf for β in the box. It is ≥ 0, zero
// exactly if f is optimal for β, and Σ excess is the duality gap (for w = Σβᵢφ(xᵢ), and
// Σβᵢ = 0 if the bias is free). Every case is a sum of terms ≥ 0, so nothing cancels.
func (t *task) excess(i int, beta, f float64) float64 {
	if t.logistic {
		return max(0, t.logisticLoss(i, f)-t.logisticDual(i, beta)+beta*f)
	}
	// Seen from the side that β is on: x is how far f lies inside of that edge, price what it
	// costs to be outside, other the cost beyond the other edge.
	x, price := f-t.low[i], t.under[i]
	other := math.Max(0, f-t.high[i])
	otherPrice := t.over[i]
	if beta < 0 || beta == 0 && t.under[i] == 0 {
		beta, x, price = -beta, t.high[i]-f, t.over[i]
		other, otherPrice = math.Max(0, t.low[i]-f), t.under[i]
	}
	switch {
	case t.squared && price > 0 && x < 0:
		d := -x - beta/(2*price)
		x = price * d * d
	case t.squared && beta > 0:
		x = beta*x + beta*beta/(4*price)
	case x < 0:
		x *= beta - price
	case beta > 0:
		x *= beta
	default:
		x = 0
	}
	switch {
	case other == 0:
		return x
	case t.squared:
		return x + otherPrice*other*other
	}
	return x + otherPrice*other
}

// hard reports whether the margin is hard: prices are infinite.
func (t *task) hard() bool { return math.IsInf(t.under[0]+t.over[0], 1) }

// twoSided reports whether rows have two edges, as in regression.
func (t *task) twoSided() bool { return t.under[0] > 0 && t.over[0] > 0 }

// optimal returns the scores at which row i and its βᵢ satisfy the optimality conditions,
// −βᵢ ∈ ∂φᵢ(s): an interval, often a point.
func (t *task) optimal(i int, beta float64) (from, to float64) {
	switch {
	case t.logistic:
		s := t.logisticScore(i, beta)
		return s, s
	case beta == 0:
		return t.low[i], t.high[i]
	case t.squared && beta > 0:
		s := t.low[i] - beta/(2*t.under[i])
		return s, s
	case t.squared:
		s := t.high[i] - beta/(2*t.over[i])
		return s, s
	case beta >= t.under[i]:
		return math.Inf(-1), t.low[i]
	case beta > 0:
		return t.low[i], t.low[i]
	case beta <= -t.over[i]:
		return t.high[i], math.Inf(1)
	}
	return t.high[i], t.high[i]
}

// The logistic loss has no edges; its β satisfies 0 < βᵢyᵢ < cᵢ.

func (t *task) logisticSide(i int) (y, c float64) {
	if t.under[i] > 0 {
		return 1, t.under[i]
	}
	return -1, t.over[i]
}

func (t *task) logisticLoss(i int, s float64) float64 {
	y, c := t.logisticSide(i)
	return c * loss.Logistic{}.Value(s, y)
}

func (t *task) logisticDual(i int, beta float64) float64 {
	y, c := t.logisticSide(i)
	return -c * loss.Logistic{}.Conjugate(-beta/c, y)
}

func (t *task) logisticScore(i int, beta float64) float64 {
	y, c := t.logisticSide(i)
	a := beta * y / c
	return y * (math.Log1p(-a) - math.Log(a))
}
