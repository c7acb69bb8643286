package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Two outputs that would be one file are refused before anything is read, and so is an output that cannot be written.
func TestOutputsAreCheckedFirst(t *testing.T) {
	folder := t.TempDir()
	m := filepath.Join(folder, "m")
	nowhere := filepath.Join(folder, "nowhere", "m")
	const never = "never read"
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"train", "-o", m, "-checkpoint", m, never}, exitUsage, "-checkpoint and -o both name"},
		{[]string{"train", "-o", m, "-libsvm", folder + "/./m", never}, exitUsage, "-libsvm and -o both name"},
		{[]string{"train", "-libsvm", "-", "-liblinear", "-", never}, exitUsage, "-liblinear and -libsvm both name -"},
		{[]string{"train", "-o", "-", "-libsvm", "/dev/stdout", never}, exitUsage, "-libsvm and -o both name -"},
		{[]string{"stream", "-o", m, "-checkpoint", m, never}, exitUsage, "-checkpoint and -o both name"},
		{[]string{"scale", "-o", m, "-save", m, never}, exitUsage, "-o and -save both name"},
		{[]string{"scale", "-save", "-", never}, exitUsage, "-save -"},
		{[]string{"scale", "-save", nowhere, never}, exitError, nowhere},
		{[]string{"scale", "-o", nowhere, never}, exitError, nowhere},
		{[]string{"predict", "-o", nowhere, never, never}, exitError, nowhere},
		{[]string{"train", "-libsvm", nowhere, never}, exitError, nowhere},
		{[]string{"train", "-probability", "-loss", "eps-insensitive", never}, exitUsage, "-probability is for classes"},
		{[]string{"train", "-probability", "-liblinear", m, never}, exitUsage, "LIBLINEAR's format has no place"},
	} {
		status, out, errs := svmRun(t, "", c.args...)
		if status != c.status || !strings.Contains(errs, c.says) || strings.Contains(errs, never) || out != "" {
			t.Errorf("svm %s: status %d, message %q, output %q, want status %d and %q", strings.Join(c.args, " "), status, errs, out, c.status, c.says)
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// What can be written is written, whatever becomes of the rest: the other model, the report.
func TestOneFullDiskLosesNothingElse(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /dev/full")
	}
	data, model := file(t, "two", two(t, 40)), filepath.Join(t.TempDir(), "model")
	status, out, errs := svmRun(t, "", "train", "-o", "/dev/full", "-libsvm", model, data)
	if status != exitError || !exists(model) || !strings.Contains(out, "relative gap") || !strings.Contains(errs, "/dev/full") {
		t.Errorf("status %d, LIBSVM's model there: %v, report %q, message %q", status, exists(model), out, errs)
	}
}

// A model on the standard output, in whichever format, is all there is on it.
func TestModelAloneOnStdout(t *testing.T) {
	data := file(t, "two", two(t, 40))
	for flag, first := range map[string]string{"-o": "svmkit model", "-libsvm": "svm_type", "-liblinear": "solver_type"} {
		for _, name := range []string{"-", "/dev/stdout"} {
			out, errs := must(t, "", "train", flag, name, data)
			if !strings.HasPrefix(out, first) || strings.Contains(out, "relative gap") || !strings.Contains(errs, "relative gap") {
				t.Errorf("%s %s: output %.40q, messages %.40q", flag, name, out, errs)
			}
		}
	}
}

// Probabilities that cannot be fitted cost neither the model nor the report. Rows of which one alone is of a class would leave a
// fold without it.
func TestModelWithoutItsProbabilities(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	status, out, errs := svmRun(t, "1 1:3\n-1 1:1\n-1 1:0.5\n-1 1:0.7\n-1 1:0\n-1 1:0.2\n", "train", "-probability", "-o", model, "-")
	if status != exitError || !exists(model) || !strings.Contains(out, "relative gap") || !strings.Contains(errs, "(the model has no probabilities)") || !strings.Contains(errs, `class "1" has only row 1`) {
		t.Errorf("status %d, model there: %v, report %q, message %q", status, exists(model), out, errs)
	}
}

// A report of numbers that are none is JSON all the same.
func TestReportOfHugeCosts(t *testing.T) {
	status, out, errs := svmRun(t, "1 1:1\n-1 1:-1\n1 1:2\n-1 1:-2\n", "train", "-C", "1e308", "-json", "-")
	var report map[string]any
	if err := json.Unmarshal([]byte(out), &report); err != nil || status != exitTolerance && status != exitOK {
		t.Errorf("status %d, message %q, report %q: %v", status, errs, out, err)
	}
}

// What is no regular file may never end: a state is not read from it.
func TestStateFromADevice(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /dev/full")
	}
	for _, args := range [][]string{{"stream", "-checkpoint", "/dev/full", "-"}, {"train", "-checkpoint", "/dev/full", "-"}, {"scale", "-load", "/dev/full", "-"}} {
		status, _, errs := svmRun(t, "1 1:1\n-1 1:2\n", args...)
		if status != exitError || !strings.Contains(errs, "no regular file") {
			t.Errorf("svm %s: status %d, message %q", strings.Join(args, " "), status, errs)
		}
	}
}

// A pipe without a writer is given up when the context ends, whatever it is to be read for.
func TestInterruptWhileOpening(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := mkfifo(pipe); err != nil {
		t.Skip(err)
	}
	data := file(t, "two", two(t, 40))
	for _, args := range [][]string{{"train", pipe}, {"predict", pipe, data}, {"stream", pipe}} {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		done := make(chan int, 1)
		go func() {
			var out, errs strings.Builder
			done <- run(ctx, args, strings.NewReader(""), &out, &errs)
		}()
		select {
		case status := <-done:
			if status != exitInterrupted {
				t.Errorf("svm %s: status %d", strings.Join(args, " "), status)
			}
		case <-time.After(30 * time.Second):
			t.Errorf("svm %s still waits for a writer", strings.Join(args, " "))
		}
		if w, err := os.OpenFile(pipe, os.O_RDWR, 0); err == nil { // the goroutine that waits ends
			w.Close()
		}
	}
}
