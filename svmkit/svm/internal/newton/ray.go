package newton

import "math"

// searchRay looks for the minimum of a convex function along a ray, at a step > 0, from its slope and
// curvature there; the slope at 0 is negative. The zero of the slope stays between lo, where it is
// negative, and hi, where it is positive; Newton's method finds it, bisection when that leaves
// the bracket. look says, too, whether a step is good enough; if none is, the largest step known to
// fall all the way is taken, and ok is false if there is none.
func searchRay(look func(step float64) (slope, curvature float64, enough bool)) (step float64, ok bool) {
	const looks = 60 // bisection alone is then at the last bit
	lo, hi, step := 0.0, math.Inf(1), 1.0
	for range looks {
		slope, curvature, enough := look(step)
		if enough {
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
