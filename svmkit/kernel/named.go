package kernel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelmath"
)

// Parameters holds the numbers of a built-in kernel. A kernel uses the numbers that its [Kind]
// names.
type Parameters struct {
	Degree int // p of [Polynomial]; default 3
	// Gamma is γ; default 1 for kernels of inner products, required for other kernels.
	Gamma float64
	Coef0 float64 // c₀
}

// Measure is the quantity of two rows of which a kernel is a function.
type Measure int

const (
	InnerProduct      Measure = iota // ⟨x,z⟩
	SquaredDistance                  // ‖x−z‖²
	ManhattanDistance                // ‖x−z‖₁
)

// Kind describes a built-in kernel with a name. The command svm, package tune and the model files
// use the table of kinds.
type Kind struct {
	Name string // "rbf"
	// Parameters lists those of the parameters degree, gamma and coef0 that it uses, in this order.
	Parameters []string
	// Measure decides the default of γ: 1 for InnerProduct, and none for a distance.
	Measure Measure
	make    func(Parameters) Kernel
	read    func(Kernel) (p Parameters, ok bool)
}

// kinds is the table of the built-in kernels. Tests compare the evaluators and the help of the
// command svm with it.
var kinds = []Kind{
	{"linear", nil, InnerProduct,
		func(Parameters) Kernel { return Linear{} },
		func(k Kernel) (Parameters, bool) { return Parameters{}, IsLinear(k) }},
	{"poly", []string{"degree", "gamma", "coef0"}, InnerProduct,
		func(p Parameters) Kernel { return Polynomial(p) },
		func(k Kernel) (Parameters, bool) {
			v, ok := k.(Polynomial)
			return Parameters{kernelmath.Degree(v.Degree), kernelmath.Gamma(v.Gamma), v.Coef0}, ok
		}},
	{"rbf", []string{"gamma"}, SquaredDistance,
		func(p Parameters) Kernel { return RBF{Gamma: p.Gamma} },
		func(k Kernel) (Parameters, bool) { v, ok := k.(RBF); return Parameters{Gamma: v.Gamma}, ok }},
	{"laplacian", []string{"gamma"}, ManhattanDistance,
		func(p Parameters) Kernel { return Laplacian{Gamma: p.Gamma} },
		func(k Kernel) (Parameters, bool) { v, ok := k.(Laplacian); return Parameters{Gamma: v.Gamma}, ok }},
	{"sigmoid", []string{"gamma", "coef0"}, InnerProduct,
		func(p Parameters) Kernel { return Sigmoid{Gamma: p.Gamma, Coef0: p.Coef0} },
		func(k Kernel) (Parameters, bool) {
			v, ok := k.(Sigmoid)
			return Parameters{Gamma: kernelmath.Gamma(v.Gamma), Coef0: v.Coef0}, ok
		}},
}

// Kinds returns the built-in kernels that have a name, the simplest first.
func Kinds() []Kind { return slices.Clone(kinds) }

// Names returns the names of [Kinds].
func Names() []string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.Name)
	}
	return names
}

// KindNamed returns the built-in kernel with a name, and whether there is one.
func KindNamed(name string) (Kind, bool) {
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return kinds[i], true
}

// KindOf returns the kind of k and its parameters with defaults filled in, and whether k has a
// kind. A nil k is linear.
func KindOf(k Kernel) (Kind, Parameters, bool) {
	for _, kind := range kinds {
		if p, ok := kind.read(k); ok {
			return kind, p, true
		}
	}
	return Kind{}, Parameters{}, false
}

// Has reports whether the kernel has a parameter: "degree", "gamma" or "coef0".
func (k Kind) Has(parameter string) bool { return slices.Contains(k.Parameters, parameter) }

// Kernel returns the kernel with these parameters. It does not check them; see [Validate].
func (k Kind) Kernel(p Parameters) Kernel { return k.make(p) }

// Named returns the kernel with a name of [Names], and the parameters that this kernel has.
//
// It returns nil for linear, because package svm has linear solvers for it, and a
// [*svmkit.ParamError] for an unknown name. A fit checks the parameters, by [Validate].
func Named(name string, gamma float64, degree int, coef0 float64) (Kernel, error) {
	kind, ok := KindNamed(name)
	switch {
	case !ok:
		return nil, &svmkit.ParamError{Name: "Kernel", Value: name, Need: "must be " + list()}
	case name == "linear":
		return nil, nil
	}
	return kind.Kernel(Parameters{Degree: degree, Gamma: gamma, Coef0: coef0}), nil
}

// list returns the names for a message.
func list() string {
	names := Names()
	last := len(names) - 1
	return fmt.Sprintf("%s or %s", strings.Join(names[:last], ", "), names[last])
}
