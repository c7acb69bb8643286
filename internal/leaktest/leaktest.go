// Package leaktest is the TestMain of the packages of this module: no test may leave a goroutine behind.
package leaktest

import (
	"os"
	"os/signal"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

// Main runs the tests of m and ends the process. If all pass and a goroutine is still running a
// moment later, it prints that goroutine's stack and the exit status is 1. A goroutine may run on if
// one of the ignored functions, written as in a stack trace ("example.com/path.function"), is on its
// stack.
//
// Programs that a test starts begin with the default reaction to SIGINT and SIGHUP, even if the test
// itself was started with these signals ignored, as by nohup.
func Main(m *testing.M, ignored ...string) {
	hearIgnored()
	options := make([]goleak.Option, len(ignored))
	for i, function := range ignored {
		options[i] = goleak.IgnoreAnyFunction(function)
	}
	goleak.VerifyTestMain(m, options...)
}

// hearIgnored receives, and drops, the signals that this process was started to ignore. The Go
// runtime resets a signal that is handled to its default before it executes another program, but it
// hands an ignored signal on.
func hearIgnored() {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGHUP} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
}
