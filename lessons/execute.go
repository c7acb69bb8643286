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
	"github.com/svmkit/course/lessons/internal/kernel"
	"github.com/svmkit/course/lessons/internal/notebook"
	"github.com/svmkit/course/lessons/internal/runner"
)

// job is one notebook to execute.
type job struct {
	name   string // in messages: "lessons/03-novikoff.md"
	source string // path of what nb was read from
	nb     *notebook.Notebook
	rules  bool   // it is a lesson of the course
	text   bool   // it was read from Markdown; what is written is the notebook for readers
	dir    string // where its cells run; "" for the root of the course
	output string // where the result goes; "" for nowhere
}

// run executes the named lessons and notebooks and writes the results.
func (a *app) run(ctx context.Context, args []string) error {
	jobs, err := a.jobsFor(args)
	if err != nil {
		return err
	}
	return a.execute(ctx, jobs)
}

// test executes the named lessons and writes nothing.
func (a *app) test(ctx context.Context, args []string) error {
	jobs, err := a.jobsFor(args)
	for i := range jobs {
		jobs[i].output = ""
	}
	return errors.Join(err, a.execute(ctx, jobs))
}

// jobsFor turns arguments into jobs: numbers and names of lessons, paths of other files.
func (a *app) jobsFor(args []string) ([]job, error) {
	isPath := func(arg string) bool {
		return strings.HasSuffix(arg, ".md") || strings.HasSuffix(arg, ".ipynb")
	}
	var jobs []job
	for _, path := range args {
		if !isPath(path) && strings.ContainsAny(path, `./\`) {
			return nil, fmt.Errorf("%s is no notebook; its name must end in .md or .ipynb", path)
		}
		if isPath(path) {
			j, err := a.fileJob(path)
			if err != nil {
				return nil, err
			}
			jobs = append(jobs, j)
		}
	}
	names := slices.DeleteFunc(slices.Clone(args), isPath)
	if len(names) > 0 || len(args) == 0 {
		all, err := course.Lessons(a.root)
		if err != nil {
			return nil, err
		}
		selected, err := course.Select(all, names)
		if err != nil {
			return nil, err
		}
		for _, l := range selected {
			j, err := a.lessonJob(l)
			if err != nil {
				return nil, err
			}
			jobs = append(jobs, j)
		}
	}
	return jobs, a.redirect(jobs)
}

func (a *app) lessonJob(l *course.Lesson) (job, error) {
	fingerprint, err := l.Fingerprint(a.root)
	if err != nil {
		return job{}, err
	}
	course.MarkExecuted(l.Parsed, fingerprint)
	return job{name: "lessons/" + l.Slug + ".md", source: l.Source, nb: l.Parsed, rules: true, text: true, output: l.Notebook}, nil
}

// fileJob reads a notebook at any path. Its result goes beside it, never over it:
// name.md becomes name.ipynb, name.ipynb becomes name.executed.ipynb.
func (a *app) fileJob(path string) (job, error) {
	nb, err := notebook.ReadFile(path)
	if err != nil {
		return job{}, err
	}
	j := job{name: path, source: path, nb: nb, dir: filepath.Dir(path)}
	if base, ok := strings.CutSuffix(path, ".md"); ok {
		j.output, j.text = base+".ipynb", true
	} else {
		j.output = strings.TrimSuffix(path, ".ipynb") + ".executed.ipynb"
		if lang := nb.Language(); lang != "go" {
			return job{}, fmt.Errorf("%s is a notebook for %s; this command runs Go notebooks on GoNB", path, lang)
		}
	}
	course.MarkGenerated(j.nb)
	return j, nil
}

// redirect applies -o: a folder for any number of jobs, a file for one.
func (a *app) redirect(jobs []job) error {
	if a.output == "" {
		return nil
	}
	info, err := os.Stat(a.output)
	isFolder := err == nil && info.IsDir() || strings.HasSuffix(a.output, string(filepath.Separator))
	if !isFolder && len(jobs) > 1 {
		return fmt.Errorf("-o %s: %d notebooks need a folder; make it, or end its name with %c", a.output, len(jobs), filepath.Separator)
	}
	for i := range jobs {
		if isFolder {
			jobs[i].output = filepath.Join(a.output, filepath.Base(jobs[i].output))
		} else {
			jobs[i].output = a.output
		}
	}
	return nil
}

// execute runs the jobs, a few at a time, and writes each result when it is complete. A job that fails
// leaves its old notebook as it was and does not stop the others; an interrupt stops all.
func (a *app) execute(ctx context.Context, jobs []job) error {
	if err := a.checkOutputs(jobs); err != nil {
		return err
	}
	if err := writable(jobs); err != nil || len(jobs) == 0 {
		return err
	}
	fmt.Fprintln(a.err, "Preparing the GoNB kernel (the first time takes a minute or two) …")
	spec, err := kernel.GoNB(ctx, a.kernelSettings())
	if err != nil {
		return err
	}
	bar := newProgress(a.err, jobs)
	defer bar.Finish()
	errs := make([]error, len(jobs))
	err = a.inParallel(ctx, len(jobs), func(i int) error {
		errs[i] = a.executeOne(ctx, spec, jobs[i], bar) // does not stop the others
		return nil
	})
	bar.Finish()
	if err != nil {
		return err
	}
	failed := 0
	for _, err := range errs {
		if err != nil {
			fmt.Fprintln(a.err, printable.Text(err.Error(), true))
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d notebooks failed", failed, len(jobs))
	}
	return nil
}

func (a *app) executeOne(ctx context.Context, spec kernel.Spec, j job, bar *progress.Progress) error {
	if j.dir != "" { // as Jupyter does: a notebook finds the files beside it
		spec.Dir = j.dir
	}
	report, err := runner.Run(ctx, spec, j.name, j.nb, runner.Options{
		CellLimit: a.limit, Rules: j.rules, Progress: bar.Step})
	if err != nil && !a.fetch && strings.Contains(err.Error(), "no required module provides package") {
		return fmt.Errorf("%w\n\tthe flag -get lets cells fetch such modules from the network", err)
	}
	if err != nil {
		return err
	}
	if j.text {
		j.nb = j.nb.ForReaders()
	}
	if j.output != "" {
		if err := notebook.WriteFile(j.output, j.nb); err != nil {
			return err
		}
	}
	bar.Line(fmt.Sprintf("%s: %d cells, %d figures, %.1f s (slowest: cell %d, %.1f s)", j.name,
		report.Cells, report.Figures, report.Elapsed.Seconds(), report.At, report.Slowest.Seconds()))
	return nil
}

// newProgress counts the code cells of all jobs.
func newProgress(out io.Writer, jobs []job) *progress.Progress {
	cells := 0
	for _, j := range jobs {
		for _, c := range j.nb.Cells {
			if c.Runs() {
				cells++
			}
		}
	}
	return progress.New("lessons", out, cells, progressbar.OptionSetDescription("cells"), progressbar.OptionSetWidth(30), progressbar.OptionSetPredictTime(true))
}

// checkOutputs refuses results that would replace something that was read, another result, or what this
// command has not made.
func (a *app) checkOutputs(jobs []job) error {
	for i, j := range jobs {
		if j.output == "" {
			continue
		}
		for k, other := range jobs {
			switch {
			case sameFile(j.output, other.source):
				return fmt.Errorf("the result of %s would replace %s, which is read; `run -o FOLDER` writes elsewhere", j.name, other.name)
			case k < i && sameFile(j.output, other.output):
				return fmt.Errorf("%s and %s would both be written to %s; run them one by one, each with its own -o", other.name, j.name, j.output)
			}
		}
		if info, err := os.Lstat(j.output); err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0 {
			return fmt.Errorf("%s is a pipe or a socket: name a file", j.output)
		}
		info, err := os.Stat(j.output)
		generated := filepath.Dir(j.output) == filepath.Join(a.root, "notebooks")
		if err == nil && info.Mode().IsRegular() && info.Size() > 0 && !generated && !a.replace && !course.Generated(j.output) {
			return fmt.Errorf("%s is there, and this command has not made it or it was changed since; `run -o FILE` writes elsewhere, -replace replaces it", j.output)
		}
	}
	return nil
}

// sameFile reports whether two paths lead to one file, be it through links or still to be made.
func sameFile(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(infoA, infoB)
	}
	return (errA == nil) == (errB == nil) && resolve(a) == resolve(b)
}

// resolve returns an absolute path without links to folders.
func resolve(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// writable checks, before the jobs run, that the results can be written.
func writable(jobs []job) error {
	for _, j := range jobs {
		if j.output == "" {
			continue
		}
		dir := filepath.Dir(j.output)
		err := os.MkdirAll(dir, 0o777)
		if err == nil {
			var remove func() error
			if _, remove, err = atomicfile.TempDirIn(dir, ".lessons-", nil); err == nil {
				err = remove()
			}
		}
		if err != nil {
			return cannotWrite(dir, err)
		}
	}
	return nil
}

func cannotWrite(dir string, err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("cannot write to %s (%w); `run -o FOLDER` writes elsewhere, `test` writes nothing", dir, err)
}
