package core

import "math"

// medianBias is BestBias for absolute losses. The derivative with respect to b is Sum − Σ Underᵢ at
// b = −∞. It rises by Underᵢ at Lowᵢ − sᵢ and by Overᵢ at Highᵢ − sᵢ. Both sides occur, or Sum > 0,
// so it ends above zero. The minimum is where the derivative changes sign; it is an interval if the
// derivative is zero between two steps.
//
// A sample of the rows first determines a range of biases, so that only steps within this range
// have to be searched.
func (t *Task) medianBias(scores []float64) (from, to float64) {
	if part, s := t.biasSample(scores); part != nil {
		// The standard error of the sample's derivative is about half the root of the sum of its
		// squared costs.
		const deviations = 4
		squares := 0.0
		for i := range part.Loss {
			l := &part.Loss[i]
			squares += l.Under*l.Under + l.Over*l.Over
		}
		doubt := deviations / 2 * math.Sqrt(squares)
		all := part.steps(s, math.Inf(-1), math.Inf(1))
		left, _ := all.zero(doubt)
		_, right := all.zero(-doubt)
		if near := t.steps(scores, left, right); near.surround() {
			return near.zero(0)
		}
	}
	return t.steps(scores, math.Inf(-1), math.Inf(1)).zero(0)
}

// biasStep is a place where the derivative with respect to b rises by cost.
type biasStep struct{ at, cost float64 }

// biasSteps is the derivative of Σφᵢ(sᵢ + b) with respect to b for absolute losses, between two
// biases.
type biasSteps struct {
	list   []biasStep
	before compensated // the derivative to the left of the steps
	tie    float64     // zero is −tie … tie: costs such as 0.1 cancel only up to rounding
}

// steps returns the derivative between left and right.
func (t *Task) steps(scores []float64, left, right float64) *biasSteps {
	d := &biasSteps{}
	d.before.add(t.Sum)
	for _, part := range EachBlock(t, func(from, to int) *biasSteps {
		return t.stepsOf(scores, from, to, left, right)
	}) {
		d.list = append(d.list, part.list...)
		d.before.add(part.before.sum)
		d.before.add(part.before.lost)
		d.tie += part.tie
	}
	return d
}

// stepsOf is steps for rows from ≤ i < to, without Sum.
func (t *Task) stepsOf(scores []float64, from, to int, left, right float64) *biasSteps {
	d, size := &biasSteps{}, 0.0
	step := func(at, cost float64) {
		size += cost
		if at < left {
			d.before.add(cost)
		} else if at <= right {
			d.list = append(d.list, biasStep{at, cost})
		}
	}
	for i := from; i < to; i++ {
		l, s := &t.Loss[i], scores[i]
		if l.Under > 0 {
			d.before.add(-l.Under)
			step(l.Low-s, l.Under)
		}
		if l.Over > 0 {
			step(l.High-s, l.Over)
		}
	}
	d.tie = 4 * Roundoff * size
	return d
}

// surround reports whether the derivative is below zero to the left of the steps and above zero to
// their right.
func (d *biasSteps) surround() bool {
	after := d.before
	for _, p := range d.list {
		after.add(p.cost)
	}
	return d.before.value() < -d.tie && after.value() > d.tie
}

// zero returns where the derivative plus more changes sign. If that is beyond the steps, it returns
// an infinite bias. It reorders the steps.
//
// It finds the place in O(n), without sorting: a pivot splits the steps, and the sum of the costs
// on its left tells on which side to continue (a weighted quickselect).
func (d *biasSteps) zero(more float64) (from, to float64) {
	from, to = math.Inf(-1), math.Inf(1)
	steps, derivative, tie := d.list, d.before, d.tie
	derivative.add(more)
	// The derivative passes zero among steps. Its value to the left of steps is derivative. The
	// nearest steps that were ruled out are at left and right.
	left, right := from, to
	for len(steps) > 0 {
		pivot := middleOf(steps[0].at, steps[len(steps)/2].at, steps[len(steps)-1].at)
		below, above := 0, len(steps) // steps[:below] are left of the pivot, steps[above:] right
		last, next := left, right
		before := derivative
		for k := 0; k < above; {
			switch p := steps[k]; {
			case p.at < pivot:
				before.add(p.cost)
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
			after.add(p.cost)
		}
		switch v := before.value(); {
		case v > tie:
			steps, right = steps[:below], pivot
			continue
		case v >= -tie:
			if math.IsInf(last, -1) { // all costs on the left count as zero
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

// middleOf returns the median of three numbers.
func middleOf(a, b, c float64) float64 { return max(min(a, b), min(max(a, b), c)) }
