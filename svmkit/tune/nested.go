package tune

import (
	"context"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

// Inner says how parameters are chosen from training rows alone.
type Inner struct {
	Folds            int    // number of inner folds, ≥ 2; 0 means 5
	Seed             uint64 // of their shuffling
	Grid             Grid
	OneStandardError bool   // choose by [Selection.OneStandardError], and not [Selection.Best]
	Metric           Metric // nil: Accuracy; Nested takes that of the Validation
}

// TunedMachine is a machine with the parameters that were chosen for it.
type TunedMachine struct {
	svmkit.Scorer
	Params
	Selection *Selection // all that was tried
}

// Tuned returns the fitter that cuts its training rows into folds, searches the grid on them, and
// trains on all of them at the chosen parameters. Its machines are of type *TunedMachine. It
// sees no other rows than those that it is given; so cross-validating it is nested
// cross-validation.
func Tuned(train Trainer, inner Inner) svmkit.Fitter {
	return func(ctx context.Context, set *svmkit.Dataset) (svmkit.Scorer, error) {
		k := inner.Folds
		if k == 0 {
			k = 5
		}
		folds, err := dataset.Folds(set, k, inner.Seed)
		if err != nil {
			return nil, err
		}
		// One thread: the outer folds are what runs in parallel.
		v := Validation{Folds: folds, Metric: inner.Metric, Threads: 1}
		found, err := v.Search(ctx, set, train, inner.Grid)
		if err != nil {
			return nil, err
		}
		choice, _ := found.Best() // without an error all points are finished
		if inner.OneStandardError {
			choice, _ = found.OneStandardError()
		}
		machine, err := train(ctx, set, choice.Params, nil)
		if err == nil && machine == nil {
			err = errNoMachine
		}
		if err != nil {
			return nil, err
		}
		return &TunedMachine{Scorer: machine, Params: choice.Params, Selection: found}, nil
	}
}

// NestedResult is what a procedure that chooses its own parameters scores on rows that had no
// part in the choice.
type NestedResult struct {
	CVResult
	Chosen []Params // in each outer fold; zero where it was not finished
}

// Nested cross-validates [Tuned]: in each fold of v, parameters are chosen by an inner
// cross-validation of its Train rows, then a machine is trained on all of these and measured on
// the Test rows. Errors as for [Validation.CrossValidate].
func (v Validation) Nested(ctx context.Context, set *svmkit.Dataset, train Trainer, inner Inner) (*NestedResult, error) {
	if ctx == nil {
		return nil, &svmkit.ParamError{Name: "ctx", Value: nil, Need: "must not be nil"}
	}
	if train == nil {
		return nil, &svmkit.ParamError{Name: "train", Value: nil, Need: "must not be nil"}
	}
	if err := inner.Grid.validate(); err != nil {
		return nil, err
	}
	inner.Metric = v.Metric
	r := &NestedResult{Chosen: make([]Params, len(v.Folds))}
	cv, err := v.crossValidate(ctx, set, Tuned(train, inner), func(f int, s svmkit.Scorer) {
		r.Chosen[f] = s.(*TunedMachine).Params
	})
	if cv == nil {
		return nil, err
	}
	r.CVResult = *cv
	return r, err
}
