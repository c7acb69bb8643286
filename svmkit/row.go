package svmkit

import (
	"fmt"
	"math"
	"slices"
)

// Row is one example x ∈ ℝᵈ, dense or sparse.
//
// In a dense row, Index is nil and Value holds all d numbers. In a sparse row, Value[k] belongs to
// column Index[k], the indices rise strictly, and all other columns are zero. The rows of one
// [Dataset] share one backing array and must not be written to.
type Row struct {
	Index []int32
	Value []float64
}

// Dense returns v as a row, without a copy.
func Dense(v ...float64) Row { return Row{Value: v} }

// Dot returns ⟨w,x⟩. It panics unless len(w) equals the length of a dense row, or exceeds the
// largest index of a sparse row.
func (x Row) Dot(w []float64) float64 {
	if x.Index == nil {
		mustMatch(len(x.Value), len(w))
		s := 0.0
		for j, v := range x.Value {
			s += v * w[j]
		}
		return s
	}
	s := 0.0
	for k, j := range x.Index {
		s += x.Value[k] * w[j]
	}
	return s
}

// AddTo adds a·x to w in place. It needs the same lengths as [Row.Dot].
func (x Row) AddTo(w []float64, a float64) {
	if x.Index == nil {
		mustMatch(len(x.Value), len(w))
		for j, v := range x.Value {
			w[j] += a * v
		}
		return
	}
	for k, j := range x.Index {
		w[j] += a * x.Value[k]
	}
}

// DotRow returns ⟨x,z⟩ for two rows of the same space, each dense or sparse.
func (x Row) DotRow(z Row) float64 {
	switch {
	case z.Index == nil:
		return x.Dot(z.Value)
	case x.Index == nil:
		return z.Dot(x.Value)
	}
	s := 0.0
	for i, k := 0, 0; i < len(x.Index) && k < len(z.Index); {
		switch {
		case x.Index[i] < z.Index[k]:
			i++
		case x.Index[i] > z.Index[k]:
			k++
		default:
			s += x.Value[i] * z.Value[k]
			i++
			k++
		}
	}
	return s
}

// SquaredNorm returns ‖x‖².
func (x Row) SquaredNorm() float64 {
	s := 0.0
	for _, v := range x.Value {
		s += v * v
	}
	return s
}

// Norm returns ‖x‖, the Euclidean length, even if ‖x‖² overflows or underflows.
func (x Row) Norm() float64 {
	const tiny = 0x1p-970 // below it, squares may have lost digits to underflow
	s := x.SquaredNorm()
	if s >= tiny && !math.IsInf(s, 1) {
		return math.Sqrt(s)
	}
	largest := 0.0
	for _, v := range x.Value {
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 || math.IsInf(largest, 1) || math.IsNaN(largest) {
		return largest
	}
	s = 0
	for _, v := range x.Value {
		s += (v / largest) * (v / largest)
	}
	return largest * math.Sqrt(s)
}

// At returns column j of x. It is 0 beyond the last index of a sparse row.
func (x Row) At(j int) float64 {
	if x.Index == nil {
		return x.Value[j]
	}
	if k, stored := slices.BinarySearch(x.Index, int32(j)); stored {
		return x.Value[k]
	}
	return 0
}

// ToDense returns a new slice of length d that holds x.
func (x Row) ToDense(d int) []float64 {
	w := make([]float64, d)
	x.AddTo(w, 1)
	return w
}

func mustMatch(have, want int) {
	if have != want {
		panic(fmt.Sprintf("svmkit: a dense row of %d columns meets a vector of %d", have, want))
	}
}
