package svm

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/separate"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// Settings are what all solvers have in common. The zero value, like nil, means the defaults.
type Settings struct {
	Tol           float64                    // relative duality gap to reach, Gap/max(1, |Primal|, |Dual|); 0 means 1e-3
	MaxIterations int                        // of the solver, whose documentation says what one is: mostly a pass over the data; 0 means 10,000
	Seed          uint64                     // of the solver's own random numbers: same seed, same bits
	Start         []float64                  // β to start from, as in Result.Beta; nil means 0. It is made feasible first
	Progress      func(svmkit.Progress) bool // called at every certificate but the last of a fit that ends at a limit, and where none is made every svmkit.ProgressEvery; false stops the fit. May be nil
	Best          func(*Proof)               // called at every certificate that is the best so far, with a copy: a fit with its Beta as Start goes on from there. May be nil
}

// Result is a model with the proof of how good it is. Of its many fields, those to look at first
// are Status, Primal, Dual and [svmkit.Certificate.RelativeGap]; Weights and Model.Bias of a
// linear model, SV and Coef of one with a kernel; Beta, a number a row, or its size Alpha.
type Result struct {
	Model
	Proof
	Status     svmkit.Status
	Reason     string // more about Status, for people; may be empty
	Trace      Trace  // which solvers worked, in their order
	Iterations int    // of all solvers, each in its own unit
	Updates    int    // changes of single coordinates; Newton's steps
}

// Stage is what one solver did in a fit.
type Stage struct {
	Solver              string
	Iterations, Updates int           // its own
	Status              svmkit.Status // why it ended
	Reason              string        // more about Status, for people; may be empty
}

// Trace is the stages of a fit: mostly one, and one more for each solver that went on where the one before
// could do no more. The first one has no
// iterations where the context had ended before, or Settings.Start was optimal.
type Trace []Stage

// String returns the names of the solvers, as in "dual coordinate descent, then proximal Newton".
func (t Trace) String() string {
	names := make([]string, len(t))
	for i, s := range t {
		names[i] = s.Solver
	}
	return strings.Join(names, ", then ")
}

// FitStatus returns Status.
func (r *Result) FitStatus() svmkit.Status { return r.Status }

// Alpha returns the dual variables of the notes, αᵢ = |βᵢ|. In classification βᵢ = αᵢyᵢ; in
// regression βᵢ < 0 is α⁺ (the score is above the tube) and βᵢ > 0 is α⁻.
func (r *Result) Alpha() []float64 {
	alpha := make([]float64, len(r.Beta))
	for i, b := range r.Beta {
		alpha[i] = math.Abs(b)
	}
	return alpha
}

// Fit solves p; o may be nil. With s nil the solver is chosen for the problem, and
// Result.Trace says which it was:
//
//   - [Decomposition] for the RBF kernel with 500 rows or more and a finite C;
//   - [SMO] for every other kernel but the linear one, and for a hard margin;
//   - [Newton] for the logistic loss;
//   - [ProximalNewton] for all others with up to 1,000 columns, and no more columns than rows;
//   - [DualCoordinate] for the rest. Up to 2,000 columns, ProximalNewton goes on where it stalls or half
//     of the iterations do not suffice; for up to 2,000 rows of more columns, Newton's method in the span of
//     the rows does when coordinate descent has cost as much. Result.Trace says so.
//
// The result is the best model met, judged by certificates that [Problem.Certify] makes, not by
// the solver: Status is Optimal only if the relative gap, recomputed from the data, is
// at most Settings.Tol. Not getting there is no error but another Status. When ctx ends, the
// best model so far is returned together with ctx's error. Before the first certificate that is the
// solver's β, whose certificate takes a pass over the data; with a kernel only the largest numbers of β, as many as
// can be certified within half a second, or β = 0 where that is better. Where Settings.Progress returns false it is returned so, too, without an error.
//
// A hard margin (C = +Inf) on data that no plane separates is an [*InseparableError] that
// holds the proof. With a kernel, or for a hard tube, there is no such proof: the fit ends as
// Stalled or IterationLimit with an infinite gap.
//
// All other errors are of the input, and there is no result: a [*svmkit.ParamError] if problem,
// solver and settings do not go together, a [*svmkit.DataError] for the data, or that of a kernel without a finite
// value. The loss says what Y has to be: for a loss of classification the labels ±1 ([svmkit.ErrLabel] if not), for
// one of regression targets, so that Data.Classes is nil ([svmkit.ErrNotTargets] if not). Labels ±1 without names are
// targets, too: SquaredEpsInsensitive with ε = 0 makes a least-squares classifier of them.
// A linear problem of more than 2²⁷ columns needs a stored number for every 64 of them: such widths mostly come
// from a broken index, and w has a number for each column.
//
// The data are not copied: they must not change before Fit returns.
func Fit(ctx context.Context, p *Problem, s Solver, o *Settings) (*Result, error) {
	if ctx == nil {
		return nil, &svmkit.ParamError{Name: "ctx", Value: nil, Need: "must not be nil"}
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	var settings Settings
	if o != nil {
		settings = *o
	}
	if err := settings.prepare(p.Data.Len()); err != nil {
		return nil, err
	}
	if err := p.Check(s); err != nil {
		return nil, err
	}
	s, _ = valueOf(s) // without an error, by Check
	memory := core.BorrowWorkspace()
	part := p.withoutZeroWeights()
	problem := part.core()
	workers := core.NewWorkers(problem)
	defer workers.Close() // after a panic of Progress, too
	result, err := fit(ctx, p, part, core.NewTaskIn(memory, workers, problem), s, settings)
	memory.GiveBack() // not after a panic: then threads may still be at work in it
	return result, err
}

// fit is Fit for a problem that has been checked, its part that counts and the task of that.
func fit(ctx context.Context, p *Problem, part reducedProblem, t *core.Task, s Solver, settings Settings) (*Result, error) {
	var steps []core.Step
	if s == nil {
		steps = choose(t)
	} else {
		steps = plan(part.follow(s), t.Form)
	}
	stopped, err := hardMarginExists(ctx, p, settings.Progress)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	o := settings.core(part)
	o.Stopped = stopped
	r, err := core.Fit(ctx, t, steps, o)
	if err != nil {
		return nil, part.err(err)
	}
	if r.Status == svmkit.Cancelled {
		err = ctx.Err()
	}
	return newResult(part, r), err
}

func newResult(part reducedProblem, r *core.Run) *Result {
	result := &Result{Model: *newModel(part, r.T, r.Incumbent.Beta, r.Incumbent.Plane), Proof: *part.proof(r.Incumbent), Status: r.Status, Reason: r.Reason,
		Iterations: r.Iterations, Updates: r.Updates}
	for _, s := range r.Trace {
		result.Trace = append(result.Trace, Stage(s))
	}
	return result
}

// core returns the settings in the form that the solvers of the part take.
func (o Settings) core(part reducedProblem) core.Settings {
	s := core.Settings{Tol: o.Tol, MaxIterations: o.MaxIterations, Seed: o.Seed, Progress: o.Progress}
	s.Start, _ = part.of(o.Start)
	if o.Best != nil {
		s.Best = func(p *core.Proof) {
			own := *p // so that nothing that the caller does with it changes the fit
			own.Beta, own.W = slices.Clone(p.Beta), slices.Clone(p.W)
			o.Best(part.proof(&own))
		}
	}
	return s
}

func (o *Settings) prepare(n int) error {
	switch {
	case o.Tol == 0:
		o.Tol = 1e-3
	case !(o.Tol > 0) || math.IsInf(o.Tol, 1):
		return &svmkit.ParamError{Name: "Tol", Value: o.Tol, Need: "must be positive and finite (0 means 1e-3)"}
	}
	switch {
	case o.MaxIterations == 0:
		o.MaxIterations = 10_000
	case o.MaxIterations < 0:
		return &svmkit.ParamError{Name: "MaxIterations", Value: o.MaxIterations, Need: "must be positive (0 means 10,000)"}
	}
	if o.Start == nil {
		return nil
	}
	return core.ValidateBeta("Settings.Start", o.Start, n)
}

// ErrInseparable is the cause of an [InseparableError].
var ErrInseparable = &svmkit.Cause{
	Problem: "no plane separates the data, so no hard margin exists",
	Hint:    "give C a finite value, or take a kernel; Proof.Common names a point in both hulls",
}

// InseparableError is the answer to a hard margin on data that no plane separates.
type InseparableError struct{ Proof *separate.Proof }

func (e *InseparableError) Error() string { return "svm: " + svmkit.Describe(ErrInseparable, "") }

// Unwrap returns [ErrInseparable].
func (e *InseparableError) Unwrap() error { return ErrInseparable }

// hardMarginExists returns an error if C = +Inf asks for a separating plane and it is proved
// that there is none, and whether progress has stopped the search. It decides linear classification; for kernels and regression a
// solver finds out by not converging.
func hardMarginExists(ctx context.Context, p *Problem, progress func(svmkit.Progress) bool) (stopped bool, err error) {
	if !math.IsInf(p.C.C, 1) || p.Regression() || !core.Linear(p.Kernel) {
		return false, nil
	}
	watch := progress
	if progress != nil {
		watch = func(q svmkit.Progress) bool {
			q.Updates = 0 // of the fit, which has not begun
			stopped = !progress(q)
			return !stopped
		}
	}
	proof, err := separate.Watch(ctx, p.Data, p.Bias, watch)
	if err != nil {
		return stopped, err
	}
	if proof.Answer == separate.Inseparable {
		return stopped, &InseparableError{Proof: proof}
	}
	return stopped, nil
}
