package dataset

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/svmkit/course/svmkit"
)

// LIBSVM holds the options of reading a file in the format of LIBSVM, LIBLINEAR and SVMlight: one
// example a line,
//
//	label index:value index:value …   # comment
//
// with indices that start at 1 and rise strictly; columns that are not named are zero.
// Blank lines, comments, CRLF line ends and lines without features are fine; a line may be
// of any length. Rows are sparse; explicit zeros are kept.
//
// What both this package and the readers of LIBSVM and LIBLINEAR accept is read to the same bits. They
// accept, and here are errors: nan and inf, hexadecimal numbers, index 0 (unless ZeroBased), indices
// from 2³¹ on (taken modulo 2³²), blanks and signs in a pair, a last pair without its value, text after
// the last pair or after a carriage return inside a line (ignored), a file without any row or any
// feature. They do not read blank lines, comments with a colon, names as labels, and nonzero numbers
// below 2.2e-308.
type LIBSVM struct {
	Labels
	Name      string // for messages
	Dim       int    // number of columns; 0: the largest index in the file. Set it for a test file
	ZeroBased bool   // indices start at 0
	SkipQID   bool   // ignore the query ids of ranking data; without it they are an error
}

// ReadLIBSVM reads a whole file, plain or gzip. opt may be nil. Labels follow [Labels].
//
// Memory is that of the numbers (12 bytes each), plus 56 bytes a row for Row and label and
// at most an eighth: rows share a few large arrays. A [*ParseError] names what is wrong.
func ReadLIBSVM(r io.Reader, opt *LIBSVM) (*svmkit.Dataset, error) {
	return RowsLIBSVM(r, opt).collect()
}

// RowsLIBSVM reads a file, plain or gzip, row by row in constant memory. opt may be nil.
func RowsLIBSVM(r io.Reader, opt *LIBSVM) *Stream {
	var o LIBSVM
	if opt != nil {
		o = *opt
	}
	err := o.validate()
	if err == nil && (o.Dim < 0 || o.Dim > math.MaxInt32) {
		err = &svmkit.ParamError{Name: "Dim", Value: o.Dim, Need: "must lie in 0 … 2147483647"}
	}
	if err != nil {
		return &Stream{err: err}
	}
	return newLIBSVM(newSource(r, o.Name), o)
}

func newLIBSVM(src *source, o LIBSVM) *Stream {
	p := &libsvmParser{source: src, opt: o, coder: newCoder(o.Labels), dim: o.Dim}
	return &Stream{parser: p, coder: p.coder}
}

// libsvmParser reads one row after the other into the same scratch row.
type libsvmParser struct {
	*source
	opt   LIBSVM
	coder *coder
	dim   int // opt.Dim, or the largest index so far
	index []int32
	value []float64
}

func (p *libsvmParser) columns() (dim int, names []string) { return p.dim, nil }

// wordEnd holds for what ends a word: blanks, control characters and the comment sign.
var wordEnd = func() (end [256]bool) {
	for c := range ' ' + 1 {
		end[c] = true
	}
	end['#'] = true
	return end
}()

func (p *libsvmParser) next() (svmkit.Row, label, place, error) {
	fail := func(err error) (svmkit.Row, label, place, error) { return svmkit.Row{}, label{}, place{}, err }
	for {
		switch c, ok := p.skipBlanks(); {
		case !ok:
			if err := p.failure(); err != nil {
				return fail(err)
			}
			return fail(io.EOF)
		case c == '#':
			p.skipLine()
			continue
		case c == '\n':
			p.newline()
			continue
		}
		break
	}
	at := p.place()
	l, err := p.label()
	if err != nil {
		return fail(err)
	}
	p.index, p.value = p.index[:0], p.value[:0]
	for {
		c, ok := p.skipBlanks()
		if c == '#' {
			p.skipLine()
			c, ok = '\n', p.more()
		}
		switch {
		case !ok: // the last line may lack its newline, but must not be cut off by an error
			if err := p.failure(); err != nil {
				return fail(err)
			}
		case c == '\n':
			p.newline()
		case p.cr:
			return fail(p.errorAt(p.place(), nil, errReturn))
		default:
			if err := p.pair(); err != nil {
				return fail(err)
			}
			continue
		}
		return svmkit.Row{Index: p.index, Value: p.value}, l, at, nil
	}
}

// label reads the first word of a line.
func (p *libsvmParser) label() (label, error) {
	word, err := p.word()
	if err != nil {
		return label{}, err
	}
	if bytes.IndexByte(word, ':') >= 0 {
		return label{}, p.errorAt(p.place(), word, fmt.Errorf("%w: the line starts without a label", ErrMissing))
	}
	l, err := p.coder.read(word, false)
	if err != nil {
		return label{}, p.errorAt(p.place(), word, err)
	}
	if l.name != 0 && bytes.IndexByte(word, ',') >= 0 {
		return label{}, p.errorAt(p.place(), word, fmt.Errorf("%w: several labels in one row are not supported", ErrNotNumber))
	}
	p.pos += len(word)
	return l, nil
}

// word returns the word at pos without consuming it.
func (p *libsvmParser) word() ([]byte, error) {
	word, ok := p.until(&wordEnd)
	if !ok {
		return nil, p.errorAt(p.place(), word, errTooLong)
	}
	if p.err != nil && p.err != io.EOF && p.pos+len(word) == p.end {
		return nil, p.failure() // the word may have been cut off
	}
	if len(word) == 0 {
		return nil, p.errorAt(p.place(), p.buf[p.pos:p.pos+1], fmt.Errorf("%w: a control character", errPair))
	}
	return word, nil
}

// pair reads one index:value and appends it to the scratch row.
func (p *libsvmParser) pair() error {
	word, err := p.word()
	if err != nil {
		return err
	}
	index, i := 0, 0
	for i < len(word) && '0' <= word[i] && word[i] <= '9' {
		// Beyond int32 all are too large; the cut keeps 2⁶⁰ and longer from wrapping around.
		index = min(index*10+int(word[i]-'0'), math.MaxInt32+1)
		i++
	}
	if i == 0 || i == len(word) || word[i] != ':' {
		if bytes.HasPrefix(word, []byte("qid:")) {
			if p.opt.SkipQID && len(p.index) == 0 {
				p.pos += len(word)
				return nil
			}
			return p.errorAt(p.place(), word, errQueryID)
		}
		return p.errorAt(p.place(), word, p.pairError(word))
	}
	if !p.opt.ZeroBased {
		index--
	}
	switch last := len(p.index) - 1; {
	case index < 0:
		return p.errorAt(p.place(), word, fmt.Errorf("%w: indices start at 1 (option ZeroBased: at 0)", errColumn))
	case index >= math.MaxInt32:
		return p.errorAt(p.place(), word, fmt.Errorf("%w: beyond 2147483647", errColumn))
	case p.opt.Dim > 0 && index >= p.opt.Dim:
		return p.errorAt(p.place(), word, fmt.Errorf("%w: Dim is %d", errColumn, p.opt.Dim))
	case last >= 0 && index == int(p.index[last]):
		return p.errorAt(p.place(), word, fmt.Errorf("%w: this one stands twice", errOrder))
	case last >= 0 && index < int(p.index[last]):
		return p.errorAt(p.place(), word, errOrder)
	}
	v, ok := parseNumber(word[i+1:])
	if !ok || math.IsInf(v, 0) {
		at := p.place()
		at.column += i + 1
		return p.errorAt(at, word[i+1:], numberError(word[i+1:]))
	}
	p.index = append(p.index, int32(index))
	p.value = append(p.value, v)
	p.dim = max(p.dim, index+1)
	p.pos += len(word)
	return nil
}

// pairError says more about a word that is not index:value, if there is more to say.
func (p *libsvmParser) pairError(word []byte) error {
	if word[0] == '-' && bytes.IndexByte(word, ':') > 0 {
		return fmt.Errorf("%w: negative", errColumn)
	}
	return errPair
}
