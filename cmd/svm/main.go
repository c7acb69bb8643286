// Svm trains, uses and judges support vector machines from the command line.
//
// Run `go run ./cmd/svm -h` for its commands. The flags are those of the standard
// library: six commands, and none below them, need no other.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/svmkit/course/internal/printable"
	"github.com/svmkit/course/internal/signals"
)

// What the process returns.
const (
	exitOK          = 0
	exitError       = 1   // a bad file, data that do not fit, a disk that is full
	exitUsage       = 2   // a wrong command line
	exitTolerance   = 3   // all went well, but the tolerance was not met
	exitInterrupted = 130 // as the shell reports Ctrl-C
)

const usage = `Svm trains support vector machines, for two classes or more and for regression, and proves
how good they are.

	go run ./cmd/svm COMMAND [flags] FILE

Commands
	train     fit a model to FILE, and print its certificate: primal and dual objective,
	          their relative gap, the largest violation of the optimality conditions
	predict   MODEL FILE: predict the rows of FILE, one line each
	stream    learn from rows one at a time, in constant memory: for more data than memory
	cv        cross-validation: how well do models do on rows that they have not seen?
	grid      cross-validate a grid of C, kernels and their parameters, and print the best
	scale     bring the columns of FILE to one scale

Each has its own help: svm train -h. Flags may stand before or after FILE.

Files are LIBSVM or CSV (label in the column of that name, or else the last), compressed with gzip or not; the
content decides, not the name. - is the standard input.

Example
	svm scale -kind minmax -dense -save scaling.json -o train.csv raw.csv
	svm grid -C 0.1:100:4 -kernel rbf -gamma 0.05:5:3 train.csv
	svm train -C 10 -kernel rbf -gamma 0.5 -o model train.csv
	svm scale -load scaling.json -o test.csv rawtest.csv
	svm predict model test.csv

	svm train -categorical sex,port -median age -scale standardize -label survived -o model table.csv
	svm predict model newtable.csv

Exit status: 0 done, 1 a file or the data cannot be used, 2 wrong flags,
3 done, but the tolerance was not met, 130 interrupted, 129 and 143 by SIGHUP and SIGTERM. It is that of a built program
(go build ./cmd/svm); go run returns 1 for all but 0.
`

func main() {
	ctx, _ := signals.Context()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// app is one run of the command with its surroundings.
type app struct {
	ctx      context.Context
	stdin    io.Reader
	stdout   io.Writer // the standard output itself; out writes to it
	out, err io.Writer
	progress *progress
}

// run is main with its surroundings as arguments. It returns the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	// Messages to people are printable, and so is what goes to a terminal; files and pipes get the bytes as they are.
	a := &app{ctx: ctx, stdin: stdin, stdout: stdout, out: stdout, err: &printable.Writer{W: stderr}, progress: newProgress(stderr)}
	if file, ok := stdout.(*os.File); ok {
		a.out = &output{ctx: ctx, file: file}
	}
	if isTerminal(stdout) {
		a.out = &printable.Writer{W: a.out}
	}
	return a.exit(a.command(args))
}

func (a *app) command(args []string) error {
	name := ""
	if len(args) > 0 {
		name, args = args[0], args[1:]
	}
	switch name {
	case "train":
		return a.train(args)
	case "predict":
		return a.predict(args)
	case "stream":
		return a.stream(args)
	case "cv":
		return a.cv(args)
	case "grid":
		return a.grid(args)
	case "scale":
		return a.scale(args)
	case "-h", "-help", "--help", "help":
		_, err := io.WriteString(a.out, usage)
		return err
	case "":
		return &usageError{"", errors.New("which command? train, predict, stream, cv, grid or scale; -h explains them")}
	}
	return &usageError{"", fmt.Errorf("no command %q: there are train, predict, stream, cv, grid and scale; -h explains them", name)}
}

// usageError is a wrong command line.
type usageError struct {
	command string
	err     error
}

func (e *usageError) Error() string {
	if e.command == "" {
		return e.err.Error()
	}
	return fmt.Sprintf("%v (svm %s -h shows the flags)", e.err, e.command)
}

func (e *usageError) Unwrap() error { return e.err }

// errTolerance says that everything is written, but not as good as was asked for.
var errTolerance = errors.New("the tolerance was not met")

// exit reports err and returns the exit status that it means.
func (a *app) exit(err error) int {
	a.progress.clear()
	var wrong *usageError
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
	fmt.Fprintln(a.err, "svm:", inOurWords(err))
	return status
}

// inOurWords is the text of an error without the package it comes from, and without advice that only a program
// can follow.
func inOurWords(err error) string {
	text := err.Error()
	for _, library := range []string{"svm: ", "svmkit: ", "modelfile: ", "pipeline: "} {
		text = strings.TrimPrefix(text, library)
	}
	return advice.Replace(text)
}

var advice = strings.NewReplacer(
	"name the Classes, or say Task: Regression", "for targets of a regression say -loss eps-insensitive",
	"give C a finite value, or take a kernel; Proof.Common names a point in both hulls", "take a finite -C, or a kernel",
	"name the label's column by the option Label", "name it by -label",
	"say so by the option Header", "say -header yes or -header no",
	"fill it in, or leave out such rows by the option SkipMissing", "fill it in, or leave out such rows by -skip-missing; -median, -mean and -categorical of svm train take such features of a CSV file",
	"by the option Drop", "by -drop",
	"or make it categories (package pipeline)", "or make it categories by -categorical of svm train",
	"set the option ZeroBased", "say -zero-based",
	"spell them alike, or name the Classes", "spell them alike",
	"list the column under Median, Mean, Categorical or Drop", "name the column in -median, -mean, -categorical or -drop",
	"list the column under Categorical or Drop", "name the column in -categorical or -drop",
	"list the column under Median", "name the column in -median",
	"list the column under Drop", "name the column in -drop",
	" under Drop", " in -drop",
	"train with the column under Median or Mean", "train with the column in -median or -mean",
	"list it under Median or Mean, too", "name it in -median or -mean, too",
	"skip it by the option SkipQID", "this command has no use for it",
)
