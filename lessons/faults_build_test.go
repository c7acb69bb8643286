//go:build unix

package main

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/proctest"
)

// courseCopy copies what `lessons build` reads: the lessons' texts and two of the executed notebooks.
func courseCopy(t *testing.T, root string) {
	t.Helper()
	for _, pattern := range []string{"go.mod", "lessons/0[12]-*.md", "lessons/*.yaml", "notebooks/0[12]-*.ipynb"} {
		paths, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(pattern)))
		if err != nil || len(paths) == 0 {
			t.Fatal(pattern, err)
		}
		for _, path := range paths {
			rest, _ := filepath.Rel("..", path)
			proctest.Put(t, root, rest, proctest.Content(t, path))
		}
	}
}

// written reads all that the build writes, hidden files apart.
func written(t *testing.T, root string) (files map[string]string, hidden int) {
	t.Helper()
	files = map[string]string{}
	for _, folder := range []string{"notebooks", "site"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			switch {
			case os.IsNotExist(err):
				return nil
			case err != nil || !d.Type().IsRegular(): // a link to a folder elsewhere counts as none
				return err
			case strings.HasPrefix(d.Name(), "."):
				hidden++
				return nil
			}
			files[path] = proctest.Content(t, path)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files, hidden
}

// The lessons' text changes to and fro, and the build of notebooks and pages is killed on the way: every
// notebook and every page is that of the one text or of the other, and what a killed build leaves
// behind does not pile up.
func TestReliabilityKilledBuildsLeaveNoHalfPage(t *testing.T) {
	root := t.TempDir()
	courseCopy(t, root)
	sources, _ := filepath.Glob(filepath.Join(root, "lessons", "*.md"))
	var texts [2]map[string]string
	var want [2]map[string]string
	change := func(k int) {
		for path, text := range texts[k] {
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	build := func() proctest.Ended {
		end := proctest.Complete(t, lessonsIn(t, root, "build"))
		if end.Status != 0 {
			t.Fatalf("status %d: %s", end.Status, end.Errs)
		}
		return end
	}
	var whole proctest.Ended
	for k := range texts {
		texts[k] = map[string]string{}
		for _, path := range sources {
			if k == 0 {
				texts[0][path] = proctest.Content(t, path)
			} else {
				texts[1][path] = texts[0][path] + "\nA paragraph at the end that was not there before.\n"
			}
		}
		change(k)
		whole = build()
		want[k], _ = written(t, root)
	}
	rng := rand.New(rand.NewPCG(0, 74))
	survived, mixed, worst := 0, 0, 0
	for round := 0; survived < proctest.Kills(4, 60); round++ {
		change(round % 2)
		if !proctest.Killed(t, lessonsIn(t, root, "build"), proctest.Moment(rng, whole.Took)) {
			continue
		}
		survived++
		files, hidden := written(t, root)
		worst = max(worst, hidden)
		old := 0
		for path, text := range files {
			if text != want[0][path] && text != want[1][path] {
				t.Fatalf("after kill %d %s is %d bytes of neither the old nor the new", survived, path, len(text))
			}
			if want[0][path] != want[1][path] && text != want[round%2][path] {
				old++
			}
		}
		if old > 0 {
			mixed++
		}
		if len(files) != len(want[0]) {
			t.Fatalf("after kill %d there are %d files, want %d", survived, len(files), len(want[0]))
		}
	}
	change(0)
	build()
	change(1)
	build() // so each file that was ever written was written once more
	files, hidden := written(t, root)
	for path, text := range want[1] {
		if files[path] != text {
			at := 0
			for at < min(len(text), len(files[path])) && text[at] == files[path][at] {
				at++
			}
			t.Errorf("%s is not the new one: of %d bytes, not %d, from %q on, not %q", path, len(files[path]), len(text), around(files[path], at), around(text, at))
		}
	}
	// A hidden file goes when its page is written again, which may be only when the text changes.
	changing := 0
	for path := range want[0] {
		if want[0][path] != want[1][path] {
			changing++
		}
	}
	if hidden > 0 || worst > changing {
		t.Errorf("%d hidden files are left, and there were up to %d, of %d files that change", hidden, worst, changing)
	}
	t.Attr("kills", strconv.Itoa(survived))
	t.Attr("kills_on_the_way", strconv.Itoa(mixed))
	t.Attr("most_hidden_files", strconv.Itoa(worst))
}

// around is the text near a place.
func around(text string, at int) string {
	return text[max(0, min(at-60, len(text))):min(at+60, len(text))]
}

// The pages do not fit on the disk, or may not be written: the build says so, and every page that
// is there is whole.
func TestReliabilityBuildOnAFullOrReadOnlyDisk(t *testing.T) {
	root := t.TempDir()
	courseCopy(t, root)
	if end := proctest.Complete(t, lessonsIn(t, root, "build")); end.Status != 0 {
		t.Fatalf("status %d: %s", end.Status, end.Errs)
	}
	want, _ := written(t, root)
	site := filepath.Join(root, "site")
	if err := os.RemoveAll(site); err != nil {
		t.Fatal(err)
	}
	disk := proctest.Tmpfs(t, "size=700k")
	if err := os.Symlink(disk, site); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, says string }{{"full", "no space left on device"}, {"read-only", "read-only file system"}} {
		end := proctest.Complete(t, lessonsIn(t, root, "build"))
		if end.Status != 1 || !strings.Contains(end.Errs, c.says) || !strings.HasPrefix(end.Errs, "lessons: ") {
			t.Errorf("%s: status %d, %q", c.name, end.Status, end.Errs)
		}
		pages := 0
		files, hidden := written(t, root)
		real, _ := filepath.EvalSymlinks(site)
		for _, folder := range []string{"", "assets", "assets/katex", "assets/katex/fonts", "downloads"} {
			for _, path := range glob(t, filepath.Join(real, folder, "*")) {
				name := filepath.Join(site, folder, filepath.Base(path))
				if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
					pages++
					if proctest.Content(t, path) != want[name] {
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
			proctest.Remount(t, disk)
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
