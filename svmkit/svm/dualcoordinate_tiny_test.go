package svm_test

import (
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// On a handful of rows with a free bias, whole numbers and many ties, one or two rows that are left
// active can drag b to where others have to move. Coordinate descent must not go round between such
// sets of rows: it has an optimum to find, and SMO finds it.
func TestDualCoordinateOnTinySets(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		set := &svmkit.Dataset{Dim: 1}
		for range 3 + r.IntN(5) {
			set.X = append(set.X, svmkit.Dense(float64(r.IntN(5)-2)))
			set.Y = append(set.Y, float64(r.IntN(7)-3))
		}
		p := &svm.Problem{Data: set, Loss: loss.EpsInsensitive{Epsilon: 0.5}, C: svm.PerSum(1)}
		fit := func(s svm.Solver) *svm.Result {
			result, err := svm.Fit(t.Context(), p, s, &svm.Settings{Tol: 1e-8})
			if err != nil {
				t.Fatal(err)
			}
			return result
		}
		if got := fit(svm.DualCoordinate{}); got.Status != svmkit.Optimal {
			t.Errorf("seed %d: %v (%s), gap %.2g after %d passes; SMO: %v", seed, got.Status, got.Reason,
				got.RelativeGap(), got.Epochs, fit(svm.SMO{}).Status)
		}
	}
}
