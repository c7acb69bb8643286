package svm

// choose picks the solver of a nil Solver. See Choose in the documentation of Fit.
func choose(t *task) Solver {
	return DualCoordinate{}
}
