package core

import (
	"context"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
)

// Settings are svm.Settings with all defaults filled in.
type Settings struct {
	Tol           float64
	MaxIterations int
	Seed          uint64
	Start         []float64
	Progress      func(svmkit.Progress) bool
	Best          func(*Proof)
	Stopped       bool // by Progress, before the run began
}

// Solver is an algorithm with its parameters.
type Solver interface {
	// Name returns the name that the trace of a fit reports.
	Name() string
	// Accepts returns a [*svmkit.ParamError] if the solver cannot solve problems of this form or
	// has an invalid parameter.
	Accepts(f Form) error
	// Solve improves β and reports to r, until r.Check or r.Ended says that the run is over. If it
	// can do no more before that, it calls r.Stall.
	Solve(t *Task, r *Run) error
}

// Step is a solver in a plan.
type Step struct {
	Solver
	Half bool // it may use half of the iterations; the next solver gets the rest
	Most int  // the number of iterations that it may use, if positive
}

// Stage is what one solver did in a fit: see svm.Stage.
type Stage struct {
	Solver              string
	Iterations, Updates int
	Status              svmkit.Status
	Reason              string
}

// Run is what a fit needs besides a solver: limits, certificates, and the best model so far. A
// solver calls Check when its own cheap measure says that it may be done, and Ended between checks.
// It never decides by itself that it has succeeded.
type Run struct {
	Ctx context.Context
	T   *Task
	Settings

	Beta                []float64 // the solver's iterate, starting at a feasible Settings.Start
	Unknowns            []float64 // (w, b) of a primal solver that hands over; nil for that of Beta
	Iterations, Updates int
	Begun               int    // 1 if an iteration has begun that Iterations does not count yet
	Incumbent           *Proof // the proof with the smallest gap so far
	Status              svmkit.Status
	Reason              string
	Trace               []Stage

	ticker   *ticker // nil without Progress
	estimate estimate
}

// NewRun returns a run at its start, which is zero or Settings.Start, made feasible.
func NewRun(ctx context.Context, t *Task, o Settings) *Run {
	r := &Run{Ctx: ctx, T: t, Settings: o, Beta: t.Memory.Zeros(t.Len())}
	if o.Start != nil {
		t.Repair(r.Beta, o.Start)
	}
	return r
}

// Fit runs a plan to its end. The run then has an incumbent, unless a kernel fails: Fit returns the
// kernel's error.
func Fit(ctx context.Context, t *Task, plan []Step, o Settings) (*Run, error) {
	r := NewRun(ctx, t, o)
	defer r.startTicker()()
	if o.Stopped {
		r.Status = svmkit.Stopped
	}
	if started := o.Start != nil; r.Ended() || started && r.Check() ||
		!started && t.constantIsOptimal() && r.Check() { // β is 0
		r.Trace = []Stage{{Solver: plan[0].Name()}} // it has nothing to do
	} else {
		if err := r.solve(plan); err != nil && ctx.Err() == nil {
			return nil, err
		}
	}
	if err := r.finish(); err != nil {
		return nil, err
	}
	return r, nil
}

// solve lets the solvers of the plan work, one after the other. If a solver stalls or uses up its
// share of the iterations, the next one continues from the best β.
func (r *Run) solve(plan []Step) error {
	all := r.MaxIterations
	for k, s := range plan {
		last, done := k == len(plan)-1, Stage{Solver: s.Name(), Iterations: -r.Iterations,
			Updates: -r.Updates}
		if s.Half && !last {
			r.MaxIterations = (all + 1) / 2
		}
		if s.Most > 0 && !last {
			r.MaxIterations = min(all, r.Iterations+s.Most)
		}
		err := r.run(s.Solver)
		r.MaxIterations = all
		status, reason := r.Status, r.Reason
		again, next := r.handOver(last || err != nil)
		if again {
			err = r.run(s.Solver)
		}
		if !next {
			status, reason = r.Status, r.Reason
		}
		done.Iterations, done.Updates, done.Status, done.Reason = done.Iterations+r.Iterations,
			done.Updates+r.Updates, status, reason
		r.Trace = append(r.Trace, done)
		if !next {
			return err
		}
	}
	return nil
}

// run lets one solver work. An iteration that it has begun counts.
func (r *Run) run(s Solver) error {
	err := s.Solve(r.T, r)
	r.Iterations, r.Begun = r.Iterations+r.Begun, 0
	return err
}

// handOver reports whether the present solver or the next one is to continue, with all iterations.
// If the relative gap is at most nearRoundoff, no other solver gets further.
func (r *Run) handOver(last bool) (again, next bool) {
	share := r.Status == svmkit.IterationLimit
	if last || !share && r.Status != svmkit.Stalled || r.Iterations >= r.MaxIterations {
		return false, false
	}
	near := r.Incumbent != nil && r.Incumbent.RelativeGap() <= nearRoundoff
	if near && !share {
		return false, false
	}
	r.Status, r.Reason = svmkit.Unfinished, ""
	if share && r.Check() { // no certificate has seen the last β of the solver
		return false, false
	}
	if share && r.Incumbent != nil && r.Incumbent.RelativeGap() <= nearRoundoff {
		return true, false
	}
	if r.Incumbent != nil {
		copy(r.Beta, r.Incumbent.Beta)
	}
	return false, true
}

// Sub returns a run on an equivalent form of the task. It continues from the β of r, with the same
// tolerance and limits.
func (r *Run) Sub(t *Task) *Run {
	on := *r
	on.T, on.Beta, on.Unknowns, on.Incumbent, on.Best, on.Trace = t, slices.Clone(r.Beta), nil, nil,
		nil, nil
	return &on
}

// Adopt copies the best β and the counts of sub into r, where sub is a run that Sub has returned.
func (r *Run) Adopt(on *Run) {
	r.Iterations, r.Updates = on.Iterations, on.Updates
	if on.Status == svmkit.Stopped {
		r.Status = on.Status
	}
	if on.Incumbent != nil {
		copy(r.Beta, on.Incumbent.Beta)
	}
}

// nearRoundoff is a relative gap below which handing over gains nothing.
const nearRoundoff = 1e-10

// Check certifies r.Beta. It returns true if the solver must stop, because the tolerance or a limit
// is reached or because the caller has stopped the fit.
func (r *Run) Check() (done bool) { return r.CheckBeta(r.Beta) }

// CheckBeta is Check for a β that is not the solver's iterate, which stays as it is.
func (r *Run) CheckBeta(beta []float64) (done bool) {
	proof := r.T.certifyUntil(r.Ctx, beta)
	if proof == nil {
		return r.Ended()
	}
	return r.consider(proof)
}

// Allowed returns the largest gap that meets the tolerance at the given value of the objective.
func (r *Run) Allowed(objective float64) float64 { return r.Tol * r.T.Size(objective) }

// CheckPlane is Check for the plane of the solver instead of the plane of β. The unknowns are w,
// followed by b if there is a bias.
func (r *Run) CheckPlane(unknowns []float64) (done bool) {
	b := 0.0
	if len(unknowns) > r.T.Dim {
		b = unknowns[r.T.Dim]
	}
	return r.consider(r.T.CertifyPlane(unknowns[:r.T.Dim], b, r.Beta))
}

// estimate is what a solver's running sums say since the last certificate; 0 if they do not.
type estimate struct{ gap, violation float64 }

// Watched reports whether an estimate is shown to somebody.
func (r *Run) Watched() bool { return r.ticker != nil }

// Estimate says which gap, dual objective and KKT violation the solver's running sums have. It is for
// Progress only and has no influence on the run. A gap of +Inf is none.
func (r *Run) Estimate(gap, dual, violation float64) {
	if r.ticker == nil {
		return
	}
	e := estimate{violation: max(0, violation)}
	if gap > 0 && !math.IsInf(gap, 1) {
		e.gap = gap / r.T.Size(dual+gap)
	}
	r.ticker.whole.estimate = e
}

// consider is Check for a given proof.
func (r *Run) consider(proof *Proof) (done bool) {
	r.estimate = estimate{}
	r.keep(proof)
	if r.Progress != nil && r.Status != svmkit.Stopped {
		r.report(proof.Certificate, true)
	}
	return r.Ended()
}

// keep makes proof the incumbent if it is the best so far, and sets the status. A model with a
// number that is not finite never becomes the incumbent. If there is no incumbent yet, β = 0 takes
// its place, so there is one after every certificate.
func (r *Run) keep(proof *Proof) {
	if !proof.finite() {
		if r.Incumbent != nil {
			return
		}
		proof = r.T.Certify(make([]float64, r.T.Len()))
	}
	if r.Incumbent == nil || proof.Gap < r.Incumbent.Gap || math.IsInf(r.Incumbent.Gap, 1) &&
		math.IsInf(proof.Gap, 1) && proof.KKT < r.Incumbent.KKT {
		r.Incumbent = proof
		if r.Best != nil {
			r.Best(proof)
		}
	}
	switch {
	case r.Incumbent.RelativeGap() <= r.Tol:
		r.Status, r.Reason = svmkit.Optimal, ""
	case !r.T.Definite() && r.Incumbent.KKT <= r.Tol*r.T.ScoreUnit():
		r.Status, r.Reason = svmkit.Stationary, ""
	}
}

// Ended reports whether the run is over: it has succeeded or was stopped, the context has ended, or
// the iterations are used up.
func (r *Run) Ended() bool {
	switch r.tick(); {
	case r.Status != svmkit.Unfinished:
	case r.Ctx.Err() != nil:
		r.Status = svmkit.Cancelled
	case r.Iterations >= r.MaxIterations:
		r.Status = svmkit.IterationLimit
	default:
		return false
	}
	return true
}

// Stall ends the run because the solver can do no more.
func (r *Run) Stall(reason string) {
	if r.Status == svmkit.Unfinished {
		r.Status, r.Reason = svmkit.Stalled, reason
	}
}

// finish makes sure that there is an incumbent. It certifies r.Beta once more if the last
// certificate may be older, unless the run was interrupted: then it keeps an earlier proof or makes
// a cheap one. It returns the error of a kernel that fails.
func (r *Run) finish() error {
	switch r.Status {
	case svmkit.Optimal, svmkit.Stationary:
	case svmkit.Stopped, svmkit.Cancelled:
		if r.Incumbent == nil {
			r.Incumbent = r.interruptedProof()
		}
	default:
		proof := r.T.certifyUntil(r.Ctx, r.Beta)
		switch {
		case proof != nil:
			r.keep(proof)
			if !proof.finite() {
				r.Stall("the model overflowed float64")
			}
		case r.Ctx.Err() == nil:
			return r.T.KernelRows().Err
		case r.Incumbent == nil:
			r.Status = svmkit.Cancelled
		}
		r.Stall("no further progress")
	}
	if r.Incumbent == nil || !r.Incumbent.finite() {
		r.Incumbent = r.T.Certify(make([]float64, r.T.Len()))
	}
	if r.Status == svmkit.IterationLimit && r.T.Hard {
		r.Reason = "there may be no hard margin, or more iterations may reach it: a finite C " +
			"gives an answer in both cases"
	}
	if n := len(r.Trace); n > 0 {
		r.Trace[n-1].Status, r.Trace[n-1].Reason = r.Status, r.Reason
	}
	return nil
}

// Part returns a run for a part of the problem. It shares the context, the limits and the ticks of
// r, but reports no certificates.
func (r *Run) Part(t *Task) *Run {
	part := *r
	part.T, part.Beta, part.Unknowns, part.Progress, part.Best = t, t.Memory.Zeros(t.Len()), nil,
		nil, nil
	return &part
}
