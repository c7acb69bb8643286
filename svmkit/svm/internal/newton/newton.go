// Package newton holds the second-order solvers of linear problems: Newton's method on the primal
// objective, with Cholesky factors or conjugate gradients, and the proximal point method on the
// dual.
//
// A comment that names the benchmark but no command means
//
//	go run -C tools ./bench -rows linear
package newton

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// Newton's method for linear problems with a differentiable loss φᵢ, which includes its cost
// (core.Loss): squared hinge, squared ε-insensitive, logistic.
//
// Problem, with f(x) = ⟨w,x⟩ + b, and + ½b² if the bias is penalized:
//
//	min over w, b   F(w,b) = ½‖w‖² + Σᵢ φᵢ(f(xᵢ))
//
// Dual, with dᵢ(β) = −φᵢ*(−β), and − ½(Σᵢβᵢ)² if the bias is penalized, Σᵢβᵢ = 0 if it is free:
//
//	max over β   D(β) = −½‖Σᵢβᵢxᵢ‖² + Σᵢ dᵢ(βᵢ)
//
// Update, with x̃ = (x, 1), and with I without its last 1 if the bias is free:
//
//	βᵢ = −φᵢ′(f(xᵢ)),   ∇F = (w, b) − Σᵢ βᵢx̃ᵢ,   H = I + Σᵢ φᵢ″(f(xᵢ))·x̃ᵢx̃ᵢᵀ
//	H·p = −∇F,   (w, b) ← (w, b) + step·p   with step from a line search
//
// This β is in its box, and φᵢ(f(xᵢ)) − dᵢ(βᵢ) + βᵢf(xᵢ) = 0 for all rows, so the gap of ((w, b),
// β) is ½‖∇F‖². When the gap is small, a certificate of β is made. Its w is Σᵢβᵢxᵢ, whose gap may
// need one more step.
//
// Cholesky factorises H. A squared loss has a constant φᵢ″ outside its range of scores and 0
// inside, so H changes only by the rows that cross an edge, and the method ends after finitely many
// steps, usually 5 to 20. A step costs O(nnz), the square of the stored values of each changed row,
// and m³/3 for m unknowns.
//
// ConjugateGradients solves H·p = −∇F inexactly, at O(nnz) per product.
//
// Sources: Keerthi and DeCoste, "A Modified Finite Newton Method for Fast Solution of Large Scale
// Linear SVMs", JMLR 6 (2005); Lin, Weng and Keerthi, "Trust Region Newton Method for Large-Scale
// Logistic Regression", JMLR 9 (2008), Algorithm 2; Galli and Lin, "A Study on Truncated Newton
// Methods for Linear Classification", IEEE TNNLS 33 (2022), for the line search instead of the
// trust region.

// Cholesky is Newton's method with directions from the Cholesky factors of H.
type Cholesky struct{}

// ConjugateGradients is Newton's method with directions from preconditioned conjugate gradients.
type ConjugateGradients struct {
	HandOver bool // stall if the products have cost more than factors would
}

func (Cholesky) Name() string           { return "Newton (Cholesky)" }
func (ConjugateGradients) Name() string { return "Newton (conjugate gradients)" }

func (Cholesky) Accepts(f core.Form) error           { return accepts(f) }
func (ConjugateGradients) Accepts(f core.Form) error { return accepts(f) }

func accepts(f core.Form) error {
	switch {
	case !f.Linear():
		return &svmkit.ParamError{Name: "Kernel", Value: fmt.Sprintf("%T", f.Kernel),
			Need: "must be linear for Newton", Hint: "use SMO or Decomposition for this kernel"}
	case f.Kind != core.Squared && f.Kind != core.Logistic:
		return &svmkit.ParamError{Name: "Solver", Value: "Newton",
			Need: "needs a loss with a derivative: squared hinge, squared ε-insensitive or logistic",
			Hint: "use DualCoordinate for this loss"}
	}
	return nil
}

func (Cholesky) Solve(t *core.Task, r *core.Run) error {
	s := newState(t, r)
	s.descend(newFactors(s))
	return nil
}

func (k ConjugateGradients) Solve(t *core.Task, r *core.Run) error {
	s := newState(t, r)
	cg := newGradients(s, k.HandOver)
	s.descend(cg)
	if cg.exceeded && !r.Ended() {
		r.Unknowns = s.v
		r.Stall("conjugate gradients need more products than a factorisation costs")
	}
	return nil
}

// A direction sets s.p to a solution, exact or not, of H·p = −g. It returns false if the fit has to
// end or another solver has to go on.
type direction interface {
	direct(s *state) bool
}

// descend makes Newton steps until a certificate reaches the tolerance. Invariant: F never rises by
// more than rounding.
func (s *state) descend(d direction) {
	certifyAt, lowest, leastGap, stalled := math.Inf(1), math.Inf(1), math.Inf(1), 0
	for s.evaluate() {
		gap := s.gap()
		if math.IsNaN(gap) || math.IsInf(gap+s.value, 0) {
			s.r.Stall("the objective overflows: scale the data")
			return
		}
		if gap <= min(certifyAt, s.r.Allowed(s.value)) {
			if s.r.Check() {
				return
			}
			// No row of the benchmark depends on this factor from 1 to 16.
			certifyAt = gap / 4
		}
		if s.r.Ended() {
			return
		}
		if s.value < lowest-roundingOfF*math.Abs(lowest) || gap < leastGap/2 {
			stalled = 0
		} else if stalled++; stalled == stallSteps {
			s.stall("neither the objective nor its gradient falls any more")
			return
		}
		lowest, leastGap = min(lowest, s.value), min(leastGap, gap)
		if !d.direct(s) {
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
	// stallSteps is how many steps may pass without progress. Near the optimum, rounding makes some
	// steps useless before the gradient falls again. No row of the benchmark depends on it from 1
	// to 20. Benchmark: go run -C tools ./bench -rows linear -solver newton
	stallSteps = 5
)

// stall certifies β and, if that is not enough, (w, b) itself before it gives up. With columns of
// size 10⁶, rounding keeps Σβᵢxᵢ away from the optimum.
func (s *state) stall(reason string) {
	if !s.r.Check() && !s.r.CheckPlane(s.v) {
		s.r.Stall("rounding: " + reason)
	}
}
