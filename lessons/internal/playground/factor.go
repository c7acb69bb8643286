package playground

import (
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// few is up to how many dimensions a linear problem is solved first.
const few = 40

// factor writes the Gram matrix of a kernel as LLᵀ, up to rounding, by a Cholesky factorization that takes the largest diagonal
// entry first, and returns L: a row for each point, a column for each dimension of the space that φ spans. It is nil if the matrix is
// not positive semidefinite, and for more than few dimensions of a kernel of the library, which is known to be. A formula that is
// not symmetric or not finite on the points is a [*Error].
func factor(k kernel.Kernel, points []svmkit.Row) (l [][]float64, err error) {
	n, gram := len(points), kernel.Gram(k, points)
	_, own := k.(*Formula)
	size := 0.0
	for i, x := range points {
		if !own {
			size = max(size, gram[i*n+i])
			continue
		}
		for j, z := range points {
			v := k.Eval(x, z)
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, errorOf("formula", "it is %g for points %d and %d: a kernel is a finite number for any two points", v, i+1, j+1)
			}
			size = max(size, math.Abs(v))
			if w := gram[i*n+j]; math.Abs(v-w) > 1e-9*max(math.Abs(v), math.Abs(w)) {
				return nil, errorOf("formula", "it is %.4g for points %d and %d, and %.4g for %d and %d: a kernel is symmetric", v, i+1, j+1, w, j+1, i+1)
			}
		}
	}
	rounding := 1e-12 * float64(n) * size
	l = make([][]float64, n)
	left := make([]int, n)
	for i := range left {
		l[i], left[i] = []float64{}, i
	}
	for len(left) > 0 {
		at, most := 0, math.Inf(-1)
		for k, i := range left {
			if d := gram[i*n+i]; d > most {
				at, most = k, d
			}
			if gram[i*n+i] < -rounding {
				return nil, nil
			}
		}
		p := left[at]
		left = slices.Delete(left, at, at+1)
		for _, i := range left {
			if math.Abs(gram[i*n+p]) > most+rounding { // then cᵀKc < 0 for some c with ±1 at i and p
				return nil, nil
			}
		}
		if most <= rounding {
			continue
		}
		if len(l[p]) == few && !own {
			return nil, nil
		}
		root := math.Sqrt(most)
		l[p] = append(l[p], root)
		for k, i := range left {
			c := gram[i*n+p] / root
			l[i] = append(l[i], c)
			for _, j := range left[:k+1] {
				gram[i*n+j] -= c * l[j][len(l[j])-1]
				gram[j*n+i] = gram[i*n+j]
			}
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
