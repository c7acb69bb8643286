package kernel

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
)

// squaredDistance returns ‖x−z‖² for two rows, each dense or sparse. It is exactly
// symmetric, and exactly 0 for equal rows.
func squaredDistance(x, z svmkit.Row) float64 {
	if x.Index == nil && z.Index == nil && len(x.Value) == len(z.Value) {
		return denseSquaredDistance(x.Value, z.Value)
	}
	return distance(x, z, func(v float64) float64 { return v * v })
}

// distance returns Σ size(xⱼ − zⱼ) over all columns, for an even function with size(0) = 0.
func distance(x, z svmkit.Row, size func(float64) float64) float64 {
	if x.Index == nil && z.Index == nil {
		if len(x.Value) != len(z.Value) {
			panic(fmt.Sprintf("kernel: a row of %d columns meets a row of %d", len(x.Value), len(z.Value)))
		}
		s := 0.0
		for j, v := range x.Value {
			s += size(v - z.Value[j])
		}
		return s
	}
	if (x.Index == nil && last(z) >= len(x.Value)) || (z.Index == nil && last(x) >= len(z.Value)) {
		panic("kernel: a sparse row reaches past the end of a dense one")
	}
	// Walk both rows in order of columns. Every entry before i and k has been counted;
	// a column that one row does not name is zero there.
	s := 0.0
	for i, k := 0, 0; i < len(x.Value) || k < len(z.Value); {
		a, b := column(x, i), column(z, k)
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

// column returns the column of the k-th stored value; behind the last it is beyond all.
func column(x svmkit.Row, k int) int {
	switch {
	case k >= len(x.Value):
		return math.MaxInt
	case x.Index == nil:
		return k
	}
	return int(x.Index[k])
}

// last returns the last named column of x, −1 if there is none.
func last(x svmkit.Row) int {
	if len(x.Value) == 0 {
		return -1
	}
	return column(x, len(x.Value)-1)
}
