package notebook

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/svmkit/course/internal/atomicfile"
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

// WriteFile writes the notebook as nbformat 4.5 to path, whole or not at all.
func WriteFile(path string, n *Notebook) error { return atomicfile.Write(path, n.WriteJSON) }
