package notebook

import (
	"errors"
	"strconv"
)

// Causes that a [*ParseError] can wrap; test with errors.Is.
var (
	ErrUnclosed = errors.New("never closed")
	ErrOptions  = errors.New("cell options: expected tags=[\"…\"], key=JSON or a single word")
	ErrTags     = errors.New(`tags must be a list of distinct texts without commas, like ["exercise"]`)
	ErrTagUse   = errors.New("a tag without what belongs to it")
	ErrHeader   = errors.New("YAML header")
	ErrEncoding = errors.New("not UTF-8 text; convert the file to UTF-8")
	ErrVersion  = errors.New("not a notebook of nbformat 4")
	ErrFormat   = errors.New("not a Jupyter notebook")
	ErrSize     = errors.New("too large")
	ErrNested   = errors.New("nested too deeply")
	ErrFile     = errors.New("not a regular file")
)

// ParseError says where a lesson or a notebook cannot be understood, and why.
type ParseError struct {
	Name         string // file, as the caller gave it; empty if it gave none
	Line, Column int    // from 1; 0 where unknown. Column counts bytes
	Cell         int    // from 1; 0 when the error concerns no single cell
	Detail       string // what exactly; may be empty
	Err          error  // one of the causes above, or the reader's error
}

func (e *ParseError) Error() string {
	s := e.Name
	if e.Line > 0 {
		s += ":" + strconv.Itoa(e.Line)
		if e.Column > 0 {
			s += ":" + strconv.Itoa(e.Column)
		}
	}
	if s != "" {
		s += ": "
	}
	if e.Cell > 0 {
		s += "cell " + strconv.Itoa(e.Cell) + ": "
	}
	s += e.Err.Error()
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

func (e *ParseError) Unwrap() error { return e.Err }
