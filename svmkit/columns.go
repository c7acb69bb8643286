package svmkit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Columns describes the columns to which a model or a scaling was fitted. [Columns.Align] brings
// other rows into the same order.
type Columns struct {
	Dim      int      // d, the number of columns; 0 if unknown
	Open     bool     // whether Dim is a lower bound, as in the model files of LIBSVM
	Features []string // one name per column; nil without names
	Label    string   // name of the label's column; "" without a name
}

// ColumnsOf returns the columns of set.
func ColumnsOf(set *Dataset) Columns {
	return Columns{Dim: set.Dim, Features: set.Features, Label: set.Label}
}

// Align returns set with its columns in the order of c. If the columns do not fit, the error is a
// [*ColumnsError].
//
// If both have names, Align finds the columns by name, and moves them in a copy if the order
// differs. Otherwise the number of columns counts: dense rows need exactly c.Dim columns. Sparse
// rows may have fewer, and then the copy has c.Dim. More columns are allowed if c.Dim is unknown,
// or if c is Open; in the latter case the rows become sparse. Label is not compared.
func (c Columns) Align(set *Dataset) (*Dataset, error) {
	if set == nil {
		return nil, noPlace(ErrEmpty)
	}
	if c.Features != nil && set.Features != nil {
		return c.alignNames(set)
	}
	dense := slices.ContainsFunc(set.X, func(x Row) bool { return x.Index == nil })
	switch {
	case c.Dim == 0 || set.Dim == c.Dim:
		return set, nil
	case set.Dim > c.Dim && !c.Open, set.Dim < c.Dim && (dense || set.Features != nil):
		return nil, &ColumnsError{Have: set.Dim, Want: c.Dim, Sparse: !dense}
	case set.Dim > c.Dim:
		return set.named(), nil
	}
	wider := *set
	wider.Dim = c.Dim // its last columns are all zero
	return &wider, nil
}

func (c Columns) alignNames(set *Dataset) (*Dataset, error) {
	if slices.Equal(set.Features, c.Features) {
		return set, nil
	}
	want, twice := places(c.Features)
	have, again := places(set.Features)
	wrong := &ColumnsError{Have: len(set.Features), Want: len(c.Features), Repeated: cmp.Or(again, twice),
		Missing: unknown(c.Features, have), New: unknown(set.Features, want)}
	if wrong.New != nil || wrong.Missing != nil || wrong.Repeated != "" || len(set.Features) != set.Dim {
		return nil, wrong
	}
	to := make([]int32, set.Dim) // where each column goes
	for j, name := range set.Features {
		to[j] = int32(want[name])
	}
	moved := *set
	moved.Features = c.Features
	moved.X = make([]Row, len(set.X))
	for i, x := range set.X {
		if !x.wellFormed(set.Dim) {
			return nil, set.validateRange(i, i+1)
		}
		moved.X[i] = x.move(to)
	}
	return &moved, nil
}

// places returns the place of each name, and the last name that has two; "" if none has.
func places(names []string) (place map[string]int, twice string) {
	place = make(map[string]int, len(names))
	for j, name := range names {
		if _, known := place[name]; known {
			twice = name
		}
		place[name] = j
	}
	return place, twice
}

// unknown returns the names that have no place; nil if all have.
func unknown(names []string, place map[string]int) (rest []string) {
	for _, name := range names {
		if _, known := place[name]; !known {
			rest = append(rest, name)
		}
	}
	return rest
}

// named returns s with sparse rows: a model ignores the columns that it does not know.
func (s *Dataset) named() *Dataset {
	t := *s
	t.X = slices.Clone(s.X)
	var all []int32 // 0 … d−1
	for i, x := range t.X {
		if x.Index != nil {
			continue
		}
		for j := len(all); j < len(x.Value); j++ {
			all = append(all, int32(j))
		}
		t.X[i].Index = all[:len(x.Value):len(x.Value)]
	}
	return &t
}

// move returns a copy of x whose column j is column to[j].
func (x Row) move(to []int32) Row {
	y := Row{Value: make([]float64, len(x.Value))}
	if x.Index == nil {
		for j, v := range x.Value {
			y.Value[to[j]] = v
		}
		return y
	}
	order := make([]int, len(x.Index)) // of the values, by their new columns
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return int(to[x.Index[a]] - to[x.Index[b]]) })
	y.Index = make([]int32, len(x.Index))
	for k, from := range order {
		y.Index[k], y.Value[k] = to[x.Index[from]], x.Value[from]
	}
	return y
}

// ColumnsError reports why rows do not have the columns to which a model or a scaling was fitted.
// It wraps [ErrMismatch].
type ColumnsError struct {
	Have, Want   int      // numbers of columns
	Missing, New []string // names that are missing, and names that are unexpected
	Repeated     string   // name of two columns, which is ambiguous; "" if there is none
	Sparse       bool     // whether all rows are sparse, so that only extra columns are wrong
}

// Error returns the message.
func (e *ColumnsError) Error() string {
	switch {
	case e.Missing != nil || e.New != nil:
		text := "svmkit: other columns than those of the training rows"
		if len(e.Missing) > 0 {
			text += "; missing " + quoted(e.Missing)
		}
		if len(e.New) > 0 {
			text += "; not known " + quoted(e.New)
		}
		return text
	case e.Repeated != "":
		return fmt.Sprintf("svmkit: the columns stand in another order than in the training rows, "+
			"and the name %q stands twice", e.Repeated)
	case e.Sparse:
		return fmt.Sprintf("svmkit: a row names column %d, but the training rows had %d columns",
			e.Have, e.Want)
	}
	return fmt.Sprintf("svmkit: the rows have %d columns, but the training rows had %d",
		e.Have, e.Want)
}

// Unwrap returns [ErrMismatch].
func (e *ColumnsError) Unwrap() error { return ErrMismatch }

// quoted lists the first few names.
func quoted(names []string) string {
	const most = 10
	var list []string
	for _, name := range names[:min(most, len(names))] {
		list = append(list, strconv.Quote(name))
	}
	text := strings.Join(list, ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return text
}
