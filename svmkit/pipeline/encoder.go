package pipeline

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"unicode/utf8"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/internal/limit"
	"github.com/svmkit/course/svmkit/internal/strictjson"
)

// Encoder turns the rows of a table into rows of numbers. It is [Columns] fitted to training rows.
//
// [encoding/json] writes and reads it, and every number is read back bit for bit.
type Encoder struct {
	label        string
	columns      []column // in the order of the training table
	drop         []string
	refuseUnseen bool
}

// NumbersEncoder returns the encoder of a table with these column names, which all hold numbers.
//
// Use it for models that were trained elsewhere. The names must differ and not be empty.
func NumbersEncoder(names []string) (*Encoder, error) {
	e := &Encoder{}
	for _, name := range names {
		e.columns = append(e.columns, column{Name: name, Kind: number})
	}
	if err := e.wrong(); err != nil {
		return nil, err
	}
	return e, nil
}

// TableColumns returns the columns that a table must have, with the name of the label's column.
func (e *Encoder) TableColumns() svmkit.Columns {
	names := e.names()
	return svmkit.Columns{Dim: len(names), Features: names, Label: e.label}
}

// Columns returns the columns of the rows of numbers. The package comment explains their names.
func (e *Encoder) Columns() svmkit.Columns {
	return svmkit.Columns{Dim: e.dim(), Features: slices.Collect(e.features()), Label: e.label}
}

// Makes reports whether c equals the columns of the rows of numbers.
func (e *Encoder) Makes(c svmkit.Columns) bool {
	if c.Dim != e.dim() || c.Open || c.Label != e.label || len(c.Features) != c.Dim {
		return false
	}
	k := 0
	for name := range e.features() {
		if name != c.Features[k] {
			return false
		}
		k++
	}
	return true
}

// names returns the columns that a table to predict must have.
func (e *Encoder) names() []string {
	names := make([]string, len(e.columns))
	for k, c := range e.columns {
		names[k] = c.Name
	}
	return names
}

// features yields the names of the numbers, one per column of the rows. It is a sequence because a
// long name with many categories is far more text than its file.
func (e *Encoder) features() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, c := range e.columns {
			if !c.features(yield) {
				return
			}
		}
	}
}

// features yields the names of the column's numbers until yield reports false, which it returns.
func (c *column) features(yield func(string) bool) bool {
	switch c.Kind {
	case category:
		for _, v := range c.Categories {
			if !yield(c.Name + "=" + v) {
				return false
			}
		}
		return true
	case document:
		for _, term := range c.Vectorizer.Terms() {
			if !yield(term) {
				return false
			}
		}
		return true
	}
	return yield(c.Name) && (!c.Indicator || yield(c.Name+" missing"))
}

// dim returns the number of numbers per row.
func (e *Encoder) dim() int {
	d := 0
	for _, c := range e.columns {
		switch {
		case c.Kind == document:
			d += c.Vectorizer.Dim()
		case c.Kind == category:
			d += len(c.Categories)
		case c.Indicator:
			d += 2
		default:
			d++
		}
	}
	return d
}

// places returns the places of the columns in a table with these names.
func (e *Encoder) places(names []string) ([]int, error) {
	wrong := &svmkit.ColumnsError{Have: len(names), Want: len(e.columns)}
	at := make(map[string]int, len(names))
	for j, name := range names {
		at[name] = j
	}
	places := make([]int, len(e.columns))
	for k, c := range e.columns {
		j, found := at[c.Name]
		if places[k] = j; !found {
			wrong.Missing = append(wrong.Missing, c.Name)
		}
		delete(at, c.Name)
	}
	delete(at, e.label)
	for _, name := range e.drop {
		delete(at, name)
	}
	for _, name := range names {
		if _, left := at[name]; left {
			wrong.New = append(wrong.New, name)
		}
	}
	if wrong.Missing != nil || wrong.New != nil {
		return nil, wrong
	}
	return places, nil
}

// Encode returns the rows of a table as rows of numbers.
//
// It finds columns by their names, in any order. It ignores the label and dropped columns. If
// another column is missing or extra, the error is a [*svmkit.ColumnsError]. A field that cannot be
// used is a [*dataset.FieldError], and such fields in several columns are a [*ColumnErrors].
func (e *Encoder) Encode(t *dataset.Table) ([]svmkit.Row, error) {
	return e.encode(t, e != nil && e.refuseUnseen)
}

// encode is Encode with a choice: it refuses categories that no training row has, or makes them
// zeros.
func (e *Encoder) encode(t *dataset.Table, refuseUnseen bool) ([]svmkit.Row, error) {
	places, err := e.placesIn(t)
	if err != nil || len(t.Rows) == 0 {
		return nil, err
	}
	for k, c := range e.columns {
		for i, row := range t.Rows {
			// in another encoding no category or term is the same
			if c.Kind != number && !utf8.ValidString(row[places[k]]) {
				return nil, t.FieldError(i, places[k], ErrEncoding)
			}
		}
	}
	if c := e.columns[0]; c.Kind == document {
		return c.Vectorizer.Rows(fieldsOf(t, places[0])), nil
	}
	d := e.dim()
	if err := limit.Size(len(t.Rows), d); err != nil {
		return nil, err
	}
	flat := make([]float64, 0, len(t.Rows)*d)
	wrong := make([]*dataset.FieldError, len(e.columns)) // the first of each column
	for i, row := range t.Rows {
		for k, c := range e.columns {
			next, err := c.append(flat, row[places[k]], refuseUnseen)
			if flat = next; err != nil && wrong[k] == nil {
				wrong[k] = t.FieldError(i, places[k], err)
			}
		}
	}
	wrong = slices.DeleteFunc(wrong, func(f *dataset.FieldError) bool { return f == nil })
	if err := Join(wrong); err != nil {
		return nil, err
	}
	return svmkit.DenseRows(flat, d), nil
}

// append appends the numbers of one field. With an error it returns to unchanged.
func (c *column) append(to []float64, field string, refuseUnseen bool) ([]float64, error) {
	if c.Kind == category {
		k, seen := c.find(field)
		if !seen && refuseUnseen {
			return to, ErrUnseen
		}
		from := len(to)
		to = append(to, make([]float64, len(c.Categories))...)
		if seen {
			to[from+k] = 1
		}
		return to, nil
	}
	v, err := dataset.Number(field)
	missing := 0.0
	switch {
	case err == nil:
	case err != dataset.ErrMissing:
		return to, err
	case c.Fill == nil:
		return to, ErrUnfilled
	default:
		v, missing = *c.Fill, 1
	}
	if to = append(to, v); c.Indicator {
		to = append(to, missing)
	}
	return to, nil
}

// encoding is the JSON form of an [Encoder].
type encoding struct {
	Label        string   `json:"label"`
	Columns      []column `json:"columns"`
	Drop         []string `json:"drop,omitempty"`
	RefuseUnseen bool     `json:"refuseUnseen,omitempty"`
}

// MarshalJSON returns the columns with their fitted values.
func (e *Encoder) MarshalJSON() ([]byte, error) {
	return json.Marshal(encoding{e.label, e.columns, e.drop, e.refuseUnseen})
}

// UnmarshalJSON reads the JSON of MarshalJSON. It refuses values that no fit returns.
func (e *Encoder) UnmarshalJSON(data []byte) error {
	var read Encoder
	_, err := strictjson.Object(data, map[string]any{"label": &read.label, "columns": &read.columns,
		"drop": &read.drop, "refuseUnseen": &read.refuseUnseen})
	if err == nil {
		err = read.wrong()
	}
	if err == nil {
		*e = read
	}
	return err
}

// UnmarshalJSON reads one column.
func (c *column) UnmarshalJSON(data []byte) error {
	_, err := strictjson.Object(data, map[string]any{"name": &c.Name, "kind": &c.Kind, "fill": &c.Fill, "indicator": &c.Indicator,
		"categories": &c.Categories, "numbers": &c.Numbers, "vectorizer": &c.Vectorizer})
	return err
}

// wrong describes a value that no fit returns; nil if there is none.
func (e *Encoder) wrong() error {
	if len(e.columns) == 0 {
		return svmkit.ErrNoColumns
	}
	seen := map[string]bool{e.label: true}
	for _, name := range append(e.names(), e.drop...) {
		if name == "" || seen[name] {
			return fmt.Errorf("the column %q stands twice or has no name", name)
		}
		seen[name] = true
	}
	for _, c := range e.columns {
		if why := c.wrong(); why != "" {
			return fmt.Errorf("column %q: %s", c.Name, why)
		}
		if c.Kind == document && len(e.columns) > 1 {
			return fmt.Errorf("column %q: a text stands alone", c.Name)
		}
	}
	return nil
}

// wrong describes a value that no fit returns; "" if there is none.
func (c *column) wrong() string {
	switch {
	case c.Kind != number && c.Kind != category && c.Kind != document:
		return fmt.Sprintf("no kind %q", c.Kind)
	case (c.Kind == category) != (len(c.Categories) > 0), (c.Kind == document) != (c.Vectorizer != nil),
		c.Fill != nil && c.Kind != number, c.Indicator && c.Fill == nil, c.Numbers && c.Kind != category:
		return "what was fitted is not of its kind"
	}
	for _, name := range c.Categories {
		if _, ok := categoryNumber(name); c.Numbers && name != "" && (!ok || categoryOf(name, true) != name) {
			return fmt.Sprintf("the category %q is no number in its shortest form", name)
		}
	}
	for k, name := range c.Categories[min(1, len(c.Categories)):] {
		if name <= c.Categories[k] {
			return "the categories do not rise"
		}
	}
	return ""
}
