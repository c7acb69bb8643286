package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/svmkit/course/internal/calibrate"
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
		if noPlatt = a.plattMulti(f, t, fit); errors.Is(noPlatt, context.Canceled) {
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

// plattMulti fits probabilities for each model inside of fit to scores of rows that it has not seen.
func (a *app) plattMulti(f *trainFlags, t *task, fit *multiFit) error {
	set, kept := t.Data.WithoutZeroWeights()
	if err := calibrate.Check(set, fit.classifier, calibrate.Row(kept, 1)); err != nil {
		return errors.New(inOurWords(err))
	}
	folds, err := tune.Folds(set, calibrate.Folds, f.seed)
	if err != nil {
		return err
	}
	scored := make([]calibrate.Fold, len(folds))
	for k, fold := range folds {
		train, test := fold.Of(set)
		p, err := t.on(f.weights, train)
		if err != nil {
			return err
		}
		part, err := t.trainer(&f.problemFlags, f.threads, &progress{}).fit(a.ctx, p.Data)
		if err != nil {
			return fmt.Errorf("without fold %d: %w", k+1, err)
		}
		if scored[k], err = calibrate.NewFold(part.classifier, nil, fold.Test, test.X); err != nil {
			return err
		}
		a.progress.show(fmt.Sprintf("%d of %d folds", k+1, len(folds)))
	}
	return calibrate.Fit(set, fit.classifier, scored)
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
