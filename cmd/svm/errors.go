package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/internal/signals"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
)

// errTolerance says that everything is written, but not as good as was asked for.
var errTolerance = errors.New("the tolerance was not met")

// errInterrupted is context.Canceled in the command's words.
var errInterrupted = &cli.Located{Where: "interrupted", Err: context.Canceled}

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
	text := words(err)
	if wrong != nil && wrong.Command != "" {
		text += fmt.Sprintf(" (svm %s -h shows the flags)", wrong.Command)
	}
	fmt.Fprintln(a.err, "svm:", text)
	return status
}

// within adds where an error is, nil if there is none, and words it.
func within(where string, err error) error {
	if err == nil {
		return nil
	}
	return &cli.Located{Where: where, What: words(err), Err: err}
}

// inFile is within for a data file. An error that names its file is only worded.
func inFile(name string, err error) error {
	if err == nil {
		return nil
	}
	text, where := words(err), shown(name)
	var path *fs.PathError
	if errors.As(err, &path) || strings.HasPrefix(text, where+": ") || strings.HasPrefix(text, where+", ") {
		return &cli.Located{Where: text, Err: err}
	}
	return &cli.Located{Where: where, What: text, Err: err}
}

// inFlag words an error about a parameter that a flag sets. Any other error is returned as it is.
func inFlag(fs *flag.FlagSet, err error) error {
	var wrong *svmkit.ParamError
	if !errors.As(err, &wrong) || flagOf[wrong.Name] == "" {
		return err
	}
	name := parameter(wrong)
	if !strings.Contains(name, " ") {
		name += " " + fs.Lookup(flagOf[wrong.Name]).Value.String()
	}
	hint := wrong.Hint
	if ours, known := flagHints[wrong.Name]; known && hint != "" {
		hint = ours
	}
	return cli.WrongUse(fs, "%s: %s", name, svmkit.Describe(&svmkit.Cause{Problem: wrong.Need, Hint: hint}, ""))
}

// parameter names a parameter as the user knows it, with its value if that is the name of a column or class.
func parameter(e *svmkit.ParamError) string {
	name := e.Name
	if flag := flagOf[name]; flag != "" {
		name = "-" + flag
	} else if noun := nouns[name]; noun != "" {
		name = noun
	}
	if text, ok := e.Value.(string); ok && strings.HasPrefix(text, `"`) {
		name += " " + text
	}
	return name
}

// nouns names the parameters that no flag sets.
var nouns = map[string]string{"Classes": "the classes", "Features": "the first line", "Probabilities": "-probability"}

// flagOf names the flag for each parameter of the library that flags set.
var flagOf = map[string]string{"C": "C", "Loss": "loss", "Kernel": "kernel", "Bias": "bias", "Solver": "solver",
	"Gamma": "gamma", "Coef0": "coef0", "Degree": "degree", "Epsilon": "epsilon", "Tol": "tol",
	"MaxIterations": "max-iterations", "CacheBytes": "cache", "Categorical": "categorical", "Median": "median", "Mean": "mean",
	"Indicator": "indicator", "Text": "text", "Drop": "drop", "column": "label", "Weights": "weight-column",
	"MinDocs": "text-min-docs", "MaxDocs": "text-max-docs", "MaxTerms": "text-max-terms", "MinGram": "text-grams",
	"MaxGram": "text-grams"}

// flagHints is the advice about parameters whose own advice is for Go programs.
var flagHints = map[string]string{"Indicator": "name it in -median or -mean, too", "Text": "name it in -text only, and all others in -drop",
	"Categorical": oneList, "Drop": oneList, "Mean": oneList, "Median": oneList, "Weights": oneList,
	"C": "take a finite -C", "Loss": "use -kernel linear", "Kernel": "use -kernel linear", "Solver": "leave out -solver"}

const oneList = "name it in one flag only"

// words returns the text of an error in terms of flags and files. The library says where something is wrong
// and what, from the fields of the error; advice for Go programs is replaced by the command's.
func words(err error) string {
	switch e := err.(type) {
	case *dataset.ParseError:
		if path := (*fs.PathError)(nil); errors.As(err, &path) { // a folder, or a broken disk
			return words(path)
		}
		ours := *e
		if ours.Err = advised(e.Err, e.Fields...); asFlag(e.Fields) != "" { // the advice names them all
			ours.Fields = nil
		}
		err = &ours
	case *modelfile.ParseError:
		if path := (*fs.PathError)(nil); errors.As(err, &path) {
			return words(path)
		}
		ours := *e
		ours.Err = advised(e.Err)
		err = &ours
	case *dataset.FieldError:
		ours := *e
		ours.Err = advised(e.Err)
		err = &ours
	case *svmkit.DataError:
		place, value := "", ""
		if e.Row != svmkit.NoPlace { // the command counts from 1
			place, value = fmt.Sprintf("row %d: ", e.Row+1), fmt.Sprintf(" (value %g)", e.Value)
		}
		return place + svmkit.Describe(advised(e.Err), value)
	case *svmkit.ParamError:
		return parameter(e) + " " + e.Need
	case *kernel.EvalError: // its numbers of rows may be those of a fold
		return fmt.Sprintf("the kernel of two rows is %g: scale the columns", e.Value)
	case *multiclass.ModelError:
		return "class " + e.Class + " against " + e.Against + ": " + words(e.Err)
	case *fs.PathError:
		return strings.TrimPrefix(cli.Quoted(e.Path)+": "+e.Err.Error(), "-: ")
	case *svmkit.Cause:
		err = advised(e)
	case *svm.InseparableError:
		err = advised(svm.ErrInseparable)
	case *pipeline.ColumnErrors:
		return columnWords(e, "")
	case interface{ Unwrap() []error }:
		var all []string
		for _, one := range e.Unwrap() {
			all = append(all, words(one))
		}
		return strings.Join(all, "\n")
	}
	return packages.ReplaceAllString(err.Error(), "")
}

// packages are the names with which errors of the library begin.
var packages = regexp.MustCompile(`^(svmkit|svm|kernel|modelfile|multiclass|pipeline|tune): `)

// advised returns err with the command's advice if it is a cause for which the command has some. columns
// are all that have the fault, if they are known.
func advised(err error, columns ...string) error {
	var c *svmkit.Cause
	if !errors.As(err, &c) {
		c = &svmkit.Cause{Problem: err.Error()}
	}
	for _, a := range advice {
		if errors.Is(err, a.cause) {
			hint := a.hint
			if list := asFlag(columns); list != "" && a.listed != "" {
				hint = fmt.Sprintf(a.listed, list)
			}
			return &svmkit.Cause{Problem: c.Problem, Hint: hint, Of: err}
		}
	}
	return err
}

const mostListed = 100 // columns that a message lists for a flag

// asFlag returns columns as one argument of a flag; "" if that cannot be, or would be too long to read.
func asFlag(columns []string) string {
	comma := func(name string) bool { return strings.Contains(name, ",") }
	if len(columns) == 0 || len(columns) > mostListed || slices.ContainsFunc(columns, comma) {
		return ""
	}
	return cli.Quoted(strings.Join(columns, ","))
}

// advice is what the command says about causes whose own advice is for Go programs. listed is the hint if
// all columns with the fault are known; %s is the list of them for a flag.
var advice = []struct {
	cause        error
	hint, listed string
}{
	{cause: dataset.ErrHeader, hint: "use -header yes or -header no"},
	{dataset.ErrText, "correct it, or leave the column out by -drop", "use -drop %[1]s, or train with -categorical %[1]s"},
	{cause: dataset.ErrLineWithoutLabel, hint: "put one in front of the first pair, or use predict -unlabelled; " +
		"if it starts with label:weight of XGBoost, move the weights into a file for -weights"},
	{cause: dataset.ErrLabelWeight, hint: "move the weights into a file for -weights"},
	{cause: dataset.ErrLabelled, hint: "leave out -unlabelled"},
	{cause: dataset.ErrNoLabel, hint: "fill it in, or leave out the row"},
	{cause: dataset.ErrSpelling, hint: "spell them alike"},
	{cause: dataset.ErrLabelMixed, hint: "-positive names the class +1"},
	{cause: dataset.ErrOnlyName, hint: "training needs two or more"},
	{cause: dataset.ErrOnlyClass, hint: "training needs two or more; for targets of a regression use -loss eps-insensitive"},
	{cause: dataset.ErrNoDefaultLabel, hint: "name it by -label; predict -unlabelled takes rows without labels"},
	{cause: dataset.ErrDropped, hint: "take it out of -drop"},
	{dataset.ErrSameName, "rename one, or leave it out by -drop and its number", "rename them, or leave some out by -drop %s"},
	{dataset.ErrNoName, "name it, or leave it out by -drop and its number", "name it, or leave out all without one by -drop %s"},
	{cause: dataset.ErrSeparator, hint: "commas, semicolons or tabs separate columns"},
	{cause: dataset.ErrLIBSVM, hint: "leave out -scale, -text, -median, -mean and -categorical, and take svm scale; " +
		"a model that was trained with them takes CSV only"},
	{cause: dataset.ErrIndexZero, hint: "if those of this file start at 0, use -zero-based for the training file and for the test file"},
	{cause: dataset.ErrZeroBased, hint: "use -zero-based for the training file and for the test file"},
	{cause: dataset.ErrOneBased, hint: "leave out -zero-based"},
	{cause: io.ErrUnexpectedEOF, hint: "the compressed file is cut off or damaged"},
	{cause: modelfile.ErrNotModel, hint: "svm predict takes MODEL first, then FILE"},
	{cause: modelfile.ErrIndexZero, hint: "if it was trained on a file whose indices start at 0, use -zero-based"},
	{cause: dataset.ErrQueryID, hint: "use -qid to pass it over"},
	{cause: dataset.ErrLabel, hint: "-positive names the class +1; for targets of a regression take svm train"},
	{cause: pipeline.ErrNoNumber, hint: "name the column in -drop"},
	{cause: pipeline.ErrNoWeight, hint: "fill it in, or leave out the row"},
	{cause: pipeline.ErrUnfilled, hint: "fill it in, or train with the column in -median or -mean"},
	{dataset.ErrMissing, "fill it in, or use -skip-missing", "fill it in, use -skip-missing, or train with -median %s"},
	{cause: svm.ErrInseparable, hint: "take a finite -C, or a kernel"},
}
