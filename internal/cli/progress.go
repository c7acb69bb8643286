package cli

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// Progress is one line on a terminal that is written again and again. On anything else, and as the zero
// value, it is silent. It is safe for concurrent use.
type Progress struct {
	Hook func(text string) // is called at every report, for tests; may be nil

	w      io.Writer  // nil: silent
	mutex  sync.Mutex // of the line
	within string
	last   time.Time
	start  time.Time
	shown  bool
}

const progressEvery = 200 * time.Millisecond

// NewProgress returns the line on w.
func NewProgress(w io.Writer) *Progress {
	if !IsTerminal(w) {
		return &Progress{}
	}
	return &Progress{w: w}
}

// Show replaces the line, at most once in 200 ms. In the first 200 ms there is no line, so that a short
// task shows none.
func (p *Progress) Show(text string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.within != "" && text != "" {
		text = p.within + "; " + text
	} else if text == "" {
		text = p.within
	}
	if p.Hook != nil {
		p.Hook(text)
	}
	if p.w == nil {
		return
	}
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

// Within sets what the texts of Show are a part of, as in "3 of 30 fits", and shows it if it is new.
func (p *Progress) Within(text string) {
	p.mutex.Lock()
	old := p.within
	p.within = text
	p.mutex.Unlock()
	if old != text {
		p.Show("")
	}
}

// Clear removes the line.
func (p *Progress) Clear() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
