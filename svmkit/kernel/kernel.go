package kernel

import (
	"fmt"
	"math"
	"reflect"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelmath"
)

// Kernel is an inner product of two rows in some feature space.
//
// Eval must be symmetric, must not keep or change the rows, and must be safe for concurrent use. It
// panics if two rows cannot belong to one space. A Kernel may also be a [Validator] and a
// [Definiter].
type Kernel interface {
	Eval(x, z svmkit.Row) float64
}

// Validator is a [Kernel] with parameters that can be wrong.
type Validator interface {
	Kernel
	// Validate returns a [*svmkit.ParamError] for the first parameter that is out of its range.
	Validate() error
}

// Definiter is a [Kernel] that reports whether it is positive semidefinite.
//
// For an indefinite kernel a fit ends at a stationary point and claims no optimum; see
// [svmkit.Stationary].
type Definiter interface {
	Kernel
	Definite() bool
}

// IsDefinite reports whether k counts as positive semidefinite. It returns true, also for nil,
// unless k is a [Definiter] that returns false.
func IsDefinite(k Kernel) bool {
	d, ok := k.(Definiter)
	return !ok || d.Definite()
}

// IsLinear reports whether k is [Linear] or nil, which means Linear.
func IsLinear(k Kernel) bool {
	_, is := k.(Linear)
	return is || k == nil
}

// Validate returns a [*svmkit.ParamError] if k is nil or its own Validate method refuses it.
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

// Linear is κ(x,z) = ⟨x,z⟩, the kernel of linear models.
type Linear struct{}

// Eval returns ⟨x,z⟩.
func (Linear) Eval(x, z svmkit.Row) float64 { return x.DotRow(z) }

// Polynomial is κ(x,z) = (γ⟨x,z⟩ + c₀)^p. It is positive semidefinite for γ > 0 and c₀ ≥ 0.
type Polynomial struct {
	Degree int     // p ≥ 1; default 3
	Gamma  float64 // γ > 0; default 1
	Coef0  float64 // c₀ ≥ 0; the default 0 gives monomials of degree exactly p
}

// Validate returns a [*svmkit.ParamError] for the first field that is out of its range.
func (k Polynomial) Validate() error {
	switch {
	case k.Degree < 0:
		return &svmkit.ParamError{Name: "Degree", Value: k.Degree, Need: "must be 1 or more (0 means 3)"}
	case !(k.Coef0 >= 0) || math.IsInf(k.Coef0, 1): // negated, so that NaN fails too
		return &svmkit.ParamError{Name: "Coef0", Value: k.Coef0, Need: "must be finite and not negative"}
	}
	return validateGamma(k.Gamma)
}

// Eval returns (γ⟨x,z⟩ + c₀)^p. It multiplies, so that whole numbers stay whole.
func (k Polynomial) Eval(x, z svmkit.Row) float64 {
	return kernelmath.Power(kernelmath.Gamma(k.Gamma)*x.DotRow(z)+k.Coef0, kernelmath.Degree(k.Degree))
}

// RBF is the Gaussian kernel κ(x,z) = exp(−γ‖x−z‖²), with values in (0, 1] and κ(x,x) = 1.
//
// The width of the bell is 1/√(2γ), in the units of the features: scale them first.
type RBF struct {
	Gamma float64 // γ > 0, required; [ScaleGamma] is a good first value
}

// Validate returns a [*svmkit.ParamError] if Gamma is out of its range.
func (k RBF) Validate() error { return validateWidth(k.Gamma) }

// Eval returns exp(−γ‖x−z‖²), and NaN if Gamma is not set. It computes the distance from x − z,
// because ‖x‖² − 2⟨x,z⟩ + ‖z‖² loses every digit for close rows far from the origin.
func (k RBF) Eval(x, z svmkit.Row) float64 {
	return kernelmath.Bell(k.Gamma, kernelmath.SquaredDistance(x, z))
}

// Func is a kernel given by a function, which must follow the rules of [Kernel].
type Func func(x, z svmkit.Row) float64

// Eval returns f(x, z).
func (f Func) Eval(x, z svmkit.Row) float64 { return f(x, z) }

func validateGamma(g float64) error {
	if !(g >= 0) || math.IsInf(g, 1) {
		return &svmkit.ParamError{Name: "Gamma", Value: g, Need: "must be positive and finite (0 means 1)"}
	}
	return nil
}

// validateWidth checks the γ of a kernel of distances, which has no default.
func validateWidth(g float64) error {
	switch {
	case g == 0:
		return &svmkit.ParamError{Name: "Gamma", Value: g,
			Need: "must be set, to a positive number such as kernel.ScaleGamma(set) for the training set"}
	case !(g > 0) || math.IsInf(g, 1):
		return &svmkit.ParamError{Name: "Gamma", Value: g, Need: "must be positive and finite"}
	}
	return nil
}

// Laplacian is κ(x,z) = exp(−γ‖x−z‖₁), where ‖·‖₁ is the sum of absolute values.
//
// It is a product of exp(−γ|xⱼ−zⱼ|) over the columns and therefore positive semidefinite. It has a
// peak where the RBF kernel is round, and heavier tails.
type Laplacian struct {
	Gamma float64 // γ > 0, required; [ScaleLaplacian] is a good first value
}

// Validate returns a [*svmkit.ParamError] if Gamma is outside its range.
func (k Laplacian) Validate() error { return validateWidth(k.Gamma) }

// Eval returns exp(−γ‖x−z‖₁), and NaN if Gamma is not set.
func (k Laplacian) Eval(x, z svmkit.Row) float64 {
	return kernelmath.Bell(k.Gamma, kernelmath.ManhattanDistance(x, z))
}

// Sigmoid is κ(x,z) = tanh(γ⟨x,z⟩ + c₀), the kernel of a neuron, which is not positive
// semidefinite.
//
// No γ and c₀ make it so on all data. For example, with c₀ = −2 the Gram matrix of the single row x
// = (1) is tanh(−1), which is negative. The dual problem is then not concave, and a learner can
// promise at best a stationary point.
type Sigmoid struct {
	Gamma float64 // γ > 0; default 1
	Coef0 float64 // c₀, any finite number
}

// Validate returns a [*svmkit.ParamError] for the first field outside its range.
func (k Sigmoid) Validate() error {
	if math.IsNaN(k.Coef0) || math.IsInf(k.Coef0, 0) {
		return &svmkit.ParamError{Name: "Coef0", Value: k.Coef0, Need: "must be finite"}
	}
	return validateGamma(k.Gamma)
}

// Eval returns tanh(γ⟨x,z⟩ + c₀).
func (k Sigmoid) Eval(x, z svmkit.Row) float64 {
	return math.Tanh(kernelmath.Gamma(k.Gamma)*x.DotRow(z) + k.Coef0)
}

// Definite returns false. A kernel without this method counts as positive semidefinite.
func (Sigmoid) Definite() bool { return false }

// EvalError reports the two rows for which a kernel returned NaN or an infinity, or panicked.
type EvalError struct {
	// I and J are the rows, from 0; I is svmkit.NoPlace if the row is not in the set.
	I, J  int
	Value float64 // the value that was returned
	Panic any     // value of the panic; nil if the kernel returned
}

// Error returns the message.
func (e *EvalError) Error() string {
	rows := fmt.Sprintf("rows %d and %d", e.I, e.J)
	if e.I == svmkit.NoPlace {
		rows = fmt.Sprintf("a new row and row %d", e.J)
	}
	if e.Panic != nil {
		return fmt.Sprintf("kernel: Eval panicked for %s: %v", rows, e.Panic)
	}
	return fmt.Sprintf("kernel: the value for %s is %g", rows, e.Value)
}

// Unwrap returns [svmkit.ErrNotFinite] if the kernel returned, and otherwise the value of the panic
// if it is an error.
func (e *EvalError) Unwrap() error {
	if e.Panic == nil {
		return svmkit.ErrNotFinite
	}
	err, _ := e.Panic.(error)
	return err
}

// FeatureMap returns φ(x) for a row of d columns, with ⟨φ(x),φ(z)⟩ = κ(x,z).
//
// There is one feature for each monomial of degree p in the d columns and, if c₀ > 0, a constant
// column:
//
//	√(p!/(a₀!a₁!…a_d!)) · (√c₀)^a₀ · Π (√γ·xⱼ)^aⱼ,    a₀ + a₁ + … + a_d = p
//
// by the multinomial theorem. The features are in the order of the exponents, (p, 0, …) first. φ
// has binomial(d+p, p) features, or binomial(d+p−1, p) if c₀ = 0, so FeatureMap is for proofs and
// figures; github.com/svmkit/course/svmkit/feature.Polynomial lifts whole data sets by degree 2.
// FeatureMap panics if x is dense and does not have d columns.
func (k Polynomial) FeatureMap(x svmkit.Row, d int) []float64 {
	var base []float64
	if k.Coef0 > 0 {
		base = append(base, math.Sqrt(k.Coef0))
	}
	root := math.Sqrt(kernelmath.Gamma(k.Gamma))
	for _, v := range x.ToDense(d) {
		base = append(base, root*v)
	}
	return appendProducts(nil, base, kernelmath.Degree(k.Degree), 1)
}

// appendProducts appends factor times all products of p of the base numbers, each times the root of
// the number of orders of its factors. There are binomial(p, a) ways to choose a of the p places
// for base[0], and the other places are a smaller problem of the same kind.
func appendProducts(to, base []float64, p int, factor float64) []float64 {
	if len(base) == 1 {
		return append(to, factor*math.Pow(base[0], float64(p)))
	}
	if len(base) == 0 {
		return to
	}
	ways := 1.0 // binomial(p, a), from a = p down
	for a := p; a >= 0; a-- {
		to = appendProducts(to, base[1:], p-a, factor*math.Sqrt(ways)*math.Pow(base[0], float64(a)))
		ways = ways * float64(a) / float64(p-a+1)
	}
	return to
}
