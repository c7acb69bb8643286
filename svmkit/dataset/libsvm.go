package dataset

import (
	"bytes"
	"errors"
	"io"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset/internal/scan"
	"github.com/svmkit/course/svmkit/internal/decimal"
)

// libsvmParser reads one row after the other into the same scratch row.
type libsvmParser struct {
	*source
	opt   LIBSVMOptions
	coder *coder
	dim   int // opt.Dim, or the largest index so far
	index []int32
	value []float64
}

func (p *libsvmParser) columns() (dim int, names []string) { return p.dim, nil }

func (p *libsvmParser) next() (svmkit.Row, label, place, error) {
	for {
		x, l, at, err := p.row()
		var e *ParseError
		if !p.opt.SkipMissing || !errors.As(err, &e) || e.Err != ErrMissing {
			return x, l, at, err
		}
		p.SkipLine()
		p.skipped++
	}
}

func (p *libsvmParser) row() (svmkit.Row, label, place, error) {
	fail := func(err error) (svmkit.Row, label, place, error) {
		return svmkit.Row{}, label{}, place{}, err
	}
	for {
		switch c, ok := p.SkipBlanks(); {
		case !ok:
			if err := p.failure(); err != nil {
				return fail(err)
			}
			return fail(io.EOF)
		case c == '#':
			p.SkipLine()
			continue
		case c == '\n':
			p.Newline()
			continue
		}
		break
	}
	at := p.Place()
	l, err := p.label()
	if err != nil {
		return fail(err)
	}
	p.index, p.value = p.index[:0], p.value[:0]
	for {
		c, ok := p.SkipBlanks()
		if c == '#' {
			p.SkipLine()
			c, ok = '\n', p.More()
		}
		switch {
		case !ok: // the last line may lack its newline, but must not be cut off by an error
			if err := p.failure(); err != nil {
				return fail(err)
			}
		case c == '\n':
			p.Newline()
		case p.CR:
			return fail(p.errorAt(p.Place(), nil, ErrReturn))
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
		return label{}, p.errorAt(p.Place(), word, ErrLineWithoutLabel)
	}
	if bytes.IndexByte(word, ',') >= 0 {
		return label{}, p.errorAt(p.Place(), word, ErrSeveralLabels)
	}
	l, err := p.coder.read(word, false)
	if err != nil {
		return label{}, p.errorAt(p.Place(), word, err)
	}
	p.Pos += len(word)
	return l, nil
}

// word returns the word at pos without consuming it.
func (p *libsvmParser) word() ([]byte, error) {
	word, ok := p.Until(&scan.WordEnd)
	if !ok {
		return nil, p.errorAt(p.Place(), word, ErrTooLong)
	}
	if p.Err != nil && p.Err != io.EOF && p.Pos+len(word) == p.End {
		return nil, p.failure() // the word may have been cut off
	}
	if len(word) == 0 {
		return nil, p.errorAt(p.Place(), p.Buf[p.Pos:p.Pos+1], caseOf(ErrPair, ": a control character"))
	}
	return word, nil
}

// pair reads one index:value and appends it to the scratch row.
func (p *libsvmParser) pair() error {
	word, err := p.word()
	if err != nil {
		return err
	}
	number, i := int64(0), 0
	for i < len(word) && '0' <= word[i] && word[i] <= '9' {
		// Beyond int32 all are too large; the cut keeps 2⁶⁰ and longer from wrapping around.
		number = min(number*10+int64(word[i]-'0'), math.MaxInt32+1)
		i++
	}
	if i == 0 || i == len(word) || word[i] != ':' {
		if bytes.HasPrefix(word, []byte("qid:")) {
			if p.opt.SkipQID && len(p.index) == 0 {
				p.Pos += len(word)
				return nil
			}
			return p.errorAt(p.Place(), word, ErrQueryID)
		}
		return p.errorAt(p.Place(), word, p.pairError(word))
	}
	if !p.opt.ZeroBased {
		number--
	}
	index := int(min(number, math.MaxInt32)) // an int may have 32 bits
	switch last := len(p.index) - 1; {
	case index < 0:
		return p.errorAt(p.Place(), word, ErrIndexZero)
	case index >= math.MaxInt32:
		return p.errorAt(p.Place(), word, caseOf(ErrColumn, ": beyond 2147483647"))
	case p.opt.Dim > 0 && index >= p.opt.Dim:
		return p.errorAt(p.Place(), word, caseOf(ErrColumn, ": Dim is %d", p.opt.Dim))
	case last >= 0 && index == int(p.index[last]):
		return p.errorAt(p.Place(), word, caseOf(ErrOrder, ": this one stands twice"))
	case last >= 0 && index < int(p.index[last]):
		return p.errorAt(p.Place(), word, ErrOrder)
	}
	v, ok := decimal.Parse(word[i+1:])
	if !ok || math.IsInf(v, 0) {
		at := p.Place()
		at.Column += i + 1
		e := p.errorAt(at, word[i+1:], numberError(word[i+1:]))
		e.Field = string(word[:i])
		return e
	}
	p.index = append(p.index, int32(index))
	p.value = append(p.value, v)
	p.dim = max(p.dim, index+1)
	p.Pos += len(word)
	return nil
}

// pairError says more about a word that is not index:value, if there is more to say.
func (p *libsvmParser) pairError(word []byte) error {
	if word[0] == '-' && bytes.IndexByte(word, ':') > 0 {
		return caseOf(ErrColumn, ": negative")
	}
	return ErrPair
}
