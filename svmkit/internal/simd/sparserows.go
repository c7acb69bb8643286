package simd

// SparseRows are the rows of a sparse matrix in one block of memory. Their indices are checked
// once, when they are set, so a product with all rows checks no index and is one call.
type SparseRows struct {
	columns int
	start   []int // start of each row in index and value, and the end of the last row
	index   []int32
	value   []float64
}

// NewSparseRows returns a matrix of len(start) − 1 rows in the given memory. Set stores row i,
// which has start[i+1] − start[i] values. NewSparseRows panics unless start increases from 0 to the
// length of both index and value.
func NewSparseRows(columns int, start []int, index []int32, value []float64) *SparseRows {
	if len(start) == 0 || start[0] != 0 || start[len(start)-1] != len(index) ||
		len(index) != len(value) {
		panic("simd: sparse rows whose starts do not match the memory")
	}
	for i, from := range start[1:] {
		if from < start[i] {
			panic("simd: sparse rows whose starts do not rise")
		}
	}
	clear(index) // a row that is never set must be in range as well
	return &SparseRows{columns: columns, start: start, index: index, value: value}
}

// Set copies row i, which has value[k] in column index[k]. Several goroutines may set different
// rows at the same time. It panics unless both slices have the length that start gives the row, and
// if an index is not a column.
func (m *SparseRows) Set(i int, index []int32, value []float64) {
	from, to := m.start[i], m.start[i+1]
	if len(index) != to-from || len(value) != to-from {
		panic("simd: a sparse row of another length than its start says")
	}
	for _, j := range index {
		if uint(j) >= uint(m.columns) {
			panic("simd: a sparse row with an index that is no column")
		}
	}
	copy(m.index[from:to], index)
	copy(m.value[from:to], value)
}

// Row returns the columns and the values of row i, which must not be changed.
func (m *SparseRows) Row(i int) (index []int32, value []float64) {
	from, to := m.start[i], m.start[i+1]
	return m.index[from:to:to], m.value[from:to:to]
}

// Len returns the number of rows.
func (m *SparseRows) Len() int { return len(m.start) - 1 }

// Mul sets out[i] = ⟨x,w⟩ for len(out) rows x, starting with the given row. It panics if w has
// fewer numbers than the matrix has columns, or out has more than there are rows.
//
// Without the assembly, a9a with the hinge takes 19 % longer. Benchmark: go run -C tools -tags
// purego ./bench -rows linear -loss hinge a9a
func (m *SparseRows) Mul(from int, w, out []float64) {
	if len(w) < m.columns || from < 0 || from+len(out) > m.Len() {
		panic("simd: a product of sparse rows with vectors that do not match")
	}
	mulSparse(m.start[from:from+len(out)+1], m.index, m.value, w, out)
}

// mulSparseGo is the generic version of Mul: row i of out is index[start[i]:start[i+1]] with its
// values.
func mulSparseGo(start []int, index []int32, value, w, out []float64) {
	for i := range out {
		a, b := start[i], start[i+1]
		index, value := index[a:b], value[a:b]
		var s0, s1, s2, s3 float64
		for len(index) >= 4 && len(value) >= 4 {
			s0 += value[0] * w[index[0]]
			s1 += value[1] * w[index[1]]
			s2 += value[2] * w[index[2]]
			s3 += value[3] * w[index[3]]
			index, value = index[4:], value[4:]
		}
		for k, j := range index {
			s0 += value[k] * w[j]
		}
		out[i] = (s0 + s1) + (s2 + s3)
	}
}
