package simd

// SparseRows are the rows of a sparse matrix in one block of memory, with the indices checked once:
// so a product with all of them need not look at each index, nor start anew for each row.
type SparseRows struct {
	columns int
	start   []int // of each row in index and value, and the end of the last
	index   []int32
	value   []float64
}

// NewSparseRows returns an empty matrix with room for rows and values.
func NewSparseRows(columns, rows, values int) *SparseRows {
	m := &SparseRows{columns: columns, start: make([]int, 1, rows+1), index: make([]int32, 0, values), value: make([]float64, 0, values)}
	return m
}

// Append adds a row that has value[k] in column index[k]. It panics unless the two have the same
// length, and if an index is not a column.
func (m *SparseRows) Append(index []int32, value []float64) {
	if len(index) != len(value) {
		panic("simd: a sparse row with more indices than values, or fewer")
	}
	for _, j := range index {
		if uint(j) >= uint(m.columns) {
			panic("simd: a sparse row with an index that is no column")
		}
	}
	m.index = append(m.index, index...)
	m.value = append(m.value, value...)
	m.start = append(m.start, len(m.index))
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
