package parallel_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/parallel"
)

// A progress function hears of a long task within a period, repeatedly, and stops it by false; its
// panic is an error.
func TestReportTicksAndStops(t *testing.T) {
	long := func(ctx context.Context, done func() error) error {
		if err := done(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Hour):
			return errors.New("nothing has stopped it")
		}
	}
	synctest.Test(t, func(t *testing.T) {
		start, calls := time.Now(), 0
		err := parallel.Report(t.Context(), func(p svmkit.Progress) bool {
			calls++
			if p.Iteration != 1 || p.Total != 2 || p.Certificate != svmkit.Unproved() {
				t.Errorf("told %+v", p)
			}
			return calls < 4
		}, 2, long)
		if passed := time.Since(start); err != nil || calls != 4 || passed != 3*svmkit.ProgressEvery {
			t.Errorf("%v after %d calls and %v", err, calls, passed)
		}
		calls = 0
		err = parallel.Report(t.Context(), func(svmkit.Progress) bool {
			if calls++; calls == 2 {
				panic("mine")
			}
			return true
		}, 2, long)
		var e *svmkit.PanicError
		if !errors.As(err, &e) || e.Func != "Progress" || e.Value != "mine" {
			t.Errorf("a panic in a tick: %v", err)
		}
	})
}
