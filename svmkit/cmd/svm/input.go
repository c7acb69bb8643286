package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

// classFlags say how a file's labels are to be read.
type classFlags struct{ positive, label string }

// define defines the flags; without says which class is +1 without -positive.
func (c *classFlags) define(fs *flag.FlagSet, without string) {
	fs.StringVar(&c.positive, "positive", "", "the class that is +1; all others together are −1\n(default: "+without+")")
	fs.StringVar(&c.label, "label", "", "the label's column in a CSV file, by name or number from 1 (default the last)")
}

// read reads a data file, or the standard input if name is "-", and measures the time. The columns are those
// of a training, in their order, unless trained is the zero value.
func (a *app) read(name string, labels dataset.Labels, column string, trained svmkit.Columns) (*svmkit.Dataset, time.Duration, error) {
	set, took, err := a.readBy(name, func(r io.Reader) (*svmkit.Dataset, error) {
		column, r, err := labelColumn(r, column, trained)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", shown(name), err)
		}
		if column != "" {
			return dataset.ReadCSV(r, &dataset.CSV{Labels: labels, Label: column})
		}
		return dataset.Read(r, &labels)
	})
	if err == nil {
		set, err = a.align(set, trained, name)
	}
	return set, took, err
}

// readUnlabelled reads a CSV file that has no label column.
func (a *app) readUnlabelled(name string, trained svmkit.Columns) (*svmkit.Dataset, error) {
	set, _, err := a.readBy(name, func(r io.Reader) (*svmkit.Dataset, error) {
		return dataset.ReadCSV(r, &dataset.CSV{Unlabelled: true})
	})
	if err != nil {
		return nil, err
	}
	return a.align(set, trained, name)
}

func (a *app) readBy(name string, parse func(io.Reader) (*svmkit.Dataset, error)) (*svmkit.Dataset, time.Duration, error) {
	start := time.Now()
	in, shown, err := a.open(name)
	if err != nil {
		return nil, 0, err
	}
	defer in.Close()
	set, err := parse(in)
	if a.ctx.Err() != nil {
		return nil, 0, a.ctx.Err()
	}
	var bad *dataset.ParseError
	if errors.As(err, &bad) {
		bad.Name = shown
	}
	return set, time.Since(start), err
}

// readTraining reads a set that models can be trained on: targets, or two or more classes.
func (a *app) readTraining(fs *flag.FlagSet, name string, p *problemFlags) (*svmkit.Dataset, time.Duration, error) {
	if p.regression() && p.classFlags.positive != "" {
		return nil, 0, &usageError{fs.Name(), errors.New("-positive names a class, but a regression has none")}
	}
	set, took, err := a.read(name, dataset.Labels{Task: p.task(), Positive: p.classFlags.positive}, p.classFlags.label, svmkit.Columns{})
	if err == nil && p.kernel == "linear" { // else nothing has a number a column
		err = checkWidth(set, name)
	}
	if err == nil && p.multi == "" && looksLikeTargets(set.Classes) {
		err = fmt.Errorf("%s has %d different numbers (%s) as labels: for targets of a regression say -loss eps-insensitive; if they are classes, say -multi ovr",
			shown(name), len(set.Classes), list(set.Classes, 10))
	}
	return set, took, err
}

// checkWidth refuses rows that name more columns than vectors can have here.
func checkWidth(set *svmkit.Dataset, name string) error {
	if set.Dim > svmkit.MaxColumns {
		return fmt.Errorf("%s: %w", shown(name), tooWide(set.Dim))
	}
	return nil
}

func tooWide(columns int) error {
	return fmt.Errorf("column %d: more than %d need more memory than this command asks for", columns, svmkit.MaxColumns)
}

// looksLikeTargets reports whether classes are numbers that are too many for classes, or
// fractions: package dataset's rule for labels without a Task.
func looksLikeTargets(classes []string) bool {
	values, numeric := classValues(classes)
	if !numeric || len(classes) <= 2 {
		return false
	}
	return len(classes) > dataset.AutoClasses || slices.ContainsFunc(values, func(v float64) bool { return v != math.Trunc(v) })
}

// list joins at most n names.
func list(names []string, n int) string {
	if len(names) > n {
		return strings.Join(names[:n], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// sparse reports whether some row is.
func sparse(set *svmkit.Dataset) bool {
	for _, x := range set.X {
		if x.Index != nil {
			return true
		}
	}
	return false
}
