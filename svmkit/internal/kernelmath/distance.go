package kernelmath

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
)

// SquaredDistance returns ‖x−z‖² for two rows, each dense or sparse. It is exactly symmetric, and
// exactly 0 for equal rows. It panics if one row is longer than the other and the other is dense.
func SquaredDistance(x, z svmkit.Row) float64 {
	if x.Index == nil && z.Index == nil && len(x.Value) == len(z.Value) {
		return DenseSquaredDistance(x.Value, z.Value)
	}
	return distance(x, z, func(v float64) float64 { return v * v })
}

// ManhattanDistance is SquaredDistance for ‖x−z‖₁.
func ManhattanDistance(x, z svmkit.Row) float64 { return distance(x, z, math.Abs) }

// DenseSquaredDistance is SquaredDistance for dense rows. It forms four sums, so that an addition
// need not wait for the previous one. z may be longer than x.
func DenseSquaredDistance(x, z []float64) float64 {
	z = z[:len(x)]
	var a, b, c, d float64
	for len(x) >= 4 && len(z) >= 4 {
		p, q, r, s := x[0]-z[0], x[1]-z[1], x[2]-z[2], x[3]-z[3]
		a += p * p
		b += q * q
		c += r * r
		d += s * s
		x, z = x[4:], z[4:]
	}
	for j, v := range x {
		a += (v - z[j]) * (v - z[j])
	}
	return (a + b) + (c + d)
}

// distance returns Σ size(xⱼ − zⱼ) over all columns, for an even function with size(0) = 0.
func distance(x, z svmkit.Row, size func(float64) float64) float64 {
	if x.Index == nil && z.Index == nil {
		if len(x.Value) != len(z.Value) {
			panic(fmt.Sprintf("kernel: a row of %d columns meets a row of %d", len(x.Value),
				len(z.Value)))
		}
		s := 0.0
		for j, v := range x.Value {
			s += size(v - z.Value[j])
		}
		return s
	}
	if (x.Index == nil && Columns(z) > len(x.Value)) ||
		(z.Index == nil && Columns(x) > len(z.Value)) {
		panic("kernel: a sparse row reaches past the end of a dense one")
	}
	// Walk through both rows in the order of columns. Every entry before i and k has been added. A
	// column that one row does not name is zero there.
	s := 0.0
	for i, k := 0, 0; i < len(x.Value) || k < len(z.Value); {
		a, b := Column(x, i), Column(z, k)
		switch {
		case a < b:
			s += size(x.Value[i])
			i++
		case a > b:
			s += size(z.Value[k])
			k++
		default:
			s += size(x.Value[i] - z.Value[k])
			i++
			k++
		}
	}
	return s
}

// Column returns the column of the k-th stored value, and a number beyond all columns after the
// last one.
func Column(x svmkit.Row, k int) int {
	switch {
	case k >= len(x.Value):
		return math.MaxInt
	case x.Index == nil:
		return k
	}
	return int(x.Index[k])
}

// Columns returns how many columns x needs: one more than the last column that it names, and 0 if
// it names none.
func Columns(x svmkit.Row) int {
	if len(x.Value) == 0 {
		return 0
	}
	return Column(x, len(x.Value)-1) + 1
}
