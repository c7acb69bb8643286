package atomicfile

import (
	"errors"
	"os"
)

// TempDir makes a folder for temporary files. It also removes the folders of the same prefix that
// killed processes have left; so no other program may use the prefix. remove removes the folder
// with all that is in it.
func TempDir(prefix string) (dir string, remove func() error, err error) {
	removeStale(os.TempDir(), prefix, os.ModeDir)
	for {
		dir, err := os.MkdirTemp("", prefix+"*")
		if err != nil {
			return "", nil, err
		}
		held, err := os.Open(dir) // and locked, as long as this process lives
		if err != nil {
			return "", nil, errors.Join(err, os.Remove(dir))
		}
		if claim(held) {
			return dir, func() error { return errors.Join(os.RemoveAll(dir), held.Close()) }, nil
		}
		held.Close()
	}
}
