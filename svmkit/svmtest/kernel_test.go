package svmtest_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/svmtest"
)

// recorder is a TB that keeps what is reported.
type recorder struct{ reports []string }

func (*recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.reports = append(r.reports, fmt.Sprintf(format, args...))
}

// printer prints which law fails. A test passes its *testing.T instead and sees the
// numbers of the counterexample too.
type printer struct{}

func (printer) Helper() {}
func (printer) Errorf(format string, args ...any) {
	fmt.Println("violated:", strings.Split(fmt.Sprintf(format, args...), ": ")[1])
}

// *testing.T and *testing.B can be passed as they are.
var _ = []svmtest.TB{(*testing.T)(nil), (*testing.B)(nil), (*testing.F)(nil)}

// cloud returns n rows of d columns, every third of them sparse.
func cloud(n, d int) []svmkit.Row {
	rng := rand.New(rand.NewPCG(1, 0))
	rows := make([]svmkit.Row, n)
	for i := range rows {
		v := make([]float64, d)
		for j := range v {
			v[j] = rng.NormFloat64()
		}
		rows[i] = svmkit.Dense(v...)
		if i%3 == 0 {
			rows[i] = svmkit.Row{Index: []int32{0, int32(d) - 1}, Value: []float64{v[0], v[1]}}
		}
	}
	return rows
}

func TestBuiltInKernelsPass(t *testing.T) {
	rows := cloud(40, 5)
	for _, k := range []kernel.Kernel{
		kernel.Linear{}, kernel.Polynomial{}, kernel.Polynomial{Degree: 2, Gamma: 0.5, Coef0: 1}, kernel.RBF{Gamma: 1},
		kernel.Laplacian{Gamma: 0.2}, kernel.Sigmoid{}, kernel.Func(svmkit.Row.DotRow),
	} {
		svmtest.CheckKernel(t, k, rows...)
	}
	svmtest.CheckKernel(t, kernel.Precomputed{N: 40, Gram: kernel.Gram(kernel.RBF{Gamma: 1}, rows)}, kernel.Numbers(40)...)
	svmtest.CheckKernel(t, kernel.Linear{}) // no rows: nothing to say
}

func TestCheckKernelCatches(t *testing.T) {
	dot := svmkit.Row.DotRow
	for _, c := range []struct {
		name string
		k    kernel.Kernel
		law  string
	}{
		{"no parameters", kernel.RBF{Gamma: -1}, "parameters"},
		{"nil", nil, "parameters"},
		{"root of a negative number", kernel.Func(func(x, z svmkit.Row) float64 { return math.Sqrt(dot(x, z)) }), "finite"},
		{"panics", kernel.Func(func(x, z svmkit.Row) float64 { return x.Value[4] * z.Value[4] }), "finite"},
		{"sides exchanged", kernel.Func(func(x, z svmkit.Row) float64 { return dot(x, z) + x.SquaredNorm() }), "symmetry"},
		{"a trace of one side only", kernel.Func(func(x, z svmkit.Row) float64 { return dot(x, z) * (1 + 1e-8*x.Value[0]) }), "symmetry"},
		{"stored values taken for columns", kernel.Func(func(x, z svmkit.Row) float64 { return x.Value[0] * z.Value[0] * float64(len(x.Value)*len(z.Value)) }), "layout"},
		{"minus the inner product", kernel.Func(func(x, z svmkit.Row) float64 { return -dot(x, z) }), "semidefinite"},
		{"the sigmoid as a Func", kernel.Func(kernel.Sigmoid{}.Eval), "semidefinite"},
		{"a distance", kernel.Func(func(x, z svmkit.Row) float64 { return x.SquaredNorm() - 2*dot(x, z) + z.SquaredNorm() }), "semidefinite"},
		{"a single negative direction", kernel.Func(func(x, z svmkit.Row) float64 { return dot(x, z) - 1.5*x.At(0)*z.At(0) }), "semidefinite"},
	} {
		var r recorder
		svmtest.CheckKernel(&r, c.k, cloud(40, 5)...)
		found := false
		for _, s := range r.reports {
			found = found || strings.Contains(s, ": "+c.law+": ")
		}
		if !found {
			t.Errorf("%s: no report of %q among %q", c.name, c.law, r.reports)
		}
	}
}

// The test of the package comment.
func TestManhattan(t *testing.T) {
	rows := svmkit.DenseRows([]float64{1, 2, 4, 0, 3, 1}, 2)
	svmtest.CheckKernel(t, kernel.Laplacian{Gamma: 1}, rows...)
}

// A distance is symmetric and never negative, and yet no inner product.
func ExampleCheckKernel() {
	distance := kernel.Func(func(x, z svmkit.Row) float64 { return math.Abs(x.Value[0] - z.Value[0]) })
	svmtest.CheckKernel(printer{}, distance, svmkit.DenseRows([]float64{1, 2, 4}, 1)...)
	fmt.Println("and exp(−distance):")
	svmtest.CheckKernel(printer{}, kernel.Laplacian{Gamma: 1}, svmkit.DenseRows([]float64{1, 2, 4}, 1)...)
	// Output:
	// violated: semidefinite
	// and exp(−distance):
}
