package svm

import (
	"context"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// OneClass is the one-class support vector machine. It tells rows like its training rows, f(x) > 0,
// from outliers, f(x) < 0.
//
//	minimise   ½‖w‖² − ρ·νn + Σᵢ max(0, ρ − ⟨w,φ(xᵢ)⟩)     over w and ρ,    f(x) = ⟨w,φ(x)⟩ − ρ
//	maximise   −½ Σᵢⱼ αᵢαⱼK(xᵢ,xⱼ)                         over 0 ≤ αᵢ ≤ 1, Σᵢ αᵢ = νn
//
// For example, Nu = 0.1 lets at most a tenth of the training rows be outliers. In every model that
// a fit or Certify returns, ν bounds two shares of the rows:
//
//   - at most νn training rows are outliers, f(xᵢ) < 0, up to rounding of scores that are equal;
//   - at least νn training rows are support vectors, αᵢ > 0, because no αᵢ exceeds 1.
//
// The reason for the first bound is that, for a given w, the best ρ is a ν-quantile of the scores.
//
// Kernels that depend on x − z only (RBF, Laplacian) give all rows the same length in feature
// space, and then f > 0 holds around the data alone. With the linear kernel, w points from the
// origin to the data. Such a model is useful only if the data lie on one side of the origin: if 0
// is a convex combination of the rows with weights αᵢ/(νn), then w = 0 and ρ = 0 are optimal, and
// all scores are zero.
//
// The scaling follows LIBSVM's svm-train -s 2, with the same α and ρ and the negative of its
// objective. The largest α is 1 here, and 1/(νn) in the paper. With row weights, the largest αᵢ is
// the weight of row i, its loss counts as often, and n is the sum of the weights. In terms of
// [Problem], βᵢ is αᵢ, the bias b = −ρ is free, the loss is the hinge at 0, and b·νn is added, so
// Σβᵢ is νn instead of 0.
//
// Source: Schölkopf, Platt, Shawe-Taylor, Smola and Williamson, Estimating the support of a
// high-dimensional distribution, 2001.
type OneClass struct {
	// the training rows; labels and classes are ignored, and Y may be nil
	Data   *svmkit.Dataset
	Kernel kernel.Kernel // nil for linear
	Nu     float64       // ν, 0 < ν ≤ 1
}

// Fit solves p with [SMO], for any kernel; o may be nil.
//
// Certificates, limits and the end of ctx work as in the function [Fit], with one exception: if ctx
// ends before the first certificate of a kernel problem, the model is f = 0, with the primal
// objective 0 and an infinite gap.
//
// Predict returns +1 for rows like the training rows, −1 for outliers, and 0 for a score of exactly
// zero. [Model].Bias is −ρ. The score of a free support vector is zero up to rounding, which
// decides its sign.
//
// Errors are a [*svmkit.DataError] for the data, a [*kernel.EvalError] for a kernel without a
// finite value, and a [*svmkit.ParamError] for Nu, the kernel's parameters and the settings. Nu is
// too small if νn underflows.
func (p OneClass) Fit(ctx context.Context, o *Settings) (*Result, error) {
	q, err := p.problem()
	if err != nil {
		return nil, err
	}
	return Fit(ctx, q, SMO{}, o)
}

// Certify is [Problem.Certify] for any α: n numbers from 0 to 1 whose sum is νn.
//
// α is first made feasible. If its sum is too small, the rows get the missing amount in their
// order.
func (p OneClass) Certify(alpha []float64) (*Proof, error) {
	q, err := p.problem()
	if err != nil {
		return nil, err
	}
	return q.Certify(alpha)
}

// problem returns p as a Problem.
func (p OneClass) problem() (*Problem, error) {
	if !(p.Nu > 0 && p.Nu <= 1) {
		return nil, &svmkit.ParamError{Name: "Nu", Value: p.Nu,
			Need: "must be above 0 and at most 1"}
	}
	q := &Problem{Kernel: p.Kernel, nu: p.Nu}
	if p.Data != nil {
		data := *p.Data
		if data.Classes = nil; data.Y == nil {
			data.Y = make([]float64, len(data.X))
		}
		q.Data = &data
	}
	return q, nil
}
