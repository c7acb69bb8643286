package exactgap

import (
	"math"

	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/svm"
)

// roundoff is the unit roundoff of float64.
const roundoff = 0x1p-53

// Rounding bounds the roundoff of a certificate's gap, to first order, for finite weights and a positive
// semidefinite kernel. With the error δᵢ of the score of row i, the row's term in the gap errs by δᵢ times its
// slope, at most the row's weight (for a squared loss |βᵢ| + 2c·(KKT + δᵢ)), and by |βᵢ|·δᵢ for βᵢf(xᵢ). The
// sum of n terms adds a relative error of (n+2)·u, u = 2⁻⁵³.
func Rounding(p *svm.Problem, r *svm.Result) float64 {
	errs, more := scoreErrors(p, r)
	n := float64(p.Data.Len())
	_, squared := Shape(p.Loss)
	total := (n+2)*roundoff*(math.Abs(r.Primal)+r.Gap) + more
	for i, delta := range errs {
		weight, size := max(Weights(p, i)), math.Abs(r.Beta[i])
		if squared {
			weight = size + 2*weight*(r.KKT+delta)
		}
		total += (weight + size) * delta
	}
	return total
}

// scoreErrors bounds δᵢ and the error of ‖w‖²/2.
func scoreErrors(p *svm.Problem, r *svm.Result) (errs []float64, more float64) {
	errs = make([]float64, p.Data.Len())
	if kernel.IsLinear(p.Kernel) {
		return errs, planeErrors(p, r, errs)
	}
	return errs, kernelErrors(p, r, errs)
}

// planeErrors is scoreErrors for a linear model. A score is a sum of d products and a bias:
// δᵢ ≤ (d+2)·u·(Σⱼ|wⱼxᵢⱼ| + |b|). The entries of w = Σβᵢxᵢ err by eⱼ ≤ n·u·Σᵢ|βᵢxᵢⱼ|, and ‖w‖²/2 by ½Σeⱼ².
func planeErrors(p *svm.Problem, r *svm.Result, errs []float64) (more float64) {
	n, d := float64(p.Data.Len()), float64(p.Data.Dim)
	e := make([]float64, p.Data.Dim)
	for i, x := range p.Data.X {
		size := math.Abs(r.Model.Bias)
		for k, v := range x.Value {
			j := k
			if x.Index != nil {
				j = int(x.Index[k])
			}
			size += math.Abs(r.Weights[j] * v)
			e[j] += n * roundoff * math.Abs(r.Beta[i]*v)
		}
		errs[i] = (d + 2) * roundoff * size
	}
	for _, v := range e {
		more += v * v / 2
	}
	return more
}

// kernelErrors is scoreErrors for w = Σβⱼφ(xⱼ), with |K(x,z)| ≤ √K(x,x)·√K(z,z):
// δᵢ ≤ (n+d+64)·u·(√K(xᵢ,xᵢ)·Σⱼ|βⱼ|√K(xⱼ,xⱼ) + |b|). A kernel value is a function, of at most 64 roundings, of a
// sum of d terms.
func kernelErrors(p *svm.Problem, r *svm.Result, errs []float64) (more float64) {
	sum := 0.0
	for i, x := range p.Data.X {
		errs[i] = math.Sqrt(math.Abs(p.Kernel.Eval(x, x)))
		sum += math.Abs(r.Beta[i]) * errs[i]
	}
	each := float64(p.Data.Len()+p.Data.Dim+64) * roundoff
	for i, size := range errs {
		errs[i] = each * (size*sum + math.Abs(r.Model.Bias))
	}
	return each * sum * sum / 2
}
