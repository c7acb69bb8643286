package svm

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm/internal/core/coretest"
)

// Fits at the same time do not share memory.
func TestFitsAtOnce(t *testing.T) {
	p := public(coretest.WeightedProblem(rand.New(rand.NewPCG(2, 0)), 2500, 4, loss.Hinge{}, svmkit.FreeBias))
	want := mustBeOptimal(t, "alone", p, 1e-6)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 3 {
				r, err := Fit(context.Background(), p, ProximalNewton{}, &Settings{Tol: 1e-6})
				if err != nil || !slices.Equal(r.Beta, want.Beta) {
					t.Errorf("not the fit's own bits, %v", err)
				}
			}
		})
	}
	all.Wait()
}
