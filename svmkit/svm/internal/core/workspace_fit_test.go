package core_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm/internal/core"
	"github.com/svmkit/course/svmkit/svm/internal/core/coretest"
	"github.com/svmkit/course/svmkit/svm/internal/newton"
)

// What earlier fits have left in the memory changes no bit of the next: here it is full of NaN, of
// indices out of range and of flags that are set. And no part of a result is lent: the next fit
// does not change it.
func TestWorkspaceHoldsNoSecrets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	coretest.QPCases(func(name string, l loss.Trainable, b svmkit.Bias) {
		for _, n := range []int{60, 2500} { // without and with a sample
			p := coretest.WeightedProblem(rng, n, 4, l, b)
			if err := p.Validate(); err != nil {
				t.Fatal(err)
			}
			memory, settings := new(core.Workspace), core.Settings{Tol: 1e-6, MaxIterations: 1000}
			var first *core.Proof
			for range 3 {
				r, err := core.Fit(context.Background(), core.NewTaskIn(memory, nil, p), []core.Step{{Solver: newton.ProximalNewton{}}}, settings)
				if err != nil || r.Status != svmkit.Optimal {
					t.Fatalf("%s: %v, %v", name, r.Status, err)
				}
				if first == nil {
					first = r.Incumbent
				} else if !slices.Equal(r.Incumbent.Beta, first.Beta) || !slices.Equal(r.Incumbent.W, first.W) || r.Incumbent.Gap != first.Gap {
					t.Errorf("%s, n = %d: other bits in used memory", name, n)
				}
				core.ReclaimSpoilt(memory)
			}
		}
	})
}

// However often a fit makes a certificate, its memory stays what it was.
func TestCertificatesDoNotPileUp(t *testing.T) {
	p := coretest.WeightedProblem(rand.New(rand.NewPCG(9, 0)), 500, 3, loss.Hinge{}, svmkit.FreeBias)
	m := new(core.Workspace)
	tk := core.NewTaskIn(m, nil, p)
	tk.Certify(make([]float64, 500))
	size := core.ReclaimSpoilt(m)
	tk = core.NewTaskIn(m, nil, p)
	for range 50 {
		tk.Certify(make([]float64, 500))
	}
	if again := core.ReclaimSpoilt(m); again > size {
		t.Errorf("%d numbers after one certificate, %d after 50", size, again)
	}
}
