package exactgap

import (
	"math"

	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/svm"
)

const epsilon = 0x1p-53

// Rounding bounds what the rounding of the sums in a certificate may do to its gap, to first order, for finite prices
// and a kernel that is positive semidefinite. The score of row i is a sum, so it errs by some δᵢ; that counts as often
// as the gap's term of the row is steep: at most its price, for a squared loss |βᵢ| + 2c·(KKT + δᵢ), and |βᵢ| once
// more for βᵢf(xᵢ). The gap itself is a sum of n terms, each known to (n+2)·ε, ε = 2⁻⁵³.
func Rounding(p *svm.Problem, r *svm.Result) float64 {
	errs, more := scoreErrors(p, r)
	n := float64(p.Data.Len())
	_, squared := Shape(p.Loss)
	total := (n+2)*epsilon*(math.Abs(r.Primal)+r.Gap) + more
	for i, delta := range errs {
		price, size := max(Prices(p, i)), math.Abs(r.Beta[i])
		if squared {
			price = size + 2*price*(r.KKT+delta)
		}
		total += (price + size) * delta
	}
	return total
}

// scoreErrors bounds δᵢ, and what else of ‖w‖² may be lost.
func scoreErrors(p *svm.Problem, r *svm.Result) (errs []float64, more float64) {
	errs = make([]float64, p.Data.Len())
	switch p.Kernel.(type) {
	case nil, kernel.Linear:
		return errs, planeErrors(p, r, errs)
	}
	return errs, kernelErrors(p, r, errs)
}

// planeErrors is for w itself. A score is a sum of d products and a bias: δᵢ ≤ (d+2)·ε·(Σⱼ|wⱼxᵢⱼ| + |b|).
// The entries of w = Σβᵢxᵢ err by up to uⱼ ≤ n·ε·Σᵢ|βᵢxᵢⱼ|, of which the gap has ½Σuⱼ².
func planeErrors(p *svm.Problem, r *svm.Result, errs []float64) (more float64) {
	n, d := float64(p.Data.Len()), float64(p.Data.Dim)
	u := make([]float64, p.Data.Dim)
	for i, x := range p.Data.X {
		size := math.Abs(r.Model.Bias)
		for k, v := range x.Value {
			j := k
			if x.Index != nil {
				j = int(x.Index[k])
			}
			size += math.Abs(r.Weights[j] * v)
			u[j] += n * epsilon * math.Abs(r.Beta[i]*v)
		}
		errs[i] = (d + 2) * epsilon * size
	}
	for _, v := range u {
		more += v * v / 2
	}
	return more
}

// kernelErrors is for Σβⱼφ(xⱼ), with |K(x,z)| ≤ √K(x,x)·√K(z,z): δᵢ ≤ (n+d+64)·ε·(√K(xᵢ,xᵢ)·Σⱼ|βⱼ|√K(xⱼ,xⱼ) + |b|).
// A value of the kernel is itself a sum of d terms and a few functions of it, of 64 roundings at most.
func kernelErrors(p *svm.Problem, r *svm.Result, errs []float64) (more float64) {
	sum := 0.0
	for i, x := range p.Data.X {
		errs[i] = math.Sqrt(math.Abs(p.Kernel.Eval(x, x)))
		sum += math.Abs(r.Beta[i]) * errs[i]
	}
	each := float64(p.Data.Len()+p.Data.Dim+64) * epsilon
	for i, size := range errs {
		errs[i] = each * (size*sum + math.Abs(r.Model.Bias))
	}
	return each * sum * sum / 2
}
