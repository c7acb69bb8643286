// Package qp solves small dense convex quadratic programs, as a reference for tests.
//
//	s, err := qp.Solve(&qp.Problem{Q: q, P: p, A: a, R: 1, Lower: zeros})
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Printf("%.4f %.4f\n", s.X, s.Y)
//
// [Solve] takes programs with bounds and one equality, in float64. [Exact] takes small programs
// with any linear inequalities, in fractions. The package shares no code and no method with the
// solvers of package svm.
//
// # Standard form
//
//	minimise    ½ xᵀQx + pᵀx            Q  n×n, symmetric, positive semidefinite
//	subject to  aᵀx = r                 a  n numbers; nil for no such constraint
//	            l ≤ x ≤ u               −Inf and +Inf without a bound; nil for no bounds
//
// The dual of a support vector machine has this form with a = 1 (or the labels) and r = 0. Q may be
// singular, as it is for a linear kernel with more rows than columns.
//
// # Optimality
//
// With the multiplier y of the equality and the multipliers z⁻, z⁺ ≥ 0 of the lower and upper
// bounds, x is a solution if and only if it is feasible and
//
//	Qx + p − y·a − z⁻ + z⁺ = 0,    z⁻ᵢ(xᵢ − lᵢ) = 0,    z⁺ᵢ(uᵢ − xᵢ) = 0.
//
// # Method
//
// Solve uses Mehrotra's predictor-corrector method (J. Nocedal and S. Wright, Numerical
// Optimization, 2nd ed., section 16.6), a primal–dual interior point method. All iterates are
// strictly inside the bounds. Each step solves two systems with one Cholesky factorisation of Q +
// diag(z⁻/(x−l) + z⁺/(u−x)). Afterwards, with the active set fixed, one linear system for the
// variables off their bounds polishes the solution (section 16.5). A step costs O(n³), and there
// are about 10 to 40 steps.
//
// # Any linear inequalities
//
// The primal problem of a hard margin, ½‖w‖² such that yᵢ(⟨w,xᵢ⟩ + b) ≥ 1, does not have the
// standard form: its constraints are general inequalities Gx ≥ h, and b has no curvature. [General]
// and [Exact] are for such programs.
package qp
