package dataset

import "github.com/svmkit/course/svmkit"

// store collects rows in a few large arrays. Arrays do not grow once rows point into
// them: each new one is an eighth as large as all before, so at most an eighth of the memory is
// unused.
type store struct {
	dim     int         // columns of a dense row; 0: rows are sparse
	values  [][]float64 // the last one is being filled
	index   [][]int32   // parallel to values; empty for dense rows
	lengths []int32     // of the sparse rows
	total   int         // numbers stored
	n       int         // rows stored
	labels  labelStore
}

const (
	firstBlock = 512
	mostBlock  = 1 << 20 // numbers: 8 MB
)

// add copies x, of store.dim columns or sparse.
func (s *store) add(x svmkit.Row, l label) {
	m := len(x.Value)
	last := len(s.values) - 1
	if last < 0 || cap(s.values[last])-len(s.values[last]) < m {
		s.closeBlock()
		size := max(firstBlock, min(mostBlock, s.total/8))
		if s.dim > 0 {
			size = size / s.dim * s.dim // a whole number of rows
		}
		size = max(size, m)
		s.values = append(s.values, make([]float64, 0, size))
		if s.dim == 0 {
			s.index = append(s.index, make([]int32, 0, size))
		}
		last++
	}
	s.values[last] = append(s.values[last], x.Value...)
	if s.dim == 0 {
		s.index[last] = append(s.index[last], x.Index...)
		s.lengths = append(s.lengths, int32(m))
	}
	s.total += m
	s.n++
	s.labels.add(l)
}

// closeBlock shrinks the last array, if much of it is unused, before a new one is begun.
func (s *store) closeBlock() {
	last := len(s.values) - 1
	if last < 0 || len(s.values[last]) > cap(s.values[last])/8*7 {
		return
	}
	s.values[last] = append(make([]float64, 0, len(s.values[last])), s.values[last]...)
	if s.dim == 0 {
		s.index[last] = append(make([]int32, 0, len(s.index[last])), s.index[last]...)
	}
}

// rows returns the rows, which share the arrays.
func (s *store) rows() []svmkit.Row {
	s.closeBlock()
	rows := make([]svmkit.Row, 0, s.n)
	for b, values := range s.values {
		for k := 0; k < len(values) || s.dim == 0; {
			m := s.dim
			if m == 0 {
				if len(rows) == s.n || k+int(s.lengths[len(rows)]) > len(values) {
					break // the next row is in the next array
				}
				m = int(s.lengths[len(rows)])
			}
			x := svmkit.Row{Value: values[k : k+m : k+m]}
			if s.dim == 0 {
				x.Index = s.index[b][k : k+m : k+m]
			}
			rows = append(rows, x)
			k += m
		}
	}
	return rows
}

// labelStore collects labels in arrays of constant size, to be joined at the end.
type labelStore struct {
	values [][]float64
	names  []int32 // as for codeAll: empty until a label is a name
	n      int
}

func (s *labelStore) add(l label) {
	const size = 1 << 13
	if s.n%size == 0 {
		s.values = append(s.values, make([]float64, 0, size))
	}
	last := len(s.values) - 1
	s.values[last] = append(s.values[last], l.value)
	s.n++
	if l.name != 0 || len(s.names) > 0 {
		for len(s.names) < s.n-1 {
			s.names = append(s.names, 0)
		}
		s.names = append(s.names, l.name)
	}
}

func (s *labelStore) join() []float64 {
	y := make([]float64, 0, s.n)
	for _, block := range s.values {
		y = append(y, block...)
	}
	s.values = nil
	return y
}
