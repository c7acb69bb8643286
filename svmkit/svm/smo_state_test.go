package svm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
)

// begun returns SMO at its start, with all scores known.
func begun(t *testing.T, p *Problem, o SMO, tol float64) *smo {
	t.Helper()
	settings := Settings{Tol: tol, MaxEpochs: 200}
	if err := settings.prepare(p.Data.Len()); err != nil {
		t.Fatal(err)
	}
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	task := newTask(p)
	s, err := newSMO(o, task, newRun(context.Background(), task, settings))
	if err == nil {
		err = s.refresh()
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func circles(rng *rand.Rand, n int, l loss.Convex, bias svmkit.Bias) *Problem {
	p := &Problem{Data: &svmkit.Dataset{Dim: 2}, Kernel: kernel.RBF{Gamma: 0.5}, Loss: l, Bias: bias}
	for range n {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		y := a*a + b*b - 1.5 + 0.3*rng.NormFloat64()
		if !p.Regression() {
			y = math.Copysign(1, y)
		}
		p.Data.X, p.Data.Y = append(p.Data.X, svmkit.Dense(a, b)), append(p.Data.Y, y)
	}
	return p
}

// Shrinking gone wrong: half of the rows are taken out of sight at the start, when every
// one of them still has a say. They must come back before a solution is believed.
func TestSMOLooksAgainAtShrunkRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for _, l := range []loss.Convex{loss.Hinge{}, loss.SquaredHinge{}, loss.EpsInsensitive{Epsilon: 0.1}} {
		for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
			s := begun(t, circles(rng, 120, l, bias), SMO{CacheBytes: 40 * 120 * 8}, 1e-7)
			keep, drop := rng.Perm(120)[:60], map[int]bool{}
			for _, k := range keep {
				drop[k] = true
			}
			hideRows(s, func(k int) bool { return drop[k] })
			if err := s.optimise(); err != nil || s.r.status != svmkit.Optimal {
				t.Errorf("%T, %v: %v, %v %s, gap %g", l, bias, err, s.r.status, s.r.reason, s.r.best.RelativeGap())
			}
		}
	}
}

// hideRows shrinks the positions that hide names, by force.
func hideRows(s *smo, hide func(k int) bool) {
	for k := range s.active {
		if hide(k) { // pretend that β could move neither way
			s.up[k], s.down[k] = math.Inf(-1), math.Inf(1)
		}
	}
	s.scan()
	s.shrink()
}

// After any steps and shrinks, what SMO holds for its active rows is what the data say: scores,
// slopes, diagonal, dual objective.
func TestSMOKeepsItsBooks(t *testing.T) {
	const rounding = 1e-9 // a few hundred updates of numbers up to a hundred
	rng := rand.New(rand.NewPCG(2, 0))
	for _, l := range []loss.Convex{loss.Hinge{}, loss.SquaredHinge{}, loss.EpsInsensitive{Epsilon: 0.3}, loss.SquaredEpsInsensitive{Epsilon: 0.3}} {
		for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
			p := circles(rng, 80, l, bias)
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
				scores := s.t.kernelScores(t.Context(), s.r.beta)
				sum, dual := sumOf(s.r.beta), 0.0
				for i, b := range s.r.beta {
					dual += s.t.dual(i, b) - b*scores[i]/2
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
				for k, i := range s.order[:s.active] {
					up, down, diag := s.up[k], s.down[k], s.t.kernel.Eval(p.Data.X[i], p.Data.X[i])
					s.setSlopes(k)
					if bias == svmkit.PenalizedBias {
						diag++
					}
					if math.Abs(s.score[k]-scores[i]) > rounding || up != s.up[k] || down != s.down[k] ||
						math.Abs(s.diag[k]-diag) > rounding*diag {
						t.Fatalf("%T, %v: position %d, row %d: score %g, by the data %g; diagonal %g, by the data %g", l, bias, k, i, s.score[k], scores[i], s.diag[k], diag)
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
		l := []loss.Convex{loss.Hinge{}, loss.SquaredHinge{}, loss.EpsInsensitive{Epsilon: rng.Float64()},
			loss.SquaredEpsInsensitive{Epsilon: rng.Float64()}}[rng.IntN(4)]
		p := circles(rng, 2, l, svmkit.FreeBias)
		task := newTask(p)
		i, j := 0, 1
		bi, bj := insideBox(rng, task, i), insideBox(rng, task, j)
		curvature, si, sj := rng.Float64(), rng.NormFloat64(), rng.NormFloat64()
		objective := func(a, b float64) float64 { // of the two variables, the kernel's part by its Taylor series
			d := a - bi
			return task.dual(i, a) + task.dual(j, b) - d*(si-sj) - curvature*d*d/2
		}
		rise, fall := task.ray(i, bi, 1), task.ray(j, bj, -1)
		if rise.room == 0 || fall.room == 0 {
			continue
		}
		slope := task.slope(i, bi, bi >= 0) - si - (task.slope(j, bj, bj > 0) - sj)
		gain := climb(&rise, &fall, slope, curvature)
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
		if lo, hi := task.box(i); rise.beta == hi || fall.beta == lo {
			bounds++
		}
		for _, d := range []float64{-1e-4, 1e-4, -0.1, 0.1} {
			a, b := rise.beta+d, fall.beta-d
			loI, hiI := task.box(i)
			loJ, hiJ := task.box(j)
			if a < loI || a > hiI || b < loJ || b > hiJ || a < bi {
				continue
			}
			if more := objective(a, b); more > got+1e-12*max(1, math.Abs(got)) {
				t.Fatalf("%T: β = (%g, %g) → (%g, %g): %g; a step longer by %g gives %g", l, bi, bj, rise.beta, fall.beta, got, d, more)
			}
		}
	}
	if kinks < 50 || bounds < 50 {
		t.Errorf("only %d ends at zero and %d at a bound: the test has not seen enough", kinks, bounds)
	}
}

// insideBox returns a random β of the box, often an end of it or zero.
func insideBox(rng *rand.Rand, t *task, i int) float64 {
	lo, hi := t.box(i)
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
			p := circles(rand.New(rand.NewPCG(4, 0)), 300, loss.Hinge{}, bias)
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

// Rows with the same kernel row: WSS 2 divides by tinyCurvature then, and must not stop.
func TestSMOWithDuplicates(t *testing.T) {
	p := circles(rand.New(rand.NewPCG(5, 0)), 40, loss.Hinge{}, svmkit.FreeBias)
	once, err := Fit(t.Context(), p, SMO{}, &Settings{Tol: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	p.Data.X, p.Data.Y = append(p.Data.X, p.Data.X...), append(p.Data.Y, p.Data.Y...)
	p.C.C = 0.5
	twice, err := Fit(t.Context(), p, SMO{}, &Settings{Tol: 1e-9})
	if err != nil || twice.Status != svmkit.Optimal || math.Abs(twice.Dual-once.Dual) > 1e-8*once.Dual {
		t.Errorf("%v, %v: dual %g; each row twice at half the price: %g", err, twice.Status, once.Dual, twice.Dual)
	}
}
