// Package signals ends a command at a signal: the work ends by its context, and the process with the status
// that a shell reports for one that the signal has ended.
package signals

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// again is for how long after the first signal others are taken for the same one: timeout(1) sends its
// signal to the process and to its group, which is twice.
const again = time.Second

// cause is that of a context which a signal has ended.
type cause struct{ os.Signal }

func (c cause) Error() string { return "signal: " + c.String() }

// Context returns a context that ends at Ctrl-C, at SIGTERM, or when the terminal is closed (SIGHUP). A
// second signal, later than a second after the first, ends the process at once. A signal that is ignored,
// as SIGHUP is under nohup, stays so. Call stop when the work is done.
func Context() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	heard := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(heard, s)
		}
	}
	done := make(chan struct{})
	go func() {
		select {
		case s := <-heard:
			cancel(cause{s})
		case <-done:
			return
		}
		select {
		case <-time.After(again):
			signal.Stop(heard)
		case <-done:
		}
	}()
	return ctx, func() { signal.Stop(heard); close(done); cancel(nil) }
}

// Status is the exit status of a process whose context ctx is: 128 and the signal's number if a signal has
// ended it. Else ended is false.
func Status(ctx context.Context) (status int, ended bool) {
	if c, is := context.Cause(ctx).(cause); is {
		if s, is := c.Signal.(syscall.Signal); is {
			return 128 + int(s), true
		}
	}
	return 0, false
}
