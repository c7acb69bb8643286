package main

import (
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/svmkit/course/lessons/internal/notebook"
)

// progress shows how many cells are done: a bar in a terminal, a line for each finished
// notebook elsewhere. Its methods can be called from several goroutines.
type progress struct {
	mu  sync.Mutex
	out io.Writer
	bar *progressbar.ProgressBar // nil if out is no terminal
}

func newProgress(out io.Writer, jobs []job) *progress {
	p := &progress{out: out}
	f, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return p
	}
	cells := 0
	for _, j := range jobs {
		for _, c := range j.nb.Cells {
			if c.Kind == notebook.Code {
				cells++
			}
		}
	}
	p.bar = progressbar.NewOptions(cells, progressbar.OptionSetWriter(out), progressbar.OptionSetDescription("cells"),
		progressbar.OptionShowCount(), progressbar.OptionSetWidth(30), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetPredictTime(true))
	return p
}

// step counts one cell.
func (p *progress) step() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Add(1) // an error of drawing does not stop the work
	}
}

// done prints the line of a finished notebook.
func (p *progress) done(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	fmt.Fprintln(p.out, line)
}

// finish removes the bar.
func (p *progress) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Clear()
		p.bar = nil
	}
}
