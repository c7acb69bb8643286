package svm

import "github.com/svmkit/course/svmkit/kernel"

// widest is the number of columns up to which Newton's method, of any kind, is faster than
// coordinate descent by far.
const widest = 1000

// streamedFrom is the number of rows from which on working sets of the RBF kernel, computed by the
// hundred, are faster than rows kept in a cache.
const streamedFrom = 500

// gaussian reports whether the kernel is the RBF.
func (t *task) gaussian() bool {
	_, is := t.kernel.(kernel.RBF)
	return is
}

// choose picks the solver of a nil Solver, by the rules that the documentation of Fit gives.
func choose(t *task) Solver {
	switch {
	case t.gaussian() && !t.hard() && t.len() >= streamedFrom:
		return Decomposition{}
	case !t.linear():
		return SMO{}
	case t.logistic:
		return Newton{}
	case t.hard():
		return SMO{}
	case t.dim <= widest && t.dim <= t.len():
		return ProximalNewton{}
	}
	return DualCoordinate{}
}

// second picks the solver that goes on where the chosen one can do no more; nil if there is none. Coordinate
// descent is the fastest on most wide problems of few rows, and on columns unlike in scale it may come nowhere near.
func second(t *task, first Solver) Solver {
	if _, coordinate := first.(DualCoordinate); coordinate && t.dim <= denseAtLast {
		return ProximalNewton{}
	}
	return nil
}
