// Package progress shows what a long command is doing: a bar in a terminal, a line for each finished job
// elsewhere.
package progress

import (
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Progress counts jobs. It is safe for concurrent use.
type Progress struct {
	command string // for lines
	out     io.Writer
	mu      sync.Mutex
	bar     *progressbar.ProgressBar // nil if out is no terminal
}

// New begins to count up to the number of jobs of the named command.
func New(command string, out io.Writer, jobs int) *Progress {
	p := &Progress{command: command, out: out}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.bar = progressbar.NewOptions(jobs, progressbar.OptionSetWriter(out), progressbar.OptionShowCount(), progressbar.OptionSetWidth(20),
			progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(false))
	}
	return p
}

// Say names the work at hand.
func (p *Progress) Say(format string, args ...any) {
	if p.bar != nil {
		p.bar.Describe(fmt.Sprintf(format, args...))
	}
}

// Done counts a finished job.
func (p *Progress) Done(name string) {
	if p.bar != nil {
		_ = p.bar.Add(1) // an error of drawing does not stop the work
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.out, "%s: %s\n", p.command, name)
}

// Finish removes the bar.
func (p *Progress) Finish() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
