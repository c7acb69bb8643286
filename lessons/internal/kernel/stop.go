package kernel

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

var (
	errStopped = errors.New("context ended") // the caller's context
	errLost    = errors.New("connection lost")
)

// wait waits for the two ends of a cell: the reply and the idle message. They
// come on different channels, in any order.
type wait struct {
	k       *Kernel
	reply   <-chan *message
	idle    <-chan struct{}
	replied *message
}

// until returns nil when the cell has ended, or else what came first.
func (w *wait) until(stop, flood <-chan struct{}) error {
	for w.reply != nil || w.idle != nil {
		select {
		case w.replied = <-w.reply:
			w.reply = nil
		case <-w.idle:
			w.idle = nil
		case <-stop:
			return errStopped
		case <-flood:
			return ErrFlood
		case <-w.k.lost:
			return errLost
		case <-w.k.proc.dead:
			return errLost
		}
	}
	return nil
}

// stop ends the cell by ever stronger means and returns the error for the caller.
func (w *wait) stop(ctx context.Context, why error, after time.Duration) error {
	k := w.k
	ended := false
	killGrace := childKillGrace
	if errors.Is(why, ErrFlood) {
		killGrace = floodGrace
	}
	for _, try := range []struct {
		means func()
		grace time.Duration
	}{
		{k.interrupt, interruptGrace},
		{k.proc.killChildren, killGrace},
		{func() { k.proc.cmd.Process.Kill() }, terminateGrace},
	} {
		try.means()
		timer, cancel := context.WithTimeout(context.Background(), try.grace)
		err := w.until(timer.Done(), nil)
		cancel()
		if errors.Is(err, errLost) {
			ended = true
			k.whyLost(nil) // takes in the last messages
			break
		}
		if err == nil {
			k.fence()
			break
		}
	}
	switch {
	case k.isClosed():
		return ErrClosed
	case errors.Is(why, ErrFlood):
		return ErrFlood
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &TimeoutError{After: after, Err: ctx.Err(), KernelEnded: ended}
	default:
		return fmt.Errorf("kernel: the cell was stopped: %w", ctx.Err())
	}
}

// whyLost waits for the end of a kernel whose connection broke, takes in what
// it still had sent, and says why: err, which may be nil, and how the process ended.
func (k *Kernel) whyLost(err error) error {
	if !k.proc.wait(terminateGrace) {
		// It lives, but has closed its connection.
		k.proc.cmd.Process.Kill()
		k.proc.wait(terminateGrace)
	}
	timer := time.NewTimer(lastWordsGrace)
	defer timer.Stop()
	select {
	case <-k.received:
	case <-timer.C:
	}
	if k.isClosed() {
		return ErrClosed
	}
	return k.proc.died(err)
}

// fence asks the kernel something trivial and waits for the answer, so that
// what the kernel was about to publish when it called itself idle is here too.
func (k *Kernel) fence() {
	m, reply := k.request("kernel_info_request", struct{}{})
	defer k.forget(m)
	if k.send(k.shell, m) == nil {
		timer, cancel := context.WithTimeout(context.Background(), interruptGrace)
		defer cancel()
		(&wait{k: k, reply: reply}).until(timer.Done(), nil)
	}
}

// interrupt signals the whole group, so that a running go build stops too, as
// Jupyter does. GoNB also knows interrupt_request, but that stops programs only.
func (k *Kernel) interrupt() { signalGroup(k.proc.cmd, os.Interrupt) }
