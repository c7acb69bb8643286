// Package pegasos is stochastic subgradient descent on the soft margin.
package pegasos

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// Pegasos minimises the soft margin by stochastic subgradients (note E§3.2.1; Shalev-Shwartz,
// Singer, Srebro and Cotter, Math. Program. 2011, Fig. 1, with Batch Fig. 2). Divided by Σcᵢ, our
// objective is theirs,
//
//	(λ/2)‖w‖² + (1/n) Σᵢ κᵢ·max(0, 1 − yᵢf(xᵢ)),    λ = 1/Σcᵢ,  κᵢ = n·cᵢ/Σcᵢ,
//
// so λ = 1/(Cn) and κᵢ = 1 where all rows have the price C. Step t = 1, 2, … takes a batch A of
// k rows and the step size 1/(λt):
//
//	w ← (1 − 1/t)·w + 1/(λtk)·Σ κᵢyᵢxᵢ  over the rows of A with yᵢf(xᵢ) < 1
//	w ← min(1, 1/(√λ‖w‖))·w             with Project: the optimum is in this ball
//
// w is kept as a number times a vector, so that a step costs O(stored values of the batch).
// The model is the mean of the iterates weighted by t, which comes within O(1/(λT)) of the
// optimum after T steps (Lacoste-Julien, Schmidt and Bach 2012); the weights all but forget the
// first half of the run, whose w is noise. Last takes the last iterate instead.
//
// There is no dual iterate, but a feasible one is at hand. Each violation adds to one row:
// without projection w = Σβᵢxᵢ with βᵢ = yᵢκᵢmᵢ/(λTk) = yᵢcᵢ·mᵢn/(Tk), mᵢ the number of
// violations of row i. An epoch visits every row once, in a fresh random order. So after whole
// epochs, if k divides n, row i was visited Tk/n times and 0 ≤ αᵢ ≤ cᵢ: with Last, w is a
// feasible point of the dual by construction, and projection only makes it shorter. Otherwise
// αᵢ may exceed cᵢ, for the weighted mean by at most 1/epoch; then the whole of β is multiplied
// by min cᵢ/αᵢ, and the model with it (a plane through the same points; cutting single αᵢ would turn
// it). Thus β is feasible, its dual value a lower bound, and the certificate's gap an upper
// bound of the distance to the optimum, if a pessimistic one: every α remembers the first,
// random violations with the weight 1/T.
//
// For the hinge, linear, with NoBias or PenalizedBias (a constant feature 1). A free bias has no
// strong convexity, on which the step size rests: it is refused. The steps are those of
// note E, but expect thousands of epochs where DualCoordinate needs ten. Settings.Start cannot
// be used, since the first step forgets it.
type Pegasos struct {
	Batch       int  // k, rows a step; 0 means 1
	Project     bool // onto the ball of radius 1/√λ after each step; the mean leaves out the first steps, which are longer than that
	Last        bool // the last iterate, not the mean
	Independent bool // draw rows independently, as in the paper's analysis; not each once an epoch
}

func (Pegasos) Name() string { return "Pegasos" }

func (k Pegasos) Accepts(t *core.Task) error {
	switch {
	case k.Batch < 0:
		return &svmkit.ParamError{Name: "Batch", Value: k.Batch, Need: "must be positive (0 means 1)"}
	case !t.Linear():
		return &svmkit.ParamError{Name: "Kernel", Value: fmt.Sprintf("%T", t.Kernel), Need: "must be nil or Linear for Pegasos"}
	case t.Kind == core.Squared || t.Kind == core.Logistic || t.TwoSided():
		return &svmkit.ParamError{Name: "Solver", Value: "Pegasos", Need: "goes with the hinge loss only"}
	case t.Hard():
		return &svmkit.ParamError{Name: "C", Value: math.Inf(1), Need: "must be finite for Pegasos: λ = 1/(Cn) must not be 0"}
	case t.Bias == svmkit.FreeBias:
		return &svmkit.ParamError{Name: "Bias", Value: t.Bias.String(),
			Need: "must be PenalizedBias or NoBias for Pegasos: its step 1/(λt) needs the regulariser λ on every unknown"}
	}
	return nil
}

func (k Pegasos) Solve(t *core.Task, r *core.Run) error {
	s := newRows(k, t, r.Seed)
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
			next = r.Iterations + max(1, r.Iterations/4) // a check costs two passes
		}
	}
}

// pegasosRows runs the steps over the rows of a task and remembers what each row has given.
// Invariant: the vector w.v of pegasosPoint is Σ given[i]·xᵢ.
type rows struct {
	Pegasos
	t     *core.Task
	w     Point
	kappa []float64 // κᵢyᵢ
	given []float64 // what row i has added to w.v, in multiples of xᵢ; yᵢ·given[i] ≥ 0
	since []float64 // the same, each addition times w.sum before it: for the mean
	order []int     // of the rows in this epoch
	found []int     // rows of the current batch that violate, in the first places
	rand  *rand.Rand
}

func newRows(k Pegasos, t *core.Task, seed uint64) *rows {
	n := t.Len()
	s := &rows{Pegasos: k, t: t, kappa: make([]float64, n), given: make([]float64, n), since: make([]float64, n),
		order: make([]int, n), rand: rand.New(rand.NewPCG(seed, 0))}
	s.Batch = min(max(1, s.Batch), n)
	s.found = make([]int, 0, s.Batch)
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
		s.w.early = int(min(longest*math.Sqrt(total), 1<<40))
	}
	return s
}

// epoch makes ⌈n/k⌉ steps, or returns false because the run is over.
func (s *rows) epoch(r *core.Run) bool {
	if !s.Independent {
		s.rand.Shuffle(len(s.order), func(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] })
	}
	for from := 0; from < len(s.order); from += s.Batch {
		const look = 1024 // rows between two looks at the context
		if from%look < s.Batch && r.Ended() {
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

// step is one step of Fig. 2, and Fig. 1 for a single row. It returns the number of violations,
// which are all found before w changes.
func (s *rows) step(batch []int) int {
	s.found = s.found[:0]
	for _, i := range batch {
		if math.Copysign(1, s.kappa[i])*s.w.Score(s.t.X[i]) < 1 {
			s.found = append(s.found, i)
		}
	}
	before := s.w.Sum
	for _, i := range s.found {
		a := s.w.Add(s.t.X[i], s.kappa[i]/float64(len(batch)))
		s.given[i] += a
		s.since[i] += before * a
	}
	if rescale := s.w.Finish(); rescale != 1 {
		for i := range s.given {
			s.given[i] *= rescale
		}
		clear(s.since)
	}
	return len(s.found)
}

// expand sets β to the feasible point that belongs to the model, as the type's comment derives it.
func (s *rows) expand(beta []float64) {
	scale := 1.0
	for i := range beta {
		beta[i] = s.w.Model(s.given[i], s.since[i], s.Last)
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
