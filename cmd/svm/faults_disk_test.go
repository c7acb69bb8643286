//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/proctest"
)

// outputs are the commands of svm that write a file, with the files that they write. The first
// argument is the folder to write to, the second that with the inputs.
func outputs(out, in string) map[string]struct {
	args  []string
	files []string
} {
	rows, model := filepath.Join(in, "rows"), filepath.Join(in, "model")
	to := func(name string) string { return filepath.Join(out, name) }
	return map[string]struct {
		args  []string
		files []string
	}{
		"train -o":           {[]string{"train", "-kernel", "rbf", "-o", to("a"), rows}, []string{"a"}},
		"train -libsvm":      {[]string{"train", "-kernel", "rbf", "-libsvm", to("a"), rows}, []string{"a"}},
		"train -liblinear":   {[]string{"train", "-liblinear", to("a"), filepath.Join(in, "wide")}, []string{"a"}},
		"train -checkpoint":  {[]string{"train", "-loss", "logistic", "-checkpoint", to("a"), "-every", "0", rows}, []string{"a"}},
		"stream -o":          {[]string{"stream", "-o", to("a"), filepath.Join(in, "wide")}, []string{"a"}},
		"stream -checkpoint": {[]string{"stream", "-checkpoint", to("a"), "-every", "0", filepath.Join(in, "wide")}, []string{"a"}},
		"predict -o":         {[]string{"predict", "-scores", "-o", to("a"), model, rows}, []string{"a"}},
		"scale -o":           {[]string{"scale", "-o", to("a"), rows}, []string{"a"}},
		"scale -save":        {[]string{"scale", "-o", os.DevNull, "-save", to("a"), filepath.Join(in, "wide")}, []string{"a"}},
	}
}

// inputs writes what outputs reads. Every output is longer than 64 KiB.
func inputs(t *testing.T) string {
	in := t.TempDir()
	rows := proctest.Put(t, in, "rows", rowsText(3, 4000, 20, 10))
	proctest.Put(t, in, "wide", rowsText(4, 200, 60_000, 200))
	well(t, "train", "-o", filepath.Join(in, "model"), rows)
	return in
}

// A disk of 64 KiB is full before the output is written: the command says so and fails, the file
// that was there before is as it was, and nothing is left of the new one.
func TestReliabilityFullDisk(t *testing.T) {
	in := inputs(t)
	disk := proctest.Tmpfs(t, "size=64k")
	cases := 0
	for name, c := range outputs(disk, in) {
		const before = "not a checkpoint of any kind"
		checkpoint := strings.HasSuffix(name, "-checkpoint") // is read, so what is there cannot be just anything
		if !checkpoint {
			proctest.Put(t, disk, c.files[0], before)
		}
		end := proctest.Complete(t, svmCommand(t, c.args...))
		if end.Status != 1 || !strings.Contains(end.Errs, "no space left on device") || !strings.HasPrefix(end.Errs, "svm: ") || strings.Contains(end.Errs, "panic") {
			t.Errorf("%s: status %d, %q", name, end.Status, end.Errs)
		}
		if !checkpoint && proctest.Content(t, filepath.Join(disk, c.files[0])) != before {
			t.Errorf("%s: the old file is another", name)
		}
		if got := proctest.Names(t, disk); len(got) > 1 || checkpoint && len(got) > 0 {
			t.Errorf("%s: the folder holds %v", name, got)
		}
		os.Remove(filepath.Join(disk, c.files[0]))
		cases++
	}
	t.Attr("cases", fmt.Sprint(cases))
}

// A folder without permission to write: known before the work, where the work is long.
func TestReliabilityReadOnlyFolder(t *testing.T) {
	in := inputs(t)
	disk := proctest.Tmpfs(t, "size=1m")
	const before = "before"
	proctest.Put(t, disk, "a", before)
	proctest.Remount(t, disk)
	cases := 0
	for name, c := range outputs(disk, in) {
		end := proctest.Complete(t, svmCommand(t, c.args...))
		if end.Status != 1 || !strings.Contains(end.Errs, "read-only file system") || !strings.HasPrefix(end.Errs, "svm: ") {
			t.Errorf("%s: status %d, %q", name, end.Status, end.Errs)
		}
		if proctest.Content(t, filepath.Join(disk, "a")) != before || len(proctest.Names(t, disk)) != 1 {
			t.Errorf("%s: the folder holds %v", name, proctest.Names(t, disk))
		}
		cases++
	}
	t.Attr("cases", fmt.Sprint(cases))
}
