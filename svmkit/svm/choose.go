package svm

// widest is the number of columns up to which Newton's method, of either kind, needs fewer passes
// than coordinate descent by far.
const widest = 1000

// choose picks the solver of a nil Solver, by the rules that the documentation of Fit gives.
func choose(t *task) Solver {
	switch {
	case !t.linear():
		return SMO{}
	case t.logistic, t.squared && t.dim <= widest:
		return Newton{}
	case t.hard():
		return SMO{}
	}
	return DualCoordinate{}
}
