package core

import (
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/tick"
)

// ticker tells when a call of Progress is due. Solvers call Run.Ended every millisecond or so, and
// Run.Ended asks the ticker.
type ticker struct {
	*tick.Tick
	whole *Run // the run whose Progress is called; runs on its parts tick for it
}

// startTicker starts the ticker of a run and returns the function that stops it.
func (r *Run) startTicker() (stop func()) {
	if r.Progress == nil {
		return func() {}
	}
	r.ticker = &ticker{tick.Start(r.Progress), r}
	return r.ticker.Stop
}

// Interrupted reports whether the context has ended or the caller has stopped the run. It is for
// loops within an iteration, where Ended would also check the limit of iterations.
func (r *Run) Interrupted() bool {
	r.tick()
	return r.Ctx.Err() != nil || r.Status == svmkit.Stopped
}

// tick calls Progress if a call is due. It must be called from the goroutine that called the fit.
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

// report calls Progress, which must not be nil.
func (r *Run) report(c svmkit.Certificate, certified bool) {
	goOn := r.Progress(svmkit.Progress{Iteration: r.Iterations + r.Begun, Updates: r.Updates,
		Certified: certified, Certificate: c, Estimate: r.estimate.gap, Violation: r.estimate.violation})
	if !goOn && r.Status == svmkit.Unfinished {
		r.Status = svmkit.Stopped
	}
	if r.ticker != nil {
		r.ticker.Reset()
	}
}
