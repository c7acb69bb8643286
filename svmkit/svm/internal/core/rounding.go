package core

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/gauss"
	"github.com/svmkit/course/svmkit/internal/kernelmath"
	"github.com/svmkit/course/svmkit/kernel"
)

// Rounding bounds by how much the sum f(x) = b + Σₖ βₖκ(zₖ,x) can differ between two ways to compute
// it: with the kernel's own Eval, from b on in the order of the rows z, and by an evaluator of package
// kernelrows in the same order. A prediction whose score is nearer to a decision than that is computed
// again in the first way, so that all ways to predict a row agree.
//
// # The bound
//
// Let u = 2⁻⁵³, T the number of terms of an inner product or a distance, and M the largest |κ(zₖ,x)|.
//
//   - An inner product has an error of at most (T+3)u‖x‖‖z‖ in either way. With s = γ‖x‖‖z‖ + |c₀|, a
//     polynomial of degree p has M = s^p and an error of at most p(T+8)u·M, the powers included. The
//     slope of tanh is at most 1, so that a sigmoid has M = 1 and an error of at most ((T+4)s + 8)u.
//   - A distance of two dense rows is computed with the same operations in both ways, and so is every
//     kernel that is not built in. Then the two sums have the same bits.
//   - Among sparse rows a distance t is ‖x‖² + ‖z‖² − 2⟨x,z⟩, or its like for ‖x−z‖₁, unless t is below
//     1e-4 of the sum of the norms. So its relative error is at most 1e4·(3T+4)u. As γt·e^(−γt) < 0.4,
//     the error of κ ≤ 1 is at most 0.4·1e4·(3T+4)u < 2e4·(T+2)u.
//   - A sum of n products from b on has an error of at most (n+2)u·(Σ|βₖ|·M + |b|) in either way.
type Rounding struct {
	kernel        kernel.Kernel
	from, weights float64 // |b| and Σ|βₖ|
	rows          float64 // n
	terms         int     // most numbers of a z
	norm          float64 // largest ‖z‖, for kernels of inner products
	sparse        bool    // some z is sparse
}

const (
	unit       = 0x1p-53
	higherTerm = 1.1 // covers terms of a higher order
)

// NewRounding returns the bounds for a sum over the rows z from b on.
func NewRounding(k kernel.Kernel, from float64, z []svmkit.Row, weights []float64) *Rounding {
	r := &Rounding{kernel: k, from: math.Abs(from), rows: float64(len(z))}
	for _, w := range weights {
		r.weights += math.Abs(w)
	}
	for _, z := range z {
		r.sparse = r.sparse || z.Index != nil
		r.terms = max(r.terms, len(z.Value))
		r.norm = max(r.norm, NormFor(k, z))
	}
	return r
}

// NormFor returns the norm of x if the bounds for a kernel depend on it, else 0.
func NormFor(k kernel.Kernel, x svmkit.Row) float64 {
	switch k.(type) {
	case kernel.Linear, kernel.Polynomial, kernel.Sigmoid:
		return x.Norm()
	}
	return 0
}

// Of returns the bound for a row x and its [NormFor] the kernel, 0 if the bits are the same.
func (r *Rounding) Of(x svmkit.Row, norm float64) float64 {
	size, value := r.value(x, norm)
	if value == 0 {
		return 0
	}
	return r.sum(size, value)
}

// sum returns the bound for values of at most this size that differ by at most value.
func (r *Rounding) sum(size, value float64) float64 {
	return higherTerm * (r.weights*value + 2*(r.rows+2)*unit*(r.weights*size+r.from))
}

// value returns the largest size of a value, and by how much two computed values can differ.
func (r *Rounding) value(x svmkit.Row, norm float64) (size, value float64) {
	gamma, coef0, degree := 1.0, 0.0, 1
	switch k := r.kernel.(type) {
	case kernel.Linear:
	case kernel.Polynomial:
		gamma, coef0, degree = kernelmath.Gamma(k.Gamma), k.Coef0, kernelmath.Degree(k.Degree)
	case kernel.Sigmoid:
		s := math.Abs(kernelmath.Gamma(k.Gamma))*norm*r.norm + math.Abs(k.Coef0)
		return 1, 2 * unit * (float64(len(x.Value)+4)*s + 8)
	case kernel.RBF, kernel.Laplacian:
		if x.Index == nil && !r.sparse {
			return 1, 0
		}
		return 1, 2e4 * unit * float64(len(x.Value)+r.terms+2)
	default:
		return 0, 0
	}
	size = kernelmath.Power(gamma*norm*r.norm+coef0, degree)
	return size, 2 * unit * float64(degree) * float64(len(x.Value)+8) * size
}

// BatchRounding is the [Rounding] of the sums that WeightedSums returns, which may come from blocks.
// It belongs to one goroutine.
type BatchRounding struct {
	*Rounding
	x      []svmkit.Row
	blocks *gauss.Rounding // nil if the sums are not from blocks
}

// Rounding returns the bounds of the sums that WeightedSums returns for the same arguments.
func (x preparedRows) Rounding(k kernel.Kernel, from float64, z []svmkit.Row,
	weights []float64) *BatchRounding {
	b := &BatchRounding{Rounding: NewRounding(k, from, z, weights), x: x.x}
	if g := x.gaussian(z); g != nil {
		b.blocks = g.Rounding(z)
	}
	return b
}

// Near reports whether the sum of row i may have been rounded by d or more.
func (b *BatchRounding) Near(i int, d float64) bool {
	if b.blocks == nil {
		bound := b.Of(b.x[i], NormFor(b.kernel, b.x[i]))
		return bound != 0 && d <= bound
	}
	_, value := b.value(b.x[i], 0)
	value += float64(2*len(b.x[i].Value)+12) * unit // the errors of Eval, which blocks do not share
	return d <= b.sum(1, value+b.blocks.Most()) && d <= b.sum(1, value+b.blocks.Of(i))
}
