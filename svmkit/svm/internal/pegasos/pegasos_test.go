package pegasos

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm/internal/core"
	"github.com/svmkit/course/svmkit/svm/internal/core/coretest"
)

// threeRows is three rows in the plane, with C = 1/3: λ = 1/(Cn) = 1, and κ = 1 for all.
func threeRows() *core.Problem {
	return &core.Problem{Data: &svmkit.Dataset{X: svmkit.DenseRows([]float64{2, 0, 0, 1, 1, 1}, 2), Y: []float64{1, -1, 1}, Dim: 2},
		C: core.Cost{C: 1. / 3}, Bias: svmkit.NoBias}
}

// plane returns (w, b) of β before it is scaled into its box.
func (s *descent) plane(last bool) []float64 {
	w := make([]float64, s.t.Dim+1)
	for i, x := range s.t.X {
		b := s.w.Model(s.coef[i], s.since[i], last)
		x.AddTo(w[:s.t.Dim], b)
		if s.w.bias {
			w[s.t.Dim] += b
		}
	}
	return w
}

// byHand is the rounding error of numbers near 1 after a handful of operations.
const byHand = 1e-15

func near(have []float64, want ...float64) bool {
	for j, v := range want {
		if math.Abs(have[j]-v) > byHand {
			return false
		}
	}
	return true
}

// One epoch by hand, η = 1/t, in the order of the rows, all of which violate:
//
//	t = 1: w = 0·w + 1·(2,0)               = (2, 0)
//	t = 2: f = 0,      w = ½(2,0) − ½(0,1)  = (1, −½)
//	t = 3: f = 1 − ½,  w = ⅔(1,−½) + ⅓(1,1) = (1, 0)
//
// The mean weighted by t is ((2,0) + 2(1,−½) + 3(1,0))/6 = (7/6, −1/6). Each row has violated in
// its only visit, so α = C = 1/3, and w = ⅓(2,0) − ⅓(0,1) + ⅓(1,1).
//
// With the projection onto the ball of radius 1 the first step is cut to (1,0), then t = 2: (½,
// −½), of length 0.71; t = 3: f = 0, ⅔(½,−½) + ⅓(1,1) = (⅔, 0).
func TestPegasosFirstEpochByHand(t *testing.T) {
	for _, k := range []struct {
		solver Pegasos
		steps  [][]float64
	}{
		{Pegasos{}, [][]float64{{2, 0}, {1, -0.5}, {1, 0}}},
		{Pegasos{Project: true}, [][]float64{{1, 0}, {0.5, -0.5}, {2. / 3, 0}}},
	} {
		s := newDescent(k.solver, core.NewTask(threeRows()), 0)
		for i, want := range k.steps {
			if n := s.step([]int{i}); n != 1 {
				t.Errorf("%+v: step %d: %d violations", k.solver, i+1, n)
			}
			if w := s.plane(true); !near(w, want...) {
				t.Errorf("%+v: w after step %d is %v, by hand %v", k.solver, i+1, w, want)
			}
		}
		if w := s.plane(false); !k.solver.Project && !near(w, 7./6, -1./6) {
			t.Errorf("the mean is %v, by hand (7/6, −1/6)", w)
		}
		beta := make([]float64, 3)
		s.Last = true
		if s.expand(beta); !k.solver.Project && !near(beta, 1./3, -1./3, 1./3) {
			t.Errorf("β = %v, by hand (1, −1, 1)/3", beta)
		}
	}
}

// A batch adds the mean of its subgradients, all taken at the same w:
//
//	t = 1: w = ⅓((2,0) − (0,1) + (1,1))     = (1, 0)
//	t = 2: y·f = 2, 0, 1: only row 1 violates (1 is no violation)
//	       w = ½(1,0) − ½·⅓(0,1)             = (½, −1/6)
func TestPegasosBatchByHand(t *testing.T) {
	s := newDescent(Pegasos{Batch: 3}, core.NewTask(threeRows()), 0)
	if n := s.step([]int{0, 1, 2}); n != 3 || !near(s.plane(true), 1, 0) {
		t.Errorf("step 1: %d violations, w = %v", n, s.plane(true))
	}
	if n := s.step([]int{0, 1, 2}); n != 1 || !near(s.plane(true), 0.5, -1./6) {
		t.Errorf("step 2: %d violations, w = %v", n, s.plane(true))
	}
}

// literalPegasos is the algorithm as the papers print it, on a plain vector (w, b), with each
// iterate kept.
func literalPegasos(p *core.Problem, k Pegasos, batches [][]int) (iterates [][]float64) {
	n, d := p.Data.Len(), p.Data.Dim
	total := 0.0
	cost := make([]float64, n)
	for i, y := range p.Data.Y {
		cost[i] = p.C.C * p.Data.Weight[i] * p.C.Positive
		if y < 0 {
			cost[i] = p.C.C * p.Data.Weight[i] * p.C.Negative
		}
		total += cost[i]
	}
	lambda := 1 / total
	w := make([]float64, d+1)
	for t, batch := range batches {
		eta := 1 / (lambda * float64(t+1))
		next := make([]float64, d+1)
		for j := range w {
			next[j] = (1 - eta*lambda) * w[j]
		}
		for _, i := range batch {
			x, y := append(p.Data.X[i].ToDense(d), 1), p.Data.Y[i]
			if p.Bias == svmkit.NoBias {
				x[d] = 0
			}
			if y*svmkit.Dense(x...).Dot(w) < 1 {
				svmkit.Dense(x...).AddTo(next, eta*y*cost[i]*float64(n)/total/float64(len(batch)))
			}
		}
		if norm := svmkit.Dense(next...).Norm(); k.Project && norm > 1/math.Sqrt(lambda) {
			for j := range next {
				next[j] /= norm * math.Sqrt(lambda)
			}
		}
		w = next
		iterates = append(iterates, w)
	}
	return iterates
}

// The number times a vector, the lazy mean, the projection and the coefficients of the rows agree
// with the printed algorithm in every step; and w is in the span of the rows that violated.
func TestPegasosIsThePrintedAlgorithm(t *testing.T) {
	// drift is what a few hundred steps of two formulas may differ by, relative to ‖w‖. The mean
	// with projection is right to 12 digits, see leastRho.
	const drift = 1e-9
	r := rand.New(rand.NewPCG(21, 0))
	restarts := 0
	for trial := range 40 {
		p := coretest.WeightedProblem(r, 30, 4, loss.SquaredHinge{}, []svmkit.Bias{svmkit.PenalizedBias, svmkit.NoBias}[trial%2])
		p.Loss = nil
		p.C.C = math.Exp(6 * r.NormFloat64())
		k := Pegasos{Batch: 1 + trial%4, Project: trial%3 > 0}
		s := newDescent(k, core.NewTask(p), 0)
		if trial%2 == 0 {
			s.w.early = 0 // so that ρ falls while the mean is taken
		}
		var batches [][]int
		for range 300 {
			batch := make([]int, k.Batch)
			for j := range batch {
				batch[j] = r.IntN(30)
			}
			batches = append(batches, batch)
		}
		radius := 1 / math.Sqrt(s.w.lambda)
		iterates := literalPegasos(p, k, batches)
		mean, from, weight := make([]float64, 5), 0, 0.0
		for step, batch := range batches {
			s.step(batch)
			want := iterates[step]
			scale := max(svmkit.Dense(want...).Norm(), radius*1e-3)
			last := s.plane(true)
			if k.Project && svmkit.Dense(last...).Norm() > radius*(1+drift) {
				t.Fatalf("trial %d: ‖w‖ = %g outside of the ball of %g", trial, svmkit.Dense(last...).Norm(), radius)
			}
			if s.w.from != from {
				clear(mean)
				from, weight = s.w.from, 0
				restarts++
			}
			if part := float64(step + 1 - from); part > 0 {
				weight += part
				svmkit.Dense(want...).AddTo(mean, part)
			}
			svmkit.Dense(want...).AddTo(last, -1)
			if off := svmkit.Dense(last...).Norm(); off > drift*scale {
				t.Fatalf("trial %d %+v: step %d is %g off, ‖w‖ = %g", trial, k, step+1, off, scale)
			}
			if weight > 0 {
				ours := s.plane(false)
				svmkit.Dense(mean...).AddTo(ours, -1/weight)
				if off := svmkit.Dense(ours...).Norm(); off > drift*radius+drift*scale {
					t.Fatalf("trial %d %+v: the mean after step %d is %g off", trial, k, step+1, off)
				}
			}
		}
	}
	if restarts < 10 {
		t.Errorf("the mean started anew %d times only: too few to test it", restarts)
	}
}

// After whole epochs in which every row was visited once, the last iterate is feasible as it is.
func TestPegasosIsFeasibleByConstruction(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 0))
	for trial := range 20 {
		p := coretest.WeightedProblem(r, 24, 3, loss.SquaredHinge{}, svmkit.PenalizedBias)
		p.Loss = nil
		k := Pegasos{Batch: []int{1, 2, 6, 24}[trial%4], Project: trial%3 == 0}
		task := core.NewTask(p)
		s := newDescent(k, task, uint64(trial))
		run := core.NewRun(context.Background(), task, core.Settings{MaxIterations: 100})
		for e := 1; e <= 6; e++ {
			if !s.epoch(run) {
				t.Fatal("ended")
			}
			for i := range s.coef {
				lo, hi := task.Loss[i].Box()
				width := hi - lo
				const rounding = 1e-12
				if b := s.w.Model(s.coef[i], 0, true); b < lo-rounding*width || b > hi+rounding*width {
					t.Fatalf("%+v: after epoch %d β[%d] = %g outside of [%g, %g]", k, e, i, b, lo, hi)
				}
				// and the mean exceeds it by 1/epoch at most
				if b := s.w.Model(s.coef[i], s.since[i], false); !k.Project && math.Abs(b) > width*(1+1/float64(e)+rounding) {
					t.Fatalf("%+v: after epoch %d the mean has α[%d] = %g, C = %g", k, e, i, math.Abs(b), width)
				}
			}
			beta := make([]float64, 24)
			s.expand(beta)
			if box := task.Certify(beta).Box; box != 0 {
				t.Fatalf("the certificate had to move β by %g", box)
			}
		}
	}
}

func TestPegasosStepsAllocateNothing(t *testing.T) {
	p := coretest.WeightedProblem(rand.New(rand.NewPCG(24, 0)), 50, 4, loss.SquaredHinge{}, svmkit.PenalizedBias)
	p.Loss = nil
	task := core.NewTask(p)
	s := newDescent(Pegasos{Batch: 2, Project: true}, task, 0)
	run := core.NewRun(context.Background(), task, core.Settings{MaxIterations: 1 << 30})
	beta := make([]float64, 50)
	if n := testing.AllocsPerRun(20, func() { s.epoch(run); s.expand(beta) }); n != 0 {
		t.Errorf("%g allocations an epoch", n)
	}
}

func TestMain(m *testing.M) { leaktest.Main(m) }
