package atomicfile_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/svmkit/course/svmkit/internal/atomicfile"
)

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
