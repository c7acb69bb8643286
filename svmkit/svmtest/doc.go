// Package svmtest tests the mathematical laws of your own kernel on given rows:
//
//	func TestManhattan(t *testing.T) {
//		rows := svmkit.DenseRows([]float64{1, 2, 4, 0, 3, 1}, 2)
//		svmtest.CheckKernel(t, kernel.Laplacian{Gamma: 1}, rows...)
//	}
package svmtest

// TB is the part of [testing.TB] that the check uses: a *testing.T, *testing.B or
// *testing.F is one.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}
