// Package pegasos is stochastic subgradient descent on the soft margin.
package pegasos

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// Pegasos is stochastic subgradient descent on the soft margin, for linear problems with the hinge
// loss, without bias or with a penalized one (a constant feature 1).
//
// The problem is the problem of package svm divided by Σcᵢ:
//
//	min (λ/2)‖w‖² + (1/n) Σᵢ κᵢ·max(0, 1 − yᵢf(xᵢ)),    λ = 1/Σcᵢ,  κᵢ = n·cᵢ/Σcᵢ,
//
// so λ = 1/(Cn) and κᵢ = 1 if all rows have the cost C. Step t = 1, 2, … takes a batch A of k rows
// and the step size 1/(λt):
//
//	w ← (1 − 1/t)·w + 1/(λtk)·Σ κᵢyᵢxᵢ  over the rows of A with yᵢf(xᵢ) < 1
//	w ← min(1, 1/(√λ‖w‖))·w             with Project: the optimum is in this ball
//
// The model is the mean of the iterates weighted by t, which after T steps is within O(1/(λT)) of
// the optimum. With Last it is the last iterate.
//
// The dual point. Without projection w = Σβᵢxᵢ with βᵢ = yᵢκᵢmᵢ/(λTk) = yᵢcᵢ·mᵢn/(Tk), where mᵢ
// counts the violations of row i. An epoch visits every row once, in a new random order. After
// whole epochs, if k divides n, mᵢ ≤ Tk/n and so 0 ≤ αᵢ ≤ cᵢ. With Last, β is therefore feasible as
// it is, and a projection only shortens w. Otherwise αᵢ may exceed cᵢ, for the weighted mean by a
// factor of at most 1 + 1/epoch. Then β, and the model with it, is multiplied by min cᵢ/αᵢ. The
// dual value of β is a lower bound, so the gap of the certificate is an upper bound of the distance
// to the optimum. The bound is loose, because the violations of the first steps leave β only at the
// rate 1/T.
//
// A free bias is refused, because the step size requires strong convexity in every unknown.
// Settings.Start has no effect, because step 1 multiplies w by 0.
//
// Sources: Shalev-Shwartz, Singer, Srebro and Cotter (2011), "Pegasos: Primal Estimated
// sub-GrAdient SOlver for SVM", Fig. 1 (k = 1) and Fig. 2; Lacoste-Julien, Schmidt and Bach (2012),
// "A simpler approach to obtaining an O(1/t) convergence rate for the projected stochastic
// subgradient method", for the mean; lessons/09-pegasos.md derives the step.
type Pegasos struct { // its fields are those of svm.Pegasos
	Batch                      int
	Project, Last, Independent bool

	Each func(Step)
}

// Step is svm.PegasosStep.
type Step struct {
	T              int
	Rows, Violated []int
	Plane          svmkit.Hyperplane
}

func (Pegasos) Name() string { return "Pegasos" }

func (k Pegasos) Accepts(f core.Form) error {
	switch {
	case k.Batch < 0:
		return &svmkit.ParamError{Name: "Batch", Value: k.Batch,
			Need: "must be positive (0 means 1)"}
	case !f.Linear():
		return &svmkit.ParamError{Name: "Kernel", Value: fmt.Sprintf("%T", f.Kernel),
			Need: "must be linear for Pegasos", Hint: "use SMO or Decomposition for this kernel"}
	case f.Kind == core.Squared || f.Kind == core.Logistic || f.TwoSided:
		return &svmkit.ParamError{Name: "Solver", Value: "Pegasos",
			Need: "supports only the hinge loss", Hint: "use DualCoordinate for this loss"}
	case f.Hard:
		return &svmkit.ParamError{Name: "C", Value: math.Inf(1),
			Need: "must be finite for Pegasos, because λ = 1/(Cn) must not be 0"}
	case f.Bias == svmkit.FreeBias:
		return &svmkit.ParamError{Name: "Bias", Value: f.Bias.String(),
			Need: "must be PenalizedBias or NoBias for Pegasos, because its step 1/(λt) needs the " +
				"regulariser λ on every unknown"}
	}
	return nil
}

func (k Pegasos) Solve(t *core.Task, r *core.Run) error {
	s := newDescent(k, t, r.Seed)
	for next := 1; ; {
		if !s.epoch(r) {
			s.expand(r.Beta)
			return nil
		}
		if r.Iterations++; r.Iterations >= min(next, r.MaxIterations) {
			s.expand(r.Beta)
			if r.Check() {
				return nil
			}
			// ever rarer, because a certificate costs two passes
			next = r.Iterations + max(1, r.Iterations/4)
		}
	}
}

// descent runs the steps over the rows of a task and keeps the coefficient of each row. Invariant:
// w.V = Σ coef[i]·xᵢ.
type descent struct {
	Pegasos
	t     *core.Task
	w     Point
	kappa []float64 // κᵢyᵢ
	// coef is the sum of what the steps added, in multiples of xᵢ; yᵢ·coef[i] ≥ 0.
	coef []float64
	// since is the same sum, with each addition multiplied by w.Sum before it. The mean needs it:
	// see Point.
	since    []float64
	order    []int // of the rows in this epoch
	violated []int // rows of the current batch with yf < 1
	rand     *rand.Rand
}

func newDescent(k Pegasos, t *core.Task, seed uint64) *descent {
	n := t.Len()
	s := &descent{Pegasos: k, t: t, kappa: make([]float64, n), coef: make([]float64, n),
		since: make([]float64, n),
		order: make([]int, n), rand: rand.New(rand.NewPCG(seed, 0))}
	s.Batch = min(max(1, s.Batch), n)
	s.violated = make([]int, 0, s.Batch)
	for i := range t.Loss {
		s.kappa[i] = t.Loss[i].Under + t.Loss[i].Over
	}
	total := core.SumOf(s.kappa)
	longest := 0.0
	for i := range n {
		s.order[i] = i
		s.kappa[i] = (t.Loss[i].Under - t.Loss[i].Over) * float64(n) / total
		square := t.X[i].SquaredNorm()
		if t.Bias == svmkit.PenalizedBias {
			square++
		}
		longest = max(longest, math.Abs(s.kappa[i])*math.Sqrt(square))
	}
	s.w = NewPoint(1/total, t.Dim, t.Bias == svmkit.PenalizedBias)
	if s.w.project = k.Project; k.Project {
		s.w.early = int(min(longest*math.Sqrt(total), math.MaxInt32))
	}
	return s
}

// rowsBetweenChecks is the number of rows between two checks of the context.
const rowsBetweenChecks = 1024

// epoch makes ⌈n/k⌉ steps. It returns false if the run is over.
func (s *descent) epoch(r *core.Run) bool {
	if !s.Independent {
		s.rand.Shuffle(len(s.order), func(i, j int) {
			s.order[i], s.order[j] = s.order[j], s.order[i]
		})
	}
	for from := 0; from < len(s.order); from += s.Batch {
		if from%rowsBetweenChecks < s.Batch && r.Ended() {
			return false
		}
		batch := s.order[from:min(from+s.Batch, len(s.order))]
		if s.Independent {
			for k := range batch {
				batch[k] = s.rand.IntN(len(s.order))
			}
		}
		r.Updates += s.step(batch)
	}
	return true
}

// step is one step of Fig. 2. It returns the number of violations, all at the same w.
func (s *descent) step(batch []int) int {
	s.violated = s.violated[:0]
	for _, i := range batch {
		if math.Copysign(1, s.kappa[i])*s.w.Score(s.t.X[i]) < 1 {
			s.violated = append(s.violated, i)
		}
	}
	before := s.w.Sum
	for _, i := range s.violated {
		a := s.w.Add(s.t.X[i], s.kappa[i]/float64(len(batch)))
		s.coef[i] += a
		s.since[i] += before * a
	}
	if rescale := s.w.Finish(); rescale != 1 {
		for i := range s.coef {
			s.coef[i] *= rescale
		}
		clear(s.since)
	}
	if s.Each != nil {
		s.Each(s.made(batch))
	}
	return len(s.violated)
}

// made returns the last step, in memory of its own.
func (s *descent) made(batch []int) Step {
	h := svmkit.Hyperplane{W: make([]float64, len(s.w.V)), B: s.w.Model(s.w.B, 0, true)}
	for j, v := range s.w.V {
		h.W[j] = s.w.Model(v, 0, true)
	}
	return Step{T: s.w.T, Rows: slices.Clone(batch), Violated: slices.Clone(s.violated), Plane: h}
}

// expand sets β to the dual point of the model, see [Pegasos].
func (s *descent) expand(beta []float64) {
	scale := 1.0
	for i := range beta {
		beta[i] = s.w.Model(s.coef[i], s.since[i], s.Last)
		if lo, hi := s.t.Loss[i].Box(); beta[i] > hi {
			scale = min(scale, hi/beta[i])
		} else if beta[i] < lo {
			scale = min(scale, lo/beta[i])
		}
	}
	if scale == 1 {
		return
	}
	for i := range beta { // rounding of the quotient must not leave a bound
		lo, hi := s.t.Loss[i].Box()
		beta[i] = min(max(scale*beta[i], lo), hi)
	}
}
