//go:build unix

package main

import (
	"context"
	"errors"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// What a child has started goes with it, though it takes no notice of being asked.
func TestChildrenGoTogether(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := child(ctx, t.TempDir(), "sh", "-c", "sleep 1000 & echo started; wait")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	cancel()
	wait(cmd)
	for range 500 { // the kernel takes some time to remove a process
		if err := syscall.Kill(-cmd.Process.Pid, 0); errors.Is(err, syscall.ESRCH) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("a process is left in the group")
}
