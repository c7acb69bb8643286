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
	p := &Problem{Data: set, Loss: l, C: Cost{C: 1}, Bias: NoBias}
	t := newTask(p)
	return newDescent(t, newRun(context.Background(), t, Settings{MaxEpochs: 1000}), rng)
}

// An epoch visits as many rows as are active when it begins, and the order keeps each row once, the
// set-aside ones last, whether the rows are asked for ahead or not.
func TestOrderKeepsEachRow(t *testing.T) {
	for n := range 60 {
		for _, spread := range []bool{false, true} {
			d := descentOn(n+1, loss.Hinge{})
			d.spread = spread
			least := d.active
			for range 20 {
				visits, active := d.visits, d.active
				d.epoch()
				if got := d.visits - visits - 1; got != active {
					t.Fatalf("n = %d: %d visits of %d active rows", n+1, got, active)
				}
				seen := slices.Clone(d.order)
				slices.Sort(seen)
				for i, v := range seen {
					if int(v) != i {
						t.Fatalf("n = %d: the order %v lost row %d", n+1, d.order, i)
					}
				}
				least = min(least, d.active)
			}
			if n > 40 && least == n+1 {
				t.Errorf("n = %d: no row was ever set aside, so this test shows nothing", n+1)
			}
		}
	}
}

// A coordinate knows dᵢ and φᵢ of its row without its task.
func TestCoordinateKnowsItsLoss(t *testing.T) {
	for _, l := range []loss.Convex{loss.Hinge{}, loss.SquaredHinge{}} {
		d := descentOn(50, l)
		rng := rand.New(rand.NewPCG(2, 0))
		for i := range d.c {
			lo, hi := d.t.box(i)
			for range 20 {
				beta, s := min(max(rng.NormFloat64(), lo), hi), 3*rng.NormFloat64()
				if got, want := d.c[i].dual(beta), d.t.dual(i, beta); math.Abs(got-want) > 1e-15*(1+beta*beta) {
					t.Fatalf("%T: d(%g) = %g, want %g", l, beta, got, want)
				}
				if got, want := d.c[i].loss(s), d.t.loss(i, s); math.Abs(got-want) > 1e-15*(1+want) {
					t.Fatalf("%T: loss of %g is %g, want %g", l, s, got, want)
				}
			}
		}
	}
}
