package dataset

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/decimal"
)

// Table is a table as text, before any field is a number: names of columns, and rows of one field a column. A field
// is missing if it is one of the marks that [Options.SkipMissing] names, quoted or not.
type Table struct {
	Name  string     // of the file, for messages; "" if it has none
	Names []string   // of the columns, all different and not empty
	Rows  [][]string // each has len(Names) fields
	Lines []int      // the line of the file, from 1, on which each row begins; nil if the rows are of no file
}

// ReadTable reads all of r, CSV text, plain or gzip. Of opt, which may be nil, Name, Comma, Skip, Header and Drop are
// used; any other option is a [*svmkit.ParamError]. A *[ParseError] names what is wrong.
//
// Without Header the first line holds names if none of its fields is a number and one of the second line is; it is
// data, and the names are "1", "2", …, the numbers of the columns, if all are numbers and do not look like names.
// Anything else is an error, so a table without any number needs Header.
func ReadTable(ctx context.Context, r io.Reader, opt *Options) (*Table, error) {
	s := TableRows(ctx, r, opt)
	t, err := s.next(math.MaxInt, true)
	if err == io.EOF {
		return nil, s.parser.errorAt(place{}, nil, svmkit.ErrEmpty)
	}
	return t, err
}

// ReadTableFile is [ReadTable] for a file. Pipes, devices and folders are refused.
func ReadTableFile(ctx context.Context, name string, opt *Options) (*Table, error) {
	file, err := openRegular(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var o Options
	if opt != nil {
		o = *opt
	}
	if o.Name == "" {
		o.Name = filepath.Base(name)
	}
	return ReadTable(ctx, file, &o)
}

// openRegular opens a file that is no pipe, device or folder.
func openRegular(name string) (*os.File, error) {
	about, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !about.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
	}
	return os.Open(name)
}

// TableStream reads a table part by part, in memory for one part.
type TableStream struct {
	parser *csvParser
	names  []string // nil before the first line
	err    error
}

// TableRows begins to read a table as [ReadTable] does; what is wrong is the error of Next.
func TableRows(ctx context.Context, r io.Reader, opt *Options) *TableStream {
	o, err := opt.normal()
	used := Options{Name: o.Name, Comma: o.Comma, Skip: o.Skip, Header: o.Header, Drop: o.Drop, Format: CSV, Unlabelled: true}
	used.Task = Regression // as for all that is unlabelled
	switch {
	case err != nil:
	case ctx == nil:
		err = notNil("ctx")
	case r == nil:
		err = notNil("r")
	case opt != nil:
		err = opt.forTables()
	}
	if err != nil {
		return &TableStream{err: err}
	}
	return &TableStream{parser: &csvParser{fields: fields{source: newSource(ctx, r, o.Name)}, opt: used}}
}

// forTables refuses the options that a table has no use for.
func (opt *Options) forTables() error {
	for _, o := range []struct {
		name string
		set  bool
	}{
		{"Format", opt.Format == LIBSVM}, {"SkipMissing", opt.SkipMissing}, {"Task", opt.Task != Auto}, {"Classes", opt.Classes != nil},
		{"Positive", opt.Positive != ""}, {"Label", opt.Label != ""}, {"Unlabelled", opt.Unlabelled},
		{"Dim", opt.Dim != 0}, {"ZeroBased", opt.ZeroBased}, {"SkipQID", opt.SkipQID},
	} {
		if o.set {
			return &svmkit.ParamError{Name: o.name, Value: "set", Need: "is not for a Table, which keeps all fields as text"}
		}
	}
	return nil
}

// Names returns the names of the columns, nil before the first call of Next.
func (s *TableStream) Names() []string { return slices.Clone(s.names) }

// Next returns at most the given number of rows, at least one, that have not been read yet. Once it has a row it does not
// wait for text that has not arrived, so whoever writes one row to a pipe gets it at once. After the last row it is
// io.EOF; any other error is that of [ReadTable], and all later ones.
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
	t := &Table{Name: s.parser.name, Names: s.names}
	for len(t.Rows) < rows {
		if p := s.parser; len(t.Rows) > 0 && !wait && len(p.ahead) == 0 && bytes.IndexByte(p.buf[p.pos:p.end], '\n') < 0 {
			break // reading the next line could have to wait
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

// tableNames reads the first line and returns the names of the columns that are not dropped.
func (p *csvParser) tableNames() ([]string, error) {
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
	column := map[string]int{}
	for k, role := range p.role {
		switch {
		case role != feature:
		case p.header == nil:
			names = append(names, strconv.Itoa(k+1))
		case column[p.header[k]] > 0:
			return nil, p.errorAt(place{line: p.first}, nil, &cause{fmt.Sprintf("columns %d and %d are both %q: rename one, or leave it out by the option Drop and its number",
				column[p.header[k]], k+1, p.header[k]), ErrFormat})
		default:
			column[p.header[k]] = k + 1
		}
	}
	return names, (&Table{Name: p.name, Names: names}).Validate()
}

// certainHeader refuses a line of names over a line without a number, which may be names, too.
func (p *csvParser) certainHeader() error {
	if len(p.ahead) == 0 {
		if _, err := p.peek(); err != nil || len(p.ahead) == 0 {
			return err
		}
	}
	for _, f := range p.ahead[0] {
		if _, ok := decimal.Parse(f.text); ok {
			return nil
		}
	}
	return p.errorAt(place{}, nil, errHeader)
}

// tableRow reads one line as text.
func (p *csvParser) tableRow() (row []string, line int, err error) {
	var fields []field
	if len(p.ahead) > 0 {
		fields, p.ahead = p.ahead[0], p.ahead[1:]
	} else if err := p.lineStarts(); err != nil {
		return nil, 0, err
	} else if fields, err = p.line(); err != nil {
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
			row = append(row, string(f.text))
		}
	}
	return row, fields[0].at.line, nil
}

// Validate returns nil, or what is wrong with the table itself: a [*svmkit.DataError] for no columns
// ([svmkit.ErrNoColumns]), a row of another length ([svmkit.ErrRagged]) or Lines of another length
// ([svmkit.ErrMismatch]); a [*svmkit.ParamError] for a name that is empty or stands twice. It may have no rows.
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
			return &svmkit.ParamError{Name: "Names", Value: strconv.Quote(name), Need: "must be different, and not empty: rename the column, or drop it by its number"}
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

// Column returns the number of the column with a name, −1 if there is none.
func (t *Table) Column(name string) int {
	for j, known := range t.Names {
		if known == name {
			return j
		}
	}
	return -1
}

// Subset returns the rows with the given numbers, in that order, sharing their fields. It panics if there is no
// such row.
func (t *Table) Subset(rows []int) *Table {
	s := &Table{Name: t.Name, Names: t.Names, Rows: make([][]string, len(rows))}
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

// Labels returns the fields of a column as [svmkit.Dataset] holds labels, one number a row, and the names of the
// classes, nil for targets; what they are follows from l as for a file. A label that cannot be used or is missing is
// a [*FieldError]; a column that is not there is a [*svmkit.ParamError].
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
		return nil, nil, &svmkit.ParamError{Name: "column", Value: strconv.Quote(column), Need: fmt.Sprintf("must be a column of the table, which are %q", t.Names)}
	case len(t.Rows) == 0:
		return nil, nil, &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrEmpty}
	}
	c := newCoder(l)
	var labels labelStore
	for i, row := range t.Rows {
		label, err := c.read([]byte(row[j]), false)
		if err == ErrMissing {
			err = errNoLabel
		}
		if err != nil {
			return nil, nil, t.FieldError(i, j, err)
		}
		labels.add(label)
	}
	y = labels.join()
	if classes, err = c.codeAll(y, labels.names); err != nil {
		return nil, nil, t.FieldError(svmkit.NoPlace, j, err)
	}
	return y, classes, nil
}

// Number returns the number that a field of a table is. The error is [ErrMissing] for one of the marks that
// [Options.SkipMissing] names, [ErrNotNumber], or [svmkit.ErrNotFinite].
func Number(text string) (float64, error) {
	v, ok := decimal.Parse([]byte(text))
	if !ok || math.IsInf(v, 0) {
		return 0, numberError([]byte(text))
	}
	return v, nil
}

// FieldError says which field of a [Table] cannot be used, and why.
type FieldError struct {
	Name   string // of the table, if known
	Line   int    // of the file, from 1; 0 if it is not known
	Row    int    // of the table, from 0; svmkit.NoPlace if the error concerns the column
	Column string // its name
	Text   string // the field, shortened
	Err    error  // the cause: one of those of a *[ParseError], or the caller's
}

// FieldError returns the error for the field of a row and a column by their numbers; row may be [svmkit.NoPlace].
func (t *Table) FieldError(row, column int, err error) *FieldError {
	e := &FieldError{Name: t.Name, Row: row, Column: t.Names[column], Err: err}
	if row >= 0 {
		e.Text = shorten([]byte(t.Rows[row][column]))
		if t.Lines != nil {
			e.Line = t.Lines[row]
		}
	}
	return e
}

func (e *FieldError) Error() string {
	var b strings.Builder
	b.WriteString("svmkit: ")
	if e.Name != "" {
		b.WriteString(e.Name + ": ")
	}
	switch {
	case e.Line > 0:
		fmt.Fprintf(&b, "line %d, ", e.Line)
	case e.Row >= 0:
		fmt.Fprintf(&b, "row %d, ", e.Row)
	}
	fmt.Fprintf(&b, "column %q: %v", e.Column, e.Err)
	if e.Row >= 0 {
		fmt.Fprintf(&b, ": %q", e.Text)
	}
	return b.String()
}

func (e *FieldError) Unwrap() error { return e.Err }

func notNil(name string) error {
	return &svmkit.ParamError{Name: name, Value: nil, Need: "must not be nil"}
}
