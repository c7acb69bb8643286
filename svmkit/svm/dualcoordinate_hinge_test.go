package svm_test

import (
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// Short rows cannot bring a score to its edge, so b must, and it must not creep there.
func TestDualCoordinateMovesTheBiasOfShortRows(t *testing.T) {
	x := []float64{1, -2, 0, 2, 1, 1, -1, 0.5, 2, -0.5}
	for _, size := range []float64{1e-2, 1e-3, 1e-5, 1e-8} {
		for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias} {
			for _, c := range []struct {
				loss loss.Convex
				y    []float64
			}{
				{loss.Hinge{}, []float64{1, -1, 1, 1, -1, 1, -1, 1, 1, -1}},
				{loss.EpsInsensitive{Epsilon: 0.1}, []float64{10, 12, 9, 11, 10.5, 10, 13, 8, 10, 11}},
				{loss.EpsInsensitive{Epsilon: 0.1}, []float64{1000, 1002, 999, 1001, 1000.5, 1000, 1003, 998, 1000, 1001}},
				{loss.EpsInsensitive{}, []float64{7, 7, 7, 7, 7, 7, 7, 7, 7, 7}},
			} {
				short := make([]float64, len(x))
				for i, v := range x {
					short[i] = size * v
				}
				p := &svm.Problem{Loss: c.loss, Bias: bias, Data: &svmkit.Dataset{Dim: 1, X: svmkit.DenseRows(short, 1), Y: c.y}}
				r, err := svm.Fit(t.Context(), p, svm.DualCoordinate{}, &svm.Settings{Tol: 1e-6})
				if err != nil || r.Status != svmkit.Optimal {
					t.Errorf("%T, %v, rows of %v: %v (%s) after %d passes, gap %.2g, %v", c.loss, bias, size, r.Status, r.Reason, r.Epochs, r.RelativeGap(), err)
				}
			}
		}
	}
}
