package mutants

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/kernel"
	"github.com/svmkit/course/lessons/internal/notebook"
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
	file, overlay, err := m.overlay(root, dir)
	if err != nil {
		return Outcome{}, err
	}
	flags := "GOFLAGS='-overlay=" + overlay + "'"
	if _, said, err := kernel.Go(ctx, filepath.Dir(file), "off", []string{flags}, "build", "."); err != nil {
		return Outcome{Verdict: Unbuilt, Said: strings.TrimSpace(said)}, ctx.Err()
	}
	spec.Env = append(slices.Clone(spec.Env), flags)
	_, err = Execute(ctx, spec, l, limit)
	var cell *runner.CellError
	if err != nil && !errors.As(err, &cell) {
		return Outcome{}, err
	}
	return m.judge(cell), nil
}

// Execute runs all cells of a lesson but the exercises and their solutions as one program: one build in the place of
// fifty. The error of a cell is a [*runner.CellError]; the lesson is left as it is. The time limit is that of the
// program.
func Execute(ctx context.Context, spec kernel.Spec, l *course.Lesson, limit time.Duration) (*runner.Report, error) {
	name := "lessons/" + l.Slug + ".md"
	declared, runs := join(l.Parsed)
	joined := &notebook.Notebook{Cells: []notebook.Cell{{Kind: notebook.Code, Source: declared + "\n%%\n" + runs}}}
	report, err := runner.Run(ctx, spec, name, joined, runner.Options{CellLimit: limit, Rules: true})
	var failed *runner.CellError
	if !errors.As(err, &failed) {
		return report, err
	}
	at := &runner.CellError{Name: name, Err: failed.Err}
	for _, o := range joined.Cells[0].Outputs {
		for line := range strings.Lines(o.Text) {
			if _, err := fmt.Sscanf(line, begin, &at.Cell); err == nil {
				at.Line = l.Parsed.Cells[at.Cell-1].Line
			}
		}
	}
	return nil, at
}

// ExecuteExercises runs the cells of the exercises, their solutions and the tests' answers, after all declarations of the
// lesson.
func ExecuteExercises(ctx context.Context, spec kernel.Spec, l *course.Lesson) (*runner.Report, error) {
	declared, _ := join(l.Parsed)
	work := &notebook.Notebook{Cells: []notebook.Cell{{Kind: notebook.Code, Source: declared}}}
	for _, c := range l.Parsed.Cells {
		if c.Kind == notebook.Code && (c.HasTag(notebook.TagExercise) || c.HasTag(notebook.TagSolution)) {
			work.Cells = append(work.Cells, c)
		}
	}
	own := len(work.Cells)
	work.Cells = append(work.Cells, l.Answers.Cells...)
	report, err := runner.Run(ctx, spec, "lessons/"+l.Slug+".md", work, runner.Options{Rules: true})
	var failed *runner.CellError
	if errors.As(err, &failed) && failed.Cell > own {
		failed.Name, failed.Cell = "lessons/answers/"+l.Slug+".md", failed.Cell-own
	}
	return report, err
}

// begin is the line that a joined program prints before each cell.
const begin = "begin of cell %d"

// join returns all declarations of a lesson's cells, and all that runs, in order.
func join(lesson *notebook.Notebook) (declarations, program string) {
	var declared, runs strings.Builder
	for _, p := range course.Parts(lesson) {
		declared.WriteString(p.Declared + "\n")
		if p.Runs != "" { // in a function of its own, as its variables are
			fmt.Fprintf(&runs, "fmt.Println(%q)\nfunc() {\n%s\n}()\n", fmt.Sprintf(begin, p.Index+1), p.Runs)
		}
	}
	return declared.String(), runs.String()
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

// overlay writes the mutated file and go's description of the exchange to dir.
func (m *Mutant) overlay(root, dir string) (file, description string, err error) {
	file, mutated, err := m.Apply(root)
	if err != nil {
		return "", "", fmt.Errorf("%s: %w", m.Breaks, err)
	}
	if file, err = filepath.Abs(file); err != nil {
		return "", "", err
	}
	changed := filepath.Join(dir, filepath.Base(file))
	text, err := json.Marshal(map[string]map[string]string{"Replace": {file: changed}})
	if err != nil {
		return "", "", err
	}
	description = filepath.Join(dir, "overlay.json")
	return file, description, errors.Join(os.WriteFile(changed, mutated, 0o666), os.WriteFile(description, text, 0o666))
}
