package feature_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/kernel"
)

// To scalings, and to ScaleGamma, a row of weight k is that row k times, and one of weight 0 is not
// there.
func TestWeightsCountRows(t *testing.T) {
	set := &svmkit.Dataset{X: svmkit.DenseRows([]float64{1e9, -1e9, 1, 5, 2, 0, 4, 3}, 2), Y: make([]float64, 4), Weight: []float64{0, 3, 1, 2}, Dim: 2}
	repeated := set.Subset([]int{1, 1, 1, 2, 3, 3})
	repeated.Weight = nil
	const rounding = 1e-14
	for name, pair := range map[string][2]*svmkit.Dataset{"dense": {set, repeated}, "sparse": {sparsify(set), sparsify(repeated)}} {
		for _, kind := range kinds {
			got, err := feature.Scaler{Kind: kind}.Fit(pair[0])
			want, wantErr := feature.Scaler{Kind: kind}.Fit(pair[1])
			if name == "sparse" && errors.Is(wantErr, feature.ErrFillsSparse) && errors.Is(err, feature.ErrFillsSparse) {
				continue
			}
			if err != nil || wantErr != nil {
				t.Errorf("%s, %v: %v, %v", name, kind, err, wantErr)
				continue
			}
			for _, v := range [][2][]float64{{got.Shift, want.Shift}, {got.Scale, want.Scale}} {
				if !slices.EqualFunc(v[0], v[1], func(a, b float64) bool { return math.Abs(a-b) <= rounding*math.Abs(b) }) {
					t.Errorf("%s, %v: %g with weights, %g with repeated rows", name, kind, v[0], v[1])
				}
			}
		}
		if a, b := kernel.ScaleGamma(pair[0]), kernel.ScaleGamma(pair[1]); !(math.Abs(a-b) <= rounding*b) {
			t.Errorf("%s: γ = %g with weights, %g with repeated rows", name, a, b)
		}
	}
	set.Weight = make([]float64, 4)
	if _, err := (feature.Scaler{}).Fit(set); !errors.Is(err, svmkit.ErrNoWeight) {
		t.Errorf("all weights 0: %v", err)
	}
	scaling, err := feature.Scaler{}.Fit(repeated)
	if err != nil {
		t.Fatal(err)
	}
	if scaled, err := scaling.Apply(set); err != nil || len(scaled.Weight) != 4 {
		t.Errorf("rows to be predicted need no weight: %v, %+v", err, scaled)
	}
	if lifted, err := feature.Polynomial(repeated, 2); err != nil || lifted.Weight != nil {
		t.Errorf("%v, %+v", err, lifted)
	}
	fourier, err := feature.NewFourier(2, 1, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	if mapped, err := fourier.Apply(set); err != nil || len(mapped.Weight) != 4 {
		t.Errorf("%v, %+v", err, mapped)
	}
	if lifted, err := feature.Polynomial(set, 2); err != nil || len(lifted.Weight) != 4 {
		t.Errorf("%v, %+v", err, lifted)
	}
}
