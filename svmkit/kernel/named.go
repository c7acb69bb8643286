package kernel

import "github.com/svmkit/course/svmkit"

// Named returns the kernel with a name that the command svm and package tune use: poly, rbf,
// laplacian or sigmoid, with those of the parameters γ, degree and c₀ that it has. It returns nil
// for linear, because package svm has linear solvers for it, and a [*svmkit.ParamError] for any
// other name. It does not check the parameters; a fit does, by [Validate].
func Named(name string, gamma float64, degree int, coef0 float64) (Kernel, error) {
	switch name {
	case "linear":
		return nil, nil
	case "poly":
		return Polynomial{Degree: degree, Gamma: gamma, Coef0: coef0}, nil
	case "rbf":
		return RBF{Gamma: gamma}, nil
	case "laplacian":
		return Laplacian{Gamma: gamma}, nil
	case "sigmoid":
		return Sigmoid{Gamma: gamma, Coef0: coef0}, nil
	}
	return nil, &svmkit.ParamError{Name: "Kernel", Value: name,
		Need: "must be linear, poly, rbf, laplacian or sigmoid"}
}
