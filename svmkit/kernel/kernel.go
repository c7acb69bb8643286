package kernel

import (
	"math"
	"reflect"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelmath"
)

// Kernel is an inner product of two rows in some feature space. Eval must be symmetric, must not
// keep or change the rows, and must be safe for concurrent use. It panics if two rows cannot belong
// to one space, as [svmkit.Row.DotRow] does.
//
// A Kernel with parameters is also a [Validator]. One that may not be positive semidefinite is also
// a [Definiter].
type Kernel interface {
	Eval(x, z svmkit.Row) float64
}

// Validator is a [Kernel] with parameters that can be wrong.
type Validator interface {
	Kernel
	// Validate returns nil, or a [*svmkit.ParamError] for the first parameter that is out of its
	// range.
	Validate() error
}

// Definiter is a [Kernel] that says whether it is positive semidefinite. For an indefinite kernel a
// fit ends at a stationary point and claims no optimum; see [svmkit.Stationary].
type Definiter interface {
	Kernel
	Definite() bool
}

// IsDefinite reports whether k is taken to be positive semidefinite: unless it is a [Definiter]
// that says otherwise. The linear kernel, nil, is.
func IsDefinite(k Kernel) bool {
	d, ok := k.(Definiter)
	return !ok || d.Definite()
}

// IsLinear reports whether k is [Linear] or nil, which stands for it.
func IsLinear(k Kernel) bool {
	_, is := k.(Linear)
	return is || k == nil
}

// Validate returns nil, or a [*svmkit.ParamError] if k is nil or its own Validate method
// refuses its parameters. A kernel that is no [Validator] is taken as it is.
func Validate(k Kernel) error {
	if v := reflect.ValueOf(k); k == nil || (v.Kind() == reflect.Pointer ||
		v.Kind() == reflect.Func) && v.IsNil() {
		return &svmkit.ParamError{Name: "Kernel", Value: k, Need: "must not be nil"}
	}
	if v, ok := k.(Validator); ok {
		return v.Validate()
	}
	return nil
}

// Linear is κ(x,z) = ⟨x,z⟩: the kernel that changes nothing.
type Linear struct{}

// Eval returns ⟨x,z⟩.
func (Linear) Eval(x, z svmkit.Row) float64 { return x.DotRow(z) }

// Polynomial is κ(x,z) = (γ⟨x,z⟩ + c₀)^p. It is positive semidefinite for γ > 0 and
// c₀ ≥ 0.
type Polynomial struct {
	Degree int     // p ≥ 1; 0 means 3
	Gamma  float64 // γ > 0; 0 means 1
	Coef0  float64 // c₀ ≥ 0; its default 0 gives monomials of degree exactly p
}

// Validate returns a [*svmkit.ParamError] for the first field that is out of its range.
func (k Polynomial) Validate() error {
	if k.Degree < 0 {
		return &svmkit.ParamError{Name: "Degree", Value: k.Degree,
			Need: "must be 1 or more (0 means 3)"}
	}
	if !(k.Coef0 >= 0) || math.IsInf(k.Coef0, 1) { // negated, so that NaN fails too
		return &svmkit.ParamError{Name: "Coef0", Value: k.Coef0,
			Need: "must be finite and not negative"}
	}
	return validateGamma(k.Gamma)
}

// Eval returns (γ⟨x,z⟩ + c₀)^p. It multiplies, so that whole numbers stay whole.
func (k Polynomial) Eval(x, z svmkit.Row) float64 {
	return kernelmath.Power(kernelmath.Gamma(k.Gamma)*x.DotRow(z)+k.Coef0,
		kernelmath.Degree(k.Degree))
}

// RBF is the Gaussian kernel κ(x,z) = exp(−γ‖x−z‖²), with values in (0, 1] and κ(x,x) = 1.
// The width of the bell is 1/√(2γ), in the units of the features: scale them first.
type RBF struct {
	Gamma float64 // γ > 0, required; [ScaleGamma] is a good first value
}

// Validate returns a [*svmkit.ParamError] if Gamma is out of its range.
func (k RBF) Validate() error { return validateWidth(k.Gamma) }

// Eval returns exp(−γ‖x−z‖²), and NaN if Gamma is not set. The distance is a sum of squared
// differences, not ‖x‖² − 2⟨x,z⟩ + ‖z‖², which loses every digit for close rows far from the
// origin.
func (k RBF) Eval(x, z svmkit.Row) float64 {
	return kernelmath.Bell(k.Gamma, kernelmath.SquaredDistance(x, z))
}

// Func is a kernel given by a function. See [Kernel] for what it must hold.
type Func func(x, z svmkit.Row) float64

// Eval returns f(x, z).
func (f Func) Eval(x, z svmkit.Row) float64 { return f(x, z) }

func validateGamma(g float64) error {
	if !(g >= 0) || math.IsInf(g, 1) {
		return &svmkit.ParamError{Name: "Gamma", Value: g,
			Need: "must be positive and finite (0 means 1)"}
	}
	return nil
}

// validateWidth checks the γ of a kernel of distances, which has no default.
func validateWidth(g float64) error {
	if g == 0 {
		return &svmkit.ParamError{Name: "Gamma", Value: g,
			Need: "must be set, to a positive number such as kernel.ScaleGamma(set) for the " +
				"training set"}
	}
	if !(g > 0) || math.IsInf(g, 1) {
		return &svmkit.ParamError{Name: "Gamma", Value: g, Need: "must be positive and finite"}
	}
	return nil
}
