package svm_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// Fits, predictions, certificates, cross-validation and machines for many classes, all at once on
// one set, with one Problem, one Solver and one Model: run with -race. Each gives what it gives
// alone.
func TestReliabilityAllAtOnce(t *testing.T) {
	set, many := largeSet(700, 6, 6, 2), largeSet(240, 6, 6, 3)
	folds, err := tune.Folds(set, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	curved := &svm.Problem{Data: set, Kernel: kernel.RBF{Gamma: 0.5}}
	straight := &svm.Problem{Data: set}
	model, err := svm.Fit(t.Context(), curved, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	machine := func(p svm.Problem) svmkit.Fitter {
		return func(ctx context.Context, set *svmkit.Dataset) (svmkit.Model, error) {
			own := p
			own.Data = set
			return svm.Fit(ctx, &own, nil, nil)
		}
	}
	fit := func(p *svm.Problem, s svm.Solver) func() ([]float64, error) {
		return func() ([]float64, error) {
			r, err := svm.Fit(t.Context(), p, s, &svm.Settings{Tol: 0.05, MaxIterations: 20})
			if err != nil {
				return nil, err
			}
			return r.Beta, nil
		}
	}
	jobs := []func() ([]float64, error){
		fit(curved, svm.SMO{}), fit(curved, svm.Decomposition{WorkingSet: 64}), fit(straight, svm.ProximalNewton{}), fit(straight, svm.DualCoordinate{}), fit(straight, nil),
		func() ([]float64, error) { return model.ScoreAll(set.X), nil },
		func() ([]float64, error) {
			return []float64{model.Score(set.X[0]), model.Predict(set.X[1]).Y, model.Norm()}, nil
		},
		func() ([]float64, error) {
			proof, err := curved.Certify(model.Beta)
			if err != nil {
				return nil, err
			}
			return []float64{proof.Primal, proof.Dual, proof.Gap}, nil
		},
		func() ([]float64, error) {
			r, err := tune.Validation{Folds: folds}.CrossValidate(t.Context(), set, machine(*curved))
			if err != nil {
				return nil, err
			}
			return r.Scores, nil
		},
		func() ([]float64, error) {
			m, err := multiclass.OneVsOne{Binary: machine(svm.Problem{})}.Fit(t.Context(), many)
			if err != nil {
				return nil, err
			}
			return []float64{m.Predict(many.X[0]).Y, m.Predict(many.X[1]).Y, m.Predict(many.X[2]).Y}, nil
		},
	}
	want := make([][]float64, len(jobs))
	for i, job := range jobs {
		if want[i], err = job(); err != nil {
			t.Fatal(i, err)
		}
	}
	var group sync.WaitGroup
	for range 2 {
		for i, job := range jobs {
			group.Go(func() {
				if got, err := job(); err != nil || !slices.Equal(got, want[i]) {
					t.Errorf("job %d: %v, or other numbers than alone", i, err)
				}
			})
		}
	}
	group.Wait()
}
