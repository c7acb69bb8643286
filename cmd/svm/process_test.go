//go:build unix

package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/svmkit/course/internal/proctest"
)

// svmCommand is the command as a process, tied to the test.
func svmCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	return svmIn(t, "", args...)
}

// svmIn is svmCommand in a folder.
func svmIn(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, append(os.Environ(), asCommand+"=1"), 10*time.Second
	return cmd
}

// well runs svm as a process and fails the test unless all goes well.
func well(t *testing.T, args ...string) proctest.Ended {
	t.Helper()
	end := proctest.Complete(t, svmCommand(t, args...))
	if end.Status != 0 {
		t.Fatalf("svm %s: status %d, %v\n%s%s", strings.Join(args, " "), end.Status, end.Signal, end.Out, end.Errs)
	}
	return end
}
