package multiclass_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
)

// weightedIris returns every fifth row of Iris with the weights 0 … 3, without those of weight 0, and with each row as
// often as its weight says.
func weightedIris() (weighted, absent, repeated *svmkit.Dataset) {
	var some, again []int
	for i := 0; i < 150; i += 5 {
		some = append(some, i)
	}
	weighted = samples.Iris().Subset(some)
	for i := range some {
		w := (i + i/4) % 4
		weighted.Weight = append(weighted.Weight, float64(w))
		again = append(again, slices.Repeat([]int{i}, w)...)
	}
	absent, _ = weighted.WithoutZeroWeights()
	repeated = weighted.Subset(again)
	repeated.Weight = nil
	return weighted, absent, repeated
}

// A row of weight 0 is not there, to the last bit; one of weight k is that row k times.
func TestCrammerSingerWeightsCountRows(t *testing.T) {
	const tol = 1e-6
	weighted, absent, repeated := weightedIris()
	for _, bias := range []svmkit.Bias{svmkit.NoBias, svmkit.PenalizedBias} {
		fit := func(set *svmkit.Dataset) *multiclass.Solution {
			s, err := multiclass.CrammerSinger{Data: set, C: 0.5, Bias: bias}.Fit(t.Context(), &multiclass.Settings{Tol: tol})
			if err != nil || s.Status != svmkit.Optimal {
				t.Fatalf("%v: %v, %+v", bias, err, s)
			}
			return s
		}
		zero, without, again := fit(weighted), fit(absent), fit(repeated)
		if zero.Certificate != without.Certificate || !reflect.DeepEqual(zero.Linear, without.Linear) || zero.Iterations != without.Iterations {
			t.Errorf("%v: rows of weight 0 change bits: %+v, %+v", bias, zero.Certificate, without.Certificate)
		}
		if !(math.Abs(zero.Primal-again.Primal) <= tol*max(1, again.Primal)) {
			t.Errorf("%v: objective %.9g with weights, %.9g with repeated rows", bias, zero.Primal, again.Primal)
		}
		if by := primal(zero.Linear, multiclass.CrammerSinger{Data: repeated, C: 0.5}); !(math.Abs(by-zero.Primal) <= certificateRounding*by) {
			t.Errorf("%v: objective %.12g by its definition, %.12g by the certificate", bias, by, zero.Primal)
		}
		for i, w := range weighted.Weight {
			if w == 0 && !slices.Equal(zero.Alpha[i], []float64{0, 0, 0}) {
				t.Errorf("%v: row %d of weight 0 has α = %g", bias, i, zero.Alpha[i])
			}
			zero.Alpha[i][(int(weighted.Y[i])+1)%3] = -7 // is repaired
		}
		proof, err := multiclass.CrammerSinger{Data: weighted, C: 0.5, Bias: bias}.Certify(zero.Alpha)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range proof.Alpha {
			own, sum := a[int(weighted.Y[i])], a[0]+a[1]+a[2]
			if !(own <= 0.5*weighted.Weight[i]) || !(math.Abs(sum) <= certificateRounding) {
				t.Errorf("%v: row %d of weight %g has α = %g, which is not feasible", bias, i, weighted.Weight[i], a)
			}
		}
	}
}

// The models of several classes meet the weights of their rows; a class of weight 0 has no model.
func TestStrategiesWithWeights(t *testing.T) {
	weighted, absent, repeated := weightedIris()
	problem := svm.Problem{Kernel: kernel.RBF{Gamma: 0.2}}
	fit := svm.Fitter(problem, svm.SMO{}, &svm.Settings{Tol: 1e-9})
	for name, of := range map[string]func(set *svmkit.Dataset) (multiclass.Classifier, error){
		"ovr": func(set *svmkit.Dataset) (multiclass.Classifier, error) {
			return multiclass.OneVsRest{Binary: fit}.Fit(t.Context(), set)
		},
		"ovo": func(set *svmkit.Dataset) (multiclass.Classifier, error) {
			return multiclass.OneVsOne{Binary: fit}.Fit(t.Context(), set)
		},
	} {
		var c [3]multiclass.Classifier
		for k, set := range []*svmkit.Dataset{weighted, absent, repeated} {
			var err error
			if c[k], err = of(set); err != nil {
				t.Fatal(name, err)
			}
		}
		const near = 1e-3 // a relative gap of 1e-9 leaves scores √(2·10⁻⁹·P)·‖φ(x)‖
		for i, x := range weighted.X {
			zero, without, again := c[0].ClassScores(x), c[1].ClassScores(x), c[2].ClassScores(x)
			if !slices.Equal(zero, without) {
				t.Errorf("%s: row %d scores %g with rows of weight 0, %g without", name, i, zero, without)
			}
			for k := range zero {
				if !(math.Abs(zero[k]-again[k]) <= near) {
					t.Errorf("%s: row %d scores %g with weights, %g with repeated rows", name, i, zero, again)
				}
			}
		}
		for i, y := range weighted.Y {
			if y == 1 {
				weighted.Weight[i] = 0
			}
		}
		two, err := of(weighted)
		if err != nil || !math.IsInf(two.ClassScores(weighted.X[0])[1], -1) {
			t.Errorf("%s: a class of weight 0 has a model: %v", name, err)
		}
		weighted, _, _ = weightedIris()
	}
}
