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

// Progress counts steps. It is safe for concurrent use.
type Progress struct {
	command string // for lines
	out     io.Writer
	mu      sync.Mutex
	bar     *progressbar.ProgressBar // nil if out is no terminal, and after Finish
}

// New begins to count up to the number of steps of the named command. The options change the bar.
func New(command string, out io.Writer, steps int, options ...progressbar.Option) *Progress {
	p := &Progress{command: command, out: out}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.bar = progressbar.NewOptions(steps, append([]progressbar.Option{progressbar.OptionSetWriter(out), progressbar.OptionShowCount(),
			progressbar.OptionSetWidth(20), progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(false)}, options...)...)
	}
	return p
}

// Say names the current work.
func (p *Progress) Say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		p.bar.Describe(fmt.Sprintf(format, args...))
	}
}

// Step counts one step.
func (p *Progress) Step() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Add(1) // an error of drawing does not stop the work
	}
}

// Line prints a line.
func (p *Progress) Line(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	fmt.Fprintln(p.out, text)
}

// Done counts a finished job as a step, and prints its name where there is no bar.
func (p *Progress) Done(name string) {
	p.Step()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar == nil {
		fmt.Fprintf(p.out, "%s: %s\n", p.command, name)
	}
}

// Finish removes the bar.
func (p *Progress) Finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Clear()
		p.bar = nil
	}
}
