package svm_test

import (
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// Where the rows are short the bias is all there is to find, and a squared loss says how far a step
// of it may go. Steps in proportion to ‖xᵢ‖² alone would take thousands of passes.
func TestDualCoordinateFindsTheBiasOfShortRows(t *testing.T) {
	const passes = 300
	for _, size := range []float64{1e-2, 1e-4, 1e-8} {
		for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias} {
			for _, c := range []struct {
				loss  loss.Trainable
				price float64
			}{{loss.SquaredHinge{}, 24}, {loss.SquaredHinge{}, 1e-3}, {loss.SquaredEpsInsensitive{Epsilon: 0.1}, 1}} {
				p := &svm.Problem{Loss: c.loss, Bias: bias, C: svm.PerSum(c.price), Data: &svmkit.Dataset{Dim: 1,
					X: svmkit.DenseRows([]float64{size, 0, 0, size}, 1), Y: []float64{1, -1, -1, -1}}}
				r, err := svm.Fit(t.Context(), p, svm.DualCoordinate{}, &svm.Settings{Tol: 1e-9, MaxIterations: passes})
				if err != nil || r.Status != svmkit.Optimal {
					t.Errorf("%T, C = %v, %v, rows of %v: %v, gap %.2g, %v", c.loss, c.price, bias, size, r.Status, r.RelativeGap(), err)
				}
			}
		}
	}
}
