package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Status of a [Result].
const (
	StatusOK      = "ok"
	StatusError   = "error"
	StatusAborted = "aborted"
)

// A Result holds the outputs and the status of one cell.
type Result struct {
	Status         string // one of the constants above; "" if the cell was stopped before its reply
	ExecutionCount int
	Outputs        []Output
	// Updates are new contents for displays of earlier cells, by DisplayID.
	Updates []Output
	Err     *CellError // nil if Status is ok
	// InputRequests are the prompts that were answered with an empty line.
	InputRequests []string
}

// CellError is how a cell failed, in the kernel's words.
type CellError struct {
	Name, Value string
	Traceback   []string // may hold ANSI colours
}

// Stream returns the text of "stdout" or "stderr".
func (r *Result) Stream(name string) string {
	var text strings.Builder
	for _, o := range r.Outputs {
		if o.Type == Stream && o.Name == name {
			text.WriteString(o.Text)
		}
	}
	return text.String()
}

// cell is the cell that runs.
type cell struct {
	*collector
	id     string        // of the request
	seen   chan struct{} // closed at the first published message
	idle   chan struct{} // closed when the kernel is idle again
	flood  chan struct{} // closed when the cell goes on writing past its limit
	inputs []string
}

// Execute runs the code as one cell and returns its outputs. A cell that fails
// is no error of Execute: see Result.Status.
//
// When ctx ends, the cell is interrupted, then its processes are killed, then,
// if that does not help, the kernel: all within two seconds. The error is then a
// [*TimeoutError] after a deadline and wraps context.Canceled after a cancellation;
// other errors are a [*FloodError], a [*DiedError] and ErrClosed. The result
// holds what the cell had shown until then; it is nil only if the cell was
// never sent. A cell waits until the one before it is done.
func (k *Kernel) Execute(ctx context.Context, code string) (*Result, error) {
	return k.execute(ctx, code, true)
}

func (k *Kernel) execute(ctx context.Context, code string, count bool) (*Result, error) {
	select {
	case <-k.turn:
		defer func() { k.turn <- struct{}{} }()
	case <-k.closed:
		return nil, ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	switch {
	case k.isClosed():
		return nil, ErrClosed
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case !k.proc.alive():
		return nil, k.proc.died()
	}
	m, reply, err := k.request("execute_request", map[string]any{
		"code": code, "silent": !count, "store_history": count,
		"user_expressions": struct{}{}, "allow_stdin": true, "stop_on_error": true,
	})
	if err != nil {
		return nil, err
	}
	defer k.forget(m)
	run := &cell{
		collector: newCollector(), id: m.Header.MsgID,
		seen: make(chan struct{}), idle: make(chan struct{}), flood: make(chan struct{}),
	}
	run.html = k.drawWidget
	k.mu.Lock()
	k.running = run
	k.mu.Unlock()
	began := time.Now()
	if err := k.send(k.shell, m); err != nil {
		k.mu.Lock()
		k.running = nil
		k.mu.Unlock()
		return nil, k.whyLost(err)
	}

	w := &wait{k: k, reply: reply, idle: run.idle}
	stopped := w.until(ctx.Done(), run.flood)
	if stopped != nil && !errors.Is(stopped, errLost) {
		stopped = w.stop(ctx, run, stopped, time.Since(began))
	}
	if stopped == nil {
		k.fence()
	}
	if errors.Is(stopped, errLost) {
		stopped = k.whyLost(nil)
	}

	k.mu.Lock()
	defer k.mu.Unlock()
	k.running = nil
	res := &Result{Outputs: run.list(), Updates: run.updates, InputRequests: run.inputs}
	if err := res.read(w.replied); err != nil && stopped == nil {
		stopped = err
	}
	var flood *FloodError
	if errors.As(stopped, &flood) {
		flood.Kept = run.streamBytes + run.richBytes
		flood.Dropped = run.streamLost + run.richLost
	}
	return res, stopped
}

func (k *Kernel) isClosed() bool {
	select {
	case <-k.closed:
		return true
	default:
		return false
	}
}

// read takes status, count and error from the kernel's reply.
func (r *Result) read(reply *message) error {
	if reply == nil {
		return nil
	}
	var c struct {
		Status         string
		ExecutionCount int `json:"execution_count"`
		EName, EValue  string
		Traceback      []string
	}
	if err := json.Unmarshal(reply.Content, &c); err != nil {
		return fmt.Errorf("kernel: reply to a cell: %w", err)
	}
	r.Status, r.ExecutionCount = c.Status, c.ExecutionCount
	if c.Status != StatusOK {
		r.Err = &CellError{Name: c.EName, Value: c.EValue, Traceback: c.Traceback}
	}
	return nil
}
