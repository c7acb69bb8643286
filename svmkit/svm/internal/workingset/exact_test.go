package workingset

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/gauss"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm/internal/core"
	"github.com/svmkit/course/svmkit/svm/internal/core/coretest"
)

// Scores that are off by as much as their bounds allow make the same certificate as exact ones, and
// some rows are left out: for every loss and bias, and for β that are far from the optimum.
func TestRowsLeftOutHaveNoPartInTheCertificate(t *testing.T) {
	const same = 1e-12 // relative: sums of float64 in another order
	rng := rand.New(rand.NewPCG(1, 0))
	leftOut, all := 0, 0
	for _, l := range []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{}, loss.EpsInsensitive{Epsilon: 0.3}, loss.SquaredEpsInsensitive{Epsilon: 0.3}} {
		for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
			for _, off := range []float64{1e-3, 0.1, 0.5} {
				p := &core.Problem{Data: &svmkit.Dataset{Dim: 2}, Loss: l, Bias: bias, Kernel: kernel.RBF{Gamma: 1}, C: core.Cost{C: 2}}
				for range 600 {
					x := []float64{2 * rng.NormFloat64(), rng.NormFloat64()}
					y := x[0]*x[1] + 0.3*rng.NormFloat64()
					if !p.Regression() {
						y = math.Copysign(1, y)
					}
					p.Data.X, p.Data.Y = append(p.Data.X, svmkit.Dense(x...)), append(p.Data.Y, y)
				}
				task, s := core.NewTask(p), core.Settings{Tol: math.Pow(10, -3*rng.Float64())}
				s = coretest.WithDefaults(s)
				d, err := newDecomposition(Decomposition{WorkingSet: 64}, task, core.NewRun(context.Background(), task, s))
				if err == nil {
					err = d.optimise()
				}
				if err != nil {
					t.Fatal(err)
				}
				d.evaluate()
				unit := gauss.Drift{}
				unit.Add(d.tracked.rows, []int32{0}, []float64{1})
				d.tracked.drift = gauss.Drift{}
				d.tracked.drift.Add(d.tracked.rows, []int32{0}, []float64{off / unit.Of(d.tracked.rows, 0)})
				exact := task.KernelScores(context.Background(), d.beta)
				for i := range d.score {
					d.score[i] = exact[i] + (2*rng.Float64()-1)*0.999*d.tracked.drift.Of(d.tracked.rows, i)
				}
				if needed := d.needed(); len(needed) < 600 {
					if all++; d.proved(d.scoresOf(needed), needed) {
						leftOut++
					}
				}
				task.Rows.Scores = nil // computed anew
				scores := d.exactScores()
				task.KeepScores(d.beta, scores)
				got := task.Certify(d.beta)
				task.KeepScores(d.beta, exact)
				want := task.Certify(d.beta)
				if off := math.Abs(got.Gap - want.Gap); !(off <= same*want.Primal) || math.Abs(got.Dual-want.Dual) > same*want.Primal ||
					math.Abs(got.BiasMin-want.BiasMin) > same || math.Abs(got.BiasMax-want.BiasMax) > same || math.Abs(got.KKT-want.KKT) > same {
					t.Errorf("%T, %v, off by %g: %+v, want %+v", l, bias, off, got.Certificate, want.Certificate)
				}
			}
		}
	}
	if leftOut == 0 || leftOut == all {
		t.Errorf("rows were left out for good in %d cases of %d: not both ways were tested", leftOut, all)
	}
}

// A certificate repairs the β of refresh no further, to the bit: otherwise it would compute all
// scores again.
func TestRefreshRepairsOnce(t *testing.T) {
	const rows, rarely = 500, 1 // rounding can cycle
	rng := rand.New(rand.NewPCG(2, 0))
	again := 0
	for range 100 {
		p := &core.Problem{Data: &svmkit.Dataset{Dim: 1}, Kernel: kernel.RBF{Gamma: 1}, C: core.Cost{C: rng.ExpFloat64()}}
		for range rows {
			p.Data.X, p.Data.Y = append(p.Data.X, svmkit.Dense(rng.NormFloat64())), append(p.Data.Y, math.Copysign(1, rng.NormFloat64()))
		}
		task, s := core.NewTask(p), core.Settings{}
		s = coretest.WithDefaults(s)
		d, err := newDecomposition(Decomposition{}, task, core.NewRun(context.Background(), task, s))
		if err != nil {
			t.Fatal(err)
		}
		for i := range d.beta {
			lo, hi := task.Loss[i].Box()
			d.beta[i] = min(max(p.C.C*p.Data.Y[i]*(2*rng.Float64()-0.5), lo), hi)
		}
		if err := d.refresh(); err != nil {
			t.Fatal(err)
		}
		beta := make([]float64, rows)
		task.Repair(beta, d.r.Beta)
		if !slices.Equal(beta, d.r.Beta) || !slices.Equal(beta, task.Rows.Beta) {
			again++
		}
	}
	if again > rarely {
		t.Errorf("%d of 100 β were changed by another repair", again)
	}
}

// The bound of the scores includes a repair of β after they were computed.
func TestRefreshBoundsItsRepair(t *testing.T) {
	const rows, moved = 800, 0.01
	rng := rand.New(rand.NewPCG(3, 0))
	p := &core.Problem{Data: &svmkit.Dataset{Dim: 2}, Kernel: kernel.RBF{Gamma: 1}, Bias: svmkit.NoBias, C: core.Cost{C: 2}}
	for i := range rows {
		y := float64(1 - i%2*2)
		p.Data.X, p.Data.Y = append(p.Data.X, svmkit.Dense(y+rng.NormFloat64()/2, rng.NormFloat64())), append(p.Data.Y, y)
	}
	task, s := core.NewTask(p), core.Settings{}
	s = coretest.WithDefaults(s)
	d, err := newDecomposition(Decomposition{WorkingSet: 64}, task, core.NewRun(context.Background(), task, s))
	if err == nil {
		err = d.optimise()
	}
	if err != nil {
		t.Fatal(err)
	}
	k := slices.Index(d.beta, p.C.C)
	d.beta[k] += moved // out of its box
	if err := d.addScores([]int32{int32(k)}, []float64{moved}); err != nil {
		t.Fatal(err)
	}
	d.measure()
	if err := d.refresh(); err != nil {
		t.Fatal(err)
	}
	task.Rows.Scores = nil // computed anew
	exact, inexact := task.KernelScores(context.Background(), d.beta), 0
	for i, v := range d.score {
		off := math.Abs(v - exact[i])
		if off > d.tracked.bound(i)+1e-12 {
			t.Fatalf("score %d is off by %g, its bound is %g", i, off, d.tracked.bound(i))
		}
		if off > 1e-6 {
			inexact++
		}
	}
	if inexact == 0 {
		t.Error("no score was left out: nothing was tested")
	}
}
