package simd

// SparseRows are the rows of a sparse matrix in one block of memory, with the indices checked once:
// so a product with all of them checks no index, and is one call for all rows.
type SparseRows struct {
	columns int
	start   []int // of each row in index and value, and the end of the last
	index   []int32
	value   []float64
}

// NewSparseRows returns a matrix of len(start) − 1 rows in the memory given. Set stores row i, which has
// start[i+1] − start[i] values. It panics unless start rises from 0 to the length of both index
// and value.
func NewSparseRows(columns int, start []int, index []int32, value []float64) *SparseRows {
	if len(start) == 0 || start[0] != 0 || start[len(start)-1] != len(index) || len(index) != len(value) {
		panic("simd: sparse rows whose starts do not match the memory")
	}
	for i, from := range start[1:] {
		if from < start[i] {
			panic("simd: sparse rows whose starts do not rise")
		}
	}
	clear(index) // a row that is never set must be in range, too
	return &SparseRows{columns: columns, start: start, index: index, value: value}
}

// Set copies row i, which has value[k] in column index[k]. Several rows may be set at once. It panics
// unless both have the length that start gives the row, and if an index is not a column.
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

// Mul sets out[i] = ⟨x,w⟩ for the rows x from the given one on, as many as out is long. It panics if
// w has fewer numbers than the matrix columns, or out more than there are rows.
//
// The assembly was chosen on a9a, hinge, row linear: 19 % slower without.
func (m *SparseRows) Mul(from int, w, out []float64) {
	if len(w) < m.columns || from < 0 || from+len(out) > m.Len() {
		panic("simd: a product of sparse rows with vectors that do not match")
	}
	mulSparse(m.start[from:from+len(out)+1], m.index, m.value, w, out)
}

// mulSparseGo is the twin of Mul: row i of out is index[start[i]:start[i+1]] with its values.
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
