package runner_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/lessons/internal/kernel"
	"github.com/svmkit/course/lessons/internal/notebook"
	"github.com/svmkit/course/lessons/internal/runner"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func spec(t *testing.T) kernel.Spec {
	t.Helper()
	s, err := kernel.GoNB(t.Context(), kernel.Settings{Root: filepath.Join("..", "..", "..")})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func read(t *testing.T, name string) *notebook.Notebook {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	nb, err := notebook.ParseMarkdown(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

// The controls: notebooks that must fail do fail, for the right reason, at the right line.
// A run that cannot fail proves nothing.
func TestControls(t *testing.T) {
	s := spec(t)
	for _, c := range []struct {
		name string
		want error  // in the chain, or nil
		says string // in the message
	}{
		{"false-claim", &runner.ClaimError{}, "✗ two is less than one — 2 and 1"},
		{"panic", nil, "the sky is falling"},
		{"exit", nil, "exit status 3"},
		{"compile-error", nil, "cannot use"},
		{"hang", context.DeadlineExceeded, "its limit"},
		{"sleep", context.DeadlineExceeded, "its limit"},
		{"lost-figure", runner.ErrNoFigure, ""},
		{"no-alt", runner.ErrNoAlt, ""},
		{"stub-passes", runner.ErrStubPasses, ""},
		{"solution-fails", runner.ErrSolutionFails, "the answer is 42: not so"},
		{"wrong-answer-passes", &runner.ClaimError{}, `the wrong answer "a constant" passes`},
		{"unchecked", runner.ErrNothingChecked, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			nb := read(t, c.name+".md")
			o := runner.Options{Rules: true}
			if errors.Is(c.want, context.DeadlineExceeded) {
				o.CellLimit = 8 * time.Second // enough to compile a cell, not to wait for ever
			}
			_, err := runner.Run(t.Context(), s, c.name+".md", nb, o)
			var at *runner.CellError
			if !errors.As(err, &at) {
				t.Fatalf("got %v, want a failing cell", err)
			}
			last := nb.Cells[len(nb.Cells)-1]
			if at.Line != last.Line || at.Cell != len(nb.Cells) || !strings.HasPrefix(at.Error(), c.name+".md:") {
				t.Errorf("the place is %s:%d, cell %d; want line %d, cell %d", at.Name, at.Line, at.Cell, last.Line, len(nb.Cells))
			}
			if _, isClaim := c.want.(*runner.ClaimError); isClaim {
				if !errors.As(err, new(*runner.ClaimError)) {
					t.Errorf("%v is no fallen claim", err)
				}
			} else if c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q does not say %q", err, c.says)
			}
		})
	}
}

func TestGoodNotebook(t *testing.T) {
	t.Parallel()
	nb := read(t, "good.md")
	steps := 0
	report, err := runner.Run(t.Context(), spec(t), "good.md", nb, runner.Options{Rules: true, Progress: func() { steps++ }})
	if err != nil {
		t.Fatal(err)
	}
	if report.Cells != 5 || steps != 5 || report.Figures != 1 {
		t.Errorf("%+v, %d steps; want 5 cells and 1 figure", report, steps)
	}
	count := 0
	for _, c := range nb.Cells {
		if c.Kind == notebook.Code {
			count++
			if c.ExecutionCount == nil || *c.ExecutionCount != count {
				t.Errorf("code cell %d has the execution count %v", count, c.ExecutionCount)
			}
		}
	}
}

// A lesson with every tag runs by the rules; what a reader gets of it has hints and solutions folded.
func TestEveryTag(t *testing.T) {
	t.Parallel()
	nb := read(t, "every-tag.md")
	if faults := nb.TagFaults("every-tag.md"); faults != nil {
		t.Fatal(faults)
	}
	if _, err := runner.Run(t.Context(), spec(t), "every-tag.md", nb, runner.Options{Rules: true}); err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("EVERY_TAG"); dir != "" {
		if err := notebook.WriteFile(filepath.Join(dir, "every-tag.ipynb"), nb.ForReaders()); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range nb.Cells {
		if c.HasTag(notebook.TagHint) && c.ExecutionCount != nil {
			t.Errorf("the hint in line %d was run", c.Line)
		}
	}
	count := 0
	for _, c := range nb.ForReaders().Cells {
		if c.Kind != notebook.Code {
			continue
		}
		if count++; c.ExecutionCount == nil || *c.ExecutionCount != count {
			t.Errorf("line %d: execution count %v, want %d", c.Line, c.ExecutionCount, count)
		}
	}
}

// An interrupt ends the run at once, with the caller's error.
func TestCancel(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	began := time.Now()
	time.AfterFunc(6*time.Second, cancel)
	_, err := runner.Run(ctx, spec(t), "sleep.md", read(t, "sleep.md"), runner.Options{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %v to stop", took)
	}
}
