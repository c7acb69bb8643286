package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"strings"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/tune"
)

type cvFlags struct {
	problemFlags
	folds int
}

func (f *cvFlags) define(fs *flag.FlagSet) {
	f.problemFlags.define(fs)
	fs.IntVar(&f.folds, "folds", 5, "number of folds, 2 or more")
	cli.Group(fs, "Search")
}

func (f *cvFlags) check(fs *flag.FlagSet, files []string) error {
	if f.folds < 2 {
		return cli.WrongUse(fs, "-folds %d: must be 2 or more", f.folds)
	}
	return f.problemFlags.check(fs, files)
}

func (a *app) cv(args []string) error {
	var p cvFlags
	fs := cli.FlagSet("cv")
	files, err := a.begin(fs, &p, args, "FILE")
	if err != nil {
		return err
	}
	t, err := a.readTask(fs, &p.problemFlags, files[0])
	if err != nil {
		return err
	}
	if p.folds > t.set.Len() {
		return cli.WrongUse(fs, "-folds %d: must be at most the number of rows, %d", p.folds, t.set.Len())
	}
	a.warnOfFewRows(t, p.folds)
	v := tune.Validation{Metric: tune.Accuracy, Threads: p.threads, Progress: a.count("folds", 0, 1)}
	if p.regression() {
		v.Metric = tune.MSE
	}
	if v.Folds, err = tune.Folds(t.set, p.folds, p.seed); err != nil {
		return err
	}
	r, err := v.CrossValidate(a.ctx, t.set, t.fitter(&p.problemFlags, 1, a.each()))
	if r == nil {
		return t.explain(fs, inFold(err, func(e *tune.FoldError) string { return fmt.Sprintf("without fold %d", e.Fold+1) }))
	}
	if _, failed := a.out.Write([]byte(t.folds(r, v.Folds))); failed != nil {
		return errors.Join(err, fmt.Errorf("the report cannot be written: %w", failed))
	}
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w: not all folds were done", errInterrupted)
	} else if err != nil {
		return err
	}
	for _, status := range r.Status {
		if status != svmkit.Optimal {
			return fmt.Errorf("%w in some fold (%s); the numbers are those of the models that were reached", errTolerance, status)
		}
	}
	return nil
}

// inFold words an error of a fold. where tells the fold, counted from 1.
func inFold(err error, where func(e *tune.FoldError) string) error {
	var fold *tune.FoldError
	var columns *pipeline.ColumnErrors
	var field *dataset.FieldError
	switch {
	case !errors.As(err, &fold):
		return err
	case errors.As(fold.Err, &columns):
		return within(where(fold), columns)
	case errors.As(fold.Err, &field): // says more than that a prediction is missing
		return within(where(fold), field)
	}
	return within(where(fold), fold.Err)
}

// warnOfFewRows says which classes have no row in some fold.
func (a *app) warnOfFewRows(t *task, folds int) {
	var cases []string
	rows := map[float64]int{}
	for _, y := range t.set.Y {
		rows[y]++
	}
	for k, class := range t.set.Classes {
		if n := rows[svmkit.LabelOf(k, len(t.set.Classes))]; n > 0 && n < folds {
			cases = append(cases, fmt.Sprintf("class %q has fewer rows (%d) than folds (%d)", class, n, folds))
		}
	}
	a.warn(t.file, cases)
}

// folds describes the folds that are done.
func (t *task) folds(r *tune.CVResult, folds []tune.Fold) string {
	var b strings.Builder
	if t.strategy != "" {
		fmt.Fprintf(&b, "%d classes, %s\n", len(t.set.Classes), strategyTitles[t.strategy])
	}
	for k, v := range r.Scores {
		n := len(folds[k].Test)
		switch {
		case math.IsNaN(v): // not done
		case t.set.Classes == nil:
			fmt.Fprintf(&b, "fold %d  mean squared error %.6g\n", k+1, v)
		default:
			fmt.Fprintf(&b, "fold %d  accuracy %.4f%% (%.0f of %d)\n", k+1, 100*v, v*float64(n), n)
		}
	}
	switch {
	case math.IsNaN(r.StdErr): // fewer than two are done
	case t.set.Classes == nil:
		fmt.Fprintf(&b, "mean    mean squared error %.6g ± %.2g\n", r.Mean, r.StdErr)
	default:
		fmt.Fprintf(&b, "mean    accuracy %.4f%% ± %.2f%%\n", 100*r.Mean, 100*r.StdErr)
	}
	return b.String()
}
