// Package svmtest tests the mathematical laws of a kernel of your own on given rows: call
// [CheckKernel] from a test of your type.
package svmtest

// TB is the part of [testing.TB] that the check uses: a *testing.T, *testing.B or
// *testing.F is one.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}
