// Package parallel runs numbered tasks on a few goroutines with a result that does not depend on
// how many there are.
package parallel

import (
	"context"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/svmkit/course/svmkit"
)

// For runs task(0) … task(n−1) on at most the given number of goroutines and waits for
// all that were started. It returns ctx's error if ctx ended, else the error of the
// lowest-numbered task that failed: the same one whatever the number of goroutines, because
// numbers are handed out in order, so below a task that failed all have been started, and
// what was started runs to its end. A task that panics, or ends its goroutine, has failed with a
// [*svmkit.PanicError], as callers cannot recover the panic of another goroutine.
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

// run sets err to the task's error, or to its panic, and failed if there is one.
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

// Call returns f's error, or a [*svmkit.PanicError] of the named function if it panics. A task
// calls the caller's functions so if it has a place to add to the error.
func Call(name string, f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &svmkit.PanicError{Func: name, Value: v, Stack: debug.Stack()}
		}
	}()
	return f()
}

// Threads checks a Threads field; 0 means as many as Go uses processors.
func Threads(threads int) (int, error) {
	if threads < 0 {
		return 0, &svmkit.ParamError{Name: "Threads", Value: threads, Need: "must be positive (0 means GOMAXPROCS)"}
	}
	if threads == 0 {
		return runtime.GOMAXPROCS(0), nil
	}
	return threads, nil
}
