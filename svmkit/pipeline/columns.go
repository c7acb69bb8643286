package pipeline

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"gonum.org/v1/gonum/stat"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/internal/known"
	"github.com/svmkit/course/svmkit/text"
)

// ErrUnseen means that a field holds a category that no training row has, and RefuseUnseen is set.
var ErrUnseen = errors.New("a category that no training row has")

// Causes of a [*dataset.FieldError] of a column that cannot become numbers; test with errors.Is.
// Each is a special case of a cause of package dataset or svmkit.
var (
	ErrText = &svmkit.Cause{
		Problem: "not a number",
		Hint:    "list the column under Categorical or Drop",
		Of:      dataset.ErrNotNumber,
	}
	ErrMissing = &svmkit.Cause{
		Problem: "missing value",
		Hint:    "list the column under Median, Mean, Categorical or Drop",
		Of:      dataset.ErrMissing,
	}
	ErrNoWeight = &svmkit.Cause{
		Problem: "missing weight",
		Hint:    "fill it in, or leave out the row",
		Of:      dataset.ErrMissing,
	}
	ErrListed = &svmkit.Cause{ // of a column in Median or Mean
		Problem: "not a number",
		Hint:    "take the column out of Median and Mean, and list it under Categorical or Drop",
		Of:      dataset.ErrNotNumber,
	}
	ErrBesideText = &svmkit.Cause{
		Problem: "the column of Text takes the place of all others",
		Hint:    "list the column under Drop",
		Of:      svmkit.ErrMismatch,
	}
	ErrNoNumber = &svmkit.Cause{
		Problem: "no number in the training rows",
		Hint:    "list the column under Drop",
		Of:      dataset.ErrMissing,
	}
	ErrUnfilled = &svmkit.Cause{ // in a table to predict
		Problem: "missing value",
		Hint:    "fill it in, or train with the column under Median or Mean",
		Of:      dataset.ErrMissing,
	}
	ErrEncoding = &svmkit.Cause{
		Problem: "not UTF-8",
		Hint:    "convert the file",
		Of:      dataset.ErrFormat,
	}
	ErrBeyondSum = &svmkit.Cause{
		Problem: "the sum for the mean is beyond 1.8e308",
		Hint:    "list the column under Median",
		Of:      svmkit.ErrNotFinite,
	}
)

// Columns selects how each column of a table becomes numbers. The lists hold names of columns.
//
// A column in no list holds numbers. If a field of its training rows is missing or is not a number,
// the error names the lists that can hold the column. If several columns have such fields, the
// error is a [*ColumnErrors]. The package comment explains each kind of column.
type Columns struct {
	// Categorical lists the columns that become one column per category. A code like 1, 2, 3 that
	// is not a quantity belongs here. If all categories of a column are numbers, they are compared
	// as numbers: 1 and 1.0 are one category.
	Categorical []string

	// Median lists number columns whose missing fields become the median of the training rows.
	Median []string
	// Mean lists number columns whose missing fields become the mean of the training rows.
	Mean []string
	// Indicator lists columns of Median and Mean that also get a 0/1 column "missing".
	Indicator []string
	// Drop lists columns to ignore. A table to predict may lack them.
	Drop []string

	// RefuseUnseen makes a field with a category that no training row has an error, [ErrUnseen]. By
	// default such a field is zero in all columns of the categories, and [Encoder.Unseen] finds it.
	RefuseUnseen bool

	// Text is the column of documents, which become rows of tf-idf by TextOptions. All other
	// columns except the label must then be in Drop. Scalings that move zero cannot be applied to
	// such rows, see [feature.Scaler].
	Text        string
	TextOptions text.Options
}

// The kinds of a column, as in a file.
const (
	number   = "number"
	category = "category"
	document = "text"
)

// column is a column of the table with its fitted values.
type column struct {
	Name       string           `json:"name"`
	Kind       string           `json:"kind"`
	Fill       *float64         `json:"fill,omitempty"`       // number: replaces a missing field; nil: that is an error
	Indicator  bool             `json:"indicator,omitempty"`  // number: with Fill only
	Categories []string         `json:"categories,omitempty"` // category: rising
	Numbers    bool             `json:"numbers,omitempty"`    // category: compared as numbers, which are in shortest form
	Vectorizer *text.Vectorizer `json:"vectorizer,omitempty"` // text
}

// fit fits the encoding to the rows of t, which is valid and has the columns of the label and of
// the weights, "" for none.
func (c Columns) fit(t *dataset.Table, label, weights string) (*Encoder, error) {
	list, err := c.lists(t, label, weights)
	if err != nil {
		return nil, err
	}
	e := &Encoder{label: label, drop: c.Drop, refuseUnseen: c.RefuseUnseen}
	if weights != "" {
		e.drop = append(slices.Clone(c.Drop), weights)
	}
	if err := c.fitColumns(e, t, list); err != nil {
		return nil, err
	}
	if c.Text != "" {
		if e.columns[0].Vectorizer, err = text.FitTFIDF(fieldsOf(t, t.Column(c.Text)), c.TextOptions); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// fitColumns adds the columns to e, fitted except for the text.
func (c Columns) fitColumns(e *Encoder, t *dataset.Table, list map[string]string) error {
	var wrong []*dataset.FieldError
	for j, name := range t.Names {
		if !utf8.ValidString(name) { // JSON could not hold it
			return t.FieldError(svmkit.NoPlace, j, ErrEncoding)
		}
		if name == e.label || list[name] == "Drop" || list[name] == "Weights" {
			continue
		}
		fitted := column{Name: name}
		switch {
		case c.Text != "" && name != c.Text:
			wrong = append(wrong, t.FieldError(svmkit.NoPlace, j, ErrBesideText))
		case list[name] == "Text":
			fitted.Kind = document
		case list[name] == "Categorical":
			fitted.Kind = category
			fitted.Categories, fitted.Numbers = categories(t, j)
		default:
			fitted.Kind = number
			fitted.Indicator = slices.Contains(c.Indicator, name)
			var bad *dataset.FieldError
			if fitted.Fill, bad = fill(t, j, list[name]); bad != nil {
				wrong = append(wrong, bad)
			}
		}
		e.columns = append(e.columns, fitted)
	}
	if len(e.columns) == 0 {
		return &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrNoColumns}
	}
	return Join(wrong)
}

// lists returns the list that each column is in, or an error about the lists.
func (c Columns) lists(t *dataset.Table, label, weights string) (map[string]string, error) {
	list := map[string]string{}
	all := map[string][]string{"Categorical": c.Categorical, "Median": c.Median, "Mean": c.Mean, "Drop": c.Drop}
	if c.Text != "" {
		all["Text"] = []string{c.Text}
	}
	if weights != "" {
		all["Weights"] = []string{weights}
	}
	for _, l := range slices.Sorted(maps.Keys(all)) {
		for _, name := range all[l] {
			wrong := func(need, hint string) error {
				return &svmkit.ParamError{Name: l, Value: strconv.Quote(name), Need: need, Hint: hint}
			}
			switch {
			case t.Column(name) < 0:
				return nil, noColumn(t, l, name)
			case name == label:
				return nil, wrong("is the label's column, which goes in no list", "")
			case list[name] != "":
				return nil, wrong("must not be in two lists", fmt.Sprintf("take it out of %s or %s", list[name], l))
			}
			list[name] = l
		}
	}
	for _, name := range c.Indicator {
		if t.Column(name) < 0 {
			return nil, noColumn(t, "Indicator", name)
		}
		if list[name] != "Median" && list[name] != "Mean" {
			return nil, &svmkit.ParamError{Name: "Indicator", Value: strconv.Quote(name),
				Need: "must be a column whose missing fields are filled in", Hint: "list it under Median or Mean, too"}
		}
	}
	return list, nil
}

// noColumn returns the error for a name in a list that no column has.
func noColumn(t *dataset.Table, list, name string) error {
	return &svmkit.ParamError{Name: list, Value: strconv.Quote(name),
		Need: "must be one of the table's columns, " + known.Names(t.Names)}
}

func fieldsOf(t *dataset.Table, j int) []string {
	fields := make([]string, len(t.Rows))
	for i, row := range t.Rows {
		fields[i] = row[j]
	}
	return fields
}

// fill returns the number that replaces a missing field, by the list that the column is in; nil if
// it is in none. A field that is not a number explains more about the column than a missing one, so
// it is reported first.
func fill(t *dataset.Table, j int, list string) (*float64, *dataset.FieldError) {
	var values []float64
	missing := svmkit.NoPlace
	for i, row := range t.Rows {
		v, err := dataset.Number(row[j])
		switch {
		case err == nil:
			values = append(values, v)
		case err == dataset.ErrMissing && missing == svmkit.NoPlace:
			missing = i
		case err == dataset.ErrMissing:
		case err == dataset.ErrNotNumber && list == "":
			return nil, t.FieldError(i, j, ErrText)
		case err == dataset.ErrNotNumber:
			return nil, t.FieldError(i, j, ErrListed)
		default:
			return nil, t.FieldError(i, j, err)
		}
	}
	switch {
	case list == "" && len(values) == 0 && missing != svmkit.NoPlace:
		return nil, t.FieldError(svmkit.NoPlace, j, ErrNoNumber)
	case list == "" && missing != svmkit.NoPlace:
		return nil, t.FieldError(missing, j, ErrMissing)
	case list == "":
		return nil, nil
	case len(values) == 0:
		return nil, t.FieldError(svmkit.NoPlace, j, ErrNoNumber)
	}
	v := 0.0
	if list == "Mean" {
		v = stat.Mean(values, nil)
		if v-v != 0 {
			return nil, t.FieldError(svmkit.NoPlace, j, ErrBeyondSum)
		}
	} else {
		slices.Sort(values)
		half := len(values) / 2
		if v = values[half]; len(values)%2 == 0 {
			v = values[half-1]/2 + v/2 // their sum could overflow
		}
	}
	return &v, nil
}
