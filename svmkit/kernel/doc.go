// Package kernel holds kernels: inner products of two rows in a feature space, computed directly.
//
//	set := samples.Iris()
//	k := kernel.RBF{Gamma: kernel.ScaleGamma(set)}
//	fmt.Printf("%.3f\n", k.Eval(set.X[0], set.X[1])) // rows of one species
//	fmt.Printf("%.3f\n", k.Eval(set.X[0], set.X[149]))
//
// Field Kernel of svm.Problem takes a kernel. These are built in, with κ(x, z) = ⟨φ(x), φ(z)⟩:
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
// rows the Gram matrix K, Kᵢⱼ = κ(xᵢ, xⱼ), has no negative eigenvalue. A kernel without this
// property must implement Definite() bool, see [Definiter]. [Gram] computes K.
//
// The γ of RBF and Laplacian has no default, because it depends on the units of the features;
// [ScaleGamma] and [ScaleLaplacian] suggest a value. Learners call [Validate] before they use a
// kernel; Eval itself checks only lengths. If a kernel gives no finite value, or panics, a learner
// returns an [*EvalError]. Test your own kernels with svmtest.CheckKernel.
package kernel
