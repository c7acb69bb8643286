package svm_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm"
)

// A panic of the caller's Progress reaches the caller, and leaves no goroutine behind.
func TestPanicOfProgress(t *testing.T) {
	defer goleak.VerifyNone(t)
	for name, c := range everySolver() {
		o := &svm.Settings{Tol: demanding(c.s), Progress: func(svmkit.Progress) bool { panic("mine") }}
		if !panics(func() { svm.Fit(t.Context(), c.p, c.s, o) }) {
			t.Errorf("%s: no panic", name)
		}
	}
}
