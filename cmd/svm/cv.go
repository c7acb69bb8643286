package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

const cvHelp = `svm cv [flags] FILE

Cross-validation: cuts the rows into folds, with the classes in proportion, fits a model to
all folds but one and judges it on that one, in turn. Prints the accuracy (the mean squared error
of a regression) of every fold, their mean and its standard error. Weights are for the fits alone: every row
counts once in these numbers.

With -categorical, -median, -mean, -text or -scale all steps of the pipeline are fitted to the training rows of each
fold. Scale the columns if they need it, and remember that a choice made by these
numbers (of C, γ, the kernel) makes the best of them too good.
`

func (a *app) cv(args []string) error {
	var f problemFlags
	folds := 5
	fs := flagSet("cv")
	f.define(fs)
	fs.IntVar(&folds, "folds", 5, "number of folds, 2 or more")
	fs.IntVar(&f.threads, "threads", 2, "fits at once; the result does not depend on it")
	files, err := a.parse(fs, cvHelp, args, "FILE")
	if err != nil {
		return err
	}
	if folds < 2 {
		return &usageError{"cv", fmt.Errorf("-folds %d: must be 2 or more", folds)}
	}
	if err := a.checkFiles(fs, append(files, f.weights.file)); err != nil {
		return err
	}
	t, err := a.readTask(fs, &f, files[0])
	if err != nil {
		return err
	}
	if folds > t.Data.Len() {
		return &usageError{"cv", fmt.Errorf("-folds %d: must be at most the number of rows, %d", folds, t.Data.Len())}
	}
	a.warnOfFewRows(t, folds, files[0])
	scores, fits, err := a.unseen(&f, t, folds)
	if reportErr := a.reportFolds(t, scores, fits); reportErr != nil {
		return errors.Join(err, reportErr)
	}
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w: not all folds were done", errInterrupted)
	} else if err != nil {
		return err
	}
	for _, fit := range fits {
		if !fit.met {
			return fmt.Errorf("%w in some fold (%s); the numbers are those of the models that were reached", errTolerance, fit.status)
		}
	}
	return nil
}

// warnOfFewRows says which classes have no row in some fold.
func (a *app) warnOfFewRows(t *task, folds int, name string) {
	if t.Regression() {
		return
	}
	rows := map[float64]int{}
	for _, y := range t.Data.Y {
		rows[y]++
	}
	classes := t.Data.Classes
	if classes == nil {
		classes = []string{"-1", "1"}
	}
	for k, class := range classes {
		y := float64(k)
		if len(classes) == 2 {
			y = float64(2*k - 1)
		}
		if n := rows[y]; n > 0 && n < folds {
			fmt.Fprintf(a.err, "svm: %s: class %q has fewer rows (%d) than folds (%d)\n", shown(name), class, n, folds)
		}
	}
}

// foldFit is one fit of a cross-validation.
type foldFit struct {
	tune.Fold
	done   bool
	met    bool   // the tolerance
	status string // of the fit, or of the worst of several
}

// unseen returns for each row the score by a model that was not trained on it; for more than
// two classes, the label that the model predicts, NaN for none. When the context ends it returns the fits
// that were done, with the context's error.
func (a *app) unseen(f *problemFlags, t *task, k int) (scores []float64, fits []foldFit, err error) {
	folds, err := tune.Folds(t.Data, k, f.seed)
	if err != nil {
		return nil, nil, err
	}
	scores, fits = make([]float64, t.Data.Len()), make([]foldFit, k)
	errs := make([]error, k)
	var wait sync.WaitGroup
	var mutex sync.Mutex // of the progress line
	finished := 0
	turn := make(chan struct{}, min(f.threads, k))
	for i, fold := range folds {
		fits[i].Fold = fold
		turn <- struct{}{}
		wait.Go(func() {
			defer func() { <-turn }()
			errs[i] = a.fitFold(f, t, &fits[i], scores)
			mutex.Lock()
			defer mutex.Unlock()
			finished++
			a.progress.show(fmt.Sprintf("%d of %d folds", finished, k))
		})
	}
	wait.Wait()
	for i, e := range errs { // the first fold's error, whichever came first in time
		if e != nil {
			return scores, fits, fmt.Errorf("without fold %d: %w", i+1, e)
		}
	}
	return scores, fits, nil
}

// fitFold fits to the training rows of one fold and scores its test rows.
func (a *app) fitFold(f *problemFlags, t *task, fit *foldFit, scores []float64) error {
	if err := a.ctx.Err(); err != nil {
		return err
	}
	if t.pipeline != nil {
		return a.fitFoldTable(f, t, fit, scores)
	}
	if t.strategy != "" {
		return a.fitFoldMulti(f, t, fit, scores)
	}
	train, test := fit.Of(t.Data)
	p, err := t.on(f.weights, train)
	if err != nil {
		return err
	}
	r, err := svm.Fit(a.ctx, p, t.solver, f.settings())
	if err != nil {
		return err
	}
	for j, s := range r.ScoreAll(test.X) {
		scores[fit.Test[j]] = s
	}
	fit.done, fit.met, fit.status = true, r.Status == svmkit.Optimal, r.Status.String()
	return nil
}

// fitFoldMulti is fitFold for K classes; scores then holds the predicted labels. The folds
// are fitted at once, so the models of one are not.
func (a *app) fitFoldMulti(f *problemFlags, t *task, fold *foldFit, labels []float64) error {
	train, test := fold.Of(t.Data)
	p, err := t.on(f.weights, train)
	if err != nil {
		return err
	}
	fit, err := t.trainer(f, 1, &progress{}).fit(a.ctx, p.Data)
	if err != nil {
		return err
	}
	class := fit.decide(test.X)
	for j, k := range class {
		labels[fold.Test[j]] = fit.Label(k)
	}
	worst, missed := fit.worst()
	fold.done, fold.met, fold.status = true, missed == 0, worst.Status
	return nil
}

func (a *app) reportFolds(t *task, scores []float64, fits []foldFit) error {
	var b strings.Builder
	if t.strategy != "" {
		fmt.Fprintf(&b, "%d classes, %s\n", len(t.Data.Classes), strategyTitles[t.strategy])
	}
	var values []float64
	for k, fit := range fits {
		if !fit.done {
			continue
		}
		y, s := make([]float64, len(fit.Test)), make([]float64, len(fit.Test))
		for j, i := range fit.Test {
			y[j], s[j] = t.Data.Y[i], scores[i]
		}
		v := meanSquaredError(y, s)
		if t.Regression() {
			fmt.Fprintf(&b, "fold %d  mean squared error %.6g\n", k+1, v)
		} else {
			right := t.right(y, s)
			v = float64(right) / float64(len(fit.Test))
			fmt.Fprintf(&b, "fold %d  accuracy %.4f%% (%d of %d)\n", k+1, 100*v, right, len(fit.Test))
		}
		values = append(values, v)
	}
	if mean, standardError := meanAndError(values); len(values) > 1 && t.Regression() {
		fmt.Fprintf(&b, "mean    mean squared error %.6g ± %.2g\n", mean, standardError)
	} else if len(values) > 1 {
		fmt.Fprintf(&b, "mean    accuracy %.4f%% ± %.2f%%\n", 100*mean, 100*standardError)
	}
	if _, err := fmt.Fprint(a.out, b.String()); err != nil {
		return fmt.Errorf("the report cannot be written: %w", err)
	}
	return nil
}

// right counts the labels that the scores of unseen predict.
func (t *task) right(labels, scores []float64) int {
	n := 0
	for i, y := range labels {
		if t.strategy != "" && y == scores[i] || t.strategy == "" && y*scores[i] > 0 {
			n++
		}
	}
	return n
}

// meanAndError returns the mean and its standard error, s/√k. Folds share training rows, so
// the error is somewhat optimistic.
func meanAndError(values []float64) (mean, standardError float64) {
	k := float64(len(values))
	for _, v := range values {
		mean += v / k
	}
	for _, v := range values {
		standardError += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(standardError / (k - 1) / k)
}
