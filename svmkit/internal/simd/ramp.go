package simd

import "math"

// A ramp is the function clip(a) = min(max(a, 0), top): flat, then rising with slope 1, then flat
// again. With top = +Inf it rises for ever. Penalties whose derivatives are ramps are the squared
// hinge, and the hinge with its kink smoothed. These loops have one ramp per row.
//
// Without the assembly, fits with the hinge take longer: without RampSlope 31 % on magic and 44 %
// on a9a, without RampMove 39 and 23 %, and without RampValues 21 % on magic, of which AVX-512
// accounts for 4 %. Benchmark: go run -C tools -tags purego ./bench -rows linear -loss hinge magic
// a9a

// RampSlope returns the first and the second derivative, at step, of a sum of such penalties along
// a line on which the argument of ramp k is a[k] + step·c[k]:
//
//	slope = Σ weight[k]·clip(a[k] + step·c[k])·c[k],    curvature = Σ weight[k]·c[k]²,
//
// where the second sum is over the arguments strictly between 0 and top. It panics unless all
// slices have the same length.
func RampSlope(step, top float64, a, c, weight []float64) (slope, curvature float64) {
	if len(a) != len(c) || len(a) != len(weight) {
		panic("simd: RampSlope of slices of different lengths")
	}
	return rampSlope(step, top, a, c, weight)
}

// rampSlopeGo is the generic version of RampSlope.
func rampSlopeGo(step, top float64, a, c, weight []float64) (slope, curvature float64) {
	c, weight = c[:len(a)], weight[:len(a)]
	for k, v := range a {
		rate := c[k]
		u := v + step*rate
		if !(u > 0) {
			continue
		}
		rate *= weight[k]
		if u < top {
			slope += rate * u
			curvature += rate * c[k]
		} else {
			slope += rate * top
		}
	}
	return slope, curvature
}

// RampMove makes the step: a[k] becomes a[k] + step·c[k]. It returns the two sums that a duality
// gap is made of. With u = a[k] + step·c[k], the violation v = u − anchor[k], and r = clip(u),
//
//	loss = Σ weight[k]·max(0, v),    excess = Σ weight[k]·(top·max(0, v) − r·v)
//
// where each term of excess is ≥ 0. With top = +Inf the penalties are squares, which need no
// anchors: loss = Σ weight[k]·max(0, v)², and excess is 0. It panics unless all slices have the
// same length.
func RampMove(step, top float64, a, c, anchor, weight []float64) (loss, excess float64) {
	if len(a) != len(c) || len(a) != len(weight) || len(a) != len(anchor) {
		panic("simd: RampMove of slices of different lengths")
	}
	return rampMove(step, top, a, c, anchor, weight)
}

// rampMoveGo is the generic version of RampMove.
func rampMoveGo(step, top float64, a, c, anchor, weight []float64) (loss, excess float64) {
	c, anchor, weight = c[:len(a)], anchor[:len(a)], weight[:len(a)]
	if math.IsInf(top, 1) {
		for k := range a {
			a[k] += step * c[k]
			if v := a[k] - anchor[k]; v > 0 {
				loss += weight[k] * v * v
			}
		}
		return loss, 0
	}
	for k := range a {
		u := a[k] + step*c[k]
		a[k] = u
		v := u - anchor[k]
		r := min(max(u, 0), top)
		if v > 0 {
			loss += weight[k] * v
			excess += weight[k] * (top - r) * v
		} else {
			excess -= weight[k] * r * v
		}
	}
	return loss, excess
}
