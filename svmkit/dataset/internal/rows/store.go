// Package rows collects the rows and labels of a data file, and parses blocks of LIBSVM text.
package rows

import "github.com/svmkit/course/svmkit"

// Label is one label as a file has it: a number, or a name.
type Label struct {
	Value float64 // NaN for another label, see AllowOther of package dataset
	Name  int32   // the number of a text, from 1; 0 if Value in its shortest spelling is the text
}

// Store collects rows in a few large arrays. Arrays do not grow once rows point into
// them: each new one is an eighth as large as all before, so at most an eighth of the memory is
// unused.
type Store struct {
	Dim     int         // columns of a dense row; 0: rows are sparse
	values  [][]float64 // the last one is being filled
	index   [][]int32   // parallel to values; empty for dense rows
	lengths []int32     // of the sparse rows
	total   int         // numbers stored
	N       int         // rows stored
	Labels  Labels
}

const (
	firstBlock = 512
	mostBlock  = 1 << 20 // numbers: 8 MB
)

// Add copies x, of Dim columns or sparse, and its label.
func (s *Store) Add(x svmkit.Row, l Label) {
	m := len(x.Value)
	last := len(s.values) - 1
	if last < 0 || cap(s.values[last])-len(s.values[last]) < m {
		s.closeBlock()
		size := max(firstBlock, min(mostBlock, s.total/8))
		if s.Dim > 0 {
			size = size / s.Dim * s.Dim // a whole number of rows
		}
		size = max(size, m)
		s.values = append(s.values, make([]float64, 0, size))
		if s.Dim == 0 {
			s.index = append(s.index, make([]int32, 0, size))
		}
		last++
	}
	s.values[last] = append(s.values[last], x.Value...)
	if s.Dim == 0 {
		s.index[last] = append(s.index[last], x.Index...)
		s.lengths = append(s.lengths, int32(m))
	}
	s.total += m
	s.N++
	s.Labels.Add(l)
}

// closeBlock shrinks the last array, if much of it is unused, before a new one is begun.
func (s *Store) closeBlock() {
	last := len(s.values) - 1
	if last < 0 || len(s.values[last]) > cap(s.values[last])/8*7 {
		return
	}
	s.values[last] = append(make([]float64, 0, len(s.values[last])), s.values[last]...)
	if s.Dim == 0 {
		s.index[last] = append(make([]int32, 0, len(s.index[last])), s.index[last]...)
	}
}

// Rows returns the rows, which share the arrays.
func (s *Store) Rows() []svmkit.Row {
	s.closeBlock()
	rows := make([]svmkit.Row, 0, s.N)
	for b, values := range s.values {
		for k := 0; k < len(values) || s.Dim == 0; {
			m := s.Dim
			if m == 0 {
				if len(rows) == s.N || k+int(s.lengths[len(rows)]) > len(values) {
					break // the next row is in the next array
				}
				m = int(s.lengths[len(rows)])
			}
			x := svmkit.Row{Value: values[k : k+m : k+m]}
			if s.Dim == 0 {
				x.Index = s.index[b][k : k+m : k+m]
			}
			rows = append(rows, x)
			k += m
		}
	}
	return rows
}

// AddBlock appends the rows of a block, which keeps its arrays.
func (s *Store) AddBlock(b *Block) {
	s.values, s.index = append(s.values, b.value), append(s.index, b.index)
	s.lengths = append(s.lengths, b.lengths...)
	s.total += len(b.value)
	s.N += len(b.labels)
	for _, v := range b.labels {
		s.Labels.Add(Label{Value: v})
	}
}

// Labels collects labels in arrays of constant size, to be joined at the end.
type Labels struct {
	values [][]float64
	Names  []int32 // of the rows; rows from len(Names) on have numbers, so it is empty until a label has a name
	n      int
}

// Add appends a label.
func (s *Labels) Add(l Label) {
	const size = 1 << 13
	if s.n%size == 0 {
		s.values = append(s.values, make([]float64, 0, size))
	}
	last := len(s.values) - 1
	s.values[last] = append(s.values[last], l.Value)
	s.n++
	if l.Name != 0 || len(s.Names) > 0 {
		for len(s.Names) < s.n-1 {
			s.Names = append(s.Names, 0)
		}
		s.Names = append(s.Names, l.Name)
	}
}

// Join returns the values of all labels.
func (s *Labels) Join() []float64 {
	y := make([]float64, 0, s.n)
	for _, block := range s.values {
		y = append(y, block...)
	}
	s.values = nil
	return y
}

// FirstAlone reports whether no other row has the name of the first label, while two or more others
// stand twice or more.
func (s *Labels) FirstAlone() bool {
	count := map[int32]int{}
	for _, k := range s.Names {
		count[k]++
	}
	if count[s.Names[0]] > 1 || len(count) < 3 {
		return false
	}
	delete(count, s.Names[0])
	for _, n := range count {
		if n < 2 {
			return false
		}
	}
	return true
}
