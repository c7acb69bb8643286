package svm_test

import (
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// With a small price all α soon stand at a bound, and then nothing curves the objective along a
// free bias. It has to be found nevertheless.
func TestProximalNewtonMovesABiasThatNothingHolds(t *testing.T) {
	set := &svmkit.Dataset{Dim: 2, X: svmkit.DenseRows([]float64{1, 1, 1, 0}, 2), Y: []float64{1.5, 0.5}}
	for _, price := range []float64{1e-6, 1e-4, 0.00162, 0.1} {
		p := &svm.Problem{Data: set, Loss: loss.EpsInsensitive{}, C: svm.Cost{C: price, Positive: 3, Negative: 0.5}}
		r, err := svm.Fit(t.Context(), p, svm.ProximalNewton{}, &svm.Settings{Tol: 1e-10})
		if err != nil || r.Status != svmkit.Optimal {
			t.Errorf("C = %v: %v (%s), gap %.2g, %v", price, r.Status, r.Reason, r.RelativeGap(), err)
		}
	}
}
