// Package atomicfile writes files whole or not at all.
package atomicfile

import (
	"bufio"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write gives the file name the content that write produces. Whoever opens name sees the old content or the
// new, never a part: the new one goes to a hidden file in the same folder, is flushed to the disk, and then
// takes the name. If anything fails, write included, the hidden file is removed and name is as it was.
//
// A killed process leaves its hidden file. The next Write of the same name removes it if no process
// holds its lock; on a system without such locks (Windows) it stays.
//
// A link is followed, and the mode of an existing file is kept. A terminal, pipe or other
// irregular file is written directly.
func Write(name string, write func(io.Writer) error) error {
	path := name
	if target, err := filepath.EvalSymlinks(name); err == nil {
		path = target
	}
	mode := fs.FileMode(0o666) // less the user's mask, as for any new file
	if old, err := os.Stat(path); err == nil {
		if !old.Mode().IsRegular() && !old.IsDir() {
			return direct(path, write)
		}
		mode = old.Mode().Perm()
		if old.IsDir() {
			return &fs.PathError{Op: "write", Path: name, Err: errors.New("is a directory")}
		}
	}
	file, err := create(path, mode)
	if err != nil {
		var p *fs.PathError
		if errors.As(err, &p) {
			p.Path = name // the reader of the message knows this name
		}
		return err
	}
	return fill(file, path, write)
}

// create opens and locks a new hidden file beside path, and removes those of dead processes.
func create(path string, mode fs.FileMode) (*os.File, error) {
	prefix := "." + filepath.Base(path) + marker
	removeStale(filepath.Dir(path), prefix, 0, nil)
	for {
		file, err := os.OpenFile(filepath.Join(filepath.Dir(path), prefix+rand.Text()[:8]), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err != nil || claim(file) {
			return file, err
		}
		file.Close() // another process removed it before it was locked
	}
}

// marker stands in the name of a hidden file between that of the file to come and a random part.
const marker = ".new-"

// Check returns the error that [Write] would meet before it writes anything: no such folder,
// no permission. It leaves nothing.
func Check(name string) error {
	if old, err := os.Stat(name); err == nil && old.Mode().IsRegular() {
		file, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		file.Close()
	} else if err == nil && !old.IsDir() {
		return nil
	}
	stop := errors.New("far enough")
	if err := Write(name, func(io.Writer) error { return stop }); err != stop {
		return err
	}
	return nil
}

// fill writes and flushes file and gives it the name path. If write panics, the file goes as it
// would on an error.
func fill(file *os.File, path string, write func(io.Writer) error) error {
	whole := false
	defer func() {
		file.Close() // closed already if all went well
		if !whole {
			os.Remove(file.Name())
		}
	}()
	if err := pour(file, write); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	err := install(file, path)
	whole = err == nil
	return err
}

func direct(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := pour(file, write); err != nil {
		return err
	}
	return file.Close()
}

func pour(file *os.File, write func(io.Writer) error) error {
	out := bufio.NewWriter(file)
	if err := write(out); err != nil {
		return err
	}
	return out.Flush()
}
