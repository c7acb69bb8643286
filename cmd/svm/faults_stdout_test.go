//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/svmkit/course/internal/proctest"
)

// The reader of the output has gone, or standard output was never open: the command ends, and has saved
// what it was asked to save.
func TestReliabilityClosedStdout(t *testing.T) {
	in := inputs(t)
	dir := t.TempDir()
	rows, model := filepath.Join(in, "rows"), filepath.Join(dir, "model")
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
		end := proctest.Complete(t, cmd)
		w.Close()
		// As every Unix program: ended by SIGPIPE, or with a message.
		if end.Signal != syscall.SIGPIPE && !(end.Status == 1 && strings.Contains(end.Errs, "broken pipe")) {
			t.Errorf("%s into a closed pipe: status %d, %v, %q", name, end.Status, end.Signal, end.Errs)
		}
		if name == "train" && proctest.Content(t, model) == "" {
			t.Error("the model was not saved before the report failed")
		}
		os.Remove(model)
	}
	// Where no output is open at all, Go puts the null device there: the file that is written must
	// not get its number, or the report would stand in the middle of it.
	shell := func(script string, args ...string) *exec.Cmd { // $0 is the command
		cmd := svmCommand(t)
		cmd.Args = append([]string{"/bin/sh", "-c", script, cmd.Path}, args...)
		cmd.Path = "/bin/sh"
		return cmd
	}
	end := proctest.Complete(t, shell(`exec "$0" train -o "$1" "$2" >&-`, model, rows))
	if text := proctest.Content(t, model); end.Status != 0 || text != proctest.Content(t, filepath.Join(in, "model")) {
		t.Errorf("train without an output: status %d, %q, a model of %d bytes", end.Status, end.Errs, len(text))
	}
	// head -1 gets its line from a long output, and the pipeline ends.
	end = proctest.Complete(t, shell(`"$0" predict -scores "$1" "$2" | head -1`, filepath.Join(in, "model"), rows))
	if end.Status != 0 || strings.Count(end.Out, "\n") != 1 || strings.Contains(end.Errs, "panic") {
		t.Errorf("head -1: status %d, %q, %q", end.Status, end.Out, end.Errs)
	}
	t.Attr("cases", "6")
}
