package kernel

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

var (
	// ErrKernelDied is the cause when the kernel's process ended by itself.
	ErrKernelDied = errors.New("the kernel died")
	// ErrFlood is the cause when a cell was stopped because it went on writing far past the limit
	// of kept output.
	ErrFlood = errors.New("kernel: the cell was stopped because it wrote too much")
	// ErrClosed is returned by a kernel after its Close.
	ErrClosed = errors.New("kernel: closed")
	// ErrUnsupported is the cause where GoNB cannot run, as on Windows.
	ErrUnsupported = errors.New("GoNB does not run on this system (it needs named pipes of Unix)")
)

// StartError says why no kernel is running.
type StartError struct {
	Doing  string // what failed: "building GoNB", "waiting for the kernel's first reply"
	Stderr string // the last lines that the failed program wrote, or ""
	Err    error
}

func (e *StartError) Error() string {
	return "kernel: " + e.Doing + ": " + e.Err.Error() + indented(e.Stderr)
}

func (e *StartError) Unwrap() error { return e.Err }

// TimeoutError says that a cell was stopped because its time was over. It wraps context.DeadlineExceeded.
type TimeoutError struct {
	After time.Duration // from the request to the moment the cell was told to stop
	Err   error
	// KernelEnded is set when nothing less than ending the kernel stopped the
	// cell; otherwise the kernel takes the next cell.
	KernelEnded bool
}

func (e *TimeoutError) Error() string {
	s := fmt.Sprintf("kernel: the cell was stopped after %v", e.After.Round(time.Millisecond))
	if e.KernelEnded {
		s += ", and the kernel with it"
	}
	return s
}

func (e *TimeoutError) Unwrap() error { return e.Err }

func indented(text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	return "\n\t" + strings.ReplaceAll(text, "\n", "\n\t")
}
