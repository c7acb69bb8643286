package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

// labelColumn finds the label's column of a table by its name at training, unless opt names one. It returns opt where
// there is no name to go by: on one of the two sides, or if the name stands twice. It reads the first row of
// in, and returns a reader of all of it.
func labelColumn(in io.Reader, opt *dataset.Options, trained svmkit.Columns) (*dataset.Options, io.Reader, error) {
	if opt.Label != "" || opt.Unlabelled || trained.Label == "" {
		return opt, in, nil
	}
	var head bytes.Buffer
	read := *opt
	read.Labels = dataset.Labels{Positive: trained.Label} // any labels will do, for the names alone are wanted
	read.SkipMissing = false                              // the first row is enough
	s := dataset.Rows(context.Background(), io.TeeReader(in, &head), &read)
	for range s.All() {
		break // on an error, too: whoever reads on meets it
	}
	all := io.MultiReader(&head, in)
	names := s.Features()
	if names == nil {
		return opt, all, nil
	}
	names = append(slices.Clone(names), s.Label())
	switch k := slices.Index(names, trained.Label); {
	case k < 0:
		return nil, all, fmt.Errorf("there is no column %q, the label's at training: name it by -label", trained.Label)
	case slices.Contains(names[k+1:], trained.Label):
		return opt, all, nil
	}
	found := *opt
	found.Label = trained.Label
	return &found, all, nil
}

// inFile names the file of an error.
func inFile(shown string, wrong error) error {
	return fmt.Errorf("%s: %s%w", shown, strings.TrimPrefix(wrong.Error(), "svmkit: "), hidden{wrong})
}

// align brings the columns of set into the order of those at training, and says so if they were in another.
func (a *app) align(set *svmkit.Dataset, trained svmkit.Columns, name string) (*svmkit.Dataset, error) {
	aligned, err := trained.Align(set)
	var wrong *svmkit.ColumnsError
	if errors.As(err, &wrong) {
		return nil, inFile(shown(name), wrong)
	} else if err != nil {
		return nil, err
	}
	if set.Features != nil && !slices.Equal(set.Features, aligned.Features) {
		fmt.Fprintf(a.err, "svm: %s has the columns of the training rows in another order; each is found by its name\n", shown(name))
	}
	return aligned, nil
}
