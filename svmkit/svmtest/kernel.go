package svmtest

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelmath"
	"github.com/svmkit/course/svmkit/internal/kernelrows"
	"github.com/svmkit/course/svmkit/kernel"
)

const (
	// kernelRoundoff bounds the difference of two ways to compute one kernel value, relative to
	// the size of the values: sums over some hundred columns, then a function that may be
	// steep, like a power.
	kernelRoundoff = 1e-10
	// eigenRoundoff bounds the error of computed eigenvalues relative to the largest: it is
	// n·1e-16 times a small factor for n rows.
	eigenRoundoff = 1e-12
	// kernelSubset is the number of rows of one Gram matrix, and kernelSubsets the number of
	// matrices.
	kernelSubset, kernelSubsets = 30, 20
)

// CheckKernel checks that k follows the rules of [kernel.Kernel] on rows that resemble its data.
//
//   - finite: no value is NaN or infinite, and Eval does not panic;
//   - symmetry: κ(x,z) = κ(z,x), up to roundoff;
//   - layout: a row has the same values dense and sparse, up to roundoff (tried if rows are longer
//     than one column, because a single column may be the number of an object);
//   - rows: the values that the learners compute, many at a time, agree with Eval;
//   - semidefinite: the Gram matrices of random subsets have no negative eigenvalue, unless k has a
//     method Definite() that returns false. No number of rows can prove this for all rows.
//
// Each failing law is reported once, with the numbers of its first counterexample. The later laws
// are tried only if all values are finite, and the last only on a symmetric kernel.
func CheckKernel(t TB, k kernel.Kernel, rows ...svmkit.Row) {
	t.Helper()
	if err := kernel.Validate(k); err != nil {
		t.Errorf("%T: parameters: %v", k, err)
		return
	}
	c := kernelCheck{TB: t, k: k, rows: rows}
	if !c.finite() {
		return
	}
	symmetric := c.symmetric()
	c.layouts()
	c.whole()
	if symmetric && kernel.IsDefinite(k) {
		c.semidefinite()
	}
}

type kernelCheck struct {
	TB
	k    kernel.Kernel
	rows []svmkit.Row
}

// gram calls use with each row of the Gram matrix as the learners compute it, until use returns false.
func (c *kernelCheck) gram(k kernel.Kernel, use func(i int, row []float64) bool) error {
	e := kernelrows.New(k, c.rows, width(c.rows)).Evaluator()
	row, all := make([]float64, len(c.rows)), make([]int32, len(c.rows))
	for i := range all {
		all[i] = int32(i)
	}
	for i := range c.rows {
		if err := e.Row(row, i, all); err != nil || !use(i, row) {
			return err
		}
	}
	return nil
}

func (c *kernelCheck) finite() bool {
	c.Helper()
	// A Func, so that Eval is called.
	err := c.gram(kernel.Func(c.k.Eval), func(int, []float64) bool { return true })
	if err != nil {
		c.Errorf("%T: finite: %v", c.k, err)
	}
	return err == nil
}

func (c *kernelCheck) symmetric() bool {
	c.Helper()
	for i, x := range c.rows {
		for j, z := range c.rows[:i] {
			if a, b := c.k.Eval(x, z), c.k.Eval(z, x); !c.same(a, b, x, z) {
				c.Errorf("%T: symmetry: κ of rows %d and %d is %g, and %g the other way", c.k, i, j, a, b)
				return false
			}
		}
	}
	return true
}

// same compares two values of κ(x,z), on the scale of κ(x,x), κ(z,z) and themselves.
func (c *kernelCheck) same(a, b float64, x, z svmkit.Row) bool {
	scale := max(math.Abs(c.k.Eval(x, x)), math.Abs(c.k.Eval(z, z)), math.Abs(a), math.Abs(b))
	return math.Abs(a-b) <= kernelRoundoff*scale
}

func (c *kernelCheck) layouts() {
	c.Helper()
	dim := width(c.rows)
	if dim < 2 {
		return
	}
	for i, x := range c.rows {
		dx := svmkit.Dense(x.ToDense(dim)...)
		sx := sparsely(dx)
		for j, z := range c.rows {
			dz := svmkit.Dense(z.ToDense(dim)...)
			sz := sparsely(dz)
			want := c.k.Eval(dx, dz)
			for _, got := range []float64{c.k.Eval(sx, sz), c.k.Eval(sx, dz), c.k.Eval(dx, sz)} {
				if !c.same(got, want, x, z) {
					c.Errorf("%T: layout: κ of rows %d and %d is %g dense, %g with sparse rows", c.k, i, j, want, got)
					return
				}
			}
		}
	}
}

func (c *kernelCheck) whole() {
	c.Helper()
	err := c.gram(c.k, func(i int, row []float64) bool {
		for j, z := range c.rows {
			if want := c.k.Eval(c.rows[i], z); !c.same(row[j], want, c.rows[i], z) {
				c.Errorf("%T: rows: κ of rows %d and %d is %g, evaluated by rows %g", c.k, i, j, want, row[j])
				return false
			}
		}
		return true
	})
	if err != nil {
		c.Errorf("%T: rows: %v", c.k, err)
	}
}

func (c *kernelCheck) semidefinite() {
	c.Helper()
	rng := rand.New(rand.NewPCG(0, 0))
	for range kernelSubsets {
		chosen := rng.Perm(len(c.rows))[:min(kernelSubset, len(c.rows))]
		if len(chosen) == 0 {
			return
		}
		subset := make([]svmkit.Row, len(chosen))
		for n, i := range chosen {
			subset[n] = c.rows[i]
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(mat.NewSymDense(len(subset), kernel.Gram(c.k, subset)), false) {
			continue // the iteration did not converge
		}
		values := eigen.Values(nil) // rising
		if least, size := values[0], max(values[len(values)-1], -values[0]); least < -eigenRoundoff*size {
			c.Errorf("%T: semidefinite: the Gram matrix of rows %v has the eigenvalue %g (largest %g)",
				c.k, chosen, least, values[len(values)-1])
			return
		}
	}
}

// width returns the number of columns that the rows reach into.
func width(rows []svmkit.Row) (d int) {
	for _, x := range rows {
		d = max(d, kernelmath.Columns(x))
	}
	return d
}

// sparsely returns a dense row as a sparse one without its zeros.
func sparsely(x svmkit.Row) svmkit.Row {
	s := svmkit.Row{Index: []int32{}}
	for j, v := range x.Value {
		if v != 0 {
			s.Index, s.Value = append(s.Index, int32(j)), append(s.Value, v)
		}
	}
	return s
}
