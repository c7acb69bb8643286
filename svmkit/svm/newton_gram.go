package svm

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// add adds sign·change·x̃x̃ᵀ of row i to the sum: a sparse row at once, at the squares of its
// columns; a dense one together with others, by flush.
func (k *newtonDense) add(s *newtonState, i int, sign, change float64) {
	x, d := s.t.x[i], s.t.dim
	bias := len(s.v) > d
	if x.Index == nil {
		root := math.Sqrt(change)
		for _, v := range x.Value {
			k.rows = append(k.rows, root*v)
		}
		if bias {
			k.rows = append(k.rows, root)
		}
		if len(k.rows) == cap(k.rows) {
			k.flush(sign)
		}
		return
	}
	gram := k.gram.RawSymmetric()
	for a, j := range x.Index {
		to := gram.Data[int(j)*gram.Stride:]
		v := sign * change * x.Value[a]
		for c, other := range x.Index[a:] { // the indices rise: the upper triangle
			to[other] += v * x.Value[a+c]
		}
		if bias {
			to[d] += v
		}
	}
	if bias {
		gram.Data[d*gram.Stride+d] += sign * change
	}
}

// flush adds sign·RᵀR for the waiting rows R.
func (k *newtonDense) flush(sign float64) {
	gram := k.gram.RawSymmetric()
	waiting := blas64.General{Rows: len(k.rows) / gram.N, Cols: gram.N, Stride: gram.N, Data: k.rows}
	if waiting.Rows > 0 {
		blas64.Syrk(blas.Trans, sign, waiting, 1, gram)
	}
	k.rows = k.rows[:0]
}
