package svm

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm/internal/core/coretest"
)

// Rows with the same kernel row: WSS 2 divides by tinyCurvature then, and must not stop.
func TestSMOWithDuplicates(t *testing.T) {
	p := public(coretest.CircleProblem(rand.New(rand.NewPCG(5, 0)), 40, loss.Hinge{}, svmkit.FreeBias))
	once, err := Fit(t.Context(), p, SMO{}, &Settings{Tol: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	p.Data.X, p.Data.Y = append(p.Data.X, p.Data.X...), append(p.Data.Y, p.Data.Y...)
	p.C.C = 0.5
	twice, err := Fit(t.Context(), p, SMO{}, &Settings{Tol: 1e-9})
	if err != nil || twice.Status != svmkit.Optimal || math.Abs(twice.Dual-once.Dual) > 1e-8*once.Dual {
		t.Errorf("%v, %v: dual %g; each row twice at half the price: %g", err, twice.Status, once.Dual, twice.Dual)
	}
}
