package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// TempDir is [TempDirIn] the system's folder for temporary files.
func TempDir(prefix string) (dir string, remove func() error, err error) {
	return TempDirIn(os.TempDir(), prefix, nil)
}

// TempDirIn makes a folder in parent, and returns its absolute path. It also removes the folders of the
// same prefix that killed processes have left; so no other program may use the prefix. Each of those is
// first handed to the function ended, unless that is nil, for what the killed process left elsewhere.
// remove removes the folder with all that is in it.
func TempDirIn(parent, prefix string, ended func(dir string)) (dir string, remove func() error, err error) {
	if parent, err = filepath.Abs(parent); err != nil {
		return "", nil, err
	}
	removeStale(parent, prefix, os.ModeDir, ended)
	for {
		dir, err := os.MkdirTemp(parent, prefix+"*")
		if err != nil {
			return "", nil, err
		}
		held, err := os.Open(dir) // and locked, as long as this process lives
		if errors.Is(err, fs.ErrNotExist) {
			continue // another process has removed it, because nobody held it yet
		}
		if err != nil {
			return "", nil, errors.Join(err, os.Remove(dir))
		}
		if claim(held) && isAt(held, dir) {
			return dir, func() error { return errors.Join(os.RemoveAll(dir), held.Close()) }, nil
		}
		held.Close()
	}
}

// isAt reports whether an open folder is still the one at a path.
func isAt(held *os.File, dir string) bool {
	a, err := held.Stat()
	if err != nil {
		return false
	}
	b, err := os.Stat(dir)
	return err == nil && os.SameFile(a, b)
}
