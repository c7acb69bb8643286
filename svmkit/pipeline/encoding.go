package pipeline

import (
	"iter"
	"slices"
	"unicode/utf8"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/internal/limit"
)

// encoding is a [Columns] fitted to training rows: what its file holds in JSON.
type encoding struct {
	Label        string   `json:"label"`
	Columns      []column `json:"columns"` // in the order of the training table
	Drop         []string `json:"drop,omitempty"`
	RefuseUnseen bool     `json:"refuseUnseen,omitempty"`
}

// names returns the columns that a table to predict must have.
func (e *encoding) names() []string {
	names := make([]string, len(e.Columns))
	for k, c := range e.Columns {
		names[k] = c.Name
	}
	return names
}

// features yields the names of the numbers, one a column of the rows. It is a sequence since a long name with many
// categories is far more text than its file.
func (e *encoding) features() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, c := range e.Columns {
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

// dim returns the number of numbers of a row.
func (e *encoding) dim() int {
	d := 0
	for _, c := range e.Columns {
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

// places returns where the columns stand in a table with these names.
func (e *encoding) places(names []string) ([]int, error) {
	wrong := &svmkit.ColumnsError{Have: len(names), Want: len(e.Columns)}
	at := make(map[string]int, len(names))
	for j, name := range names {
		at[name] = j
	}
	places := make([]int, len(e.Columns))
	for k, c := range e.Columns {
		j, found := at[c.Name]
		if places[k] = j; !found {
			wrong.Missing = append(wrong.Missing, c.Name)
		}
		delete(at, c.Name)
	}
	delete(at, e.Label)
	for _, name := range e.Drop {
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

// rows returns the rows of a table as numbers.
func (e *encoding) rows(t *dataset.Table) ([]svmkit.Row, error) {
	if e == nil {
		return nil, &svmkit.ParamError{Name: "Model", Value: "empty", Need: "must come from Fit or Load"}
	}
	if t == nil {
		return nil, t.Validate()
	}
	places, err := e.places(t.Names)
	if err == nil {
		err = t.Validate()
	}
	if err != nil || len(t.Rows) == 0 {
		return nil, err
	}
	for k, c := range e.Columns {
		for i, row := range t.Rows {
			if c.Kind != number && !utf8.ValidString(row[places[k]]) { // in another encoding no category or term is the same
				return nil, t.FieldError(i, places[k], ErrEncoding)
			}
		}
	}
	if c := e.Columns[0]; c.Kind == document {
		return c.Vectorizer.Rows(fieldsOf(t, places[0])), nil
	}
	d := e.dim()
	if err := limit.Size(len(t.Rows), d); err != nil {
		return nil, err
	}
	flat := make([]float64, 0, len(t.Rows)*d)
	for i, row := range t.Rows {
		for k, c := range e.Columns {
			if flat, err = e.append(flat, c, row[places[k]]); err != nil {
				return nil, t.FieldError(i, places[k], err)
			}
		}
	}
	return svmkit.DenseRows(flat, d), nil
}

// append appends the numbers of one field.
func (e *encoding) append(to []float64, c column, field string) ([]float64, error) {
	if c.Kind == category {
		k, seen := slices.BinarySearch(c.Categories, categoryOf(field))
		if !seen && e.RefuseUnseen {
			return nil, ErrUnseen
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
		return nil, err
	case c.Fill == nil:
		return nil, ErrUnfilled
	default:
		v, missing = *c.Fill, 1
	}
	if to = append(to, v); c.Indicator {
		to = append(to, missing)
	}
	return to, nil
}
