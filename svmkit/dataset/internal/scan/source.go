// Package scan cuts the text of a data file into lines, words and fields, and recognises its
// format.
package scan

import (
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"io"
)

// Source is a window onto the text of a stream, with its line and column. It unpacks gzip and bzip2
// and drops a byte order mark. A token may be as long as the window, and memory is constant for lines of any
// length.
//
// Invariant: Buf[Pos:End] is text not yet consumed, and Line counts the consumed newlines + 1.
type Source struct {
	ctx       context.Context
	r         io.Reader
	Buf       []byte
	Pos, End  int
	Line      int
	lineStart int64 // of the current line, counted like Pos: the window moves, so often < 0
	Err       error // the error that ended the stream; io.EOF at its end
	CR        bool  // the last blank that SkipBlanks consumed was a carriage return
}

// Window is the size of Buf in bytes, the length of the longest token.
const Window = 64 << 10

// Causes of an [Error], and of a Source that ends.
var (
	ErrUTF16      = errors.New("UTF-16 text")
	ErrTooLong    = errors.New("a token longer than the window")
	ErrLongQuote  = errors.New("a quoted field longer than the window")
	ErrTooMany    = errors.New("too many fields in one line")
	ErrOpenQuote  = errors.New("no closing quote")
	ErrAfterQuote = errors.New("text after the closing quote")
)

// Error reports a token that cannot be read.
type Error struct {
	At   Place
	Text []byte // the token, or its beginning
	Err  error  // one of the causes above, or the error of the stream
}

func (e *Error) Error() string { return e.Err.Error() }

// New returns the text of r, which is read until ctx ends.
func New(ctx context.Context, r io.Reader) *Source {
	s := &Source{ctx: ctx, r: r, Buf: make([]byte, Window), Line: 1}
	s.fillHead()
	head := s.Buf[:s.End]
	gzipped := bytes.HasPrefix(head, []byte("\x1f\x8b"))
	if _, text := r.(unpacked); !text && (gzipped || bzip2ed(head)) {
		if s.unpack(gzipped); s.Err == nil {
			s.fillHead()
		}
	}
	switch head := s.Buf[:s.End]; {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		s.Pos, s.lineStart = 3, 3
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		s.Pos, s.End, s.Err = 0, 0, ErrUTF16
		return s
	}
	if err := s.foreign(); err != nil {
		s.Pos, s.End, s.Err = 0, 0, err
	}
	return s
}

// unpack puts a reader of the unpacked text in place of that of the file.
func (s *Source) unpack(gzipped bool) {
	var all io.Reader = bytes.NewReader(bytes.Clone(s.Buf[:s.End]))
	s.End = 0
	if s.Err == nil {
		all = io.MultiReader(all, s.r)
	} else if s.Err != io.EOF {
		return
	}
	s.r, s.Err = nil, nil
	if !gzipped {
		s.r = bzip2.NewReader(all)
	} else if s.r, s.Err = gzip.NewReader(all); s.Err == io.EOF {
		s.Err = io.ErrUnexpectedEOF
	}
}

// Fill reads more text behind Buf[Pos:End], which it moves to the front. It reports false
// if there is none, or if the window is full; then TooLong is true.
func (s *Source) Fill() bool {
	if s.Err != nil || s.TooLong() {
		return false
	}
	if s.Pos > 0 {
		copy(s.Buf, s.Buf[s.Pos:s.End])
		s.lineStart -= int64(s.Pos)
		s.End -= s.Pos
		s.Pos = 0
	}
	if s.Err = s.ctx.Err(); s.Err != nil {
		return false
	}
	for range 100 { // as bufio does: a reader may return nothing for a while
		n, err := s.r.Read(s.Buf[s.End:])
		s.End += n
		s.Err = err
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	s.Err = io.ErrNoProgress
	return false
}

// TooLong reports whether the token that starts at Pos fills the whole window.
func (s *Source) TooLong() bool { return s.End-s.Pos == len(s.Buf) }

// More reports whether there is text at Pos, reading it if need be.
func (s *Source) More() bool { return s.Pos < s.End || s.Fill() }

// Failure returns an [*Error] at the current place for the error that ended the stream, and nil at
// its regular end.
func (s *Source) Failure() error {
	if s.Err == nil || s.Err == io.EOF {
		return nil
	}
	return &Error{At: s.Place(), Err: s.Err}
}

// Rest returns a reader of the text from Pos to the end of the stream.
func (s *Source) Rest() io.Reader {
	text := bytes.NewReader(bytes.Clone(s.Buf[s.Pos:s.End]))
	if s.Err != nil {
		return unpacked{io.MultiReader(text, failing{s.Err})}
	}
	return unpacked{io.MultiReader(text, s.r)}
}

// unpacked is a reader of text. What looks like gzip there is a gzip file inside another.
type unpacked struct{ io.Reader }

// failing is a reader that has nothing but an error.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Place returns the place of the next character.
func (s *Source) Place() Place {
	return Place{Line: s.Line, Column: int(int64(s.Pos)-s.lineStart) + 1}
}

// Place is a place in a text: a line, and a byte in that line, both from 1.
type Place struct{ Line, Column int }

// Newline consumes the '\n' at Pos.
func (s *Source) Newline() {
	s.Pos++
	s.Line++
	s.lineStart = int64(s.Pos)
}

// SkipBlanks consumes spaces, tabs and carriage returns and returns the next character
// without consuming it; ok is false at the end of the text.
func (s *Source) SkipBlanks() (c byte, ok bool) {
	s.CR = false
	for s.More() {
		c := s.Buf[s.Pos]
		if c != ' ' && c != '\t' && c != '\r' {
			return c, true
		}
		s.CR = c == '\r'
		s.Pos++
	}
	return 0, false
}

// SkipLine consumes the line up to its '\n', which stays.
func (s *Source) SkipLine() {
	for s.More() {
		if n := bytes.IndexByte(s.Buf[s.Pos:s.End], '\n'); n >= 0 {
			s.Pos += n
			return
		}
		s.Pos = s.End
	}
}

// Until returns the text from Pos to the first byte for which stop holds, or to the end,
// without consuming it. It is valid until the next Fill. ok is false if it is too long.
func (s *Source) Until(stop *[256]bool) (text []byte, ok bool) {
	for n := 0; ; {
		rest := s.Buf[s.Pos:s.End]
		for n < len(rest) && !stop[rest[n]] {
			n++
		}
		if n < len(rest) {
			return rest[:n], true
		}
		if !s.Fill() { // it may have moved the window all the same
			return s.Buf[s.Pos:s.End], !s.TooLong()
		}
	}
}

// FirstLine returns the text from Pos to the end of the line, or of the window.
func (s *Source) FirstLine() []byte {
	line, _ := s.lineFrom(0)
	return line
}

// Lines fills buf with the text from Pos on and consumes and returns its whole lines; at the end of
// the stream it returns all that is left. It is empty if there is no whole line. buf takes the
// place of Buf, so the caller passes another one next time. Line stays as it is.
func (s *Source) Lines(buf []byte) []byte {
	s.End = copy(buf, s.Buf[s.Pos:s.End])
	s.Buf, s.Pos = buf, 0
	for s.Fill() {
	}
	n := bytes.LastIndexByte(buf[:s.End], '\n') + 1
	if s.Err == io.EOF {
		n = s.End
	}
	s.Pos = n
	return buf[:n:n]
}

// Sub returns a source of the text of r whose first line is the current one.
func (s *Source) Sub(r io.Reader) *Source {
	return &Source{ctx: s.ctx, r: r, Buf: make([]byte, Window), Line: s.Line}
}
