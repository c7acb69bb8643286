package tick_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/tick"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// A tick is due after a period without a reset, and not before.
func TestDueAfterAPeriodOfSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		due := tick.Start(func(svmkit.Progress) bool { return true })
		defer due.Stop()
		for range 3 {
			for range 2 {
				time.Sleep(svmkit.ProgressEvery - 1)
				synctest.Wait()
				if due.Due() {
					t.Fatal("due before a period has passed")
				}
				due.Reset()
			}
			time.Sleep(svmkit.ProgressEvery)
			synctest.Wait()
			if !due.Due() {
				t.Fatal("not due after a period")
			}
			due.Reset()
		}
	})
}

// Without a progress function there is nothing to call.
func TestNeverDueWithoutProgress(t *testing.T) {
	due := tick.Start(nil)
	due.Reset()
	due.Stop()
	if due.Due() {
		t.Error("due without a progress function")
	}
}
