package main

import (
	"testing"

	"go.uber.org/goleak"
)

// No test of this package may leave a goroutine behind, but one: the clock by which the regular expressions of
// the syntax highlighter know their time is over runs until some time after the last match, and ends by itself.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}
