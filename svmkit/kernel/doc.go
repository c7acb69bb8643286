// Package kernel holds kernels: functions κ(x, z) that are the inner product ⟨φ(x), φ(z)⟩ of
// two rows after a map φ into another space, computed without that map.
//
//	Linear       ⟨x,z⟩                           φ(x) = x
//	Polynomial   (γ⟨x,z⟩ + c₀)^p                 all monomials of degree p (up to p, if c₀ > 0)
//	RBF          exp(−γ‖x−z‖²)                   infinitely many features
//	Laplacian    exp(−γ‖x−z‖₁)                   infinitely many features
//	Sigmoid      tanh(γ⟨x,z⟩ + c₀)               none: it is no inner product
//	Precomputed  a matrix of values              objects that need not be vectors
//	Func         any function of two rows
//
// A learner that touches rows only through inner products becomes nonlinear by putting
// κ in their place (note D, section 2.4; note E, section 4). What that asks of κ is that it
// is symmetric and positive semidefinite: for any rows the Gram matrix K, Kᵢⱼ = κ(xᵢ, xⱼ),
// has no negative eigenvalue. A kernel that does not hold this says so by a method
// Definite() bool. [Gram] computes K.
//
// A field that is left at zero has the default that its comment names; γ of RBF and Laplacian has
// none, because it depends on the units of the features, and [ScaleGamma] suggests one. Learners
// call [Validate] before they use a kernel; Eval itself checks nothing but lengths. If a kernel
// gives no finite value, or panics, a learner returns an [*EvalError].
package kernel
