package kernel

import (
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelmath"
)

// Laplacian is κ(x,z) = exp(−γ‖x−z‖₁), ‖·‖₁ the sum of absolute values: a product of
// exp(−γ|xⱼ−zⱼ|) over the columns, so positive semidefinite. It has a peak where the RBF
// kernel has a dome, and heavier tails.
type Laplacian struct {
	Gamma float64 // γ > 0, required; [ScaleGamma] is a good first value
}

// Validate returns a [*svmkit.ParamError] if Gamma is out of its range.
func (k Laplacian) Validate() error { return validateWidth(k.Gamma) }

// Eval returns exp(−γ‖x−z‖₁), NaN if Gamma is not set.
func (k Laplacian) Eval(x, z svmkit.Row) float64 {
	return kernelmath.Bell(k.Gamma, kernelmath.ManhattanDistance(x, z))
}
