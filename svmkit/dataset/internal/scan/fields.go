package scan

import (
	"bytes"
	"io"
)

// Field is one field of a line. Text is valid until the next field is read.
type Field struct {
	Text   []byte
	Quoted bool
	Last   bool // of its line
	At     Place
}

// Fields reads a table field by field.
type Fields struct {
	*Source
	Comma  byte
	stop   [256]bool // Comma and newline
	quoted []byte    // scratch of a quoted field
}

// SetComma sets the separator.
func (p *Fields) SetComma(comma byte) {
	p.Comma = comma
	p.stop = [256]bool{'\n': true}
	p.stop[comma] = true
}

// GuessComma returns the separator of the first line, as far as it is in the window.
func (p *Fields) GuessComma() byte {
	seen, inQuotes := [256]bool{}, false
	for _, c := range p.FirstLine() {
		if c == '"' {
			inQuotes = !inQuotes
		} else if !inQuotes {
			seen[c] = true
		}
	}
	switch {
	case seen['\t']:
		return '\t'
	case seen[';']:
		return ';'
	}
	return ','
}

// Next reads the next field and the separator behind it.
func (p *Fields) Next() (f Field, err error) {
	for p.More() { // blanks, as far as they do not separate
		if c := p.Buf[p.Pos]; c != ' ' && c != '\t' || c == p.Comma {
			break
		}
		p.Pos++
	}
	f.At = p.Place()
	if p.More() && p.Buf[p.Pos] == '"' {
		if f.Text, err = p.quote(f.At); err != nil {
			return f, err
		}
		f.Quoted = true
		for p.More() {
			if c := p.Buf[p.Pos]; c != ' ' && c != '\t' && c != '\r' || c == p.Comma {
				break
			}
			p.Pos++
		}
		if p.More() && !p.stop[p.Buf[p.Pos]] {
			return f, &Error{p.Place(), p.Buf[p.Pos : p.Pos+1], ErrAfterQuote}
		}
	} else {
		text, ok := p.Until(&p.stop)
		if !ok {
			return f, &Error{f.At, text, ErrTooLong}
		}
		p.Pos += len(text)
		for n := len(text); n > 0 && (text[n-1] == ' ' || text[n-1] == '\t' || text[n-1] == '\r'); n-- {
			text = text[:n-1]
		}
		f.Text = text
	}
	switch {
	case p.Pos == p.End: // Until and More read on, so this is the end of the text
		f.Last = true
		return f, p.Failure()
	case p.Buf[p.Pos] == '\n':
		f.Last = true
		p.Newline()
	default:
		p.Pos++
	}
	return f, nil
}

// Start skips blank lines up to the first field of the next line. At the end of the text it returns
// io.EOF. A line that begins with a tab as separator is not blank.
func (p *Fields) Start() error {
	for p.More() {
		switch c := p.Buf[p.Pos]; {
		case c == '\n':
			p.Newline()
		case c == ' ' || c == '\r' || c == '\t' && p.Comma != '\t':
			p.Pos++
		default:
			return nil
		}
	}
	if err := p.Failure(); err != nil {
		return err
	}
	return io.EOF
}

// mostFields of a line that is kept as text take half a GiB.
const mostFields = 1 << 22

// Line reads all fields of a line, which the caller may keep.
func (p *Fields) Line() (line []Field, err error) {
	for last := false; !last; {
		f, err := p.Next()
		if err != nil {
			return nil, err
		}
		if len(line) == mostFields {
			return nil, &Error{f.At, f.Text, ErrTooMany}
		}
		f.Text = bytes.Clone(f.Text)
		line, last = append(line, f), f.Last
	}
	return line, nil
}

// quote reads a quoted field. Pos is at its opening quote.
func (p *Fields) quote(at Place) ([]byte, error) {
	p.Pos++
	p.quoted = p.quoted[:0]
	for p.More() {
		c := p.Buf[p.Pos]
		if c == '\n' {
			p.Newline()
		} else {
			p.Pos++
		}
		if c == '"' {
			if !p.More() || p.Buf[p.Pos] != '"' {
				return p.quoted, nil
			}
			p.Pos++
		}
		if len(p.quoted) == Window {
			return nil, &Error{at, p.quoted, ErrLongQuote}
		}
		p.quoted = append(p.quoted, c)
	}
	if err := p.Failure(); err != nil {
		return nil, err
	}
	return nil, &Error{at, p.quoted, ErrOpenQuote}
}
