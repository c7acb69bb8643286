// Package kernel holds kernels: functions κ(x, z) that are the inner product ⟨φ(x), φ(z)⟩ of two
// rows after a map φ into another space, computed without this map.
//
//	k := kernel.RBF{Gamma: kernel.ScaleGamma(set)}
//	p := &svm.Problem{Data: set, Kernel: k}
//
//	Linear       ⟨x,z⟩                           φ(x) = x
//	Polynomial   (γ⟨x,z⟩ + c₀)^p                 all monomials of degree p (up to p, if c₀ > 0)
//	RBF          exp(−γ‖x−z‖²)                   infinitely many features
//	Laplacian    exp(−γ‖x−z‖₁)                   infinitely many features
//	Sigmoid      tanh(γ⟨x,z⟩ + c₀)               none: it is not an inner product
//	Precomputed  a matrix of values              objects that need not be vectors
//	Func         any function of two rows
//
// A learner that uses rows only in inner products becomes nonlinear if κ replaces them
// (lessons/10-kernels.md). This requires that κ is symmetric and positive semidefinite: for any
// rows the Gram matrix K, Kᵢⱼ = κ(xᵢ, xⱼ), has no negative eigenvalue. A kernel for which this does
// not hold says so by a method Definite() bool. [Gram] computes K.
//
// The γ of RBF and Laplacian has no default, because it depends on the units of the features;
// [ScaleGamma] and [ScaleLaplacian] suggest one. Learners call [Validate] before they use a kernel; Eval itself checks
// only lengths. If a kernel gives no finite value, or panics, a learner returns an [*EvalError].
// svmtest.CheckKernel tests a kernel of your own.
package kernel
