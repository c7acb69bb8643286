package kernelrows

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelmath"
	"github.com/svmkit/course/svmkit/kernel"
)

// The loops of Evaluator.RowOf: a measure between z, given as one number per column, and the rows
// of a list, and then a function of each number. A sparse row looks up its columns in z.

func (e *Evaluator) dots(to, z []float64, columns []int32) {
	for k, j := range columns {
		if x := &e.x[j]; x.Index == nil {
			to[k] = dot(x.Value, z)
		} else {
			to[k] = x.Dot(z)
		}
	}
}

// cancelled is the share of ‖x‖² + ‖z‖² below which the difference ‖x‖² + ‖z‖² − 2⟨x,z⟩ is computed
// again as a sum of squared differences. Above it, at most four of sixteen digits are lost.
const cancelled = 1e-4

func (e *Evaluator) squaredDistances(to []float64, row svmkit.Row, z []float64, columns []int32) {
	size, beyond := row.SquaredNorm(), e.beyond(row).SquaredNorm()
	for k, j := range columns {
		x := &e.x[j]
		if x.Index == nil {
			to[k] = kernelmath.DenseSquaredDistance(x.Value, z) + beyond
			continue
		}
		both := size + e.size[j]
		to[k] = both - 2*x.Dot(z)
		if !(to[k] > cancelled*both) {
			to[k] = kernelmath.SquaredDistance(*x, row)
		}
	}
}

// manhattanDistances uses ‖x−z‖₁ = ‖z‖₁ + Σ (|xⱼ−zⱼ| − |zⱼ|), where the sum is over the columns
// that x names.
func (e *Evaluator) manhattanDistances(to []float64, row svmkit.Row, z []float64, columns []int32) {
	size, beyond := manhattanNorm(row), manhattanNorm(e.beyond(row))
	for k, j := range columns {
		x := &e.x[j]
		s := 0.0
		if x.Index == nil {
			s = beyond
			for c, v := range x.Value {
				s += math.Abs(v - z[c])
			}
			to[k] = s
			continue
		}
		for c, v := range x.Value {
			there := z[x.Index[c]]
			s += math.Abs(v-there) - math.Abs(there)
		}
		to[k] = size + s
		if !(to[k] > cancelled*(size+e.size[j])) {
			to[k] = kernelmath.ManhattanDistance(*x, row)
		}
	}
}

// beyond returns the part of a sparse row that is beyond the columns of the set.
func (e *Evaluator) beyond(z svmkit.Row) svmkit.Row {
	k := len(z.Index)
	for k > 0 && int(z.Index[k-1]) >= e.width {
		k--
	}
	if z.Index == nil {
		return svmkit.Row{}
	}
	return svmkit.Row{Index: z.Index[k:], Value: z.Value[k:]}
}

// finish turns the measures in to into values of the kernel, which is one of [kernel.Kinds].
func finish(k kernel.Kernel, to []float64) {
	switch k := k.(type) {
	case kernel.Linear:
	case kernel.Polynomial:
		degree, g := kernelmath.Degree(k.Degree), kernelmath.Gamma(k.Gamma)
		for i, v := range to {
			to[i] = kernelmath.Power(g*v+k.Coef0, degree)
		}
	case kernel.Sigmoid:
		g := kernelmath.Gamma(k.Gamma)
		for i, v := range to {
			to[i] = math.Tanh(g*v + k.Coef0)
		}
	case kernel.RBF:
		bells(to, k.Gamma)
	case kernel.Laplacian:
		bells(to, k.Gamma)
	default: // a measure is no value of a kernel that is not known here
		panic(fmt.Sprintf("kernelrows: no values of a %T", k))
	}
}

func bells(to []float64, gamma float64) {
	for i, v := range to {
		to[i] = kernelmath.Bell(gamma, v)
	}
}

// dot returns ⟨x,z⟩ of dense rows. It forms four sums, so that an addition need not wait for the
// previous one. z may be longer than x.
func dot(x, z []float64) float64 {
	z = z[:len(x)]
	var a, b, c, d float64
	for len(x) >= 4 && len(z) >= 4 {
		a += x[0] * z[0]
		b += x[1] * z[1]
		c += x[2] * z[2]
		d += x[3] * z[3]
		x, z = x[4:], z[4:]
	}
	for j, v := range x {
		a += v * z[j]
	}
	return (a + b) + (c + d)
}

func manhattanNorm(x svmkit.Row) float64 {
	s := 0.0
	for _, v := range x.Value {
		s += math.Abs(v)
	}
	return s
}

// sizes returns a norm of every row. It returns nil if all rows are dense, because dense rows need
// none.
func sizes(rows []svmkit.Row, norm func(svmkit.Row) float64) []float64 {
	for _, x := range rows {
		if x.Index != nil {
			s := make([]float64, len(rows))
			for i, x := range rows {
				s[i] = norm(x)
			}
			return s
		}
	}
	return nil
}
