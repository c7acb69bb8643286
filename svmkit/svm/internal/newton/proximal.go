package newton

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// The proximal point method on the dual, with Newton's method inside, for linear problems with the hinge,
// ε-insensitive loss and their squares, at finite costs.
//
// Problem, as in newton.go, written with the edges k of the rows' ranges of scores, one a row in classification and two
// in regression: cₖ is the cost and vₖ = signₖ·(edgeₖ − f(xᵢ)) the violation, with sign +1 at a lower edge and −1 at an
// upper one:
//
//	min over w, b   ½‖w‖² + Σₖ cₖ·max(0, vₖ)
//
// Dual, where βᵢ is the sum of signₖαₖ over the edges of row i:
//
//	max over 0 ≤ αₖ ≤ cₖ   D(α) = −½‖Σᵢβᵢxᵢ‖² + Σₖ signₖ·edgeₖ·αₖ
//
// Update from the centre α⁰, for a width δ in units of the score, and its primal:
//
//	α ← argmax D(α) − Σₖ (αₖ − αₖ⁰)²·δ/(2cₖ)
//	(w, b) ← argmin ½‖w‖² + Σₖ Φₖ(uₖ),   uₖ = eₖ + vₖ,   eₖ = δ·αₖ⁰/cₖ
//	αₖ = Φₖ′(uₖ) = cₖ·clip(uₖ)/δ,   clip(u) = min(max(u, 0), δ)
//
// Φₖ is the loss with its kink smoothed over a width δ, and its derivative a ramp. Newton's method minimises the sum:
//
//	H = I + δ⁻¹ Σ cₖ·x̃ᵢx̃ᵢᵀ   over J = {k: 0 < uₖ < δ}
//
// changes from step to step by the rows that enter or leave J. Then α becomes the centre and δ shrinks. All α are
// feasible, so the gap of ((w, b), α) is known at each step:
//
//	gap = Σₖ (cₖ·max(0, vₖ) − αₖvₖ) + ½‖w − Σᵢβᵢxᵢ‖²
//
// Its first sum falls as the centre moves, its second as the inner problem is solved. A squared loss is smooth: e = 0,
// δ = ½, clip(u) = max(u, 0), and there is one inner problem.
//
// The first w is that of a random sample of the rows, at costs that stand for all rows. The number of threads changes
// no bit of the result. A step costs O(nnz), the square of the stored values of each row that enters or leaves J, and
// m³/3 for m unknowns.
//
// Sources: Rockafellar, "Augmented Lagrangians and Applications of the Proximal Point Algorithm in Convex
// Programming", Math. Oper. Res. 1 (1976); Li, Sun and Toh, "A Highly Efficient Semismooth Newton Augmented Lagrangian
// Method for Solving Lasso Problems", SIAM J. Optim. 28 (2018), for Newton's method inside.

// ProximalNewton is the proximal point method on the dual with Newton's method inside.
type ProximalNewton struct{}

func (ProximalNewton) Name() string { return "proximal Newton" }

// mostColumns bounds the two matrices of the square of the columns: 200 MB each.
const mostColumns = 5000

func (ProximalNewton) Accepts(t *core.Task) error {
	switch {
	case !t.Linear():
		return &svmkit.ParamError{Name: "Kernel", Value: fmt.Sprintf("%T", t.Kernel), Need: "must be nil or Linear for ProximalNewton, which works on w"}
	case t.Kind == core.Logistic:
		return &svmkit.ParamError{Name: "Loss", Value: "Logistic", Need: "has no edges: not for ProximalNewton, but for Newton"}
	case t.Hard():
		return &svmkit.ParamError{Name: "C", Value: math.Inf(1), Need: "must be finite for ProximalNewton"}
	case t.Dim > mostColumns:
		return &svmkit.ParamError{Name: "Solver", Value: "ProximalNewton", Need: fmt.Sprintf("keeps a matrix of the square of the columns: at most %d, not %d", mostColumns, t.Dim)}
	}
	return nil
}

func (ProximalNewton) Solve(t *core.Task, r *core.Run) error {
	s := newProximalState(t, r, newDesign(r.Ctx, t, t.Crew))
	s.start()
	if !s.descend(r.Tol, false) && !s.check() && !s.checkPlane() {
		r.Stall("no step along the Newton direction lowers the objective, or many have not lowered the gap")
	}
	s.setBeta()
	return nil
}

// What the rows linear of the benchmark say of these constants (hinge, squared hinge or tube on the nine sets of bench/data
// with few columns, to 1e-3 and 1e-6, one thread; times differ by 4 % without a change) stands beside each.
const (
	// innerShare is the share of the gap that ½‖w − Σβᵢxᵢ‖² may have when the centre moves. At 0.125 there are 6 % more
	// steps, at 0.9 3 %; satellite, hinge to 1e-3 has 24 in the place of 16.
	innerShare = 0.5
	// innerSolved is the share of the gap asked for below which ½‖w − Σβᵢxᵢ‖² needs no step: the inner problem is solved,
	// and the centre has to move. It is for an optimum at w = 0; no row depends on it from 0 to 0.08.
	innerSolved = 0.01
	// δ is divided by fastShrink; by slowShrink after more than slowAfter steps of an inner problem; by 1 after more than
	// holdAfter. With a fastShrink of 6 there are 10 % more steps, with 1.5 5 % fewer, but half as many again for the tube
	// on cadata to 1e-3. With a slowShrink of 2.5 there are 2 % more. A slowAfter of 3 or 12 changes 1 %, a holdAfter of 6
	// or 1,000 less.
	fastShrink, slowShrink = 2.5, 1.5
	slowAfter, holdAfter   = 6, 12
	// rebuildAfter is how many steps may add to sums, in which rounding accumulates, before they are computed anew. No row
	// depends on it from 5 to 80.
	rebuildAfter = 20
	// progress is the share of the least gap so far that a gap has to reach to be progress. Two steps a row may pass
	// without, but at least leastStall and at most mostStall: with more columns than rows, steps may move hardly more than
	// one ramp into J or out of it, and a random problem of few rows has needed 118. No row depends on
	// them: none takes 60 steps.
	progress              = 0.9
	leastStall, mostStall = 100, 400
	// lagSteps is how many steps the gap of Σβᵢxᵢ may stay behind that of (w, b) before (w, b) itself is certified. No row
	// depends on it from 8 to 32; with 2 there are 1 % fewer steps, and other certificates.
	lagSteps = 8
	// mostFailures is how many steps in a row may fail. No row depends on it from 1 to 12.
	mostFailures = 3
)

// descend makes steps until the gap is at most tol relative to the primal objective: the state's own gap if rough, that
// of a certificate otherwise. It returns false if it gets no further.
func (s *proximalState) descend(tol float64, rough bool) bool {
	least, stalled, inner, failed, lagging := math.Inf(1), 0, 0, 0, 0
	mayStall := min(max(leastStall, 2*s.x.n), mostStall)
	for !s.r.Ended() {
		gap, target := s.excess+s.residual, tol*max(1, s.primal())
		if math.IsNaN(gap) {
			return false
		}
		if gap <= target {
			if rough {
				return true
			}
			if lagging++; gap+s.lag(target-gap) <= target {
				if s.check() {
					return true
				}
				if gap == 0 { // no step is left: the certificate's gap is rounding
					return s.checkPlane()
				}
				for gap <= tol*max(1, s.primal()) { // a step comes before the next certificate
					tol /= 4
				}
				continue
			}
			if lagging > lagSteps && s.checkPlane() {
				return true
			}
		}
		if stalled++; gap < progress*least {
			least, stalled = gap, 0
		}
		if stalled > mayStall || failed > mostFailures {
			return false
		}
		if s.t.Kind != core.Squared && s.width > s.narrowest && gap > target && (s.residual <= innerShare*gap || failed > 0) {
			s.recentre(s.width / shrinkage(inner))
			inner = 0
			if s.r.Progress != nil && s.check() { // the caller wants certificates on the way
				return true
			}
		}
		switch solved := s.residual <= innerSolved*target && s.width > s.narrowest; {
		case s.step():
			failed = 0
		case s.t.Kind == core.Squared || !solved:
			failed++
		}
		inner++
	}
	return true
}

// check certifies β.
func (s *proximalState) check() bool {
	s.setBeta()
	return s.r.Check()
}

// checkPlane certifies (w, b) and β, where rounding keeps Σβᵢxᵢ away from the optimum, as with columns of size 10⁶.
func (s *proximalState) checkPlane() bool {
	s.setBeta()
	return s.r.CheckPlane(s.w)
}

// shrinkage returns by what δ is divided after an inner problem of so many steps.
func shrinkage(inner int) float64 {
	switch {
	case inner > holdAfter:
		return 1
	case inner > slowAfter:
		return slowShrink
	}
	return fastShrink
}

// step makes one step of Newton's method. It returns false if there is no direction of descent, up to rounding.
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
			s.age = rebuildAfter // accumulated rounding may be the reason
		}
		return false
	}
	s.move(length)
	s.r.Updates++
	return true
}

// search returns the step along p to a point where the slope of the smoothed objective is at most slopeShare of that at
// 0; ok is false if p is no direction of descent, up to rounding.
func (s *proximalState) search() (step float64, ok bool) {
	var first, linear, square float64
	for j, p := range s.p {
		first += s.g[j] * p
		linear += s.ridge[j] * s.w[j] * p
		square += s.ridge[j] * p * p
	}
	if !(first < 0) {
		return 0, false
	}
	s.trial = 1 // the first step of minimizeRay
	s.do(s.pass.rates)
	s.r.Iterations++
	known := true
	return minimizeRay(func(step float64) (slope, curvature float64, enough bool) {
		slope, curvature = s.rampSums(step, known)
		known = false
		slope, curvature = linear+step*square+slope/s.width, square+curvature/s.width
		return slope, curvature, math.Abs(slope) <= slopeShare*-first
	})
}
