package dataset

import (
	"fmt"
	"io"
	"strings"

	"github.com/svmkit/course/svmkit"
)

// CSV holds the options of reading a table of numbers with one label column: one example a line, fields
// separated by commas. Fields may stand in double quotes, with "" for a quote inside;
// blanks around fields, blank lines, CRLF line ends and a byte order mark are ignored.
// Rows are dense.
type CSV struct {
	Labels
	Name  string // for messages
	Comma byte   // the separator; 0: the first of tab, ';' and ',' that stands in the first line
	Skip  int    // number of lines to ignore at the start
	// Header says whether the first line holds names.
	Header Header
	// Label is the label's column, by its name in the first line, which is then a header, or
	// by its number from 1; "" is the last column that is not dropped.
	Label string
	// Unlabelled says that there is no label column; Y is then 0.
	Unlabelled bool
	// Drop are columns to leave out, by name or number from 1: row numbers, remarks.
	Drop []string
	// SkipMissing leaves out rows with a missing value; without it they are an error.
	// Missing are empty fields, ?, NA, N/A, NaN, null and None.
	SkipMissing bool
}

// Header says whether a CSV file starts with a line of names.
type Header int

const (
	// HeaderAuto takes the first line for a header if none of its features is a number, and
	// for data if all are numbers or missing; anything between is an error, [ErrFormat].
	HeaderAuto Header = iota
	HeaderYes
	HeaderNo
)

// ReadCSV reads a whole table, plain or gzip. opt may be nil: then the last column is the
// label, and the separator and the header are recognised. Labels follow [Labels], Features are the header's names.
//
// Memory is that of the numbers (8 bytes each), plus 56 bytes a row for Row and label and
// at most an eighth: rows share a few large arrays. A [*ParseError] names what is wrong.
func ReadCSV(r io.Reader, opt *CSV) (*svmkit.Dataset, error) { return RowsCSV(r, opt).collect() }

// RowsCSV reads a table, plain or gzip, row by row in constant memory. opt may be nil.
func RowsCSV(r io.Reader, opt *CSV) *Stream {
	var o CSV
	if opt != nil {
		o = *opt
	}
	if err := o.validate(); err != nil {
		return &Stream{err: err}
	}
	return newCSV(newSource(r, o.Name), o)
}

func (o *CSV) validate() error {
	switch {
	case o.Comma != 0 && (o.Comma < '!' && o.Comma != '\t' || o.Comma > '~' || strings.IndexByte(`"'.+-_`, o.Comma) >= 0 ||
		'0' <= o.Comma && o.Comma <= '9' || 'a' <= o.Comma|0x20 && o.Comma|0x20 <= 'z'):
		return &svmkit.ParamError{Name: "Comma", Value: fmt.Sprintf("%q", o.Comma), Need: "must be a tab or a mark that is in no number"}
	case o.Skip < 0:
		return &svmkit.ParamError{Name: "Skip", Value: o.Skip, Need: "must not be negative"}
	case o.Header < HeaderAuto || o.Header > HeaderNo:
		return &svmkit.ParamError{Name: "Header", Value: int(o.Header), Need: "must be one of the constants"}
	case o.Unlabelled && (o.Label != "" || o.Classes != nil || o.Positive != ""):
		return &svmkit.ParamError{Name: "Unlabelled", Value: true, Need: "has no Label, Classes and Positive"}
	}
	return o.Labels.validate()
}

func newCSV(src *source, o CSV) *Stream {
	if o.Unlabelled {
		o.Task = Regression
	}
	p := &csvParser{fields: fields{source: src}, opt: o, coder: newCoder(o.Labels)}
	return &Stream{parser: p, coder: p.coder}
}

// field is one field of a line; text is valid until the next is read.
type field struct {
	text   []byte
	quoted bool
	last   bool // of its line
	at     place
}

// fields reads a table field by field.
type fields struct {
	*source
	comma  byte
	stop   [256]bool // comma and newline
	quoted []byte    // scratch of a quoted field
}

func (p *fields) setComma(comma byte) {
	p.comma = comma
	p.stop = [256]bool{'\n': true}
	p.stop[comma] = true
}

// guessComma returns the separator of the first line, as far as it is in the window.
func (p *fields) guessComma() byte {
	seen, inQuotes := [256]bool{}, false
	for _, c := range p.firstLine() {
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

// field reads the next field and what separates it from the next.
func (p *fields) field() (f field, err error) {
	for p.more() { // blanks, as far as they do not separate
		if c := p.buf[p.pos]; c != ' ' && c != '\t' || c == p.comma {
			break
		}
		p.pos++
	}
	f.at = p.place()
	if p.more() && p.buf[p.pos] == '"' {
		if f.text, err = p.quote(f.at); err != nil {
			return f, err
		}
		f.quoted = true
		for p.more() {
			if c := p.buf[p.pos]; c != ' ' && c != '\t' && c != '\r' || c == p.comma {
				break
			}
			p.pos++
		}
		if p.more() && !p.stop[p.buf[p.pos]] {
			return f, p.errorAt(p.place(), p.buf[p.pos:p.pos+1], fmt.Errorf("%w: text after the closing quote", errQuote))
		}
	} else {
		text, ok := p.until(&p.stop)
		if !ok {
			return f, p.errorAt(f.at, text, errTooLong)
		}
		p.pos += len(text)
		for n := len(text); n > 0 && (text[n-1] == ' ' || text[n-1] == '\t' || text[n-1] == '\r'); n-- {
			text = text[:n-1]
		}
		f.text = text
	}
	switch {
	case p.pos == p.end: // until and more read on, so this is the end of the text
		f.last = true
		return f, p.failure()
	case p.buf[p.pos] == '\n':
		f.last = true
		p.newline()
	default:
		p.pos++
	}
	return f, nil
}

// quote reads a quoted field; pos is at its opening quote.
func (p *fields) quote(at place) ([]byte, error) {
	p.pos++
	p.quoted = p.quoted[:0]
	for p.more() {
		c := p.buf[p.pos]
		if c == '\n' {
			p.newline()
		} else {
			p.pos++
		}
		if c == '"' {
			if !p.more() || p.buf[p.pos] != '"' {
				return p.quoted, nil
			}
			p.pos++
		}
		if len(p.quoted) == window {
			return nil, p.errorAt(at, p.quoted, fmt.Errorf("%w: is the closing quote missing?", errTooLong))
		}
		p.quoted = append(p.quoted, c)
	}
	if err := p.failure(); err != nil {
		return nil, err
	}
	return nil, p.errorAt(at, p.quoted, fmt.Errorf("%w: no closing quote", errQuote))
}
