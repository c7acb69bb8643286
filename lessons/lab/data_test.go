package lab

import (
	"reflect"
	"testing"
)

func TestRowsAreASet(t *testing.T) {
	rows := []Row{{[]float64{3, 4}, 1}, {[]float64{0, -2}, -1}}
	set := Dataset(rows)
	if set.Len() != 2 || set.Dim != 2 || !reflect.DeepEqual(RowsOf(set), rows) {
		t.Errorf("%+v became %+v", rows, set)
	}
	rows[0].X[0] = 7
	if set.X[0].Value[0] != 3 {
		t.Error("the set shares the rows' numbers")
	}
}

func TestSample(t *testing.T) {
	s := Sample{[][]float64{{1}, {2}}, []float64{1, -1}}
	more := s.With([]float64{3}, 1)
	if len(s.X) != 2 || !reflect.DeepEqual(more, Sample{[][]float64{{1}, {2}, {3}}, []float64{1, -1, 1}}) {
		t.Errorf("%v with a row is %v", s, more)
	}
	if few := more.Only(2, 0); !reflect.DeepEqual(few, Sample{[][]float64{{3}, {1}}, []float64{1, 1}}) {
		t.Errorf("rows 2 and 0 are %v", few)
	}
	if all := more.Clone(); !reflect.DeepEqual(all, more) || &all.X[0][0] == &more.X[0][0] || &all.Y[0] == &more.Y[0] {
		t.Errorf("a copy of %v is %v, or shares its numbers", more, all)
	}
	if set := more.Dataset(); set.Len() != 3 || set.Y[1] != -1 {
		t.Errorf("%+v", set)
	}
}

func TestDotAndNorm(t *testing.T) {
	if Dot([]float64{1, 2}, []float64{3, 4}) != 11 || Norm([]float64{3, 4}) != 5 {
		t.Error(Dot([]float64{1, 2}, []float64{3, 4}), Norm([]float64{3, 4}))
	}
}
