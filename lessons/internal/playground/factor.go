package playground

import (
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// few is up to how many dimensions a linear problem is solved first.
const few = 40

// factor writes the Gram matrix of a kernel as LLᵀ, up to rounding, by a Cholesky factorization that
// takes the largest diagonal entry first. L has a row for each point, a column for each dimension of the
// space that φ spans. It is nil if the matrix is not positive semidefinite, and, for a kernel of the
// library, which is known to be, beyond few dimensions. A formula that is not symmetric or not finite on
// the points is a [*Error].
func factor(k kernel.Kernel, points []svmkit.Row) (l [][]float64, err error) {
	n := len(points)
	value := func(i, j int) float64 { return k.Eval(points[i], points[j]) }
	_, own := k.(*Formula)
	if own {
		gram := make([]float64, n*n)
		for i := range n {
			for j := range n {
				v := value(i, j)
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return nil, errorOf("formula", "it is %g for points %d and %d: a kernel is a finite number for any two points", v, i+1, j+1)
				}
				gram[i*n+j] = v
				if w := gram[j*n+i]; j < i && math.Abs(v-w) > 1e-9*max(math.Abs(v), math.Abs(w)) {
					return nil, errorOf("formula", "it is %.4g for points %d and %d, and %.4g for %d and %d: a kernel is symmetric", v, i+1, j+1, w, j+1, i+1)
				}
			}
		}
		value = func(i, j int) float64 { return gram[i*n+j] }
	}
	l = make([][]float64, n)
	left, rest := make([]int, n), make([]float64, n) // points, and their κ(x,x) less what L has of it
	size := 0.0
	for i := range n {
		l[i], left[i], rest[i] = []float64{}, i, value(i, i)
		size = max(size, math.Abs(rest[i]))
	}
	rounding := 1e-12 * float64(n) * size
	for len(left) > 0 {
		at := 0
		for k, i := range left {
			if rest[i] > rest[left[at]] {
				at = k
			}
			if rest[i] < -rounding {
				return nil, nil
			}
		}
		p := left[at]
		left = slices.Delete(left, at, at+1)
		done := rest[p] <= rounding
		if !own && done {
			break
		}
		if !own && len(l[p]) == few {
			return nil, nil
		}
		root := math.Sqrt(max(0, rest[p]))
		for _, i := range left {
			v := value(i, p)
			for k, w := range l[p] {
				v -= l[i][k] * w
			}
			if math.Abs(v) > rest[p]+rounding { // then cᵀKc < 0 for some c with ±1 at i and p
				return nil, nil
			}
			if !done {
				l[i] = append(l[i], v/root)
				rest[i] -= v / root * (v / root)
			}
		}
		if !done {
			l[p] = append(l[p], root)
		}
	}
	dim := 0
	for _, row := range l {
		dim = max(dim, len(row))
	}
	for i, row := range l {
		l[i] = append(row, make([]float64, dim-len(row))...)
	}
	return l, nil
}
