package tune

import (
	"cmp"
	"context"

	"github.com/svmkit/course/svmkit"
)

// Inner says how parameters are chosen from training rows alone. Its folds are drawn by [Folds], also within
// [GroupFolds] and [TimeFolds]: what [Validation.Nested] returns holds all the same, but the choice may be a worse one.
type Inner struct {
	Folds            int    // number of inner folds, ≥ 2; 0 means 5
	Seed             uint64 // of their shuffling
	Grid             Grid
	OneStandardError bool   // choose by [Selection.OneStandardError], and not [Selection.Best]
	Metric           Metric // zero: Accuracy; Nested takes that of the Validation
}

// TunedModel is a model with the parameters that were chosen for it.
type TunedModel struct {
	Model svmkit.Model
	Params
	Selection *Selection // all that was tried
}

// Fit cuts its training rows into folds, searches the grid on them, and trains on all of them at
// the chosen parameters.
func (n Inner) Fit(ctx context.Context, set *svmkit.Dataset, train ParamFitter) (*TunedModel, error) {
	folds, err := Folds(set, cmp.Or(n.Folds, 5), n.Seed)
	if err != nil {
		return nil, err
	}
	// One thread: the outer folds are what runs in parallel.
	v := Validation{Folds: folds, Metric: n.Metric, Threads: 1}
	found, err := v.Search(ctx, set, train, n.Grid)
	if err != nil {
		return nil, err
	}
	choice, _ := found.Best() // without an error all points are finished
	if n.OneStandardError {
		choice, _ = found.OneStandardError()
	}
	model, err := trained(train(ctx, set, choice.Params, nil))
	if err != nil {
		return nil, err
	}
	return &TunedModel{Model: model, Params: choice.Params, Selection: found}, nil
}

// Fitter returns Fit as a [svmkit.Fitter]; its models are those of train. It sees no other rows than
// those that it is given, so cross-validating it is nested cross-validation.
func (n Inner) Fitter(train ParamFitter) svmkit.Fitter {
	return func(ctx context.Context, set *svmkit.Dataset) (svmkit.Model, error) {
		tuned, err := n.Fit(ctx, set, train)
		if err != nil {
			return nil, err
		}
		return tuned.Model, nil
	}
}

// NestedResult is what a procedure that chooses its own parameters reaches on rows that had no
// part in the choice.
type NestedResult struct {
	CVResult
	Chosen []Params // in each outer fold; zero where it was not finished
}

// Nested cross-validates [Inner.Fit]: in each fold of v, parameters are chosen by an inner
// cross-validation of its Train rows, then a model is trained on all of these and measured on
// the Test rows. Errors as for [Validation.CrossValidate].
func (v Validation) Nested(ctx context.Context, set *svmkit.Dataset, train ParamFitter, inner Inner) (*NestedResult, error) {
	if train == nil {
		return nil, notNil("train")
	}
	if err := inner.Grid.validate(); err != nil {
		return nil, err
	}
	inner.Metric = v.Metric
	r := &NestedResult{Chosen: make([]Params, len(v.Folds))}
	outer, err := v.evaluate(ctx, set, make([]Point, 1), nil, func(ctx context.Context, fold int, set *svmkit.Dataset, _ Params, _ svmkit.Model) (svmkit.Model, error) {
		tuned, err := inner.Fit(ctx, set, train)
		if err != nil {
			return nil, err
		}
		r.Chosen[fold] = tuned.Params
		return tuned.Model, nil
	})
	if outer == nil {
		return nil, err
	}
	r.CVResult = outer[0].CVResult
	return r, err
}
