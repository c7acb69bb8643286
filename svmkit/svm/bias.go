package svm

import "math"

// bestBias returns the interval of biases b that minimise Σφᵢ(sᵢ + b), the part of the
// primal objective that depends on b, for given scores without bias.
//
// Row i wants b within [low[i] − sᵢ, high[i] − sᵢ]. If the intersection of all these is not
// empty, it is the answer. If it is empty, the answer depends on what the rows charge: a
// hard margin takes the b with the smallest violation, half-way between the strongest
// demands, for then a plane that separates needs only to be scaled; a price per distance
// leads to a weighted median ([task.medianBias]), a price per square to a weighted mean
// ([task.meanBias]).
func (t *task) bestBias(scores []float64) (from, to float64) {
	if t.logistic {
		b := t.logisticBias(scores)
		return b, b
	}
	from, to = math.Inf(-1), math.Inf(1)
	hard := false
	for i, s := range scores {
		if t.under[i] > 0 {
			from = max(from, t.low[i]-s)
		}
		if t.over[i] > 0 {
			to = min(to, t.high[i]-s)
		}
		hard = hard || math.IsInf(t.under[i]+t.over[i], 1)
	}
	switch {
	case from <= to:
		return from, to
	case hard:
		b := to + (from-to)/2
		return b, b
	case t.squared:
		b := t.meanBias(scores, to, from)
		return b, b
	}
	return t.medianBias(scores)
}

// medianBias is bestBias for p = 1. The derivative in b is −Σ under at b = −∞, where every
// lower edge pulls. It rises by under[i] at low[i] − sᵢ, where row i stops pulling up, and by
// over[i] at high[i] − sᵢ, where it starts to pull down. Both sides occur, so it ends above
// zero; the minimum is where it changes sign, an interval if it is zero between two steps.
//
// The place is found without sorting, in O(n): a pivot parts the steps, and the sum of the prices on
// its left says on which side to go on (a weighted quickselect).
func (t *task) medianBias(scores []float64) (from, to float64) {
	from, to = math.Inf(-1), math.Inf(1)
	type step struct{ at, price float64 }
	steps := make([]step, 0, 2*len(scores))
	var derivative, size compensated // the derivative at −∞, until steps are ruled out
	for i, s := range scores {
		if price := t.under[i]; price > 0 {
			steps = append(steps, step{t.low[i] - s, price})
			derivative.add(-price)
			size.add(price)
		}
		if price := t.over[i]; price > 0 {
			steps = append(steps, step{t.high[i] - s, price})
			size.add(price)
		}
	}
	tie := 4 * epsilon * size.value() // prices like 0.1 cancel only up to rounding
	// The derivative passes zero somewhere among steps; derivative is its value to the left of them,
	// left and right are the places of the steps next to them that were ruled out.
	left, right := from, to
	for len(steps) > 0 {
		pivot := middleOf(steps[0].at, steps[len(steps)/2].at, steps[len(steps)-1].at)
		below, above := 0, len(steps) // steps[:below] are left of the pivot, steps[above:] right of it
		last, next := left, right
		before := derivative
		for k := 0; k < above; {
			switch p := steps[k]; {
			case p.at < pivot:
				before.add(p.price)
				last = max(last, p.at)
				steps[k], steps[below] = steps[below], p
				below, k = below+1, k+1
			case p.at > pivot:
				next = min(next, p.at)
				above--
				steps[k], steps[above] = steps[above], p
			default:
				k++
			}
		}
		after := before
		for _, p := range steps[below:above] {
			after.add(p.price)
		}
		switch d := before.value(); {
		case d > tie:
			steps, right = steps[:below], pivot
			continue
		case d >= -tie:
			return last, pivot
		}
		switch d := after.value(); {
		case d > tie:
			return pivot, pivot
		case d >= -tie && !math.IsInf(next, 1):
			return pivot, next
		}
		steps, left, derivative = steps[above:], pivot, after
	}
	return from, to // not reached: the derivative ends above zero
}

// middleOf returns the second of three numbers in order.
func middleOf(a, b, c float64) float64 { return max(min(a, b), min(max(a, b), c)) }

// meanBias is bestBias for p = 2 where the demands of the rows contradict each other: the
// derivative rises strictly between lo, the strongest demand from above, and hi, the strongest
// from below, and is piecewise linear, so Newton's method ends in finitely many steps.
func (t *task) meanBias(scores []float64, lo, hi float64) float64 {
	return risingZero(lo, hi, func(b float64) (value, slope float64) {
		for i, s := range scores {
			if e := t.low[i] - (s + b); e > 0 {
				value, slope = value-t.under[i]*e, slope+t.under[i]
			} else if e := t.high[i] - (s + b); e < 0 {
				value, slope = value-t.over[i]*e, slope+t.over[i]
			}
		}
		return value, slope
	})
}

// logisticBias is bestBias for the logistic loss. The derivative rises strictly, from below
// zero to above it since both labels occur.
func (t *task) logisticBias(scores []float64) float64 {
	derivative := func(b float64) (value, slope float64) {
		for i, s := range scores {
			y, c := t.logisticSide(i)
			p := 1 / (1 + math.Exp(y*(s+b)))
			value, slope = value-y*c*p, slope+c*p*(1-p)
		}
		return value, slope
	}
	lo, hi := -1.0, 1.0
	for v, _ := derivative(lo); v > 0 && lo > -1e300; v, _ = derivative(lo) {
		lo, hi = lo*2, lo
	}
	for v, _ := derivative(hi); v < 0 && hi < 1e300; v, _ = derivative(hi) {
		lo, hi = hi, hi*2
	}
	return risingZero(lo, hi, derivative)
}

// risingZero returns the zero of a rising function between lo, where it is not positive, and
// hi, where it is not negative: Newton's method, with bisection where a step would leave the
// bracket or has not halved the value.
func risingZero(lo, hi float64, f func(b float64) (value, slope float64)) float64 {
	b, before := lo+(hi-lo)/2, math.Inf(1)
	for range 200 { // bisection alone would need about 60
		value, slope := f(b)
		switch {
		case value < 0:
			lo = b
		case value > 0:
			hi = b
		default:
			return b
		}
		next := b - value/slope
		if !(next > lo && next < hi) || math.Abs(value) > before/2 {
			next = lo + (hi-lo)/2
		}
		before = math.Abs(value)
		if math.Abs(next-b) <= 2*epsilon*math.Abs(b) {
			return next
		}
		b = next
	}
	return b
}

// compensated is a sum that carries the rounding of its additions along (Neumaier 1974), so
// that terms which cancel do so to the last bit or two.
type compensated struct{ sum, lost float64 }

func (c *compensated) add(v float64) {
	s := c.sum + v
	if math.Abs(c.sum) >= math.Abs(v) {
		c.lost += (c.sum - s) + v
	} else {
		c.lost += (v - s) + c.sum
	}
	c.sum = s
}

func (c *compensated) value() float64 { return c.sum + c.lost }
