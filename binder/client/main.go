// Client does in a running Jupyter what a student's browser does there, through its REST and
// websocket API: it opens notebooks, runs every cell, and compares the outputs with those that
// the notebooks hold. binder/verify starts it.
//
//	client -url http://127.0.0.1:8888 -token T -folder course/notebooks NOTEBOOK.ipynb…
//	client -executed OTHER.ipynb NOTEBOOK.ipynb
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/svmkit/course/binder/internal/jupyter"
)

func main() {
	var s jupyter.Server
	flag.StringVar(&s.URL, "url", "http://127.0.0.1:8888", "`address` of the Jupyter server")
	flag.StringVar(&s.Token, "token", "", "its token")
	folder := flag.String("folder", "course/notebooks", "the server's folder with the notebooks")
	limit := flag.Duration("limit", 10*time.Minute, "time for everything")
	figure := flag.Duration("figure", 0, "most time that the first cell with a figure may take; 0 for any")
	page := flag.String("page", "/lab/tree", "what the `path` of a notebook's page begins with; /notebooks in Notebook 6")
	only := flag.Bool("only", true, "the server has no kernel but gonb")
	get := flag.Bool("get", false, "ask for the notebooks' pages and run nothing")
	shutdown := flag.Bool("shutdown", false, "stop the server at the end")
	executed := flag.String("executed", "", "compare this executed `notebook` with the one that is named; no server is asked")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), *limit)
	defer cancel()
	err := run(ctx, s, task{*folder, *executed, *page, *only, *get, *figure}, flag.Args())
	if *shutdown {
		err = errors.Join(err, s.Call(ctx, http.MethodPost, "/api/shutdown", nil, nil))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "client:", err)
		os.Exit(1)
	}
}

// task is what is asked for by flags.
type task struct {
	folder, executed, page string
	only, get              bool
	figure                 time.Duration
}

func run(ctx context.Context, s jupyter.Server, t task, notebooks []string) error {
	if t.executed != "" {
		if len(notebooks) != 1 {
			return fmt.Errorf("%s is compared with one notebook, not %d", t.executed, len(notebooks))
		}
		return compareFiles(t.executed, notebooks[0])
	}
	if err := s.Ready(ctx); err != nil {
		return err
	}
	if code, err := s.Status(ctx, "/api/contents", ""); err != nil || code != http.StatusForbidden {
		return fmt.Errorf("without a token the server answers %d (%v), not 403", code, err)
	}
	kernels, err := s.KernelNames(ctx)
	if err != nil || t.only && len(kernels) != 1 || !slices.Contains(kernels, "gonb") {
		return fmt.Errorf("the server has the kernels %q (%v), not gonb alone", kernels, err)
	}
	for _, name := range notebooks {
		page := path.Join(t.page, t.folder, filepath.Base(name))
		if code, err := s.Status(ctx, page, s.Token); err != nil || code != http.StatusOK {
			return fmt.Errorf("%s: answer %d (%v)", page, code, err)
		}
		if t.get {
			continue
		}
		report, err := execute(ctx, s, t.folder, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Println(report)
		if t.figure > 0 && report.firstFigure > t.figure {
			return fmt.Errorf("%s: the first cell with a figure took %.1f s, more than %v", name, report.firstFigure.Seconds(), t.figure)
		}
	}
	return nil
}

// completionLimit is how long a student may wait for the first completion: ten times what a quiet machine takes.
const completionLimit = 30 * time.Second

// report is what running one notebook was like.
type report struct {
	name                                       string
	cells, figures                             int
	kernel, firstCell, firstFigure, completion time.Duration
	completions                                int
	all                                        time.Duration
}

func (r report) String() string {
	return fmt.Sprintf("%s: %d cells and %d figures as in the notebook; kernel ready after %.1f s, first cell %.1f s, first cell with a figure %.1f s, all %.0f s; %d completions of lab.E in %.1f s",
		r.name, r.cells, r.figures, r.kernel.Seconds(), r.firstCell.Seconds(), r.firstFigure.Seconds(), r.all.Seconds(), r.completions, r.completion.Seconds())
}

// execute opens a notebook on the server with a kernel of its own and runs all cells.
func execute(ctx context.Context, s jupyter.Server, folder, name string) (r report, err error) {
	nb, err := jupyter.ReadNotebook(name)
	if err != nil {
		return r, err
	}
	r.name = filepath.Base(name)
	began := time.Now()
	k, err := s.OpenNotebook(ctx, path.Join(folder, r.name))
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, k.Close(context.WithoutCancel(ctx))) }()
	r.kernel = time.Since(began)
	var differences []error
	for i, c := range nb.Cells {
		if c.Type != "code" {
			continue
		}
		start := time.Now()
		got, err := k.Execute(ctx, c.Source.String())
		if err != nil {
			return r, fmt.Errorf("cell %d: %w", i+1, err)
		}
		took := time.Since(start)
		if r.cells++; r.cells == 1 {
			r.firstCell = took
		}
		for _, o := range got {
			if o.Data["image/png"] != nil {
				r.figures++
			}
		}
		if r.figures > 0 && r.firstFigure == 0 {
			r.firstFigure = took
		}
		if jupyter.Words(got) != jupyter.Words(c.Outputs) {
			differences = append(differences, fmt.Errorf("cell %d: the server has\n%s\nthe notebook has\n%s", i+1, jupyter.Words(got), jupyter.Words(c.Outputs)))
		}
	}
	r.all = time.Since(began)
	start := time.Now()
	// gopls reads the course's packages at the first completion. GoNB gives up on it after some seconds, without
	// an error, and gopls reads on: on a slow machine a student presses the key again, and so does this.
	for r.completions == 0 && time.Since(start) < completionLimit {
		if r.completions, err = k.Complete(ctx, "%%\nlab.E"); err != nil {
			return r, err
		}
	}
	r.completion = time.Since(start)
	if r.completions == 0 {
		differences = append(differences, errors.New("lab.E is not completed"))
	}
	return r, errors.Join(differences...)
}

// compareFiles compares all cells of two executed notebooks.
func compareFiles(executed, name string) error {
	theirs, err := jupyter.ReadNotebook(executed)
	if err != nil {
		return err
	}
	ours, err := jupyter.ReadNotebook(name)
	if err != nil {
		return err
	}
	if len(theirs.Cells) != len(ours.Cells) {
		return fmt.Errorf("%d cells against %d", len(theirs.Cells), len(ours.Cells))
	}
	var differences []error
	for i, c := range ours.Cells {
		if got, want := jupyter.Words(theirs.Cells[i].Outputs), jupyter.Words(c.Outputs); got != want {
			differences = append(differences, fmt.Errorf("cell %d: %s has\n%s\n%s has\n%s", i+1, executed, got, name, want))
		}
	}
	if len(differences) == 0 {
		fmt.Printf("%s: %d cells as in the notebook\n", executed, len(ours.Cells))
	}
	return errors.Join(differences...)
}
