package svm_test

import (
	"runtime"
	"testing"

	"go.uber.org/goleak"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm"
)

// A panic of the caller's Progress reaches the caller, and leaves no goroutine behind.
func TestPanicOfProgress(t *testing.T) {
	defer goleak.VerifyNone(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	many := overlapping(5000) // enough for several threads
	for name, c := range everySolver() {
		p := *c.p
		p.Data = many
		o := &svm.Settings{Tol: demanding(c.s), Progress: func(svmkit.Progress) bool { panic("mine") }}
		if !panics(func() { svm.Fit(t.Context(), &p, c.s, o) }) {
			t.Errorf("%s: no panic", name)
		}
	}
}
