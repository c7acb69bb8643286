// Package svm states, solves and certifies the support vector machines of the course.
//
// A [Problem] says what is to be minimised: data, loss, kernel, cost and bias. [Fit] solves it
// with a [Solver], one of its own choice if none is given, and returns a [Result]: the [Model]
// and the [Proof] of how good it is.
//
//	r, err := svm.Fit(ctx, &svm.Problem{Data: data, C: svm.PerSum(1)}, nil, nil)
//
// # The problem
//
//	minimise  ½‖w‖² + Σᵢ cᵢ·ℓ(f(xᵢ), yᵢ),    f(x) = ⟨w,φ(x)⟩ + b
//
//	ℓ    Hinge, SquaredHinge, Logistic; EpsInsensitive, SquaredEpsInsensitive (package loss)
//	cᵢ   C, times a factor of the class or the side of the tube, times a weight of the row;
//	     +Inf is the hard margin
//	b    FreeBias, PenalizedBias or NoBias
//	φ    linear, or that of a kernel (package kernel)
//
// # The dual, and the sign of β
//
// Every fit works on, and returns, one number βᵢ a row with w = Σ βᵢφ(xᵢ). In classification
// βᵢ = αᵢyᵢ with 0 ≤ αᵢ ≤ cᵢ. In regression βᵢ = αᵢ⁻ − αᵢ⁺: positive where the score lies below
// the tube and is pulled up. A support vector has βᵢ ≠ 0; a free one, strictly within its bounds,
// has its score exactly on the margin or the tube's edge. A free bias demands Σ βᵢ = 0.
//
// # Certificates
//
// No solver grades itself. [Problem.Certify] rebuilds both objectives, their gap and the
// violation of the optimality conditions from the data and β alone, and the status [Optimal]
// means that this gap is small: the best possible objective lies between Dual and Primal. So
// whatever the solver did, a result with a gap of zero is a solution.
//
// # Solvers
//
//	DualCoordinate   linear; all losses but the logistic. The workhorse for many rows or columns
//	SDCA             the same idea as note E prints it
//	Newton           linear; smooth losses
//	Pegasos          linear; hinge loss; stochastic subgradients (PegasosStream: data not held)
//	SMO              all kernels; all losses but the logistic
//
// # Separability
//
// [Separate] answers the question that comes before the hard margin: is there a plane with
// every row on its right side? The answer comes with a plane and its margin or with a point
// in the hulls of both classes, and [Separation.Verify] checks either without rounding.
package svm

// Bias says how the constant b of f(x) = ⟨w,x⟩ + b enters a problem.
type Bias int

const (
	FreeBias      Bias = iota // b is free and costs nothing: the textbook's problem
	PenalizedBias             // b is the weight of a constant feature 1, and ‖w‖² includes it
	NoBias                    // b = 0: planes through the origin
)

func (b Bias) String() string {
	switch b {
	case FreeBias:
		return "free bias"
	case PenalizedBias:
		return "penalized bias"
	case NoBias:
		return "no bias"
	}
	return "unknown bias"
}
