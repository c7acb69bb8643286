package core

import (
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/tick"
)

// ticker says when a tick is due. Run.Ended, which solvers call every millisecond or so, looks at it.
type ticker struct {
	*tick.Tick
	whole *Run // whose Progress is called; the runs of its parts tick for it
}

// startTicker makes the run tick, and returns what ends that.
func (r *Run) startTicker() (stop func()) {
	if r.Progress == nil {
		return func() {}
	}
	r.ticker = &ticker{tick.Start(r.Progress), r}
	return r.ticker.Stop
}

// Interrupted reports whether the context has ended, or the caller has stopped the run: for loops within an
// iteration, where Ended would also ask for the limit of iterations.
func (r *Run) Interrupted() bool {
	r.tick()
	return r.Ctx.Err() != nil || r.Status == svmkit.Stopped
}

// tick calls Progress if that is due. It must be called from the goroutine that the fit was called from.
func (r *Run) tick() {
	if r.ticker == nil {
		return
	}
	whole := r.ticker.whole
	if r.ticker.Due() && whole.Status == svmkit.Unfinished && r.Status == svmkit.Unfinished {
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
	goOn := r.Progress(svmkit.Progress{Iteration: r.Iterations + r.Begun, Updates: r.Updates, Certified: certified, Certificate: c})
	if !goOn && r.Status == svmkit.Unfinished {
		r.Status = svmkit.Stopped
	}
	if r.ticker != nil {
		r.ticker.Reset()
	}
}
