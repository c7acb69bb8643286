package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/tune"
)

// trainer returns what fits classifiers for K classes on the given number of threads.
func (t *task) trainer(f *problemFlags, threads int, p *progress) *multiTrainer {
	return &multiTrainer{strategy: t.strategy, problem: t.Problem, solver: t.solver, settings: f.settings(), threads: threads, progress: p}
}

// trainMulti trains a classifier for K classes.
func (a *app) trainMulti(f *trainFlags, t *task) error {
	if err := f.checkMultiOutputs(t.strategy); err != nil {
		return err
	}
	if err := f.checkFormats(t); err != nil {
		return err
	}
	start := time.Now()
	p, err := t.on(f.weights, t.Data)
	if err != nil {
		return err
	}
	fit, err := t.trainer(&f.problemFlags, f.threads, a.progress).fit(a.ctx, p.Data)
	training := time.Since(start)
	if fit == nil && errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w: nothing is saved, as a classifier of %d classes needs all its models", errInterrupted, len(t.Data.Classes))
	}
	if fit == nil {
		return err
	}
	interrupted := err != nil
	var noPlatt error
	if f.probability && !interrupted {
		if noPlatt = a.probabilities(f, t, fit.classifier, a.multiFold(f, t)); errors.Is(noPlatt, context.Canceled) {
			noPlatt, interrupted = nil, true
		} else if noPlatt != nil {
			noPlatt = fmt.Errorf("no probabilities could be fitted, the model is without them: %w", noPlatt)
		}
	}
	unsaved := f.save(a, fit.classifier, t.Problem)
	r := newMultiReport(fit, t)
	r.ReadSeconds, r.TrainSeconds, r.Tolerance, r.Default = t.reading.Seconds(), training.Seconds(), f.tol, f.multi == ""
	if err := r.write(f.reportTo(a), f.json); err != nil {
		unsaved = errors.Join(unsaved, fmt.Errorf("the report cannot be written: %w", err))
	}
	if err := errors.Join(unsaved, noPlatt); err != nil {
		return err
	}
	if interrupted {
		return fmt.Errorf("%w: %s", errInterrupted, f.saved())
	}
	return fit.tolerance(f.tol)
}

// probabilities fits probabilities for a model of t.Data to scores of rows that it has not seen; fold fits one to others.
func (a *app) probabilities(f *trainFlags, t *task, m svmkit.Model, fold svmkit.Fitter) error {
	folds := 0
	fit := func(ctx context.Context, set *svmkit.Dataset) (svmkit.Model, error) {
		if set == t.Data {
			return m, nil
		}
		p, err := t.on(f.weights, set)
		if err != nil {
			return nil, err
		}
		folds++
		a.progress.show(fmt.Sprintf("%d of %d folds", folds, 5))
		return fold(ctx, p.Data)
	}
	_, err := tune.Probabilities{Seed: f.seed}.Fitter(fit)(a.ctx, t.Data)
	if only := (*tune.OnlyRowError)(nil); errors.As(err, &only) {
		return errOnly(only, fmt.Sprintf("row %d", only.Row+1))
	}
	if fold := (*tune.FoldError)(nil); errors.As(err, &fold) {
		return fmt.Errorf("without fold %d: %w", fold.Fold+1, fold.Err)
	}
	return err
}

func errOnly(e *tune.OnlyRowError, place string) error {
	return fmt.Errorf("Probabilities = true: needs two or more rows of each class: class %q has only %s: add rows of it, or leave it out", e.Class, place)
}

// multiFold fits a classifier to a fold.
func (a *app) multiFold(f *trainFlags, t *task) svmkit.Fitter {
	return func(ctx context.Context, set *svmkit.Dataset) (svmkit.Model, error) {
		fit, err := t.trainer(&f.problemFlags, f.threads, &progress{}).fit(ctx, set)
		if err != nil {
			return nil, err
		}
		return fit.classifier, nil
	}
}

// tolerance returns nil, or says which model missed the tolerance by most.
func (f *multiFit) tolerance(tol float64) error {
	worst, missed := f.worst()
	if missed == 0 {
		return nil
	}
	return fmt.Errorf("%w by %d of %d models, worst by %s: relative gap %.3g, asked for %g (%s)", errTolerance,
		missed, len(f.fits), worst.Name, float64(worst.RelativeGap), tol, reason(worst.Status, worst.Reason))
}
