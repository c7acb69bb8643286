package svm

import (
	"context"
	"math"

	"github.com/svmkit/course/svmkit"
)

// run is what a fit keeps beside the solver: limits, certificates, the best model so far.
// A solver calls check when its own cheap measure says that it may be done, and ended between
// checks; it never decides by itself that it has succeeded.
type run struct {
	ctx context.Context
	t   *task
	Settings

	beta            []float64 // where the solver works; it starts at Settings.Start, feasible
	epochs, updates int
	best            *Proof // smallest gap so far
	status          Status
	reason          string
}

func newRun(ctx context.Context, t *task, o Settings) *run {
	r := &run{ctx: ctx, t: t, Settings: o, beta: make([]float64, t.len())}
	if o.Start != nil {
		t.repair(r.beta, o.Start)
	}
	return r
}

// check certifies r.beta and returns true if the solver has to stop: the tolerance is reached,
// a limit is, or the caller wants no more.
func (r *run) check() (done bool) { return r.consider(r.t.certify(r.beta)) }

// consider is check for a proof that the solver made by itself.
func (r *run) consider(proof *Proof) (done bool) {
	if r.best == nil || proof.Gap < r.best.Gap || math.IsInf(r.best.Gap, 1) && proof.KKT < r.best.KKT {
		r.best = proof
	}
	switch {
	case r.best.RelativeGap() <= r.Tol:
		r.status = Optimal
	case !r.t.definite() && proof.KKT <= r.Tol:
		r.status = Stationary
	}
	goOn := r.Progress == nil || r.Progress(svmkit.Progress{Epoch: r.epochs, Updates: r.updates, Certificate: proof.Certificate})
	if !goOn && r.status == Unfinished {
		r.status = Stopped
	}
	return r.status != Unfinished || r.ended()
}

// ended reports whether the context has ended or the epochs are used up.
func (r *run) ended() bool {
	switch {
	case r.ctx.Err() != nil:
		r.status = Cancelled
	case r.epochs >= r.MaxEpochs:
		r.status = EpochLimit
	default:
		return false
	}
	return true
}

// stall ends the run because the solver can do no more.
func (r *run) stall(reason string) {
	if r.status == Unfinished {
		r.status, r.reason = Stalled, reason
	}
}

// result makes the result of the best proof; it certifies r.beta if no check was made
// since it changed for the better.
func (r *run) result(p *Problem) *Result {
	if last := r.t.certify(r.beta); r.best == nil || last.Gap < r.best.Gap {
		r.best = last
		if last.RelativeGap() <= r.Tol {
			r.status, r.reason = Optimal, ""
		}
	}
	return &Result{Model: *newModel(p, r.t, r.best), Proof: *r.best, Status: r.status, Reason: r.reason,
		Epochs: r.epochs, Updates: r.updates}
}
