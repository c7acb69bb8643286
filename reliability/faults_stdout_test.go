package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

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
