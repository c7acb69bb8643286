package dataset

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
)

// source is a window onto the text of a stream, with its line and column. It unpacks gzip and drops
// a byte order mark. A token may be as long as the window; memory is constant for lines of any
// length.
//
// Invariant: buf[pos:end] is text not yet consumed; line counts the consumed newlines + 1.
type source struct {
	ctx       context.Context
	r         io.Reader
	name      string
	buf       []byte
	pos, end  int
	line      int
	lineStart int64 // of the current line, counted like pos: the window moves, so often < 0
	err       error // the error that ended the stream; io.EOF at its end
	skipped   int   // rows left out because a value was missing
	cr        bool  // the last blank that skipBlanks consumed was a carriage return
}

const window = 64 << 10

func newSource(ctx context.Context, r io.Reader, name string) *source {
	s := &source{ctx: ctx, r: r, name: name, buf: make([]byte, window), line: 1}
	for s.end < 3 && s.fill() {
	}
	if _, text := r.(unpacked); !text && s.end >= 2 && s.buf[0] == 0x1f && s.buf[1] == 0x8b {
		head := bytes.Clone(s.buf[:s.end])
		s.end = 0
		var all io.Reader = bytes.NewReader(head)
		if s.err == nil {
			all = io.MultiReader(all, r)
		} else if s.err != io.EOF {
			return s
		}
		s.r, s.err = nil, nil
		if s.r, s.err = gzip.NewReader(all); s.err == io.EOF {
			s.err = io.ErrUnexpectedEOF
		}
		for s.err == nil && s.end < 3 && s.fill() {
		}
	}
	head := s.buf[:s.end]
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		s.pos, s.lineStart = 3, 3
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		s.pos, s.end, s.err = 0, 0, ErrEncoding
	}
	return s
}

// fill reads more text behind buf[pos:end], which it moves to the front. It reports false
// if there is none, or if the window is full; then tooLong is true.
func (s *source) fill() bool {
	if s.err != nil || s.tooLong() {
		return false
	}
	if s.pos > 0 {
		copy(s.buf, s.buf[s.pos:s.end])
		s.lineStart -= int64(s.pos)
		s.end -= s.pos
		s.pos = 0
	}
	if s.err = s.ctx.Err(); s.err != nil {
		return false
	}
	for range 100 { // as bufio does: a reader may return nothing for a while
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		s.err = err
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	s.err = io.ErrNoProgress
	return false
}

// tooLong reports whether the token that starts at pos fills the whole window.
func (s *source) tooLong() bool { return s.end-s.pos == len(s.buf) }

// more reports whether there is text at pos, reading it if need be.
func (s *source) more() bool { return s.pos < s.end || s.fill() }

// failure is the error that ended the stream, nil at its regular end.
func (s *source) failure() error {
	if s.err == nil || s.err == io.EOF {
		return nil
	}
	return s.errorAt(s.place(), nil, s.err)
}

func (s *source) left() int { return s.skipped }

// rest returns a reader of the text from pos to the end of the stream.
func (s *source) rest() io.Reader {
	text := bytes.NewReader(bytes.Clone(s.buf[s.pos:s.end]))
	if s.err != nil {
		return unpacked{io.MultiReader(text, failing{s.err})}
	}
	return unpacked{io.MultiReader(text, s.r)}
}

// unpacked is a reader of text. What looks like gzip there is a gzip file inside another.
type unpacked struct{ io.Reader }

// failing is a reader that has nothing but an error.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// place returns the line and column of pos.
func (s *source) place() place {
	return place{line: s.line, column: int(int64(s.pos)-s.lineStart) + 1}
}

type place struct{ line, column int }

func (s *source) errorAt(p place, text []byte, err error) *ParseError {
	return &ParseError{Name: s.name, Line: p.line, Column: p.column, Text: shorten(text), Err: err}
}

// newline consumes the '\n' at pos.
func (s *source) newline() {
	s.pos++
	s.line++
	s.lineStart = int64(s.pos)
}

// skipBlanks consumes spaces, tabs and carriage returns and returns the next character
// without consuming it; ok is false at the end of the text.
func (s *source) skipBlanks() (c byte, ok bool) {
	s.cr = false
	for s.more() {
		c := s.buf[s.pos]
		if c != ' ' && c != '\t' && c != '\r' {
			return c, true
		}
		s.cr = c == '\r'
		s.pos++
	}
	return 0, false
}

// skipLine consumes the line up to its '\n', which stays.
func (s *source) skipLine() {
	for s.more() {
		if n := bytes.IndexByte(s.buf[s.pos:s.end], '\n'); n >= 0 {
			s.pos += n
			return
		}
		s.pos = s.end
	}
}

// until returns the text from pos to the first byte for which stop holds, or to the end,
// without consuming it. It is valid until the next fill. ok is false if it is too long.
func (s *source) until(stop *[256]bool) (text []byte, ok bool) {
	for n := 0; ; {
		rest := s.buf[s.pos:s.end]
		for n < len(rest) && !stop[rest[n]] {
			n++
		}
		if n < len(rest) {
			return rest[:n], true
		}
		if !s.fill() { // it may have moved the window all the same
			return s.buf[s.pos:s.end], !s.tooLong()
		}
	}
}

// firstLine returns the text from pos to the end of the line, or of the window.
func (s *source) firstLine() []byte {
	for {
		rest := s.buf[s.pos:s.end]
		if n := bytes.IndexByte(rest, '\n'); n >= 0 {
			return rest[:n]
		}
		if !s.fill() {
			return s.buf[s.pos:s.end]
		}
	}
}
