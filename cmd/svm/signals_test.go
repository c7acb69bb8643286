//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/svmkit/course/internal/evidence"
	"github.com/svmkit/course/svmkit/modelfile"
)

// manyRows is more than a pipe holds: who has written it knows that the process reads, and so listens to signals.
func manyRows(n int) string {
	var b strings.Builder
	for k := range n {
		fmt.Fprintf(&b, "%d 1:%d 2:%d 3:%d\n", k*7919%2, k*37%1009, k*53%1013, k*101%997)
	}
	return b.String()
}

// Every signal ends every phase of every command: soon, with the status of a process that the signal has ended, with no
// file that is half written, and no other file left behind. What was asked for and reached is saved. After SIGKILL, which no
// process hears, a hidden file may be left; the next writer of its place removes it.
func TestReliabilitySignalsEndEveryPhase(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	model := filepath.Join(t.TempDir(), "model")
	must(t, manyRows(40), "train", "-tol", "0.1", "-o", model, "-")
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := mkfifo(pipe); err != nil {
		t.Skip(err)
	}
	measures := filepath.Join(t.TempDir(), "measures")
	must(t, manyRows(40), "scale", "-save", measures, "-")
	cases := 0
	hard := []string{"-kernel", "rbf", "-gamma", "1e-5", "-C", "1e6", "-tol", "1e-13"}
	for _, c := range []struct {
		phase  string
		args   []string // OUT is a file in an empty folder
		rows   int
		end    bool // of the standard input, after the rows
		output bool // wait until something is on the standard output, and read no more
		says   string
		saved  string // what is there in the end; the signal waits for a checkpoint
	}{
		{"reading", []string{"train", "-o", "OUT", "-"}, 10_000, false, false, "interrupted; no file was written", ""},
		{"reading", []string{"predict", "-o", "OUT", model, "-"}, 10_000, false, false, "interrupted; no file was written", ""},
		{"reading", []string{"cv", "-"}, 10_000, false, false, "interrupted; no file was written", ""},
		{"reading", []string{"scale", "-o", "OUT", "-"}, 10_000, false, false, "interrupted; no file was written", ""},
		{"reading", []string{"scale", "-load", measures, "-o", "OUT", "-"}, 10_000, false, false, "interrupted; no file was written", ""},
		{"learning", []string{"stream", "-positive", "1", "-o", "OUT", "-checkpoint", "OUT2", "-every", "1ms", "-"}, 10_000, false, false, "the next run goes on from", "out2"},
		{"training", append([]string{"train", "-o", "OUT", "-checkpoint", "OUT2", "-every", "1ms", "-"}, hard...), 6000, true, false, "the best model so far is saved", "out2"},
		{"training with probabilities", append([]string{"train", "-probability", "-o", "OUT", "-"}, hard...), 6000, true, false, "interrupted", ""},
		{"searching", append([]string{"cv", "-"}, hard...), 6000, true, false, "interrupted", ""},
		{"searching", append([]string{"grid", "-"}, hard...), 6000, true, false, "0 of 1 points are complete", ""},
		{"writing to the standard output", []string{"predict", "-scores", model, "-"}, 10_000, true, true, "interrupted", ""},
		{"writing to the standard output", []string{"scale", "-"}, 10_000, true, true, "interrupted", ""},
		{"writing to a pipe without a reader", []string{"scale", "-o", pipe, "-"}, 10_000, true, false, "interrupted", ""},
		{"writing to a pipe without a reader", []string{"predict", "-o", pipe, model, "-"}, 10_000, true, false, "interrupted", ""},
		{"writing to a pipe without a reader", []string{"train", "-tol", "0.9", "-max-iterations", "1", "-o", pipe, "-"}, 10_000, true, false, "interrupted", ""},
	} {
		for name, s := range map[string]syscall.Signal{"SIGINT": syscall.SIGINT, "SIGTERM": syscall.SIGTERM, "SIGHUP": syscall.SIGHUP, "SIGKILL": syscall.SIGKILL} {
			cases++
			t.Run(strings.Join([]string{c.args[0], c.phase, name}, " "), func(t *testing.T) {
				t.Parallel()
				folder := t.TempDir()
				args := strings.Split(strings.ReplaceAll(strings.Join(c.args, "\x00"), "OUT", filepath.Join(folder, "out")), "\x00")
				cmd := exec.Command(self, args...)
				cmd.Env = append(os.Environ(), asCommand+"=1")
				var errs bytes.Buffer
				cmd.Stderr = &errs
				stdin, err1 := cmd.StdinPipe()
				stdout, err2 := cmd.StdoutPipe()
				if err1 != nil || err2 != nil || cmd.Start() != nil {
					t.Fatal(err1, err2)
				}
				defer cmd.Process.Kill()
				limit := time.AfterFunc(60*time.Second, func() { cmd.Process.Kill() })
				defer limit.Stop()
				if _, err := io.WriteString(stdin, manyRows(c.rows)); err != nil {
					t.Fatal(err, errs.String())
				}
				if c.end {
					stdin.Close()
				}
				if c.output {
					io.ReadFull(stdout, make([]byte, 1))
				}
				time.Sleep(200 * time.Millisecond) // the phase has most likely begun; if not, the end is the same
				for began := time.Now(); c.saved != "" && !exists(filepath.Join(folder, c.saved)) && time.Since(began) < 60*time.Second; {
					time.Sleep(10 * time.Millisecond)
				}
				if err := cmd.Process.Signal(s); err != nil {
					t.Fatal(err)
				}
				sent := time.Now()
				cmd.Wait() // for its messages, too
				ended := cmd.ProcessState
				const soon = 20 * time.Second // on a busy machine; without a signal the fits take minutes and the others wait for ever
				if took := time.Since(sent); took > soon {
					t.Errorf("ended after %v", took)
				}
				happened := strconv.Itoa(ended.ExitCode())
				if s == syscall.SIGKILL {
					happened = "killed"
				} else if ended.ExitCode() != 128+int(s) || !strings.Contains(errs.String(), c.says) {
					t.Errorf("status %d, want %d; %q, want %q", ended.ExitCode(), 128+int(s), errs.String(), c.says)
				}
				if c.saved != "" && !exists(filepath.Join(folder, c.saved)) {
					t.Errorf("no %s is saved", c.saved)
				}
				checkFolder(t, folder, s == syscall.SIGKILL)
				if t.Failed() {
					happened += " " + evidence.Wrong
				}
				t.Attr(evidence.Signal, evidence.Line("svm "+c.args[0], c.phase, name, happened))
			})
		}
	}
	t.Attr("cases", strconv.Itoa(cases))
}

// checkFolder looks at what a process that got a signal has left: a whole model, a checkpoint, and nothing else but
// hidden files, if those may be.
func checkFolder(t *testing.T, folder string, hidden bool) {
	t.Helper()
	left, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range left {
		name := filepath.Join(folder, f.Name())
		switch f.Name() {
		case "out":
			if _, err := modelfile.LoadFile(name); err != nil {
				t.Errorf("a model that cannot be read: %v", err)
			}
		case "out2":
			if text, err := os.ReadFile(name); err != nil || !bytes.HasPrefix(text, []byte(`{"svmkit":"`)) || !bytes.Contains(text, []byte("\n")) {
				t.Errorf("a checkpoint %.40q, %v", text, err)
			}
		default:
			if hidden && strings.HasPrefix(f.Name(), ".") {
				continue
			}
			t.Errorf("%s is left behind", f.Name())
		}
	}
}

// A signal that is ignored from outside, as SIGHUP is under nohup, stays ignored.
func TestIgnoredSignalsStayIgnored(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.Command("/bin/sh", "-c", `trap "" HUP; exec "$0" "$@"`, self, "stream", "-positive", "1", "-")
	cmd.Env = append(os.Environ(), asCommand+"=1")
	stdin, err := cmd.StdinPipe()
	if err != nil || cmd.Start() != nil {
		t.Skip(err)
	}
	defer cmd.Process.Kill()
	limit := time.AfterFunc(60*time.Second, func() { cmd.Process.Kill() })
	defer limit.Stop()
	for range 2 {
		if _, err := io.WriteString(stdin, manyRows(10_000)); err != nil {
			t.Fatal(err)
		}
		cmd.Process.Signal(syscall.SIGHUP)
	}
	stdin.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("ended by a signal that is ignored: %v", err)
	}
}
