package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/svmkit"
)

// weightFlags say how often each row counts in a fit.
type weightFlags struct {
	file, column, class string
	byClass             map[string]float64 // of class; nil for balanced and for none
}

func (w *weightFlags) define(fs *flag.FlagSet) {
	fs.StringVar(&w.file, "weights", "", "`file` with the weight of each row, 0 or more, a number a line, none for rows\nthat -skip-missing leaves out: a row of weight 2 counts as that row twice, one of weight 0 as if it were not there; of more than two classes, each needs a row of a positive weight")
	fs.StringVar(&w.column, "weight-column", "", "`name` of the column of a CSV file that holds the weights; predict needs -drop for it,\nunless the model is a pipeline")
	fs.StringVar(&w.class, "class-weight", "", "`weights` of classes, as in no=1,yes=10, times those of the rows; 1 for a class that is not named; or balanced:\nn/(K·nₖ) for class k of K, which has nₖ of the n training rows, each counting by its weight")
}

// check says, before a long read, what is wrong with the flags alone. Every error is a *usageError.
func (w *weightFlags) check(fs *flag.FlagSet, data string, regression bool) error {
	wrong := func(format string, args ...any) error { return &usageError{fs.Name(), fmt.Errorf(format, args...)} }
	switch {
	case w.file != "" && w.column != "":
		return wrong("-weights and -weight-column: a row has one weight")
	case w.file == "-" && data == "-":
		return wrong("-weights -: the standard input is the data already")
	case w.class != "" && regression:
		return wrong("-class-weight is for classes, but a regression has none")
	case w.class == "" || w.class == balanced:
		return nil
	}
	w.byClass = map[string]float64{}
	for _, part := range strings.Split(w.class, ",") {
		at := strings.LastIndex(part, "=")
		if at < 0 {
			return wrong("-class-weight %s: must be balanced, or a class = its weight: %q is neither", w.class, part)
		}
		name := part[:at]
		if _, twice := w.byClass[name]; twice {
			return wrong("-class-weight %s: %q stands twice", w.class, name)
		}
		v, ok := weight(part[at+1:])
		if !ok {
			return wrong("-class-weight %s: the weight of %q must be a finite number, 0 or more", w.class, name)
		}
		w.byClass[name] = v
	}
	return nil
}

const balanced = "balanced"

// weight reads one weight.
func weight(text string) (w float64, ok bool) {
	w, err := strconv.ParseFloat(text, 64)
	return w, err == nil && w >= 0 && w <= math.MaxFloat64
}

// ofRows returns set with the weights of -weights or -weight-column.
func (w *weightFlags) ofRows(a *app, set *svmkit.Dataset, name string) (*svmkit.Dataset, error) {
	switch {
	case w.column != "":
		weighted, err := set.TakeWeight(w.column)
		if err != nil {
			return nil, fmt.Errorf("%s: -weight-column: %s", shown(name), inOurWords(err))
		}
		return weighted, nil
	case w.file == "":
		return set, nil
	}
	in, file, err := a.open(w.file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	weighted := *set
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		v, ok := weight(strings.TrimSpace(lines.Text()))
		if !ok {
			return nil, fmt.Errorf("%s: line %d: %q is no weight: a finite number, 0 or more", file, len(weighted.Weight)+1, lines.Text())
		}
		weighted.Weight = append(weighted.Weight, v)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: line %d: %w", file, len(weighted.Weight)+1, err)
	}
	if len(weighted.Weight) != set.Len() {
		return nil, fmt.Errorf("%s has %d weights, and %s %d rows", file, len(weighted.Weight), shown(name), set.Len())
	}
	return &weighted, nil
}

// checkClasses refuses more than two classes of which one has no weight: there would be no model for it.
func (w *weightFlags) checkClasses(set *svmkit.Dataset) error {
	weighted, err := w.ofClasses(set)
	if err != nil || len(set.Classes) <= 2 || weighted.Weight == nil {
		return err
	}
	counts := make([]bool, len(set.Classes))
	for i, y := range set.Y {
		counts[int(y)] = counts[int(y)] || weighted.Weight[i] > 0
	}
	if k := slices.Index(counts, false); k >= 0 {
		return fmt.Errorf("class %q: all its rows have weight 0: leave them out of the file", set.Classes[k])
	}
	return nil
}

// ofClasses returns the training rows with -class-weight, too.
func (w *weightFlags) ofClasses(train *svmkit.Dataset) (*svmkit.Dataset, error) {
	if w.class == "" {
		return train, nil
	}
	var err error
	weighted := *train
	if w.class == balanced {
		weighted.Weight, err = svmkit.Balanced(train)
	} else {
		weighted.Weight, err = svmkit.ClassWeights(train, w.byClass)
	}
	if err != nil {
		return nil, errors.New("-class-weight: " + inOurWords(err))
	}
	return &weighted, nil
}
