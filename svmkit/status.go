package svmkit

// Status says why a fit ended. No status but Optimal, Stationary and Converged claims anything about
// the model; the certificate says how good it is in any case.
type Status int

const (
	Unfinished     Status = iota // beside an error, or where no solver ran: in what multiclass.CrammerSinger.Certify returns
	Optimal                      // the certificate's relative gap is at most the tolerance
	Stationary                   // the kernel is indefinite: the optimality conditions hold within the tolerance, and no optimum is claimed
	Converged                    // perceptron: a whole pass without a mistake, so the plane separates the set
	IterationLimit               // the iterations that were allowed were not enough
	MistakeLimit                 // perceptron: the mistakes that were allowed were made
	Stalled                      // roundoff, or the solver's own limit, allows no further progress
	Stopped                      // the progress function returned false
	Cancelled                    // the context ended
)

// Limited reports whether the fit ended above its tolerance: at a limit, stalled, stopped or cancelled.
func (s Status) Limited() bool {
	switch s {
	case IterationLimit, MistakeLimit, Stalled, Stopped, Cancelled:
		return true
	}
	return false
}

func (s Status) String() string {
	names := [...]string{"unfinished", "optimal", "stationary", "converged", "iteration limit", "mistake limit",
		"stalled", "stopped", "cancelled"}
	if s < 0 || int(s) >= len(names) {
		return "unknown status"
	}
	return names[s]
}
