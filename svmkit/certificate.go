package svmkit

import (
	"math"
	"time"
)

// Certificate holds the numbers that prove how close a fitted model is to the best possible one.
//
// The optimum lies between Dual and Primal by weak duality, so the model's objective is at most Gap
// above it. All numbers are recomputed from the data and the dual variables. They never come from a
// solver's running sums, so a solver cannot grade itself.
type Certificate struct {
	Primal float64 // primal objective at the model
	Dual   float64 // dual objective at a feasible α
	Gap    float64 // Primal − Dual, ≥ 0 up to rounding
	KKT    float64 // largest violation of the optimality conditions
	// least size of an objective in RelativeGap, in the unit of the objective
	Floor float64
}

// RelativeGap returns Gap / max(|Primal|, Floor), the number that every tolerance limits.
//
// It has no unit: it stays the same if columns, targets and costs are given in other units. A gap
// of 0 gives 0, and an infinite gap gives +Inf.
//
// Floor is 1e-12 of the objective at w = 0, b = 0; for targets and a free bias, at w = 0 and the
// best b. It matters only if the optimum is so close to zero that rounding hides how close. It is 0
// for a hard margin.
func (c Certificate) RelativeGap() float64 {
	if !(c.Gap > 0) || math.IsInf(c.Gap, 1) {
		return c.Gap
	}
	return c.Gap / max(math.Abs(c.Primal), c.Floor)
}

// Unproved returns the certificate of a model for which nothing is proved. Its gap is +Inf.
func Unproved() Certificate {
	return Certificate{Primal: math.Inf(1), Dual: math.Inf(-1), Gap: math.Inf(1), KKT: math.Inf(1)}
}

// ProgressEvery is the longest time between two calls of a progress function.
//
// A computation without news repeats its last report. A single step that cannot be interrupted may
// take longer.
const ProgressEvery = 250 * time.Millisecond

// Progress reports the state of a long computation to the caller's function.
//
// The function is called at least once in every [ProgressEvery]. It returns false to stop the
// computation.
//
// If Certified is true, Certificate belongs to the current iterate. Otherwise it is the best one so
// far, or [Unproved] if there is none. An algorithm without certificates, such as a perceptron,
// always reports Unproved.
type Progress struct {
	// passes over the data, Newton steps, or models trained by package tune, so far
	Iteration int
	Total     int  // number of all iterations; 0 if unknown
	Updates   int  // changes of the model so far
	Certified bool // whether Certificate was made for this call
	Certificate

	// Estimate and Violation are the relative gap and the KKT violation of the iterate by the
	// solver's own running sums; 0 if it has none. They show progress and prove nothing.
	Estimate, Violation float64
}

// Status is the reason why a fit ended. Only Optimal, Stationary and Converged make a claim about
// the model; its certificate tells in every case how good it is.
type Status int

const (
	// Unfinished means that the fit failed or that no solver ran.
	Unfinished Status = iota
	// Optimal means that the relative gap of the certificate is at most the tolerance.
	Optimal
	// Stationary means that the optimality conditions hold within the tolerance. The kernel is
	// indefinite, so the point may not be an optimum.
	Stationary
	// Converged means that a perceptron made no mistake in a whole pass: the plane separates the
	// set.
	Converged
	// IterationLimit means that the allowed number of iterations was reached.
	IterationLimit
	// MistakeLimit means that a perceptron reached its allowed number of mistakes.
	MistakeLimit
	// Stalled means that roundoff or a limit of the solver prevents further progress.
	Stalled
	// Stopped means that the progress function returned false.
	Stopped
	// Cancelled means that the context ended.
	Cancelled
)

// Limited reports whether the fit ended above its tolerance: at a limit, stalled, stopped or
// cancelled.
func (s Status) Limited() bool { return s >= IterationLimit && s <= Cancelled }

// String returns the status in words, such as "iteration limit".
func (s Status) String() string {
	names := [...]string{"unfinished", "optimal", "stationary", "converged", "iteration limit",
		"mistake limit", "stalled", "stopped", "cancelled"}
	if s < 0 || int(s) >= len(names) {
		return "unknown status"
	}
	return names[s]
}
