package kernel_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// rounding bounds the relative error of a sum of a few dozen products of numbers of size
// one: some tens of units in the last place.
const rounding = 1e-13

// randomRows returns n rows of d columns, a third of the entries zero. Odd rows are sparse
// if mixed is set.
func randomRows(rng *rand.Rand, n, d int, mixed bool) []svmkit.Row {
	rows := make([]svmkit.Row, n)
	for i := range rows {
		v := make([]float64, d)
		for j := range v {
			if rng.IntN(3) > 0 {
				v[j] = rng.NormFloat64()
			}
		}
		rows[i] = svmkit.Dense(v...)
		if mixed && i%2 == 1 {
			rows[i] = sparse(v)
		}
	}
	return rows
}

func sparse(v []float64) svmkit.Row {
	x := svmkit.Row{Index: []int32{}}
	for j, a := range v {
		if a != 0 {
			x.Index = append(x.Index, int32(j))
			x.Value = append(x.Value, a)
		}
	}
	return x
}

var kernels = map[string]kernel.Kernel{
	"linear":      kernel.Linear{},
	"quadratic":   kernel.Polynomial{Degree: 2, Gamma: 0.5, Coef0: 1},
	"homogeneous": kernel.Polynomial{Degree: 3},
	"rbf":         kernel.RBF{Gamma: 0.3},
	"laplacian":   kernel.Laplacian{Gamma: 0.3},
	"func":        kernel.Func(func(x, z svmkit.Row) float64 { return 1 + x.DotRow(z) }),
}

func TestKernelsAreSymmetricAndPositiveSemidefinite(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	const n, d = 25, 6
	rows := randomRows(rng, n, d, true)
	for name, k := range kernels {
		for _, x := range rows {
			for _, z := range rows {
				if k.Eval(x, z) != k.Eval(z, x) {
					t.Fatalf("%s is not symmetric at %v, %v", name, x, z)
				}
			}
		}
		gram := kernel.Gram(k, rows)
		var eigen mat.EigenSym
		if !eigen.Factorize(mat.NewSymDense(n, gram), false) {
			t.Fatalf("%s: no eigenvalues", name)
		}
		values := eigen.Values(nil) // rising
		if values[0] < -rounding*values[n-1] {
			t.Errorf("%s: smallest eigenvalue %g, largest %g: not positive semidefinite", name, values[0], values[n-1])
		}
	}
}

func TestDenseAndSparseAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	rows := randomRows(rng, 12, 7, false)
	for name, k := range kernels {
		for _, x := range rows {
			for _, z := range rows {
				want := k.Eval(x, z)
				sx, sz := sparse(x.Value), sparse(z.Value)
				for _, got := range []float64{k.Eval(sx, z), k.Eval(x, sz), k.Eval(sx, sz)} {
					if math.Abs(got-want) > rounding*(1+math.Abs(want)) {
						t.Fatalf("%s: sparse %g, dense %g", name, got, want)
					}
				}
			}
		}
	}
}

// The feature map of (γ⟨x,z⟩ + c₀)² in two dimensions, by expanding the square:
// γx₁², γx₂², √2·γx₁x₂, √(2γc₀)·x₁, √(2γc₀)·x₂, c₀.
func TestPolynomialIsAnInnerProduct(t *testing.T) {
	const g, c = 0.7, 1.3
	phi := func(x svmkit.Row) svmkit.Row {
		a, b := x.Value[0], x.Value[1]
		return svmkit.Dense(g*a*a, g*b*b, math.Sqrt2*g*a*b, math.Sqrt(2*g*c)*a, math.Sqrt(2*g*c)*b, c)
	}
	rng := rand.New(rand.NewPCG(3, 0))
	rows := randomRows(rng, 10, 2, false)
	k := kernel.Polynomial{Degree: 2, Gamma: g, Coef0: c}
	for _, x := range rows {
		for _, z := range rows {
			if got, want := k.Eval(x, z), phi(x).DotRow(phi(z)); math.Abs(got-want) > rounding*(1+want) {
				t.Fatalf("κ = %g, ⟨φ,φ⟩ = %g", got, want)
			}
		}
	}
}

// Powers of whole numbers are exact as long as they are float64, and no degree that a model file
// can name takes long: one multiplication after the other would make this test a matter of an hour.
func TestPowers(t *testing.T) {
	for base := int64(-9); base <= 9; base++ {
		want := int64(1)
		for degree := 1; degree <= 16; degree++ { // 9¹⁶ < 2⁵³
			want *= base
			if got := (kernel.Polynomial{Degree: degree}).Eval(svmkit.Dense(float64(base)), svmkit.Dense(1)); got != float64(want) {
				t.Errorf("%d to the power %d is %g, not %d", base, degree, got, want)
			}
		}
	}
	const tol = 1e-6 // 2³¹ factors, each of them rounded by at most 2⁻⁵³ when it was made
	for range 2000 {
		got := (kernel.Polynomial{Degree: math.MaxInt32}).Eval(svmkit.Dense(1+1e-9), svmkit.Dense(1))
		if want := math.Exp(math.MaxInt32 * math.Log1p(1e-9)); math.Abs(got-want) > tol*want {
			t.Fatalf("(1 + 1e-9)^(2³¹−1) is %g, not %g", got, want)
		}
	}
}

func TestDefaults(t *testing.T) {
	x, z := svmkit.Dense(1, 2), svmkit.Dense(3, 1)
	if got := (kernel.Polynomial{}).Eval(x, z); got != 125 { // ⟨x,z⟩ = 5, cubed
		t.Errorf("Polynomial{} gives %g, want 5³", got)
	}
	if got := (kernel.Sigmoid{}).Eval(x, z); got != math.Tanh(5) {
		t.Errorf("Sigmoid{} gives %g, want tanh 5", got)
	}
	// A γ that was forgotten must not pass for 1, nor for a kernel that is 1 everywhere.
	for _, k := range []kernel.Kernel{kernel.RBF{}, kernel.Laplacian{}} {
		if got := k.Eval(x, z); !math.IsNaN(got) {
			t.Errorf("%T{} gives %g, want NaN", k, got)
		}
	}
}

func TestRBFByHand(t *testing.T) {
	got := kernel.RBF{Gamma: 1}.Eval(svmkit.Dense(1, 2), svmkit.Dense(3, 1))
	if want := math.Exp(-5); got != want { // ‖x−z‖² = 4 + 1
		t.Errorf("κ = %g, want %g", got, want)
	}
}

// Two rows at distance 1 that are 10⁹ away from the origin: the expanded form
// ‖x‖² − 2⟨x,z⟩ + ‖z‖² has no correct digit left there.
func TestRBFFarFromTheOrigin(t *testing.T) {
	x, z := svmkit.Dense(1e9, 1e9), svmkit.Dense(1e9+1, 1e9)
	if got, want := (kernel.RBF{Gamma: 1}).Eval(x, z), math.Exp(-1); got != want {
		t.Errorf("κ = %g, want e⁻¹", got)
	}
	if got := (kernel.RBF{Gamma: 1}).Eval(x, x); got != 1 {
		t.Errorf("κ(x,x) = %g, want 1", got)
	}
}

func TestValidate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, k := range kernels {
		if err := kernel.Validate(k); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for want, bad := range map[string][]kernel.Kernel{
		"Kernel": {nil, kernel.Func(nil)},
		"Degree": {kernel.Polynomial{Degree: -1}},
		"Gamma":  {kernel.RBF{}, kernel.RBF{Gamma: -1}, kernel.RBF{Gamma: nan}, kernel.RBF{Gamma: inf}, kernel.Polynomial{Gamma: -2}},
		"Coef0":  {kernel.Polynomial{Coef0: -1}, kernel.Polynomial{Coef0: nan}, kernel.Polynomial{Coef0: inf}},
	} {
		for _, k := range bad {
			var e *svmkit.ParamError
			if err := kernel.Validate(k); !errors.As(err, &e) || e.Name != want {
				t.Errorf("%#v: error %v, want one about %s", k, err, want)
			}
		}
	}
}

func TestRowsOfDifferentSpacesPanic(t *testing.T) {
	three, beyond := svmkit.Dense(1, 2, 3), svmkit.Row{Index: []int32{3}, Value: []float64{1}}
	for _, pair := range [][2]svmkit.Row{{three, svmkit.Dense(1)}, {three, beyond}, {beyond, three}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic for %v and %v", pair[0], pair[1])
				}
			}()
			kernel.RBF{Gamma: 1}.Eval(pair[0], pair[1])
		}()
	}
}

func BenchmarkEval(b *testing.B) {
	rng := rand.New(rand.NewPCG(4, 0))
	rows := randomRows(rng, 2, 50, true)
	for name, k := range kernels {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				k.Eval(rows[0], rows[1])
			}
		})
	}
}

func TestNamed(t *testing.T) {
	for name, want := range map[string]kernel.Kernel{
		"linear": nil, "rbf": kernel.RBF{Gamma: 2}, "laplacian": kernel.Laplacian{Gamma: 2},
		"poly": kernel.Polynomial{Gamma: 2, Degree: 5, Coef0: 7}, "sigmoid": kernel.Sigmoid{Gamma: 2, Coef0: 7},
	} {
		if k, err := kernel.Named(name, 2, 5, 7); k != want || err != nil {
			t.Errorf("%s: %#v, %v", name, k, err)
		}
	}
	var param *svmkit.ParamError
	if k, err := kernel.Named("gauss", 2, 5, 7); k != nil || !errors.As(err, &param) || param.Name != "Kernel" {
		t.Errorf("gauss: %v, %v", k, err)
	}
}
