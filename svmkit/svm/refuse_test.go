package svm_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// A loss and data that do not go together are refused by everything that takes a problem, and the
// error says what to do.
func TestLossAndDataMustGoTogether(t *testing.T) {
	rows := svmkit.DenseRows([]float64{1, 2, 3, 4}, 1)
	two := &svmkit.Dataset{X: rows, Y: []float64{-1, -1, 1, 1}, Dim: 1, Classes: []string{"10", "20"}}
	three := &svmkit.Dataset{X: rows, Y: []float64{0, 1, 2, 2}, Dim: 1, Classes: []string{"a", "b", "c"}}
	targets := &svmkit.Dataset{X: rows, Y: []float64{10, 20, 30, 40}, Dim: 1}
	unnamed := &svmkit.Dataset{X: rows, Y: two.Y, Dim: 1}
	for name, c := range map[string]struct {
		set  *svmkit.Dataset
		loss loss.Trainable
		want error
		says []string
	}{
		"tube on two classes":           {two, loss.EpsInsensitive{}, svmkit.ErrNotTargets, []string{"Targets", "loss.Hinge", "Task: dataset.Regression", "Classes to nil"}},
		"squared tube on two classes":   {two, loss.SquaredEpsInsensitive{}, svmkit.ErrNotTargets, nil},
		"tube on three classes":         {three, loss.EpsInsensitive{}, svmkit.ErrNotTargets, nil},
		"hinge on three classes":        {three, nil, svmkit.ErrLabel, []string{"multiclass", "row 0"}},
		"hinge on targets":              {targets, loss.Hinge{}, svmkit.ErrLabel, []string{"OneVsRest", "multiclass", "loss.EpsInsensitive"}},
		"squared hinge on targets":      {targets, loss.SquaredHinge{}, svmkit.ErrLabel, nil},
		"logistic on targets":           {targets, loss.Logistic{}, svmkit.ErrLabel, nil},
		"hinge on two classes":          {two, nil, nil, nil},
		"tube on targets":               {targets, loss.EpsInsensitive{}, nil, nil},
		"least squares on labels of ±1": {unnamed, loss.SquaredEpsInsensitive{}, nil, nil},
	} {
		p := svm.Problem{Data: c.set, Loss: c.loss}
		_, fit := svm.Fit(context.Background(), &p, nil, nil)
		_, certify := p.Certify(make([]float64, c.set.Len()))
		_, train := svm.Fitter(p, nil, nil)(context.Background(), c.set)
		for by, err := range map[string]error{"Fit": fit, "Certify": certify, "Validate": p.Validate(), "a fitter": train} {
			if !errors.Is(err, c.want) {
				t.Errorf("%s: %s returns %v, want %v", name, by, err, c.want)
				continue
			}
			for _, step := range c.says {
				if !strings.Contains(err.Error(), step) {
					t.Errorf("%s: %s: the error does not say %q: %v", name, by, step, err)
				}
			}
		}
	}
}

// Integer targets that were read as classes are refused, and the way that the error names leads to
// the targets.
func TestIntegerTargetsAreNotTheirNumbers(t *testing.T) {
	const file = "x,y\n1,10\n2,20\n3,30\n4,40\n5,50\n6,60\n7,70\n8,80\n"
	set, err := dataset.Read(t.Context(), strings.NewReader(file), &dataset.Options{Labels: dataset.Labels{Task: dataset.Classification}})
	if err != nil || len(set.Classes) != 8 {
		t.Fatalf("%v, %v", err, set)
	}
	p := &svm.Problem{Data: set, Loss: loss.EpsInsensitive{}, C: svm.PerSum(100)}
	if r, err := svm.Fit(context.Background(), p, nil, nil); r != nil || !errors.Is(err, svmkit.ErrNotTargets) {
		t.Fatalf("on class numbers: %v, %v", r, err)
	}
	if p.Data, err = set.Targets(); err != nil {
		t.Fatal(err)
	}
	r, err := svm.Fit(context.Background(), p, nil, &svm.Settings{Tol: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	const close = 1e-3
	if got := r.Predict(svmkit.Dense(4)).Y; !(math.Abs(got-40) <= close) {
		t.Errorf("predicts %g, want 40", got)
	}
}

// A start, or a β to certify, of the wrong size or with a number that is none is named in the
// error.
func TestStartAndBetaAreNamed(t *testing.T) {
	set := &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, -1}, 1), Y: []float64{1, -1}, Dim: 1}
	p := &svm.Problem{Data: set}
	for _, c := range []struct {
		beta []float64
		want error
		says string
	}{
		{[]float64{1, 2, 3}, svmkit.ErrMismatch, "has 3 numbers, and must have one for each of 2 rows"},
		{[]float64{}, svmkit.ErrMismatch, "has 0 numbers"},
		{[]float64{0, math.NaN()}, svmkit.ErrNotFinite, "row 1"},
	} {
		_, fit := svm.Fit(context.Background(), p, nil, &svm.Settings{Start: c.beta})
		_, certify := p.Certify(c.beta)
		for name, err := range map[string]error{"Settings.Start": fit, "β": certify} {
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v: %v; want %v that names %s and says %q", c.beta, err, c.want, name, c.says)
			}
		}
	}
}

// The error of a hard margin that does not exist says what to do.
func TestInseparableErrorSaysTheNextStep(t *testing.T) {
	xor := &svmkit.Dataset{X: svmkit.DenseRows([]float64{0, 0, 1, 1, 0, 1, 1, 0}, 2), Y: []float64{1, 1, -1, -1}, Dim: 2}
	_, err := svm.Fit(context.Background(), &svm.Problem{Data: xor, C: svm.PerSum(math.Inf(1))}, nil, nil)
	var inseparable *svm.InseparableError
	if !errors.As(err, &inseparable) || !strings.Contains(err.Error(), "finite") || !strings.Contains(err.Error(), "kernel") {
		t.Errorf("%v", err)
	}
}

// A hard margin that ends at the limit of iterations says that there may be none.
func TestHardMarginAtItsLimitHasAReason(t *testing.T) {
	narrow := &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 0, 1.01, 0.01, 5, 7, -3, 2}, 2), Y: []float64{1, -1, -1, 1}, Dim: 2}
	for _, l := range []loss.Trainable{loss.Hinge{}, loss.EpsInsensitive{}} {
		p := &svm.Problem{Data: narrow, Loss: l, C: svm.PerSum(math.Inf(1))}
		r, err := svm.Fit(context.Background(), p, svm.DualCoordinate{}, &svm.Settings{MaxIterations: 1})
		if err != nil || r.Status != svmkit.IterationLimit || !strings.Contains(r.Reason, "no hard margin") || r.Trace[0].Reason != r.Reason {
			t.Errorf("%T: %v, %v %q, %+v", l, err, r.Status, r.Reason, r.Trace)
		}
	}
}

// Rows so far from the plane that their α rounds to 0 or to C violate nothing: an optimal logistic
// fit has a small violation.
func TestLogisticFitWithFarRowsHasAFiniteViolation(t *testing.T) {
	for name, set := range map[string]*svmkit.Dataset{
		"right": {X: svmkit.DenseRows([]float64{-1, 1, 0.5, -2e4, 2e4}, 1), Y: []float64{-1, 1, -1, -1, 1}, Dim: 1},
		"wrong": {X: svmkit.DenseRows([]float64{-1, 1, -3, 3, 40, -5e4, 5e4}, 1), Y: []float64{-1, 1, -1, 1, -1, -1, 1}, Dim: 1},
	} {
		for _, c := range []float64{1e-3, 1, 1e6} {
			p := &svm.Problem{Data: set, Loss: loss.Logistic{}, C: svm.PerSum(c)}
			r, err := svm.Fit(context.Background(), p, nil, &svm.Settings{Tol: 1e-9})
			const small = 1 // of scores of up to 10⁵
			if err != nil || r.Status != svmkit.Optimal || !(r.KKT <= small) {
				t.Errorf("%s, C = %g: %v, %v, KKT %g", name, c, err, r.Status, r.KKT)
			}
		}
	}
	// By hand: at w = 1000 both rows are 1000 inside, where σ(−1000) underflows, so that β = 0 is
	// optimal.
	two := &svmkit.Dataset{X: svmkit.DenseRows([]float64{-1000, 1000}, 1), Y: []float64{-1, 1}, Dim: 1}
	proof, err := (&svm.Problem{Data: two, Loss: loss.Logistic{}, Bias: svmkit.NoBias}).Certify([]float64{-1e-3, 1e-3})
	if err != nil || math.IsInf(proof.KKT, 0) || math.IsNaN(proof.KKT) {
		t.Errorf("%v, %+v", err, proof)
	}
}
