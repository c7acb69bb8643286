package workingset

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

// begun returns SMO at its start, with all scores known.
func begun(t *testing.T, p *core.Problem, o SMO, tol float64) *smo {
	t.Helper()
	settings := core.Settings{Tol: tol, MaxIterations: 200}
	settings = coretest.WithDefaults(settings)
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	task := core.NewTask(p)
	s, err := newSMO(o, task, core.NewRun(context.Background(), task, settings))
	if err == nil {
		err = s.refresh()
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Half of the rows are shrunk by mistake at the start. They must be active again before the run
// ends.
func TestSMORestoresShrunkRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for _, l := range []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{}, loss.EpsInsensitive{Epsilon: 0.1}} {
		for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
			s := begun(t, coretest.CircleProblem(rng, 120, l, bias), SMO{CacheBytes: 40 * 120 * 8}, 1e-7)
			keep, drop := rng.Perm(120)[:60], map[int]bool{}
			for _, k := range keep {
				drop[k] = true
			}
			hideRows(s, func(k int) bool { return drop[k] })
			if err := s.optimise(); err != nil || s.r.Status != svmkit.Optimal {
				t.Errorf("%T, %v: %v, %v %s, gap %g", l, bias, err, s.r.Status, s.r.Reason, s.r.Incumbent.RelativeGap())
			}
		}
	}
}

// hideRows shrinks the positions for which hide is true, whatever their slopes.
func hideRows(s *smo, hide func(k int) bool) {
	for k := range s.active {
		if hide(k) { // as if β could move neither way
			s.up[k], s.down[k] = math.Inf(-1), math.Inf(1)
		}
	}
	s.scan()
	s.shrink()
}

// After any steps and shrinks, what SMO holds for its active rows is what the data say: scores,
// slopes, diagonal, dual objective.
func TestSMOStateMatchesTheData(t *testing.T) {
	const rounding = 1e-9 // a few hundred updates of numbers up to a hundred
	rng := rand.New(rand.NewPCG(2, 0))
	for _, l := range []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{}, loss.EpsInsensitive{Epsilon: 0.3}, loss.SquaredEpsInsensitive{Epsilon: 0.3}} {
		for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
			p := coretest.CircleProblem(rng, 80, l, bias)
			p.Kernel = kernel.Polynomial{Degree: 2, Coef0: 0.5}
			s := begun(t, p, SMO{CacheBytes: 8000}, 1e-9)
			shrunk := false
			for range 12 {
				for range 40 {
					if _, err := s.step(); err != nil {
						t.Fatal(err)
					}
				}
				before := s.active
				s.shrink()
				shrunk = shrunk || s.active < before
				scores := s.t.KernelScores(t.Context(), s.r.Beta)
				sum, dual := core.SumOf(s.r.Beta), 0.0
				for i, b := range s.r.Beta {
					dual += s.t.Loss[i].Dual(b) - b*scores[i]/2
				}
				if bias == svmkit.PenalizedBias {
					dual -= sum * sum / 2
					if math.Abs(s.bias-sum) > rounding {
						t.Fatalf("%T, %v: bias %g, Σβ = %g", l, bias, s.bias, sum)
					}
				}
				if bias == svmkit.FreeBias && math.Abs(sum) > rounding {
					t.Fatalf("%T: Σβ = %g", l, sum)
				}
				if math.Abs(s.dual-dual) > rounding*max(1, dual) {
					t.Fatalf("%T, %v: dual objective %.15g, by the data %.15g", l, bias, s.dual, dual)
				}
				for k, i := range s.rows[:s.active] {
					up, down, diag := s.up[k], s.down[k], s.t.Kernel.Eval(p.Data.X[i], p.Data.X[i])
					s.setSlopes(k)
					if bias == svmkit.PenalizedBias {
						diag++
					}
					if math.Abs(s.score[k]-scores[i]) > rounding || up != s.up[k] || down != s.down[k] ||
						math.Abs(s.diagQ[k]-diag) > rounding*diag {
						t.Fatalf("%T, %v: position %d, row %d: score %g, by the data %g; diagonal %g, by the data %g", l, bias, k, i, s.score[k], scores[i], s.diagQ[k], diag)
					}
				}
			}
			if !shrunk {
				t.Errorf("%T, %v: nothing was shrunk", l, bias)
			}
		}
	}
}

// Each step is an exact maximisation along its direction: by the definition of D, no longer and no
// shorter step gives more.
func TestClimbEndsAtTheMaximum(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	kinks, bounds := 0, 0
	for range 3000 {
		l := []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{}, loss.EpsInsensitive{Epsilon: rng.Float64()},
			loss.SquaredEpsInsensitive{Epsilon: rng.Float64()}}[rng.IntN(4)]
		p := coretest.CircleProblem(rng, 2, l, svmkit.FreeBias)
		task := core.NewTask(p)
		i, j := 0, 1
		bi, bj := insideBox(rng, task, i), insideBox(rng, task, j)
		curvature, si, sj := rng.Float64(), rng.NormFloat64(), rng.NormFloat64()
		objective := func(a, b float64) float64 { // of the two variables, the kernel's part by its Taylor series
			d := a - bi
			return task.Loss[i].Dual(a) + task.Loss[j].Dual(b) - d*(si-sj) - curvature*d*d/2
		}
		rise, fall := newRay(&task.Loss[i], bi, 1), newRay(&task.Loss[j], bj, -1)
		if rise.distance == 0 || fall.distance == 0 {
			continue
		}
		up, _ := task.Loss[i].DualSlopes(bi)
		_, down := task.Loss[j].DualSlopes(bj)
		slope := up - si - (down - sj)
		gain := climb(&rise, &fall, slope, curvature, flatShare)
		got := objective(rise.beta, fall.beta)
		if math.Abs(got-objective(bi, bj)-gain) > 1e-12*max(1, math.Abs(got)) {
			t.Fatalf("%T: gain %g, but the objective rose by %g", l, gain, got-objective(bi, bj))
		}
		if math.Abs(rise.beta-bi+fall.beta-bj) > 1e-14*max(1, math.Abs(bi), math.Abs(bj), rise.beta-bi) {
			t.Fatalf("%T: one rose by %g, the other fell by %g", l, rise.beta-bi, bj-fall.beta)
		}
		if rise.beta == 0 || fall.beta == 0 {
			kinks++
		}
		if lo, hi := task.Loss[i].Box(); rise.beta == hi || fall.beta == lo {
			bounds++
		}
		for _, d := range []float64{-1e-4, 1e-4, -0.1, 0.1} {
			a, b := rise.beta+d, fall.beta-d
			loI, hiI := task.Loss[i].Box()
			loJ, hiJ := task.Loss[j].Box()
			if a < loI || a > hiI || b < loJ || b > hiJ || a < bi {
				continue
			}
			if more := objective(a, b); more > got+1e-12*max(1, math.Abs(got)) {
				t.Fatalf("%T: β = (%g, %g) → (%g, %g): %g; a step longer by %g gives %g", l, bi, bj, rise.beta, fall.beta, got, d, more)
			}
		}
	}
	if kinks < 50 || bounds < 50 {
		t.Errorf("only %d ends at zero and %d at a bound: too few for this test", kinks, bounds)
	}
}

// insideBox returns a random β of the box, often an end of it or zero.
func insideBox(rng *rand.Rand, t *core.Task, i int) float64 {
	lo, hi := t.Loss[i].Box()
	lo, hi = max(lo, -2), min(hi, 2)
	switch rng.IntN(4) {
	case 0:
		return lo
	case 1:
		return hi
	case 2:
		return 0
	}
	return lo + (hi-lo)*rng.Float64()
}

// With a full cache and with one of two rows, a step allocates nothing.
func TestSMOStepsAllocateNothing(t *testing.T) {
	for _, bytes := range []int64{1, 0} {
		for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.NoBias} {
			p := coretest.CircleProblem(rand.New(rand.NewPCG(4, 0)), 300, loss.Hinge{}, bias)
			p.C.C = 1000
			s := begun(t, p, SMO{CacheBytes: bytes}, 1e-9)
			step := func() {
				if moved, err := s.step(); !moved || err != nil {
					t.Fatal(moved, err)
				}
			}
			step()
			if n := testing.AllocsPerRun(200, step); n != 0 {
				t.Errorf("%v, cache of %d bytes: %g allocations a step", bias, bytes, n)
			}
		}
	}
}
