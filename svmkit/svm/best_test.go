package svm_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/svm"
)

// Settings.Best is called with ever smaller gaps, the last of which is the result's; and its β is
// a start from which a fit needs no more than the gap that is left. So a fit that is stopped at any
// certificate loses nothing but the solver's own state.
func TestBestIsAStartToGoOnFrom(t *testing.T) {
	set := newtonRandom(rand.New(rand.NewPCG(93, 0)), 300, 5, true, false)
	for name, c := range map[string]struct {
		p svm.Problem
		s svm.Solver
	}{
		"dual coordinate descent": {svm.Problem{Data: set}, svm.DualCoordinate{}},
		"proximal Newton":         {svm.Problem{Data: set}, svm.ProximalNewton{}},
		"SMO":                     {svm.Problem{Data: set, Kernel: kernel.RBF{Gamma: 0.5}}, svm.SMO{}},
		"decomposition":           {svm.Problem{Data: set, Kernel: kernel.RBF{Gamma: 0.5}, C: svm.Cost{C: 10}}, svm.Decomposition{WorkingSet: 20}},
	} {
		var gaps []float64
		var betas [][]float64
		r, err := svm.Fit(context.Background(), &c.p, c.s, &svm.Settings{Tol: 1e-8,
			Best: func(p *svm.Proof) { gaps, betas = append(gaps, p.Gap), append(betas, slices.Clone(p.Beta)) }})
		if err != nil || r.Status != svmkit.Optimal {
			t.Fatalf("%s: %v, %v", name, r.Status, err)
		}
		last := len(gaps) - 1
		if last < 0 || gaps[last] != r.Gap || !slices.Equal(betas[last], r.Beta) {
			t.Fatalf("%s: the gaps were %v, the result's is %g", name, gaps, r.Gap)
		}
		for k := range gaps {
			if k > 0 && gaps[k] >= gaps[k-1] {
				t.Errorf("%s: gap %g after %g", name, gaps[k], gaps[k-1])
			}
			again, err := svm.Fit(context.Background(), &c.p, c.s, &svm.Settings{Tol: 1e-8, Start: betas[k]})
			if err != nil || again.Status != svmkit.Optimal || len(betas[k]) != set.Len() {
				t.Errorf("%s: from certificate %d of %d: %v, %v", name, k+1, len(gaps), again.Status, err)
			}
			const sameObjective = 2e-8 // both are within 1e-8 of the optimum
			if math.Abs(again.Primal-r.Primal) > sameObjective*max(1, r.Primal) {
				t.Errorf("%s: from certificate %d: objective %g, want %g", name, k+1, again.Primal, r.Primal)
			}
		}
		same, err := svm.Fit(context.Background(), &c.p, c.s, &svm.Settings{Tol: 1e-8, Start: betas[last]})
		if err != nil || same.Iterations != 0 {
			t.Errorf("%s: %d epochs from the optimum, %v", name, same.Iterations, err)
		}
	}
}

// A certificate may be worse than one before it. Settings.Best is not called with such a one, and
// the result is the best certificate met, not the last.
func TestBestIsTheSmallestGapSoFar(t *testing.T) {
	set := newtonRandom(rand.New(rand.NewPCG(94, 0)), 200, 5, true, false)
	for name, s := range map[string]svm.Solver{"Pegasos": svm.Pegasos{Last: true}, "stochastic dual coordinate ascent": svm.SDCA{}} {
		var all, best []float64
		const enough = 30
		r, err := svm.Fit(context.Background(), &svm.Problem{Data: set, Bias: svmkit.NoBias, C: svm.PerSum(10)}, s, &svm.Settings{Tol: 1e-300,
			Progress: func(p svmkit.Progress) bool {
				if p.Certified { // on a busy machine it is called between certificates, too
					all = append(all, p.Gap)
				}
				return len(all) < enough
			},
			Best: func(p *svm.Proof) { best = append(best, p.Gap) }})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var smallest []float64
		for k, gap := range all {
			if k == 0 || gap < smallest[len(smallest)-1] {
				smallest = append(smallest, gap)
			}
		}
		if len(smallest) == len(all) {
			t.Errorf("%s: no certificate is worse than one before: this test proves nothing", name)
		}
		if !slices.Equal(best, smallest) {
			t.Errorf("%s: Best was called with the gaps %v, want %v", name, best, smallest)
		}
		if r.Gap != smallest[len(smallest)-1] {
			t.Errorf("%s: the result's gap is %g, the best met %g", name, r.Gap, smallest[len(smallest)-1])
		}
	}
}

// What Settings.Best is given is a copy: a callback that writes to all of it changes nothing, by
// whatever solver.
func TestBestMayBeWrittenTo(t *testing.T) {
	set := newtonRandom(rand.New(rand.NewPCG(95, 0)), 200, 5, true, false)
	for name, c := range map[string]struct {
		p svm.Problem
		s svm.Solver
	}{
		"dual coordinate descent": {svm.Problem{Data: set}, svm.DualCoordinate{}},
		"proximal Newton":         {svm.Problem{Data: set}, svm.ProximalNewton{}},
		"Pegasos":                 {svm.Problem{Data: set, Bias: svmkit.NoBias}, svm.Pegasos{}},
		"SMO":                     {svm.Problem{Data: set, Kernel: kernel.RBF{Gamma: 0.5}}, svm.SMO{}},
		"decomposition":           {svm.Problem{Data: set, Kernel: kernel.RBF{Gamma: 0.5}}, svm.Decomposition{WorkingSet: 20}},
	} {
		fit := func(best func(*svm.Proof)) *svm.Result {
			r, err := svm.Fit(context.Background(), &c.p, c.s, &svm.Settings{MaxIterations: 50, Best: best})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return r
		}
		left, calls := fit(nil), 0
		written := fit(func(p *svm.Proof) {
			calls++
			for i := range p.Beta {
				p.Beta[i] = 7
			}
			for j := range c.p.Model(p).Weights {
				c.p.Model(p).Weights[j] = 7
			}
			*p = svm.Proof{}
		})
		if calls == 0 || !slices.Equal(written.Beta, left.Beta) || !slices.Equal(written.Weights, left.Weights) ||
			written.Certificate != left.Certificate || written.Status != left.Status {
			t.Errorf("%s: after %d calls: %v, gap %g; without them: %v, gap %g", name, calls, written.Status, written.Gap, left.Status, left.Gap)
		}
	}
}
