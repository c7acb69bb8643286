package svmkit

// Status is the reason why a fit ended. Only Optimal, Stationary and Converged claim something
// about the model. How good the model is, its certificate says in every case.
type Status int

const (
	// Unfinished means that the fit failed, or that no solver ran, as in
	// multiclass.CrammerSinger.Certify.
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
func (s Status) Limited() bool {
	switch s {
	case IterationLimit, MistakeLimit, Stalled, Stopped, Cancelled:
		return true
	}
	return false
}

// String returns the status in words, such as "iteration limit".
func (s Status) String() string {
	names := [...]string{"unfinished", "optimal", "stationary", "converged", "iteration limit",
		"mistake limit", "stalled", "stopped", "cancelled"}
	if s < 0 || int(s) >= len(names) {
		return "unknown status"
	}
	return names[s]
}
