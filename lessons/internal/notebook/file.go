package notebook

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/svmkit/course/internal/atomicfile"
)

// Open opens a file for reading. A folder, a pipe or a device, which may not end, is refused with ErrFile.
func Open(path string) (*os.File, error) {
	// Opening a pipe would wait for whoever writes to it, so the kind is asked for first.
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, &ParseError{Name: path, Err: ErrFile, Detail: "name one that ends in .md or .ipynb, or save what you have to one"}
	}
	return os.Open(path)
}

// ReadFile reads a lesson (.md, .markdown) or a notebook (.ipynb), within the limits. Errors are those of
// [Open], of the file system, and [*ParseError] with the path as its name.
func ReadFile(path string) (*Notebook, error) {
	n, err := readFile(path)
	var parse *ParseError
	if errors.As(err, &parse) {
		parse.Name = path
	}
	return n, err
}

func readFile(path string) (*Notebook, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	switch strings.ToLower(filepath.Ext(path)) {
	case ".md", ".markdown":
		src, err := readAtMost(file, MaxMarkdown)
		if err != nil {
			return nil, err
		}
		return ParseMarkdown("", src)
	case ".ipynb":
		return ReadJSON(file)
	}
	return nil, &ParseError{Err: ErrFormat, Detail: "its name must end in .md, .markdown or .ipynb"}
}

// WriteFile writes the notebook as nbformat 4.5 to path, whole or not at all.
func WriteFile(path string, n *Notebook) error { return atomicfile.Write(path, n.WriteJSON) }
