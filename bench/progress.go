package main

import (
	"fmt"
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows what is measured now: a bar in a terminal, a line for each finished job
// elsewhere.
type progress struct {
	out io.Writer
	bar *progressbar.ProgressBar // nil if out is no terminal
}

func newProgress(out io.Writer, jobs int) *progress {
	p := &progress{out: out}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.bar = progressbar.NewOptions(jobs, progressbar.OptionSetWriter(out), progressbar.OptionShowCount(), progressbar.OptionSetWidth(20),
			progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(false))
	}
	return p
}

// say names the work at hand.
func (p *progress) say(format string, args ...any) {
	if p.bar != nil {
		p.bar.Describe(fmt.Sprintf(format, args...))
	}
}

// done counts a finished job.
func (p *progress) done(name string) {
	if p.bar != nil {
		_ = p.bar.Add(1) // a bar that cannot be drawn is no reason to stop
		return
	}
	fmt.Fprintln(p.out, "bench:", name)
}

// finish takes the bar away, so that what follows starts on a clean line.
func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
