package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

type trainFlags struct {
	problemFlags
	checkpointFlags
	model, libsvm, liblinear string
	json, probability        bool
}

func (f *trainFlags) define(fs *flag.FlagSet) {
	f.problemFlags.define(fs)
	cli.OutputVar(fs, &f.model, "o", "where the model goes; - is the standard output")
	cli.OutputVar(fs, &f.libsvm, "libsvm", "where the model goes in LIBSVM's format")
	cli.OutputVar(fs, &f.liblinear, "liblinear", "where a linear model goes in LIBLINEAR's format")
	fs.BoolVar(&f.json, "json", false, "print the report as JSON")
	fs.BoolVar(&f.probability, "probability", false, "also fit probabilities (Platt, 5-fold cross-validation)")
	f.checkpointFlags.define(fs)
}

func (a *app) train(args []string) error {
	var f trainFlags
	fs := cli.FlagSet("train")
	files, err := a.begin(fs, &f, args, "FILE")
	if err != nil {
		return err
	}
	t, err := a.readTask(fs, &f.problemFlags, files[0])
	if err != nil {
		return err
	}
	if err := f.checkTask(fs, t); err != nil {
		return err
	}
	w := &watch{progress: a.progress}
	if w.start, err = f.start(t.set.Len()); err != nil {
		return err
	}
	keeper := &keeper{checkpointFlags: f.checkpointFlags, app: a, saved: time.Now()}
	if f.checkpoint != "" {
		w.best = keeper.take
	}
	start := time.Now()
	model, err := t.fitter(&f.problemFlags, f.threads, w)(a.ctx, t.set)
	training := time.Since(start)
	interrupted := errors.Is(err, context.Canceled)
	if interrupted && t.steps == nil {
		model = w.model
	}
	switch {
	case model == nil && interrupted:
		return fmt.Errorf("%w: nothing is saved, as %s", errInterrupted, t.missing())
	case model == nil:
		return t.explain(fs, err)
	}
	var noChances error
	if f.probability && !interrupted {
		err := t.explain(fs, a.probabilities(&f, t, model))
		if interrupted = errors.Is(err, context.Canceled); err != nil && !interrupted {
			noChances = &cli.Located{Where: words(err) + " (the model has no probabilities)", Err: err}
		}
	}
	if rows, ok := model.(*pipeline.RowModel); ok {
		model = rows.Model // of any table
	}
	unsaved := errors.Join(a.save(&f, model), keeper.write())
	r := newReport(w.set, w.model, t.strategy, f.multi == "")
	r.ReadSeconds, r.TrainSeconds, r.Tolerance, r.Bias = t.reading.Seconds(), training.Seconds(), f.tol, biases.Meaning(f.bias).String()
	unsaved = errors.Join(unsaved, cli.WriteReport(f.reportTo(a), f.json, r, r.table))
	if err := errors.Join(unsaved, noChances); err != nil {
		return err
	}
	if interrupted {
		return fmt.Errorf("%w: %s", errInterrupted, f.saved())
	}
	return r.tolerance()
}

func (f *trainFlags) check(fs *flag.FlagSet, files []string) error {
	if err := f.checkpointFlags.check(fs, f.solver); err != nil {
		return err
	}
	switch {
	case f.probability && f.regression():
		return cli.WrongUse(fs, "-probability is for classes, but a regression has none")
	case f.probability && f.liblinear != "":
		return cli.WrongUse(fs, "-probability: LIBLINEAR's format has no place for it, -o and -libsvm have")
	}
	return f.problemFlags.check(fs, files)
}

const noPairs = "does not go with -multi cs, whose scores are not those of models for two classes each: use -multi ovo or ovr"

// checkTask finds, before the fit, flags that do not go with the rows, and outputs whose format has no
// place for the model.
func (f *trainFlags) checkTask(fs *flag.FlagSet, t *task) error {
	const own = "a pipeline is saved in svmkit's own format only (-o)"
	classes := modelfile.CheckClasses(t.set.Classes)
	switch {
	case t.steps != nil && f.libsvm != "":
		return cli.WrongUse(fs, "-libsvm: %s", own)
	case t.steps != nil && f.liblinear != "":
		return cli.WrongUse(fs, "-liblinear: %s", own)
	case t.steps != nil && f.checkpoint != "":
		return cli.WrongUse(fs, "-checkpoint does not go with a pipeline")
	case t.strategy != "" && f.checkpoint != "":
		return cli.WrongUse(fs, "-checkpoint is for one model, and %d classes take several", len(t.set.Classes))
	case f.libsvm != "" && classes != nil:
		return within("-libsvm", classes)
	case f.liblinear != "" && classes != nil:
		return within("-liblinear", classes)
	case t.strategy != "" && t.strategy != oneVsOne && f.libsvm != "":
		return cli.WrongUse(fs, "-libsvm: LIBSVM's models for more than two classes are one-vs-one, so use -multi ovo")
	case t.strategy == oneVsOne && f.liblinear != "":
		return cli.WrongUse(fs, "-liblinear: LIBLINEAR has no one-vs-one models, so use -multi ovr or cs")
	case t.strategy == crammerSinger && f.probability:
		return cli.WrongUse(fs, "-probability %s", noPairs)
	}
	if one := t.strategy == "" || t.strategy == crammerSinger; one && !f.probability {
		if err := cli.CheckIdle(fs, cli.NoEffect("threads", true, "on one model without -probability")); err != nil {
			return err
		}
	}
	kind, _ := kernel.KindNamed(f.kernel)
	switch {
	case f.liblinear != "" && f.kernel != "linear":
		return fmt.Errorf("-liblinear: LIBLINEAR has linear models only, and no -kernel %s", f.kernel)
	case f.libsvm != "" && modelfile.CheckLIBSVMKernel(kind) != nil:
		return fmt.Errorf("-libsvm: LIBSVM has no -kernel %s", f.kernel)
	}
	return nil
}

// save writes every file that was asked for, whatever became of the others.
func (a *app) save(f *trainFlags, m svmkit.Model) (unsaved error) {
	save := func(name string, write func(io.Writer) error) {
		if name != "" {
			unsaved = errors.Join(unsaved, cli.WriteOutput(a.ctx, a.out, name, write))
		}
	}
	save(f.model, func(w io.Writer) error { return modelfile.Save(w, m) })
	save(f.libsvm, func(w io.Writer) error { return modelfile.Options{ZeroBased: f.zeroBased}.SaveLIBSVM(w, m) })
	save(f.liblinear, func(w io.Writer) error {
		l, _ := loss.Named(f.loss, f.epsilon) // checked with the flags
		return modelfile.SaveLIBLINEAR(w, m, l)
	})
	return unsaved
}

// probabilities fits probabilities to the scores of rows that the scoring models have not seen.
func (a *app) probabilities(f *trainFlags, t *task, m svmkit.Model) error {
	p := tune.Probabilities{Seed: f.seed, Threads: f.threads, Progress: a.count("folds", 0, 1)}
	err := p.Calibrate(a.ctx, t.set, t.fitter(&f.problemFlags, 1, a.each()), m)
	if err != nil {
		return err
	}
	for name, scorer := range scorersOf(svmkit.Unwrap(m)) {
		if one := svm.ModelOf(scorer); one != nil && one.Platt != nil && one.Platt.A >= 0 {
			if name != "" {
				name = " of " + name
			}
			fmt.Fprintf(a.err, "svm: the probability%s falls as the score rises (A = %.3g). On held-out rows the model was no better than "+
				"chance, so a class and its probability contradict each other\n", name, one.Platt.A)
		}
	}
	return nil
}

// reportTo returns where the report goes: away from a model on the standard output.
func (f *trainFlags) reportTo(a *app) io.Writer {
	if f.model == "-" || f.libsvm == "-" || f.liblinear == "-" {
		return a.err
	}
	return a.out
}

// missing says why nothing can be saved after an interrupt.
func (t *task) missing() string {
	if t.steps != nil {
		return "not all steps of the pipeline are fitted"
	}
	return fmt.Sprintf("a classifier of %d classes needs all its models", len(t.set.Classes))
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
