//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package atomicfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// claim locks a hidden file until it is closed or this process ends. It reports false if another
// process has removed the file.
func claim(file *os.File) bool {
	if lock(file, syscall.LOCK_EX) != nil {
		return true // a file system without locks, where removeStale removes nothing
	}
	mine, err1 := file.Stat()
	there, err2 := os.Lstat(file.Name())
	return err1 != nil || err2 == nil && os.SameFile(mine, there)
}

// removeStale removes what in folder is of the type, a file (0) or a folder, has a name that begins
// with prefix, and is locked by no living process, after a call of ended, which may be nil. What it cannot
// remove it leaves.
func removeStale(folder, prefix string, kind fs.FileMode, ended func(name string)) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), prefix) || e.Type() != kind {
			continue
		}
		name := filepath.Join(folder, e.Name())
		file, err := os.Open(name)
		if err != nil {
			continue
		}
		if lock(file, syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			if ended != nil {
				ended(name)
			}
			os.RemoveAll(name) // before the lock: a process that waits in claim must find the file gone
		}
		file.Close()
	}
}

func lock(file *os.File, how int) error {
	for {
		if err := syscall.Flock(int(file.Fd()), how); err != syscall.EINTR {
			return err
		}
	}
}

// install gives file the name path. It stays open and locked until then, so that no other process
// removes it.
func install(file *os.File, path string) error {
	if err := os.Rename(file.Name(), path); err != nil {
		return err
	}
	file.Close() // its data is synced
	return nil
}
