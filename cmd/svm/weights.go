package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

// weightFlags say how often each row counts in a fit.
type weightFlags struct {
	file, column, class string
	byClass             map[string]float64 // of class; nil for balanced and for none
}

func (w *weightFlags) define(fs *flag.FlagSet) {
	cli.InputVar(fs, &w.file, "weights", "weights of the rows, one number per line")
	fs.StringVar(&w.column, "weight-column", "", "`column` of a CSV file that holds the weights")
	fs.StringVar(&w.class, "class-weight", "", "`weights` of classes, like no=1,yes=10, or balanced")
}

// check says, before a long read, what is wrong with the flags alone. Every error is a *cli.UsageError.
func (w *weightFlags) check(fs *flag.FlagSet, regression bool) error {
	switch {
	case w.file != "" && w.column != "":
		return cli.WrongUse(fs, "-weights and -weight-column: a row has one weight")
	case w.class != "" && regression:
		return cli.WrongUse(fs, "-class-weight is for classes, but a regression has none")
	case w.class == "" || w.class == balanced:
		return nil
	}
	w.byClass = map[string]float64{}
	for _, part := range strings.Split(w.class, ",") {
		at := strings.LastIndex(part, "=")
		if at < 0 {
			return cli.WrongUse(fs, "-class-weight %s: must be balanced, or a class = its weight: %q is neither", w.class, part)
		}
		name := part[:at]
		if _, twice := w.byClass[name]; twice {
			return cli.WrongUse(fs, "-class-weight %s: %q stands twice", w.class, name)
		}
		v, err := strconv.ParseFloat(part[at+1:], 64)
		if err != nil || !(v >= 0 && v <= math.MaxFloat64) {
			return cli.WrongUse(fs, "-class-weight %s: the weight of %q must be a finite number, 0 or more", w.class, name)
		}
		w.byClass[name] = v
	}
	return nil
}

const balanced = "balanced"

// ofRows returns set with the weights of the file -weights.
func (w *weightFlags) ofRows(a *app, set *svmkit.Dataset, data string) (*svmkit.Dataset, error) {
	if w.file == "" {
		return set, nil
	}
	in, err := cli.OpenData(a.ctx, w.file, a.stdin)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	weighted := *set
	if weighted.Weight, err = dataset.ReadWeights(a.ctx, in); err != nil {
		return nil, inFile(w.file, err)
	}
	if n := len(weighted.Weight); n != set.Len() {
		return nil, fmt.Errorf("%s has %d weights, and %s %d rows", shown(w.file), n, shown(data), set.Len())
	}
	return &weighted, nil
}

// ofClasses returns the weights of training rows by -class-weight, for [svmkit.Weighted].
func (w *weightFlags) ofClasses(train *svmkit.Dataset) (weights []float64, err error) {
	switch w.class {
	case "":
		return train.Weight, nil
	case balanced:
		weights, err = svmkit.Balanced(train)
	default:
		weights, err = svmkit.ClassWeights(train, w.byClass)
	}
	return weights, within("-class-weight", err)
}

// checkClasses refuses more than two classes of which one has no weight: there would be no model for it.
func (w *weightFlags) checkClasses(set *svmkit.Dataset) error {
	weights, err := w.ofClasses(set)
	if err != nil || len(set.Classes) <= 2 || weights == nil {
		return err
	}
	counts := make([]bool, len(set.Classes))
	for i, y := range set.Y {
		counts[int(y)] = counts[int(y)] || weights[i] > 0
	}
	if k := slices.Index(counts, false); k >= 0 {
		return fmt.Errorf("class %q: all its rows have weight 0: leave them out of the file", set.Classes[k])
	}
	return nil
}

// badWeight words an error about the column of weights of a file, with the line of the file if it can be read again.
func (a *app) badWeight(err error, p *problemFlags, name string) error {
	var bad *svmkit.DataError
	if !errors.As(err, &bad) || !errors.Is(err, svmkit.ErrWeight) {
		return inFile(name, within("-weight-column", err))
	}
	wrong := &dataset.FieldError{Row: bad.Row + 1, Column: p.weights.column, Text: cli.Shortest(bad.Value), Err: bad.Err}
	if about, err := os.Stat(name); err == nil && about.Mode().IsRegular() {
		wrong.Line = a.lineOf(name, &p.readFlags, bad.Row)
	}
	return inFile(name, wrong)
}

// lineOf returns the line of a file on which a row begins, 0 if it cannot be read.
func (a *app) lineOf(name string, r *readFlags, row int) int {
	in, err := cli.OpenData(a.ctx, name, a.stdin)
	if err != nil {
		return 0
	}
	defer in.Close()
	rows, err := a.rows(in, r, dataset.Labels{Task: dataset.Regression, AllowOther: true}, svmkit.Columns{})
	if err != nil {
		return 0
	}
	for range rows.All() {
		if row--; row < 0 {
			return rows.Line()
		}
	}
	return 0
}
