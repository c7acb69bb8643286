package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	rows := put(t, in, "rows", rowsText(3, 4000, 20, 10))
	put(t, in, "wide", rowsText(4, 200, 60_000, 200))
	well(t, "train", "-o", filepath.Join(in, "model"), rows)
	return in
}

// A disk of 64 KiB is full before the output is written: the command says so and fails, the file
// that was there before is as it was, and nothing is left of the new one.
func TestReliabilityFullDisk(t *testing.T) {
	in := inputs(t)
	disk := tmpfs(t, "size=64k")
	cases := 0
	for name, c := range outputs(disk, in) {
		const before = "not a checkpoint of any kind"
		checkpoint := strings.HasSuffix(name, "-checkpoint") // is read, so what is there cannot be just anything
		if !checkpoint {
			put(t, disk, c.files[0], before)
		}
		end := complete(t, svmCommand(t, c.args...))
		if end.status != 1 || !strings.Contains(end.errs, "no space left on device") || !strings.HasPrefix(end.errs, "svm: ") || strings.Contains(end.errs, "panic") {
			t.Errorf("%s: status %d, %q", name, end.status, end.errs)
		}
		if !checkpoint && content(t, filepath.Join(disk, c.files[0])) != before {
			t.Errorf("%s: the old file is another", name)
		}
		if got := namesIn(t, disk); len(got) > 1 || checkpoint && len(got) > 0 {
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
	disk := tmpfs(t, "size=1m")
	const before = "before"
	put(t, disk, "a", before)
	remounted(t, disk)
	cases := 0
	for name, c := range outputs(disk, in) {
		end := complete(t, svmCommand(t, c.args...))
		if end.status != 1 || !strings.Contains(end.errs, "read-only file system") || !strings.HasPrefix(end.errs, "svm: ") {
			t.Errorf("%s: status %d, %q", name, end.status, end.errs)
		}
		if content(t, filepath.Join(disk, "a")) != before || len(namesIn(t, disk)) != 1 {
			t.Errorf("%s: the folder holds %v", name, namesIn(t, disk))
		}
		cases++
	}
	t.Attr("cases", fmt.Sprint(cases))
}

// The pages do not fit on the disk, or may not be written: the build says so, and every page that
// is there is whole.
func TestReliabilityBuildOnAFullOrReadOnlyDisk(t *testing.T) {
	root := t.TempDir()
	courseCopy(t, root)
	if end := complete(t, lessonsCommand(t, root, "build")); end.status != 0 {
		t.Fatalf("status %d: %s", end.status, end.errs)
	}
	want, _ := written(t, root)
	site := filepath.Join(root, "site")
	if err := os.RemoveAll(site); err != nil {
		t.Fatal(err)
	}
	disk := tmpfs(t, "size=700k")
	if err := os.Symlink(disk, site); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, says string }{{"full", "no space left on device"}, {"read-only", "read-only file system"}} {
		end := complete(t, lessonsCommand(t, root, "build"))
		if end.status != 1 || !strings.Contains(end.errs, c.says) || !strings.HasPrefix(end.errs, "lessons: ") {
			t.Errorf("%s: status %d, %q", c.name, end.status, end.errs)
		}
		pages := 0
		files, hidden := written(t, root)
		real, _ := filepath.EvalSymlinks(site)
		for _, folder := range []string{"", "assets", "assets/katex", "assets/katex/fonts", "downloads"} {
			for _, path := range glob(t, filepath.Join(real, folder, "*")) {
				name := filepath.Join(site, folder, filepath.Base(path))
				if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
					pages++
					if content(t, path) != want[name] {
						t.Errorf("%s: %s is not whole", c.name, name)
					}
				}
			}
			hidden += len(glob(t, filepath.Join(real, folder, ".*.new-*")))
		}
		if pages == 0 || hidden > 0 || len(files) == 0 {
			t.Errorf("%s: %d pages and %d hidden files on the disk", c.name, pages, hidden)
		}
		if c.name == "full" {
			remounted(t, disk)
		}
	}
	t.Attr("cases", "2")
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return paths
}
