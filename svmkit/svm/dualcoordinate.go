package svm

import "github.com/svmkit/course/svmkit"

// DualCoordinate: placeholder.
type DualCoordinate struct{}

func (DualCoordinate) name() string { return "dual coordinate descent" }
func (DualCoordinate) accepts(t *task) error {
	if !t.linear() || t.logistic || t.bias == FreeBias {
		return &svmkit.ParamError{Name: "Solver", Value: "DualCoordinate", Need: "linear"}
	}
	return nil
}
func (DualCoordinate) solve(t *task, r *run) error { return nil }
