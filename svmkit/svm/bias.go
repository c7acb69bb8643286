package svm

import (
	"cmp"
	"math"
	"slices"
)

// bestBias returns the interval of biases b that minimise Σφᵢ(sᵢ + b), the part of the
// primal objective that depends on b, for given scores without bias.
//
// The function is convex in b. Each row contributes two break points: below low[i] − sᵢ it
// pulls up with under[i], above high[i] − sᵢ down with over[i], constantly if p = 1, in
// proportion to the distance if p = 2. Walking through the sorted break points, the derivative
// changes from negative to positive once; it is zero on the interval that is returned. When
// some free support vector has its score on an edge, the interval is the one bias that puts
// it there.
func (t *task) bestBias(scores []float64) (from, to float64) {
	if t.logistic {
		b := t.logisticBias(scores)
		return b, b
	}
	type breakPoint struct {
		at    float64
		price float64 // change of the derivative (p = 1) or of its slope (p = 2), > 0 from here on
		over  bool
	}
	points := make([]breakPoint, 0, 2*len(scores))
	// derivative = slope·b + constant; at b = −∞ every row with a lower edge pulls.
	slope, constant := 0.0, 0.0
	for i, s := range scores {
		if price := t.price(t.under[i]); price > 0 {
			points = append(points, breakPoint{t.low[i] - s, price, false})
			if t.squared {
				slope += 2 * price
				constant -= 2 * price * (t.low[i] - s)
			} else {
				constant -= price
			}
		}
		if price := t.price(t.over[i]); price > 0 {
			points = append(points, breakPoint{t.high[i] - s, price, true})
		}
	}
	slices.SortFunc(points, func(a, b breakPoint) int { return cmp.Compare(a.at, b.at) })

	from, to = math.NaN(), math.NaN()
	const tie = 1e-12 // sums of prices that should cancel do so up to rounding
	size := 0.0
	for _, p := range points {
		size += p.price
	}
	for k, p := range points {
		// Zero of the derivative in the piece that ends at p.at?
		if t.squared && slope > tie*size {
			if b := -constant / slope; b <= p.at && (k == 0 || b >= points[k-1].at) {
				return b, b
			}
		}
		if math.IsNaN(from) && math.Abs(slope*p.at+constant) <= tie*size && math.Abs(slope) <= tie*size && k > 0 {
			return points[k-1].at, p.at // flat here: every b of the piece is as good
		}
		switch {
		case t.squared && p.over:
			slope, constant = slope+2*p.price, constant-2*p.price*p.at
		case t.squared:
			slope, constant = slope-2*p.price, constant+2*p.price*p.at
		default:
			constant += p.price
			if constant > tie*size { // the derivative jumps from < 0 to > 0 at p.at
				return p.at, p.at
			}
		}
	}
	if t.squared && slope > tie*size {
		b := -constant / slope
		return b, b
	}
	if len(points) > 0 { // one side only: any b beyond the last break point is best
		last := points[len(points)-1].at
		return last, last
	}
	return 0, 0
}

// price bounds an infinite price: under a hard margin only the order of edges matters, and
// all prices are alike.
func (t *task) price(c float64) float64 {
	if math.IsInf(c, 1) {
		return 1
	}
	return c
}

// logisticBias finds the zero of the derivative by bisection: it rises strictly from below
// zero to above if both labels occur.
func (t *task) logisticBias(scores []float64) float64 {
	derivative := func(b float64) float64 {
		sum := 0.0
		for i, s := range scores {
			y, c := t.logisticSide(i)
			sum -= y * c / (1 + math.Exp(y*(s+b)))
		}
		return sum
	}
	lo, hi := -1.0, 1.0
	for derivative(lo) > 0 && lo > -1e300 {
		lo *= 2
	}
	for derivative(hi) < 0 && hi < 1e300 {
		hi *= 2
	}
	for range 200 {
		mid := lo + (hi-lo)/2
		if mid == lo || mid == hi {
			break
		}
		if derivative(mid) < 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo + (hi-lo)/2
}
