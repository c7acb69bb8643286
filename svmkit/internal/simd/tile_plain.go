//go:build !amd64 || purego

package simd

func gaussSums32(sum []float64, panel, z, weight []float32, d int) {
	gaussSums32Go(sum, panel, z, weight, d)
}

func gaussBlock32(to, panel, z []float32, d int) { gaussBlock32Go(to, panel, z, d) }

func gaussSums64(sum, panel, z, weight []float64, d int) { gaussSums64Go(sum, panel, z, weight, d) }

func gaussBoth64(sum, panel, z, weight []float64, d int, own, parts []float64) {
	gaussBoth64Go(sum, panel, z, weight, d, own, parts)
}

func sparseGaussSums32(sum []float64, x *Sparse[float32], from int, pivots, weight []float32) {
	sparseGaussSums32Go(sum, x, from, pivots, weight)
}

func sparseGaussBlock32(to []float32, x *Sparse[float32], from int, pivots []float32) {
	sparseGaussBlock32Go(to, x, from, pivots)
}

func sparseGaussSums64(sum []float64, x *Sparse[float64], from int, pivots, weight []float64) {
	sparseGaussSums64Go(sum, x, from, pivots, weight)
}

func movePair(score []float64, a, b []float32, pair [2]float64,
	up, down []float64) (most float64, first int, least float64) {
	return movePairGo(score, a, b, pair, up, down)
}

func bestPartner(score, down, soft []float64, row []float32, u, own float64) int {
	_, at := bestPartnerGo(score, down, soft, row, u, own)
	return at
}
