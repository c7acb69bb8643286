//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// sleeper is a test that says who it is, by a marker, and then does not end.
const sleeper = `package slow
import ("os"; "strconv"; "testing"; "time")
func TestReliabilitySleeps(t *testing.T) {
	t.Attr("cases", "7")
	os.WriteFile(os.Getenv("MARKER")+".new", []byte(strconv.Itoa(os.Getpid())), 0o666)
	os.Rename(os.Getenv("MARKER")+".new", os.Getenv("MARKER"))
	time.Sleep(time.Hour)
}
func FuzzSlow(f *testing.F) { f.Fuzz(func(*testing.T, string) {}) }
`

// sleepAt is a script that does not end if an argument is the one we wait for; else it is the real command. It stands
// where the command would, so that a run can be stopped while it builds, or lists what there is.
const sleepAt = `#!/bin/sh
for argument; do
	if [ "$argument" = "$SLEEP_AT" ]; then
		echo $$ >"$MARKER.new"
		mv "$MARKER.new" "$MARKER"
		exec sleep 3600
	fi
done
`

// Stopped by Ctrl-C wherever it is, a run calls nothing broken that it has stopped itself, and none of its
// processes stays.
func TestInterruptInventsNoFailures(t *testing.T) {
	realGo, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, part, sleepAt, want string // want stands in the report; there is none before the first part
	}{
		{"in a test", "tests", "", "**Interrupted**"},
		{"while a target is built", "fuzz", "-c", "**Interrupted**"},
		{"while packages are listed", "tests", "list", ""},
		{"at the first question", "tests", "GOMOD", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			marker := filepath.Join(t.TempDir(), "marker")
			t.Chdir(module(t, map[string]string{"slow/slow_test.go": sleeper}))
			t.Setenv("GOFLAGS", "")
			t.Setenv("MARKER", marker)
			if c.sleepAt != "" {
				bin := t.TempDir()
				if err := os.WriteFile(filepath.Join(bin, "go"), []byte(sleepAt+"exec '"+realGo+"' \"$@\"\n"), 0o777); err != nil {
					t.Fatal(err)
				}
				t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
				t.Setenv("SLEEP_AT", c.sleepAt)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			go func() {
				for ctx.Err() == nil {
					if _, err := os.Stat(marker); err == nil {
						cancel()
					}
					time.Sleep(10 * time.Millisecond)
				}
			}()
			var out, lines bytes.Buffer
			if err := run(ctx, []string{"-only", c.part}, &out, &lines); !errors.Is(err, context.Canceled) {
				t.Errorf("error %v, want that it was cancelled", err)
			}
			if report := out.String(); strings.Contains(report, "## Failures") || strings.Contains(report, "could not run") || !strings.Contains(report, c.want) {
				t.Errorf("the report:\n%s", report)
			}
			text, err := os.ReadFile(marker)
			if err != nil {
				t.Fatal(err)
			}
			pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			for range 500 { // the kernel takes some time to remove a process
				if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
			t.Errorf("process %d is still there", pid)
		})
	}
}
