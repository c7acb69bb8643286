// Package original finds the program whose place another one of its name takes in PATH.
package original

import (
	"os"
	"os/exec"
	"path/filepath"
)

// Find returns the first program of the name in PATH that is not the running one. Without one the error is
// [exec.ErrNotFound].
func Find(name string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	me, err := os.Stat(self)
	if err != nil {
		return "", err
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		path, err := exec.LookPath(filepath.Join(dir, name))
		if err != nil || !filepath.IsAbs(path) {
			continue
		}
		if info, err := os.Stat(path); err == nil && !os.SameFile(info, me) {
			return path, nil
		}
	}
	return "", exec.ErrNotFound
}
