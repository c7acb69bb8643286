// Package kernelmath holds the arithmetic of kernels that packages kernel, kernelrows and kernelsums share.
package kernelmath

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// Degree returns the degree of a polynomial kernel: p, or the default 3 if p is 0.
func Degree(p int) int {
	if p == 0 {
		return 3
	}
	return p
}

// Gamma returns the γ of a kernel of inner products: g, or the default 1 if g is 0.
func Gamma(g float64) float64 {
	if g == 0 {
		return 1
	}
	return g
}

// Bell returns exp(−γt), the kernel of a distance t. γ has no default: the result is NaN for γ = 0.
func Bell(gamma, t float64) float64 {
	if gamma == 0 {
		return math.NaN()
	}
	return math.Exp(-gamma * t)
}

// Power returns base^p for p ≥ 0 by repeated squaring. p may come from a model file, and a degree
// of 10⁹ must not cost 10⁹ multiplications.
func Power(base float64, p int) float64 {
	v := 1.0
	for ; p > 0; p /= 2 { // v·base^p is the result
		if p%2 == 1 {
			v *= base
		}
		base *= base
	}
	return v
}

// Object returns the number of the object, 0 … n−1, that x holds in column 0, or −1 if it holds
// none.
func Object(x svmkit.Row, n int) int {
	if x.Index == nil && len(x.Value) == 0 {
		return -1
	}
	v := x.At(0)
	if !(v >= 0 && v < float64(n)) || v != math.Trunc(v) {
		return -1
	}
	return int(v)
}

// Entry returns entry (i, j) of a symmetric n×n matrix from its lower triangle. It returns NaN if i
// or j is negative.
func Entry(matrix []float64, n, i, j int) float64 {
	if i < 0 || j < 0 {
		return math.NaN()
	}
	return matrix[max(i, j)*n+min(i, j)]
}
