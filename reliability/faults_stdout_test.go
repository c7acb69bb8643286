package main_test

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
)

// SIGINT and SIGTERM end every long command of svm at once, with status 130, a sentence, and what
// it had reached saved where that was asked for.
func TestReliabilitySignalsEndTraining(t *testing.T) {
	folder := t.TempDir()
	data := put(t, folder, "rows", rowsText(5, 6000, 100, 10))
	// None of these ends by itself within minutes: the tolerance is beyond rounding, and the pipe is silent.
	endless := []string{"-tol", "1e-15", "-max-iterations", "1000000000", "-C", "1000"}
	cases := 0
	for name, c := range map[string]struct {
		args  []string
		saved string // what must be there in the end
		says  string
	}{
		"train":             {append(append([]string{"train", "-solver", "pegasos", "-bias", "none", "-o", "MODEL"}, endless...), data), "model", "the best model so far is saved"},
		"train with kernel": {append(append([]string{"train", "-kernel", "rbf", "-gamma", "10", "-o", "MODEL"}, endless...), data), "model", "the best model so far is saved"},
		"cv":                {append(append([]string{"cv", "-solver", "pegasos", "-bias", "none"}, endless...), data), "", "interrupted"},
		"stream":            {[]string{"stream", "-o", "MODEL", "-checkpoint", "STATE", "-every", "0", "-"}, "state", "the next run goes on from"},
		"train from a pipe": {[]string{"train", "-"}, "", "interrupted; no file was written"},
	} {
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
			dir := t.TempDir()
			args := []string{}
			for _, arg := range c.args {
				arg = strings.Replace(arg, "MODEL", filepath.Join(dir, "model"), 1)
				args = append(args, strings.Replace(arg, "STATE", filepath.Join(dir, "state"), 1))
			}
			cmd := svmCommand(t, args...)
			stdin, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			var e bytes.Buffer
			cmd.Stderr = &e
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if args[len(args)-1] == "-" {
				// Longer than a pipe holds: when it is written, the process is reading and so listens to signals.
				io.WriteString(stdin, strings.Repeat("1 1:1\n-1 1:2\n", 20_000))
			}
			for began := time.Now(); !ready(t, cmd, args, dir, c.saved) && time.Since(began) < patience; {
				time.Sleep(10 * time.Millisecond)
			}
			sent := time.Now()
			cmd.Process.Signal(sig)
			timer := time.AfterFunc(patience, func() { cmd.Process.Kill() })
			cmd.Wait()
			timer.Stop()
			if status := cmd.ProcessState.ExitCode(); status != 128+int(sig) || !strings.Contains(e.String(), c.says) {
				t.Errorf("%s, %v: status %d after %v, %q, want %q", name, sig, status, time.Since(sent), e.String(), c.says)
			}
			if c.saved != "" && content(t, filepath.Join(dir, c.saved)) == "" {
				t.Errorf("%s, %v: there is no %s", name, sig, c.saved)
			}
			if n := hiddenIn(t, dir); n > 0 {
				t.Errorf("%s, %v: %d hidden files are left", name, sig, n)
			}
			cases++
		}
	}
	t.Attr("cases", fmt.Sprint(cases))
}

// ready reports whether a process is in the midst of its work: it has written its first checkpoint,
// or computed for so long that it must have begun to listen to signals.
func ready(t *testing.T, cmd *exec.Cmd, args []string, dir, saved string) bool {
	t.Helper()
	if args[len(args)-1] == "-" {
		return saved == "" || content(t, filepath.Join(dir, saved)) != ""
	}
	// "pid (name) state ppid pgrp session tty tpgid flags minflt cminflt majflt cmajflt utime …"
	stat := content(t, fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	const utime, enough = 11, 30 // ticks of 10 ms
	ticks, _ := strconv.Atoi(fields[utime])
	return ticks >= enough
}

// The reader of the output has gone, or standard output was never open: the command ends, and has saved
// what it was asked to save.
func TestReliabilityClosedStdout(t *testing.T) {
	in := inputs(t)
	dir := t.TempDir()
	rows, model := filepath.Join(in, "rows"), filepath.Join(dir, "model")
	path, err := builtSVM()
	if err != nil {
		t.Fatal(err)
	}
	// svm predict … | head -1, where head has gone before the first byte.
	for name, args := range map[string][]string{
		"predict": {"predict", "-scores", filepath.Join(in, "model"), rows},
		"scale":   {"scale", rows},
		"train":   {"train", "-o", model, rows},
		"stream":  {"stream", "-o", "-", filepath.Join(in, "wide")},
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		cmd := svmCommand(t, args...)
		cmd.Stdout = w
		end := complete(t, cmd)
		w.Close()
		// As every Unix program: ended by SIGPIPE, or with a message.
		if end.signal != syscall.SIGPIPE && !(end.status == 1 && strings.Contains(end.errs, "broken pipe")) {
			t.Errorf("%s into a closed pipe: status %d, %v, %q", name, end.status, end.signal, end.errs)
		}
		if name == "train" && content(t, model) == "" {
			t.Error("the model was not saved before the report failed")
		}
		os.Remove(model)
	}
	// Where no output is open at all, Go puts the null device there: the file that is written must
	// not get its number, or the report would stand in the middle of it.
	end := complete(t, exec.CommandContext(t.Context(), "/bin/sh", "-c", `exec "$0" train -o "$1" "$2" >&-`, path, model, rows))
	if text := content(t, model); end.status != 0 || text != content(t, filepath.Join(in, "model")) {
		t.Errorf("train without an output: status %d, %q, a model of %d bytes", end.status, end.errs, len(text))
	}
	// head -1 gets its line from a long output, and the pipeline ends.
	end = complete(t, exec.CommandContext(t.Context(), "/bin/sh", "-c", `"$0" predict -scores "$1" "$2" | head -1`, path, filepath.Join(in, "model"), rows))
	if end.status != 0 || strings.Count(end.out, "\n") != 1 || strings.Contains(end.errs, "panic") {
		t.Errorf("head -1: status %d, %q, %q", end.status, end.out, end.errs)
	}
	t.Attr("cases", "6")
}
