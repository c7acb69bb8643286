package kernel

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelmath"
)

// Sigmoid is κ(x,z) = tanh(γ⟨x,z⟩ + c₀), the neuron's kernel. It is not positive
// semidefinite, for no choice of γ and c₀ on all data: note D lists it without that
// warning (section 2.4), but already for the single row x = (1) and c₀ = −2 the Gram matrix is
// (tanh(−1)), a negative number, and so is its eigenvalue. There is no φ with κ = ⟨φ,φ⟩, the
// dual problem is not concave, and a learner can promise a stationary point at best.
type Sigmoid struct {
	Gamma float64 // γ > 0; 0 means 1
	Coef0 float64 // c₀, any finite number
}

// Validate returns a [*svmkit.ParamError] for the first field that is out of its range.
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

// Definite returns false. A kernel without this method is taken for positive semidefinite.
func (Sigmoid) Definite() bool { return false }
