package kernel

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-zeromq/zmq4"
)

// A Spec says how to start a kernel.
type Spec struct {
	// Command is the program and its arguments; ConnectionFile among them is
	// replaced by the path of the connection file.
	Command []string
	Dir     string   // working directory of the cells; "" is our own
	Env     []string // environment of the kernel and its cells; nil is our own
	// Setup cells run, in order, before Start returns. Their outputs are
	// dropped, they do not count, and an error of theirs is a StartError.
	Setup []string
	// StartLimit bounds the time until the kernel has replied; 0 means one minute.
	// Setup cells have the time that Start's context has: one that imports what the
	// cells need compiles it for minutes when Go's cache is empty.
	StartLimit time.Duration
}

// headless is the environment variable, set to 1, by which a cell can know that no reader
// will ever touch what it shows.
const headless = "LESSONS_HEADLESS"

// ConnectionFile stands in Spec.Command for the path of the connection file.
const ConnectionFile = "{connection_file}"

// Waiting times. Together they keep the promise that a cell over its limit is
// stopped within two seconds, and that Close returns soon.
const (
	defaultStartLimit = time.Minute
	interruptGrace    = 600 * time.Millisecond // for a cell to stop after an interrupt
	childKillGrace    = 600 * time.Millisecond // for the kernel to notice that its cell is gone
	floodGrace        = 10 * time.Second       // for the kernel to hand over what a dead cell has written
	shutdownGrace     = 1500 * time.Millisecond
	terminateGrace    = 500 * time.Millisecond
	lastWordsGrace    = 200 * time.Millisecond // for messages of a dead kernel that are under way
	dialRetry         = 5 * time.Millisecond
	firstReplyRetry   = 100 * time.Millisecond // a subscription takes effect a little after it is sent
)

// The channels of the Jupyter protocol, by number.
const (
	shell = iota + 1
	iopub
	stdin
	control
	heartbeat
)

// Start starts the kernel and returns when it has answered and its setup cells
// have run. The error is a [*StartError], or wraps ctx's.
func Start(ctx context.Context, spec Spec) (*Kernel, error) {
	if !supported {
		return nil, &StartError{Doing: "starting", Err: ErrUnsupported}
	}
	if len(spec.Command) == 0 {
		return nil, &StartError{Doing: "starting", Err: errors.New("no command")}
	}
	limit := spec.StartLimit
	if limit <= 0 {
		limit = defaultStartLimit
	}
	first, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("not ready after %v: %w", limit, context.DeadlineExceeded))
	defer cancel()
	k, err := launch(spec)
	if err != nil {
		return nil, err
	}
	doing := "connecting to the kernel"
	if err = k.connect(first); err == nil {
		doing = "running the setup cells"
		first = ctx
		err = k.setup(ctx, spec.Setup)
	}
	if err == nil {
		return k, nil
	}
	if cause := context.Cause(first); cause != nil {
		err = cause
	}
	k.Close()
	start := &StartError{Doing: doing, Err: err, Stderr: k.proc.stderr.String()}
	if errors.Is(err, ErrKernelDied) { // its text has the last lines already
		start.Stderr = ""
	}
	return nil, start
}

// launch makes the private directory and starts the process.
func launch(spec Spec) (*Kernel, error) {
	fail := func(err error) (*Kernel, error) {
		return nil, &StartError{Doing: "starting the kernel", Err: err}
	}
	dir, remove, err := TempDir() // mode 0700
	if err != nil {
		return fail(err)
	}
	var key [32]byte
	rand.Read(key[:])
	k := &Kernel{
		key: []byte(hex.EncodeToString(key[:])), session: newID(), id: newID(), dir: dir, remove: remove,
		received: make(chan struct{}), lost: make(chan struct{}), closed: make(chan struct{}),
		turn: make(chan struct{}, 1), reply: map[string]chan *message{}, cancel: func() {},
		widgets: newWidgets(),
	}
	k.turn <- struct{}{}

	temp := filepath.Join(dir, "tmp")
	file := filepath.Join(dir, "kernel-"+k.id+".json")
	err = errors.Join(os.Mkdir(temp, 0o700), os.WriteFile(file, k.connectionFile(), 0o600))
	if err != nil {
		remove()
		return fail(err)
	}
	args := make([]string, len(spec.Command))
	for i, a := range spec.Command {
		args[i] = strings.ReplaceAll(a, ConnectionFile, file)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = spec.Dir
	cmd.Env = spec.Env
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	// GoNB makes a workspace, which must not be one that the go command finds in a folder above.
	cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], "TMPDIR="+temp, "GOTMPDIR="+temp,
		"GOWORK="+filepath.Join(temp, "go.work"), headless+"=1")
	if k.proc, err = startProcess(cmd, dir); err != nil {
		remove()
		return fail(err)
	}
	return k, nil
}

// sockets is how the paths of our sockets begin.
func (k *Kernel) sockets() string { return filepath.Join(k.dir, "s") }

// connectionFile says where our sockets are, as in "Connection files" of the specification.
func (k *Kernel) connectionFile() []byte {
	return encode(map[string]any{
		"transport": "ipc", "ip": k.sockets(), "shell_port": shell, "iopub_port": iopub, "stdin_port": stdin,
		"control_port": control, "hb_port": heartbeat,
		"signature_scheme": "hmac-sha256", "key": string(k.key), "kernel_name": "gonb",
	})
}

// connect dials the four channels, starts a receiver on each, and waits until
// the kernel replies and its published messages reach us.
func (k *Kernel) connect(ctx context.Context) error {
	life, cancel := context.WithCancel(context.Background())
	k.cancel = cancel
	opts := []zmq4.Option{
		// One identity on all channels: the kernel sends an input request to
		// the identity that the execute request came from.
		zmq4.WithID(zmq4.SocketIdentity(k.session)),
		zmq4.WithDialerRetry(dialRetry), zmq4.WithDialerMaxRetries(-1),
		zmq4.WithLogger(log.New(io.Discard, "", 0)),
	}
	k.shell, k.control = zmq4.NewDealer(life, opts...), zmq4.NewDealer(life, opts...)
	k.stdin, k.iopub = zmq4.NewDealer(life, opts...), zmq4.NewSub(life, opts...)
	if err := k.iopub.SetOption(zmq4.OptionSubscribe, ""); err != nil {
		return err
	}

	dialled := make(chan error, 1)
	go func() {
		dial := func(s zmq4.Socket, channel int) error {
			return s.Dial(fmt.Sprintf("ipc://%s-%d", k.sockets(), channel))
		}
		dialled <- errors.Join(dial(k.shell, shell), dial(k.control, control), dial(k.stdin, stdin), dial(k.iopub, iopub))
	}()
	var err error
	select {
	case err = <-dialled:
	case <-k.proc.dead:
		cancel() // ends the retries
		<-dialled
		return k.proc.died(nil)
	case <-ctx.Done():
		cancel()
		// A kernel that accepts but does not greet would keep the dialler.
		k.proc.end()
		<-dialled
		return ctx.Err()
	}
	if err != nil {
		return err
	}
	k.receive(k.shell, k.onShell)
	k.receive(k.control, func(*message) {})
	k.receive(k.stdin, k.onStdin)
	k.receive(k.iopub, k.onIOPub)
	go func() { k.receivers.Wait(); close(k.received) }()
	return k.greet(ctx)
}

// greet asks for the kernel's information until the answer comes on both ways back: what a
// kernel publishes before our subscription reaches it is lost.
func (k *Kernel) greet(ctx context.Context) error {
	defer k.setRunning(nil)
	for {
		m, reply := k.request("kernel_info_request", struct{}{})
		run := newCell(m)
		k.setRunning(run)
		if err := k.send(k.shell, m); err != nil {
			return err
		}
		again, cancel := context.WithTimeout(ctx, firstReplyRetry)
		err := (&wait{k: k, reply: reply, idle: run.idle}).until(again.Done(), nil)
		cancel()
		k.forget(m)
		switch {
		case errors.Is(err, errLost):
			return k.whyLost(nil)
		case err == nil, ctx.Err() != nil:
			return ctx.Err()
		}
	}
}

// setup runs the hidden cells.
func (k *Kernel) setup(ctx context.Context, cells []string) error {
	for _, code := range cells {
		res, err := k.execute(ctx, code, false)
		if err != nil {
			return err
		}
		if res.Status != StatusOK {
			return fmt.Errorf("%s: %s", code, res.Failure())
		}
	}
	return nil
}
