package svm

import (
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// SDCA is stochastic dual coordinate ascent as note E, section 4.2, prints it: start with α = 0,
// draw a row at random (with replacement), set its αᵢ to the value that makes the derivative of the
// dual objective zero, clip it to its bounds, repeat. Linear problems and kernels, without bias
// or with a penalized one; a free bias demands Σβᵢ = 0, which no single coordinate can
// keep: one step from 0 breaks it.
//
// For the hinge loss the derivative of the dual objective
//
//	OBJ(α) = Σαᵢ − ½ Σᵢⱼ αᵢαⱼyᵢyⱼKᵢⱼ,   0 ≤ αᵢ ≤ cᵢ
//
// with respect to αᵢ is 1 − yᵢf(xᵢ): it is positive, and αᵢ grows, when the margin is too small.
// It vanishes at
//
//	αᵢ = (1 − yᵢ Σ_{j≠i} αⱼyⱼKᵢⱼ) / Kᵢᵢ,   clipped to [0, cᵢ]
//
// and since OBJ is a parabola in αᵢ, the clipped value is its maximiser over the box. With
// βᵢ = αᵢyᵢ the same closed form serves the other losses: a squared loss adds 1/(2cᵢ) to Kᵢᵢ, and the
// ε-insensitive ones have a parabola on either side of β = 0. (A row with Kᵢᵢ = 0 has no
// parabola; its αᵢ goes to the end of the box to which the derivative points.)
//
// The method is plain on purpose. [DualCoordinate] is the same step with what makes it fast;
// [SMO] is the way to a free bias with kernels.
//
// Source: note E, section 4.2; Shalev-Shwartz and Zhang (2013), "Stochastic Dual Coordinate Ascent
// Methods for Regularized Loss Minimization", Procedure SDCA.
type SDCA struct{}

func (SDCA) name() string { return "stochastic dual coordinate ascent" }

func (SDCA) accepts(t *task) error {
	switch {
	case t.bias == svmkit.FreeBias:
		return &svmkit.ParamError{Name: "Bias", Value: t.bias.String(), Need: "must be PenalizedBias or NoBias for SDCA: one coordinate cannot keep Σβᵢ = 0"}
	case t.logistic:
		return &svmkit.ParamError{Name: "Loss", Value: "Logistic", Need: "has no coordinate step in closed form: not for SDCA"}
	case !t.definite():
		return &svmkit.ParamError{Name: "Kernel", Value: t.kernel, Need: "must be positive semidefinite for SDCA"}
	}
	return nil
}

func (SDCA) solve(t *task, r *run) error {
	s, err := newSDCA(t, r)
	if err != nil {
		return err
	}
	// Draws of few rows miss the bad ones now and then, so one failed certificate says little.
	// As many in a row without progress are rounding.
	const patience = 60
	best, failed, wasInfinite := math.Inf(1), 0, true
	for trust := 1.0; !r.ended(); {
		if err := s.epoch(); err != nil {
			return err
		}
		if r.ended() {
			return nil
		}
		r.epochs++
		if s.gap > trust*r.Tol*max(1, s.dual) {
			continue
		}
		if r.check() {
			return nil
		}
		trust = max(trust/2, 1e-3)
		left := r.best.Gap
		if math.IsInf(left, 1) {
			left = r.best.KKT
		}
		if failed++; left < 0.99*best || wasInfinite && !math.IsInf(r.best.Gap, 1) {
			best, failed = left, 0
		}
		if wasInfinite = math.IsInf(r.best.Gap, 1); failed > patience {
			r.stall("the draws see no gap any more, but the certificate does: rounding")
		}
		if err := s.rebuild(); err != nil {
			return err
		}
	}
	return nil
}

// sdca is the state of the ascent. Between steps the scores belong to β.
type sdca struct {
	t    *task
	r    *run
	beta []float64 // r.beta
	c    []coordinate
	rng  *rand.Rand

	w      []float64 // linear: Σβᵢxᵢ
	scores []float64 // kernel: Σⱼβⱼ K(xᵢ,xⱼ) for all i
	row    []float64 // kernel: one row of the Gram matrix
	kernel *kernel.Evaluator
	b      float64 // Σβᵢ with a penalized bias, otherwise 0

	// The rows of an epoch are drawn independently, so the sum over n draws of the terms
	// φᵢ(f) − dᵢ(βᵢ) + βᵢf of the duality gap has the gap itself as its mean, but for the steps
	// made meanwhile.
	gap  float64
	dual float64 // dual objective
}

func newSDCA(t *task, r *run) (*sdca, error) {
	s := &sdca{t: t, r: r, beta: r.beta, rng: rand.New(rand.NewPCG(r.Seed, 0))}
	square := func(i int) float64 { return t.x[i].SquaredNorm() }
	if t.linear() {
		s.w = make([]float64, t.dim)
	} else {
		s.scores, s.row = make([]float64, t.len()), make([]float64, t.len())
		s.kernel = t.kernelRows().Evaluator()
		diagonal, err := s.kernel.Diagonal()
		if err != nil {
			return nil, err
		}
		square = func(i int) float64 { return max(0, diagonal[i]) }
	}
	s.c = newCoordinates(t, square)
	if t.bias == svmkit.PenalizedBias {
		for i := range s.c {
			s.c[i].q++
		}
	}
	return s, s.rebuild()
}

// epoch makes n steps, each at a row drawn from all n.
func (s *sdca) epoch() error {
	s.gap = 0
	for work, n := 0, s.t.len(); n > 0; n-- {
		i := s.rng.IntN(s.t.len())
		f := s.score(i)
		old := s.beta[i]
		v := s.c[i].optimum(old, f)
		before := s.t.dual(i, old)
		s.gap += s.price(i, f) - before + old*f
		work += s.cost(i, v != old)
		if v != old {
			if err := s.move(i, v); err != nil {
				return err
			}
			s.dual += s.t.dual(i, v) - before - (v-old)*(f+s.c[i].q*(v-old)/2)
			s.r.updates++
		}
		if work > workBetweenLooks {
			if work = 0; s.r.ended() {
				return nil
			}
		}
	}
	return nil
}

// price returns φᵢ(f). A hard margin's is +Inf at the least violation; for the estimate of the
// gap it is a multiple of the violation, an exact penalty where the factor exceeds |βᵢ|.
func (s *sdca) price(i int, f float64) float64 {
	if !s.t.hard() {
		return s.t.loss(i, f)
	}
	return max(0, s.t.low[i]-f, f-s.t.high[i]) * max(1, 2*math.Abs(s.beta[i]))
}

// score returns f(xᵢ).
func (s *sdca) score(i int) float64 {
	if s.w != nil {
		return rowDot(&s.t.x[i], s.w) + s.b
	}
	return s.scores[i] + s.b
}

// move sets βᵢ to v and keeps up what is known about β. Linear: O(d). Kernel: a row of n values.
func (s *sdca) move(i int, v float64) error {
	step := v - s.beta[i]
	s.beta[i] = v
	if s.t.bias == svmkit.PenalizedBias {
		s.b += step
	}
	if s.w != nil {
		rowAdd(&s.t.x[i], s.w, step)
		return nil
	}
	if err := s.kernel.Row(s.row, i, s.t.kernelRows().all); err != nil {
		return err
	}
	for k, v := range s.row {
		s.scores[k] += step * v
	}
	return nil
}

// cost is how many numbers a step touches.
func (s *sdca) cost(i int, moved bool) int {
	if s.w == nil && moved {
		return s.t.len() * (8 + len(s.t.x[i].Value))
	}
	return 8 + len(s.t.x[i].Value)
}

// rebuild computes everything that is kept about β from β, so that rounding does not pile up.
func (s *sdca) rebuild() error {
	s.b, s.dual = 0, 0
	clear(s.w)
	for i, v := range s.beta {
		if v != 0 && s.w != nil {
			rowAdd(&s.t.x[i], s.w, v)
		}
		if s.t.bias == svmkit.PenalizedBias {
			s.b += v
		}
		s.dual += s.t.dual(i, v)
	}
	if s.w == nil {
		scores := s.t.kernelScores(s.r.ctx, s.beta)
		if scores == nil { // the context ended, or the kernel failed
			return s.t.kernelRows().err
		}
		s.scores = scores
	}
	for i, v := range s.beta {
		if v != 0 {
			s.dual -= v * s.score(i) / 2
		}
	}
	return nil
}
