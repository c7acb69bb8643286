package coordinate

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm/internal/core"
	"github.com/svmkit/course/svmkit/svm/internal/core/coretest"
)

// The step of the code is the closed form of the paper, with the sum over j ≠ i and the
// clipping, evaluated here from the Gram matrix.
func TestSDCAStepIsTheNotesFormula(t *testing.T) {
	const rounding = 1e-9
	for _, k := range []kernel.Kernel{nil, kernel.RBF{Gamma: 0.2}} {
		p := coretest.PlaneProblem(12, loss.Hinge{}, svmkit.NoBias, false)
		p.Kernel = k
		gram := kernel.Gram(kernel.Linear{}, p.Data.X)
		if k != nil {
			gram = kernel.Gram(k, p.Data.X)
		}
		task := core.NewTask(p)
		s, err := newSDCA(task, core.NewRun(context.Background(), task, core.Settings{MaxIterations: 10}))
		if err != nil {
			t.Fatal(err)
		}
		n, rng := task.Len(), rand.New(rand.NewPCG(1, 1))
		for range 500 {
			i := rng.IntN(n)
			y, upper := p.Data.Y[i], task.Loss[i].Under+task.Loss[i].Over // one of them is 0
			others := 0.0
			for j, v := range s.beta {
				if j != i {
					others += v * gram[i*n+j]
				}
			}
			want := min(upper, max(0, (1-y*others)/gram[i*n+i]))
			got := s.t.Loss[i].Step(s.beta[i], s.score(i), s.q[i])
			if math.Abs(got*y-want) > rounding {
				t.Fatalf("kernel %T, row %d: α = %g, the note's formula gives %g", k, i, got*y, want)
			}
			if err := s.set(i, got); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// No epoch lowers OBJ, and the running value is the certificate's.
func TestSDCARises(t *testing.T) {
	const rounding = 1e-10
	for _, l := range coretest.QPLosses {
		for _, k := range []kernel.Kernel{nil, kernel.RBF{Gamma: 0.3}} {
			p := coretest.PlaneProblem(13, l, svmkit.PenalizedBias, false)
			p.Kernel = k
			task := core.NewTask(p)
			s, err := newSDCA(task, core.NewRun(context.Background(), task, core.Settings{MaxIterations: 100}))
			if err != nil {
				t.Fatal(err)
			}
			for before := 0.0; s.r.Iterations < 10; s.r.Iterations++ {
				if err := s.epoch(); err != nil {
					t.Fatal(err)
				}
				now := task.Certify(s.beta).Dual
				if now < before-rounding*math.Abs(before) || math.Abs(now-s.dual) > rounding*math.Abs(now) {
					t.Errorf("%T, %T: dual objective %g after %g; running value %g", l, k, now, before, s.dual)
				}
				before = now
			}
		}
	}
}

// With a dead context a kernel epoch stops after a few rows of the Gram matrix.
func TestSDCAStopsWithinAnEpoch(t *testing.T) {
	p := &core.Problem{Data: coretest.PlaneData(1, 2000, 4, false, false), Kernel: kernel.RBF{Gamma: 1}, Bias: svmkit.NoBias}
	task := core.NewTask(p)
	ctx, cancel := context.WithCancel(context.Background())
	s, err := newSDCA(task, core.NewRun(ctx, task, core.Settings{MaxIterations: 10}))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := s.epoch(); err != nil {
		t.Fatal(err)
	}
	if most := workBetweenChecks/2000 + 1; s.r.Updates > most {
		t.Errorf("%d updates after the context had ended, at most %d were expected", s.r.Updates, most)
	}
}

func TestSDCAEpochAllocatesNothing(t *testing.T) {
	for _, k := range []kernel.Kernel{nil, kernel.RBF{Gamma: 0.3}} {
		p := coretest.PlaneProblem(16, loss.Hinge{}, svmkit.PenalizedBias, false)
		p.Kernel = k
		task := core.NewTask(p)
		s, err := newSDCA(task, core.NewRun(context.Background(), task, core.Settings{MaxIterations: 1000}))
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(10, func() { _ = s.epoch() }); n > 0 {
			t.Errorf("kernel %T: an epoch makes %g allocations", k, n)
		}
	}
}

// Rebuilding w or the scores, b and the dual objective from β changes nothing but rounding.
func TestSDCARebuilds(t *testing.T) {
	const rounding = 1e-10
	for _, bias := range []svmkit.Bias{svmkit.PenalizedBias, svmkit.NoBias} {
		for _, k := range []kernel.Kernel{nil, kernel.RBF{Gamma: 0.3}} {
			p := coretest.PlaneProblem(14, loss.Hinge{}, bias, false)
			p.Kernel = k
			task := core.NewTask(p)
			s, err := newSDCA(task, core.NewRun(context.Background(), task, core.Settings{MaxIterations: 100}))
			if err != nil {
				t.Fatal(err)
			}
			if err := s.epoch(); err != nil {
				t.Fatal(err)
			}
			if (s.b != 0) != (bias == svmkit.PenalizedBias) {
				t.Errorf("%v: b = %g after an epoch", bias, s.b)
			}
			b, dual, scores := s.b, s.dual, make([]float64, task.Len())
			for i := range scores {
				scores[i] = s.score(i)
			}
			if err := s.rebuild(); err != nil {
				t.Fatal(err)
			}
			if math.Abs(s.b-b) > rounding || math.Abs(s.dual-dual) > rounding*math.Abs(dual) {
				t.Errorf("%v, %T: b = %g and dual objective %g, rebuilt %g and %g", bias, k, b, dual, s.b, s.dual)
			}
			for i, f := range scores {
				if math.Abs(s.score(i)-f) > rounding*max(1, math.Abs(f)) {
					t.Fatalf("%v, %T: row %d scores %g, rebuilt %g", bias, k, i, f, s.score(i))
				}
			}
		}
	}
}
