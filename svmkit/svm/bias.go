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

// meanBias is bestBias for p = 2 where the demands of the rows contradict each other: the
// derivative rises strictly between lo, the strongest demand from above, and hi, the strongest
// from below, and is piecewise linear, so Newton's method ends in finitely many steps.
func (t *task) meanBias(scores []float64, lo, hi float64) float64 {
	start := lo + (hi-lo)/2
	if part := t.thinned(scores); part != nil {
		start = part.meanBias(part.scores, lo, hi)
	}
	return risingZero(lo, hi, start, func(b float64) (value, slope float64) {
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
	start, reach := 0.0, 1.0
	if part := t.thinned(scores); part != nil && part.bothSides() {
		start, reach = part.logisticBias(part.scores), 0.1
	}
	lo, hi := start-reach, start+reach
	for v, _ := derivative(lo); v > 0 && lo > -1e300; v, _ = derivative(lo) {
		lo, hi, reach = lo-2*reach, lo, 2*reach
	}
	for v, _ := derivative(hi); v < 0 && hi < 1e300; v, _ = derivative(hi) {
		lo, hi, reach = hi, hi+2*reach, 2*reach
	}
	return risingZero(lo, hi, min(max(start, lo), hi), derivative)
}

// risingZero returns the zero of a rising function between lo, where it is not positive, and
// hi, where it is not negative: Newton's method from start, with bisection where a step would leave the
// bracket or has not halved the value.
func risingZero(lo, hi, start float64, f func(b float64) (value, slope float64)) float64 {
	b, before := start, math.Inf(1)
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
