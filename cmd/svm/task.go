package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// The words of -multi: how several models tell more than two classes apart.
const (
	oneVsRest     = "ovr"
	oneVsOne      = "ovo"
	crammerSinger = "cs"
)

var strategies = []string{oneVsRest, oneVsOne, crammerSinger}

// strategyTitles are the strategies in prose.
var strategyTitles = map[string]string{oneVsRest: "one-vs-rest", oneVsOne: "one-vs-one", crammerSinger: "Crammer–Singer"}

// task holds the rows of a file to which models are fitted.
type task struct {
	file     string
	set      *svmkit.Dataset    // rows of numbers; for a pipeline the indices of the rows of table
	table    *dataset.Table     // nil if the file holds numbers
	steps    *pipeline.Pipeline // from a row of table to numbers, without a model; nil for numbers
	strategy string             // how more than two classes are told apart; "" for one model
	reading  time.Duration
}

// readTask reads the rows of a file: targets, or two or more classes.
func (a *app) readTask(fs *flag.FlagSet, p *problemFlags, name string) (t *task, err error) {
	start := time.Now()
	t = &task{file: shown(name)}
	if p.table.given() {
		err = a.readTableTask(fs, t, p, name)
	} else {
		err = a.readNumbers(fs, t, p, name)
	}
	if err == nil && p.weights.column == "" {
		t.set, err = p.weights.ofRows(a, t.set, name)
	}
	if a.ctx.Err() != nil {
		return nil, a.ctx.Err()
	} else if err != nil {
		return nil, t.explain(fs, err)
	}
	if err := p.checkTargets(t.set.Classes, t.set.Len()); err != nil {
		return nil, inFile(name, err)
	}
	if err := p.weights.checkClasses(t.set); err != nil {
		return nil, err
	}
	a.warnOfCase(t)
	if t.steps != nil {
		if err := a.checkTable(fs, t); err != nil {
			return nil, t.explain(fs, err)
		}
	}
	if len(t.set.Classes) > 2 {
		t.strategy = cmp.Or(p.multi, oneVsRest)
	} else if p.multi == crammerSinger {
		t.strategy = crammerSinger
	}
	t.reading = time.Since(start)
	return t, nil
}

// readNumbers reads rows of numbers.
func (a *app) readNumbers(fs *flag.FlagSet, t *task, p *problemFlags, name string) (err error) {
	if t.set, err = a.read(name, &p.readFlags, p.labels(), svmkit.Columns{}); err != nil {
		return p.inColumns(fs, name, err)
	}
	if p.weights.column != "" {
		if t.set, err = t.set.TakeWeight(p.weights.column); err != nil {
			return a.badWeight(err, p, name)
		}
	}
	if p.kernel != "linear" { // then nothing has one number per column
		return nil
	}
	vectors := 1
	if len(t.set.Classes) > 2 {
		vectors = len(t.set.Classes)
	}
	return inFile(name, p.checkWidth(t.set, vectors))
}

// readTableTask reads a table for a pipeline.
func (a *app) readTableTask(fs *flag.FlagSet, t *task, p *problemFlags, name string) (err error) {
	if t.table, err = a.readTable(name, &p.readFlags); err != nil {
		return err
	}
	if t.steps, err = p.pipeline(fs, t.table); err != nil {
		return err
	}
	t.set, err = t.steps.RowNumbers(t.table)
	return err
}

// warnOfCase says that two classes differ by case or by blanks at their ends only.
func (a *app) warnOfCase(t *task) {
	var cases []string
	same := func(c, d string) bool { return strings.EqualFold(strings.TrimSpace(c), strings.TrimSpace(d)) }
	for i, c := range t.set.Classes {
		if !utf8.ValidString(c) { // to EqualFold all bytes that are not UTF-8 are equal
			continue
		}
		if k := slices.IndexFunc(t.set.Classes[:i], func(d string) bool { return same(c, d) }); k >= 0 {
			cases = append(cases, fmt.Sprintf("the labels %q and %q are two classes, and differ by case or blanks only",
				t.set.Classes[k], c))
		}
	}
	a.warn(t.file, cases)
}

// warn says in one line what is doubtful about a file: the first few cases, and how many more there are.
func (a *app) warn(file string, cases []string) {
	const most = 5
	if len(cases) == 0 {
		return
	}
	text := strings.Join(cases[:min(most, len(cases))], "; ")
	if more := len(cases) - most; more > 0 {
		text += fmt.Sprintf("; and %d more like these", more)
	}
	fmt.Fprintf(a.err, "svm: %s: %s\n", file, text)
}

// explain says which flag an error of a fit is about, or which row of the file.
func (t *task) explain(fs *flag.FlagSet, err error) error {
	var bad *svmkit.DataError
	var only *tune.OnlyRowError
	var wrong *svmkit.ParamError
	switch {
	case errors.As(err, &wrong) && wrong.Name == "Solver": // the rows have too many columns for it
		return fmt.Errorf("-solver %s: %s", fs.Lookup("solver").Value, wrong.Need)
	case errors.As(err, &wrong) && wrong.Name == "k": // folds
		return fmt.Errorf("-probability needs %v rows or more", wrong.Value)
	case errors.As(err, &only):
		place := fmt.Sprintf("row %d", only.Row+1)
		if t.table != nil {
			place = fmt.Sprintf("line %d", t.table.Lines[only.Row])
		}
		return inFile(t.file, fmt.Errorf("-probability needs two or more rows of each class, and class %q has only %s; add rows "+
			"of it, or leave it out", only.Class, place))
	case errors.As(err, &bad):
		if place := *bad; t.set != nil && (t.set.Weight != nil || fs.Lookup("class-weight").Value.String() != "") {
			place.Row = svmkit.NoPlace // rows of weight 0 may have been left out
			err = &place
		}
		return inFile(t.file, err)
	}
	return inFlag(fs, err)
}

// watch is told of the first fit of a task.
type watch struct {
	progress *cli.Progress
	start    []float64        // β to start from; nil if there is none
	best     func(*svm.Proof) // is told the best β so far; may be nil

	set   *svmkit.Dataset // numbers to which the model was fitted
	model svmkit.Model    // of numbers; after an interrupt the best so far, nil if some model is missing
}

// note keeps the first model.
func (w *watch) note(set *svmkit.Dataset, m svmkit.Model) {
	if w.model == nil {
		w.set, w.model = set, m
	}
}

// fitter returns the fitter of the flags for the rows of t and for subsets of them. threads is how many
// models of a classifier are fitted at once. w is told of the first fit.
func (t *task) fitter(p *problemFlags, threads int, w *watch) svmkit.Fitter {
	fit := func(ctx context.Context, set *svmkit.Dataset) (svmkit.Model, error) {
		return t.fit(ctx, set, p, threads, w)
	}
	if p.weights.class != "" {
		fit = svmkit.Weighted(p.weights.ofClasses, fit)
	}
	if t.steps == nil {
		return fit
	}
	steps := *t.steps
	steps.Model = fit
	return steps.Fitter(t.table)
}

// each returns a watch of many fits, which only shows where they are.
func (a *app) each() *watch { return &watch{progress: a.progress, model: ignored{}} }

// ignored is a model that note does not replace.
type ignored struct{ svmkit.Model }

// fit fits the model of the flags to rows of numbers.
func (t *task) fit(ctx context.Context, set *svmkit.Dataset, p *problemFlags, threads int, w *watch) (svmkit.Model, error) {
	problem, err := p.problem(set)
	if err != nil {
		return nil, err
	}
	if t.strategy == crammerSinger {
		s, err := multiclass.CrammerSinger{Data: set, C: p.c, Bias: problem.Bias}.Fit(ctx, &multiclass.Settings{Tol: p.tol,
			MaxIterations: p.maxIterations, Seed: p.seed,
			Progress: func(q svmkit.Progress) bool { return showFit(w.progress, "", q) }})
		if s != nil {
			w.note(set, s)
		}
		if err != nil {
			return nil, err
		}
		return s, nil
	}
	var done atomic.Int64
	models := len(set.Classes)
	if t.strategy == oneVsOne {
		models = models * (models - 1) / 2
	}
	one := func(ctx context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
		q := *problem
		q.Data = train
		settings := svm.Settings{Tol: p.tol, MaxIterations: p.maxIterations, Seed: p.seed, Start: w.start, Best: w.best}
		settings.Progress = func(q svmkit.Progress) bool {
			which := ""
			if t.strategy != "" {
				which = fmt.Sprintf("%d of %d models; ", done.Load(), models)
			}
			return showFit(w.progress, which, q)
		}
		r, err := svm.Fit(ctx, &q, p.makeSolver(), &settings)
		if r != nil && t.strategy == "" {
			w.note(train, r)
		}
		if err != nil {
			return nil, err
		}
		done.Add(1)
		return r, nil
	}
	fit := svmkit.Fitter(one)
	switch t.strategy {
	case oneVsRest:
		fit = multiclass.OneVsRest{Binary: one, Threads: threads}.Fitter()
	case oneVsOne:
		fit = multiclass.OneVsOne{Binary: one, Threads: threads}.Fitter()
	}
	m, err := fit(ctx, set)
	if err == nil {
		w.note(set, m)
	}
	return m, err
}
