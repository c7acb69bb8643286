package dataset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset/internal/labels"
	"github.com/svmkit/course/svmkit/dataset/internal/rows"
	"github.com/svmkit/course/svmkit/dataset/internal/word"
	"github.com/svmkit/course/svmkit/internal/decimal"
	"github.com/svmkit/course/svmkit/internal/known"
)

// Table is a table of text, with named columns and rows of one field per column. A field is missing
// if it is one of the marks that [CSVOptions] lists, quoted or not.
type Table struct {
	Name  string     // name of the file, for messages; "" without a name
	Names []string   // names of the columns, all different and not empty
	Rows  [][]string // each has len(Names) fields
	// Lines holds the line of the file, from 1, on which each row begins; nil without a file.
	Lines []int

	number []int // of each column in the file, from 1; nil if none was dropped
}

// ReadTable reads a table from r, CSV text that is plain or compressed with gzip or bzip2. opt may
// be nil. The error for a bad file is a [*ParseError], and [ErrLIBSVM] for a LIBSVM file.
//
// Without the option Header, the first line holds names if none of its fields is a number and a
// field of the second line is. If all fields are numbers and do not look like names, the line is
// data, and the names are "1", "2", …, the numbers of the columns. Anything else is an error, so a
// table without any number needs Header.
func ReadTable(ctx context.Context, r io.Reader, opt *TableOptions) (*Table, error) {
	s := TableRows(ctx, r, opt)
	t, err := s.next(math.MaxInt, true)
	if err == io.EOF {
		return nil, s.parser.errorAt(place{}, nil, svmkit.ErrEmpty)
	}
	return t, err
}

// ReadTableFile reads the named file as [ReadTable] does. It refuses pipes, devices and folders.
func ReadTableFile(ctx context.Context, name string, opt *TableOptions) (*Table, error) {
	o := valueOf(opt)
	file, err := openRegular(name, &o.Name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadTable(ctx, file, &o)
}

// TableStream reads a table part by part, and needs memory for one part only.
type TableStream struct {
	parser *csvParser
	names  []string // nil before the first line
	err    error
}

// TableRows begins to read a table as [ReadTable] does. [TableStream.Next] returns the rows and the
// error.
func TableRows(ctx context.Context, r io.Reader, opt *TableOptions) *TableStream {
	o, err := opt.csv().normal()
	src, err := open(ctx, r, o.Name, err)
	if err != nil {
		return &TableStream{err: err}
	}
	return &TableStream{parser: newCSVParser(src, o, nil)}
}

// Names returns the names of the columns, or nil before the first call of Next.
func (s *TableStream) Names() []string { return slices.Clone(s.names) }

// Next returns the next rows of the table, at least one and at most the given number.
//
// It returns as soon as it has a row and more text would have to arrive, so a row written to a pipe
// is returned at once. After the last row the error is io.EOF. Any other error is an error of
// [ReadTable], and all later calls return it, too.
func (s *TableStream) Next(rows int) (*Table, error) { return s.next(rows, false) }

// next is Next, which may wait for all rows.
func (s *TableStream) next(rows int, wait bool) (*Table, error) {
	if s.err != nil {
		return nil, s.err
	}
	if rows < 1 {
		return nil, &svmkit.ParamError{Name: "rows", Value: rows, Need: "must be positive"}
	}
	if s.names == nil {
		if s.names, s.err = s.parser.tableNames(); s.err != nil {
			return nil, s.err
		}
	}
	t := &Table{Name: s.parser.name, Names: s.names, number: s.parser.numbers()}
	for len(t.Rows) < rows {
		if len(t.Rows) > 0 && !wait && s.parser.mayWait() {
			break
		}
		row, line, err := s.parser.tableRow()
		if err == io.EOF && len(t.Rows) > 0 {
			break // the next call gets it again
		} else if err != nil {
			s.err = err
			return nil, err
		}
		t.Rows, t.Lines = append(t.Rows, row), append(t.Lines, line)
	}
	return t, nil
}

// mayWait reports whether the next line may not have arrived.
func (p *csvParser) mayWait() bool {
	return len(p.ahead) == 0 && bytes.IndexByte(p.Buf[p.Pos:p.End], '\n') < 0
}

// tableNames reads the first line and returns the names of the columns that are not dropped.
func (p *csvParser) tableNames() ([]string, error) {
	if p.opt.Skip == 0 && p.opt.Header != HeaderNo && p.StartsWithPairs() {
		return nil, p.errorAt(place{}, nil, ErrLIBSVM)
	}
	if err := p.start(); err == io.EOF {
		return nil, p.errorAt(place{}, nil, svmkit.ErrEmpty)
	} else if err != nil {
		return nil, err
	}
	if p.header != nil && p.opt.Header == HeaderAuto {
		if err := p.certainHeader(); err != nil {
			return nil, err
		}
	}
	names := p.names
	for k, role := range p.role {
		if role == feature && p.header == nil {
			names = append(names, strconv.Itoa(k+1))
		}
	}
	return names, (&Table{Name: p.name, Names: names}).Validate()
}

// numbers returns the numbers of the columns that are not dropped, from 1; nil if none is.
func (p *csvParser) numbers() []int {
	var kept []int
	for k, role := range p.role {
		if role == feature {
			kept = append(kept, k+1)
		}
	}
	if len(kept) == len(p.role) {
		return nil
	}
	return kept
}

// certainHeader refuses a line of names above a line without a number, which may also be names.
func (p *csvParser) certainHeader() error {
	if len(p.ahead) == 0 {
		if _, err := p.peek(); err != nil || len(p.ahead) == 0 {
			return err
		}
	}
	for _, f := range p.ahead[0] {
		if _, ok := decimal.Parse(f.Text); ok {
			return nil
		}
	}
	return p.errorAt(place{}, nil, ErrHeader)
}

// tableRow reads one line as text.
func (p *csvParser) tableRow() (row []string, line int, err error) {
	var fields []field
	if len(p.ahead) > 0 {
		fields, p.ahead = p.ahead[0], p.ahead[1:]
	} else if fields, err = p.readLine(); err != nil {
		return nil, 0, err
	}
	last := len(fields) - 1
	switch {
	case len(fields) < len(p.role):
		return nil, 0, p.ragged(fields, fields[last], last)
	case len(fields) > len(p.role):
		return nil, 0, p.ragged(fields, fields[len(p.role)-1], len(p.role)-1)
	}
	row = make([]string, 0, p.dim)
	for k, f := range fields {
		if p.role[k] == feature {
			row = append(row, string(f.Text))
		}
	}
	return row, fields[0].At.Line, nil
}

// Validate returns an error if the table is malformed. A table may have no rows.
//
// The error is a [*svmkit.DataError] for a table without columns ([svmkit.ErrNoColumns]), a row of
// another length ([svmkit.ErrRagged]) and Lines of another length ([svmkit.ErrMismatch]), and a
// [*svmkit.ParamError] for a name that is empty or occurs twice.
func (t *Table) Validate() error {
	wrong := func(row int, err error) error {
		return &svmkit.DataError{Row: row, Col: svmkit.NoPlace, Err: err}
	}
	switch {
	case t == nil || len(t.Names) == 0:
		return wrong(svmkit.NoPlace, svmkit.ErrNoColumns)
	case t.Lines != nil && len(t.Lines) != len(t.Rows):
		return wrong(svmkit.NoPlace, svmkit.ErrMismatch)
	}
	seen := make(map[string]bool, len(t.Names))
	for _, name := range t.Names {
		if name == "" || seen[name] {
			return &svmkit.ParamError{Name: "Names", Value: strconv.Quote(name),
				Need: "must be different, and not empty", Hint: "rename the column, or drop it by its number"}
		}
		seen[name] = true
	}
	for i, row := range t.Rows {
		if len(row) != len(t.Names) {
			return wrong(i, svmkit.ErrRagged)
		}
	}
	return nil
}

// Len returns the number of rows.
func (t *Table) Len() int { return len(t.Rows) }

// Column returns the number of the named column, or −1 if there is none.
func (t *Table) Column(name string) int {
	for j, known := range t.Names {
		if known == name {
			return j
		}
	}
	return -1
}

// Subset returns the rows with the given numbers, in that order. They share their fields with t. It
// panics if there is no such row.
func (t *Table) Subset(rows []int) *Table {
	s := &Table{Name: t.Name, Names: t.Names, Rows: make([][]string, len(rows)), number: t.number}
	if t.Lines != nil {
		s.Lines = make([]int, len(rows))
	}
	for k, i := range rows {
		s.Rows[k] = t.Rows[i]
		if t.Lines != nil {
			s.Lines[k] = t.Lines[i]
		}
	}
	return s
}

// LabelColumn returns the name of the label's column by the rule of [CSVOptions]. label is a name
// or, if no column has it, the number of a column in the file, from 1. "" means the column named
// label, or else the last column that is not in drop. An unknown column is a [*svmkit.ParamError].
func (t *Table) LabelColumn(label string, drop []string) (string, error) {
	if err := t.Validate(); err != nil {
		return "", err
	}
	if label == "" {
		for _, name := range t.Names {
			if slices.Contains(drop, name) {
				continue
			}
			if label = name; name == labelName {
				break
			}
		}
	}
	if t.Column(label) >= 0 {
		return label, nil
	}
	if n, err := strconv.Atoi(label); err == nil {
		if t.number != nil {
			n = slices.Index(t.number, n) + 1
		}
		if 1 <= n && n <= len(t.Names) {
			return t.Names[n-1], nil
		}
	}
	return "", t.noColumn(label)
}

// Without returns the table without one column. It shares the lines with t, and panics if there is
// no such column.
func (t *Table) Without(column string) *Table {
	j := t.Column(column)
	s := &Table{Name: t.Name, Names: slices.Delete(slices.Clone(t.Names), j, j+1), Lines: t.Lines}
	for _, row := range t.Rows {
		s.Rows = append(s.Rows, slices.Delete(slices.Clone(row), j, j+1))
	}
	if t.number != nil {
		s.number = slices.Delete(slices.Clone(t.number), j, j+1)
	} else {
		for k := range t.Names {
			if k != j {
				s.number = append(s.number, k+1)
			}
		}
	}
	return s
}

func (t *Table) noColumn(name string) error {
	return &svmkit.ParamError{Name: "column", Value: strconv.Quote(name),
		Need: "must be one of the table's columns, " + known.Names(t.Names)}
}

// Labels returns the fields of a column as labels of a [svmkit.Dataset], and the names of the
// classes.
//
// There is one label per row, and the names are nil for targets. l decides as it does for a file. A
// label that is unusable or missing is a [*FieldError], unless l.AllowOther accepts it: then a part
// of a test table gets the same numbers as the whole. An unknown column is a [*svmkit.ParamError].
func (t *Table) Labels(column string, l Labels) (y []float64, classes []string, err error) {
	if err := t.Validate(); err != nil {
		return nil, nil, err
	}
	if err := l.validate(); err != nil {
		return nil, nil, err
	}
	j := t.Column(column)
	switch {
	case j < 0:
		return nil, nil, t.noColumn(column)
	case len(t.Rows) == 0:
		return nil, nil, &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrEmpty}
	}
	c := l.coder()
	var all rows.Labels
	for i, row := range t.Rows {
		label, err := c.Read([]byte(row[j]), false)
		if err != nil {
			return nil, nil, t.FieldError(i, j, err)
		}
		all.Add(label)
	}
	y = all.Join()
	if classes, err = c.CodeAll(y, all.Names); err != nil {
		return nil, nil, t.FieldError(svmkit.NoPlace, j, err)
	}
	return y, classes, nil
}

// Number returns the number in a field of a table. The error is [ErrMissing] for a mark that
// [CSVOptions] lists, and otherwise a case of [ErrNotNumber] or [svmkit.ErrNotFinite].
func Number(text string) (float64, error) {
	v, ok := decimal.Parse([]byte(text))
	if !ok || math.IsInf(v, 0) {
		return 0, labels.NumberError([]byte(text))
	}
	return v, nil
}

// FieldError reports a field of a [Table] that cannot be used, and the cause.
type FieldError struct {
	Name string // name of the table, if known
	Line int    // line of the file, from 1; 0 if unknown
	// Row is the row of the table, from 0; svmkit.NoPlace if the error is about the column.
	Row    int
	Column string // its name
	Text   string // the field, shortened
	Err    error  // the cause: one of the causes of a *ParseError, or of the caller
}

// FieldError returns the error for a field, by the numbers of its row and column. row may be
// [svmkit.NoPlace].
func (t *Table) FieldError(row, column int, err error) *FieldError {
	e := &FieldError{Name: t.Name, Row: row, Column: t.Names[column], Err: err}
	if row >= 0 {
		e.Text = word.Shorten([]byte(t.Rows[row][column]))
		if t.Lines != nil {
			e.Line = t.Lines[row]
		}
	}
	return e
}

// Error returns the message.
func (e *FieldError) Error() string {
	var b strings.Builder
	b.WriteString("svmkit: ")
	switch {
	case e.Name != "" && (e.Line > 0 || e.Row >= 0):
		b.WriteString(e.Name + ", ")
	case e.Name != "":
		b.WriteString(e.Name + ": ")
	}
	switch {
	case e.Line > 0:
		fmt.Fprintf(&b, "line %d, ", e.Line)
	case e.Row >= 0:
		fmt.Fprintf(&b, "row %d, ", e.Row)
	}
	text := ""
	if e.Row >= 0 && (e.Text != "" || !errors.Is(e.Err, ErrMissing)) {
		text = fmt.Sprintf(": %q", e.Text)
	}
	fmt.Fprintf(&b, "column %q: %s", e.Column, svmkit.Describe(e.Err, text))
	return b.String()
}

// Unwrap returns the cause.
func (e *FieldError) Unwrap() error { return e.Err }

func notNil(name string) error {
	return &svmkit.ParamError{Name: name, Value: nil, Need: "must not be nil"}
}
