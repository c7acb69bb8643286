package simd

// DotSparse returns ⟨x,w⟩ for a sparse row x with value[k] in column index[k]: the sum of
// value[k]·w[index[k]]. It panics unless index and value have the same length, and if an
// index is negative or reaches past w.
func DotSparse(index []int32, value, w []float64) float64 {
	if len(index) != len(value) {
		panic("simd: DotSparse of a row with more indices than values, or fewer")
	}
	return dotSparse(index, value, w)
}

// AxpySparse adds a·x to w for a sparse row x, as in [DotSparse]. A column that is named
// twice is added twice, in order. At a bad index it panics; entries before it may already
// have been added.
func AxpySparse(a float64, index []int32, value, w []float64) {
	if len(index) != len(value) {
		panic("simd: AxpySparse of a row with more indices than values, or fewer")
	}
	axpySparse(a, index, value, w)
}

// dotSparseGo is the twin of DotSparse.
func dotSparseGo(index []int32, value, w []float64) float64 {
	var s0, s1, s2, s3 float64
	for len(index) >= 4 && len(value) >= 4 {
		s0 += value[0] * w[index[0]]
		s1 += value[1] * w[index[1]]
		s2 += value[2] * w[index[2]]
		s3 += value[3] * w[index[3]]
		index, value = index[4:], value[4:]
	}
	s := (s0 + s1) + (s2 + s3)
	for k, j := range index {
		s += value[k] * w[j]
	}
	return s
}

// axpySparseGo is the twin of AxpySparse.
func axpySparseGo(a float64, index []int32, value, w []float64) {
	value = value[:len(index)]
	for k, j := range index {
		w[j] += a * value[k]
	}
}
