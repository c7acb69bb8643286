// Package newton holds the second-order solvers of linear problems: Newton's method on the primal objective, with
// Cholesky factors or conjugate gradients, and the proximal point method on the dual.
package newton

import (
	"fmt"
	"math"
	"runtime"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/parallel"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// Newton minimises the primal objective itself,
//
//	F(w,b) = ½‖w‖² + Σᵢ φᵢ(⟨w,xᵢ⟩ + b)        (+ ½b² if the bias is penalized)
//
// for the losses that have a derivative: squared hinge, squared ε-insensitive and logistic, on
// linear problems with any bias. Its dual follows from the scores: βᵢ = −φᵢ′(f(xᵢ)) is always
// in the box, and ∇F = w − Σβᵢxᵢ. Fenchel–Young holds with equality in every row, so that, unless
// the bias is free, the duality gap of the pair (w, β) is exactly ½‖∇F‖²: the cheap measure that
// calls for a certificate. (The certificate's w is Σβᵢxᵢ. It meets ours at the optimum only,
// so its gap may lag behind by a step. Only where rounding keeps it away from the optimum, as with
// columns of size 10⁶, is it the w at hand.)
//
// A step solves H·p = −∇F, H = I + Σ φᵢ″·xᵢxᵢᵀ, and then looks along p. There are
// two ways to the direction, and Result.Solver says which one was taken:
//
//   - few columns: H is a dense matrix, factorised by Cholesky. For the squares φ″ is constant
//     on the rows outside of their range, so H changes only by the rows that enter or leave this
//     set, and finitely many steps, mostly 5 to 20, end at the optimum (Keerthi and DeCoste,
//     JMLR 2005);
//   - many columns: conjugate gradients with products H·p by rows, preconditioned by the
//     diagonal of H and stopped early (Lin, Weng and Keerthi, JMLR 2008, Algorithm 2). A search
//     along the direction takes the place of their trust region: F is convex, so it converges
//     as well, and has no radius to tune (Galli and Lin, IEEE TNNLS 2022). In exact arithmetic as
//     many products as unknowns suffice. Where they do not, or a thousand do not, or all steps
//     together have taken twice as many, the dense matrix takes over, up to 2,000 unknowns.
//
// A step costs O(nnz) and, dense, the square of a row's stored values for each changed row and
// d³/3 for the factors; otherwise O(nnz) for each product. Result.Epochs counts the passes over
// the data, Result.Updates the steps. No random numbers are used.
type Cholesky struct{}

// newtonCG is Newton's method with directions by conjugate gradients.
type ConjugateGradients struct {
	HandOver bool // end where as many products as unknowns, or a thousand, do not suffice for a direction
}

func (Cholesky) Name() string           { return "Newton (Cholesky)" }
func (ConjugateGradients) Name() string { return "Newton (conjugate gradients)" }

func (Cholesky) Accepts(t *core.Task) error           { return newtonAccepts(t) }
func (ConjugateGradients) Accepts(t *core.Task) error { return newtonAccepts(t) }

func newtonAccepts(t *core.Task) error {
	switch {
	case !t.Linear():
		return &svmkit.ParamError{Name: "Kernel", Value: fmt.Sprintf("%T", t.Kernel), Need: "must be nil or Linear for Newton, which works on w"}
	case t.Kind != core.Squared && t.Kind != core.Logistic:
		return &svmkit.ParamError{Name: "Solver", Value: "Newton",
			Need: "needs a loss with a derivative: SquaredHinge, SquaredEpsInsensitive or Logistic"}
	}
	return nil
}

func (Cholesky) Solve(t *core.Task, r *core.Run) error {
	s := newNewtonState(t, r)
	crew := parallel.NewCrew(runtime.GOMAXPROCS(0))
	defer crew.Close()
	s.descend(newFactors(s, crew))
	return nil
}

func (k ConjugateGradients) Solve(t *core.Task, r *core.Run) error {
	s := newNewtonState(t, r)
	cg := newGradients(s, k.HandOver)
	s.descend(cg)
	if cg.gaveUp && !r.Ended() {
		r.Unknowns = s.v
		r.Stall("conjugate gradients need more products than a factorisation costs")
	}
	return nil
}

// newtonDirection sets s.p to a solution, exact or not, of H·p = −g. It returns false if
// the fit has to end, or another way to the direction has to be taken.
type newtonDirection interface {
	direct(s *newtonState) bool
}

// descend makes Newton steps until the certificate is good enough. Invariant: F never
// rises by more than rounding.
func (s *newtonState) descend(way newtonDirection) {
	trigger, lowest, least, idle := math.Inf(1), math.Inf(1), math.Inf(1), 0
	for s.evaluate() {
		gap := s.gap()
		if math.IsNaN(gap) || math.IsInf(gap+s.value, 0) {
			s.r.Stall("the objective overflows: scale the data")
			return
		}
		if gap <= min(trigger, s.r.Tol*max(1, math.Abs(s.value))) {
			if s.r.Check() {
				return
			}
			trigger = gap / 4 // a check costs two passes
		}
		if s.r.Ended() {
			return
		}
		if s.value < lowest-roundingOfF*math.Abs(lowest) || gap < least/2 {
			idle = 0
		} else if idle++; idle == newtonPatience {
			s.stall("neither the objective nor its gradient falls any more")
			return
		}
		lowest, least = min(lowest, s.value), min(least, gap)
		if !way.direct(s) {
			return
		}
		if !s.search() {
			s.stall("no step along the Newton direction lowers the objective")
			return
		}
		s.r.Updates++
	}
}

const (
	// roundingOfF is the relative change of F that n additions may cause by themselves.
	roundingOfF = 1e-14
	// newtonPatience is how many steps may pass without progress: near the optimum rounding
	// makes some idle before the gradient falls again.
	newtonPatience = 5
)

// stall gives two certificates the last word: that of β, and that of the plane at hand.
func (s *newtonState) stall(reason string) {
	if !s.r.Check() && !s.r.CheckPlane(s.v) {
		s.r.Stall("rounding: " + reason)
	}
}
