// Package runner executes the cells of a notebook in order and checks the rules of a lesson:
//
//   - No cell fails or exceeds its time limit.
//   - A cell that is meant to show a figure shows one, with a caption and an alternative text.
//   - The stub of an exercise fails its check, and the solution passes.
package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/svmkit/course/lessons/internal/kernel"
	"github.com/svmkit/course/lessons/internal/notebook"
)

// Options are the options of a run. The zero value is usable.
type Options struct {
	CellLimit time.Duration // time a cell may take; 0 means 60 s
	Rules     bool          // check the rules of a lesson
	Progress  func()        // called after each code cell; may be nil
}

// Report has the sizes and the times of a successful run.
type Report struct {
	Cells   int           // code cells executed
	Figures int           // figures with caption and alternative text
	Elapsed time.Duration // from starting the kernel to its end
	Slowest time.Duration // the longest cell
	At      int           // its number, from 1
}

// CellError is the first cell that broke a rule.
type CellError struct {
	Name string // name of the file, as the caller gave it
	Line int    // line of the cell's first line in the file; 0 if the file is no Markdown
	Cell int    // number of the cell, from 1, with Markdown cells counted
	Err  error  // what went wrong; for a claim that fell, *ClaimError
}

func (e *CellError) Error() string {
	place := e.Name
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d", e.Name, e.Line)
	}
	return fmt.Sprintf("%s (cell %d): %v", place, e.Cell, e.Err)
}

func (e *CellError) Unwrap() error { return e.Err }

// Run starts a kernel, executes all code cells of nb, and stores their outputs and execution counts in nb.
//
// No other goroutine may read nb meanwhile. Run stops at the first cell that breaks a rule and returns a [*CellError].
// If ctx ends, it returns ctx's error. When Run returns, the kernel and all processes that its cells started have
// ended.
func Run(ctx context.Context, spec kernel.Spec, name string, nb *notebook.Notebook, o Options) (*Report, error) {
	if o.CellLimit == 0 {
		o.CellLimit = 60 * time.Second
	}
	began := time.Now()
	k, err := kernel.Start(ctx, spec)
	if err != nil {
		return nil, err
	}
	defer k.Close()
	report := &Report{}
	for i := range nb.Cells {
		c := &nb.Cells[i]
		if !c.Runs() {
			continue
		}
		cellBegan := time.Now()
		c.Outputs, c.ExecutionCount = nil, nil
		err := execute(ctx, k, c, o.CellLimit)
		if took := time.Since(cellBegan); took > report.Slowest {
			report.Slowest, report.At = took, i+1
		}
		if ctx.Err() != nil {
			return report, ctx.Err()
		}
		if o.Rules && (err == nil || errors.As(err, new(*ClaimError))) {
			figures, broken := checkRules(c)
			report.Figures += figures
			err = cmp.Or(err, broken)
		}
		if err != nil {
			return report, &CellError{Name: name, Line: c.Line, Cell: i + 1, Err: err}
		}
		report.Cells++
		if o.Progress != nil {
			o.Progress()
		}
	}
	err = k.Close()
	report.Elapsed = time.Since(began)
	return report, err
}

// execute runs one cell and stores its outputs. A cell tagged raises-exception, a tag that nbclient knows, may fail.
func execute(ctx context.Context, k *kernel.Kernel, c *notebook.Cell, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	result, err := k.Execute(ctx, c.Source)
	if result != nil {
		c.Outputs = result.Outputs
		if result.ExecutionCount > 0 {
			c.ExecutionCount = &result.ExecutionCount
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("not finished after %v, its limit: %w", limit, err)
	}
	if err != nil {
		return err
	}
	if result.Status == kernel.StatusOK || c.HasTag("raises-exception") {
		return nil
	}
	return failure(result)
}
