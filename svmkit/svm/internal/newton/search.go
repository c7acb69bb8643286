package newton

import "math"

// search moves (w, b) along p to a point where F is lower and its slope along p at most a
// tenth of the slope here; near the optimum the full step is such a point. It returns false,
// and does not move, if p does not lead downhill as far as rounding lets us see.
func (s *newtonState) search() bool {
	if !s.pass(func(from, to int) { s.multiply(s.q, s.p, from, to) }) {
		return true // evaluate will end the fit
	}
	_, slope, _ := s.ray(0)
	step, ok := s.minimizeRay(0.1 * math.Abs(slope))
	if ok {
		for j, p := range s.p {
			s.v[j] += step * p
		}
	}
	return ok
}

// polish moves a free b, and the scores with it, to its best place for w, where Σβᵢ = 0. A b
// that is already as good as any stays.
func (s *newtonState) polish() {
	from, to := s.t.BestBias(s.scores)
	if from <= 0 && 0 <= to {
		return
	}
	by := from + (to-from)/2
	s.v[s.t.Dim] += by
	for i := range s.scores {
		s.scores[i] += by
	}
}

// minimizeRay looks for a step > 0 with h(step) ≤ h(0) and |h′(step)| ≤ tolerance, where
// h(step) = F((w,b) + step·p). A look costs O(n), whatever the number of columns.
func (s *newtonState) minimizeRay(tolerance float64) (step float64, ok bool) {
	start, first, _ := s.ray(0)
	if !(first < 0) {
		return 0, false
	}
	return searchRay(func(step float64) (slope, curvature float64, enough bool) {
		value, slope, curvature := s.ray(step)
		return slope, curvature, math.Abs(slope) <= tolerance && value <= start+roundingOfF*math.Abs(start)
	})
}

// ray returns h(step), h′(step) and h″(step).
func (s *newtonState) ray(step float64) (value, slope, curvature float64) {
	for j, p := range s.p {
		v := s.v[j] + step*p
		value += s.ridge[j] * v * v / 2
		slope += s.ridge[j] * v * p
		curvature += s.ridge[j] * p * p
	}
	for i, q := range s.q {
		l, f := &s.t.Loss[i], s.scores[i]+step*q
		beta, curve := l.Derivatives(f)
		value += l.Value(f)
		slope -= beta * q
		curvature += curve * q * q
	}
	return value, slope, curvature
}
