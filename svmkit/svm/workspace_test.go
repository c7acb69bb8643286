package svm

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
)

// What fits before have left in the memory changes no bit of the next: here it is full of NaN, of indices
// that lead outside and of flags that are set. And no part of a result is lent: the next fit does
// not change it.
func TestWorkspaceHoldsNoSecrets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	proximalCases(func(name string, l loss.Convex, b svmkit.Bias) {
		for _, n := range []int{60, 2500} { // without and with a sample
			p := noisy(rng, n, 4, l, b)
			if err := p.Validate(); err != nil {
				t.Fatal(err)
			}
			memory, settings := new(workspace), Settings{Tol: 1e-6, MaxEpochs: 1000}
			var first *Result
			for range 3 {
				r, err := newTaskIn(memory, p).fit(context.Background(), p, ProximalNewton{}, settings)
				if err != nil || r.Status != svmkit.Optimal {
					t.Fatalf("%s: %v, %v", name, r.Status, err)
				}
				if first == nil {
					first = r
				} else if !slices.Equal(r.Beta, first.Beta) || !slices.Equal(r.Weights, first.Weights) || r.Gap != first.Gap {
					t.Errorf("%s, n = %d: other bits in used memory", name, n)
				}
				memory.reclaim()
				spoil(memory)
			}
		}
	})
}

func spoil(m *workspace) {
	for _, v := range m.numbers.free {
		for i := range v[:cap(v)] {
			v[:cap(v)][i] = math.NaN()
		}
	}
	for _, v := range m.places.free {
		for i := range v[:cap(v)] {
			v[:cap(v)][i] = math.MaxInt32
		}
	}
	for _, v := range m.starts.free {
		for i := range v[:cap(v)] {
			v[:cap(v)][i] = math.MaxInt
		}
	}
	for _, v := range m.flags.free {
		for i := range v[:cap(v)] {
			v[:cap(v)][i] = true
		}
	}
}

// Fits at the same time do not share memory.
func TestFitsAtOnce(t *testing.T) {
	p := noisy(rand.New(rand.NewPCG(2, 0)), 2500, 4, loss.Hinge{}, svmkit.FreeBias)
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

// The fast way to judge a row gives what the four formulas give.
func TestJudgeEdges(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	same := func(a, b float64) bool {
		return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= near*max(1, math.Abs(b))
	}
	for _, l := range convexLosses {
		if _, is := l.(loss.Logistic); is {
			continue
		}
		for range 100 {
			tk := newTask(randomProblem(rng, 4, 1, l))
			for i, beta := range randomBeta(rng, tk) {
				lo, hi := tk.box(i)
				beta = min(max(beta, lo), hi)
				for _, f := range []float64{2 * rng.NormFloat64(), finiteOr(tk.low[i], 0), finiteOr(tk.high[i], 0), 1e3, -1e3} {
					if got, want := tk.judgeEdges(i, beta, f), tk.judge(tk, i, beta, f); !same(got.loss, want.loss) ||
						!same(got.excess, want.excess) || !same(got.dual, want.dual) || !same(max(0, got.kkt), max(0, want.kkt)) {
						t.Fatalf("%T, edges %g and %g, β = %g, f = %g: %+v, want %+v", l, tk.low[i], tk.high[i], beta, f, got, want)
					}
				}
				if got := tk.judgeEdges(i, beta, math.NaN()); !math.IsNaN(got.excess) {
					t.Fatalf("%T: a score that is no number has an excess of %g", l, got.excess)
				}
			}
		}
	}
}
