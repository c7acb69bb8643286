package kernel

import (
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelmath"
)

// Laplacian is κ(x,z) = exp(−γ‖x−z‖₁), where ‖·‖₁ is the sum of absolute values. It is a product of
// exp(−γ|xⱼ−zⱼ|) over the columns and therefore positive semidefinite. It has a peak where the RBF
// kernel is round, and heavier tails.
type Laplacian struct {
	Gamma float64 // γ > 0, required; [ScaleGamma] is a good first value
}

// Validate returns a [*svmkit.ParamError] if Gamma is outside its range.
func (k Laplacian) Validate() error { return validateWidth(k.Gamma) }

// Eval returns exp(−γ‖x−z‖₁), and NaN if Gamma is not set.
func (k Laplacian) Eval(x, z svmkit.Row) float64 {
	return kernelmath.Bell(k.Gamma, kernelmath.ManhattanDistance(x, z))
}
