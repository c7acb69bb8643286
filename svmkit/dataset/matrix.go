package dataset

import (
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/gonum/mat"
)

// FromMatrix copies a matrix x and its labels or targets y into a dense data set, and validates it.
// x has one example per row, and y has one number per row of x. The set has no names.
func FromMatrix(x mat.Matrix, y []float64) (*svmkit.Dataset, error) {
	if x == nil {
		return nil, &svmkit.ParamError{Name: "x", Value: nil, Need: "must not be nil"}
	}
	n, d := x.Dims()
	if n == 0 || d == 0 {
		return nil, &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrEmpty}
	}
	flat := make([]float64, n*d)
	mat.NewDense(n, d, flat).Copy(x)
	set := &svmkit.Dataset{X: svmkit.DenseRows(flat, d), Y: append([]float64(nil), y...), Dim: d}
	if err := set.Validate(); err != nil {
		return nil, err
	}
	return set, nil
}

// ToMatrix returns a new n×d matrix that holds the rows of set, with the zeros of sparse rows.
//
// The labels are mat.NewVecDense(set.Len(), set.Y). An empty set gives an empty matrix.
func ToMatrix(set *svmkit.Dataset) *mat.Dense {
	if set.Len() == 0 || set.Dim == 0 {
		return &mat.Dense{}
	}
	m := mat.NewDense(set.Len(), set.Dim, nil)
	for i, x := range set.X {
		x.AddTo(m.RawRowView(i), 1)
	}
	return m
}
