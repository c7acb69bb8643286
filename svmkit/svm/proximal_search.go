package svm

import (
	"math"

	"github.com/svmkit/course/svmkit/internal/simd"
)

// search returns the step along p to a point where the slope of the smoothed objective is at most
// a share of that at 0; ok is false if p does not lead downhill as far as rounding lets us see.
//
// The slope rises along the line and is piecewise linear: Newton's method on it ends at the
// zero, with bisection where a step would leave the bracket.
func (s *proximalState) search() (step float64, ok bool) {
	s.x.mul(s.score, s.p)
	s.r.epochs++
	n := len(s.score)
	for k, v := range s.score {
		s.rate[k] = -s.sign[k] * v
	}
	for k := n; k < len(s.rate); k++ {
		s.rate[k] = -s.sign[k] * s.score[k-n]
	}
	var first, linear, square float64
	for j, p := range s.p {
		first += s.g[j] * p
		linear += s.ridge[j] * s.w[j] * p
		square += s.ridge[j] * p * p
	}
	slopes := func(step float64) (slope, curvature float64) {
		slope, curvature = simd.RampSlope(step, s.top, s.at, s.rate, s.price)
		return linear + step*square + slope/s.width, square + curvature/s.width
	}
	if !(first < 0) {
		return 0, false
	}
	lo, hi, step := 0.0, math.Inf(1), 1.0
	for range searchLooks {
		slope, curvature := slopes(step)
		if math.Abs(slope) <= searchShare*-first {
			return step, true
		}
		if slope < 0 {
			lo = step
		} else {
			hi = step
		}
		next := step - slope/curvature
		if !(next > lo && next < hi) {
			if next = lo + (hi-lo)/2; math.IsInf(hi, 1) {
				next = 2 * step
			}
		}
		if next == step {
			break
		}
		step = next
	}
	return lo, lo > 0
}

const (
	// searchShare is the share of the first slope that may be left.
	searchShare = 0.1
	// searchLooks is enough for bisection to come to the last bit.
	searchLooks = 60
)
