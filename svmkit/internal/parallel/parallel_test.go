package parallel_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/parallel"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func TestForRunsEachTaskOnce(t *testing.T) {
	for _, n := range []int{0, 1, 7, 100} {
		for _, threads := range []int{1, 2, 16} {
			runs := make([]int32, n)
			err := parallel.For(t.Context(), n, threads, func(i int) error {
				atomic.AddInt32(&runs[i], 1)
				return nil
			})
			if err != nil || slices.ContainsFunc(runs, func(r int32) bool { return r != 1 }) {
				t.Errorf("n = %d, %d threads: %v, runs %v", n, threads, err, runs)
			}
		}
	}
}

// Never more tasks at once than threads, and as many as threads: two tasks that wait for each other
// would else not end.
func TestForUsesItsThreads(t *testing.T) {
	const threads = 2
	var now, most atomic.Int32
	meet := make(chan bool)
	err := parallel.For(t.Context(), 20, threads, func(i int) error {
		v := now.Add(1)
		defer now.Add(-1)
		for old := most.Load(); v > old && !most.CompareAndSwap(old, v); old = most.Load() {
		}
		switch i {
		case 0:
			meet <- true
		case 1:
			<-meet
		}
		time.Sleep(time.Millisecond) // long enough for one goroutine too many to come in
		return nil
	})
	if err != nil || most.Load() != threads {
		t.Errorf("%v, at most %d at once, want %d", err, most.Load(), threads)
	}
}

// Tasks 3 and 5 fail, 5 before 3: the error is that of 3, and few later tasks are started. The later
// tasks sleep. In the bubble a sleep ends only when every goroutine waits, so the failures are known
// by then on any machine.
func TestForReturnsTheFirstErrorByNumber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failed := make(chan bool)
		var started atomic.Int32
		err := parallel.For(t.Context(), 1000, 6, func(i int) error {
			started.Add(1)
			switch i {
			case 3:
				<-failed
				return fmt.Errorf("task %d", i)
			case 5:
				defer close(failed)
				return fmt.Errorf("task %d", i)
			case 0, 1, 2, 4:
				<-failed // so that no task runs ahead
			default:
				time.Sleep(time.Second)
			}
			return nil
		})
		if err == nil || err.Error() != "task 3" {
			t.Errorf("error %v, want that of task 3", err)
		}
		// Six tasks come first, and each of four goroutines can start one more before it sees a failure.
		if n := started.Load(); n > 10 {
			t.Errorf("%d tasks were started, want at most 10", n)
		}
	})
}

func TestForEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var ran atomic.Int32
	err := parallel.For(ctx, 1000, 2, func(i int) error {
		switch n := ran.Add(1); {
		case n == 10:
			cancel()
		case n > 10:
			<-ctx.Done() // so that the other goroutine does not run ahead
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || ran.Load() > 11 {
		t.Errorf("%v after %d tasks, want %v", err, ran.Load(), context.Canceled)
	}
}

func TestThreads(t *testing.T) {
	if n, err := parallel.Threads(0); n != runtime.GOMAXPROCS(0) || err != nil {
		t.Errorf("0 became %d, %v", n, err)
	}
	if n, err := parallel.Threads(3); n != 3 || err != nil {
		t.Errorf("3 became %d, %v", n, err)
	}
	var bad *svmkit.ParamError
	if _, err := parallel.Threads(-1); !errors.As(err, &bad) || bad.Name != "Threads" {
		t.Errorf("−1: %v", err)
	}
}

// A task that panics, or ends its goroutine as t.FailNow does, is an error; the others end as ever,
// and the caller's process goes on.
func TestForTurnsAPanicIntoAnError(t *testing.T) {
	cause := errors.New("cause")
	for name, task := range map[string]func(){
		"panic":         func() { panic(cause) },
		"runtime error": func() { _ = []int{}[len(name)] },
		"Goexit":        runtime.Goexit,
	} {
		for _, threads := range []int{1, 3} {
			err := parallel.For(t.Context(), 50, threads, func(i int) error {
				if i == 7 {
					task()
				}
				return nil
			})
			var e *svmkit.PanicError
			if !errors.As(err, &e) || len(e.Stack) == 0 || (name == "Goexit") != (e.Value == nil) || errors.Is(err, cause) != (name == "panic") {
				t.Errorf("%s, %d threads: %T %v", name, threads, err, err)
			}
		}
	}
}

const name = "longer than the empty list"
