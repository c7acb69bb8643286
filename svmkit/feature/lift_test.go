package feature_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func TestPolynomialIsTheKernelsFeatureMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dense := moderate(t, 4, rapid.IntRange(1, 6).Draw(t, "d"))
		for _, set := range []*svmkit.Dataset{dense, sparsify(dense)} {
			for degree := 1; degree <= 2; degree++ {
				phi, err := feature.Polynomial(set, degree)
				if err != nil {
					t.Fatal(err)
				}
				d := float64(set.Dim)
				if want := map[int]float64{1: d + 1, 2: (d + 1) * (d + 2) / 2}[degree]; float64(phi.Dim) != want {
					t.Fatalf("%d columns, want %g", phi.Dim, want)
				}
				for i, x := range set.X {
					for k, z := range set.X {
						want := math.Pow(x.DotRow(z)+1, float64(degree))
						// Cauchy–Schwarz in φ-space bounds the sum's terms, so its rounding
						scale := math.Pow((x.SquaredNorm()+1)*(z.SquaredNorm()+1), float64(degree)/2)
						if got := phi.X[i].DotRow(phi.X[k]); math.Abs(got-want) > ulps*scale {
							t.Fatalf("degree %d: <φ(x),φ(z)> = %g, (<x,z>+1)^degree = %g", degree, got, want)
						}
					}
				}
			}
		}
	})
}

func TestPolynomialNames(t *testing.T) {
	set := &svmkit.Dataset{X: []svmkit.Row{svmkit.Dense(2, 3)}, Y: []float64{1}, Dim: 2,
		Features: []string{"Variance", "Skewness"}}
	phi, err := feature.Polynomial(set, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"1", "Variance", "Skewness", "Variance²", "Variance·Skewness", "Skewness²"}
	if !slices.Equal(phi.Features, want) {
		t.Errorf("names %q", phi.Features)
	}
	if r := math.Sqrt2; !slices.Equal(phi.X[0].Value, []float64{1, r * 2, r * 3, 4, r * 2 * 3, 9}) {
		t.Errorf("values %v do not stand under their names", phi.X[0].Value)
	}
}

func TestPolynomialErrors(t *testing.T) {
	set, _ := svmkit.NewDataset([][]float64{{1e200}}, []float64{1})
	if _, err := feature.Polynomial(set, 2); !errors.Is(err, svmkit.ErrNotFinite) {
		t.Errorf("overflow: %v", err)
	}
	for _, degree := range []int{0, 3} {
		if _, err := feature.Polynomial(set, degree); !errors.As(err, new(*svmkit.ParamError)) {
			t.Errorf("degree %d: %v", degree, err)
		}
	}
	wide := &svmkit.Dataset{X: []svmkit.Row{{Index: []int32{7}, Value: []float64{1}}}, Y: []float64{1}, Dim: 1 << 20}
	if _, err := feature.Polynomial(wide, 2); !errors.As(err, new(*svmkit.ParamError)) {
		t.Errorf("2^39 columns: %v", err)
	}
}

// ulps is the relative error that sums of a few dozen rounded products may have.
const ulps = 1e-13

func TestMain(m *testing.M) { leaktest.Main(m) }

func TestMatrixRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := moderate(t, 5, 3)
		back, err := dataset.FromMatrix(dataset.ToMatrix(sparsify(set)), set.Y)
		if err != nil || !reflect.DeepEqual(set, back) {
			t.Fatal(err)
		}
		dense, err := feature.Densify(sparsify(set))
		if err != nil || !reflect.DeepEqual(set, dense) {
			t.Fatal(err)
		}
		transposed, err := dataset.FromMatrix(dataset.ToMatrix(set).T(), make([]float64, 3))
		if err != nil || transposed.X[2].Value[4] != set.X[4].Value[2] {
			t.Fatal(err)
		}
	})
	if _, err := dataset.FromMatrix(&mat.Dense{}, nil); !errors.Is(err, svmkit.ErrEmpty) {
		t.Errorf("empty matrix: %v", err)
	}
	if _, err := dataset.FromMatrix(mat.NewDense(1, 1, []float64{math.NaN()}), []float64{1}); !errors.Is(err, svmkit.ErrNotFinite) {
		t.Errorf("NaN: %v", err)
	}
	if _, err := dataset.FromMatrix(mat.NewDense(2, 1, nil), []float64{1}); !errors.Is(err, svmkit.ErrMismatch) {
		t.Errorf("one label for two rows: %v", err)
	}
	if r, c := dataset.ToMatrix(&svmkit.Dataset{}).Dims(); r != 0 || c != 0 {
		t.Errorf("empty set: %d×%d", r, c)
	}
}
