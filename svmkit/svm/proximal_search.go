package svm

import (
	"math"

	"github.com/svmkit/course/svmkit/internal/simd"
)

// search returns the step along p to a point where the slope of the smoothed objective is at most
// a share of that at 0; ok is false if p does not lead downhill as far as rounding lets us see.
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
	if !(first < 0) {
		return 0, false
	}
	return searchRay(func(step float64) (slope, curvature float64, enough bool) {
		slope, curvature = simd.RampSlope(step, s.top, s.at, s.rate, s.price)
		slope, curvature = linear+step*square+slope/s.width, square+curvature/s.width
		return slope, curvature, math.Abs(slope) <= searchShare*-first
	})
}

// searchShare is the share of the first slope that may be left.
const searchShare = 0.1
