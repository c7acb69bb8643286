package kernelsums

import (
	"context"
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
	r.terms, r.norm, r.sparse = bounds(k, z)
	return r
}

// bounds returns the most numbers of a row, the largest norm if the bounds for k depend on it, and
// whether some row is sparse.
func bounds(k kernel.Kernel, rows []svmkit.Row) (terms int, largest float64, sparse bool) {
	for i := range rows {
		terms = max(terms, len(rows[i].Value))
		sparse = sparse || rows[i].Index != nil
	}
	if ofProducts(k) {
		for _, x := range rows {
			largest = max(largest, norm(x))
		}
	}
	return terms, largest, sparse
}

// ofProducts reports whether k is a function of inner products.
func ofProducts(k kernel.Kernel) bool {
	kind, _, known := kernel.KindOf(k)
	return known && kind.Measure == kernel.InnerProduct
}

// NormFor returns the norm of x if the bounds for a kernel depend on it, else 0.
func NormFor(k kernel.Kernel, x svmkit.Row) float64 {
	if ofProducts(k) {
		return norm(x)
	}
	return 0
}

// norm returns ‖x‖ up to rounding.
func norm(x svmkit.Row) float64 {
	var s, t float64 // two sums, so that an addition need not wait for the one before it
	v := x.Value
	for ; len(v) >= 2; v = v[2:] {
		s += v[0] * v[0]
		t += v[1] * v[1]
	}
	for _, v := range v {
		s += v * v
	}
	const tiny, huge = 0x1p-900, 0x1p1000 // beyond them squares may have lost digits
	if s += t; s > tiny && s < huge {
		return math.Sqrt(s)
	}
	return x.Norm()
}

// Of returns the bound for a row x and its [NormFor] the kernel, 0 if the bits are the same.
func (r *Rounding) Of(x svmkit.Row, norm float64) float64 {
	size, value := r.value(len(x.Value), x.Index != nil, norm)
	if value == 0 {
		return 0
	}
	return r.sum(size, value)
}

// sum returns the bound for values of at most this size that differ by at most value.
func (r *Rounding) sum(size, value float64) float64 {
	return higherTerm * (r.weights*value + 2*(r.rows+2)*unit*(r.weights*size+r.from))
}

// value returns the largest size of a value, and by how much two computed values can differ, for a row of
// so many numbers.
func (r *Rounding) value(terms int, sparse bool, norm float64) (size, value float64) {
	gamma, coef0, degree := 1.0, 0.0, 1
	switch k := r.kernel.(type) {
	case kernel.Linear:
	case kernel.Polynomial:
		gamma, coef0, degree = kernelmath.Gamma(k.Gamma), k.Coef0, kernelmath.Degree(k.Degree)
	case kernel.Sigmoid:
		s := math.Abs(kernelmath.Gamma(k.Gamma))*norm*r.norm + math.Abs(k.Coef0)
		return 1, 2 * unit * (float64(terms+4)*s + 8)
	case kernel.RBF, kernel.Laplacian:
		if !sparse && !r.sparse {
			return 1, 0
		}
		return 1, 2e4 * unit * float64(terms+r.terms+2)
	default:
		if _, _, known := kernel.KindOf(k); known { // its values are not Eval's, and have no bound here
			return 0, math.MaxFloat64
		}
		return 0, 0
	}
	size = kernelmath.Power(gamma*norm*r.norm+coef0, degree)
	return size, 2 * unit * float64(degree) * float64(terms+8) * size
}

// BatchRounding is the [Rounding] of the sums that RoundedSums returns, which may come from blocks.
// It belongs to one goroutine.
type BatchRounding struct {
	*Rounding
	x      []svmkit.Row
	blocks *gauss.Rounding // nil if the sums are not from blocks
	most   float64         // bounds the rounding of all sums
}

// RoundedSums returns WeightedSums for the kernel k of x, and how they are rounded; nil if they have the
// bits of sums of Eval.
func (x Rows) RoundedSums(k kernel.Kernel, from float64, z []svmkit.Row, weights []float64) ([]float64, *BatchRounding, error) {
	g := x.gaussian(z)
	sums, err := x.sums(context.Background(), g, from, z, weights)
	if err != nil {
		return nil, nil, err
	}
	b := &BatchRounding{Rounding: NewRounding(k, from, z, weights), x: x.x}
	terms, norm, sparse := bounds(k, x.x)
	if g != nil {
		b.blocks = g.Rounding(z)
		b.most = b.sum(1, b.inBlocks(terms, sparse, b.blocks.Most()))
		return sums, b, nil
	}
	size, value := b.value(terms, sparse, norm)
	if value == 0 {
		return sums, nil, nil
	}
	b.most = b.sum(size, value)
	return sums, b, nil
}

// inBlocks bounds by how much a value from blocks, with an error of at most this size, differs from Eval's.
func (b *BatchRounding) inBlocks(terms int, sparse bool, blocks float64) float64 {
	_, value := b.value(terms, sparse, 0)
	return value + float64(2*terms+12)*unit + blocks
}

// Near reports whether the sum of row i may have been rounded by d or more.
func (b *BatchRounding) Near(i int, d float64) bool {
	if d > b.most {
		return false
	}
	x := b.x[i]
	if b.blocks != nil {
		return d <= b.sum(1, b.inBlocks(len(x.Value), x.Index != nil, b.blocks.Of(i)))
	}
	bound := b.Of(x, NormFor(b.kernel, x))
	return bound != 0 && d <= bound
}
