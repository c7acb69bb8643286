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

// The sigmoid is not positive semidefinite: Gram matrices of ordinary data have
// clearly negative eigenvalues, and one row suffices.
func TestSigmoidIsIndefinite(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	rows := randomRows(rng, 30, 4, false)
	var eigen mat.EigenSym
	if !eigen.Factorize(mat.NewSymDense(30, kernel.Gram(kernel.Sigmoid{}, rows)), false) {
		t.Fatal("no eigenvalues")
	}
	if least := eigen.Values(nil)[0]; least > -0.1 {
		t.Errorf("smallest eigenvalue %g, want a clearly negative one", least)
	}
	one := svmkit.Dense(1)
	if got := (kernel.Sigmoid{Coef0: -2}).Eval(one, one); got != math.Tanh(-1) {
		t.Errorf("κ(x,x) = %g, want tanh(−1)", got)
	}
	if (kernel.Sigmoid{}).Definite() {
		t.Error("says that it is definite")
	}
}

func TestLaplacianByHand(t *testing.T) {
	x, z := svmkit.Dense(1, -2, 0), sparse([]float64{0, 1, 0.5})
	if got, want := (kernel.Laplacian{Gamma: 2}).Eval(x, z), math.Exp(-9); got != want { // |1| + |−3| + |−½| = 4½
		t.Errorf("κ = %g, want e⁻⁹", got)
	}
}

// κ = ⟨φ,φ⟩ for degrees 1 to 4, with and without a constant, and as many features as there
// are monomials.
func TestFeatureMapProvesTheKernel(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	const d = 3
	rows := randomRows(rng, 12, d, true)
	for degree, count := range map[int][2]int{1: {3, 4}, 2: {6, 10}, 3: {10, 20}, 4: {15, 35}} {
		for c, coef0 := range []float64{0, 0.7} {
			k := kernel.Polynomial{Degree: degree, Gamma: 1.3, Coef0: coef0}
			for _, x := range rows {
				phi := svmkit.Dense(k.FeatureMap(x, d)...)
				if len(phi.Value) != count[c] {
					t.Fatalf("degree %d, c₀ = %g: %d features, want %d", degree, coef0, len(phi.Value), count[c])
				}
				for _, z := range rows {
					got, want := phi.DotRow(svmkit.Dense(k.FeatureMap(z, d)...)), k.Eval(x, z)
					scale := math.Sqrt(k.Eval(x, x) * k.Eval(z, z)) // bounds the terms, by Cauchy–Schwarz
					if math.Abs(got-want) > rounding*(1+scale) {
						t.Fatalf("degree %d, c₀ = %g: ⟨φ,φ⟩ = %g, κ = %g", degree, coef0, got, want)
					}
				}
			}
		}
	}
	if got := len(kernel.Polynomial{}.FeatureMap(svmkit.Dense(1, 2), 2)); got != 4 { // degree 3 by default: x³, x²y, xy², y³
		t.Errorf("%d features", got)
	}
}

// A matrix of values stands for the kernel it was made with, in any order of the objects.
func TestPrecomputedIsItsMatrix(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	rows := randomRows(rng, 9, 4, true)
	rbf := kernel.RBF{Gamma: 0.2}
	k := kernel.Precomputed{N: 9, Gram: kernel.Gram(rbf, rows)}
	if err := kernel.Validate(k); err != nil {
		t.Fatal(err)
	}
	numbers := kernel.Numbers(9)
	for i := range rows {
		for _, j := range []int{8, 0, 3} {
			if got, want := k.Eval(numbers[i], numbers[j]), rbf.Eval(rows[i], rows[j]); got != want {
				t.Fatalf("(%d, %d): %g, want %g", i, j, got, want)
			}
		}
	}
	if v := k.Eval(svmkit.Row{Index: []int32{}}, numbers[2]); v != k.Gram[2] {
		t.Errorf("a sparse row without values is object 0, but κ = %g", v)
	}
	for _, x := range []svmkit.Row{svmkit.Dense(), svmkit.Dense(-1), svmkit.Dense(9), svmkit.Dense(1.5)} {
		if v := k.Eval(x, numbers[0]); !math.IsNaN(v) {
			t.Errorf("row %v is no object, but κ = %g", x.Value, v)
		}
	}
}

// Rounding of another program's matrix product is allowed, and the kernel is symmetric all
// the same.
func TestPrecomputedIsSymmetric(t *testing.T) {
	k := kernel.Precomputed{N: 2, Gram: []float64{1, 0.5, 0.5 + 1e-15, 1}}
	if err := k.Validate(); err != nil {
		t.Fatal(err)
	}
	if a, b := svmkit.Dense(0), svmkit.Dense(1); k.Eval(a, b) != k.Eval(b, a) {
		t.Error("κ(a,b) ≠ κ(b,a)")
	}
}

func TestValidateMoreKernels(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, k := range []kernel.Kernel{kernel.Sigmoid{}, kernel.Sigmoid{Gamma: 0.3, Coef0: -1}, kernel.Polynomial{},
		kernel.Precomputed{N: 2, Gram: []float64{2, 1, 1, 3}}} {
		if err := kernel.Validate(k); err != nil {
			t.Errorf("%#v: %v", k, err)
		}
	}
	for want, bad := range map[string][]kernel.Kernel{
		"Gamma": {kernel.Sigmoid{Gamma: -1}, kernel.Sigmoid{Gamma: nan}, kernel.Laplacian{Gamma: inf}, kernel.Laplacian{Gamma: -1}, kernel.Laplacian{}, kernel.Laplacian{Gamma: nan}},
		"Coef0": {kernel.Sigmoid{Coef0: nan}, kernel.Sigmoid{Coef0: -inf}},
		"N":     {kernel.Precomputed{}, kernel.Precomputed{N: -1}},
		"Gram":  {kernel.Precomputed{N: 2, Gram: []float64{1}}, kernel.Precomputed{N: 2, Gram: make([]float64, 6)}},
		"Gram(1,0)": {kernel.Precomputed{N: 2, Gram: []float64{1, 2, 3, 1}}, kernel.Precomputed{N: 2, Gram: []float64{1, nan, nan, 1}},
			kernel.Precomputed{N: 2, Gram: []float64{1, inf, inf, 1}}},
		"Gram(0,0)": {kernel.Precomputed{N: 1, Gram: []float64{nan}}},
	} {
		for _, k := range bad {
			var e *svmkit.ParamError
			if err := kernel.Validate(k); !errors.As(err, &e) || e.Name != want {
				t.Errorf("%#v: error %v, want one about %s", k, err, want)
			}
		}
	}
}
