package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/svmkit/course/internal/progress"
	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/kernel"
	"github.com/svmkit/course/lessons/internal/mutants"
	"github.com/svmkit/course/lessons/internal/runner"
)

// lessonLimits is how many times the limit of one cell a whole lesson may take.
const lessonLimits = 5

// mutants runs the lessons named, or all, once as they are and once with each mutant of their tables, and
// prints who noticed. The report is written if all lessons were asked for, or where -o says. With -only or
// -sample a few mutants run, and no lesson without one.
func (a *app) mutants(ctx context.Context, args []string) error {
	lessons, err := course.Lessons(a.root)
	if err != nil {
		return err
	}
	selected, err := course.Select(lessons, args)
	if err != nil {
		return err
	}
	var results []mutants.Result
	for _, l := range selected {
		table, err := mutants.Read(a.root, l)
		if err != nil {
			return err
		}
		if err := table.Check(a.root); err != nil {
			return err
		}
		for i := range table.Claims {
			c := &table.Claims[i]
			for k := range c.Mutants {
				if !strings.Contains(c.Mutants[k].Breaks, a.only) {
					continue
				}
				results = append(results, mutants.Result{Table: table, Claim: c, Mutant: &c.Mutants[k]})
			}
		}
	}
	if len(results) == 0 {
		return fmt.Errorf("-only %s: no mutant of the lessons asked for says this", a.only)
	}
	spec, err := kernel.GoNB(ctx, a.kernelSettings())
	if err != nil {
		return err
	}
	if a.only != "" || a.sample > 0 {
		selected = nil
	}
	if a.sample > 0 {
		results = draw(results, a.sample, a.seed)
	}
	bar := progress.New("lessons", a.err, len(selected)+len(results), progressbar.OptionSetDescription("runs"), progressbar.OptionSetPredictTime(true))
	defer bar.Finish()
	// Without a mistake every lesson must hold: else what falls says nothing of the mistake.
	err = a.inParallel(ctx, len(selected), func(i int) error {
		defer bar.Done(selected[i].Slug + " without a mistake")
		_, err := runner.Lesson(ctx, spec, selected[i], lessonLimits*a.limit)
		return err
	})
	if err != nil {
		return err
	}
	err = a.inParallel(ctx, len(results), func(i int) (err error) {
		r := &results[i]
		r.Outcome, err = r.Mutant.Run(ctx, spec, a.root, r.Lesson, lessonLimits*a.limit)
		bar.Done(fmt.Sprintf("%s, %s: %s", r.Lesson.Number, r.Breaks, r.Outcome))
		return err
	})
	if err != nil {
		return err
	}
	bar.Finish()
	report := mutants.Report(stamp(ctx, a.root), results)
	fmt.Fprint(a.out, report)
	if a.output == "" && len(selected) == len(lessons) { // not with -only or -sample
		a.output = filepath.Join(a.root, filepath.FromSlash(mutants.Folder), "REPORT.md")
	}
	if a.output != "" {
		if err := os.WriteFile(a.output, []byte(report), 0o666); err != nil {
			return err
		}
	}
	bad := 0
	for _, r := range results {
		if !r.OK() {
			bad++
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d mutants are not noticed as their table says", bad, len(results))
	}
	return nil
}

// draw returns n of the results, or all if there are fewer, in their order. The seed decides which.
func draw(results []mutants.Result, n int, seed string) []mutants.Result {
	places := rand.New(rand.NewChaCha8(sha256.Sum256([]byte(seed)))).Perm(len(results))
	places = places[:min(n, len(places))]
	slices.Sort(places)
	drawn := make([]mutants.Result, len(places))
	for i, place := range places {
		drawn[i] = results[place]
	}
	return drawn
}

// inParallel calls do(0), …, do(n−1), as many at a time as -jobs says, and returns their errors, or ctx's.
func (a *app) inParallel(ctx context.Context, n int, do func(i int) error) error {
	var wait sync.WaitGroup
	errs, slots := make([]error, n), make(chan struct{}, a.jobs)
	for i := range n {
		slots <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		wait.Go(func() {
			defer func() { <-slots }()
			errs[i] = do(i)
		})
	}
	wait.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return errors.Join(errs...)
}

// stamp says when, with which Go and on which commit something is run.
func stamp(ctx context.Context, root string) string {
	git := func(args ...string) string {
		said, err := exec.CommandContext(ctx, "git", append([]string{"-C", root}, args...)...).Output()
		if err != nil {
			return "unknown"
		}
		return strings.TrimSpace(string(said))
	}
	commit := git("rev-parse", "--short=12", "HEAD")
	if git("status", "--porcelain", "--", "go.mod", "internal", "svmkit", "plots", "lessons/*.md", "lessons/figures", "lessons/lab", mutants.Folder+"/*.yaml") != "" {
		commit += " with changes"
	}
	return fmt.Sprintf("%s, %s %s/%s, commit %s.", time.Now().UTC().Format("2006-01-02"), runtime.Version(), runtime.GOOS, runtime.GOARCH, commit)
}
