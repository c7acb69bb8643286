package multiclass_test

import (
	"context"
	"math"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
)

// For two classes Crammer–Singer at C is half of the binary hinge problem at 2C, which package
// svm solves in its own way. The constant feature is its penalized bias: u = w₁ − w₀ has the
// bias b₁ − b₀, and like every weight it is split evenly between the two.
func TestCrammerSingerAgreesWithTheBinaryModel(t *testing.T) {
	set, err := samples.Iris().Pair("versicolor", "virginica")
	if err != nil {
		t.Fatal(err)
	}
	const tol = 1e-7
	for _, bias := range []svmkit.Bias{svmkit.NoBias, svmkit.PenalizedBias} {
		ours, err := multiclass.CrammerSinger{Data: set, C: 0.5, Bias: bias}.Fit(t.Context(), &multiclass.Settings{Tol: tol})
		if err != nil || ours.Status != svmkit.Optimal {
			t.Fatal(err, ours.Certificate)
		}
		binary, err := svm.Fit(t.Context(), &svm.Problem{Data: set, C: svm.PerSum(1), Bias: bias}, nil, &svm.Settings{Tol: tol})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(2*ours.Primal-binary.Primal) > 3*tol*binary.Primal {
			t.Errorf("%v: twice %.9g, binary %.9g", bias, ours.Primal, binary.Primal)
		}
	}
}

// The three strategies over support vector machines are far above guessing on Iris, and agree
// on the class that is separable from the others.
func TestStrategiesOverSupportVectorMachines(t *testing.T) {
	iris := samples.Iris()
	fit := func(ctx context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
		return svm.Fit(ctx, &svm.Problem{Data: train, C: svm.PerSum(10)}, nil, nil)
	}
	rest, err := multiclass.OneVsRest{Binary: fit}.Fit(t.Context(), iris)
	if err != nil {
		t.Fatal(err)
	}
	one, err := multiclass.OneVsOne{Binary: fit}.Fit(t.Context(), iris)
	if err != nil {
		t.Fatal(err)
	}
	joint, err := multiclass.CrammerSinger{Data: iris, C: 10, Bias: svmkit.PenalizedBias}.Fit(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		model multiclass.Classifier
		right int // versicolor and virginica overlap; their middle is a poor case of one against the rest
	}{{rest, 105}, {one, 140}, {joint, 140}} {
		right := 0
		for i, x := range iris.X {
			k := c.model.Predict(x).Y
			if k == iris.Y[i] {
				right++
			} else if k == 0 || iris.Y[i] == 0 {
				t.Errorf("%T: row %d, class %g, taken for %g", c.model, i, iris.Y[i], k)
			}
		}
		if right < c.right {
			t.Errorf("%T: %d of %d right", c.model, right, len(iris.X))
		}
	}
}
