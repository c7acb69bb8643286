package kernel

import (
	"context"
	"os/exec"
	"time"
)

// Supervise runs a command and returns when it has ended together with everything that it started: its
// process group and, on Linux, all that has inherited its environment. When ctx ends the group is asked to
// end (SIGTERM) and has the time grace for it; the error is then ctx's. If our process is killed, the
// command's end follows, and the directory dir, which is the command's alone, is removed. The command is no
// part of the terminal's foreground: it cannot read from it, and a Ctrl-C does not reach it.
func Supervise(ctx context.Context, cmd *exec.Cmd, dir string, grace time.Duration) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	p, err := startProcess(cmd, dir)
	if err != nil {
		return err
	}
	defer p.end()
	select {
	case <-p.dead:
		return p.err
	case <-ctx.Done():
		if terminate(cmd) == nil {
			p.wait(grace)
		}
		return ctx.Err()
	}
}
