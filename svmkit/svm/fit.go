package svm

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/separate"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// Settings holds the settings that all solvers share. The zero value and nil mean the defaults.
type Settings struct {
	// Tol is the relative duality gap to reach, see svmkit.Certificate.RelativeGap; default 1e-3.
	Tol float64
	// MaxIterations limits the iterations of the solver; default 10,000. The documentation of the
	// solver defines an iteration, which is often a pass over the data.
	MaxIterations int
	// Seed is the seed of the solver's random numbers. The same seed gives a bit-identical result.
	Seed uint64
	// Start is the β to start from, such as a Result.Beta; default 0. It is made feasible first.
	Start []float64
	// Progress is called at every certificate, and at least every svmkit.ProgressEvery in between.
	// The last certificate of a fit that reaches a limit is skipped. The fit stops if Progress
	// returns false. It may be nil.
	Progress func(svmkit.Progress) bool
	// Best is called with a copy of each new best proof. To resume a fit, set Start to its Beta. It
	// may be nil.
	Best func(*Proof)
}

// Result is a trained model with a proof of how good it is.
//
// Look first at Status, Primal, Dual and [svmkit.Certificate.RelativeGap]. A linear model is in
// Weights and Model.Bias, and a kernel model in SV and Coef. Beta has one number per row, and Alpha
// returns their sizes.
type Result struct {
	Model
	Proof
	Status     svmkit.Status
	Reason     string // an explanation of Status for people; may be empty
	Trace      Trace  // the solvers that ran, in order
	Iterations int    // sum over the solvers, each in its own unit
	Updates    int    // changes of single coordinates, or Newton steps
}

// Stage describes the part of a fit that one solver did.
type Stage struct {
	Solver              string
	Iterations, Updates int           // numbers for this solver
	Status              svmkit.Status // why it ended
	Reason              string        // an explanation of Status for people; may be empty
}

// Trace lists the stages of a fit, one for each solver that ran.
//
// A second stage begins when a solver can do no more and another one continues. The first stage has
// no iterations if the context had already ended, or if Settings.Start or a constant model is
// optimal.
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

// Alpha returns the dual variables αᵢ = |βᵢ|. In classification βᵢ = αᵢyᵢ. In regression βᵢ < 0 is
// α⁺ (the score is above the tube) and βᵢ > 0 is α⁻.
func (r *Result) Alpha() []float64 {
	alpha := make([]float64, len(r.Beta))
	for i, b := range r.Beta {
		alpha[i] = math.Abs(b)
	}
	return alpha
}

// Fit solves p and returns the best model found, with a proof of how good it is.
//
// Certificates of [Problem.Certify], and not the solver, decide which model is best. Status is
// Optimal only if the relative gap, recomputed from the data, is at most Settings.Tol. If the
// tolerance is not reached, err is nil and Status is not Optimal.
//
// o may be nil, and so may s. With a nil s, Fit chooses the solver, and Result.Trace names it:
//
//   - [Decomposition] for the RBF kernel with 500 rows or more and a finite C;
//   - [SMO] for every other kernel except the linear one, and for every hard margin;
//   - [Newton] for the logistic loss;
//   - [ProximalNewton] for all other problems with up to 1,000 columns and no more columns than
//     rows. [DualCoordinate] continues if it stalls;
//   - [DualCoordinate] for all other problems. For up to 2,000 columns, ProximalNewton continues if
//     DualCoordinate stalls or half of the iterations do not suffice. For more columns and up to
//     2,000 rows, Newton's method in the span of the rows continues when coordinate descent has
//     cost as much as that method.
//
// If ctx ends, Fit returns the best model so far and ctx.Err(). If Settings.Progress returns false,
// Fit returns the same model and a nil error. Before the first certificate, the model of a linear
// problem is the current iterate. With a kernel it keeps only the largest coefficients of the
// current iterate, as many as can be certified with a bounded number of kernel values; or it is the
// model of β = 0 if that is better.
//
// A hard margin (C = +Inf) on data that no plane separates is an [*InseparableError] with the
// proof. There is no such proof with a kernel, or for a hard tube: the fit then ends as Stalled or
// IterationLimit with an infinite gap. For a hard tube, Reason names the distance of a score from
// its tube.
//
// All other errors are about the input, and then there is no result. The error is a
// [*svmkit.ParamError] if problem, solver and settings do not fit together (see [Problem.Check]), a
// [*svmkit.DataError] for the data, or a [*kernel.EvalError] for a kernel without a finite value.
//
// The loss determines what Y must hold. A loss of classification needs the labels ±1 (otherwise
// [svmkit.ErrLabel]). A loss of regression needs targets, with Data.Classes nil (otherwise
// [svmkit.ErrNotTargets]). Labels ±1 without names count as targets as well: SquaredEpsInsensitive
// with ε = 0 makes a least-squares classifier of them. A linear problem with more than 2²⁷ columns
// must store a number for every 64 of them, because w has a number per column and such widths
// usually come from a wrong index.
//
// Fit does not copy the data. Do not change them before Fit returns.
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
	defer workers.Close() // also after a panic of Progress
	result, err := fit(ctx, p, part, core.NewTaskIn(memory, workers, problem), s, settings)
	memory.GiveBack() // not after a panic: then threads may still use it
	return result, err
}

// fit is Fit for a valid problem, its reduced problem and the task of the reduced problem.
func fit(ctx context.Context, p *Problem, part reducedProblem, t *core.Task, s Solver,
	settings Settings) (*Result, error) {
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
	result := &Result{Model: *newModel(part, r.T, r.Incumbent.Beta, r.Incumbent.Plane),
		Proof: *part.proof(r.Incumbent), Status: r.Status, Reason: r.Reason,
		Iterations: r.Iterations, Updates: r.Updates}
	for _, s := range r.Trace {
		result.Trace = append(result.Trace, Stage(s))
	}
	if r.Status.Limited() && r.T.Hard && r.T.TwoSided {
		result.Reason = strings.TrimPrefix(fmt.Sprintf("%s; a score is %.3g away from where it has "+
			"to be", r.Reason, result.KKT), "; ")
		result.Trace[len(result.Trace)-1].Reason = result.Reason
	}
	return result
}

// core returns the settings in the form that the solvers of the reduced problem take.
func (o Settings) core(part reducedProblem) core.Settings {
	s := core.Settings{Tol: o.Tol, MaxIterations: o.MaxIterations, Seed: o.Seed,
		Progress: o.Progress}
	s.Start, _ = part.of(o.Start)
	if o.Best != nil {
		s.Best = func(p *core.Proof) {
			own := *p // the caller may change it without changing the fit
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
		return &svmkit.ParamError{Name: "Tol", Value: o.Tol,
			Need: "must be positive and finite (0 means 1e-3)"}
	}
	switch {
	case o.MaxIterations == 0:
		o.MaxIterations = 10_000
	case o.MaxIterations < 0:
		return &svmkit.ParamError{Name: "MaxIterations", Value: o.MaxIterations,
			Need: "must be positive (0 means 10,000)"}
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

// InseparableError is the error for a hard margin on data that no plane separates.
type InseparableError struct{ Proof *separate.Proof }

// Error returns the message.
func (e *InseparableError) Error() string { return "svm: " + svmkit.Describe(ErrInseparable, "") }

// Unwrap returns [ErrInseparable].
func (e *InseparableError) Unwrap() error { return ErrInseparable }

// hardMarginExists returns an error if C = +Inf requires a separating plane and it is proved that
// there is none. It also returns whether progress has stopped the search. It decides linear
// classification only. For kernels and regression, the solver does not converge.
func hardMarginExists(ctx context.Context, p *Problem,
	progress func(svmkit.Progress) bool) (stopped bool, err error) {
	if !math.IsInf(p.C.C, 1) || p.Regression() || !kernel.IsLinear(p.Kernel) {
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
