package lab

import (
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
)

// Data of lessons: the record types and the functions that three lessons or more share. The
// generators of a lesson's own points stay in the lesson. A generator that a third lesson needs
// moves here.

// A Row is one row of a lesson's data.
type Row struct {
	X []float64
	Y float64 // label or target
}

// Dataset returns rows as a set of svmkit. Rows that are not a valid set end the cell.
func Dataset(rows []Row) *svmkit.Dataset {
	var s Sample
	for _, r := range rows {
		s.X, s.Y = append(s.X, r.X), append(s.Y, r.Y)
	}
	return s.Dataset()
}

// RowsOf returns the rows of a set.
func RowsOf(set *svmkit.Dataset) []Row {
	rows := make([]Row, set.Len())
	for i, x := range set.X {
		rows[i] = Row{x.ToDense(set.Dim), set.Y[i]}
	}
	return rows
}

// A Sample is a lesson's data by columns.
type Sample struct {
	X [][]float64
	Y []float64 // labels or targets
}

// Dataset returns the sample as a set of svmkit. A sample that is not a valid set ends the cell.
func (s Sample) Dataset() *svmkit.Dataset { return Must(svmkit.NewDataset(s.X, s.Y)) }

// With returns the sample with one more row.
func (s Sample) With(x []float64, y float64) Sample {
	return Sample{append(slices.Clone(s.X), x), append(slices.Clone(s.Y), y)}
}

// Clone returns a copy of the sample. A check hands it to the reader's function, which can then
// change no point that the check still needs.
func (s Sample) Clone() (all Sample) {
	for i, x := range s.X {
		all = all.With(slices.Clone(x), s.Y[i])
	}
	return all
}

// Only returns the named rows of the sample.
func (s Sample) Only(rows ...int) (few Sample) {
	for _, i := range rows {
		few.X, few.Y = append(few.X, s.X[i]), append(few.Y, s.Y[i])
	}
	return few
}

// Dot returns ⟨u,v⟩ by a plain loop.
func Dot(u, v []float64) (sum float64) {
	for j := range u {
		sum += u[j] * v[j]
	}
	return sum
}

// Norm returns ‖v‖.
func Norm(v []float64) float64 { return math.Sqrt(Dot(v, v)) }

// Plus returns v + s·x, in new memory.
func Plus(v []float64, s float64, x []float64) []float64 {
	sum := slices.Clone(v)
	for j := range sum {
		sum[j] += s * x[j]
	}
	return sum
}
