package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"time"
)

// grace is how long a child may take to end by itself when the run is stopped.
const grace = 10 * time.Second

// child prepares a command that ends with ctx: it is asked first, so that it can say what it has done,
// and after a while it is killed. It has a process group of its own, for two reasons: a Ctrl-C in the
// terminal reaches it through us alone, and what it has started goes with it.
func child(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.WaitDelay = grace
	ownGroup(cmd)
	cmd.Cancel = func() error { return interrupt(cmd) }
	return cmd
}

// output runs a child to its end and returns what it prints. An error holds what it says of it; if ctx has
// ended it is ctx's own, since what we have stopped is not broken.
func output(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	cmd := child(ctx, dir, name, args...)
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	err := cmd.Start()
	if err == nil {
		err = wait(cmd)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("%s %s: %w: %s", name, args[0], err, messages.Bytes())
	}
	return out.Bytes(), nil
}

// wait waits for a started child and sees to it that nothing of it is left.
func wait(cmd *exec.Cmd) error {
	err := cmd.Wait()
	killGroup(cmd)
	return err
}

// cpu is the processor time that a child and all its descendants have used.
func cpu(cmd *exec.Cmd) time.Duration {
	if cmd.ProcessState == nil {
		return 0
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}
