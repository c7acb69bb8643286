package dataset

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset/internal/labels"
	"github.com/svmkit/course/svmkit/dataset/internal/rows"
	"github.com/svmkit/course/svmkit/dataset/internal/scan"
	"github.com/svmkit/course/svmkit/dataset/internal/word"
	"github.com/svmkit/course/svmkit/internal/decimal"
	"github.com/svmkit/course/svmkit/internal/known"
)

type field = scan.Field

// csvParser turns the fields of a table into rows and labels.
type csvParser struct {
	*source
	fields scan.Fields
	opt    CSVOptions
	coder  *labels.Coder
	role   []role // of each column; nil before the first line
	names  []string
	label  string // name of the label's column, if there is a header
	dim    int
	header []string  // the first line if it is a header
	first  int       // the number of that line
	ahead  [][]field // lines that wait to be read as data
	value  []float64
	rows   int                     // lines that were read as rows
	faulty map[error][]*FieldError // the first of each column: text, ErrText, or a missing value, ErrMissing
	gaps   []int                   // missing values of each column
}

func newCSVParser(src *source, o CSVOptions, c *labels.Coder) *csvParser {
	return &csvParser{source: src, fields: scan.Fields{Source: &src.Source}, opt: o, coder: c}
}

type role byte

const (
	feature role = iota
	labelColumn
	dropped
)

func (p *csvParser) columns() (dim int, names []string) { return p.dim, p.names }

// collect reads all rows. They are dense. The number of their columns is known after the first row.
func (p *csvParser) collect() (*rows.Store, error) {
	all, kept := &rows.Store{}, false // kept: the first line is a row
	for {
		x, l, _, err := p.next()
		if err == io.EOF {
			doubt := p.opt.Header == HeaderAuto && p.header == nil && kept
			if doubt && p.firstAlone(&all.Labels) {
				return nil, p.errorAt(place{Line: p.first}, nil, ErrHeader)
			}
			return all, nil
		} else if err != nil {
			return nil, p.allFaulty(err)
		}
		if all.N == 0 {
			kept = p.skipped == 0
		}
		all.Dim = p.dim
		all.Add(x, l)
	}
}

// allFaulty reads the rest of the file and adds to err all columns with text or a missing value.
func (p *csvParser) allFaulty(err error) error {
	e, ok := err.(*ParseError)
	if !ok || p.faulty[e.Err] == nil {
		return err
	}
	for more := true; more; {
		_, _, _, other := p.row()
		o, ok := other.(*ParseError)
		more = other == nil || ok && p.faulty[o.Err] != nil
	}
	for k, first := range p.faulty[ErrText] {
		if same := p.faulty[e.Err][k]; same != nil {
			e.Fields = append(e.Fields, same.Column)
		}
		if gap := p.faulty[ErrMissing][k]; first == nil && gap != nil {
			if first = gap; p.gaps[k] == p.rows {
				gap.Line, gap.Row = 0, svmkit.NoPlace
			}
		}
		if first != nil {
			e.Columns = append(e.Columns, first)
		}
	}
	return e
}

// nameOf returns the name of column k, or its number from 1 if it has none.
func (p *csvParser) nameOf(k int) string {
	if k < len(p.header) && p.header[k] != "" {
		return p.header[k]
	}
	return strconv.Itoa(k + 1)
}

// firstAlone reports whether the first label is a name that no other row has, while two or more
// others occur twice or more. It may be the name of the labels' column, over columns that are named
// by numbers.
func (p *csvParser) firstAlone(all *rows.Labels) bool {
	return len(all.Names) > 0 && p.coder.IsNew(all.Names[0]) && all.FirstAlone()
}

func (p *csvParser) next() (svmkit.Row, labels.Label, place, error) {
	if p.role == nil {
		if err := p.start(); err != nil {
			return svmkit.Row{}, labels.Label{}, place{}, err
		}
	}
	for {
		l, at, complete, err := p.row()
		if err != nil {
			return svmkit.Row{}, labels.Label{}, place{}, err
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
		if p.SkipLine(); p.More() {
			p.Newline()
		}
	}
	comma := p.opt.Comma
	if p.fields.Comma = comma; comma == 0 {
		p.fields.Comma = '\t' // until we know: a tab at the start of a line may separate
	}
	from := p.Line
	if err := p.fields.Start(); err != nil {
		return p.explain(err)
	}
	if comma == 0 {
		comma = p.fields.GuessComma()
	}
	p.fields.SetComma(comma)
	line, err := p.fields.Line()
	if err != nil {
		return p.explain(err)
	}
	if err := p.readFirst(line); err != nil {
		return err
	}
	if len(p.role) == 1 && p.header == nil {
		for k := p.first - 1; k >= from; k-- {
			p.ahead = append([][]field{{{Last: true, At: place{Line: k, Column: 1}}}}, p.ahead...)
		}
	}
	return nil
}

// nextLine advances to the next line. It skips blank lines, except in a table with one column,
// where they are rows with an empty field.
func (p *csvParser) nextLine() error {
	if len(p.role) != 1 {
		return p.explain(p.fields.Start())
	}
	if p.More() {
		return nil
	} else if err := p.failure(); err != nil {
		return err
	}
	return io.EOF
}

// readLine reads all fields of the next line.
func (p *csvParser) readLine() ([]field, error) {
	if err := p.nextLine(); err != nil {
		return nil, err
	}
	line, err := p.fields.Line()
	return line, p.explain(err)
}

// readFirst finds the label's column, and takes the line for a header or for data.
func (p *csvParser) readFirst(line []field) error {
	p.role, p.first = make([]role, len(line)), line[0].At.Line
	// an option found its column by name, so the line holds names
	named := false
	choose := func(name string, as role) error {
		k, byName, err := p.column(line, name, as)
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
	if p.opt.Label == "" && !p.opt.Unlabelled {
		last := len(line) - 1
		for last > 0 && p.role[last] == dropped {
			last--
		}
		if p.opt.Header != HeaderNo {
			k, err := p.named(line, labelName)
			if err != nil {
				return err
			}
			if k >= 0 && k < last && p.role[k] == feature {
				last, named = k, true // no data have this name before the last column
			}
		}
		if p.role[last] == feature {
			p.role[last] = labelColumn
		}
	}
	header, err := named, error(nil)
	if !named {
		if header, err = p.isHeader(line); err != nil {
			return err
		}
	}
	if header {
		for k, f := range line {
			p.header = append(p.header, string(f.Text))
			if word.HasControl(f.Text) {
				return p.errorIn(k, f, ErrControl)
			}
		}
		if err := p.checkNames(line); err != nil {
			return err
		}
		if p.opt.Label == "" && !p.opt.Unlabelled && p.opt.DefaultLabel != "" {
			if err := p.useDefaultLabel(line); err != nil {
				return err
			}
		}
	}
	for k, f := range line {
		if p.role[k] == feature {
			p.dim++
			if header {
				p.names = append(p.names, string(f.Text))
			}
		} else if p.role[k] == labelColumn && header {
			p.label = string(f.Text)
		}
	}
	if p.dim == 0 {
		if foreign := scan.VowpalWabbit(line[0].Text); foreign != nil {
			return p.errorAt(place{}, nil, causeOf(foreign))
		}
		if len(p.role) > 1 {
			return p.errorAt(line[0].At, nil, labels.Cause(svmkit.ErrNoColumns, "every column beside the label is left out", ""))
		}
		return p.errorAt(line[0].At, line[0].Text, labels.Cause(ErrSeparator, ErrSeparator.Problem,
			fmt.Sprintf("is the separator %q right?", p.fields.Comma)))
	}
	p.value = make([]float64, p.dim)
	if !header {
		p.ahead = append([][]field{line}, p.ahead...)
	}
	return nil
}

// checkNames refuses names that occur twice, and columns of numbers without a name. Columns that
// are dropped may have any names.
func (p *csvParser) checkNames(line []field) error {
	if err := p.twins(line); err != nil {
		return err
	}
	var e *ParseError
	for k, f := range line {
		if p.role[k] != feature || len(f.Text) > 0 {
			continue
		}
		if e == nil {
			e = p.errorIn(k, f, ErrNoName)
		}
		e.Fields = append(e.Fields, strconv.Itoa(k+1))
	}
	if e != nil {
		return e
	}
	return nil
}

// twins returns the error for all columns that repeat the name of an earlier column, nil if there
// is none. It skips columns that are dropped or have no name.
func (p *csvParser) twins(line []field) error {
	first := map[string]int{}
	var pairs, numbers []string
	for k, f := range line {
		name := string(f.Text)
		switch {
		case p.role[k] == dropped || name == "":
		case first[name] == 0:
			first[name] = k + 1
		default:
			pairs = append(pairs,
				fmt.Sprintf("columns %d and %d are both %q", first[name], k+1, word.Shorten(f.Text)))
			numbers = append(numbers, strconv.Itoa(k+1))
		}
	}
	if pairs == nil {
		return nil
	}
	const most = 10
	if more := len(pairs) - most; more > 0 {
		pairs = append(pairs[:most], fmt.Sprintf("%d more", more))
	}
	e := p.errorAt(place{Line: line[0].At.Line}, nil,
		labels.Cause(ErrSameName, strings.Join(pairs, ", "), ErrSameName.Hint))
	e.Fields = numbers
	return e
}

// useDefaultLabel makes the column of DefaultLabel the label's column, in place of the column that
// the usual rule has chosen. line holds the names of the columns.
func (p *csvParser) useDefaultLabel(line []field) error {
	name := p.opt.DefaultLabel
	k, err := p.named(line, name)
	switch {
	case err != nil:
		return err
	case k < 0:
		return p.errorAt(place{Line: p.first}, nil, labels.Cause(ErrNoDefaultLabel,
			fmt.Sprintf("there is no column %q, the label's at training", name), ErrNoDefaultLabel.Hint))
	case p.role[k] == dropped:
		return p.errorAt(line[k].At, line[k].Text, ErrDropped)
	}
	if usual := slices.Index(p.role, labelColumn); usual >= 0 {
		p.role[usual] = feature
	}
	p.role[k] = labelColumn
	return nil
}

// errorIn is errorAt for a field of column k.
func (p *csvParser) errorIn(k int, f field, err error) *ParseError {
	e := p.errorAt(f.At, f.Text, err)
	e.Field = p.nameOf(k)
	return e
}

// column finds a column by its name in the first line, or else by its number from 1. A name that is
// a number is found only in a line that is known to hold names. The label's column must not be
// dropped.
func (p *csvParser) column(line []field, name string, as role) (k int, byName bool, err error) {
	_, isNumber := decimal.Parse([]byte(name))
	k = -1
	if p.opt.Header == HeaderYes || p.opt.Header == HeaderAuto && !isNumber {
		if k, err = p.named(line, name); err != nil {
			return 0, false, err
		}
		byName = k >= 0
	}
	if number, err := strconv.Atoi(name); k < 0 && err == nil && 0 < number && number <= len(line) {
		k = number - 1
	}
	switch {
	case k < 0:
		var names []string
		for _, f := range line {
			names = append(names, word.Shorten(f.Text))
		}
		return 0, false, p.errorAt(place{Line: line[0].At.Line}, []byte(name),
			labels.Cause(ErrNoColumn, ErrNoColumn.Problem, "the first line holds "+known.Names(names)))
	case as == labelColumn && p.role[k] == dropped:
		return 0, false, p.errorAt(line[k].At, line[k].Text, ErrDropped)
	}
	return k, byName, nil
}

// named returns the column whose field has the text name, or −1 if there is none. A column that is
// not dropped goes before one that is, and two columns that are not dropped are an error.
func (p *csvParser) named(line []field, name string) (int, error) {
	at := -1
	for k, f := range line {
		switch {
		case string(f.Text) != name || at >= 0 && p.role[k] == dropped:
		case at >= 0 && p.role[at] != dropped:
			if err := p.twins(line); err != nil {
				return 0, err
			}
			return 0, p.errorIn(k, f, ErrNoName)
		default:
			at = k
		}
	}
	return at, nil
}

// isHeader decides by the rule of HeaderAuto.
func (p *csvParser) isHeader(line []field) (bool, error) {
	if p.opt.Header != HeaderAuto {
		return p.opt.Header == HeaderYes, nil
	}
	var number, name *field
	label := -1 // the column of a label that is a name
	for k := range line {
		switch _, ok := decimal.Parse(line[k].Text); {
		case p.role[k] == dropped || word.Missing(line[k].Text):
		case ok && p.role[k] == feature:
			number = &line[k]
		case !ok && p.role[k] == labelColumn:
			label = k
		case !ok && name == nil:
			name = &line[k]
		}
	}
	names, zero := scan.LikeNames(line)
	switch {
	case number != nil && name != nil:
		return false, p.errorAt(name.At, name.Text, ErrHeader)
	case name != nil || number == nil || label < 0 && !names:
		return name != nil, nil
	}
	second, err := p.peek()
	if err != nil {
		return false, err
	}
	overNumber := false // whether the label is a name over a number
	if 0 <= label && label < len(second) {
		_, overNumber = decimal.Parse(second[label].Text)
	}
	alike, _ := scan.LikeNames(second)
	switch {
	case overNumber && names:
		return true, nil
	case overNumber:
		return false, p.errorAt(line[label].At, line[label].Text, ErrHeader)
	case names && (zero || second != nil && !alike):
		return false, p.errorAt(line[0].At, line[0].Text, ErrHeader)
	}
	return false, nil
}

// peek reads the next line, to be read again as data. It is nil at the end of the file.
func (p *csvParser) peek() ([]field, error) {
	line, err := p.readLine()
	if err == io.EOF {
		return nil, nil
	} else if err == nil {
		p.ahead = append(p.ahead, line)
	}
	return line, err
}

// row reads one line into p.value. complete is false if the row is skipped. An error about text or
// about a missing value in a feature is returned when the whole line has been read.
func (p *csvParser) row() (l labels.Label, at place, complete bool, err error) {
	var line []field
	if len(p.ahead) > 0 {
		line, p.ahead = p.ahead[0], p.ahead[1:]
	} else if err := p.nextLine(); err != nil {
		return l, at, false, err
	}
	complete = true
	p.rows++
	var fault error
	j := 0 // the next feature
	for k := range p.role {
		var f field
		if line != nil {
			f = line[k]
		} else if f, err = p.fields.Next(); err != nil {
			return l, at, false, p.explain(err)
		}
		if k == 0 {
			at = f.At
		}
		if f.Last != (k == len(p.role)-1) {
			return l, at, false, cmp.Or(fault, p.ragged(line, f, k))
		}
		switch p.role[k] {
		case feature:
			v, ok := decimal.Parse(f.Text)
			if !ok || math.IsInf(v, 0) {
				if err = labels.NumberError(f.Text); err == ErrNotNumber {
					err = ErrText
				}
			}
			p.value[j] = v
			j++
		case labelColumn:
			at = f.At
			l, err = p.coder.Read(f.Text, f.Quoted)
		}
		switch {
		case err == nil:
		case p.opt.SkipMissing && skippable(err):
			complete, err = false, nil
		case err == ErrText || err == ErrMissing:
			fault = cmp.Or[error](fault, p.errorIn(k, f, err))
			p.note(k, f, err)
			err = nil
		default:
			return l, at, false, cmp.Or[error](fault, p.errorIn(k, f, err))
		}
	}
	return l, at, complete, fault
}

// note notes that field f of column k has a fault.
func (p *csvParser) note(k int, f field, err error) {
	if p.faulty == nil {
		n := len(p.role)
		p.faulty = map[error][]*FieldError{ErrText: make([]*FieldError, n), ErrMissing: make([]*FieldError, n)}
		p.gaps = make([]int, n)
	}
	if err == ErrMissing {
		p.gaps[k]++
	}
	if p.faulty[err][k] == nil {
		p.faulty[err][k] = &FieldError{Line: f.At.Line, Row: p.rows - 1, Column: p.nameOf(k), Text: word.Shorten(f.Text), Err: err}
	}
}

// ragged returns the error for a line that ends with field k, or does not end with the last column.
// The fields are in line, or still being read if line is nil.
func (p *csvParser) ragged(line []field, f field, k int) error {
	if f.Last {
		return p.errorAt(f.At, f.Text, fmt.Errorf("%w, %d fields and %d in the first line",
			svmkit.ErrRagged, k+1, len(p.role)))
	}
	at := p.Place()
	if line != nil {
		at = line[k+1].At
	}
	return p.errorAt(at, nil, fmt.Errorf("%w, more fields than the %d of the first line",
		svmkit.ErrRagged, len(p.role)))
}
