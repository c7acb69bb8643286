package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// watched names what decides the packages that cells import, beside Go itself and the module
// cache, whose files do not change.
type watched struct {
	Settings []string // of the go command and the workspace: files, by their contents
	Files    []string // by their contents
	Folders  []string // by the names in them and the contents of their source files
}

func (w *watched) settings(names ...string) {
	for _, name := range names {
		add(&w.Settings, name)
	}
}

func add(to *[]string, name string) {
	if filepath.IsAbs(name) && !slices.Contains(*to, name) {
		*to = append(*to, name)
	}
}

// watch adds a package.
func (w *watched) watch(p listed) {
	add(&w.Folders, p.Dir)
	for _, name := range p.EmbedFiles {
		file := filepath.Join(p.Dir, name)
		add(&w.Files, file)
		add(&w.Folders, filepath.Dir(file))
	}
	if p.Module != nil {
		add(&w.Files, p.Module.GoMod)
		w.settings(filepath.Join(p.Module.Dir, "go.sum")) // not every module has one
	}
}

// sources are the extensions of the files that the go command compiles into a package.
var sources = []string{".go", ".s", ".S", ".sx", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".m",
	".f", ".F", ".for", ".f90", ".syso", ".swig", ".swigcxx"}

// sign returns a hash of all that is watched, of the environment and of the go command, and the
// time of the last change of a watched file or folder, without Settings.
func (w watched) sign(goCommand string) (signature string, youngest time.Time, err error) {
	info, err := os.Stat(goCommand)
	if err != nil {
		return "", youngest, err
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %d %v\n", goCommand, info.Size(), info.ModTime())
	env := os.Environ()
	slices.Sort(env)
	for _, entry := range env {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "GO") || strings.HasPrefix(name, "CGO") || name == "PATH" || name == "HOME" {
			fmt.Fprintf(hash, "%q\n", entry)
		}
	}
	for _, name := range w.Settings {
		if _, err := addFile(hash, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", youngest, err
		}
	}
	files := slices.Clone(w.Files)
	for _, dir := range w.Folders {
		info, err := os.Stat(dir)
		if err != nil {
			return "", youngest, err
		}
		if info.ModTime().After(youngest) {
			youngest = info.ModTime()
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			return "", youngest, err
		}
		for _, e := range entries {
			fmt.Fprintf(hash, "%q\n", e.Name())
			if slices.Contains(sources, filepath.Ext(e.Name())) && !strings.HasSuffix(e.Name(), "_test.go") {
				files = append(files, filepath.Join(dir, e.Name()))
			}
		}
	}
	for _, name := range files {
		changed, err := addFile(hash, name)
		if err != nil {
			return "", youngest, err
		}
		if changed.After(youngest) {
			youngest = changed
		}
	}
	return fmt.Sprintf("%x", hash.Sum(nil)), youngest, nil
}

// addFile adds a file's name and contents to the hash and returns when it was changed last.
func addFile(hash io.Writer, name string) (time.Time, error) {
	file, err := os.Open(name)
	if err != nil {
		return time.Time{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return time.Time{}, err
	}
	fmt.Fprintf(hash, "%q %d\n", name, info.Size())
	_, err = io.Copy(hash, file)
	return info.ModTime(), err
}
