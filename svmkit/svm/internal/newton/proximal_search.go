package newton

import "math"

// search returns the step along p to a point where the slope of the smoothed objective is at most
// a share of that at 0; ok is false if p does not lead downhill as far as rounding lets us see.
func (s *proximalState) search() (step float64, ok bool) {
	var first, linear, square float64
	for j, p := range s.p {
		first += s.g[j] * p
		linear += s.ridge[j] * s.w[j] * p
		square += s.ridge[j] * p * p
	}
	if !(first < 0) {
		return 0, false
	}
	s.trial = 1 // where the search begins
	s.do(s.pass.rates)
	s.r.Iterations++
	known := true
	return searchRay(func(step float64) (slope, curvature float64, enough bool) {
		slope, curvature = s.rampSums(step, known)
		known = false
		slope, curvature = linear+step*square+slope/s.width, square+curvature/s.width
		return slope, curvature, math.Abs(slope) <= searchShare*-first
	})
}

// searchShare is the share of the first slope that may be left.
const searchShare = 0.1
