package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/schollz/progressbar/v3"

	"github.com/svmkit/course/internal/atomicfile"
	"github.com/svmkit/course/internal/printable"
	"github.com/svmkit/course/internal/progress"
	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/grade"
)

// grade grades the exercises in a folder of students' notebooks. When ctx ends, the notebooks that are done are written.
func (a *app) grade(ctx context.Context, args []string) (err error) {
	if err := a.resultsAllowed(); err != nil {
		return err
	}
	if info, err := os.Stat(args[0]); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is a file; name the folder of the notebooks", args[0])
	}
	files, err := grade.Find(args[0])
	if err != nil {
		return err
	}
	lessons, err := course.Lessons(a.root)
	if err != nil {
		return err
	}
	var keys []*grade.Key
	for _, l := range lessons {
		k, err := grade.NewKey(l)
		if err != nil {
			return err
		}
		keys = append(keys, k)
	}
	fmt.Fprintln(a.err, "Preparing the packages that answers can import …")
	grader, err := grade.NewGrader(ctx, a.root, a.limit)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, grader.Close()) }()
	bar := progress.New("lessons", a.err, len(files), progressbar.OptionSetDescription("notebooks"), progressbar.OptionSetPredictTime(true))
	defer bar.Finish()
	results := make([][]grade.Row, len(files))
	err = a.inParallel(ctx, len(files), func(i int) error {
		k, nb, err := grade.Read(files[i], keys)
		if err != nil {
			results[i] = []grade.Row{{Notebook: files[i].Name, Result: grade.NotGraded, Message: err.Error()}}
		} else if results[i], err = grader.Grade(ctx, k, files[i].Name, nb); err != nil {
			return err
		}
		bar.Done(files[i].Name + ": " + summary(results[i]))
		return nil
	})
	bar.Finish()
	rows := slices.Concat(results...)
	if a.output == "" {
		err = errors.Join(err, grade.Write(a.out, rows))
	} else if fault := atomicfile.Write(a.output, func(w io.Writer) error { return grade.Write(w, rows) }); fault != nil {
		err = errors.Join(err, fault, grade.Write(a.out, rows)) // so that they are not lost
	}
	lost := 0
	for _, r := range rows {
		if r.Result == grade.NotGraded {
			lost++
		}
	}
	done := len(slices.DeleteFunc(results, func(rows []grade.Row) bool { return rows == nil }))
	fmt.Fprintf(a.err, "%d of %d notebooks: %s\n", done, len(files), summary(rows))
	if err == nil && lost > 0 {
		err = fmt.Errorf("%d of %d notebooks could not be graded; their rows say why", lost, len(files))
	}
	return err
}

// summary counts the results.
func summary(rows []grade.Row) string {
	var counts []string
	for _, r := range grade.Results {
		n := 0
		for _, row := range rows {
			if row.Result == r {
				n++
			}
		}
		if n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, r))
		}
	}
	return strings.Join(counts, ", ")
}

// resultsAllowed refuses a file for the results that is there and holds something else.
func (a *app) resultsAllowed() error {
	if a.output == "" {
		return nil
	}
	if _, err := os.Stat(filepath.Dir(a.output)); err != nil {
		return fmt.Errorf("the folder of -o %s: %w", printable.Text(a.output, false), errors.Unwrap(err))
	}
	info, err := os.Stat(a.output)
	if err == nil && info.IsDir() {
		return fmt.Errorf("-o %s is a folder and holds no results; name a file in it", printable.Text(a.output, false))
	}
	if a.replace || err != nil || info.Mode().IsRegular() && info.Size() == 0 {
		return nil
	}
	first := make([]byte, len(grade.Header))
	if info.Mode().IsRegular() {
		if f, err := os.Open(a.output); err == nil {
			_, _ = io.ReadFull(f, first)
			f.Close()
		}
	}
	if string(first) != grade.Header {
		return fmt.Errorf("-o %s is there and holds no results; name another file, or -replace replaces it", printable.Text(a.output, false))
	}
	return nil
}
