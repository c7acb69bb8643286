package multiclass_test

import (
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
)

// Columns in other units, with the cost that goes with them, change no bit of a score if the factor
// is a power of two.
func TestColumnsInOtherUnits(t *testing.T) {
	set := sampleSets(t)["wine"]
	const c = 0.1
	for name, fit := range map[string]func(set *svmkit.Dataset, c float64) (svmkit.Model, error){
		"Crammer and Singer": func(set *svmkit.Dataset, c float64) (svmkit.Model, error) {
			return multiclass.CrammerSinger{Data: set, C: c}.Fit(t.Context(), nil)
		},
		"one against one": func(set *svmkit.Dataset, c float64) (svmkit.Model, error) {
			return multiclass.OneVsOne{Binary: svm.Fitter(svm.Problem{C: svm.PerSum(c)}, nil, nil)}.Fit(t.Context(), set)
		},
		"one against the rest": func(set *svmkit.Dataset, c float64) (svmkit.Model, error) {
			return multiclass.OneVsRest{Binary: svm.Fitter(svm.Problem{C: svm.PerSum(c)}, nil, nil)}.Fit(t.Context(), set)
		},
	} {
		want, err := fit(set, c)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []float64{0x1p-20, 0x1p-10, 0x1p10, 0x1p20} {
			scaled := *set
			scaled.X = make([]svmkit.Row, set.Len())
			for i, x := range set.X {
				scaled.X[i] = svmkit.Row{Index: x.Index}
				for _, v := range x.Value {
					scaled.X[i].Value = append(scaled.X[i].Value, v*s)
				}
			}
			got, err := fit(&scaled, c/s/s)
			if err != nil {
				t.Fatal(err)
			}
			a, b := svmkit.ClassScoresAll(want, set.X), svmkit.ClassScoresAll(got, scaled.X)
			for i := range a {
				if !slices.Equal(a[i], b[i]) {
					t.Fatalf("%s, times %g: row %d has the scores %v, want %v", name, s, i, b[i], a[i])
				}
			}
		}
	}
}
