//go:build amd64 && !purego

package simd

func gaussSums32(sum []float64, panel, z, weight []float32, d int) {
	switch {
	case hasAVX512:
		gaussSums32AVX512(sum, panel, z, weight, d)
	case hasAVX2:
		gaussSums32AVX2(sum, panel, z, weight, d)
	default:
		gaussSums32Go(sum, panel, z, weight, d)
	}
}

func gaussBlock32(to, panel, z []float32, d int) {
	switch {
	case hasAVX512:
		gaussBlock32AVX512(to, panel, z, d)
	case hasAVX2:
		gaussBlock32AVX2(to, panel, z, d)
	default:
		gaussBlock32Go(to, panel, z, d)
	}
}

func gaussSums64(sum []float64, panel, z, weight []float64, d int) {
	switch {
	case hasAVX512:
		gaussSums64AVX512(sum, panel, z, weight, d)
	case hasAVX2:
		gaussSums64AVX2(sum, panel, z, weight, d)
	default:
		gaussSums64Go(sum, panel, z, weight, d)
	}
}

func gaussBoth64(sum, panel, z, weight []float64, d int, own, parts []float64) {
	switch {
	case hasAVX512:
		gaussBoth64AVX512(sum, panel, z, weight, d, own, parts)
	case hasAVX2:
		gaussBoth64AVX2(sum, panel, z, weight, d, own, parts)
	default:
		gaussBoth64Go(sum, panel, z, weight, d, own, parts)
	}
}

func sparseGaussSums32(sum []float64, x *Sparse[float32], from int, pivots, weight []float32) {
	start, offset := x.start[from:from+len(sum)+1], x.offset[from:]
	switch {
	case hasAVX512:
		sparseGaussSums32AVX512(sum, start, x.index, x.value, offset, pivots, weight)
	case hasAVX2:
		sparseGaussSums32AVX2(sum, start, x.index, x.value, offset, pivots, weight)
	default:
		sparseGaussSums32Go(sum, x, from, pivots, weight)
	}
}

func sparseGaussBlock32(to []float32, x *Sparse[float32], from int, pivots []float32) {
	start, offset := x.start[from:from+len(to)/Pivots32+1], x.offset[from:]
	switch {
	case hasAVX512:
		sparseGaussBlock32AVX512(to, start, x.index, x.value, offset, pivots)
	case hasAVX2:
		sparseGaussBlock32AVX2(to, start, x.index, x.value, offset, pivots)
	default:
		sparseGaussBlock32Go(to, x, from, pivots)
	}
}

func sparseGaussSums64(sum []float64, x *Sparse[float64], from int, pivots, weight []float64) {
	start, offset := x.start[from:from+len(sum)+1], x.offset[from:]
	switch {
	case hasAVX512:
		sparseGaussSums64AVX512(sum, start, x.index, x.value, offset, pivots, weight)
	case hasAVX2:
		sparseGaussSums64AVX2(sum, start, x.index, x.value, offset, pivots, weight)
	default:
		sparseGaussSums64Go(sum, x, from, pivots, weight)
	}
}

// The next two functions use assembly for full vectors and the generic version for the remainder.
// The remainder comes last, so of equal values the first one is found.

func movePair(score []float64, a, b []float32, pair [2]float64,
	up, down []float64) (most float64, first int, least float64) {
	n := len(score) &^ 7
	if n == 0 || !hasAVX2 {
		return movePairGo(score, a, b, pair, up, down)
	}
	if hasAVX512 {
		most, first, least = movePairAVX512(score[:n], a, b, pair[0], pair[1], up, down)
	} else {
		most, first, least = movePairAVX2(score[:n], a, b, pair[0], pair[1], up, down)
	}
	m, k, l := movePairGo(score[n:], a[n:], b[n:], pair, up[n:], down[n:])
	if m > most {
		most, first = m, n+k
	}
	return most, first, min(least, l)
}

func bestPartner(score, down, soft []float64, row []float32, u, own float64) int {
	n := len(score) &^ 7
	if n == 0 || !hasAVX2 {
		_, at := bestPartnerGo(score, down, soft, row, u, own)
		return at
	}
	var best float64
	var at int
	if hasAVX512 {
		best, at = bestPartnerAVX512(score[:n], down, soft, row, u, own)
	} else {
		best, at = bestPartnerAVX2(score[:n], down, soft, row, u, own)
	}
	if b, k := bestPartnerGo(score[n:], down[n:], soft[n:], row[n:], u, own); b > best {
		at = n + k
	}
	return at
}
