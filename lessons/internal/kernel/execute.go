package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/svmkit/course/lessons/internal/notebook"
)

// Status of a [Result].
const (
	StatusOK    = "ok"
	StatusError = "error"
)

// A Result holds the outputs and the status of one cell.
type Result struct {
	Status         string // as the kernel replied; "" if the cell was stopped before its reply
	ExecutionCount int
	Outputs        []notebook.Output
	Error          string // of a cell that failed, in the kernel's words
}

// failed reports whether the kernel replied that the cell failed.
func (r *Result) failed() bool { return r.Status != "" && r.Status != StatusOK }

// Stream returns the text of "stdout" or "stderr".
func (r *Result) Stream(name string) string { return Stream(r.Outputs, name) }

// Stream returns the text that outputs have for "stdout" or "stderr".
func Stream(outputs []notebook.Output, name string) string {
	var text strings.Builder
	for _, o := range outputs {
		if o.Type == notebook.Stream && o.Name == name {
			text.WriteString(o.Text)
		}
	}
	return text.String()
}

// cell is the cell that runs.
type cell struct {
	*collector
	id    string        // of the request
	idle  chan struct{} // closed when the kernel is idle again
	flood chan struct{} // closed when the cell goes on writing past its limit
}

func newCell(request *message) *cell {
	return &cell{newCollector(), request.Header.MsgID, make(chan struct{}), make(chan struct{})}
}

// Execute runs the code as one cell and returns its outputs. A cell that fails
// is no error of Execute: see Result.Status.
//
// When ctx ends, the cell is interrupted, then its processes are killed, then, if that does not help, the
// kernel: all within two seconds. The error is then a [*TimeoutError] after a deadline and wraps
// context.Canceled after a cancellation; other errors wrap ErrFlood, ErrKernelDied and ErrClosed. The
// result holds what the cell had shown until then; it is nil only if the cell was never sent. A cell waits
// until the one before it is done.
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
		return nil, k.proc.died(nil)
	}
	m, reply := k.request("execute_request", map[string]any{
		"code": code, "silent": !count, "store_history": count,
		"user_expressions": struct{}{}, "allow_stdin": true, "stop_on_error": true,
	})
	defer k.forget(m)
	run := newCell(m)
	run.html = k.drawWidget
	k.setRunning(run)
	defer k.setRunning(nil)
	began := time.Now()
	if err := k.send(k.shell, m); err != nil {
		return nil, k.whyLost(err)
	}

	w := &wait{k: k, reply: reply, idle: run.idle}
	stopped := w.until(ctx.Done(), run.flood)
	if stopped != nil && !errors.Is(stopped, errLost) {
		stopped = w.stop(ctx, stopped, time.Since(began))
	}
	if stopped == nil {
		k.fence()
	}
	if errors.Is(stopped, errLost) {
		stopped = k.whyLost(nil)
	}

	k.mu.Lock()
	defer k.mu.Unlock()
	res := &Result{Outputs: run.list()}
	if err := res.read(w.replied); err != nil && stopped == nil {
		stopped = err
	}
	if errors.Is(stopped, ErrFlood) {
		stopped = fmt.Errorf("%w: %d bytes kept, %d dropped", ErrFlood, run.streamBytes+run.richBytes, run.streamLost+run.richLost)
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
		EValue         string
	}
	if err := json.Unmarshal(reply.Content, &c); err != nil {
		return fmt.Errorf("kernel: reply to a cell: %w", err)
	}
	r.Status, r.ExecutionCount, r.Error = c.Status, c.ExecutionCount, c.EValue
	return nil
}
