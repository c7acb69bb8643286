package kernel

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// Laplacian is κ(x,z) = exp(−γ‖x−z‖₁), ‖·‖₁ the sum of absolute values: a product of
// exp(−γ|xⱼ−zⱼ|) over the columns, so positive semidefinite. It has a peak where the RBF
// kernel has a dome, and heavier tails.
type Laplacian struct {
	Gamma float64 // γ > 0; 0 means 1
}

// Validate returns a [*svmkit.ParamError] if Gamma is out of its range.
func (k Laplacian) Validate() error { return validateGamma(k.Gamma) }

// Eval returns exp(−γ‖x−z‖₁).
func (k Laplacian) Eval(x, z svmkit.Row) float64 {
	return math.Exp(-gamma(k.Gamma) * distance(x, z, math.Abs))
}
