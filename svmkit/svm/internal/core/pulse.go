package core

import (
	"sync/atomic"
	"time"

	"github.com/svmkit/course/svmkit"
)

// pulse says when a tick is due. Run.Ended, which solvers call every millisecond or so, looks at it: that costs the
// load of a bool.
type pulse struct {
	due   atomic.Bool
	timer *time.Timer
	whole *Run // whose Progress is called; the runs of its parts tick for it
}

// startPulse makes the run tick, and returns what ends that.
func (r *Run) startPulse() (stop func()) {
	if r.Progress == nil {
		return func() {}
	}
	p := &pulse{whole: r}
	p.timer = time.AfterFunc(svmkit.ProgressEvery, func() { p.due.Store(true) })
	r.pulse = p
	return func() { p.timer.Stop() }
}

// Interrupted reports whether the context has ended, or the caller has stopped the run: for loops within an
// iteration, where Ended would also ask for the limit of iterations.
func (r *Run) Interrupted() bool {
	r.tick()
	return r.Ctx.Err() != nil || r.Status == svmkit.Stopped
}

// tick calls Progress if that is due. It must be called from the goroutine that the fit was called from.
func (r *Run) tick() {
	if r.pulse == nil {
		return
	}
	whole := r.pulse.whole
	if r.pulse.due.Load() && whole.Status == svmkit.Unfinished && r.Status == svmkit.Unfinished {
		best := svmkit.Unproved()
		if whole.Incumbent != nil {
			best = whole.Incumbent.Certificate
		}
		whole.report(best, false)
	}
	if whole.Status == svmkit.Stopped && r.Status == svmkit.Unfinished {
		r.Status = svmkit.Stopped
	}
}

// report calls Progress, which is not nil.
func (r *Run) report(c svmkit.Certificate, certified bool) {
	goOn := r.Progress(svmkit.Progress{Iteration: r.Iterations, Updates: r.Updates, Certified: certified, Certificate: c})
	if !goOn && r.Status == svmkit.Unfinished {
		r.Status = svmkit.Stopped
	}
	if r.pulse != nil {
		r.pulse.due.Store(false)
		r.pulse.timer.Reset(svmkit.ProgressEvery)
	}
}
