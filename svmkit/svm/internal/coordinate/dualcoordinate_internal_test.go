package coordinate

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// descentOn returns the state of coordinate descent on a random classification problem that
// is hard enough for rows of all kinds: at 0, at their bound, in between.
func descentOn(n int, l loss.Trainable) *descent {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	set := &svmkit.Dataset{Dim: 5}
	for range n {
		x := svmkit.Dense(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), 1)
		y := 1.0
		if x.Value[0]+0.5*rng.NormFloat64() < 0 {
			y = -1
		}
		set.X, set.Y = append(set.X, x), append(set.Y, y)
	}
	p := &core.Problem{Data: set, Loss: l, C: core.Cost{C: 1}, Bias: svmkit.NoBias}
	t := core.NewTask(p)
	return newDescent(t, core.NewRun(context.Background(), t, core.Settings{MaxIterations: 1000}), rng)
}

// An epoch visits as many rows as are active when it begins, each once; shrinking leaves the others in order,
// and w belongs to β.
func TestActiveRows(t *testing.T) {
	for n := range 60 {
		d := descentOn(n+1, loss.Hinge{})
		d.prefetch = n%2 == 0 // rows that are prefetched, and not
		shrunk := false
		for range 40 {
			visits, active := d.visits, d.active
			d.epoch()
			if got := d.visits - visits - 1; got != active {
				t.Fatalf("n = %d: %d visits of %d active rows", n+1, got, active)
			}
			if !slices.IsSorted(d.order[:d.active]) {
				t.Fatalf("n = %d: order %v", n+1, d.order[:d.active])
			}
			shrunk = shrunk || d.active < n+1
		}
		if n > 40 && !shrunk {
			t.Errorf("n = %d: no row was ever shrunk", n+1)
		}
		w := slices.Clone(d.w)
		d.rebuild() // from β alone
		for j, v := range w {
			if math.Abs(d.w[j]-v) > 1e-12*(1+math.Abs(v)) {
				t.Fatalf("n = %d: w = %v, but Σβx = %v", n+1, w, d.w)
			}
		}
	}
}

// A balanced β has Σβ = b, each still in its box, and moved by no more than it takes.
func TestBalance(t *testing.T) {
	for _, l := range []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{}} {
		d := descentOn(200, l)
		d.t.Bias = svmkit.PenalizedBias
		d.prepareBias()
		for range 3 {
			d.epoch()
			d.moveCentre()
		}
		d.rebuild()
		before, want, excess := slices.Clone(d.beta), d.b, d.sum-d.b
		if math.Abs(excess) < 1e-9 {
			t.Fatalf("%T: nothing to balance", l)
		}
		d.balance()
		moved := 0.0
		for i, v := range d.beta {
			if lo, hi := d.t.Loss[i].Box(); v < lo || v > hi {
				t.Errorf("%T: β = %g outside of %g … %g", l, v, lo, hi)
			}
			moved += math.Abs(v - before[i])
		}
		if got := core.SumOf(d.beta); math.Abs(got-want) > 1e-12*(1+math.Abs(want)) || math.Abs(moved-math.Abs(excess)) > 1e-9 {
			t.Errorf("%T: Σβ = %g, want %g; moved %g for %g", l, got, want, moved, excess)
		}
	}
}

// The visit of labelled rows is the one of the table of losses: the same step from the same score, the same excess
// and the same gain.
func TestLabelledVisitIsTheTables(t *testing.T) {
	for _, l := range []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{}} {
		d := descentOn(50, l)
		rng := rand.New(rand.NewPCG(3, 0))
		for i, own := range newLabels(d.t, d.q) {
			c, q := &d.t.Loss[i], d.q[i]
			lo, hi := c.Box()
			for range 20 {
				beta, f := min(max(rng.NormFloat64(), lo), hi), 3*rng.NormFloat64()
				s := sweep{x: []svmkit.Row{{Index: []int32{0}, Value: []float64{f}}}, labels: []label{own}, beta: []float64{beta},
					unchanged: []uint8{0}, w: []float64{1}, order: []int32{0}}
				s.visitLabelled(run{0, 1, 1}, nil)
				if want := c.Step(beta, f, q); math.Abs(s.beta[0]-want) > 1e-12*(1+math.Abs(want)) {
					t.Fatalf("%T: from β = %g with score %g to %g, want %g", l, beta, f, s.beta[0], want)
				}
				alpha, deficit := own.y*beta, 1-own.y*f
				if got, want := own.excess(alpha, deficit), c.Value(f)-c.Dual(beta)+beta*f; math.Abs(got-want) > 1e-12*(1+want) {
					t.Fatalf("%T: excess %g at β = %g, score %g, want %g", l, got, beta, f, want)
				}
				if gain := c.Dual(s.beta[0]) - c.Dual(beta) - (s.beta[0]-beta)*(f+q*(s.beta[0]-beta)/2); math.Abs(s.dual-gain) > 1e-12*(1+gain) {
					t.Fatalf("%T: the dual objective rose by %g, want %g", l, s.dual, gain)
				}
			}
		}
	}
}

func TestMain(m *testing.M) { leaktest.Main(m) }
