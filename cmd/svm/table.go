package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/svmkit"
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
	group                                             string          // -group of svm grid; with it the model is a pipeline, too
}

// The words of -text-unit, -scale and scale -kind. A test knows that the library has no others.
var (
	units  = []string{"words", "characters", "characters-in-words"}
	scales = []string{"standardize", "center", "unit-variance", "minmax", "maxabs", "unit-norm"}
)

func (f *tableFlags) define(fs *flag.FlagSet) {
	fs.StringVar(&f.categorical, "categorical", "", "`columns` of categories, with commas between them")
	fs.StringVar(&f.median, "median", "", "`columns` whose missing fields become the median")
	fs.StringVar(&f.mean, "mean", "", "`columns` whose missing fields become the mean")
	fs.StringVar(&f.indicator, "indicator", "", "`columns` of -median and -mean that also mark missing fields")
	fs.StringVar(&f.text, "text", "", "`column` of documents, which become tf-idf")
	cli.WordVar(fs, &f.unit, "text-unit", units, "words", "what a term consists of: %s")
	fs.StringVar(&f.grams, "text-grams", "1:1", "units per term, `least:most`; 1:2 adds pairs")
	fs.IntVar(&f.terms.MinDocs, "text-min-docs", 1, "leave out terms of fewer training rows")
	fs.IntVar(&f.terms.MaxDocs, "text-max-docs", 0, "leave out terms of more training rows (default: none)")
	fs.IntVar(&f.terms.MaxTerms, "text-max-terms", 0, "keep only the most frequent terms (default: all)")
	fs.BoolVar(&f.terms.Sublinear, "text-sublinear", false, "count a term 1 + ln tf times, not tf times")
	cli.WordVar(fs, &f.scale, "scale", scales, "", "scale all columns: %s")
	fs.BoolVar(&f.refuseUnseen, "refuse-unseen", false, "predict refuses categories that training has not seen")
	cli.Group(fs, "Pipeline")
}

// given reports whether the model is a pipeline.
func (f *tableFlags) given() bool {
	return f.group != "" || f.categorical != "" || f.median != "" || f.mean != "" || f.text != "" || f.scale != ""
}

// check finds flags that go with a pipeline only, or not with one, and reads the flags of -text and -scale.
func (f *tableFlags) check(fs *flag.FlagSet) error {
	if err := f.terms.Unit.UnmarshalText([]byte(f.unit)); err != nil {
		return err
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
			return err
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
func (p *problemFlags) pipeline(fs *flag.FlagSet, t *dataset.Table) (*pipeline.Pipeline, error) {
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
	switch {
	case err != nil:
		return nil, err
	case f.group != "" && t.Column(f.group) < 0:
		return nil, cli.WrongUse(fs, "-group %s: the columns are %s", f.group, quoted(t.Names))
	case f.group != "" && f.group == steps.Label:
		return nil, cli.WrongUse(fs, "-group %s: is the label's column", f.group)
	}
	return steps, nil
}

// isNumber reports whether a column is named by its number.
func isNumber(column string) bool {
	_, err := strconv.Atoi(column)
	return err == nil
}

// readTable reads a table for a pipeline. Columns that -drop names by number are left out at once; those
// that it names otherwise are left out at every prediction.
func (a *app) readTable(name string, r *readFlags) (*dataset.Table, error) {
	in, err := cli.OpenData(a.ctx, name, a.stdin)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return dataset.ReadTable(a.ctx, in, &dataset.TableOptions{Name: shown(name), Header: headers.Meaning(r.header),
		Drop: slices.DeleteFunc(list(r.drop), func(column string) bool { return !isNumber(column) })})
}

// checkTable finds the columns that cannot become numbers, before a long fit, and says which categories look alike.
func (a *app) checkTable(fs *flag.FlagSet, t *task) error {
	rows := t.table
	if _, kept := t.set.WithoutZeroWeights(); len(kept) > 0 {
		rows = rows.Subset(kept)
	}
	if err := t.steps.Check(rows); err != nil {
		return flagsFor(fs, err)
	}
	alike, err := t.steps.Alike(rows)
	var cases []string
	for _, c := range alike {
		says := fmt.Sprintf("are %d categories, and differ by case, blanks or the spelling of a number only", len(c.Texts))
		if c.One {
			says = "are one category, as all categories of the column are numbers"
		}
		cases = append(cases, fmt.Sprintf("column %q: %s %s", c.Column, quoted(c.Texts), says))
	}
	a.warn(t.file, cases)
	return err
}

// quoted lists names, ten at most.
func quoted(names []string) string {
	var all []string
	for _, name := range names {
		all = append(all, strconv.Quote(name))
	}
	return first(all, 10)
}

// inColumns words an error about columns of a CSV file of numbers, which hold text or lack values, with the flags
// that take all of them. Any other error is returned as it is.
func (p *problemFlags) inColumns(fs *flag.FlagSet, name string, err error) error {
	var at *dataset.ParseError
	if !errors.As(err, &at) || at.Columns == nil || len(at.Columns) > mostListed {
		return err
	}
	gaps := true
	for _, f := range at.Columns {
		f.Name = shown(name)
		switch weight := f.Column == p.weights.column; {
		case weight && f.Err == dataset.ErrText:
			f.Err = dataset.ErrNotNumber
		case weight:
			f.Err = pipeline.ErrNoWeight
		case f.Row == svmkit.NoPlace:
			f.Err = pipeline.ErrNoNumber
		}
		gaps = gaps && f.Err == dataset.ErrMissing
	}
	err = flagsFor(fs, pipeline.Join(at.Columns))
	if gaps {
		err = &cli.Located{Where: words(err) + ", or rows by -skip-missing", Err: err}
	}
	return err
}

// flagsFor words an error of columns with the flags that take all of them. Any other error is returned as it is.
func flagsFor(fs *flag.FlagSet, err error) error {
	var many *pipeline.ColumnErrors
	var one *dataset.FieldError
	if !errors.As(err, &many) {
		if !errors.As(err, &one) {
			return err
		}
		many = &pipeline.ColumnErrors{Fields: []*dataset.FieldError{one}}
	}
	hint := columnFlags(fs, many.Fields)
	if hint == "" {
		return err
	}
	text := columnWords(many, hint)
	if c := (*svmkit.Cause)(nil); one != nil && errors.As(one.Err, &c) {
		ours := *one
		ours.Err = &svmkit.Cause{Problem: c.Problem, Hint: hint, Of: one.Err}
		text = packages.ReplaceAllString(ours.Error(), "")
	}
	return &cli.Located{Where: text, Err: err}
}

// columnFlags returns the flags that take all these columns, next to those that are given; "" if there are none.
func columnFlags(fs *flag.FlagSet, fields []*dataset.FieldError) string {
	lists := map[string][]string{}
	changed := map[string]bool{}
	for _, name := range columnLists {
		lists[name] = list(fs.Lookup(name).Value.String())
	}
	free, comma := false, []string(nil)
	for _, f := range fields {
		to := ""
		switch f.Err {
		case dataset.ErrText, pipeline.ErrText, pipeline.ErrListed:
			to, free = "categorical", true
		case dataset.ErrMissing, pipeline.ErrMissing:
			to, free = "median", true
		case pipeline.ErrBeyondSum:
			to = "median"
		case pipeline.ErrNoNumber, pipeline.ErrBesideText:
			to = "drop"
		default:
			continue
		}
		if strings.Contains(f.Column, ",") {
			comma = append(comma, f.Column)
			continue
		}
		for _, from := range columnLists {
			if k := slices.Index(lists[from], f.Column); k >= 0 {
				lists[from], changed[from] = slices.Delete(lists[from], k, k+1), true
			}
		}
		lists[to], changed[to] = append(lists[to], f.Column), true
	}
	hint := ""
	if comma != nil {
		hint = "rename " + quoted(comma) + ", as a list of a flag has commas between names"
	}
	var flags, gone []string
	for _, name := range columnLists {
		switch {
		case changed[name] && len(lists[name]) == 0:
			gone = append(gone, "and no -"+name)
		case changed[name]:
			flags = append(flags, "-"+name+" "+cli.Quoted(strings.Join(lists[name], ",")))
		}
	}
	if flags != nil {
		hint = strings.TrimPrefix(hint+"; use "+strings.Join(append(flags, gone...), " "), "; ")
	}
	switch {
	case flags != nil && free && len(fields) == 1:
		hint += ", or leave it out by -drop"
	case flags != nil && free:
		hint += ", or leave columns out by -drop"
	}
	return hint
}

var columnLists = []string{"categorical", "median", "mean", "drop"}

// columnWords names the columns by their causes. hint is for all of them; without one each cause has its own.
func columnWords(e *pipeline.ColumnErrors, hint string) string {
	var parts []string
	for _, group := range e.Groups() {
		var names []string
		for _, f := range group {
			names = append(names, f.Column)
		}
		err := advised(group[0].Err)
		if c := (*svmkit.Cause)(nil); hint != "" && errors.As(err, &c) {
			err = errors.New(c.Problem)
		}
		where := " in column "
		if len(names) > 1 {
			where = " in the columns "
		}
		parts = append(parts, svmkit.Describe(err, where+quoted(names)+pipeline.Example(group[0])))
	}
	if hint != "" {
		parts = append(parts, hint)
	}
	return strings.TrimPrefix(e.Fields[0].Name+": "+strings.Join(parts, "; "), ": ")
}

// unseen counts the fields of a table whose category no training row has.
type unseen struct {
	refuse  bool
	first   *dataset.FieldError // nil before there is one
	fields  int
	columns []string
}

// look counts the fields of a part of a table, or refuses them.
func (u *unseen) look(m *pipeline.Model, part *dataset.Table) error {
	fields, err := m.Encoder().Unseen(part)
	if err == nil && u.refuse {
		err = pipeline.Join(fields)
	}
	for _, f := range fields {
		if u.first == nil {
			u.first = f
		}
		if !slices.Contains(u.columns, f.Column) {
			u.columns = append(u.columns, f.Column)
		}
	}
	u.fields += len(fields)
	return err
}

// say reports how many there are.
func (u *unseen) say(a *app, file string) {
	if u.fields > 0 {
		what := "fields hold"
		if u.fields == 1 {
			what = "field holds"
		}
		a.warn(file, []string{fmt.Sprintf("%d %s a category that no training row has, in %s%s; -refuse-unseen refuses such rows",
			u.fields, what, quoted(u.columns), pipeline.Example(u.first))})
	}
}
