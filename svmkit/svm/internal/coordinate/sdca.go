package coordinate

import (
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelrows"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// cSDCA is stochastic dual coordinate ascent as note E, section 4.2, prints it: start with α = 0,
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

func (SDCA) Name() string { return "stochastic dual coordinate ascent" }

func (SDCA) Accepts(t *core.Task) error {
	switch {
	case t.Bias == svmkit.FreeBias:
		return &svmkit.ParamError{Name: "Bias", Value: t.Bias.String(), Need: "must be PenalizedBias or NoBias for SDCA: one coordinate cannot keep Σβᵢ = 0"}
	case t.Kind == core.Logistic:
		return &svmkit.ParamError{Name: "Loss", Value: "Logistic", Need: "has no coordinate step in closed form: not for SDCA"}
	case !t.Definite():
		return &svmkit.ParamError{Name: "Kernel", Value: t.Kernel, Need: "must be positive semidefinite for SDCA"}
	}
	return nil
}

func (SDCA) Solve(t *core.Task, r *core.Run) error {
	s, err := newSDCA(t, r)
	if err != nil {
		return err
	}
	// Draws of few rows miss the bad ones now and then, so one failed certificate says little.
	// As many in a row without progress are rounding.
	const patience = 60
	best, failed, wasInfinite := math.Inf(1), 0, true
	for trust := 1.0; !r.Ended(); {
		if err := s.epoch(); err != nil {
			return err
		}
		if r.Ended() {
			return nil
		}
		r.Iterations++
		if s.gap > trust*r.Tol*max(1, s.dual) {
			continue
		}
		if r.Check() {
			return nil
		}
		trust = max(trust/2, 1e-3)
		left := r.Incumbent.Gap
		if math.IsInf(left, 1) {
			left = r.Incumbent.KKT
		}
		if failed++; left < 0.99*best || wasInfinite && !math.IsInf(r.Incumbent.Gap, 1) {
			best, failed = left, 0
		}
		if wasInfinite = math.IsInf(r.Incumbent.Gap, 1); failed > patience {
			r.Stall("the draws see no gap any more, but the certificate does: rounding")
		}
		if err := s.rebuild(); err != nil {
			return err
		}
	}
	return nil
}

// sdca is the state of the ascent. Between steps the scores belong to β.
type sdca struct {
	t    *core.Task
	r    *core.Run
	beta []float64 // r.beta
	q    []float64 // Kᵢᵢ, plus 1 with a penalized bias
	rng  *rand.Rand

	w      []float64 // linear: Σβᵢxᵢ
	scores []float64 // kernel: Σⱼβⱼ K(xᵢ,xⱼ) for all i
	row    []float64 // kernel: one row of the Gram matrix
	kernel *kernelrows.Evaluator
	b      float64 // Σβᵢ with a penalized bias, otherwise 0

	// The rows of an epoch are drawn independently, so the sum over n draws of the terms
	// φᵢ(f) − dᵢ(βᵢ) + βᵢf of the duality gap has the gap itself as its mean, but for the steps
	// made meanwhile.
	gap  float64
	dual float64 // dual objective
}

func newSDCA(t *core.Task, r *core.Run) (*sdca, error) {
	s := &sdca{t: t, r: r, beta: r.Beta, rng: rand.New(rand.NewPCG(r.Seed, 0))}
	s.q = make([]float64, t.Len())
	if t.Linear() {
		s.w = make([]float64, t.Dim)
		for i := range t.X {
			s.q[i] = t.X[i].SquaredNorm()
		}
	} else {
		s.scores, s.row = make([]float64, t.Len()), make([]float64, t.Len())
		s.kernel = t.KernelRows().Evaluator()
		diagonal, err := s.kernel.Diagonal()
		if err != nil {
			return nil, err
		}
		for i, v := range diagonal {
			s.q[i] = max(0, v)
		}
	}
	if t.Bias == svmkit.PenalizedBias {
		for i := range s.q {
			s.q[i]++
		}
	}
	return s, s.rebuild()
}

// epoch makes n steps, each at a row drawn from all n.
func (s *sdca) epoch() error {
	s.gap = 0
	for work, n := 0, s.t.Len(); n > 0; n-- {
		i := s.rng.IntN(s.t.Len())
		f := s.score(i)
		old := s.beta[i]
		v := s.t.Loss[i].Step(old, f, s.q[i])
		before := s.t.Loss[i].Dual(old)
		s.gap += s.price(i, f) - before + old*f
		work += s.cost(i, v != old)
		if v != old {
			if err := s.move(i, v); err != nil {
				return err
			}
			s.dual += s.t.Loss[i].Dual(v) - before - (v-old)*(f+s.q[i]*(v-old)/2)
			s.r.Updates++
		}
		if work > workBetweenChecks {
			if work = 0; s.r.Ended() {
				return nil
			}
		}
	}
	return nil
}

// price returns φᵢ(f). A hard margin's is +Inf at the least violation; for the estimate of the
// gap it is a multiple of the violation, an exact penalty where the factor exceeds |βᵢ|.
func (s *sdca) price(i int, f float64) float64 {
	if !s.t.Hard() {
		return s.t.Loss[i].Value(f)
	}
	return max(0, s.t.Loss[i].Low-f, f-s.t.Loss[i].High) * max(1, 2*math.Abs(s.beta[i]))
}

// score returns f(xᵢ).
func (s *sdca) score(i int) float64 {
	if s.w != nil {
		return rowDot(&s.t.X[i], s.w) + s.b
	}
	return s.scores[i] + s.b
}

// move sets βᵢ to v and keeps up what is known about β. Linear: O(d). Kernel: a row of n values.
func (s *sdca) move(i int, v float64) error {
	step := v - s.beta[i]
	s.beta[i] = v
	if s.t.Bias == svmkit.PenalizedBias {
		s.b += step
	}
	if s.w != nil {
		rowAdd(&s.t.X[i], s.w, step)
		return nil
	}
	if err := s.kernel.Row(s.row, i, s.t.KernelRows().All); err != nil {
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
		return s.t.Len() * (8 + len(s.t.X[i].Value))
	}
	return 8 + len(s.t.X[i].Value)
}

// rebuild computes everything that is kept about β from β, so that rounding does not pile up.
func (s *sdca) rebuild() error {
	s.b, s.dual = 0, 0
	clear(s.w)
	for i, v := range s.beta {
		if v != 0 && s.w != nil {
			rowAdd(&s.t.X[i], s.w, v)
		}
		if s.t.Bias == svmkit.PenalizedBias {
			s.b += v
		}
		s.dual += s.t.Loss[i].Dual(v)
	}
	if s.w == nil {
		scores := s.t.KernelScores(s.r.Ctx, s.beta)
		if scores == nil { // the context ended, or the kernel failed
			return s.t.KernelRows().Err
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
