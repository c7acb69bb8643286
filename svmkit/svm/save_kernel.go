package svm

import (
	"fmt"
	"strconv"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// savedKernels says by which numbers a built-in kernel stands in a file, and how it is made
// of them again.
var savedKernels = map[string]struct {
	keys []string
	make func(kernelParameters) kernel.Kernel
}{
	"linear": {nil, func(p kernelParameters) kernel.Kernel { return kernel.Linear{} }},
	"polynomial": {[]string{"degree", "gamma", "coef0"}, func(p kernelParameters) kernel.Kernel {
		return kernel.Polynomial{Degree: p.degree, Gamma: p.gamma, Coef0: p.coef0}
	}},
	"rbf":       {[]string{"gamma"}, func(p kernelParameters) kernel.Kernel { return kernel.RBF{Gamma: p.gamma} }},
	"laplacian": {[]string{"gamma"}, func(p kernelParameters) kernel.Kernel { return kernel.Laplacian{Gamma: p.gamma} }},
	"sigmoid": {[]string{"gamma", "coef0"}, func(p kernelParameters) kernel.Kernel {
		return kernel.Sigmoid{Gamma: p.gamma, Coef0: p.coef0}
	}},
}

// savedKernel is the inverse: the name of k and its numbers, with defaults written out.
// A kernel that is not built in is a [*svmkit.ParamError].
func savedKernel(k kernel.Kernel) (name string, p kernelParameters, err error) {
	switch k := k.(type) {
	case nil, kernel.Linear:
		return "linear", p, nil
	case kernel.Polynomial:
		p = kernelParameters{degree: k.Degree, gamma: core.OrOne(k.Gamma), coef0: k.Coef0}
		if p.degree == 0 {
			p.degree = 3
		}
		return "polynomial", p, nil
	case kernel.RBF:
		return "rbf", kernelParameters{gamma: k.Gamma}, nil
	case kernel.Laplacian:
		return "laplacian", kernelParameters{gamma: k.Gamma}, nil
	case kernel.Sigmoid:
		return "sigmoid", kernelParameters{gamma: core.OrOne(k.Gamma), coef0: k.Coef0}, nil
	}
	return "", p, &svmkit.ParamError{Name: "Kernel", Value: fmt.Sprintf("%T", k),
		Need: "must be built in: a file cannot hold a function, and what is precomputed has no rows"}
}

func (p kernelParameters) text(key string) string {
	switch key {
	case "degree":
		return strconv.Itoa(p.degree)
	case "gamma":
		return formatExact(p.gamma)
	}
	return formatExact(p.coef0)
}

// formatExact writes v in the shortest form that is read back bit for bit.
func formatExact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
