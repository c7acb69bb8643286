package simd

// RampValues computes what a step along the ramps has changed. It sets
//
//	value[k] = weight[k]·(clip(a[k])·scale),
//
// and for each k for which this differs from the previous value[k], in increasing order, it puts k
// into moved and sign[k]·(new − old) into change. It returns the number of changes. A NaN counts as
// changed. It panics unless all slices have the same length.
func RampValues(top, scale float64, a, weight, sign, value []float64, moved []int32,
	change []float64) int {
	n := len(a)
	if len(weight) != n || len(sign) != n || len(value) != n || len(moved) != n ||
		len(change) != n {
		panic("simd: RampValues of slices of different lengths")
	}
	done, count := 0, 0
	if rampVectors != nil && n >= 8 {
		done = n &^ 7
		count = rampVectors(top, scale, a[:done], weight, sign, value, moved, change)
	}
	return rampValuesGo(top, scale, a, weight, sign, value, moved, change, done, count)
}

// rampValuesGo is the generic version of RampValues from place k on, when count changes are known.
func rampValuesGo(top, scale float64, a, weight, sign, value []float64, moved []int32,
	change []float64, k, count int) int {
	weight, sign, value = weight[:len(a)], sign[:len(a)], value[:len(a)]
	for ; k < len(a); k++ {
		v := weight[k] * (min(max(a[k], 0), top) * scale)
		if d := v - value[k]; d != 0 {
			value[k], moved[count], change[count] = v, int32(k), sign[k]*d
			count++
		}
	}
	return count
}
