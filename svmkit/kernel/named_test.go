package kernel_test

import (
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// Each kind makes a kernel of that kind, with the parameters that it has and the defaults that it
// documents, and says the truth about what it is a function of and whether it is definite.
func TestKinds(t *testing.T) {
	given := kernel.Parameters{Degree: 2, Gamma: 0.5, Coef0: 0.25}
	for _, kind := range kernel.Kinds() {
		k := kind.Kernel(given)
		got, p, ok := kernel.KindOf(k)
		if !ok || got.Name != kind.Name {
			t.Errorf("%s makes a %T, which is of kind %q", kind.Name, k, got.Name)
		}
		for _, has := range []struct {
			name     string
			is, zero bool
		}{{"degree", p.Degree == 2, p.Degree == 0}, {"gamma", p.Gamma == 0.5, p.Gamma == 0}, {"coef0", p.Coef0 == 0.25, p.Coef0 == 0}} {
			if kind.Has(has.name) && !has.is || !kind.Has(has.name) && !has.zero {
				t.Errorf("%s has the parameters %v, and keeps %+v of %+v", kind.Name, kind.Parameters, p, given)
			}
		}
		if !slices.Equal(kind.Parameters, slices.DeleteFunc([]string{"degree", "gamma", "coef0"}, func(p string) bool { return !kind.Has(p) })) {
			t.Errorf("%s: the parameters %v are in another order", kind.Name, kind.Parameters)
		}
		if err := kernel.Validate(k); err != nil {
			t.Errorf("%s: %v", kind.Name, err)
		}
		named, err := kernel.Named(kind.Name, 0.5, 2, 0.25)
		if err != nil || kind.Name != "linear" && !reflect.DeepEqual(named, k) {
			t.Errorf("%s is %#v by its name, and %#v by its kind: %v", kind.Name, named, k, err)
		}
		// Without parameters a kernel of inner products is valid, and equal to the one with the
		// defaults written out. A kernel of distances needs γ.
		bare := kind.Kernel(kernel.Parameters{})
		if err := kernel.Validate(bare); (err == nil) != (kind.Measure == kernel.InnerProduct) {
			t.Errorf("%s without parameters: %v", kind.Name, err)
		}
		x, z := svmkit.Dense(0.5, -0.25, 1), svmkit.Dense(-1, 0.5, 0.25)
		if _, full, _ := kernel.KindOf(bare); kind.Measure == kernel.InnerProduct && kind.Kernel(full).Eval(x, z) != bare.Eval(x, z) {
			t.Errorf("%s: the defaults are not %+v", kind.Name, full)
		}
		checkMeasure(t, kind)
		if definite := smallestEigenvalue(kind) >= -1e-9; definite != kernel.IsDefinite(k) {
			t.Errorf("%s: IsDefinite is %v", kind.Name, kernel.IsDefinite(k))
		}
	}
	if _, ok := kernel.KindNamed("polynomial"); ok {
		t.Error("there is no kind named polynomial")
	}
	if _, _, ok := kernel.KindOf(kernel.Precomputed{}); ok {
		t.Error("a precomputed kernel has no name")
	}
	if got, _, ok := kernel.KindOf(nil); !ok || got.Name != "linear" {
		t.Error("nil is linear")
	}
}

// checkMeasure compares the values of pairs of rows with one measure equal and the others not.
func checkMeasure(t *testing.T, kind kernel.Kind) {
	k := kind.Kernel(kernel.Parameters{Degree: 2, Gamma: 0.5, Coef0: 0.25})
	pairs := map[kernel.Measure][2][2]svmkit.Row{
		kernel.InnerProduct:      {{svmkit.Dense(1, 2), svmkit.Dense(2, 1)}, {svmkit.Dense(4, 0), svmkit.Dense(1, 7)}},
		kernel.SquaredDistance:   {{svmkit.Dense(3, 4), svmkit.Dense(0, 0)}, {svmkit.Dense(1, 6), svmkit.Dense(1, 1)}},
		kernel.ManhattanDistance: {{svmkit.Dense(3, 4), svmkit.Dense(0, 0)}, {svmkit.Dense(1, 8), svmkit.Dense(1, 1)}},
	}
	for measure, p := range pairs {
		a, b := k.Eval(p[0][0], p[0][1]), k.Eval(p[1][0], p[1][1])
		if (a == b) != (measure == kind.Measure) {
			t.Errorf("%s: %g and %g for two pairs of rows that agree in measure %d", kind.Name, a, b, measure)
		}
	}
}

// smallestEigenvalue returns the smallest eigenvalue of Gram matrices of some rows.
func smallestEigenvalue(kind kernel.Kind) float64 {
	least := 0.0
	for _, coef0 := range []float64{0, 1} {
		rows := svmkit.DenseRows([]float64{0, 0, 1, 0, 0, 1, 3, 4, -2, 5, 0.5, 0.5}, 2)
		gram := mat.NewSymDense(len(rows), nil)
		k := kind.Kernel(kernel.Parameters{Degree: 2, Gamma: 0.5, Coef0: coef0})
		for i, x := range rows {
			for j, z := range rows[:i+1] {
				gram.SetSym(i, j, k.Eval(x, z))
			}
		}
		var e mat.EigenSym
		e.Factorize(gram, false)
		least = min(least, slices.Min(e.Values(nil)))
	}
	return least
}
