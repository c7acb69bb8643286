package kernel

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelmath"
)

// Sigmoid is κ(x,z) = tanh(γ⟨x,z⟩ + c₀), the kernel of a neuron. It is not positive semidefinite:
// no γ and c₀ make it so on all data. For the single row x = (1) and c₀ = −2 the Gram matrix is
// (tanh(−1)), a negative number, and so is its eigenvalue. There is no φ with κ = ⟨φ,φ⟩, the dual
// problem is not concave, and a learner can promise at best a stationary point.
type Sigmoid struct {
	Gamma float64 // γ > 0; 0 means 1
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
