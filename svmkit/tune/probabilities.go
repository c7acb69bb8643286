package tune

import (
	"context"

	"github.com/svmkit/course/internal/calibrate"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
)

// Probabilities returns the fitter whose models have probabilities: beside the model of all training rows it fits one
// to the training rows of each of 5 folds, drawn with seed 0, and a [svm.Platt] to the scores of the rows that these have
// not seen. The models of fit must be of package svm for two classes, or one-vs-one or one-vs-rest of such models, which
// then get one each; scaled by [Scaled] or not. It is what LIBSVM's -b 1 does, but for the folds: there each pair of classes has its own.
//
//	fit := tune.Probabilities(tune.Scaled(feature.Scaler{}, multiclass.OneVsOne{…}.Trainer()))
//
// Each class needs two rows at least, as a fold of one row leaves none. Errors: those of fit and [Folds]; a
// [*svmkit.ParamError] for other models and for a class with too few rows.
func Probabilities(fit svmkit.Fitter) svmkit.Fitter {
	return func(ctx context.Context, set *svmkit.Dataset) (svmkit.Predictor, error) {
		if fit == nil {
			return nil, notNil("fit")
		}
		model, err := fit(ctx, set)
		if err != nil {
			return nil, err
		}
		counted, kept := set.WithoutZeroWeights()
		_, inner := unscaled(model)
		if err := calibrate.Check(counted, inner, calibrate.Row(kept, 0)); err != nil {
			return nil, err
		}
		folds, err := Folds(counted, calibrate.Folds, 0)
		if err != nil {
			return nil, err
		}
		scored := make([]calibrate.Fold, len(folds))
		for k, fold := range folds {
			train, test := fold.Of(counted)
			part, err := fit(ctx, train)
			if err == nil {
				scaling, of := unscaled(part)
				scored[k], err = calibrate.NewFold(of, scaling, fold.Test, test.X)
			}
			if err != nil {
				return nil, &FoldError{Fold: k, Err: err}
			}
		}
		if err := calibrate.Fit(counted, inner, scored); err != nil {
			return nil, err
		}
		return model, nil
	}
}

// unscaled takes a model of [Scaled] apart; of another one the scaling is nil.
func unscaled(p svmkit.Predictor) (*feature.Scaling, svmkit.Predictor) {
	if m := scaledModel(p); m != nil {
		return m.Scaling, m.Model
	}
	return nil, p
}
