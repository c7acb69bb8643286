package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/svmkit/course/svmkit"
)

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
