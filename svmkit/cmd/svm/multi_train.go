package main

import (
	"context"
	"errors"
	"fmt"
	"time"
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
	unsaved := f.save(a, fit.classifier, t.Problem)
	r := newMultiReport(fit, t)
	r.ReadSeconds, r.TrainSeconds, r.Tolerance, r.Default = t.reading.Seconds(), training.Seconds(), f.tol, f.multi == ""
	if err := r.write(f.reportTo(a), f.json); err != nil {
		unsaved = errors.Join(unsaved, fmt.Errorf("the report cannot be written: %w", err))
	}
	if unsaved != nil {
		return unsaved
	}
	if interrupted {
		return fmt.Errorf("%w: %s", errInterrupted, f.saved())
	}
	return fit.tolerance(f.tol)
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
