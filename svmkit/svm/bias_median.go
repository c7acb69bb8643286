package svm

import "math"

// medianBias is bestBias for p = 1. The derivative in b is −Σ under at b = −∞, where every
// lower edge pulls. It rises by under[i] at low[i] − sᵢ, where row i stops pulling up, and by
// over[i] at high[i] − sᵢ, where it starts to pull down. Both sides occur, so it ends above
// zero; the minimum is where it changes sign, an interval if it is zero between two steps.
//
// Where rows are many, a part of them says first between which biases the others need to be looked at.
func (t *task) medianBias(scores []float64) (from, to float64) {
	if part := t.thinned(scores); part != nil {
		// What the part says of the derivative is off by about half of the root of its squared prices.
		const rare = 4
		doubt := rare / 2 * math.Sqrt(part.squaredPrices())
		all := part.steps(part.scores, math.Inf(-1), math.Inf(1))
		left, _ := all.zero(doubt)
		_, right := all.zero(-doubt)
		if near := t.steps(scores, left, right); near.surround() {
			return near.zero(0)
		}
	}
	return t.steps(scores, math.Inf(-1), math.Inf(1)).zero(0)
}

// biasStep is a place where the derivative in b rises by price.
type biasStep struct{ at, price float64 }

// biasSteps is the derivative of Σφᵢ(sᵢ + b) in b for p = 1, between two biases.
type biasSteps struct {
	list   []biasStep
	before compensated // the derivative on the left of them
	tie    float64     // what is as good as zero: prices like 0.1 cancel only up to rounding
}

// steps returns the derivative between left and right.
func (t *task) steps(scores []float64, left, right float64) *biasSteps {
	d, size := &biasSteps{}, compensated{}
	step := func(at, price float64) {
		size.add(price)
		if at < left {
			d.before.add(price)
		} else if at <= right {
			d.list = append(d.list, biasStep{at, price})
		}
	}
	for i, s := range scores {
		if price := t.under[i]; price > 0 {
			d.before.add(-price)
			step(t.low[i]-s, price)
		}
		if price := t.over[i]; price > 0 {
			step(t.high[i]-s, price)
		}
	}
	d.tie = 4 * epsilon * size.value()
	return d
}

// surround reports whether the derivative is below zero on the left of the steps and above it on the right.
func (d *biasSteps) surround() bool {
	after := d.before
	for _, p := range d.list {
		after.add(p.price)
	}
	return d.before.value() < -d.tie && after.value() > d.tie
}

// zero returns where the derivative and more together change sign, an infinite bias if it is beyond the
// steps. It reorders them.
//
// The place is found without sorting, in O(n): a pivot parts the steps, and the sum of the prices on
// its left says on which side to go on (a weighted quickselect).
func (d *biasSteps) zero(more float64) (from, to float64) {
	from, to = math.Inf(-1), math.Inf(1)
	steps, derivative, tie := d.list, d.before, d.tie
	derivative.add(more)
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
		switch v := before.value(); {
		case v > tie:
			steps, right = steps[:below], pivot
			continue
		case v >= -tie:
			if math.IsInf(last, -1) { // all prices on the left are as good as nothing
				last = pivot
			}
			return last, pivot
		}
		switch v := after.value(); {
		case v > tie:
			return pivot, pivot
		case v >= -tie:
			if math.IsInf(next, 1) {
				next = pivot
			}
			return pivot, next
		}
		steps, left, derivative = steps[above:], pivot, after
	}
	if derivative.value() > 0 {
		return from, from
	}
	return to, to
}

// middleOf returns the second of three numbers in order.
func middleOf(a, b, c float64) float64 { return max(min(a, b), min(max(a, b), c)) }

// compensated is a sum that carries the rounding of its additions along (Neumaier 1974), so
// that terms which cancel do so to the last bit or two. Which of two numbers is the larger is
// hard to foresee: Knuth's TwoSum finds the rounding without asking, and it is the same.
type compensated struct{ sum, lost float64 }

func (c *compensated) add(v float64) {
	s := c.sum + v
	was := s - v
	c.lost += (c.sum - was) + (v - (s - was))
	c.sum = s
}

func (c *compensated) value() float64 { return c.sum + c.lost }
