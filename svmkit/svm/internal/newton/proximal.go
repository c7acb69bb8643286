package newton

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// The proximal point method on the dual, with Newton's method inside, for linear problems with the
// hinge loss, the ε-insensitive loss and their squares, at finite costs.
//
// Problem, as in newton.go, written with the edges k of the rows' ranges of scores. A row has one
// edge in classification and two in regression. cₖ is the cost and vₖ = signₖ·(edgeₖ − f(xᵢ)) the
// violation, with sign +1 at a lower edge and −1 at an upper one:
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
// Φₖ is the loss with its kink smoothed over a width δ, and its derivative is a ramp. Newton's
// method minimises the sum. Its Hessian
//
//	H = I + δ⁻¹ Σ cₖ·x̃ᵢx̃ᵢᵀ   over J = {k: 0 < uₖ < δ}
//
// changes from step to step by the rows that enter or leave J. Then α becomes the centre and δ
// shrinks. Every α is feasible, so the gap of ((w, b), α) is known at each step:
//
//	gap = Σₖ (cₖ·max(0, vₖ) − αₖvₖ) + ½‖w − Σᵢβᵢxᵢ‖²
//
// Its first sum falls as the centre moves, and its second term falls as the inner problem is
// solved. A squared loss is smooth: e = 0, δ = ½, clip(u) = max(u, 0), and there is one inner
// problem.
//
// The first w is the w of a random sample of the rows, at costs that represent all rows. The number
// of threads changes no bit of the result. A step costs O(nnz), the square of the stored values of
// each row that enters or leaves J, and m³/3 for m unknowns.
//
// Sources: Rockafellar, "Augmented Lagrangians and Applications of the Proximal Point Algorithm in
// Convex Programming", Math. Oper. Res. 1 (1976); Li, Sun and Toh, "A Highly Efficient Semismooth
// Newton Augmented Lagrangian Method for Solving Lasso Problems", SIAM J. Optim. 28 (2018), for
// Newton's method inside.

// ProximalNewton is the proximal point method on the dual with Newton's method inside.
type ProximalNewton struct{}

func (ProximalNewton) Name() string { return "proximal Newton" }

// mostColumns bounds two matrices whose size is the square of the number of columns: 200 MB each.
const mostColumns = 5000

func (ProximalNewton) Accepts(f core.Form) error {
	switch {
	case !f.Linear():
		return &svmkit.ParamError{Name: "Kernel", Value: fmt.Sprintf("%T", f.Kernel),
			Need: "must be linear for ProximalNewton", Hint: "use SMO or Decomposition for this kernel"}
	case f.Kind == core.Logistic:
		return &svmkit.ParamError{Name: "Loss", Value: "Logistic",
			Need: "is not supported by ProximalNewton", Hint: "use Newton"}
	case f.Hard:
		return &svmkit.ParamError{Name: "C", Value: math.Inf(1),
			Need: "must be finite for ProximalNewton", Hint: "use DualCoordinate for a hard margin"}
	case f.Dim > mostColumns:
		return &svmkit.ParamError{Name: "Solver", Value: "ProximalNewton",
			Need: fmt.Sprintf("supports at most %d columns, not %d", mostColumns, f.Dim),
			Hint: "use DualCoordinate"}
	}
	return nil
}

func (ProximalNewton) Solve(t *core.Task, r *core.Run) error {
	s := newProximalState(t, r, newDesign(r, t))
	s.start()
	if !s.descend(r.Tol, false) && !s.check() && !s.checkPlane() {
		r.Stall("no step along the Newton direction lowers the objective, or many have not " +
			"lowered the gap")
	}
	s.setBeta()
	return nil
}
