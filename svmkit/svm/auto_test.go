package svm_test

import (
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// The automatic choice reaches a small tolerance on small sets of few columns, where the rows at the hinge change with
// every step: proximal Newton alone stalls on some of them.
func TestAutomaticChoiceOnSmallSets(t *testing.T) {
	sets := 400
	if testing.Short() {
		sets = 60
	}
	for seed := range sets {
		rng := rand.New(rand.NewPCG(uint64(seed), 12))
		set := &svmkit.Dataset{Dim: 1 + rng.IntN(5)}
		for i := range 8 + rng.IntN(25) {
			x := make([]float64, set.Dim)
			for j := range x {
				if x[j] = rng.NormFloat64(); rng.IntN(4) == 0 {
					x[j] = float64(rng.IntN(3))
				}
			}
			set.X, set.Y = append(set.X, svmkit.Dense(x...)), append(set.Y, float64(2*((i+rng.IntN(2))%2)-1))
		}
		set.Y[0], set.Y[1] = 1, -1
		for _, l := range []loss.Trainable{loss.Hinge{}, loss.EpsInsensitive{Epsilon: 0.1}} {
			for _, c := range []float64{0.1, 10} {
				r, err := svm.Fit(t.Context(), &svm.Problem{Data: set, Loss: l, C: svm.PerSum(c)}, nil, &svm.Settings{Tol: 1e-6})
				if err != nil || r.Status != svmkit.Optimal {
					t.Errorf("seed %d, %T, C = %g: %v, gap %g by %v, %v", seed, l, c, r.Status, r.Certificate.RelativeGap(), r.Trace, err)
				}
			}
		}
	}
}
