package svm_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// On a handful of rows with one column up to a hundred times the other, rounds over all rows gain
// so little that Decomposition's end. SMO then goes on from the best point: what SMO alone can
// solve, Decomposition solves too.
func TestDecompositionIsEndedBySMO(t *testing.T) {
	ended := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 0))
		set, scale := &svmkit.Dataset{Dim: 2}, math.Pow(10, 2*r.Float64())
		for range 4 + r.IntN(8) {
			set.X = append(set.X, svmkit.Dense(scale*r.NormFloat64(), r.NormFloat64()))
			set.Y = append(set.Y, r.NormFloat64())
		}
		p := &svm.Problem{Data: set, Loss: loss.EpsInsensitive{}, C: svm.PerSum(10)}
		fit := func(s svm.Solver) *svm.Result {
			result, err := svm.Fit(t.Context(), p, s, &svm.Settings{Tol: 1e-6, MaxIterations: 2000})
			if err != nil {
				t.Fatal(err)
			}
			return result
		}
		got := fit(svm.Decomposition{})
		if len(got.Trace) > 1 {
			ended++
		}
		if got.Status != svmkit.Optimal && fit(svm.SMO{}).Status == svmkit.Optimal {
			t.Errorf("seed %d: %s: %v, gap %.2g, and SMO alone reaches it", seed, got.Trace, got.Status, got.RelativeGap())
		}
	}
	if ended == 0 {
		t.Error("no fit was ended by SMO: draw harder ones")
	}
}
