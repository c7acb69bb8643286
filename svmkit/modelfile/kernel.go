package modelfile

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// kernelParameters are the numbers that a kernel in a file may have. A zero in a file is
// zero: only in our structs does it mean a default.
type kernelParameters struct {
	degree       int
	gamma, coef0 float64
}

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
		return "polynomial", kernelParameters{degree: cmp.Or(k.Degree, 3), gamma: cmp.Or(k.Gamma, 1), coef0: k.Coef0}, nil
	case kernel.RBF:
		return "rbf", kernelParameters{gamma: k.Gamma}, nil
	case kernel.Laplacian:
		return "laplacian", kernelParameters{gamma: k.Gamma}, nil
	case kernel.Sigmoid:
		return "sigmoid", kernelParameters{gamma: cmp.Or(k.Gamma, 1), coef0: k.Coef0}, nil
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

// readKernel reads "kernel name key value …".
func readKernel(t *text) (kernel.Kernel, error) {
	if err := t.key("kernel"); err != nil {
		return nil, err
	}
	name, at := t.word()
	form, known := savedKernels[name]
	if !known {
		return nil, t.errorAt(at, name, fmt.Errorf("%w: the kernel", ErrUnsupported))
	}
	var p kernelParameters
	for _, key := range form.keys {
		word, at := t.word()
		if word != key {
			return nil, t.errorAt(at, word, fmt.Errorf("%w: %s expected", ErrMalformed, key))
		}
		if err := p.read(t, key); err != nil {
			return nil, err
		}
	}
	k := form.make(p)
	if err := kernel.Validate(k); err != nil {
		return nil, t.errorAt(0, t.current, err)
	}
	return k, t.lineEnds()
}

func (p *kernelParameters) read(t *text, key string) (err error) {
	at := t.pos + 2
	switch key {
	case "degree":
		p.degree, err = t.count(1)
	case "gamma":
		if p.gamma, err = t.number(); err == nil && p.gamma == 0 {
			err = t.errorAt(at, "0", fmt.Errorf("%w: gamma must not be 0", ErrMalformed))
		}
	case "coef0":
		p.coef0, err = t.number()
	}
	return err
}

// linear reports whether a model with kernel k has a w.
func linear(k kernel.Kernel) bool {
	_, is := k.(kernel.Linear)
	return k == nil || is
}
