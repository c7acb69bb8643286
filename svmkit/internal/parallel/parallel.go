// Package parallel runs numbered tasks on several goroutines, with a result that does not depend on
// their number. [For] starts goroutines for tasks that may fail. [Workers] keeps goroutines for
// loops that are too short to start goroutines for.
package parallel

import (
	"context"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/svmkit/course/svmkit"
)

// For runs task(0) … task(n−1) on at most the given number of goroutines and waits for all that
// were started. It returns the error of ctx if ctx ended, and otherwise the error of the
// lowest-numbered task that failed. This is the same error whatever the number of goroutines:
// numbers are handed out in order, so all tasks below a failed task have been started, and every
// started task runs to its end. A task that panics, or ends its goroutine, fails with a
// [*svmkit.PanicError], because callers cannot recover the panic of another goroutine.
func For(ctx context.Context, n, threads int, task func(i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var failed atomic.Bool
	var workers sync.WaitGroup
	for range min(n, threads) {
		workers.Go(func() {
			for !failed.Load() && ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				run(&errs[i], &failed, func() error { return task(i) })
			}
		})
	}
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// run sets err to the error or the panic of the task, and sets failed if there is one.
func run(err *error, failed *atomic.Bool, task func() error) {
	returned := false
	defer func() {
		if !returned {
			*err = &svmkit.PanicError{Value: recover(), Stack: debug.Stack()}
		}
		if *err != nil {
			failed.Store(true)
		}
	}()
	*err = task()
	returned = true
}

// Call returns the error of f, or a [*svmkit.PanicError] of the named function if f panics. A task
// calls functions of the caller in this way if it can add a place to the error.
func Call(name string, f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &svmkit.PanicError{Func: name, Value: v, Stack: debug.Stack()}
		}
	}()
	return f()
}

// Threads checks a Threads field; 0 means as many threads as Go uses processors.
func Threads(threads int) (int, error) {
	if threads < 0 {
		return 0, &svmkit.ParamError{Name: "Threads", Value: threads,
			Need: "must be positive (0 means GOMAXPROCS)"}
	}
	if threads == 0 {
		return runtime.GOMAXPROCS(0), nil
	}
	return threads, nil
}
