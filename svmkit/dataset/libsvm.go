package dataset

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset/internal/labels"
	"github.com/svmkit/course/svmkit/dataset/internal/scan"
	"github.com/svmkit/course/svmkit/dataset/internal/word"
	"github.com/svmkit/course/svmkit/internal/decimal"
)

// libsvmParser reads one row after the other into the same scratch row.
type libsvmParser struct {
	*source
	opt   LIBSVMOptions
	coder *labels.Coder
	dim   int // opt.Dim, or the largest index so far
	index []int32
	value []float64
}

func (p *libsvmParser) columns() (dim int, names []string) { return p.dim, nil }

func (p *libsvmParser) next() (svmkit.Row, labels.Label, place, error) {
	for {
		x, l, at, err := p.row()
		var e *ParseError
		if !p.opt.SkipMissing || !errors.As(err, &e) || !skippable(e.Err) {
			return x, l, at, err
		}
		p.SkipLine()
		p.skipped++
	}
}

func (p *libsvmParser) row() (svmkit.Row, labels.Label, place, error) {
	fail := func(err error) (svmkit.Row, labels.Label, place, error) {
		return svmkit.Row{}, labels.Label{}, place{}, err
	}
	for {
		switch c, ok := p.SkipBlanks(); {
		case !ok:
			if err := p.failure(); err != nil {
				return fail(err)
			}
			return fail(io.EOF)
		case c == '#':
			if err := p.comment(); err != nil {
				return fail(err)
			}
			continue
		case c == '\n' && !p.opt.Unlabelled:
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
		// the last line may lack its newline, but an error must not have cut it off
		case !ok:
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

// comment skips a line that is a comment. A comment by scikit-learn names the first index.
func (p *libsvmParser) comment() error {
	line := p.FirstLine()
	zero := bytes.HasPrefix(line, []byte("# Column indices are zero-based"))
	one := bytes.HasPrefix(line, []byte("# Column indices are one-based"))
	switch {
	case zero && !p.opt.ZeroBased:
		return p.errorAt(place{Line: p.Line}, nil, ErrZeroBased)
	case one && p.opt.ZeroBased:
		return p.errorAt(place{Line: p.Line}, nil, ErrOneBased)
	}
	if p.SkipLine(); p.More() {
		p.Newline()
	}
	return nil
}

// label reads the first word of a line. Without labels it reads a missing label, if there is one.
func (p *libsvmParser) label() (labels.Label, error) {
	if p.opt.Unlabelled && p.Buf[p.Pos] == '\n' {
		return labels.Label{}, nil
	}
	text, err := p.word()
	pair := bytes.IndexByte(text, ':') >= 0
	switch {
	case err != nil:
		return labels.Label{}, err
	case p.opt.Unlabelled && pair:
		return labels.Label{}, nil
	case p.opt.Unlabelled && !word.Missing(text):
		return labels.Label{}, p.errorAt(p.Place(), text, ErrLabelled)
	case pair:
		return labels.Label{}, p.startsWithPair(text)
	case bytes.IndexByte(text, ',') >= 0:
		return labels.Label{}, p.errorAt(p.Place(), text, ErrSeveralLabels)
	}
	var l labels.Label
	if !p.opt.Unlabelled {
		if l, err = p.coder.Read(text, false); err != nil {
			return labels.Label{}, p.errorAt(p.Place(), text, err)
		}
	}
	p.Pos += len(text)
	return l, nil
}

// startsWithPair returns the error for a line whose first word has a colon.
func (p *libsvmParser) startsWithPair(first []byte) error {
	at, first := p.Place(), bytes.Clone(first)
	p.Pos += len(first)
	p.SkipBlanks()
	second, _ := p.Until(&scan.WordEnd)
	if weighted(first, second) {
		return p.errorAt(at, first, ErrLabelWeight)
	}
	return p.errorAt(at, first, ErrLineWithoutLabel)
}

// weighted reports whether the first word of a line must be label:weight, because its first number
// is not an index that can precede the second word.
func weighted(first, second []byte) bool {
	a, _, _ := bytes.Cut(first, []byte{':'})
	b, _, _ := bytes.Cut(second, []byte{':'})
	i, err := strconv.Atoi(string(a))
	if err != nil {
		_, number := decimal.Parse(a)
		return number
	}
	j, err := strconv.Atoi(string(b))
	return i < 0 || err == nil && i >= j
}

// skippable reports whether SkipMissing skips a row with this cause.
func skippable(err error) bool { return err == ErrMissing || err == ErrNoLabel }

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
		return nil, p.errorAt(p.Place(), p.Buf[p.Pos:p.Pos+1], labels.CaseOf(ErrPair, ": a control character"))
	}
	return word, nil
}

// pair reads one index:value and appends it to the scratch row. Like LIBSVM's readers, it accepts
// blanks after the colon.
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
		return p.errorAt(p.Place(), word, labels.CaseOf(ErrColumn, ", beyond 2147483647"))
	case p.opt.Dim > 0 && index >= p.opt.Dim:
		return p.errorAt(p.Place(), word,
			labels.CaseOf(ErrColumn, ", the number of columns is set to %d", p.opt.Dim))
	case last >= 0 && index == int(p.index[last]):
		return p.errorAt(p.Place(), word, labels.CaseOf(ErrOrder, ", and this one occurs twice"))
	case last >= 0 && index < int(p.index[last]):
		return p.errorAt(p.Place(), word, ErrOrder)
	}
	at, column, text := p.Place(), string(word[:i]), word[i+1:]
	at.Column += i + 1
	if p.Pos += len(word); len(text) == 0 {
		if at, text, err = p.valueAfterBlanks(at); err != nil {
			return err
		}
	}
	v, ok := decimal.Parse(text)
	if !ok || math.IsInf(v, 0) {
		e := p.errorAt(at, text, labels.NumberError(text))
		e.Field = column
		return e
	}
	p.index = append(p.index, int32(index))
	p.value = append(p.value, v)
	p.dim = max(p.dim, index+1)
	return nil
}

// valueAfterBlanks reads the value of a pair that has blanks after its colon, and returns its
// place. If the line ends there, or another pair begins, the value is missing: text is empty and
// the place is at, right after the colon.
func (p *libsvmParser) valueAfterBlanks(at place) (_ place, text []byte, err error) {
	switch c, ok := p.SkipBlanks(); {
	case !ok:
		return at, nil, p.failure()
	case c == '\n' || c == '#':
		return at, nil, nil
	case p.CR:
		return at, nil, p.errorAt(p.Place(), nil, ErrReturn)
	}
	if text, err = p.word(); err != nil || bytes.IndexByte(text, ':') >= 0 {
		return at, nil, err
	}
	at = p.Place()
	p.Pos += len(text)
	return at, text, nil
}

// pairError adds an explanation to a word that is not index:value, if there is one.
func (p *libsvmParser) pairError(word []byte) error {
	if word[0] == '-' && bytes.IndexByte(word, ':') > 0 {
		return labels.CaseOf(ErrColumn, ", negative")
	}
	return ErrPair
}
