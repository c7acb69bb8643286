package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/svmkit/course/svmkit"
)

//go:embed scikit_learn.py
var sklearnScript string

// python is Debian's; with -I it imports nothing from the folder we are in.
const python = "/usr/bin/python3"

// engineNames are all engines, ours first. Those after it are peers.
var engineNames = []string{"svmkit", "LIBLINEAR", "LIBSVM", "scikit-learn"}

// missing says what to install for the peers that are not there. The linked ones are there if this
// binary was built with them.
func missing() (advice []string) {
	if workers["LIBLINEAR"] == nil {
		advice = append(advice, "LIBLINEAR, LIBSVM: apt-get install gcc libc6-dev liblinear-dev libsvm-dev, then CGO_ENABLED=1 go run -tags peers ./bench")
	}
	if exec.Command(python, "-I", "-c", "import sklearn").Run() != nil {
		advice = append(advice, "scikit-learn: apt-get install python3-sklearn")
	}
	if _, err := os.Stat(linearTool); err != nil {
		advice = append(advice, "LIBLINEAR's reader: apt-get install liblinear-tools")
	}
	return advice
}

// available returns the engines of engineNames that can be started here.
func available() []string {
	return slices.DeleteFunc(slices.Clone(engineNames), func(name string) bool {
		if name == "scikit-learn" {
			return exec.Command(python, "-I", "-c", "import sklearn").Run() != nil
		}
		return workers[name] == nil
	})
}

// An engine is the parent's side of a child process. It is started when it is first asked and
// again after it was killed.
type engine struct {
	name    string
	threads int // GOMAXPROCS of ours; 0: all. The peers' own code has one thread
	file    string
	version string

	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// errTooSlow says that a run was killed at its limit.
var errTooSlow = errors.New("over the limit of time")

func (e *engine) start() error {
	if e.name == "scikit-learn" {
		e.cmd = exec.Command(python, "-I", "-c", sklearnScript)
	} else {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		e.cmd = exec.Command(self, "-worker", e.name)
	}
	e.cmd.Env = os.Environ()
	if e.threads > 0 {
		e.cmd.Env = append(e.cmd.Env, "GOMAXPROCS="+strconv.Itoa(e.threads), "OMP_NUM_THREADS="+strconv.Itoa(e.threads), "OPENBLAS_NUM_THREADS="+strconv.Itoa(e.threads))
	}
	e.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C reaches the parent, which stops its children
	e.cmd.Stderr = os.Stderr
	in, err := e.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	e.in, e.out = in, bufio.NewReaderSize(out, 1<<20)
	if err := e.cmd.Start(); err != nil {
		return fmt.Errorf("%s: %w", e.name, err)
	}
	return nil
}

// stop ends the child. It may be called at any time.
func (e *engine) stop() {
	if e.cmd == nil {
		return
	}
	_ = e.cmd.Process.Kill()
	_ = e.cmd.Wait() // it was killed: that is the error
	e.cmd = nil
}

// use makes file the set that the engine works on.
func (e *engine) use(ctx context.Context, file string) error {
	if e.file == file && e.cmd != nil {
		return nil
	}
	e.file = file
	_, _, err := e.exchange(ctx, request{Op: "load", File: file}, time.Hour)
	return err
}

// ask sends one request about the set in use, and waits at most a little longer than its limit.
func (e *engine) ask(ctx context.Context, q request) (reply, answer, error) {
	if e.cmd == nil && e.file != "" { // killed by the last run
		file := e.file
		e.file = ""
		if err := e.use(ctx, file); err != nil {
			return reply{}, answer{}, err
		}
	}
	const grace = 1.25 // an engine that keeps its limit by itself returns the best so far
	r, parts, err := e.exchange(ctx, q, time.Duration(q.Limit*grace*float64(time.Second))+time.Second)
	if err != nil {
		return r, answer{}, err
	}
	return r, answer{Beta: parts[0], W: parts[1], B: parts[2][0]}, nil
}

// scores is ask for what returns a number a row or a model.
func (e *engine) scores(ctx context.Context, q request) (reply, []float64, error) {
	const patience = 10 // limits are made for one training; this may be many, or training and more
	r, parts, err := e.exchange(ctx, q, time.Duration(patience*q.Limit*float64(time.Second)))
	if err != nil {
		return r, nil, err
	}
	return r, parts[3], nil
}

type exchanged struct {
	reply
	parts [4][]float64
	err   error
}

func (e *engine) exchange(ctx context.Context, q request, limit time.Duration) (reply, [4][]float64, error) {
	if e.cmd == nil {
		if err := e.start(); err != nil {
			return reply{}, [4][]float64{}, err
		}
	}
	done := make(chan exchanged, 1)
	in, out := e.in, e.out
	go func() { done <- exchangeOnce(in, out, q) }()
	clock := time.NewTimer(limit)
	defer clock.Stop()
	select {
	case x := <-done:
		switch {
		case x.err != nil:
			e.stop()
			return x.reply, x.parts, fmt.Errorf("%s: %w", e.name, x.err)
		case x.Error != "":
			return x.reply, x.parts, fmt.Errorf("%s: %s", e.name, x.Error)
		}
		e.version = x.Version
		return x.reply, x.parts, nil
	case <-clock.C:
		e.stop()
		<-done
		return reply{Seconds: limit.Seconds()}, [4][]float64{}, errTooSlow
	case <-ctx.Done():
		e.stop()
		<-done
		return reply{}, [4][]float64{}, ctx.Err()
	}
}

func exchangeOnce(in io.Writer, out *bufio.Reader, q request) (x exchanged) {
	line, err := json.Marshal(q)
	if err == nil {
		_, err = in.Write(append(line, '\n'))
	}
	if err == nil {
		line, err = out.ReadBytes('\n')
	}
	if err == nil {
		err = json.NewDecoder(bytes.NewReader(line)).Decode(&x.reply)
	}
	for k, n := range []int{x.Beta, x.W, 1, x.Scores} {
		if err == nil {
			x.parts[k], err = readFloats(out, n)
		}
	}
	x.err = err
	return x
}

// A stage holds the engines and the sets that they work on.
type stage struct {
	engines []*engine // svmkit first
	dir     string    // of the sets' files
	files   map[*svmkit.Dataset]string
}

// put writes set to a file, once, and makes an engine use it.
func (s *stage) put(ctx context.Context, e *engine, set *svmkit.Dataset) error {
	file, ok := s.files[set]
	if !ok {
		file = fmt.Sprintf("%s/set%d", s.dir, len(s.files))
		if err := writeSet(file, set); err != nil {
			return err
		}
		s.files[set] = file
	}
	return e.use(ctx, file)
}

// engine returns the engine of that name, nil if it is not on stage.
func (s *stage) engine(name string) *engine {
	k := slices.IndexFunc(s.engines, func(e *engine) bool { return e.name == name })
	if k < 0 {
		return nil
	}
	return s.engines[k]
}

func (s *stage) close() {
	for _, e := range s.engines {
		e.stop()
	}
	_ = os.RemoveAll(s.dir) // of the temporary folder; the system cleans it too
}
