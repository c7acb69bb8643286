// Package leaktest is the TestMain of the packages of this module: no test may leave a goroutine behind.
package leaktest

import (
	"testing"

	"go.uber.org/goleak"
)

// Main runs the tests of m and ends the process. If all pass and a goroutine is still running a moment later, it
// prints that goroutine's stack and the exit status is 1. Goroutines with one of the named functions on their stack,
// written as in a stack trace ("example.com/path.function"), are let run.
func Main(m *testing.M, ignored ...string) {
	options := make([]goleak.Option, len(ignored))
	for i, function := range ignored {
		options[i] = goleak.IgnoreAnyFunction(function)
	}
	goleak.VerifyTestMain(m, options...)
}
