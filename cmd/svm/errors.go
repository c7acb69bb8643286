package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/internal/signals"
	"github.com/svmkit/course/svmkit"
)

// errTolerance says that everything is written, but not as good as was asked for.
var errTolerance = errors.New("the tolerance was not met")

// errInterrupted is context.Canceled in the command's words.
var errInterrupted = &located{"interrupted", context.Canceled, ""}

// exit reports err and returns the exit status that it means.
func (a *app) exit(err error) int {
	a.progress.Clear()
	var wrong *cli.UsageError
	status := exitError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return exitOK
	case errors.As(err, &wrong):
		status = exitUsage
	case errors.Is(err, errTolerance):
		status = exitTolerance
	case errors.Is(err, context.Canceled):
		status = exitInterrupted
		if s, ended := signals.Status(a.ctx); ended {
			status = s
		}
		if !errors.Is(err, errInterrupted) {
			err = errors.New("interrupted; no file was written")
		}
	}
	fmt.Fprintln(a.err, "svm:", words(err))
	return status
}

// located is an error in the command's words.
type located struct {
	where string
	err   error
	says  string // what is wrong; "" if where says it all
}

func (l *located) Error() string {
	if l.says == "" {
		return l.where
	}
	return l.where + ": " + l.says
}

func (l *located) Unwrap() error { return l.err }

// within adds where an error is, nil if there is none, and words it.
func within(where string, err error) error {
	if err == nil {
		return nil
	}
	return &located{where, err, words(err)}
}

// inFile is within for a data file. An error that names the file already is returned as it is.
func inFile(name string, err error) error {
	return err
}

// need words what a parameter needs.
func need(wrong *svmkit.ParamError) string { return wrong.Need }

// words returns the text of an error in terms of flags and files. Errors of the library are worded from
// their fields; their advice, which is for Go programs, is replaced by the command's.
func words(err error) string { return err.Error() }
