package feature_test

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/kernel"
)

// Over many draws the inner products have the mean κ and the standard deviation (1−κ²)/√(2D) of the
// theorem, for dense and for sparse rows, and every row has the length 1.
func TestFourierEstimatesTheGaussianKernel(t *testing.T) {
	const (
		draws, runs = 20, 4000
		gamma       = 0.7
		length      = 1e-12 // rounding of 2·draws squares
		sigmas      = 5     // of the mean of all runs
		spread      = 0.1   // of the measured deviation, some 4 sigmas
	)
	dense := &svmkit.Dataset{X: []svmkit.Row{svmkit.Dense(0, 1, 0), svmkit.Dense(0.5, 0, 0), svmkit.Dense(0, 1, -1.5)}, Y: []float64{1, -1, 1}, Dim: 3}
	for name, set := range map[string]*svmkit.Dataset{"dense": dense, "sparse": sparsify(dense)} {
		var sum, square [3]float64
		for seed := range uint64(runs) {
			f, err := feature.NewFourier(3, gamma, draws, seed)
			if err != nil {
				t.Fatal(err)
			}
			phi, err := f.Apply(set)
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range phi.X {
				if v := x.SquaredNorm(); !(math.Abs(v-1) <= length) {
					t.Fatalf("%s: ‖φ‖² = %g", name, v)
				}
				k := (i + 1) % 3
				e := x.DotRow(phi.X[k]) - kernel.RBF{Gamma: gamma}.Eval(set.X[i], set.X[k])
				sum[i], square[i] = sum[i]+e/runs, square[i]+e*e/runs
			}
		}
		for i := range sum {
			kappa := kernel.RBF{Gamma: gamma}.Eval(set.X[i], set.X[(i+1)%3])
			deviation := (1 - kappa*kappa) / math.Sqrt(2*draws)
			if !(math.Abs(sum[i]) <= sigmas*deviation/math.Sqrt(runs)) {
				t.Errorf("%s, pair %d: the mean error is %g", name, i, sum[i])
			}
			if got := math.Sqrt(square[i]); !(math.Abs(got-deviation) <= spread*deviation) {
				t.Errorf("%s, pair %d: the deviation is %g, want %g", name, i, got, deviation)
			}
		}
	}
}

func TestFourierKeepsItsDraws(t *testing.T) {
	set := &svmkit.Dataset{X: []svmkit.Row{svmkit.Dense(1, 2), svmkit.Dense(3, 4)}, Y: []float64{0, 1}, Dim: 2, Classes: []string{"a", "b", "c"}, Label: "kind"}
	again := func(seed uint64, s *svmkit.Dataset) *svmkit.Dataset {
		f, err := feature.NewFourier(2, 1, 5, seed)
		if err != nil {
			t.Fatal(err)
		}
		phi, err := f.Apply(s)
		if err != nil {
			t.Fatal(err)
		}
		return phi
	}
	phi := again(1, set)
	if phi.Dim != 10 || !reflect.DeepEqual(phi.Y, set.Y) || !reflect.DeepEqual(phi.Classes, set.Classes) || phi.Label != "kind" || phi.Features != nil {
		t.Errorf("%d columns, labels %v, classes %v of %q, names %v", phi.Dim, phi.Y, phi.Classes, phi.Label, phi.Features)
	}
	if alone := again(1, set.Subset([]int{1})); !reflect.DeepEqual(alone.X[0], phi.X[1]) {
		t.Error("a row alone has other features than among others")
	}
	if other := again(2, set); reflect.DeepEqual(other.X, phi.X) {
		t.Error("another seed gives the same features")
	}
}

func TestFourierRefusesWhatItCannotMap(t *testing.T) {
	for name, c := range map[string]struct {
		dim   int
		gamma float64
		draws int
	}{
		"no columns": {0, 1, 1}, "γ = 0": {1, 0, 1}, "γ < 0": {1, -1, 1}, "γ NaN": {1, math.NaN(), 1}, "γ infinite": {1, math.Inf(1), 1},
		"no draws": {1, 1, 0}, "too many columns": {1, 1, math.MaxInt32}, "too many numbers": {1 << 20, 1, 1 << 20},
	} {
		f, err := feature.NewFourier(c.dim, c.gamma, c.draws, 0)
		if e := (*svmkit.ParamError)(nil); !errors.As(err, &e) || f != nil {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
	f, err := feature.NewFourier(2, math.MaxFloat64, 3, 0) // 2γ overflows, ω does not
	if err != nil {
		t.Fatal(err)
	}
	wide := &svmkit.Dataset{X: []svmkit.Row{svmkit.Dense(1)}, Y: []float64{1}, Dim: 1}
	if _, err := f.Apply(wide); !errors.As(err, new(*svmkit.ParamError)) {
		t.Errorf("one column for two: %v", err)
	}
	far := &svmkit.Dataset{X: []svmkit.Row{svmkit.Dense(1e300, 1e300)}, Y: []float64{1}, Dim: 2}
	if phi, err := f.Apply(far); !errors.As(err, new(*svmkit.DataError)) {
		t.Errorf("⟨ω,x⟩ overflows: %v, %v", phi, err)
	}
	if _, err := f.Apply(&svmkit.Dataset{}); err == nil {
		t.Error("an empty set is mapped")
	}
}
