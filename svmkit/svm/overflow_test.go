package svm

import (
	"math"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
)

// β whose sum is no number is certified all the same, with all numbers of it in their places.
func TestCertifyWhereTheSumOverflows(t *testing.T) {
	p := &Problem{Data: &svmkit.Dataset{Dim: 1, X: svmkit.DenseRows(make([]float64, 6), 1), Y: []float64{1, -1, 1, -1, 1, -1}}, Loss: loss.SquaredHinge{}}
	proof, err := p.Certify([]float64{1e308, -1e308, 1e308, -1e308, 1e300, 0})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range proof.Beta {
		if math.IsNaN(v) {
			t.Errorf("row %d: β is no number", i)
		}
	}
}

// Prices that add up to more than float64 holds leave a bias that is a number, and the dual bound
// of β = 0.
func TestBiasOfHugePrices(t *testing.T) {
	for _, l := range []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{}, loss.Logistic{}} {
		p := &Problem{Data: &svmkit.Dataset{Dim: 1, X: svmkit.DenseRows([]float64{1, -1, 2, -2}, 1), Y: []float64{1, -1, 1, -1}}, Loss: l, C: PerSum(1e308)}
		r, err := Fit(t.Context(), p, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if math.IsNaN(r.Model.Bias) || math.IsInf(r.Model.Bias, 0) || math.IsNaN(r.Primal) || r.Dual > r.Primal {
			t.Errorf("%T: %v (%s), bias %g, primal %g, dual %g", l, r.Status, r.Reason, r.Model.Bias, r.Primal, r.Dual)
		}
	}
}
