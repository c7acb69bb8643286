package svm

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
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

func (Pegasos) name() string { return "Pegasos" }

func (k Pegasos) accepts(t *task) error {
	switch {
	case k.Batch < 0:
		return &svmkit.ParamError{Name: "Batch", Value: k.Batch, Need: "must be positive (0 means 1)"}
	case !t.linear():
		return &svmkit.ParamError{Name: "Kernel", Value: fmt.Sprintf("%T", t.kernel), Need: "must be nil or Linear for Pegasos"}
	case t.squared || t.logistic || t.twoSided():
		return &svmkit.ParamError{Name: "Solver", Value: "Pegasos", Need: "goes with the hinge loss only"}
	case t.hard():
		return &svmkit.ParamError{Name: "C", Value: math.Inf(1), Need: "must be finite for Pegasos: λ = 1/(Cn) must not be 0"}
	case t.bias == svmkit.FreeBias:
		return &svmkit.ParamError{Name: "Bias", Value: t.bias.String(),
			Need: "must be PenalizedBias or NoBias for Pegasos: its step 1/(λt) needs the regulariser λ on every unknown"}
	}
	return nil
}

func (k Pegasos) solve(t *task, r *run) error {
	s := newPegasosRows(k, t, r.Seed)
	for next := 1; ; {
		if !s.epoch(r) {
			s.expand(r.beta)
			return nil
		}
		if r.epochs++; r.epochs >= min(next, r.MaxEpochs) {
			s.expand(r.beta)
			if r.check() {
				return nil
			}
			next = r.epochs + max(1, r.epochs/4) // a check costs two passes
		}
	}
}

// pegasosRows runs the steps over the rows of a task and remembers what each row has given.
// Invariant: the vector w.v of pegasosPoint is Σ given[i]·xᵢ.
type pegasosRows struct {
	Pegasos
	t     *task
	w     pegasosPoint
	kappa []float64 // κᵢyᵢ
	given []float64 // what row i has added to w.v, in multiples of xᵢ; yᵢ·given[i] ≥ 0
	since []float64 // the same, each addition times w.sum before it: for the mean
	order []int     // of the rows in this epoch
	found []int     // rows of the current batch that violate, in the first places
	rand  *rand.Rand
}

func newPegasosRows(k Pegasos, t *task, seed uint64) *pegasosRows {
	n := t.len()
	s := &pegasosRows{Pegasos: k, t: t, kappa: make([]float64, n), given: make([]float64, n), since: make([]float64, n),
		order: make([]int, n), rand: rand.New(rand.NewPCG(seed, 0))}
	s.Batch = min(max(1, s.Batch), n)
	s.found = make([]int, 0, s.Batch)
	total := sumOf(t.under) + sumOf(t.over)
	longest := 0.0
	for i := range n {
		s.order[i] = i
		s.kappa[i] = (t.under[i] - t.over[i]) * float64(n) / total
		square := t.x[i].SquaredNorm()
		if t.bias == svmkit.PenalizedBias {
			square++
		}
		longest = max(longest, math.Abs(s.kappa[i])*math.Sqrt(square))
	}
	s.w = newPegasosPoint(1/total, t.dim, t.bias == svmkit.PenalizedBias)
	if s.w.project = k.Project; k.Project {
		s.w.early = int(min(longest*math.Sqrt(total), 1<<40))
	}
	return s
}

// epoch makes ⌈n/k⌉ steps, or returns false because the run is over.
func (s *pegasosRows) epoch(r *run) bool {
	if !s.Independent {
		s.rand.Shuffle(len(s.order), func(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] })
	}
	for from := 0; from < len(s.order); from += s.Batch {
		const look = 1024 // rows between two looks at the context
		if from%look < s.Batch && r.ended() {
			return false
		}
		batch := s.order[from:min(from+s.Batch, len(s.order))]
		if s.Independent {
			for k := range batch {
				batch[k] = s.rand.IntN(len(s.order))
			}
		}
		r.updates += s.step(batch)
	}
	return true
}

// step is one step of Fig. 2, and Fig. 1 for a single row. It returns the number of violations,
// which are all found before w changes.
func (s *pegasosRows) step(batch []int) int {
	s.found = s.found[:0]
	for _, i := range batch {
		if math.Copysign(1, s.kappa[i])*s.w.score(s.t.x[i]) < 1 {
			s.found = append(s.found, i)
		}
	}
	before := s.w.sum
	for _, i := range s.found {
		a := s.w.add(s.t.x[i], s.kappa[i]/float64(len(batch)))
		s.given[i] += a
		s.since[i] += before * a
	}
	if rescale := s.w.finish(); rescale != 1 {
		for i := range s.given {
			s.given[i] *= rescale
		}
		clear(s.since)
	}
	return len(s.found)
}

// expand sets β to the feasible point that belongs to the model, as the type's comment derives it.
func (s *pegasosRows) expand(beta []float64) {
	scale := 1.0
	for i := range beta {
		beta[i] = s.w.model(s.given[i], s.since[i], s.Last)
		if lo, hi := s.t.box(i); beta[i] > hi {
			scale = min(scale, hi/beta[i])
		} else if beta[i] < lo {
			scale = min(scale, lo/beta[i])
		}
	}
	if scale == 1 {
		return
	}
	for i := range beta { // the quotient's rounding must not leave a bound
		lo, hi := s.t.box(i)
		beta[i] = min(max(scale*beta[i], lo), hi)
	}
}
