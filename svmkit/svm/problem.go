package svm

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// Problem describes what to minimise over w (and b):
//
//	½‖w‖² + Σᵢ cᵢ·ℓ(f(xᵢ), yᵢ),    f(x) = ⟨w,φ(x)⟩ + b
//
// The bias b is free, penalized like a weight (½b² is added), or absent. The zero values of Loss,
// Kernel, Cost and Bias mean the textbook's soft margin: hinge loss, linear kernel, C = 1, free
// bias.
//
// A Problem holds no state of a solver. It may be fitted any number of times, also concurrently.
type Problem struct {
	Data *svmkit.Dataset // training set; rows of weight 0 are ignored, also in a hard margin
	// Loss is SquaredHinge, EpsInsensitive, SquaredEpsInsensitive or, for a linear problem,
	// Logistic; default loss.Hinge.
	Loss   loss.Trainable
	Kernel kernel.Kernel // nil for linear
	C      Cost
	Bias   svmkit.Bias
	nu     float64 // of a OneClass problem; otherwise 0
}

// Cost is the cost cᵢ of one unit of loss at row i.
//
// It is the product of C, the factor of the row's class or side, and the weight of the row,
// [svmkit.Dataset.Weight]. In regression the two factors belong to the sides of the tube
// (lessons/12-svr.md): Positive is the factor of ξ⁺, a score above the tube, and Negative the
// factor of ξ⁻, a score below it.
type Cost struct {
	// C is the weight of the losses, > 0; default 1. +Inf is the hard margin, for the hinge and
	// ε-insensitive losses.
	C float64
	// Positive and Negative are the factors of the two classes or sides, > 0; default 1.
	Positive, Negative float64
}

// PerSum returns the cost of ½‖w‖² + c·Σξᵢ, which is the scaling of this package, for c > 0.
//
// If c is not valid, PerSum, PerMean and Lambda return a C of NaN, which every fit refuses. A C of
// 0 would mean 1.
func PerSum(c float64) Cost { return Cost{C: positiveOrNaN(c)} }

// PerMean returns the cost of ½‖w‖² + (c/n)·Σξᵢ for c > 0 and n ≥ 1 rows: C = c/n.
func PerMean(c float64, n int) Cost { return Cost{C: positiveOrNaN(c / rowsOrNaN(n))} }

// Lambda returns the cost of (λ/2)‖w‖² + (1/n)·Σξᵢ, for λ > 0 and n ≥ 1 rows: C = 1/(λn).
//
// This is the scaling of Pegasos. It has the same minimiser as the scaling of this package, and its
// objective is λ times as large.
func Lambda(lambda float64, n int) Cost {
	return Cost{C: positiveOrNaN(1 / (positiveOrNaN(lambda) * rowsOrNaN(n)))}
}

func positiveOrNaN(v float64) float64 {
	if !(v > 0) {
		return math.NaN()
	}
	return v
}

func rowsOrNaN(n int) float64 {
	if n < 1 { // c/0 would be the hard margin
		return math.NaN()
	}
	return float64(n)
}

// Regression reports whether Y holds targets rather than labels.
func (p *Problem) Regression() bool { return p.core().Regression() }

// Validate returns a [*svmkit.DataError] or [*svmkit.ParamError] for the first invalid part of p.
func (p *Problem) Validate() error {
	if p == nil {
		return &svmkit.ParamError{Name: "Problem", Value: nil, Need: "must not be nil"}
	}
	return p.core().Validate()
}

// core returns p in the form that the solvers take.
func (p *Problem) core() *core.Problem {
	return &core.Problem{Data: p.Data, Loss: p.Loss, Kernel: p.Kernel, C: core.Cost(p.C),
		Bias: p.Bias, Nu: p.nu}
}
