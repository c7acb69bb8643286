package core

import "math"

// BestBias returns the interval of biases b that minimise Σφᵢ(sᵢ + b) + Sum·b, the part of the
// primal objective that depends on b, for given scores without bias.
//
// Row i has no loss for b in [Lowᵢ − sᵢ, Highᵢ − sᵢ]. If the intersection of these intervals is not
// empty, it is the answer. Otherwise the answer depends on the losses. A hard margin takes the b of
// the smallest violation, because a plane that separates then needs only to be scaled. Absolute
// losses lead to a weighted median ([Task.medianBias]), and all other losses to the zero of a
// derivative ([Task.smoothBias]).
func (t *Task) BestBias(scores []float64) (from, to float64) {
	if t.Kind == Logistic {
		b := t.smoothBias(scores, math.Inf(-1), math.Inf(1))
		return b, b
	}
	if t.Sum > 0 {
		return t.medianBias(scores)
	}
	from, to = math.Inf(-1), math.Inf(1)
	for _, part := range EachBlock(t, func(start, end int) [2]float64 {
		return t.noLoss(scores, start, end)
	}) {
		from, to = max(from, part[0]), min(to, part[1])
	}
	switch {
	case from <= to:
		return from, to
	case t.Hard:
		b := to + (from-to)/2
		return b, b
	case t.Kind == Squared:
		b := t.smoothBias(scores, to, from)
		return b, b
	}
	return t.medianBias(scores)
}

// noLoss returns the interval of biases for which rows start ≤ i < end have no loss. The interval
// is empty if its first end is above its second.
func (t *Task) noLoss(scores []float64, start, end int) [2]float64 {
	from, to := math.Inf(-1), math.Inf(1)
	for i := start; i < end; i++ {
		l, s := &t.Loss[i], scores[i]
		if l.Under > 0 {
			from = max(from, l.Low-s)
		}
		if l.Over > 0 {
			to = min(to, l.High-s)
		}
	}
	return [2]float64{from, to}
}

// smoothBias is BestBias for the logistic loss, and for squared losses if every b has some loss.
// The derivative is strictly increasing. It is at most 0 at lo and at least 0 at hi, which may be
// infinite. The search starts at the best bias of a sample of the rows.
func (t *Task) smoothBias(scores []float64, lo, hi float64) float64 {
	start := lo/2 + hi/2
	if math.IsNaN(start) || math.IsInf(start, 0) {
		start = 0
	}
	if part, s := t.biasSample(scores); part != nil {
		start = part.smoothBias(s, lo, hi)
	}
	return risingZero(lo, hi, start, t.pulls(scores))
}

const (
	// From biasSampleFrom rows on, the search for the best bias starts with a sample of one row in
	// biasSampleOf. Without the sample, magic and cadata with a free bias take 1.1 to 1.4 times as
	// long with squared losses, and 1.0 to 1.2 times with absolute ones.
	// Benchmark: go run -C tools ./bench -rows free magic cadata
	biasSampleOf, biasSampleFrom = 16, 4096
)

// biasSample returns a sample of the rows with their scores. It returns nil if there are too few
// rows, or if the rows of the sample are all on one side, so that no bias is best.
func (t *Task) biasSample(scores []float64) (*Task, []float64) {
	if len(scores) < biasSampleFrom {
		return nil, nil
	}
	n := (len(scores) + biasSampleOf - 1) / biasSampleOf
	part := &Task{Form: Form{Kind: t.Kind}, Loss: make([]Loss, n), Workers: t.Workers}
	sample := make([]float64, n)
	under, over := false, false
	for k := range n {
		i := k * biasSampleOf
		part.Loss[k], sample[k] = t.Loss[i], scores[i]
		under, over = under || t.Loss[i].Under > 0, over || t.Loss[i].Over > 0
	}
	if !under || !over {
		return nil, nil
	}
	return part, sample
}

// pulls holds the derivative of the losses with respect to the bias, as the difference down − up of
// two sums of terms ≥ 0, and the second derivative.
type pulls struct{ up, down, slope float64 }

func (p *pulls) add(q pulls) {
	p.up, p.down, p.slope = p.up+q.up, p.down+q.down, p.slope+q.slope
}

// balanced reports whether the derivative at b is zero up to the rounding of b and of a few
// additions. It also returns true if the derivative is not a finite number, because its sign then
// says nothing.
func (p pulls) balanced(b float64) bool {
	const some = 8 * Roundoff
	off, rounding := math.Abs(p.down-p.up), some*p.up+some*p.down+some*p.slope*math.Abs(b)
	return !(off > rounding) && !math.IsInf(off, 1)
}

// pulls returns the derivative over all rows as a function of the bias, for given scores without
// bias. All losses must have a derivative.
func (t *Task) pulls(scores []float64) func(b float64) pulls {
	return func(b float64) (sum pulls) {
		parts := EachBlock(t, func(from, to int) (part pulls) {
			for i := from; i < to; i++ {
				beta, curvature := t.Loss[i].Derivatives(scores[i] + b)
				if beta > 0 {
					part.up += beta
				} else {
					part.down -= beta
				}
				part.slope += curvature
			}
			return part
		})
		for _, p := range parts {
			sum.add(p)
		}
		return sum
	}
}

// risingZero returns the zero of an increasing derivative between lo, where it is at most 0, and
// hi, where it is at least 0; both may be infinite. It uses Newton's method from start. If a step
// leaves the bracket, or has not halved the derivative, it bisects the bracket. As long as one end
// is infinite, it takes strides that grow fourfold.
func risingZero(lo, hi, start float64, derivative func(b float64) pulls) float64 {
	const most = 1600 // 3 are usual; 700 were needed if one cost was tiny compared with the others
	b, stride, before := start, 1.0, math.Inf(1)
	for range most {
		p := derivative(b)
		if p.balanced(b) {
			return b
		}
		value := p.down - p.up
		if value < 0 {
			lo = b
		} else {
			hi = b
		}
		next := b - value/p.slope
		open := math.IsInf(lo, -1) || math.IsInf(hi, 1)
		if !(next > lo && next < hi) || math.Abs(value) > before/2 ||
			open && math.Abs(next-b) > stride {
			if next = lo/2 + hi/2; open {
				next = min(max(b-math.Copysign(stride, value), -math.MaxFloat64), math.MaxFloat64)
				stride *= 4
			}
		}
		if next == b {
			break // nothing is left between lo and hi
		}
		b, before = next, math.Abs(value)
	}
	return b
}
