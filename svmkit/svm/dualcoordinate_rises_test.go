package svm_test

import (
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// Nearly parallel long rows: the dual objective rises slowly but steadily while the gap, for
// thousands of passes, goes up and down. That is not rounding, and no end: given the passes, the
// optimum is found.
func TestDualCoordinateGoesOnWhileTheDualRises(t *testing.T) {
	p := &svm.Problem{Loss: loss.EpsInsensitive{Epsilon: 0.1}, Bias: svmkit.NoBias, Data: &svmkit.Dataset{Dim: 3,
		X: svmkit.DenseRows([]float64{2.4, 36.2, -6.2, -4, -31.4, -3.2, 5.2, -27.1, -0.5, -5.2, -6.3, 1.4}, 3),
		Y: []float64{-1, 1, -1, 1}}}
	for _, keepAll := range []bool{false, true} {
		r, err := svm.Fit(t.Context(), p, svm.DualCoordinate{KeepAll: keepAll}, &svm.Settings{Tol: 1e-6, MaxIterations: 3_000_000})
		if err != nil || r.Status != svmkit.Optimal {
			t.Errorf("KeepAll %v: %v (%s) after %d passes, gap %.2g, %v", keepAll, r.Status, r.Reason, r.Iterations, r.RelativeGap(), err)
		}
	}
}
