package simd

// The tiles for sparse rows x. The other side is spread out, as a batch of pivots in a table with
// one line per column, so that each non-zero number of x is multiplied by one line. This beats the
// dense tiles if less than about 40 % of the numbers are not zero. With AVX2 instead of AVX-512,
// a9a takes 13 % longer (SparseGaussSums32), 15 % longer (SparseGaussSums64) and 5 % longer
// (SparseGaussBlock32). Benchmark: go run -C tools ./bench -rows kernel a9a

const (
	// Pivots32 is the number of pivots of a batch in float32: four registers of AVX-512, whose
	// products do not wait for each other.
	Pivots32 = 64
	Pivots64 = 32 // the same in float64
)

// Sparse is a set of rows that are checked once: the loops do not check its columns again.
type Sparse[T float32 | float64] struct {
	columns int
	start   []int // row i is at start[i] … start[i+1]
	index   []int32
	value   []T
	offset  []T // one per row, added to its exponents
}

// NewSparse returns rows of the given number of columns, where row i is in start[i] … start[i+1] of
// index and value. It shares the slices, which must not change any more. It panics if they do not
// form rows or a column is not in [0, columns).
func NewSparse[T float32 | float64](columns int, start []int, index []int32,
	value, offset []T) *Sparse[T] {
	n := len(offset)
	if len(start) != n+1 || start[0] != 0 || start[n] != len(index) || len(index) != len(value) {
		panic("simd: lengths of sparse rows do not match")
	}
	for i := range n {
		if start[i] > start[i+1] {
			panic("simd: sparse rows out of order")
		}
	}
	for _, j := range index {
		if j < 0 || int(j) >= columns {
			panic("simd: a column outside of the rows")
		}
	}
	return &Sparse[T]{columns, start, index, value, offset}
}

// Len returns the number of rows.
func (s *Sparse[T]) Len() int { return len(s.offset) }

// SparseGaussSums32 adds Σₚ weight[p]·2^(offsetᵢ + line[columns][p] + Σₖ xᵢₖ·line[k][p]) to sum[r],
// for len(sum) rows i = from + r of x. Line k of pivots is pivots[k·Pivots32:][:Pivots32]. The line
// after the columns holds the offsets of the pivots, so len(pivots) = (columns+1)·Pivots32, and
// len(weight) = Pivots32. The sum over p is formed in float32. Exponents and accuracy are those of
// GaussSums32.
func SparseGaussSums32(sum []float64, x *Sparse[float32], from int, pivots, weight []float32) {
	checkSparse(x, from, len(sum), len(pivots), len(weight), Pivots32)
	start, offset := x.start[from:from+len(sum)+1], x.offset[from:]
	sparseGaussSums32(sum, start, x.index, x.value, offset, pivots, weight)
}

// SparseGaussBlock32 sets to[r·Pivots32 + p] to the same powers of 2, for len(to)/Pivots32 rows.
func SparseGaussBlock32(to []float32, x *Sparse[float32], from int, pivots []float32) {
	checkSparse(x, from, len(to)/Pivots32, len(pivots), Pivots32, Pivots32)
	if len(to)%Pivots32 != 0 {
		panic("simd: a block of no whole rows")
	}
	start, offset := x.start[from:from+len(to)/Pivots32+1], x.offset[from:]
	sparseGaussBlock32(to, start, x.index, x.value, offset, pivots)
}

// SparseGaussSums64 is SparseGaussSums32 in float64, with lines of Pivots64.
func SparseGaussSums64(sum []float64, x *Sparse[float64], from int, pivots, weight []float64) {
	checkSparse(x, from, len(sum), len(pivots), len(weight), Pivots64)
	start, offset := x.start[from:from+len(sum)+1], x.offset[from:]
	sparseGaussSums64(sum, start, x.index, x.value, offset, pivots, weight)
}

func checkSparse[T float32 | float64](x *Sparse[T], from, n, pivots, weights, lanes int) {
	if from < 0 || n > x.Len()-from || pivots != (x.columns+1)*lanes || weights != lanes {
		panic("simd: lengths of a sparse tile do not match")
	}
}
