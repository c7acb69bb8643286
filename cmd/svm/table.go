package main

import (
	"flag"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/text"
)

// tableFlags say how the columns of a table of text become numbers. If one of them is given, FILE is such
// a table and the model a pipeline.
type tableFlags struct {
	categorical, median, mean, indicator, text, scale string
	refuseUnseen                                      bool
	terms                                             text.Options
	grams, unit                                       string
	scaler                                            *feature.Scaler // of scale
	always                                            bool            // a pipeline also without these flags
}

func (f *tableFlags) define(fs *flag.FlagSet) {
	fs.StringVar(&f.categorical, "categorical", "", "")
	fs.StringVar(&f.median, "median", "", "")
	fs.StringVar(&f.mean, "mean", "", "")
	fs.StringVar(&f.indicator, "indicator", "", "")
	fs.StringVar(&f.text, "text", "", "")
	fs.StringVar(&f.unit, "text-unit", "words", "")
	fs.StringVar(&f.grams, "text-grams", "1:1", "")
	fs.IntVar(&f.terms.MinDocs, "text-min-docs", 1, "")
	fs.IntVar(&f.terms.MaxDocs, "text-max-docs", 0, "")
	fs.IntVar(&f.terms.MaxTerms, "text-max-terms", 0, "")
	fs.BoolVar(&f.terms.Sublinear, "text-sublinear", false, "")
	fs.StringVar(&f.scale, "scale", "", "")
	fs.BoolVar(&f.refuseUnseen, "refuse-unseen", false, "")
}

// given reports whether the model is a pipeline.
func (f *tableFlags) given() bool {
	return f.always || f.categorical != "" || f.median != "" || f.mean != "" || f.text != "" || f.scale != ""
}

// check finds flags that go with a pipeline only, or not with one, and reads the flags of -text and -scale.
func (f *tableFlags) check(fs *flag.FlagSet) error {
	if f.terms.Unit.UnmarshalText([]byte(f.unit)) != nil {
		return cli.WrongUse(fs, "-text-unit %s: must be words, characters or characters-in-words", f.unit)
	}
	least, most, ok := strings.Cut(f.grams, ":")
	var err1, err2 error
	f.terms.MinGram, err1 = strconv.Atoi(least)
	f.terms.MaxGram, err2 = strconv.Atoi(most)
	if !ok || err1 != nil || err2 != nil || f.terms.MinGram < 1 || f.terms.MaxGram < f.terms.MinGram {
		return cli.WrongUse(fs, "-text-grams %s: must be two numbers like 1:2, the least and the most", f.grams)
	}
	if f.terms.MaxDocs > 0 && f.terms.MaxDocs < f.terms.MinDocs {
		return cli.WrongUse(fs, "-text-max-docs %d: must be at least -text-min-docs, %d", f.terms.MaxDocs, f.terms.MinDocs)
	}
	if f.scale != "" {
		f.scaler = &feature.Scaler{}
		if err := f.scaler.Kind.UnmarshalText([]byte(f.scale)); err != nil {
			return cli.WrongUse(fs, "-scale %s: must be one of the kinds of svm scale", f.scale)
		}
	}
	const with = "on a pipeline"
	pipe := f.given()
	idle := []cli.Idle{cli.NoEffect("indicator", !pipe, "without -median or -mean"),
		cli.NoEffect("refuse-unseen", f.categorical == "", "without -categorical"),
		cli.NoEffect("skip-missing", pipe, with+": fill in missing fields by -median or -mean"),
		cli.NoEffect("zero-based", pipe, with+", whose FILE is CSV"),
		cli.NoEffect("qid", pipe, with+", whose FILE is CSV"), cli.NoEffect("columns", pipe, with+", whose FILE is CSV")}
	for _, name := range []string{"unit", "grams", "min-docs", "max-docs", "max-terms", "sublinear"} {
		idle = append(idle, cli.NoEffect("text-"+name, f.text == "", "without -text"))
	}
	return cli.CheckIdle(fs, idle...)
}

// pipeline returns the steps of a pipeline for a table, without its model.
func (p *problemFlags) pipeline(t *dataset.Table) (*pipeline.Pipeline, error) {
	f := &p.table
	steps := &pipeline.Pipeline{Weights: p.weights.column, Labels: p.labels(), Scale: f.scaler,
		Columns: pipeline.Columns{Categorical: list(f.categorical), Median: list(f.median), Mean: list(f.mean),
			Indicator: list(f.indicator), Text: f.text, TextOptions: f.terms, RefuseUnseen: f.refuseUnseen}}
	for _, column := range list(p.drop) {
		if !isNumber(column) {
			steps.Columns.Drop = append(steps.Columns.Drop, column)
		}
	}
	var err error
	steps.Label, err = t.LabelColumn(p.label, append(slices.Clone(steps.Columns.Drop), p.weights.column))
	return steps, err
}

// isNumber reports whether a column is named by its number.
func isNumber(column string) bool {
	_, err := strconv.Atoi(column)
	return err == nil
}

// readTable reads a table for a pipeline. Columns that -drop names by number are left out at once; those
// that it names otherwise are left out at every prediction.
func (a *app) readTable(name string, r *readFlags) (*dataset.Table, error) {
	in, err := a.open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return dataset.ReadTable(a.ctx, in, &dataset.TableOptions{Name: shown(name), Header: headers.Meaning(r.header),
		Drop: slices.DeleteFunc(list(r.drop), func(column string) bool { return !isNumber(column) })})
}
