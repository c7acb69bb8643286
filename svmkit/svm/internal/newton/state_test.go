package newton

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm/internal/core"
	"github.com/svmkit/course/svmkit/svm/internal/core/coretest"
)

// Newton's method starts at Σβᵢx̃ᵢ, without the b of a free bias, or at the unknowns that another
// solver hands over.
func TestNewStateStartsWhereItIsTold(t *testing.T) {
	for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
		p := coretest.PlaneProblem(3, loss.SquaredHinge{}, bias, false)
		task := core.NewTask(p)
		r := core.NewRun(context.Background(), task, core.Settings{MaxIterations: 10})
		rng, want := rand.New(rand.NewPCG(3, 0)), make([]float64, task.Unknowns())
		for i := range r.Beta {
			r.Beta[i] = rng.NormFloat64()
			p.Data.X[i].AddTo(want[:task.Dim], r.Beta[i])
			if bias == svmkit.PenalizedBias {
				want[task.Dim] += r.Beta[i]
			}
		}
		if got := newState(task, r).v; !slices.Equal(got, want) {
			t.Errorf("%v: starts at %v, want %v", bias, got, want)
		}
		for j := range want {
			want[j] = rng.NormFloat64()
		}
		r.Unknowns = slices.Clone(want)
		if got := newState(task, r).v; !slices.Equal(got, want) {
			t.Errorf("%v: starts at %v, want the unknowns %v", bias, got, want)
		}
	}
}
