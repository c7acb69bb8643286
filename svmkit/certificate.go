package svmkit

import (
	"math"
	"time"
)

// Certificate is the proof that comes with a fit. Its numbers are recomputed from the data and the
// dual variables, never taken from a solver's running sums, so a solver cannot grade itself.
//
// By weak duality the optimum lies between Dual and Primal, so the model's objective is at most Gap
// above the best possible one.
type Certificate struct {
	Primal float64 // value of the primal objective at the model
	Dual   float64 // value of the dual objective at a feasible α
	Gap    float64 // Primal − Dual, ≥ 0 up to rounding
	KKT    float64 // largest violation of the optimality conditions
	Floor  float64 // the least size of an objective in RelativeGap, in the unit of the objective
}

// RelativeGap returns Gap / max(|Primal|, Floor), the number that tolerances are about. It has no
// unit: it stays the same if columns, targets and costs are given in other units.
//
// Floor is 1e-12 of the objective at w = 0, b = 0; for targets and a free bias, at w = 0 and the best
// b. It matters only where the optimum is so close to zero that rounding hides how close. It is 0
// for a hard margin. A gap of zero is a relative gap of zero, also if Primal and Floor are
// zero, and an infinite gap stays infinite.
func (c Certificate) RelativeGap() float64 {
	if !(c.Gap > 0) || math.IsInf(c.Gap, 1) {
		return c.Gap
	}
	return c.Gap / max(math.Abs(c.Primal), c.Floor)
}

// Unproved returns the certificate of a model about which nothing is proved: its gap is +Inf.
func Unproved() Certificate {
	return Certificate{Primal: math.Inf(1), Dual: math.Inf(-1), Gap: math.Inf(1), KKT: math.Inf(1)}
}

// ProgressEvery is the longest time between two calls of a progress function. A computation without
// news repeats its last report, which is called a tick. One step that cannot be interrupted may take
// longer.
const ProgressEvery = 250 * time.Millisecond

// Progress is the report of a long computation to its caller, at least once in every
// [ProgressEvery]. The caller's function returns false to stop the computation.
//
// Certificate is the certificate of the iterate if Certified is true. In a tick it is the best
// certificate so far, or [Unproved] before the first. An algorithm without certificates, such as a
// perceptron, always reports Unproved.
type Progress struct {
	Iteration int  // passes over the data, Newton steps, or models trained by package tune, so far
	Total     int  // iterations in all; 0 if that is not known
	Updates   int  // changes of the model so far
	Certified bool // Certificate was made for this call
	Certificate

	// Estimate and Violation are the relative gap and the KKT violation of the iterate by the solver's own
	// running sums, 0 if it has none. They prove nothing: they are for people who wait.
	Estimate, Violation float64
}

// Status is the reason why a fit ended. Only Optimal, Stationary and Converged claim something
// about the model. How good the model is, its certificate says in every case.
type Status int

const (
	// Unfinished means that the fit failed, or that no solver ran.
	Unfinished Status = iota
	// Optimal means that the certificate's relative gap is at most the tolerance.
	Optimal
	// Stationary means that the optimality conditions hold within the tolerance. The kernel is
	// indefinite, so no optimum is claimed.
	Stationary
	// Converged means that a perceptron made no mistake in a whole pass, so the plane separates the
	// set.
	Converged
	// IterationLimit means that the iterations that were allowed were not enough.
	IterationLimit
	// MistakeLimit means that a perceptron made the mistakes that were allowed.
	MistakeLimit
	// Stalled means that roundoff, or the solver's own limit, allows no further progress.
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
