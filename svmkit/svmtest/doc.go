// Package svmtest helps to test losses, kernels and solvers of this library and of its users.
//
// The Check functions test the mathematical laws of an interface on seeded random instances: call
// them from a test of your own type. [KnownProblems] can be solved on paper.
package svmtest

// TB is the part of [testing.TB] that the checks use: a *testing.T, *testing.B or
// *testing.F is one.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}
