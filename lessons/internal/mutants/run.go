package mutants

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/kernel"
	"github.com/svmkit/course/lessons/internal/program"
	"github.com/svmkit/course/lessons/internal/runner"
)

// A Verdict says what a lesson makes of a mutant.
type Verdict string

const (
	Noticed    Verdict = "noticed"        // the claim that the table names fell
	OtherName  Verdict = "ANOTHER CLAIM"  // a claim fell, but not that one
	NoClaim    Verdict = "NO CLAIM"       // a cell failed, and no claim with it: a panic, a solution that is refused
	Hung       Verdict = "HUNG"           // a cell was stopped at its time limit
	Survived   Verdict = "SURVIVED"       // the lesson ran to its end
	Unbuilt    Verdict = "NOT COMPILED"   // the table is wrong
	Equivalent Verdict = "equivalent"     // it survived, and the table says why nothing else is possible
	Different  Verdict = "NOT EQUIVALENT" // a cell failed, although the table calls the mutant equivalent
)

// An Outcome is the verdict with its place. Cell and Line are 0 where no cell failed.
type Outcome struct {
	Verdict
	Cell, Line int    // the cell, counted from 1, and its line in the lesson's Markdown
	Said       string // the claim that fell, without its numbers; else the first line of the error or the reason
}

// String is the outcome in a line.
func (o Outcome) String() string {
	if o.Cell == 0 {
		return string(o.Verdict)
	}
	return fmt.Sprintf("%s, cell %d (line %d): %s", o.Verdict, o.Cell, o.Line, o.Said)
}

// OK reports whether the outcome is the one that the table promises.
func (o Outcome) OK() bool { return o.Verdict == Noticed || o.Verdict == Equivalent }

// Run executes the lesson with the mutant compiled in, up to the first cell that fails. Nothing below root is
// written: the go command reads the changed file through an overlay. The error is ctx's, or one that says
// why nothing could be run.
func (m *Mutant) Run(ctx context.Context, spec kernel.Spec, root string, l *course.Lesson, limit time.Duration) (Outcome, error) {
	dir, err := os.MkdirTemp("", "svmkit-mutant-")
	if err != nil {
		return Outcome{}, err
	}
	defer os.RemoveAll(dir)
	file, mutated, err := m.Apply(root)
	if err != nil {
		return Outcome{}, fmt.Errorf("%s: %w", m.Breaks, err)
	}
	if file, err = filepath.Abs(file); err != nil {
		return Outcome{}, err
	}
	overlay, err := program.Overlay(dir, "", map[string]string{file: string(mutated)})
	if err != nil {
		return Outcome{}, err
	}
	flags := "GOFLAGS='" + overlay + "'"
	if _, said, err := kernel.Go(ctx, filepath.Dir(file), "off", []string{flags}, "build", "."); err != nil {
		return Outcome{Verdict: Unbuilt, Said: strings.TrimSpace(said)}, ctx.Err()
	}
	spec.Env = append(slices.Clone(spec.Env), flags)
	_, err = runner.Lesson(ctx, spec, l, limit)
	var cell *runner.CellError
	if err != nil && !errors.As(err, &cell) {
		return Outcome{}, err
	}
	return m.judge(cell), nil
}

// judge turns the first failing cell, nil if there is none, into an outcome.
func (m *Mutant) judge(failed *runner.CellError) Outcome {
	if failed == nil {
		if m.Equivalent != "" {
			return Outcome{Verdict: Equivalent, Said: m.Equivalent}
		}
		return Outcome{Verdict: Survived}
	}
	o := Outcome{Verdict: NoClaim, Cell: failed.Cell, Line: failed.Line}
	o.Said, _, _ = strings.Cut(failed.Err.Error(), "\n")
	var claim *runner.ClaimError
	if errors.As(failed, &claim) {
		o.Verdict = OtherName
		if m.NoticedBy != "" && strings.HasPrefix(claim.Claim, m.NoticedBy) {
			o.Verdict = Noticed
		}
		o.Said, _, _ = strings.Cut(claim.Claim, " — ")
	} else if errors.Is(failed, context.DeadlineExceeded) {
		o.Verdict = Hung
	}
	if m.Equivalent != "" {
		o.Verdict = Different
	}
	return o
}
