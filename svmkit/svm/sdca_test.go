package svm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
)

func TestSDCAIsCertified(t *testing.T) {
	const tol = 1e-5
	for _, l := range dcdLosses {
		for _, b := range []svmkit.Bias{svmkit.PenalizedBias, svmkit.NoBias} {
			for _, k := range []kernel.Kernel{nil, kernel.RBF{Gamma: 0.3}, kernel.Polynomial{Degree: 2, Coef0: 1}} {
				p := dcdProblem(11, l, b, k == nil)
				p.Kernel = k
				r, err := Fit(context.Background(), p, SDCA{}, &Settings{Tol: tol, Seed: 3, MaxEpochs: 100_000})
				if err != nil || r.Status != svmkit.Optimal || r.RelativeGap() > tol {
					t.Errorf("%T, %v, %T: %v, gap %g, error %v", l, b, k, r.Status, r.RelativeGap(), err)
				}
			}
		}
	}
}

// The step of the code is the closed form that the note prints, with the sum over j ≠ i and the
// clipping, evaluated here from the Gram matrix.
func TestSDCAStepIsTheNotesFormula(t *testing.T) {
	const rounding = 1e-9
	for _, k := range []kernel.Kernel{nil, kernel.RBF{Gamma: 0.2}} {
		p := dcdProblem(12, loss.Hinge{}, svmkit.NoBias, false)
		p.Kernel = k
		gram := kernel.Gram(kernel.Linear{}, p.Data.X)
		if k != nil {
			gram = kernel.Gram(k, p.Data.X)
		}
		task := newTask(p)
		s, err := newSDCA(task, newRun(context.Background(), task, Settings{MaxEpochs: 10}))
		if err != nil {
			t.Fatal(err)
		}
		n, rng := task.len(), rand.New(rand.NewPCG(1, 1))
		for range 500 {
			i := rng.IntN(n)
			y, upper := p.Data.Y[i], task.under[i]+task.over[i] // one of them is 0
			others := 0.0
			for j, v := range s.beta {
				if j != i {
					others += v * gram[i*n+j]
				}
			}
			want := min(upper, max(0, (1-y*others)/gram[i*n+i]))
			got := s.c[i].optimum(s.beta[i], s.score(i))
			if math.Abs(got*y-want) > rounding {
				t.Fatalf("kernel %T, row %d: α = %g, the note's formula gives %g", k, i, got*y, want)
			}
			if err := s.move(i, got); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// No epoch lowers OBJ, and the running value is the certificate's.
func TestSDCARises(t *testing.T) {
	const rounding = 1e-10
	for _, l := range dcdLosses {
		for _, k := range []kernel.Kernel{nil, kernel.RBF{Gamma: 0.3}} {
			p := dcdProblem(13, l, svmkit.PenalizedBias, false)
			p.Kernel = k
			task := newTask(p)
			s, err := newSDCA(task, newRun(context.Background(), task, Settings{MaxEpochs: 100}))
			if err != nil {
				t.Fatal(err)
			}
			for before := 0.0; s.r.epochs < 10; s.r.epochs++ {
				if err := s.epoch(); err != nil {
					t.Fatal(err)
				}
				now := task.certify(s.beta).Dual
				if now < before-rounding*math.Abs(before) || math.Abs(now-s.dual) > rounding*math.Abs(now) {
					t.Errorf("%T, %T: dual objective %g after %g; running value %g", l, k, now, before, s.dual)
				}
				before = now
			}
		}
	}
}

func TestSDCAAgreesWithDualCoordinate(t *testing.T) {
	const tol = 1e-6
	for _, l := range dcdLosses {
		p := dcdProblem(14, l, svmkit.PenalizedBias, true)
		a, err := Fit(context.Background(), p, SDCA{}, &Settings{Tol: tol, MaxEpochs: 100_000})
		if err != nil {
			t.Fatal(err)
		}
		b, err := Fit(context.Background(), p, DualCoordinate{}, &Settings{Tol: tol, MaxEpochs: 100_000})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(a.Primal-b.Primal) > 2*tol*a.Primal {
			t.Errorf("%T: %.10g and %.10g", l, a.Primal, b.Primal)
		}
	}
}

func TestSDCARepeats(t *testing.T) {
	p := dcdProblem(15, loss.Hinge{}, svmkit.NoBias, false)
	var beta [3][]float64
	for k, seed := range []uint64{1, 1, 2} {
		r, err := Fit(context.Background(), p, SDCA{}, &Settings{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		beta[k] = r.Beta
	}
	if !slices.Equal(beta[0], beta[1]) || slices.Equal(beta[0], beta[2]) {
		t.Error("one seed must give the same bits, another seed other ones")
	}
}

func TestSDCARefuses(t *testing.T) {
	for name, p := range map[string]*Problem{
		"free bias":  dcdProblem(1, loss.Hinge{}, svmkit.FreeBias, false),
		"logistic":   dcdProblem(1, loss.Logistic{}, svmkit.NoBias, false),
		"indefinite": {Data: dcdData(1, 20, 3, false, false), Kernel: kernel.Sigmoid{}, Bias: svmkit.NoBias},
	} {
		var param *svmkit.ParamError
		if _, err := Fit(context.Background(), p, SDCA{}, nil); !errors.As(err, &param) {
			t.Errorf("%s: got %v, want a *ParamError", name, err)
		}
	}
}

// With a dead context a kernel epoch stops after a few rows of the Gram matrix.
func TestSDCAStopsWithinAnEpoch(t *testing.T) {
	p := &Problem{Data: dcdData(1, 2000, 4, false, false), Kernel: kernel.RBF{}, Bias: svmkit.NoBias}
	task := newTask(p)
	ctx, cancel := context.WithCancel(context.Background())
	s, err := newSDCA(task, newRun(ctx, task, Settings{MaxEpochs: 10}))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := s.epoch(); err != nil {
		t.Fatal(err)
	}
	if most := workBetweenLooks/2000 + 1; s.r.updates > most {
		t.Errorf("%d updates after the context had ended, at most %d were expected", s.r.updates, most)
	}
}

func TestSDCAEpochAllocatesNothing(t *testing.T) {
	for _, k := range []kernel.Kernel{nil, kernel.RBF{Gamma: 0.3}} {
		p := dcdProblem(16, loss.Hinge{}, svmkit.PenalizedBias, false)
		p.Kernel = k
		task := newTask(p)
		s, err := newSDCA(task, newRun(context.Background(), task, Settings{MaxEpochs: 1000}))
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(10, func() { _ = s.epoch() }); n > 0 {
			t.Errorf("kernel %T: an epoch makes %g allocations", k, n)
		}
	}
}

// Two points on a line, without bias: from α = 0 the first step already has the answer,
// α = 1/Kᵢᵢ, for whichever row is drawn.
func ExampleSDCA() {
	p := &Problem{Bias: svmkit.NoBias, C: PerSum(10), Data: &svmkit.Dataset{
		X: svmkit.DenseRows([]float64{2, -2}, 1), Y: []float64{1, -1}, Dim: 1}}
	r, err := Fit(context.Background(), p, SDCA{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v, w = %.2f, Σα = %.2f\n", r.Status, r.Weights[0], r.Alpha()[0]+r.Alpha()[1])
	// Output: optimal, w = 0.50, Σα = 0.25
}
