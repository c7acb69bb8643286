package svm

import (
	"fmt"
	"math"
	"runtime"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/parallel"
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
type Newton struct {
	// Dense is the largest number of unknowns, d or d + 1 with a bias, for the dense matrix.
	// 0 means 300, for a dense row then costs as much to add as some 75 products with it, and
	// 2,000 once conjugate gradients have failed. More pay where the rows are sparse or the columns
	// so unlike in scale that conjugate gradients are slow. A negative number means never.
	Dense int
}

// The numbers of unknowns up to which the matrix is dense: at once, and if conjugate gradients fail.
const (
	denseAtOnce = 300
	denseAtLast = 2000 // the matrix takes 32 MB, as its factors do
)

func (Newton) name() string { return "Newton" }

func (Newton) accepts(t *task) error {
	switch {
	case !t.linear():
		return &svmkit.ParamError{Name: "Kernel", Value: fmt.Sprintf("%T", t.kernel), Need: "must be nil or Linear for Newton, which works on w"}
	case !t.squared && !t.logistic:
		return &svmkit.ParamError{Name: "Solver", Value: "Newton",
			Need: "needs a loss with a derivative: SquaredHinge, SquaredEpsInsensitive or Logistic"}
	}
	return nil
}

// newtonDirection sets s.p to a solution, exact or not, of H·p = −g. It returns false if
// the fit has to end, or another way to the direction has to be taken.
type newtonDirection interface {
	direct(s *newtonState) bool
}

func (k Newton) solve(t *task, r *run) error {
	atOnce, atLast := k.Dense, k.Dense
	if k.Dense == 0 {
		atOnce, atLast = denseAtOnce, denseAtLast
	}
	s := newNewtonState(t, r)
	if r.variant = "dense Cholesky"; len(s.v) > atOnce {
		r.variant = "conjugate gradients"
		cg := newNewtonCG(s, len(s.v) <= atLast)
		s.descend(cg)
		if !cg.gaveUp {
			return nil
		}
		r.variant = "conjugate gradients, then dense Cholesky"
	}
	crew := parallel.NewCrew(runtime.GOMAXPROCS(0))
	defer crew.Close()
	s.descend(newNewtonDense(s, crew))
	return nil
}

// descend makes Newton steps until the certificate is good enough. Invariant: F never
// rises by more than rounding.
func (s *newtonState) descend(way newtonDirection) {
	trigger, lowest, least, idle := math.Inf(1), math.Inf(1), math.Inf(1), 0
	for s.evaluate() {
		gap := s.gap()
		if math.IsNaN(gap) || math.IsInf(gap+s.value, 0) {
			s.r.stall("the objective overflows: scale the data")
			return
		}
		if gap <= min(trigger, s.r.Tol*max(1, math.Abs(s.value))) {
			if s.r.check() {
				return
			}
			trigger = gap / 4 // a check costs two passes
		}
		if s.r.ended() {
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
		s.r.updates++
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
	if !s.r.check() && !s.r.checkPlane(s.v) {
		s.r.stall("rounding: " + reason)
	}
}
