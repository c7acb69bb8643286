package kernel

import "github.com/svmkit/course/svmkit"

// Named returns the kernel of a name: poly, rbf, laplacian or sigmoid with those of the parameters γ, degree and c₀ that it
// has; nil for linear, for which package svm has its linear solvers. They are the names of the command svm and of
// package tune; any other is a [*svmkit.ParamError]. The parameters are not checked: a fit does, by [Validate].
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
	return nil, &svmkit.ParamError{Name: "Kernel", Value: name, Need: "must be linear, poly, rbf, laplacian or sigmoid"}
}
