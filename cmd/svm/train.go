package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/svmkit/course/internal/calibrate"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
)

const trainHelp = `svm train [flags] FILE

Fits a support vector machine to FILE and prints how good it is. The certificate is
recomputed from the data: the true optimum lies between "dual" and "primal", so the
relative gap, their difference divided by the larger one where that is above 1, says by how much the model's
objective can still be wrong. Until it is tiny, some α are still on their
way to 0 or C, and support vectors that count as free at this -tol are bound, or none, at a smaller one.

More than two classes take several models (-multi). The report then names the one with the largest gap.

With -categorical, -median, -mean, -text or -scale the model is a pipeline: FILE is a CSV table, all steps are fitted to
it, and predict takes tables as they are.

With -checkpoint a fit that was stopped, even by kill -9, goes on from the best β that had a certificate; a fit
with a kernel may be on its way for long before it makes the first. The file stays: after a change of C or -tol,
too, it is a good start.

Ctrl-C ends the fit and keeps the best model so far; a second one ends the program. Of several
models some would be missing, so then nothing is saved.
`

type trainFlags struct {
	problemFlags
	checkpointFlags
	model, libsvm, liblinear string
	json, probability        bool
}

func (a *app) train(args []string) error {
	var f trainFlags
	fs := flagSet("train")
	f.problemFlags.define(fs)
	f.checkpointFlags.define(fs)
	defineOutput(fs, &f.model, "o", "`file` to write the model to; - is the standard output, and the report goes to standard error")
	defineOutput(fs, &f.libsvm, "libsvm", "`file` to write the model to in LIBSVM's format, for svm-predict")
	defineOutput(fs, &f.liblinear, "liblinear", "`file` to write a linear model to in LIBLINEAR's format, for liblinear-predict")
	fs.BoolVar(&f.json, "json", false, "print the report as JSON")
	fs.BoolVar(&f.probability, "probability", false, "fit probabilities (Platt) to the scores of a 5-fold cross-validation, where every row counts once;\nmore than two classes: for each model, coupled in predict")
	fs.IntVar(&f.threads, "threads", 2, "fits at once for more than two classes, and in the cross-validation of -probability; the result does not\ndepend on it")
	files, err := a.parse(fs, trainHelp, args, "FILE")
	if err != nil {
		return err
	}
	if err := f.checkpointFlags.check(fs, f.solver); err != nil {
		return err
	}
	if err := f.checkProbability(fs); err != nil {
		return err
	}
	if err := a.checkFiles(fs, append(files, f.weights.file), "o", "libsvm", "liblinear", "checkpoint"); err != nil {
		return err
	}
	t, err := a.readTask(fs, &f.problemFlags, files[0])
	if err != nil {
		return err
	}
	if t.strategy != "" && f.checkpoint != "" {
		return &usageError{"train", fmt.Errorf("-checkpoint is for one model, and %d classes take several", len(t.Data.Classes))}
	}
	if many := t.strategy != "" && t.strategy != crammerSinger; !many && !f.probability {
		if err := checkIdle(fs, idle{"threads", true, "on one model without -probability"}); err != nil {
			return err
		}
	}
	switch {
	case t.pipeline != nil:
		return a.trainTable(fs, &f, t)
	case t.strategy != "":
		err = a.trainMulti(&f, t)
	default:
		err = a.trainOne(&f, t)
	}
	var bad *svmkit.DataError
	if errors.As(err, &bad) && bad.Row != svmkit.NoPlace && t.Data.Weight == nil && f.weights.class == "" { // else rows may have been left out
		return fmt.Errorf("%s: row %d: %w (value %g)", shown(files[0]), bad.Row+1, bad.Err, bad.Value)
	}
	return err
}

// task is what is to be fitted.
type task struct {
	*svm.Problem
	solver   svm.Solver
	strategy string // of telling more than two classes apart; "" for one model
	reading  time.Duration

	pipeline *pipeline.Pipeline // without its Model; nil if the data are numbers
	table    *dataset.Table     // of the pipeline; Data are then the numbers of its rows
	flags    *flag.FlagSet
}

// on returns the problem for training rows, with the weights of their classes.
func (t *task) on(w weightFlags, train *svmkit.Dataset) (*svm.Problem, error) {
	train, err := w.ofClasses(train)
	if err != nil {
		return nil, err
	}
	p := *t.Problem
	p.Data = train
	return &p, nil
}

// readTask reads the data. What is wrong with the flags alone it says before a long read.
func (a *app) readTask(fs *flag.FlagSet, f *problemFlags, name string) (*task, error) {
	t := &task{}
	var err error
	if t.solver, err = f.makeSolver(fs); err != nil {
		return nil, err
	}
	if err := f.checkMulti(fs); err != nil {
		return nil, err
	}
	if err := f.checkThreads(fs); err != nil {
		return nil, err
	}
	if err := f.checkTogether(fs, t.solver); err != nil {
		return nil, err
	}
	if err := f.checkIdle(fs); err != nil {
		return nil, err
	}
	if err := f.weights.check(fs, name, f.regression()); err != nil {
		return nil, err
	}
	if err := f.checkTable(fs); err != nil {
		return nil, err
	}
	if t.flags = fs; f.table.given() {
		if err := a.readTable(fs, f, t, name); err != nil {
			return t, err
		}
		a.warnOfCase(t.Data.Classes, name)
		return t, nil
	}
	set, reading, err := a.readTraining(fs, name, f)
	if err != nil {
		return nil, err
	}
	a.warnOfCase(set.Classes, name)
	t.strategy, t.reading = f.strategy(set), reading
	t.Problem, err = f.problem(fs, set)
	return t, err
}

// warnOfCase says that two classes differ by upper and lower case or by blanks at their ends only: they are two, and may
// have been meant as one.
func (a *app) warnOfCase(classes []string, name string) {
	for i, c := range classes {
		if !utf8.ValidString(c) { // to EqualFold all bytes that are not UTF-8 are equal
			continue
		}
		if k := slices.IndexFunc(classes[:i], func(d string) bool { return strings.EqualFold(strings.TrimSpace(c), strings.TrimSpace(d)) }); k >= 0 {
			fmt.Fprintf(a.err, "svm: %s: the labels %q and %q are two classes, and differ by case or blanks only\n", shown(name), classes[k], c)
		}
	}
}

// trainOne trains one model: for two classes, or a regression.
func (a *app) trainOne(f *trainFlags, t *task) error {
	if err := f.checkFormats(t); err != nil {
		return err
	}
	p, err := t.on(f.weights, t.Data)
	if err != nil {
		return err
	}
	settings := f.settings()
	settings.Progress = a.progress.fit
	if settings.Start, err = f.checkpointFlags.start(p.Data.Len()); err != nil {
		return err
	}
	keeper := f.keeper(a)
	if f.checkpoint != "" {
		settings.Best = keeper.take
	}
	start := time.Now()
	result, err := svm.Fit(a.ctx, p, t.solver, settings)
	training := time.Since(start)
	if result == nil {
		return err
	}
	interrupted := err != nil
	var noPlatt error
	if f.probability && !interrupted {
		if result.Platt, err = a.platt(f, t, &result.Model); errors.Is(err, context.Canceled) {
			interrupted = true
		} else if err != nil {
			noPlatt = fmt.Errorf("no probabilities could be fitted, the model is without them: %w", err)
		}
	}
	unsaved := errors.Join(f.save(a, &result.Model, p), keeper.write())
	r := newReport(result, p.Data)
	r.ReadSeconds, r.TrainSeconds, r.Tolerance, r.Bias = t.reading.Seconds(), training.Seconds(), f.tol, p.Bias.String()
	if err := r.write(f.reportTo(a), f.json); err != nil {
		unsaved = errors.Join(unsaved, fmt.Errorf("the report cannot be written: %w", err))
	}
	if err := errors.Join(unsaved, noPlatt); err != nil {
		return err
	}
	if interrupted {
		return fmt.Errorf("%w: %s", errInterrupted, f.saved())
	}
	return tolerance(result, f.tol)
}

// tolerance returns nil, or says how far the fit is above the tolerance.
func tolerance(r *svm.Result, tol float64) error {
	switch r.Status {
	case svmkit.Optimal:
		return nil
	case svmkit.Stationary:
		return fmt.Errorf("%w: the kernel is indefinite, so this is a stationary point and no gap bounds its distance to the optimum", errTolerance)
	}
	return fmt.Errorf("%w: relative gap %.3g, asked for %g (%s)", errTolerance, r.RelativeGap(), tol, reason(r.Status.String(), r.Reason))
}

// reportTo returns where the report goes: away from a model on the standard output.
func (f *trainFlags) reportTo(a *app) io.Writer {
	if f.model == "-" || f.libsvm == "-" || f.liblinear == "-" {
		return a.err
	}
	return a.out
}

// checkProbability says what is wrong with -probability before any work.
func (f *trainFlags) checkProbability(fs *flag.FlagSet) error {
	switch {
	case f.probability && f.regression():
		return &usageError{fs.Name(), errors.New("-probability is for classes, but a regression has none")}
	case f.probability && f.liblinear != "":
		return &usageError{fs.Name(), errors.New("-probability: LIBLINEAR's format has no place for it, -o and -libsvm have")}
	}
	return nil
}

// errInterrupted is context.Canceled with our words.
var errInterrupted = fmt.Errorf("interrupted%w", hidden{context.Canceled})

// hidden wraps an error without its text.
type hidden struct{ error }

func (hidden) Error() string   { return "" }
func (h hidden) Unwrap() error { return h.error }

func reason(status, reason string) string {
	if reason != "" {
		return status + ": " + reason
	}
	return status
}

// saved says where the best model so far is.
func (f *trainFlags) saved() string {
	for _, name := range []string{f.model, f.libsvm, f.liblinear} {
		if name != "" && f.probability {
			return "the best model so far is saved, without probabilities, as " + name
		} else if name != "" {
			return "the best model so far is saved as " + name
		}
	}
	if f.checkpoint != "" {
		return "the next run goes on from " + f.checkpoint
	}
	return "the best model so far is not saved, as there was no -o"
}

// checkFormats finds out before the fit what would make saving its model impossible: a
// kernel or class names that the format does not have.
func (f *trainFlags) checkFormats(t *task) error {
	return f.outputs(t.dummy(), t.Problem, func(flag, name string, write func(io.Writer) error) error {
		if err := write(io.Discard); err != nil {
			return fmt.Errorf("-%s: %s", flag, inOurWords(err))
		}
		return nil
	})
}

// dummy returns a model of the kind that the fit will return.
func (t *task) dummy() modelfile.Model {
	one := svm.Model{Kernel: t.Kernel, Dim: 1, Regression: t.Regression()}
	if t.Kernel == nil {
		one.Weights = []float64{1}
	}
	k := len(t.Data.Classes)
	classes := multiclass.Classes{Count: k, Names: t.Data.Classes, Signed: k == 2}
	switch t.strategy {
	case oneVsRest:
		return &multiclass.RestClassifier{Classes: classes, Models: slices.Repeat([]svmkit.Scorer{&one}, k)}
	case oneVsOne:
		pairs := &multiclass.PairClassifier{Classes: classes}
		for a := range k {
			for b := a + 1; b < k; b++ {
				pairs.Models = append(pairs.Models, multiclass.PairModel{Negative: a, Positive: b, Scorer: &one})
			}
		}
		return pairs
	case crammerSinger:
		return &multiclass.Linear{Classes: classes, W: slices.Repeat([][]float64{{1}}, k), B: make([]float64, k)}
	}
	one.Classes = t.Data.Classes
	return &one
}

func (f *trainFlags) save(a *app, m modelfile.Model, p *svm.Problem) error {
	return f.outputs(m, p, func(_, name string, write func(io.Writer) error) error {
		return a.writeOutput(name, write)
	})
}

// outputs calls write for every file that was asked for, whatever became of the others.
func (f *trainFlags) outputs(m modelfile.Model, p *svm.Problem, write func(flag, name string, save func(io.Writer) error) error) error {
	var all error
	for _, o := range []struct {
		flag, name string
		save       func(io.Writer) error
	}{
		{"o", f.model, func(w io.Writer) error { return modelfile.Save(w, m) }},
		{"libsvm", f.libsvm, func(w io.Writer) error { return modelfile.SaveLIBSVM(w, m) }},
		{"liblinear", f.liblinear, func(w io.Writer) error { return modelfile.SaveLIBLINEAR(w, m, p.Loss) }},
	} {
		if o.name == "" {
			continue
		}
		all = errors.Join(all, write(o.flag, o.name, o.save))
	}
	return all
}

// platt fits probabilities to the scores of rows that the scoring model has not seen.
func (a *app) platt(f *trainFlags, t *task, m *svm.Model) (*svm.Platt, error) {
	counted, kept := t.Data.WithoutZeroWeights()
	if err := calibrate.Check(counted, m, calibrate.Row(kept, 1)); err != nil {
		return nil, errors.New(inOurWords(err))
	}
	scores, _, err := a.unseen(&f.problemFlags, t, 5)
	if err != nil {
		return nil, err
	}
	platt, err := svm.FitPlatt(scores, t.Data.Y)
	return &platt, err
}
