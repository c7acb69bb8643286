package notebook

import (
	"fmt"
	"io"
)

// What is read at most. Reading takes time in proportion to the size; for a YAML header, to its square.
const (
	MaxNotebook = 64 << 20 // bytes of a notebook (.ipynb)
	MaxMarkdown = 8 << 20  // bytes of a lesson
	MaxHeader   = 32 << 10 // bytes of a lesson's YAML header
	maxLevels   = 100      // lists and objects within each other in a notebook; each level indents what it holds
)

// Levels of a notebook's JSON around a value of its own metadata, and of a cell's.
const (
	aroundMetadata    = 1 // {"metadata": …
	aroundCellOptions = 4 // {"cells": [{"metadata": {"key": …
)

// tooLarge returns the error for a text of which more than limit bytes were found.
func tooLarge(name string, limit int) *ParseError {
	return &ParseError{Name: name, Err: ErrSize, Detail: fmt.Sprintf("at most %d KiB are read", limit>>10)}
}

// readAtMost reads all of r, and returns ErrSize if that is more than limit bytes.
func readAtMost(r io.Reader, limit int) ([]byte, error) {
	src, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err != nil {
		return nil, &ParseError{Err: err}
	}
	if len(src) > limit {
		return nil, tooLarge("", limit)
	}
	return src, nil
}

// tooDeep returns the offset in a JSON text, which stands in so many levels already, of the bracket that
// opens one level more than maxLevels; −1 if there is none.
func tooDeep(src []byte, around int) int {
	levels, inText := around, false
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '[' || c == '{':
			if levels++; levels > maxLevels {
				return i
			}
		case c == ']' || c == '}':
			levels--
		}
	}
	return -1
}

func errTooDeep() *ParseError {
	return &ParseError{Err: ErrNested, Detail: fmt.Sprintf("a notebook can hold %d levels of lists and objects", maxLevels)}
}
