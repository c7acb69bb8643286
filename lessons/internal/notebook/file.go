package notebook

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ReadFile reads a lesson (.md, .markdown) or a notebook (.ipynb); the name's end decides.
// Errors are those of the file system and [*ParseError] with the path as its name.
func ReadFile(path string) (*Notebook, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".md", ".markdown":
		return ParseMarkdown(path, src)
	case ".ipynb":
		n, err := ReadJSON(strings.NewReader(string(src)))
		var parse *ParseError
		if errors.As(err, &parse) {
			parse.Name = path
		}
		return n, err
	}
	return nil, &ParseError{Name: path, Err: ErrFormat, Detail: "its name must end in .md, .markdown or .ipynb"}
}

// WriteFile writes the notebook as nbformat 4.5 to path, whole or not at all: see ReplaceFile.
func WriteFile(path string, n *Notebook) error { return ReplaceFile(path, n.WriteJSON) }

// ReplaceFile gives path the content that write produces. Whoever reads path sees the old content or the new, never
// a part: the new one goes to a hidden file in the same folder, is flushed to the disk, and only then takes the
// name. If anything fails, also write itself, the hidden file is removed and path is as it was.
// A link is followed, and the mode of an existing file is kept.
func ReplaceFile(path string, write func(io.Writer) error) (err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	mode := fs.FileMode(0o666) // less the user's mask, as for any new file; os.CreateTemp would give 0600
	if old, err := os.Stat(path); err == nil {
		mode = old.Mode().Perm()
	}
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".new-"+rand.Text()[:8])
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		var p *fs.PathError
		if errors.As(err, &p) {
			p.Path = path // the reader knows this name
		}
		return err
	}
	done := false
	defer func() {
		if !done {
			f.Close()
			os.Remove(temp)
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	done = true
	return nil
}
