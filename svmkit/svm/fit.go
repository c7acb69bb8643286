package svm

import (
	"context"
	"math"
	"reflect"
	"runtime"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/parallel"
)

// Solver says how a problem is solved. The solvers of this package are structs whose exported
// fields are their knobs; zero values mean documented defaults. A solver value is never
// changed by a fit, so one may serve several fits at once.
type Solver interface {
	// name is what Result.Solver reports.
	name() string
	// accepts returns nil, or why the solver cannot work on the task.
	accepts(t *task) error
	// solve improves β (and reports to r) until r.check says that it is enough.
	solve(t *task, r *run) error
}

// Settings are what all solvers have in common. The zero value, like nil, means the defaults.
type Settings struct {
	Tol       float64                    // relative duality gap to reach, Gap/max(1, |Primal|, |Dual|); 0 means 1e-3
	MaxEpochs int                        // passes over the data; 0 means 10,000
	Seed      uint64                     // of the solver's own random numbers: same seed, same bits
	Start     []float64                  // β to start from, as in Result.Beta; nil means 0. It is made feasible first
	Progress  func(svmkit.Progress) bool // called at every certificate; false stops the fit. May be nil
	Best      func(*Proof)               // called at every certificate that is the best so far: a fit with its Beta as Start goes on from there. May be nil
}

// Result is a model with the proof of how good it is. Of its many fields, those to look at first
// are Status, Primal, Dual and [svmkit.Certificate.RelativeGap]; Weights and Model.Bias of a
// linear machine, SV and Coef of one with a kernel; Beta, a number a row, or its size Alpha.
type Result struct {
	Model
	Proof
	Status  svmkit.Status
	Reason  string // more about Status, for people; may be empty
	Solver  string // which solver did it
	Epochs  int    // passes over the data, in the solver's own unit
	Updates int    // changes of single coordinates; Newton's steps
}

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
// Result.Solver says which it was:
//
//   - [Decomposition] for the RBF kernel with 500 rows or more and a finite C;
//   - [SMO] for every other kernel but the linear one, and for a hard margin;
//   - [Newton] for the logistic loss;
//   - [ProximalNewton] for all others with up to 1,000 columns, and no more columns than rows;
//   - [DualCoordinate] for the rest. Up to 2,000 columns, ProximalNewton goes on where it stalls or half
//     of the epochs do not suffice, and Result.Solver says so.
//
// The result is the best model met, judged by certificates that [Problem.Certify] makes, not by
// the solver: Status is Optimal only if the relative gap, recomputed from the data, is
// at most Settings.Tol. Not getting there is no error but another Status. When ctx ends, the
// best model so far is returned together with ctx's error: soon, or after one pass over the data of a linear
// problem of which no certificate has been made yet.
//
// A hard margin (C = +Inf) on data that no plane separates is an [*InseparableError] that
// holds the proof. With a kernel, or for a hard tube, nobody looks for one: such a fit ends as
// Stalled or EpochLimit with an infinite gap.
//
// All other errors are of the input, and there is no result: a [*svmkit.ParamError] if problem,
// solver and settings do not go together, a [*svmkit.DataError] for the data (labels other
// than ±1 too, unless the loss is one of regression), or that of a kernel without a finite value.
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
	if v := reflect.ValueOf(s); v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, &svmkit.ParamError{Name: "Solver", Value: nil, Need: "must not be a nil pointer (nil itself chooses one)"}
	}
	memory := borrowWorkspace()
	result, err := newTaskIn(memory, p).fit(ctx, p, s, settings)
	memory.giveBack() // not after a panic: then threads may still be at work in it
	return result, err
}

// fit is Fit for a problem that has been checked.
func (t *task) fit(ctx context.Context, p *Problem, s Solver, settings Settings) (*Result, error) {
	// No more threads than find work: certificates have blocks of rows, Newton methods blocks of values.
	t.crew = parallel.NewCrew(min(runtime.GOMAXPROCS(0), max((t.len()+tallyRows-1)/tallyRows, t.len()*t.dim/blockWork)))
	defer t.crew.Close()
	var next Solver
	if s == nil {
		s = choose(t)
		next = second(t, s)
	}
	if err := s.accepts(t); err != nil {
		return nil, err
	}
	if err := hardMarginExists(ctx, p); err != nil && ctx.Err() == nil {
		return nil, err
	}
	r := newRun(ctx, t, settings)
	if started := settings.Start != nil; !r.ended() && !(started && r.check()) {
		if err := r.solve(s, next); err != nil && ctx.Err() == nil {
			return nil, err
		}
	}
	result := r.result(p)
	result.Solver = s.name()
	if r.variant != "" {
		result.Solver += ": " + r.variant
	}
	if result.Status == svmkit.Cancelled {
		return result, ctx.Err()
	}
	return result, nil
}

func (o *Settings) prepare(n int) error {
	switch {
	case o.Tol == 0:
		o.Tol = 1e-3
	case !(o.Tol > 0) || math.IsInf(o.Tol, 1):
		return &svmkit.ParamError{Name: "Tol", Value: o.Tol, Need: "must be positive and finite (0 means 1e-3)"}
	}
	switch {
	case o.MaxEpochs == 0:
		o.MaxEpochs = 10_000
	case o.MaxEpochs < 0:
		return &svmkit.ParamError{Name: "MaxEpochs", Value: o.MaxEpochs, Need: "must be positive (0 means 10,000)"}
	}
	if o.Start != nil && len(o.Start) != n {
		return &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrMismatch}
	}
	for i, v := range o.Start {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: v, Err: svmkit.ErrNotFinite}
		}
	}
	return nil
}

// InseparableError is the answer to a hard margin on data that no plane separates.
type InseparableError struct{ Separation *Separation }

func (e *InseparableError) Error() string {
	return "svm: no plane separates the data, so no hard margin exists: Separation.Common names a point in both hulls"
}

// hardMarginExists returns an error if C = +Inf asks for a separating plane and it is proved
// that there is none. It decides linear classification; for kernels and regression a
// solver finds out by not converging.
func hardMarginExists(ctx context.Context, p *Problem) error {
	if !math.IsInf(p.C.C, 1) || p.Regression() || !linear(p.Kernel) {
		return nil
	}
	sep, err := Separate(ctx, p.Data, p.Bias)
	if err != nil {
		return err
	}
	if sep.Answer == Inseparable {
		return &InseparableError{Separation: sep}
	}
	return nil
}
