package modelfile

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// A zero among the parameters of a kernel in a file is zero. It means a default only in our
// structs.

// fileName returns the name of a kernel in files, where "poly" is LIBSVM's "polynomial".
func fileName(kind kernel.Kind) string {
	if kind.Name == "poly" {
		return "polynomial"
	}
	return kind.Name
}

// inFile returns the kernel with a name in files, and whether there is one.
func inFile(name string) (kernel.Kind, bool) {
	kinds := kernel.Kinds()
	i := slices.IndexFunc(kinds, func(k kernel.Kind) bool { return fileName(k) == name })
	if i < 0 {
		return kernel.Kind{}, false
	}
	return kinds[i], true
}

// savedKernel returns the kind of k and its parameters, with defaults written out.
// A kernel without a kind is a [*svmkit.ParamError].
func savedKernel(k kernel.Kernel) (kernel.Kind, kernel.Parameters, error) {
	kind, p, ok := kernel.KindOf(k)
	if !ok {
		return kind, p, &svmkit.ParamError{Name: "Kernel", Value: fmt.Sprintf("%T", k),
			Need: "must be built in: a file cannot hold a function, and what is precomputed has no rows"}
	}
	return kind, p, nil
}

// parameterText returns a parameter in its form in files.
func parameterText(p kernel.Parameters, key string) string {
	switch key {
	case "degree":
		return strconv.Itoa(p.Degree)
	case "gamma":
		return formatExact(p.Gamma)
	}
	return formatExact(p.Coef0)
}

// readKernel reads "kernel name key value …".
func readKernel(t *text) (kernel.Kernel, error) {
	if err := t.key("kernel"); err != nil {
		return nil, err
	}
	name, at := t.word()
	kind, known := inFile(name)
	if !known {
		return nil, t.errorAt(at, name, fmt.Errorf("%w, the kernel", ErrUnsupported))
	}
	var p kernel.Parameters
	for _, key := range kind.Parameters {
		word, at := t.word()
		if word != key {
			return nil, t.errorAt(at, word, fmt.Errorf("%w, %s expected", ErrMalformed, key))
		}
		if err := readParameter(t, key, &p); err != nil {
			return nil, err
		}
	}
	k := kind.Kernel(p)
	if err := kernel.Validate(k); err != nil {
		return nil, t.errorAt(0, t.current, err)
	}
	return k, t.lineEnds()
}

func readParameter(t *text, key string, p *kernel.Parameters) (err error) {
	at := t.pos + 2
	switch key {
	case "degree":
		p.Degree, err = t.count(1)
	case "gamma":
		if p.Gamma, err = t.number(); err == nil && p.Gamma == 0 {
			err = t.errorAt(at, "0", fmt.Errorf("%w, gamma must not be 0", ErrMalformed))
		}
	case "coef0":
		p.Coef0, err = t.number()
	}
	return err
}
