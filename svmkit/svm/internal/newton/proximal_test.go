package newton

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm/internal/core"
	"github.com/svmkit/course/svmkit/svm/internal/core/coretest"
)

// proximalAt returns the state of a problem near its first point.
func proximalAt(p *core.Problem, rng *rand.Rand) *proximalState {
	task := core.NewTask(p)
	r := core.NewRun(context.Background(), task, core.Settings{Tol: 1e-3, MaxIterations: 1000})
	s := newProximalState(task, r, newDesign(r, task))
	s.start()
	for j := range s.w {
		s.w[j] += 0.3 * rng.NormFloat64()
	}
	s.evaluate()
	return s
}

// smoothed is the objective of the inner problem by its definition, Φ by integrating clip.
func (s *proximalState) smoothed(w []float64) float64 {
	sum := 0.0
	for j, v := range w {
		sum += s.ridge[j] * v * v / 2
	}
	for k := range s.at {
		u := s.anchor[k] + s.sign[k]*(s.edge(k)-s.x.dot(w, k%s.x.n))
		inside := min(max(u, 0), s.top)
		sum += s.cost[k] / s.width * inside * inside / 2
		if u > s.top {
			sum += s.cost[k] / s.width * s.top * (u - s.top)
		}
	}
	return sum
}

// The gradient and the matrix that the direction comes from are the derivatives of the smoothed
// objective, at several widths and centres.
func TestProximalDerivatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	coretest.QPCases(func(name string, l loss.Trainable, b svmkit.Bias) {
		s := proximalAt(coretest.WeightedProblem(rng, 80, 5, l, b), rng)
		for range 3 {
			for j := range s.w {
				const h = 1e-5
				e := append(s.x.vector()[:0:s.x.stride], s.w...)
				e[j] += h
				above := s.smoothed(e)
				e[j] -= 2 * h
				if want := (above - s.smoothed(e)) / (2 * h); math.Abs(s.g[j]-want) > 1e-4*max(1, math.Abs(want)) {
					t.Errorf("%s: ∂/∂w[%d] = %g, by differences %g", name, j, s.g[j], want)
				}
			}
			if !s.direct() {
				t.Fatal(name, ": no direction")
			}
			// H·p = −g, with H from the definition.
			for j := range s.w {
				sum := s.ridge[j] * s.p[j]
				for k, u := range s.at {
					if u > 0 && u < s.top {
						x := s.x.vector()
						s.x.addRows(x, []int32{int32(k % s.x.n)}, []float64{1})
						sum += s.cost[k] / s.width * x[j] * s.x.dot(s.p, k%s.x.n)
					}
				}
				if math.Abs(sum+s.g[j]) > 1e-8*max(1, math.Abs(s.g[j])) {
					t.Errorf("%s: (H·p)[%d] = %g, want %g", name, j, sum, -s.g[j])
				}
			}
			before := s.smoothed(s.w)
			step, ok := s.search()
			if s.move(step); !ok || s.smoothed(s.w) > before {
				t.Errorf("%s: step %g (%v), objective from %g to %g", name, step, ok, before, s.smoothed(s.w))
			}
			if s.t.Kind != core.Squared {
				s.recentre(s.width / 2)
			}
		}
	})
}

// What the state updates from step to step is what the definitions give: u, z, and the gap of (w,
// b) and β.
func TestProximalStateIsConsistent(t *testing.T) {
	const rounding = 1e-9
	rng := rand.New(rand.NewPCG(2, 0))
	coretest.QPCases(func(name string, l loss.Trainable, b svmkit.Bias) {
		s := proximalAt(coretest.WeightedProblem(rng, 120, 6, l, b), rng)
		for step := range 12 {
			if !s.step() {
				break
			}
			if step%3 == 2 && s.t.Kind != core.Squared {
				s.recentre(s.width / 2)
			}
		}
		s.setBeta()
		square, gap, sum := 0.0, 0.0, 0.0
		for k, u := range s.at {
			if want := s.anchor[k] + s.sign[k]*(s.edge(k)-s.x.dot(s.w, k%s.x.n)); math.Abs(u-want) > rounding*max(1, math.Abs(want)) {
				t.Fatalf("%s: u[%d] = %g, want %g", name, k, u, want)
			}
		}
		z := s.x.vector()
		for i, beta := range s.r.Beta {
			if lo, hi := s.t.Loss[i].Box(); beta < lo || beta > hi {
				t.Errorf("%s: β = %g outside of [%g, %g]", name, beta, lo, hi)
			}
			s.x.addRows(z, []int32{int32(i)}, []float64{beta})
			gap += s.t.Loss[i].Excess(beta, s.x.dot(s.w, i))
		}
		for j, v := range z {
			if math.Abs(v-s.z[j]) > rounding*max(1, math.Abs(v)) {
				t.Errorf("%s: z[%d] = %g, want %g", name, j, s.z[j], v)
			}
			d := s.ridge[j]*s.w[j] - v
			square += s.metric[j] * d * d / 2
			sum += d
		}
		if want := gap + square; s.excess+s.residual < want-rounding*max(1, want) || !s.t.TwoSided && s.excess+s.residual > want+rounding*max(1, want) {
			t.Errorf("%s: the state's gap is %g, by the definition %g", name, s.excess+s.residual, want)
		}
	})
}

// The estimate of a gap's lag is the sum over the ramps in J that its definition names, over one
// part of the rows and over several.
func TestLagIsTheSumOfItsRamps(t *testing.T) {
	const rounding = 1e-12 // relative to a sum of positive numbers
	rng := rand.New(rand.NewPCG(6, 0))
	several := false
	coretest.QPCases(func(name string, l loss.Trainable, b svmkit.Bias) {
		for _, n := range []int{100, 3000} {
			s := proximalAt(coretest.WeightedProblem(rng, n, 6, l, b), rng)
			if s.t.Kind == core.Squared {
				continue
			}
			s.direct()
			several = several || len(s.parts) > 1
			want, off := 0.0, s.x.vector()
			for j, v := range s.metric {
				off[j] = v * s.g[j]
			}
			for k, u := range s.at {
				if u > 0 && u < s.top {
					want += max(s.alpha[k], s.cost[k]-s.alpha[k]) * math.Abs(s.x.dot(off, k%n))
				}
			}
			for range 2 { // nothing of the first is in the second
				if got := s.lag(0); !(math.Abs(got-want) <= rounding*want) || want == 0 {
					t.Errorf("%s, n = %d: %g, want %g", name, n, got, want)
				}
			}
		}
	})
	if !several {
		t.Error("no problem has several parts")
	}
}

// A step without a workers, whose calls take a closure, allocates nothing.
func TestProximalStepAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for range 4 { // full and sparse
		s := proximalAt(coretest.WeightedProblem(rng, 500, 8, loss.Hinge{}, svmkit.FreeBias), rng)
		if n := testing.AllocsPerRun(15, func() { s.step() }); n > 0 {
			t.Errorf("flat %v: a step makes %g allocations", s.x.flat != nil, n)
		}
	}
}

// The first point is that of a sample whose costs stand for all rows: near the optimum also where
// the costs are so low that the regulariser counts.
func TestProximalStartsNearTheOptimum(t *testing.T) {
	const near = 1.1 // 250 rows in the sample, 6 unknowns
	rng := rand.New(rand.NewPCG(5, 0))
	coretest.QPCases(func(name string, l loss.Trainable, b svmkit.Bias) {
		p := coretest.WeightedProblem(rng, 4000, 5, l, b)
		p.C.C = 1e-3
		task := core.NewTask(p)
		r := core.NewRun(context.Background(), task, core.Settings{Tol: 1e-3, MaxIterations: 1000})
		s := newProximalState(task, r, newDesign(r, task))
		if s.start(); !(s.sampleShare() > 0) {
			t.Fatal("no sample was drawn")
		}
		best, err := coretest.Solve(context.Background(), p, ProximalNewton{}, core.Settings{Tol: 1e-6})
		if err != nil || s.primal() > near*best.Incumbent.Primal {
			t.Errorf("%s: the first point has %g, the optimum %g (%v)", name, s.primal(), best.Incumbent.Primal, err)
		}
	})
}

// edge returns the edge of ramp k.
func (s *proximalState) edge(k int) float64 {
	if s.sign[k] > 0 {
		return s.t.Loss[k].Low
	}
	return s.t.Loss[k%s.t.Len()].High
}
