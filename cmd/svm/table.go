package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/text"
)

// tableFlags say how the columns of a table of text become numbers: if one is given, FILE is such a table and the model
// a pipeline.
type tableFlags struct {
	categorical, median, mean, indicator, text, scale string
	refuseUnseen                                      bool
	terms                                             text.Options
	grams, unit                                       string
	always                                            bool // a pipeline also without these flags
}

func (f *tableFlags) define(fs *flag.FlagSet) {
	fs.StringVar(&f.categorical, "categorical", "", "columns of a CSV file that hold categories, by name, with commas between them (rename one that has a comma): each category becomes\na column. With this or one of -median, -mean, -text and -scale the model is a pipeline: it holds all steps, and\npredict takes files as they are")
	fs.StringVar(&f.median, "median", "", "columns of numbers whose missing fields become the median of the training rows")
	fs.StringVar(&f.mean, "mean", "", "columns of numbers whose missing fields become the mean of the training rows")
	fs.StringVar(&f.indicator, "indicator", "", "columns of -median and -mean with one more column that says where a field is missing")
	fs.StringVar(&f.text, "text", "", "the column of documents, which become tf-idf; all others but the label must be under -drop")
	fs.StringVar(&f.unit, "text-unit", "words", "of -text: words, characters, or characters-in-words, which no term crosses the edge of")
	fs.StringVar(&f.grams, "text-grams", "1:1", "of -text: how many of these make a term, `least:most`; 1:2 takes pairs of neighbours, too")
	fs.IntVar(&f.terms.MinDocs, "text-min-docs", 1, "of -text: terms of fewer training rows are left out")
	fs.IntVar(&f.terms.MaxDocs, "text-max-docs", 0, "of -text: terms of more training rows are left out; 0 leaves none out")
	fs.IntVar(&f.terms.MaxTerms, "text-max-terms", 0, "of -text: only so many terms, those with most occurrences; 0 takes all")
	fs.BoolVar(&f.terms.Sublinear, "text-sublinear", false, "of -text: count a term 1 + ln tf times if it occurs tf times")
	fs.StringVar(&f.scale, "scale", "", "scale all columns, fitted to the training rows: standardize, center, unit-variance, minmax, maxabs or unit-norm")
	fs.BoolVar(&f.refuseUnseen, "refuse-unseen", false, "a category that no training row has is an error in predict; without it all columns of the categories are 0")
}

// given reports whether the model is a pipeline.
func (f *tableFlags) given() bool {
	return f.always || f.categorical != "" || f.median != "" || f.mean != "" || f.text != "" || f.scale != ""
}

// checkTable finds flags that go with a pipeline only, or not with one.
func (p *problemFlags) checkTable(fs *flag.FlagSet) error {
	if err := p.table.checkText(fs); err != nil {
		return err
	}
	if !p.table.given() {
		return checkIdle(fs, idle{"indicator", true, "without -median or -mean"}, idle{"refuse-unseen", true, "without -categorical"})
	}
	const with = "on a pipeline"
	return checkIdle(fs, idle{"refuse-unseen", p.table.categorical == "", "without -categorical"},
		idle{"skip-missing", true, with + ": fill in missing fields by -median or -mean"},
		idle{"zero-based", true, with + ", whose FILE is CSV"}, idle{"columns", true, with + ", whose FILE is CSV"})
}

// checkText reads the flags of -text.
func (f *tableFlags) checkText(fs *flag.FlagSet) error {
	for _, name := range []string{"unit", "grams", "min-docs", "max-docs", "max-terms", "sublinear"} {
		if err := checkIdle(fs, idle{"text-" + name, f.text == "", "without -text"}); err != nil {
			return err
		}
	}
	if f.terms.Unit.UnmarshalText([]byte(f.unit)) != nil {
		return &usageError{fs.Name(), fmt.Errorf("-text-unit %s: must be words, characters or characters-in-words", f.unit)}
	}
	least, most, ok := strings.Cut(f.grams, ":")
	var err1, err2 error
	f.terms.MinGram, err1 = strconv.Atoi(least)
	f.terms.MaxGram, err2 = strconv.Atoi(most)
	if !ok || err1 != nil || err2 != nil || f.terms.MinGram < 1 || f.terms.MaxGram < f.terms.MinGram {
		return &usageError{fs.Name(), fmt.Errorf("-text-grams %s: must be two numbers like 1:2, the least and the most", f.grams)}
	}
	return nil
}

// names takes a list with commas apart.
func names(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// readTable reads the table of a pipeline. The Data of the task are the numbers of its rows, see
// [pipeline.Pipeline.RowNumbers].
func (a *app) readTable(fs *flag.FlagSet, f *problemFlags, t *task, name string) error {
	opt, err := f.classFlags.options(fs.Name(), dataset.Labels{})
	if err != nil {
		return err
	}
	p := &pipeline.Pipeline{Weights: f.weights.column, Labels: dataset.Labels{Task: f.task(), Positive: f.positive()}, Label: f.classFlags.label,
		Columns: pipeline.Columns{Categorical: names(f.table.categorical), Median: names(f.table.median), Mean: names(f.table.mean),
			Indicator: names(f.table.indicator), Text: f.table.text, TextOptions: f.table.terms, RefuseUnseen: f.table.refuseUnseen}}
	if f.table.scale != "" {
		p.Scale = &feature.Scaler{}
		if err := p.Scale.Kind.UnmarshalText([]byte(f.table.scale)); err != nil {
			return &usageError{fs.Name(), fmt.Errorf("-scale %s: must be one of the kinds of svm scale", f.table.scale)}
		}
	}
	start := time.Now()
	in, shown, err := a.open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	read := &dataset.TableOptions{Name: shown, Header: opt.csv.Header}
	for _, column := range opt.csv.Drop { // by number at once, by name at every prediction
		if _, err := strconv.Atoi(column); err == nil {
			read.Drop = append(read.Drop, column)
		} else {
			p.Columns.Drop = append(p.Columns.Drop, column)
		}
	}
	table, err := dataset.ReadTable(a.ctx, in, read)
	if err == nil {
		p.Label, err = table.LabelColumn(p.Label, append(slices.Clone(p.Columns.Drop), p.Weights))
	}
	if err == nil {
		var set *svmkit.Dataset
		if set, err = p.RowNumbers(table); err == nil && p.Weights == "" {
			set, err = f.weights.ofRows(a, set, name)
		}
		if err == nil {
			err = f.weights.checkClasses(set)
		}
		if err == nil {
			t.table, t.pipeline, t.strategy, t.reading = table, p, f.strategy(set), time.Since(start)
			t.Problem, err = f.problem(fs, set)
		}
	}
	if a.ctx.Err() != nil {
		return a.ctx.Err()
	}
	return tableError(fs, shown, err)
}

// tableError says which flag an error of package pipeline is about, or which file.
func tableError(fs *flag.FlagSet, shown string, err error) error {
	var wrong *svmkit.ParamError
	var data *svmkit.DataError
	if errors.As(err, &data) {
		return inFile(shown, err)
	} else if !errors.As(err, &wrong) {
		return err
	}
	name, known := map[string]string{"Categorical": "categorical", "Median": "median", "Mean": "mean", "Indicator": "indicator", "Text": "text",
		"Drop": "drop", "column": "label", "Weights": "weight-column",
		"MinDocs": "text-min-docs", "MaxDocs": "text-max-docs", "MaxTerms": "text-max-terms", "MinGram": "text-grams", "MaxGram": "text-grams"}[wrong.Name]
	if wrong.Name == "Probabilities" { // the classes have too few rows for the flag
		return inFile(shown, errors.New("-probability "+need(wrong)))
	} else if !known {
		return err
	}
	return &usageError{fs.Name(), fmt.Errorf("-%s %v %s", name, wrong.Value, inOurWords(errors.New(need(wrong))))}
}

// need is the text of an error without the parameter and its value.
func need(wrong *svmkit.ParamError) string {
	if wrong.Hint == "" {
		return wrong.Need
	}
	return wrong.Need + ": " + wrong.Hint
}

// tableFit is what the model of a pipeline was fitted to, and its fit.
type tableFit struct {
	set  *svmkit.Dataset
	one  *svm.Result
	many *multiFit
}

// fitter returns the fitter of the model of a pipeline, which keeps its first fit: later ones are for probabilities.
func (t *task) fitter(fs *flag.FlagSet, f *problemFlags, threads int, p *progress, keep *tableFit) svmkit.Fitter {
	return func(ctx context.Context, set *svmkit.Dataset) (svmkit.Predictor, error) {
		set, err := f.weights.ofClasses(set)
		if err != nil {
			return nil, err
		}
		flags := *f // folds are fitted at once
		q, err := flags.problem(fs, set)
		if err != nil {
			return nil, err
		}
		if t.strategy != "" {
			u := &task{Problem: q, solver: t.solver, strategy: t.strategy}
			fit, err := u.trainer(&flags, threads, p).fit(ctx, set)
			if err != nil {
				return nil, err
			}
			if keep.many == nil {
				*keep = tableFit{set: set, many: fit}
			}
			return fit.classifier, nil
		}
		settings := flags.settings()
		settings.Progress = p.fit
		r, err := svm.Fit(ctx, q, t.solver, settings)
		if err != nil {
			return nil, err
		}
		if keep.one == nil {
			*keep = tableFit{set: set, one: r}
		}
		return r, nil
	}
}

// trainTable trains a pipeline.
func (a *app) trainTable(fs *flag.FlagSet, f *trainFlags, t *task) error {
	const own = "a pipeline is saved in svmkit's own format only (-o)"
	switch {
	case f.libsvm != "":
		return &usageError{"train", errors.New("-libsvm: " + own)}
	case f.liblinear != "":
		return &usageError{"train", errors.New("-liblinear: " + own)}
	case f.checkpoint != "":
		return &usageError{"train", errors.New("-checkpoint does not go with a pipeline")}
	case f.probability && t.strategy == crammerSinger:
		return &usageError{"train", errNoPairs}
	}
	var fit tableFit
	p := *t.pipeline
	p.Probabilities = f.probability
	p.Model = t.fitter(fs, &f.problemFlags, f.threads, a.progress, &fit)
	start := time.Now()
	rows, err := p.Fitter(t.table)(a.ctx, t.Data)
	training := time.Since(start)
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w: nothing is saved, as not all steps of the pipeline are fitted", errInterrupted)
	} else if err != nil {
		return tableError(fs, t.table.Name, err)
	}
	m := rows.(*pipeline.RowModel).Model
	var unsaved error
	if f.model != "" {
		unsaved = a.writeOutput(f.model, func(w io.Writer) error { return pipeline.Save(w, m) })
	}
	fitted := *t
	q := *t.Problem
	q.Data, fitted.Problem = fit.set, &q
	if err := fit.report(f, &fitted, training).write(f.reportTo(a), f.json); err != nil {
		unsaved = errors.Join(unsaved, fmt.Errorf("the report cannot be written: %w", err))
	}
	if unsaved != nil {
		return unsaved
	}
	if fit.many != nil {
		return fit.many.tolerance(f.tol)
	}
	return tolerance(fit.one, f.tol)
}

// report is that of a model alone.
func (fit *tableFit) report(f *trainFlags, t *task, training time.Duration) interface {
	write(w io.Writer, asJSON bool) error
} {
	if fit.many != nil {
		r := newMultiReport(fit.many, t)
		r.ReadSeconds, r.TrainSeconds, r.Tolerance, r.Default = t.reading.Seconds(), training.Seconds(), f.tol, f.multi == ""
		return r
	}
	r := newReport(fit.one, fit.set)
	r.ReadSeconds, r.TrainSeconds, r.Tolerance, r.Bias = t.reading.Seconds(), training.Seconds(), f.tol, t.Bias.String()
	return r
}

// fitFoldTable is fitFold for a pipeline: all steps are fitted to the training rows of the fold.
func (a *app) fitFoldTable(f *problemFlags, t *task, fold *foldFit, scores []float64) error {
	var fit tableFit
	p := *t.pipeline
	p.Model = t.fitter(t.flags, f, 1, &progress{}, &fit)
	train, _ := fold.Of(t.Data)
	m, err := p.Fitter(t.table)(a.ctx, train)
	if err != nil {
		return tableError(t.flags, t.table.Name, err)
	}
	predictions, err := m.(*pipeline.RowModel).Model.PredictAll(t.table.Subset(fold.Test))
	if err != nil {
		return err
	}
	fold.done = true
	if fit.many != nil {
		worst, missed := fit.many.worst()
		fold.met, fold.status = missed == 0, worst.Status
	} else {
		fold.met, fold.status = fit.one.Status == svmkit.Optimal, fit.one.Status.String()
	}
	for j, q := range predictions {
		if scores[fold.Test[j]] = q.Score; t.strategy != "" {
			scores[fold.Test[j]] = q.Value
		}
	}
	return nil
}
