package svm

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
)

// descentOn returns the state of coordinate descent on a random classification problem that
// is hard enough for rows of all kinds: at 0, at their bound, in between.
func descentOn(n int, l loss.Convex) *descent {
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
	p := &Problem{Data: set, Loss: l, C: Cost{C: 1}, Bias: svmkit.NoBias}
	t := newTask(p)
	return newDescent(t, newRun(context.Background(), t, Settings{MaxEpochs: 1000}), rng)
}

// An epoch visits as many rows as are active when it begins, each once; what is set aside leaves the
// others in order; and a field that is packed again and again knows its rows and brings their β home.
func TestActiveRows(t *testing.T) {
	for n := range 60 {
		for _, packFrom := range []int{0, packFrom} {
			d := descentOn(n+1, loss.Hinge{})
			d.packFrom, d.spread = packFrom, n%2 == 0 // rows that are asked for ahead, and not
			packed := false
			for range 40 {
				visits, active := d.visits, d.active
				d.epoch()
				if got := d.visits - visits - 1; got != active {
					t.Fatalf("n = %d: %d visits of %d active rows", n+1, got, active)
				}
				if !slices.IsSorted(d.order[:d.active]) {
					t.Fatalf("n = %d: order %v", n+1, d.order[:d.active])
				}
				if packed = packed || d.field.id != nil; d.field.id == nil {
					continue
				}
				for k, i := range d.field.id {
					if d.field.c[k] != d.all.c[i] || !slices.Equal(d.field.x[k].Value, d.t.x[i].Value) {
						t.Fatalf("n = %d: row %d of the field is not row %d", n+1, k, i)
					}
				}
			}
			if n > 40 && packed != (packFrom == 0) {
				t.Errorf("n = %d: packed %v from %d on", n+1, packed, packFrom)
			}
			w := slices.Clone(d.w)
			d.rebuild() // from β alone
			for j, v := range w {
				if math.Abs(d.w[j]-v) > 1e-12*(1+math.Abs(v)) {
					t.Fatalf("n = %d, packed %v: w = %v, but Σβx = %v", n+1, packed, w, d.w)
				}
			}
		}
	}
}

// A balanced β has Σβ = b, each still in its box, and moved by no more than it takes.
func TestBalance(t *testing.T) {
	for _, l := range []loss.Convex{loss.Hinge{}, loss.SquaredHinge{}} {
		d := descentOn(200, l)
		d.t.bias = svmkit.PenalizedBias
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
			if lo, hi := d.t.box(i); v < lo || v > hi {
				t.Errorf("%T: β = %g outside of %g … %g", l, v, lo, hi)
			}
			moved += math.Abs(v - before[i])
		}
		if got := sumOf(d.beta); math.Abs(got-want) > 1e-12*(1+math.Abs(want)) || math.Abs(moved-math.Abs(excess)) > 1e-9 {
			t.Errorf("%T: Σβ = %g, want %g; moved %g for %g", l, got, want, moved, excess)
		}
	}
}

// A coordinate knows dᵢ and φᵢ of its row without its task.
func TestCoordinateKnowsItsLoss(t *testing.T) {
	for _, l := range []loss.Convex{loss.Hinge{}, loss.SquaredHinge{}} {
		d := descentOn(50, l)
		rng := rand.New(rand.NewPCG(2, 0))
		for i := range d.all.c {
			lo, hi := d.t.box(i)
			for range 20 {
				beta, s := min(max(rng.NormFloat64(), lo), hi), 3*rng.NormFloat64()
				if got, want := d.all.c[i].dual(beta), d.t.dual(i, beta); math.Abs(got-want) > 1e-15*(1+beta*beta) {
					t.Fatalf("%T: d(%g) = %g, want %g", l, beta, got, want)
				}
				if got, want := d.all.c[i].loss(s), d.t.loss(i, s); math.Abs(got-want) > 1e-15*(1+want) {
					t.Fatalf("%T: loss of %g is %g, want %g", l, s, got, want)
				}
			}
		}
	}
}

// A label says of its row what the coordinate does: the same step from the same score, and the same excess.
func TestLabelKnowsItsCoordinate(t *testing.T) {
	for _, l := range []loss.Convex{loss.Hinge{}, loss.SquaredHinge{}} {
		d := descentOn(50, l)
		rng := rand.New(rand.NewPCG(3, 0))
		for i, label := range newLabels(d.all.c) {
			c := &d.all.c[i]
			lo, hi := d.t.box(i)
			for range 20 {
				beta, f := min(max(rng.NormFloat64(), lo), hi), 3*rng.NormFloat64()
				one := field{x: []svmkit.Row{{Index: []int32{0}, Value: []float64{f}}}, labels: newLabels(d.all.c[i : i+1]), beta: []float64{beta}, calm: []uint8{0}}
				s := sweep{w: []float64{1}, order: []int32{0}}
				s.visitLabelled(&one, stretch{0, 1, 1}, nil)
				if want := c.optimum(beta, f); math.Abs(one.beta[0]-want) > 1e-12*(1+math.Abs(want)) {
					t.Fatalf("%T: from β = %g with score %g to %g, want %g", l, beta, f, one.beta[0], want)
				}
				alpha, lack := label.y*beta, 1-label.y*f
				if got, want := label.excess(alpha, lack), c.loss(f)-c.dual(beta)+beta*f; math.Abs(got-want) > 1e-12*(1+want) {
					t.Fatalf("%T: excess %g at β = %g, score %g, want %g", l, got, beta, f, want)
				}
				if gain := c.dual(one.beta[0]) - c.dual(beta) - (one.beta[0]-beta)*(f+c.q*(one.beta[0]-beta)/2); math.Abs(s.dual-gain) > 1e-12*(1+gain) {
					t.Fatalf("%T: the dual objective rose by %g, want %g", l, s.dual, gain)
				}
			}
		}
	}
}
