package svm

import (
	"context"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// OneClass is the one-class support vector machine of Schölkopf, Platt, Shawe-Taylor, Smola and
// Williamson (Estimating the support of a high-dimensional distribution, 2001), which learns from
// rows of one kind to tell rows like them, f(x) > 0, from outliers, f(x) < 0:
//
//	minimise   ½‖w‖² − ρ·νn + Σᵢ max(0, ρ − ⟨w,φ(xᵢ)⟩)     over w and ρ,    f(x) = ⟨w,φ(x)⟩ − ρ
//	maximise   −½ Σᵢⱼ αᵢαⱼK(xᵢ,xⱼ)                         over 0 ≤ αᵢ ≤ 1, Σᵢ αᵢ = νn
//
// in the scaling of LIBSVM's svm-train -s 2, whose α, ρ and objective these are, but for the sign
// of the objective. With w = Σ αᵢφ(xᵢ) it is the problem of package svm with a free bias b = −ρ and
// the hinge at 0, and with b·νn added: that is why Σβᵢ is νn and not 0, βᵢ being αᵢ. Where the
// paper has 1/(νn) as the largest α, here it is 1. If the rows have weights, the largest αᵢ is that
// of row i, its loss counts so often, and n is their sum.
//
// ν bounds two shares of the rows. For every model that a fit or Certify returns, as for given w
// the best ρ is a ν-quantile of the scores:
//
//   - at most νn training rows are outliers, f(xᵢ) < 0, but for rounding of scores that are equal;
//   - at least νn training rows are support vectors, αᵢ > 0, as none is above 1.
//
// Kernels whose values depend on x − z only (RBF, Laplacian) give all rows the same length, and
// then f > 0 holds around the data alone. With the linear kernel, w points from the origin to the
// data: only data away from the origin, on one side of it, make a model that says something. If 0
// is among the convex combinations of rows with weights αᵢ/(νn), w = 0 and ρ = 0 are optimal, and
// all scores are zero.
type OneClass struct {
	Data   *svmkit.Dataset // its labels and classes have no part in the problem, and Y may be nil
	Kernel kernel.Kernel   // nil: linear
	Nu     float64         // ν, 0 < ν ≤ 1
}

// Fit solves p by [SMO], with any kernel; o may be nil. What [Fit] says of certificates, limits and
// the end of ctx holds here, but for this: where ctx ends before the first certificate of a kernel
// problem the model is f = 0, with the primal objective 0 and an infinite gap.
//
// The model has OneClass true: Predict is +1 for rows like the training rows, −1 for outliers, 0
// for a score of exactly zero. [Model].Bias is −ρ. The score of a free support vector is zero up to
// rounding, which decides its sign.
//
// Errors are a [*svmkit.DataError] for the data, a [*kernel.EvalError] for a kernel without a finite
// value, and a [*svmkit.ParamError] for Nu, the kernel's parameters and the settings. Nu is too small
// if νn underflows.
func (p OneClass) Fit(ctx context.Context, o *Settings) (*Result, error) {
	q, err := p.problem()
	if err != nil {
		return nil, err
	}
	return Fit(ctx, q, SMO{}, o)
}

// Certify is [Problem.Certify] for α, n numbers from 0 to 1 whose sum is νn, whoever computed them.
// α is first made feasible: where its sum is too small, the rows get what is missing in their
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
