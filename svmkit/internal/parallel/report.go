package parallel

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/svmkit/course/svmkit"
)

// Report runs work, which calls done after each of total tasks, and reports to a progress function,
// which may be nil, how many tasks are done. It calls progress after each task and every
// [svmkit.ProgressEvery] in between, one call at a time. If progress returns false, the context of
// work ends, done returns an error, and Report returns nil. A panic of progress is a
// [*svmkit.PanicError]. Otherwise Report returns the error of work.
func Report(ctx context.Context, progress func(svmkit.Progress) bool, total int,
	work func(ctx context.Context, done func() error) error) error {
	if progress == nil {
		return work(ctx, func() error { return nil })
	}
	inner, stop := context.WithCancel(ctx)
	defer stop()
	r := &reporter{progress: progress, total: total, stop: stop}
	finished := make(chan struct{})
	var ticks sync.WaitGroup
	ticks.Go(func() {
		ticker := time.NewTicker(svmkit.ProgressEvery)
		defer ticker.Stop()
		for {
			select {
			case <-finished:
				return
			case <-ticker.C:
				r.tell(0)
			}
		}
	})
	err := work(inner, func() error { return r.tell(1) })
	close(finished)
	ticks.Wait()
	switch {
	case r.panicked != nil:
		return r.panicked
	case ctx.Err() == nil && r.stopped:
		return nil
	}
	return err
}

var errStopped = errors.New("the progress function returned false")

// reporter calls a progress function.
type reporter struct {
	mutex    sync.Mutex
	progress func(svmkit.Progress) bool
	total    int
	stop     func()

	done     int
	stopped  bool
	panicked error
}

// tell counts the tasks that are newly done and calls the function.
func (r *reporter) tell(done int) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.stopped {
		return errStopped
	}
	r.done += done
	goOn := false
	r.panicked = Call("Progress", func() error {
		goOn = r.progress(svmkit.Progress{Iteration: r.done, Total: r.total,
			Certificate: svmkit.Unproved()})
		return nil
	})
	if r.stopped = !goOn; !r.stopped {
		return nil
	}
	r.stop()
	if r.panicked != nil {
		return r.panicked
	}
	return errStopped
}
