package dataset

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/svmkit/course/svmkit"
)

// csvParser turns the fields of a table into rows and labels.
type csvParser struct {
	fields
	opt     CSV
	coder   *coder
	role    []role // of each column; nil before the first line
	names   []string
	label   string // the name of the label's column, if there is a header
	dim     int
	first   []field // the first line, while it waits to be read as data
	value   []float64
	skipped int
}

type role byte

const (
	feature role = iota
	labelColumn
	dropped
)

func (p *csvParser) columns() (dim int, names []string) { return p.dim, p.names }

// collect reads all rows. They are dense; how many columns they have is known after the first.
func (p *csvParser) collect() (*store, error) {
	rows := &store{}
	for {
		x, l, _, err := p.next()
		if err == io.EOF {
			return rows, nil
		} else if err != nil {
			return nil, err
		}
		rows.dim = p.dim
		rows.add(x, l)
	}
}

func (p *csvParser) next() (svmkit.Row, label, place, error) {
	if p.role == nil {
		if err := p.start(); err != nil {
			return svmkit.Row{}, label{}, place{}, err
		}
	}
	for {
		l, at, complete, err := p.row()
		if err != nil {
			return svmkit.Row{}, label{}, place{}, err
		}
		if complete {
			return svmkit.Row{Value: p.value}, l, at, nil
		}
		p.skipped++
	}
}

// start reads the first line and decides what each column is.
func (p *csvParser) start() error {
	for range p.opt.Skip {
		if p.skipLine(); p.more() {
			p.newline()
		}
	}
	comma := p.opt.Comma
	if p.comma = comma; comma == 0 {
		p.comma = '\t' // until we know: a tab at the start of a line may separate
	}
	if err := p.lineStarts(); err != nil {
		return err
	}
	if comma == 0 {
		comma = p.guessComma()
	}
	p.setComma(comma)
	var line []field
	for last := false; !last; {
		f, err := p.field()
		if err != nil {
			return err
		}
		f.text = bytes.Clone(f.text)
		line, last = append(line, f), f.last
	}
	return p.readFirst(line)
}

// readFirst finds the label's column, and takes the line for a header or for data.
func (p *csvParser) readFirst(line []field) error {
	p.role = make([]role, len(line))
	named := false // an option found its column by name, so the line holds names
	choose := func(name string, as role) error {
		k, byName, err := p.column(line, name)
		if err == nil {
			p.role[k], named = as, named || byName
		}
		return err
	}
	for _, name := range p.opt.Drop {
		if err := choose(name, dropped); err != nil {
			return err
		}
	}
	if p.opt.Label != "" {
		if err := choose(p.opt.Label, labelColumn); err != nil {
			return err
		}
	}
	for k := len(line) - 1; k >= 0 && p.opt.Label == "" && !p.opt.Unlabelled; k-- {
		if p.role[k] == feature {
			p.role[k] = labelColumn
			break
		}
	}
	header, err := named, error(nil)
	if !named {
		if header, err = p.isHeader(line); err != nil {
			return err
		}
	}
	for k, f := range line {
		if p.role[k] == feature {
			p.dim++
			if header {
				p.names = append(p.names, string(f.text))
			}
		} else if p.role[k] == labelColumn && header {
			p.label = string(f.text)
		}
	}
	if p.dim == 0 {
		return p.errorAt(line[0].at, line[0].text, fmt.Errorf(
			"%w beside the label: is the separator %q right?", svmkit.ErrNoColumns, p.comma))
	}
	p.value = make([]float64, p.dim)
	if !header {
		p.first = line
	}
	return nil
}

// column finds a column by its name in the first line, or else by its number from 1. A name that is
// a number is found only in a line known to hold names.
func (p *csvParser) column(line []field, name string) (k int, byName bool, err error) {
	_, isNumber := parseNumber([]byte(name))
	if p.opt.Header == HeaderYes || p.opt.Header == HeaderAuto && !isNumber {
		for k, f := range line {
			if string(f.text) == name {
				return k, true, nil
			}
		}
	}
	if k, err := strconv.Atoi(name); err == nil && 1 <= k && k <= len(line) {
		return k - 1, false, nil
	}
	return 0, false, p.errorAt(place{line: line[0].at.line}, nil, fmt.Errorf("%w: %q", errNoColumn, name))
}

// isHeader decides by the rule of HeaderAuto.
func (p *csvParser) isHeader(line []field) (bool, error) {
	if p.opt.Header != HeaderAuto {
		return p.opt.Header == HeaderYes, nil
	}
	var number, name *field
	for k := range line {
		if p.role[k] != feature {
			continue
		}
		if _, ok := parseNumber(line[k].text); ok {
			number = &line[k]
		} else if !isMissing(line[k].text) && name == nil {
			name = &line[k]
		}
	}
	if number != nil && name != nil {
		return false, p.errorAt(name.at, name.text, errHeader)
	}
	return name != nil, nil
}

func (p *csvParser) skipBlankLines() error {
	for {
		switch c, ok := p.skipBlanks(); {
		case !ok:
			if err := p.failure(); err != nil {
				return err
			}
			return io.EOF
		case c != '\n':
			return nil
		}
		p.newline()
	}
}

// row reads one line into p.value. complete is false if it is to be skipped.
func (p *csvParser) row() (l label, at place, complete bool, err error) {
	line := p.first
	p.first = nil
	if line == nil {
		if err := p.lineStarts(); err != nil {
			return l, at, false, err
		}
	}
	complete = true
	j := 0 // the next feature
	for k := range p.role {
		var f field
		if line != nil {
			f = line[k]
		} else if f, err = p.field(); err != nil {
			return l, at, false, err
		}
		if k == 0 {
			at = f.at
		}
		if f.last != (k == len(p.role)-1) {
			return l, at, false, p.ragged(f, k)
		}
		switch p.role[k] {
		case feature:
			v, ok := parseNumber(f.text)
			if !ok || math.IsInf(v, 0) {
				err = numberError(f.text)
			}
			p.value[j] = v
			j++
		case labelColumn:
			at = f.at
			l, err = p.coder.read(f.text, f.quoted)
		}
		if err == ErrMissing && p.opt.SkipMissing {
			complete, err = false, nil
		}
		if err != nil {
			return l, at, false, p.errorAt(f.at, f.text, err)
		}
	}
	return l, at, complete, nil
}

// lineStarts skips blank lines. A line that starts with a tab as separator is not blank.
func (p *csvParser) lineStarts() error {
	if p.comma != '\t' {
		return p.skipBlankLines()
	}
	for p.more() {
		switch p.buf[p.pos] {
		case '\n':
			p.newline()
		case '\r', ' ':
			p.pos++
		default:
			return nil
		}
	}
	if err := p.failure(); err != nil {
		return err
	}
	return io.EOF
}

// ragged says that the line ends with field k, or does not end with the last column.
func (p *csvParser) ragged(f field, k int) error {
	if f.last {
		return p.errorAt(f.at, f.text, fmt.Errorf("%w: %d fields, the first line has %d", svmkit.ErrRagged, k+1, len(p.role)))
	}
	return p.errorAt(p.place(), nil, fmt.Errorf("%w: more fields than the %d of the first line", svmkit.ErrRagged, len(p.role)))
}
