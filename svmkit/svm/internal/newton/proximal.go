package newton

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// cProximalNewton is the proximal point method on the dual, with Newton's method inside, for linear
// problems with few columns: hinge, ε-insensitive and their squares, any bias, finite C. It
// is the fastest solver there is here up to about a thousand columns, and badly scaled columns
// do not slow it down.
//
// A proximal step takes the dual variables αₖ ≥ 0 of all edges of the rows' ranges, one edge a row
// in classification and two in regression, to
//
//	argmax D(α) − Σ σₖ⁻¹·(αₖ − αₖ⁰)²/2,    σₖ = cₖ/δ,
//
// from the centre α⁰, where cₖ is the price of a unit beyond the edge and δ is a width, in units of
// the score. The term makes the primal side of the problem smooth: with the violation
// vₖ = ±(edgeₖ − f(xᵢ)) it is
//
//	min over (w,b)  ½‖w‖² + Σ Φₖ(uₖ),   uₖ = eₖ + vₖ,   eₖ = δ·αₖ⁰/cₖ
//	Φₖ′(u) = αₖ = cₖ·clip(u)/δ,         clip(u) = min(max(u, 0), δ)
//
// the loss with its kink rounded over a width δ. Newton's method solves it: its Hessian is
//
//	H = I + δ⁻¹ Σ cₖ·xᵢxᵢᵀ    over J = {k: 0 < uₖ < δ},
//
// in which only the rows that enter or leave J change from step to step. Then α becomes the
// centre, δ shrinks, and the next problem starts. Each α met is in its box, so the duality gap of
// (w, b) and α is known at all times,
//
//	gap = Σ (cₖ·max(0, vₖ) − αₖvₖ) + ½‖w − Σβᵢxᵢ‖²,
//
// and its two parts say which of the two problems wants more work. A squared loss is smooth already:
// e = 0, δ = ½, no upper end of the ramps, and one problem to solve.
//
// The first w comes from the same problem for a sixteenth of the rows, drawn with Settings.Seed, at
// sixteen times the price; with a squared loss on few rows from up to a fourth of them.
//
// The certificate's w is Σβᵢxᵢ. Only where rounding keeps that away from the optimum, as with columns of
// size 10⁶, is it the w at hand. Certificates are made near the end; if Settings.Progress is set, also at
// each move of the centre.
//
// The number of threads changes no bit of the result.
//
// A step costs O(nnz), for each row that enters or leaves J the square of its stored values, and d³/3.
// Result.Epochs counts passes over the data, Result.Updates the steps.
//
// Source: Rockafellar (1976), "Augmented Lagrangians and Applications of the Proximal Point Algorithm
// in Convex Programming"; for Newton's method inside, Li, Sun and Toh (2018), "A Highly Efficient
// Semismooth Newton Augmented Lagrangian Method for Solving Lasso Problems".
type ProximalNewton struct{}

func (ProximalNewton) Name() string { return "proximal Newton" }

// mostColumns bounds the two matrices of the square of the columns, here 200 MB each.
const MostColumns = 5000

func (ProximalNewton) Accepts(t *core.Task) error {
	switch {
	case !t.Linear():
		return &svmkit.ParamError{Name: "Kernel", Value: fmt.Sprintf("%T", t.Kernel), Need: "must be nil or Linear for ProximalNewton, which works on w"}
	case t.Kind == core.Logistic:
		return &svmkit.ParamError{Name: "Loss", Value: "Logistic", Need: "has no edges: not for ProximalNewton, but for Newton"}
	case t.Hard():
		return &svmkit.ParamError{Name: "C", Value: math.Inf(1), Need: "must be finite for ProximalNewton"}
	case t.Dim > MostColumns:
		return &svmkit.ParamError{Name: "Solver", Value: "ProximalNewton", Need: fmt.Sprintf("keeps a matrix of the square of the columns: at most %d, not %d", MostColumns, t.Dim)}
	}
	return nil
}

func (ProximalNewton) Solve(t *core.Task, r *core.Run) error {
	s := newProximalState(t, r, newDesign(r.Ctx, t, t.Crew))
	s.begin()
	if !s.descend(r.Tol, false) && !s.check() && !s.checkPlane() {
		r.Stall("no step along the Newton direction lowers the objective, or many have not lowered the gap")
	}
	s.report()
	return nil
}

const (
	// firstWidth is δ at the start, in units of the score: at w = 0 all rows are then on a slope.
	firstWidth = 4
	// innerShare is the share of the gap that the inner problem's part of it may have when the
	// centre moves.
	innerShare = 0.5
	// innerSolved is the share of the gap asked for below which the inner problem's part says that it is solved.
	innerSolved = 0.01
	// δ shrinks by quick, but by slow or not at all after an inner problem of many steps: a
	// factor of 5 each time stalls on hard sets.
	quick, slow          = 2.5, 1.5
	slowAfter, holdAfter = 6, 12
	// leastWidth bounds δ from below, in units of the score: σ must not outgrow the digits.
	leastWidth = 1e-10
	// rebuildAfter is how many steps may add to G, z and u before they are computed anew.
	rebuildAfter = 20
	// idleSteps and mostIdle bound how many steps may pass without the smallest gap so far falling: two a row, for there are
	// sets of more columns than rows where hardly more than one ramp enters or leaves J in a step.
	idleSteps, mostIdle = 100, 400
	// lateSteps is how many steps the w of β may need to come as near to the optimum as the w at hand.
	// After that it is rounding that keeps it away.
	lateSteps = 8
	// patienceOfSteps is how many steps may fail in a row.
	patienceOfSteps = 3
)

// descend makes steps until the gap is at most tol relative to the primal objective: by the state's
// own account if rough, by a certificate otherwise. It returns false if it can get no further.
func (s *proximalState) descend(tol float64, rough bool) bool {
	least, idle, inner, failed, late := math.Inf(1), 0, 0, 0, 0
	mayIdle := min(max(idleSteps, 2*s.x.n), mostIdle)
	for !s.r.Ended() {
		gap, target := s.excess+s.residual, tol*max(1, s.primal())
		if math.IsNaN(gap) {
			return false
		}
		if gap <= target {
			if rough {
				return true
			}
			if late++; gap+s.lag(target-gap) <= target {
				if s.check() {
					return true
				}
				if gap == 0 { // no step is left: it is rounding that the certificate sees
					return s.checkPlane()
				}
				for gap <= tol*max(1, s.primal()) { // so that a step comes before the next certificate
					tol /= 4
				}
				continue
			}
			if late > lateSteps && s.checkPlane() {
				return true
			}
		}
		if idle++; gap < 0.9*least {
			least, idle = gap, 0
		}
		if idle > mayIdle || failed > patienceOfSteps {
			return false
		}
		if s.t.Kind != core.Squared && s.width > s.narrowest && gap > target && (s.residual <= innerShare*gap || failed > 0) {
			s.recentre(s.width / growth(inner))
			inner = 0
			if s.r.Progress != nil && s.check() { // the caller wants to see it coming
				return true
			}
		}
		switch solved := s.residual <= innerSolved*target && s.width > s.narrowest; {
		case s.step():
			failed = 0
		case s.t.Kind == core.Squared || !solved: // else no step is needed, but a centre that moves: w = 0 may be the best of all
			failed++
		}
		inner++
	}
	return true
}

// check certifies the point.
func (s *proximalState) check() bool {
	s.report()
	return s.r.Check()
}

// checkPlane certifies the point's own (w, b), and not that of β.
func (s *proximalState) checkPlane() bool {
	s.report()
	return s.r.CheckPlane(s.w)
}

// growth returns by what δ is divided after an inner problem of so many steps.
func growth(inner int) float64 {
	switch {
	case inner > holdAfter:
		return 1
	case inner > slowAfter:
		return slow
	}
	return quick
}

// step makes one step of Newton's method. It returns false if none leads downhill as far as
// rounding lets us see.
func (s *proximalState) step() bool {
	if s.age++; s.age > rebuildAfter {
		s.refresh()
	}
	length, ok := 0.0, s.direct()
	if ok {
		length, ok = s.search()
	}
	if !ok {
		if s.age > 0 {
			s.age = rebuildAfter // what has piled up may be the reason
		}
		return false
	}
	s.move(length)
	s.r.Updates++
	return true
}
