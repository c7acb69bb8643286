package coordinate

import (
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelrows"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// SDCA is stochastic dual coordinate ascent, for linear problems and kernels, without bias or with
// a penalized one. A free bias requires Σβᵢ = 0, which a change of one coordinate violates.
//
// The problem and its dual, for the hinge loss:
//
//	min ½‖w‖² + Σ cᵢ·max(0, 1 − yᵢf(xᵢ))
//	max OBJ(α) = Σαᵢ − ½ Σᵢⱼ αᵢαⱼyᵢyⱼKᵢⱼ   over 0 ≤ αᵢ ≤ cᵢ
//
// The update starts from α = 0 and draws a row at random, with replacement. It sets the derivative
// 1 − yᵢf(xᵢ) of OBJ to zero and clips αᵢ to its box. This gives the maximiser, because OBJ is a
// parabola in αᵢ:
//
//	αᵢ ← (1 − yᵢ Σ_{j≠i} αⱼyⱼKᵢⱼ) / Kᵢᵢ,   clipped to [0, cᵢ]
//
// With βᵢ = αᵢyᵢ it is [core.Loss.Step], which also covers the other losses and rows with Kᵢᵢ = 0.
//
// Sources: Shalev-Shwartz and Zhang (2013), "Stochastic Dual Coordinate Ascent Methods for
// Regularized Loss Minimization", Procedure SDCA; lessons/11-sdca.md derives the update.
type SDCA struct{}

func (SDCA) Name() string { return "stochastic dual coordinate ascent" }

func (SDCA) Accepts(f core.Form) error {
	switch {
	case f.Bias == svmkit.FreeBias:
		return &svmkit.ParamError{Name: "Bias", Value: f.Bias.String(),
			Need: "must be PenalizedBias or NoBias for SDCA, because one coordinate cannot keep Σβᵢ = 0"}
	case f.Kind == core.Logistic:
		return &svmkit.ParamError{Name: "Loss", Value: "Logistic",
			Need: "is not supported by SDCA", Hint: "use Newton"}
	case !f.Definite():
		return &svmkit.ParamError{Name: "Kernel", Value: f.Kernel,
			Need: "must be positive semidefinite for SDCA", Hint: "use SMO for this kernel"}
	}
	return nil
}

func (SDCA) Solve(t *core.Task, r *core.Run) error {
	s, err := newSDCA(t, r)
	if err != nil {
		return err
	}
	best, risen, failed, wasInfinite := math.Inf(1), s.dual, 0, true
	for ratio := 1.0; !r.Ended(); {
		if err := s.epoch(); err != nil {
			return err
		}
		if r.Ended() {
			return nil
		}
		r.Iterations++
		if s.gap > ratio*r.Allowed(s.dual+s.gap) {
			continue
		}
		if r.Check() {
			return nil
		}
		// The kernel has failed; rebuild returns its error.
		if r.Incumbent == nil {
			return s.rebuild()
		}
		ratio = max(ratio/2, leastRatio)
		left := r.Incumbent.Gap
		if math.IsInf(left, 1) {
			left = r.Incumbent.KKT
		}
		if failed++; left < (1-leastGain)*best || s.dual-risen > leastGain*left ||
			wasInfinite && !math.IsInf(r.Incumbent.Gap, 1) {
			best, risen, failed = left, s.dual, 0
		}
		if wasInfinite = math.IsInf(r.Incumbent.Gap, 1); failed > stallChecks {
			r.Stall("the draws see no gap any more, but the certificate does: rounding")
		}
		if err := s.rebuild(); err != nil {
			return err
		}
	}
	return nil
}

// The estimate of the gap misses the rows that an epoch has not drawn. Each certificate that fails
// therefore halves the estimate at which the next one is due. The run stalls only after stallChecks
// certificates without progress. There is progress if the gap has shrunk by the share leastGain of
// it, or if the dual objective has risen by that much. The dual objective never falls, whereas the
// primal objective, and so the gap, goes up and down on the way. No row of the benchmark runs SDCA.
const (
	leastRatio  = 1e-3
	stallChecks = 60
	leastGain   = 0.01
)

// sdca is the state of the ascent. Between updates w or the scores belong to β.
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

	// gap is the sum over the draws of an epoch of φᵢ(f) − dᵢ(βᵢ) + βᵢf. At fixed β its mean is the
	// duality gap.
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

// epoch makes n updates, each for a row drawn from all n rows.
func (s *sdca) epoch() error {
	s.gap = 0
	for work, n := 0, s.t.Len(); n > 0; n-- {
		i := s.rng.IntN(s.t.Len())
		f := s.score(i)
		old := s.beta[i]
		v := s.t.Loss[i].Step(old, f, s.q[i])
		before := s.t.Loss[i].Dual(old)
		s.gap += s.value(i, f) - before + old*f
		work += s.work(i, v != old)
		if v != old {
			if err := s.set(i, v); err != nil {
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

// value returns φᵢ(f). Under a hard margin, where φᵢ(f) is 0 or +Inf, it returns an exact penalty
// instead: the violation times a factor above |βᵢ|.
func (s *sdca) value(i int, f float64) float64 {
	if !s.t.Hard {
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

// set sets βᵢ to v and updates w or the scores. It costs O(d) for a linear problem, and a row of n
// kernel values otherwise.
func (s *sdca) set(i int, v float64) error {
	change := v - s.beta[i]
	s.beta[i] = v
	if s.t.Bias == svmkit.PenalizedBias {
		s.b += change
	}
	if s.w != nil {
		rowAdd(&s.t.X[i], s.w, change)
		return nil
	}
	if err := s.kernel.Row(s.row, i, s.t.KernelRows().All); err != nil {
		return err
	}
	for k, v := range s.row {
		s.scores[k] += change * v
	}
	return nil
}

// work returns about how many values an update touches.
func (s *sdca) work(i int, changed bool) int {
	if s.w == nil && changed {
		return s.t.Len() * (8 + len(s.t.X[i].Value))
	}
	return 8 + len(s.t.X[i].Value)
}

// rebuild computes w or the scores, b and the dual objective from β, so that rounding errors do not
// accumulate.
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
