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

// Pegasos is stochastic subgradient descent on the soft margin, for linear problems with the hinge loss, without
// bias or with a penalized one (a constant feature 1).
//
// The problem is that of the package divided by Σcᵢ:
//
//	min (λ/2)‖w‖² + (1/n) Σᵢ κᵢ·max(0, 1 − yᵢf(xᵢ)),    λ = 1/Σcᵢ,  κᵢ = n·cᵢ/Σcᵢ,
//
// so λ = 1/(Cn) and κᵢ = 1 where all rows have the weight C. Step t = 1, 2, … takes a batch A of k rows and
// the step size 1/(λt):
//
//	w ← (1 − 1/t)·w + 1/(λtk)·Σ κᵢyᵢxᵢ  over the rows of A with yᵢf(xᵢ) < 1
//	w ← min(1, 1/(√λ‖w‖))·w             with Project: the optimum is in this ball
//
// The model is the mean of the iterates weighted by t, which after T steps is within O(1/(λT)) of the
// optimum; with Last it is the last iterate.
//
// The dual point. Without projection w = Σβᵢxᵢ with βᵢ = yᵢκᵢmᵢ/(λTk) = yᵢcᵢ·mᵢn/(Tk), where mᵢ counts
// the violations of row i. An epoch visits every row once, in a new random order. So after whole epochs, if k
// divides n, mᵢ ≤ Tk/n and 0 ≤ αᵢ ≤ cᵢ: with Last, β is feasible as it is, and projection only shortens w.
// Otherwise αᵢ may exceed cᵢ, for the weighted mean by a factor of at most 1 + 1/epoch; then β, and the model
// with it, is multiplied by min cᵢ/αᵢ. The dual value of β is a lower bound, so the certificate's gap
// is an upper bound of the distance to the optimum; a loose one, since the violations of the
// first steps leave β at the rate 1/T only.
//
// A free bias is refused: the step size rests on strong convexity in every unknown. Settings.Start has no
// effect, for step 1 multiplies w by 0.
//
// Sources: note E, section 3.2.1; Shalev-Shwartz, Singer, Srebro and Cotter (2011), "Pegasos: Primal
// Estimated sub-GrAdient SOlver for SVM", Fig. 1 (k = 1) and Fig. 2; Lacoste-Julien, Schmidt and Bach (2012),
// "A simpler approach to obtaining an O(1/t) convergence rate for the projected stochastic subgradient
// method", for the mean.
type Pegasos struct {
	Batch       int  // k, rows a step; 0 means 1
	Project     bool // onto the ball of radius 1/√λ after each step; the mean leaves out the first steps, which are longer than that
	Last        bool // the last iterate, not the mean
	Independent bool // draw rows independently, as in the paper's analysis; not each once an epoch

	Each func(Step) // called after every step; may be nil
}

// Step is a step that has been made.
type Step struct {
	T        int               // t, from 1
	Rows     []int             // the batch; drawn independently, a row may occur twice
	Violated []int             // those of them with y·f(x) < 1 before the step
	Plane    svmkit.Hyperplane // the iterate after it, not the mean
}

func (Pegasos) Name() string { return "Pegasos" }

func (k Pegasos) Accepts(f core.Form) error {
	switch {
	case k.Batch < 0:
		return &svmkit.ParamError{Name: "Batch", Value: k.Batch, Need: "must be positive (0 means 1)"}
	case !f.Linear():
		return &svmkit.ParamError{Name: "Kernel", Value: fmt.Sprintf("%T", f.Kernel), Need: "must be linear for Pegasos"}
	case f.Kind == core.Squared || f.Kind == core.Logistic || f.TwoSided:
		return &svmkit.ParamError{Name: "Solver", Value: "Pegasos", Need: "goes with the hinge loss only"}
	case f.Hard:
		return &svmkit.ParamError{Name: "C", Value: math.Inf(1), Need: "must be finite for Pegasos: λ = 1/(Cn) must not be 0"}
	case f.Bias == svmkit.FreeBias:
		return &svmkit.ParamError{Name: "Bias", Value: f.Bias.String(),
			Need: "must be PenalizedBias or NoBias for Pegasos: its step 1/(λt) needs the regulariser λ on every unknown"}
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
			next = r.Iterations + max(1, r.Iterations/4) // rarer and rarer, since a certificate costs two passes
		}
	}
}

// descent runs the steps over the rows of a task and keeps the coefficients of each row.
// Invariant: w.V = Σ coef[i]·xᵢ.
type descent struct {
	Pegasos
	t        *core.Task
	w        Point
	kappa    []float64 // κᵢyᵢ
	coef     []float64 // Σ of what the steps added, in multiples of xᵢ; yᵢ·coef[i] ≥ 0
	since    []float64 // the same, each addition times w.Sum before it: for the mean, see Point
	order    []int     // of the rows in this epoch
	violated []int     // rows of the current batch with yf < 1
	rand     *rand.Rand
}

func newDescent(k Pegasos, t *core.Task, seed uint64) *descent {
	n := t.Len()
	s := &descent{Pegasos: k, t: t, kappa: make([]float64, n), coef: make([]float64, n), since: make([]float64, n),
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

// epoch makes ⌈n/k⌉ steps, or returns false because the run is over.
func (s *descent) epoch(r *core.Run) bool {
	if !s.Independent {
		s.rand.Shuffle(len(s.order), func(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] })
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

// made returns the step just made, in memory of its own.
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
	for i := range beta { // the quotient's rounding must not leave a bound
		lo, hi := s.t.Loss[i].Box()
		beta[i] = min(max(scale*beta[i], lo), hi)
	}
}
