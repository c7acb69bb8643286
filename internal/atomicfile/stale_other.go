//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package atomicfile

import (
	"io/fs"
	"os"
)

// Without a lock that ends with its process a dead writer's file cannot be told from a living
// one's, and none is removed.

func claim(*os.File) bool { return true }

func removeStale(string, string, fs.FileMode, func(string)) {}

// install gives file the name path, once it is closed: an open file cannot be renamed on Windows.
func install(file *os.File, path string) error {
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
