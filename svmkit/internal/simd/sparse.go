package simd

// DotSparse returns ⟨x,w⟩ for a sparse row x with value[k] in column index[k], which is the sum of
// value[k]·w[index[k]]. It panics unless index and value have the same length, and if an index is
// negative or beyond w.
//
// It forms two sums. For the short rows of most data, more sums cost more at the end than they
// save.
func DotSparse(index []int32, value, w []float64) float64 {
	if len(index) != len(value) {
		panic("simd: DotSparse of a row with more indices than values, or fewer")
	}
	value = value[:len(index)]
	var s, odd float64
	k := 0
	for ; k+1 < len(index); k += 2 {
		s += value[k] * w[index[k]]
		odd += value[k+1] * w[index[k+1]]
	}
	if k < len(index) {
		s += value[k] * w[index[k]]
	}
	return s + odd
}

// AxpySparse adds a·x to w for a sparse row x as in [DotSparse]. A column that occurs twice is
// added twice, in order. It panics at an index outside w; entries before it may already have been
// added.
func AxpySparse(a float64, index []int32, value, w []float64) {
	if len(index) != len(value) {
		panic("simd: AxpySparse of a row with more indices than values, or fewer")
	}
	value = value[:len(index)]
	for k, j := range index {
		w[j] += a * value[k]
	}
}
