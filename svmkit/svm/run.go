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
	status          svmkit.Status
	reason          string
	variant         string // of the solver, where it has several: Result.Solver names it too
}

func newRun(ctx context.Context, t *task, o Settings) *run {
	r := &run{ctx: ctx, t: t, Settings: o, beta: t.memory.zeros(t.len())}
	if o.Start != nil {
		t.repair(r.beta, o.Start)
	}
	return r
}

// solve lets s work and, where it can do no more or has used up half of the epochs, next from there on. next
// may be nil: then s has them all.
func (r *run) solve(s, next Solver) error {
	if next == nil {
		return s.solve(r.t, r)
	}
	all := r.MaxEpochs
	r.MaxEpochs = (all + 1) / 2
	err := s.solve(r.t, r)
	r.MaxEpochs = all
	used := r.status == svmkit.IterationLimit // its half of the epochs
	switch {
	case err != nil || r.epochs >= all || !used && r.status != svmkit.Stalled:
		return err
	case !used && r.best.RelativeGap() <= noMoreToGain:
		return nil
	}
	r.status, r.reason = svmkit.Unfinished, ""
	switch {
	case used && r.check(): // no certificate has seen its last β
		return nil
	case used && r.best.RelativeGap() <= noMoreToGain:
		return s.solve(r.t, r)
	}
	r.variant = "ended by " + next.name()
	return next.solve(r.t, r)
}

// noMoreToGain is a relative gap below which it is not worth a matrix of the square of the columns to go on: those who
// ask for less are near to what rounding allows.
const noMoreToGain = 1e-10

// check certifies r.beta and returns true if the solver has to stop: the tolerance is reached,
// a limit is, or the caller wants no more.
func (r *run) check() (done bool) {
	proof := r.t.certifyUntil(r.ctx, r.beta)
	if proof == nil {
		return r.ended()
	}
	return r.consider(proof)
}

// checkPlane is check for the solver's own plane, and not that of β: unknowns is w, followed by b if there is one.
func (r *run) checkPlane(unknowns []float64) (done bool) {
	b := 0.0
	if len(unknowns) > r.t.dim {
		b = unknowns[r.t.dim]
	}
	return r.consider(r.t.certifyPlane(unknowns[:r.t.dim], b, r.beta))
}

// consider is check for a proof that the solver made by itself.
func (r *run) consider(proof *Proof) (done bool) {
	r.keep(proof)
	goOn := r.Progress == nil || r.Progress(svmkit.Progress{Epoch: r.epochs, Updates: r.updates, Certificate: proof.Certificate})
	if !goOn && r.status == svmkit.Unfinished {
		r.status = svmkit.Stopped
	}
	return r.ended()
}

// keep takes proof if it is the best so far, and sees whether that is good enough. A model with an
// infinite number, or one that is none, is never the best; β = 0 is, where nothing else was met: so there is
// a best one after every certificate.
func (r *run) keep(proof *Proof) {
	if !proof.finite() {
		if r.best != nil {
			return
		}
		proof = r.t.certify(make([]float64, r.t.len()))
	}
	if r.best == nil || proof.Gap < r.best.Gap || math.IsInf(r.best.Gap, 1) && math.IsInf(proof.Gap, 1) && proof.KKT < r.best.KKT {
		r.best = proof
		if r.Best != nil {
			r.Best(proof)
		}
	}
	switch {
	case r.best.RelativeGap() <= r.Tol:
		r.status, r.reason = svmkit.Optimal, ""
	case !r.t.definite() && r.best.KKT <= r.Tol:
		r.status, r.reason = svmkit.Stationary, ""
	}
}

// ended reports whether the run is over: it has succeeded or was stopped, the context has
// ended, or the epochs are used up.
func (r *run) ended() bool {
	switch {
	case r.status != svmkit.Unfinished:
	case r.ctx.Err() != nil:
		r.status = svmkit.Cancelled
	case r.epochs >= r.MaxEpochs:
		r.status = svmkit.IterationLimit
	default:
		return false
	}
	return true
}

// stall ends the run because the solver can do no more.
func (r *run) stall(reason string) {
	if r.status == svmkit.Unfinished {
		r.status, r.reason = svmkit.Stalled, reason
	}
}

// result makes the result of the best proof. Where the last check may be older than r.beta,
// it makes one more, except after a cancellation: then nobody waits for a pass over the data
// if there is any earlier proof, and otherwise the start or, at once, the zero model serves.
func (r *run) result(p *Problem) *Result {
	switch r.status {
	case svmkit.Optimal, svmkit.Stationary, svmkit.Stopped:
	case svmkit.Cancelled:
		if r.best == nil && r.t.linear() {
			r.best = r.t.certify(r.beta)
		} else if r.best == nil {
			r.best = r.t.certify(make([]float64, r.t.len()))
		}
	default:
		proof := r.t.certifyUntil(r.ctx, r.beta)
		if proof != nil {
			r.keep(proof)
			if !proof.finite() {
				r.stall("the numbers of the last model have outgrown float64")
			}
		}
		r.stall("the solver came to its end")
		if r.best == nil && proof == nil {
			r.status = svmkit.Cancelled
		}
	}
	if r.best == nil || !r.best.finite() {
		r.best = r.t.certify(make([]float64, r.t.len()))
	}
	return &Result{Model: *newModel(p, r.t, r.best), Proof: *r.best, Status: r.status, Reason: r.reason,
		Epochs: r.epochs, Updates: r.updates}
}
