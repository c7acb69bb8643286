package atomicfile_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/svmkit/course/internal/atomicfile"
	"github.com/svmkit/course/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// only fails the test unless folder holds the one named file with that content.
func only(t *testing.T, folder, name, content string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || entries[0].Name() != name {
		t.Errorf("the folder holds %v, want %s alone", entries, name)
	}
	if got, err := os.ReadFile(filepath.Join(folder, name)); string(got) != content || err != nil {
		t.Errorf("content %q, %v, want %q", got, err, content)
	}
}

func TestWriteReplaces(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "a")
	for _, content := range []string{"old and longer", "new"} {
		if err := atomicfile.Write(name, text(content)); err != nil {
			t.Fatal(err)
		}
		only(t, folder, "a", content)
	}
}

func TestFailureKeepsTheOldFile(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "a")
	if err := atomicfile.Write(name, text("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := atomicfile.Write(name, func(w io.Writer) error {
		io.WriteString(w, "half")
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want that of write", err)
	}
	only(t, folder, "a", "old")
}

func TestTheOldFileIsThereUntilTheEnd(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "a")
	if err := atomicfile.Write(name, text("old")); err != nil {
		t.Fatal(err)
	}
	err := atomicfile.Write(name, func(w io.Writer) error {
		if got, err := os.ReadFile(name); string(got) != "old" {
			t.Errorf("while writing, the file is %q, %v", got, err)
		}
		_, err := io.WriteString(w, "new")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	only(t, folder, "a", "new")
}

func TestModeAndLinkAreKept(t *testing.T) {
	folder := t.TempDir()
	name, link := filepath.Join(folder, "a"), filepath.Join(t.TempDir(), "link")
	if err := os.WriteFile(name, nil, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(name, link); err != nil {
		t.Skip(err)
	}
	if err := atomicfile.Write(link, text("new")); err != nil {
		t.Fatal(err)
	}
	only(t, folder, "a", "new")
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v, want 0640", info.Mode(), err)
	}
}

func TestWriteNamesTheFileItWasAskedFor(t *testing.T) {
	name := filepath.Join(t.TempDir(), "missing", "a")
	err := atomicfile.Write(name, text(""))
	var p *fs.PathError
	if !errors.As(err, &p) || p.Path != name || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want one that names %s", err, name)
	}
	folder := t.TempDir()
	if err := atomicfile.Write(folder, text("")); !errors.As(err, &p) || p.Path != folder {
		t.Errorf("a folder: error %v", err)
	}
}

// A device stays a device.
func TestWriteToADevice(t *testing.T) {
	before, err := os.Stat(os.DevNull)
	if err != nil {
		t.Skip(err)
	}
	if err := atomicfile.Write(os.DevNull, text("gone")); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(os.DevNull); err != nil || after.Mode() != before.Mode() {
		t.Errorf("%s was %v and is %v, %v", os.DevNull, before.Mode(), after.Mode(), err)
	}
}

func TestCheckLeavesNothing(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "a")
	if err := atomicfile.Check(name); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 0 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	if err := atomicfile.Write(name, text("old")); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Check(name); err != nil {
		t.Error(err)
	}
	only(t, folder, "a", "old")
	for _, bad := range []string{folder, filepath.Join(folder, "missing", "a")} {
		if atomicfile.Check(bad) == nil {
			t.Errorf("no error for %s", bad)
		}
	}
}

// A full device takes no byte: what was not written is an error, whether the buffer overflows on
// the way or is flushed at the end.
func TestFullDevice(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip(err)
	}
	for _, size := range []int{1, 1 << 20} {
		if err := atomicfile.Write(full, text(strings.Repeat("x", size))); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%d bytes: %v, want %v", size, err, syscall.ENOSPC)
		}
	}
	if err := atomicfile.Check(full); err != nil { // a device is not asked: it may be a pipe
		t.Error(err)
	}
}

// A file without permission is not written, although its folder would let it be replaced.
func TestCheckAsksForPermission(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(name, []byte("old"), 0o400); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err == nil {
		file.Close()
		t.Skip("this user may write to any file")
	}
	if err := atomicfile.Check(name); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%v, want %v", err, fs.ErrPermission)
	}
}

// The place is taken by a folder while the content is written: the file is not put there, and
// nothing of it is left.
func TestWriteLosesItsPlace(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "a")
	err := atomicfile.Write(name, func(w io.Writer) error { return os.Mkdir(name, 0o700) })
	if err == nil {
		t.Error("a folder was overwritten")
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 || !entries[0].IsDir() {
		t.Errorf("the folder holds %v, %v, want the new folder alone", entries, err)
	}
}

// A device that write fails on.
func TestWriteToADeviceFails(t *testing.T) {
	broken := errors.New("broken")
	if err := atomicfile.Write(os.DevNull, func(io.Writer) error { return broken }); err != broken {
		t.Errorf("error %v, want that of write", err)
	}
}

// namesIn lists a folder, hidden files too.
func namesIn(t *testing.T, dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var l []string
	for _, e := range entries {
		l = append(l, e.Name())
	}
	return strings.Join(l, " ")
}

func TestWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	put := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	if err := atomicfile.Write(path, put("old")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := atomicfile.Write(path, func(w io.Writer) error {
		io.WriteString(w, "half")
		if got, _ := os.ReadFile(path); string(got) != "old" {
			t.Errorf("a reader saw %q while the new content was written", got)
		}
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	func() {
		defer func() { recover() }()
		atomicfile.Write(path, func(w io.Writer) error { panic("in the middle") })
	}()
	if got, _ := os.ReadFile(path); string(got) != "old" || namesIn(t, dir) != "x" {
		t.Errorf("after failures: %q in %s", got, namesIn(t, dir))
	}
	if err := atomicfile.Write(path, put("new")); err != nil {
		t.Fatal(err)
	}
	info, _ := os.Stat(path)
	if got, _ := os.ReadFile(path); string(got) != "new" || info.Mode().Perm() != 0o640 || namesIn(t, dir) != "x" {
		t.Errorf("%q, mode %v, in %s", got, info.Mode(), namesIn(t, dir))
	}
}
