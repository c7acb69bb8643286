package svmkit_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
)

func sparseOf(value ...float64) svmkit.Row {
	x := svmkit.Row{Index: []int32{}}
	for j, v := range value {
		if v != 0 {
			x.Index, x.Value = append(x.Index, int32(j)), append(x.Value, v)
		}
	}
	return x
}

// Columns in another order are moved to their names; the set itself stays as it was.
func TestAlignMovesColumns(t *testing.T) {
	c := svmkit.Columns{Dim: 3, Features: []string{"a", "b", "c"}}
	set := &svmkit.Dataset{X: []svmkit.Row{svmkit.Dense(3, 1, 2), sparseOf(6, 4, 0), sparseOf(0, 0, 0)}, Y: []float64{1, 2, 3}, Dim: 3,
		Features: []string{"c", "a", "b"}, Label: "y"}
	before := svmkit.Dense(slices.Clone(set.X[0].Value)...)
	got, err := c.Align(set)
	if err != nil {
		t.Fatal(err)
	}
	want := []svmkit.Row{svmkit.Dense(1, 2, 3), {Index: []int32{0, 2}, Value: []float64{4, 6}}, {Index: []int32{}, Value: []float64{}}}
	if !reflect.DeepEqual(got.X, want) || !slices.Equal(got.Features, c.Features) || got.Label != "y" || !slices.Equal(got.Y, set.Y) {
		t.Errorf("aligned: %+v", got)
	}
	if err := got.Validate(); err != nil {
		t.Error(err)
	}
	if !reflect.DeepEqual(set.X[0], before) {
		t.Error("the set itself has changed")
	}
	same := &svmkit.Dataset{X: set.X, Y: set.Y, Dim: 3, Features: []string{"a", "b", "c"}}
	if got, err := c.Align(same); got != same || err != nil {
		t.Errorf("columns that are right: %v, %v", got, err)
	}
}

func TestAlignOfOtherColumns(t *testing.T) {
	dense, sparse := svmkit.Dense(1, 2), sparseOf(1, 2)
	set := func(x svmkit.Row, dim int, names ...string) *svmkit.Dataset {
		return &svmkit.Dataset{X: []svmkit.Row{x}, Y: []float64{0}, Dim: dim, Features: names}
	}
	wide := svmkit.Dense(1, 2, 3)
	for name, c := range map[string]struct {
		columns svmkit.Columns
		set     *svmkit.Dataset
		dim     int    // of the aligned set; 0 if it is refused
		says    string // by the refusal
	}{
		"another name":          {svmkit.Columns{Dim: 2, Features: []string{"a", "b"}}, set(dense, 2, "a", "c"), 0, `missing "b"; not known "c"`},
		"a name too many":       {svmkit.Columns{Dim: 2, Features: []string{"a", "b"}}, set(wide, 3, "a", "b", "c"), 0, `not known "c"`},
		"a name too few":        {svmkit.Columns{Dim: 3, Features: []string{"a", "b", "c"}}, set(dense, 2, "a", "b"), 0, `missing "c"`},
		"a name twice":          {svmkit.Columns{Dim: 3, Features: []string{"a", "a", "b"}}, set(wide, 3, "a", "b", "a"), 0, `"a" stands twice`},
		"twice, the same order": {svmkit.Columns{Dim: 2, Features: []string{"a", "a"}}, set(dense, 2, "a", "a"), 2, ""},
		"dense, fewer":          {svmkit.Columns{Dim: 3}, set(dense, 2), 0, "2 columns, but the training rows had 3"},
		"dense, more":           {svmkit.Columns{Dim: 1}, set(dense, 2), 0, "2 columns, but the training rows had 1"},
		"dense, equal":          {svmkit.Columns{Dim: 2}, set(dense, 2), 2, ""},
		"names on one side":     {svmkit.Columns{Dim: 2, Features: []string{"a", "b"}}, set(dense, 2), 2, ""},
		"named, sparse, fewer":  {svmkit.Columns{Dim: 3}, set(sparse, 2, "a", "b"), 0, "3"},
		"sparse, fewer":         {svmkit.Columns{Dim: 3}, set(sparse, 2), 3, ""},
		"sparse, more":          {svmkit.Columns{Dim: 1}, set(sparse, 2), 0, "a row names column 2, but the training rows had 1 columns"},
		"sparse, more, open":    {svmkit.Columns{Dim: 1, Open: true}, set(sparse, 2), 2, ""},
		"dense, fewer, open":    {svmkit.Columns{Dim: 3, Open: true}, set(dense, 2), 0, "2 columns"},
		"dense, more, open":     {svmkit.Columns{Dim: 1, Open: true}, set(dense, 2), 2, ""},
		"unknown":               {svmkit.Columns{}, set(dense, 2), 2, ""},
	} {
		got, err := c.columns.Align(c.set)
		if c.dim > 0 {
			if err != nil || got.Dim != c.dim || got.Validate() != nil {
				t.Errorf("%s: %v, %v, want %d columns", name, got, err, c.dim)
			}
			continue
		}
		var wrong *svmkit.ColumnsError
		if !errors.As(err, &wrong) || !errors.Is(err, svmkit.ErrMismatch) || !strings.Contains(err.Error(), c.says) || got != nil {
			t.Errorf("%s: %v, %v, want a *ColumnsError with %q", name, got, err, c.says)
		}
	}
	if _, err := (svmkit.Columns{}).Align(nil); !errors.Is(err, svmkit.ErrEmpty) {
		t.Errorf("nil: %v", err)
	}
	ragged := set(dense, 3, "b", "a", "c")
	if _, err := (svmkit.Columns{Dim: 3, Features: []string{"a", "b", "c"}}).Align(ragged); !errors.Is(err, svmkit.ErrRagged) {
		t.Errorf("a short row: %v", err)
	}
}
