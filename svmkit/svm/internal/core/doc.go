// Package core is what the solvers of package svm share: the task with its table of losses ([Loss]),
// certificates, the best bias, feasible dual points, and the frame of a fit with its limits, its incumbent
// and its trace ([Run]).
package core
