package pipeline

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

// Categories returns the category of each field of column j: its text, or "" if the field is
// missing. If all other fields are numbers, it is the shortest form of the number, as for
// [Columns].
func Categories(t *dataset.Table, j int) []string {
	_, numbers := categories(t, j)
	fields := fieldsOf(t, j)
	for i, field := range fields {
		fields[i] = categoryOf(field, numbers)
	}
	return fields
}

// categories returns the different categories of column j, rising, and whether they are numbers:
// then all fields that are not missing are numbers, and each category is in its shortest form.
func categories(t *dataset.Table, j int) (all []string, numbers bool) {
	seen := map[string]bool{}
	numbers = true
	for _, row := range t.Rows {
		text := categoryOf(row[j], false)
		seen[text] = true
		if _, ok := categoryNumber(text); text != "" && !ok {
			numbers = false
		}
	}
	if numbers = numbers && !(len(seen) == 1 && seen[""]); numbers {
		short := map[string]bool{}
		for text := range seen {
			short[categoryOf(text, true)] = true
		}
		seen = short
	}
	return slices.Sorted(maps.Keys(seen)), numbers
}

// categoryOf returns the category of a field: "" if it is missing, or else its text. If the
// categories are numbers, it is the shortest form of the number.
func categoryOf(field string, numbers bool) string {
	if _, err := dataset.Number(field); err == dataset.ErrMissing {
		return ""
	}
	if v, ok := categoryNumber(field); ok && numbers {
		return shortest(v)
	}
	return field
}

// categoryNumber returns the number that a category is. A number of 10¹⁵ or more in size is a name,
// because float64 may not tell it from its neighbours.
func categoryNumber(field string) (float64, bool) {
	v, err := dataset.Number(field)
	return v, err == nil && math.Abs(v) < 1e15
}

// shortest returns the shortest form of a number, and an integer without an exponent.
func shortest(v float64) string {
	form := byte('g')
	if v == math.Trunc(v) {
		form = 'f'
	}
	return strconv.FormatFloat(v+0, form, -1, 64) // −0 + 0 is +0
}

// Alike lists spellings of one column that look like one category, such as "True" and "true", or
// "1" and "1.0".
//
// They differ only by case, by blanks or by the spelling of a number.
type Alike struct {
	Column string
	Texts  []string // the spellings, two or more, in the order of their bytes
	// One is whether they are one category, because all categories of the column are numbers.
	One bool
}

// Alike returns the categories of a training table that look like one category in several
// spellings.
//
// Show them to the user, because a fit does not merge them. They are in the order of the columns.
// If the lists of Columns do not fit the table, the error is the error of [Pipeline.Fit].
func (p Pipeline) Alike(t *dataset.Table) ([]Alike, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	list, err := p.Columns.lists(t, p.Label, p.Weights)
	if err != nil {
		return nil, err
	}
	var alike []Alike
	for j, name := range t.Names {
		if list[name] != "Categorical" {
			continue
		}
		_, numbers := categories(t, j)
		texts := map[string]map[string]bool{}
		for _, row := range t.Rows {
			text := categoryOf(row[j], false)
			if text == "" || !utf8.ValidString(text) { // ToLower makes bytes that are not UTF-8 equal
				continue
			}
			key := strings.ToLower(strings.Join(strings.Fields(text), ""))
			if v, ok := categoryNumber(key); ok {
				key = shortest(v)
			}
			if texts[key] == nil {
				texts[key] = map[string]bool{}
			}
			texts[key][text] = true
		}
		for _, key := range slices.Sorted(maps.Keys(texts)) {
			if len(texts[key]) > 1 {
				spellings := slices.Sorted(maps.Keys(texts[key]))
				alike = append(alike, Alike{Column: name, Texts: spellings, One: numbers})
			}
		}
	}
	return alike, nil
}

// Unseen returns an error for each field of t with a category that no training row has.
//
// Each of them wraps [ErrUnseen]. The other errors are the errors of [Encoder.Encode].
func (e *Encoder) Unseen(t *dataset.Table) ([]*dataset.FieldError, error) {
	places, err := e.placesIn(t)
	if err != nil {
		return nil, err
	}
	var unseen []*dataset.FieldError
	for i, row := range t.Rows {
		for k, c := range e.columns {
			if _, seen := c.find(row[places[k]]); c.Kind == category && !seen {
				unseen = append(unseen, t.FieldError(i, places[k], ErrUnseen))
			}
		}
	}
	return unseen, nil
}

// find returns the place of a field's category, and whether a training row has it.
func (c *column) find(field string) (place int, seen bool) {
	return slices.BinarySearch(c.Categories, categoryOf(field, c.Numbers))
}

// HasCategories reports whether some column holds categories.
func (e *Encoder) HasCategories() bool {
	return e != nil && slices.ContainsFunc(e.columns, func(c column) bool { return c.Kind == category })
}

// placesIn returns the places of the columns in t, which must be valid.
func (e *Encoder) placesIn(t *dataset.Table) ([]int, error) {
	if e == nil {
		return nil, &svmkit.ParamError{Name: "Model", Value: "empty", Need: "must come from Fit or Load"}
	}
	if t == nil {
		return nil, t.Validate()
	}
	places, err := e.places(t.Names)
	if err != nil {
		return nil, err
	}
	return places, t.Validate()
}
