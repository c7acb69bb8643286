package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/svmkit/course/svmkit"
)

// progress is one line on a terminal that is written over again and again. On anything but
// a terminal it stays silent.
type progress struct {
	w     io.Writer  // nil: silent
	mutex sync.Mutex // of the line: models for many classes are fitted at once
	last  time.Time
	start time.Time
	shown bool
	hook  func() // tests: called at every report of a fit
}

const progressEvery = 200 * time.Millisecond

func newProgress(w io.Writer) *progress {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return &progress{}
	}
	return &progress{w: file}
}

// fit is a callback for svm.Settings.Progress.
func (p *progress) fit(q svmkit.Progress) bool { return p.fitOf("", q) }

// show replaces the line, unless it did so a moment ago.
func (p *progress) show(text string) {
	if p.w == nil {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	now := time.Now()
	if p.start.IsZero() {
		p.start, p.last = now, now
	}
	if now.Sub(p.last) < progressEvery {
		return
	}
	p.last, p.shown = now, true
	fmt.Fprintf(p.w, "\r\x1b[K%s, %.0f s", text, now.Sub(p.start).Seconds())
}

// clear removes the line.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// count shows how many of some things are done.
func (p *progress) count(things string, done, of int) {
	if p.hook != nil {
		p.hook()
	}
	p.show(fmt.Sprintf("%d of %d %s", done, of, things))
}

// fitOf is fit for one of several fits, which what names. It may be called by them at once.
func (p *progress) fitOf(what string, q svmkit.Progress) bool {
	if p.hook != nil {
		p.hook()
	}
	text := fmt.Sprintf("%siteration %d", what, q.Iteration)
	if gap := q.RelativeGap(); !math.IsInf(gap, 1) {
		text += fmt.Sprintf(", relative gap %.2g", gap)
	}
	p.show(text)
	return true
}
