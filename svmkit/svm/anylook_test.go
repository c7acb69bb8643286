package svm_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// looksLeft is a context that ends after so many looks at it, in the middle of whatever it may be.
type looksLeft struct {
	context.Context
	left *atomic.Int64
}

func (c looksLeft) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Steps are counted when they are taken, not when an epoch ends: from β = 0 on, as many as there
// are β ≠ 0 at least.
func TestUpdatesOfACancelledFit(t *testing.T) {
	set := largeSet(60_000, 40, 40, 2)
	counted := 0
	for looks := range int64(40) {
		ctx := looksLeft{t.Context(), new(atomic.Int64)}
		ctx.left.Store(looks)
		r, err := svm.Fit(ctx, &svm.Problem{Data: set}, svm.DualCoordinate{}, nil)
		if r == nil || r.Status != svmkit.Cancelled {
			t.Fatalf("%d looks: %v, %v", looks, r, err)
		}
		moved := 0
		for _, v := range r.Beta {
			if v != 0 {
				moved++
			}
		}
		if counted += moved; r.Updates < moved {
			t.Errorf("%d looks: %d updates and %d β that are not 0", looks, r.Updates, moved)
		}
	}
	if counted == 0 {
		t.Error("no fit got beyond the start")
	}
}

// Wherever a cancellation meets a fit, it ends with a model, and with the certificate of that
// model.
func TestCancelledAtAnyLook(t *testing.T) {
	const same = 1e-9 // relative: the sums of a certificate, in another order
	set := newtonRandom(rand.New(rand.NewPCG(41, 0)), 900, 6, true, false)
	rbf := kernel.RBF{Gamma: 0.3}
	cancelled := 0
	for _, c := range []struct {
		p svm.Problem
		s svm.Solver
	}{
		{svm.Problem{}, svm.DualCoordinate{}}, {svm.Problem{}, svm.ProximalNewton{}}, {svm.Problem{}, svm.SMO{}},
		{svm.Problem{Loss: loss.SquaredHinge{}}, svm.Newton{}}, {svm.Problem{Loss: loss.SquaredHinge{}}, svm.Newton{Dense: -1}},
		{svm.Problem{Loss: loss.Logistic{}}, svm.Newton{}}, {svm.Problem{Bias: svmkit.PenalizedBias}, svm.SDCA{}}, {svm.Problem{Bias: svmkit.PenalizedBias}, svm.Pegasos{}},
		{svm.Problem{Kernel: rbf}, svm.SMO{CacheBytes: 1 << 20}}, {svm.Problem{Kernel: rbf}, svm.Decomposition{WorkingSet: 64}}, {svm.Problem{Kernel: rbf, Bias: svmkit.PenalizedBias}, svm.SDCA{}},
		{svm.Problem{Kernel: kernel.Polynomial{Degree: 2, Gamma: 1, Coef0: 1}}, svm.Decomposition{WorkingSet: 64}},
		{svm.Problem{C: svm.PerSum(math.Inf(1))}, svm.DualCoordinate{}},
	} {
		c.p.Data = set
		for looks := int64(0); looks < 2000; looks += 1 + looks/5 {
			ctx := looksLeft{t.Context(), new(atomic.Int64)}
			ctx.left.Store(looks)
			name := fmt.Sprintf("%T, %T, cancelled after %d looks", c.s, c.p.Kernel, looks)
			r, err := svm.Fit(ctx, &c.p, c.s, &svm.Settings{Tol: 1e-6})
			if err == nil {
				break // it was faster
			}
			var inseparable *svm.InseparableError
			if errors.As(err, &inseparable) {
				break
			}
			cancelled++
			if r == nil || !errors.Is(err, context.Canceled) || r.Status != svmkit.Cancelled {
				t.Fatalf("%s: %+v, %v", name, r, err)
			}
			want, err := c.p.Certify(r.Beta)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if off := math.Abs(r.Gap - want.Gap); !(off <= same*want.Primal) && !(math.IsInf(r.Gap, 1) && math.IsInf(want.Gap, 1)) {
				t.Errorf("%s: gap %g, by a new certificate %g", name, r.Gap, want.Gap)
			}
		}
	}
	if cancelled < 100 {
		t.Errorf("%d fits were cancelled", cancelled)
	}
	t.Logf("%d fits were cancelled", cancelled)
}

// The certificate of a fit that ends before its first one is that of the model it returns, β = 0 at
// times: not of scores that rounds have changed since.
func TestCancelledBeforeTheFirstCertificate(t *testing.T) {
	const same = 1e-6 // relative, of sums of some thousand kernel values
	rng := rand.New(rand.NewPCG(43, 0))
	set := &svmkit.Dataset{Dim: 10}
	for range 1500 {
		x := make([]float64, 10)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		set.X, set.Y = append(set.X, svmkit.Dense(x...)), append(set.Y, math.Copysign(1, x[0]+x[1]+2*x[0]*x[1]+rng.NormFloat64()))
	}
	p := &svm.Problem{Data: set, Kernel: kernel.RBF{Gamma: 0.5}}
	rounds := 0
	for looks := int64(500); looks < 20_000; looks += 500 {
		ctx := looksLeft{t.Context(), new(atomic.Int64)}
		ctx.left.Store(looks)
		r, err := svm.Fit(ctx, p, svm.Decomposition{}, &svm.Settings{Tol: 1e-9})
		if err == nil {
			break // it was faster
		}
		if !errors.Is(err, context.Canceled) || r == nil {
			t.Fatalf("%d looks: %v", looks, err)
		}
		want, err := p.Certify(r.Beta)
		if err != nil {
			t.Fatal(err)
		}
		if rounds = max(rounds, r.Iterations); math.Abs(r.Primal-want.Primal) > same*want.Primal || math.Abs(r.Gap-want.Gap) > same*want.Primal {
			t.Errorf("%d looks, %d rounds: primal %g, gap %g, by a new certificate %g and %g", looks, r.Iterations, r.Primal, r.Gap, want.Primal, want.Gap)
		}
	}
	if rounds < 2 {
		t.Errorf("%d rounds at most", rounds)
	}
}
