package svmkit

import (
	"fmt"
	"slices"
	"strconv"
)

// OneVsRest returns s with the labels +1 for the class named positive and −1 for all others. The
// rows are shared. An unknown name is [ErrNoClass].
func (s *Dataset) OneVsRest(positive string) (*Dataset, error) {
	want, err := s.classLabel(positive)
	if err != nil {
		return nil, err
	}
	rest := "not " + positive
	if k := slices.Index(s.Classes, positive); len(s.Classes) == 2 {
		rest = s.Classes[1-k]
	}
	t := &Dataset{X: s.X, Y: make([]float64, len(s.Y)), Weight: s.Weight, Dim: s.Dim,
		Classes: []string{rest, positive}, Features: s.Features, Label: s.Label}
	for i, y := range s.Y {
		t.Y[i] = -1
		if y == want {
			t.Y[i] = 1
		}
	}
	return t, nil
}

// Pair returns the rows of two classes as a binary problem: −1 for negative, +1 for
// positive. The rows are shared. An unknown name is [ErrNoClass].
func (s *Dataset) Pair(negative, positive string) (*Dataset, error) {
	minus, err := s.classLabel(negative)
	if err != nil {
		return nil, err
	}
	plus, err := s.classLabel(positive)
	if err != nil {
		return nil, err
	}
	var rows []int
	for i, y := range s.Y {
		if y == minus || y == plus {
			rows = append(rows, i)
		}
	}
	t := s.Subset(rows)
	t.Classes = []string{negative, positive}
	for k, y := range t.Y {
		t.Y[k] = -1
		if y != minus {
			t.Y[k] = 1
		}
	}
	return t, nil
}

// Targets returns s with the numbers that name its classes as targets of a regression: Y holds
// these numbers, and Classes is nil. A reader makes such classes if it takes integer targets for
// classes.
//
// The rows are shared. A class whose name is no finite number is [ErrNotFinite], and a label of no
// class is [ErrNoClass].
func (s *Dataset) Targets() (*Dataset, error) {
	t := &Dataset{X: s.X, Y: slices.Clone(s.Y), Weight: s.Weight, Dim: s.Dim, Features: s.Features}
	if s.Classes == nil {
		return t, nil
	}
	target := make(map[float64]float64, len(s.Classes))
	for _, name := range s.Classes {
		v, err := strconv.ParseFloat(name, 64)
		if err != nil || !finite(v) {
			return nil, noPlace(fmt.Errorf("class %q: %w", name, ErrNotFinite))
		}
		y, _ := s.classLabel(name)
		target[y] = v
	}
	for i, y := range s.Y {
		v, ok := target[y]
		if !ok {
			return nil, &DataError{Row: i, Col: NoPlace, Value: y, Err: ErrNoClass}
		}
		t.Y[i] = v
	}
	return t, nil
}

// Columns returns a dense copy that keeps only the given columns, in that order.
// It panics if no column is given or one is out of range.
func (s *Dataset) Columns(cols ...int) *Dataset {
	for _, j := range cols {
		if j < 0 || j >= s.Dim { // a sparse row would answer 0
			panic(fmt.Sprintf("svmkit: column %d of %d", j, s.Dim))
		}
	}
	flat := make([]float64, 0, len(s.X)*len(cols))
	for _, x := range s.X {
		for _, j := range cols {
			flat = append(flat, x.At(j))
		}
	}
	t := &Dataset{X: DenseRows(flat, len(cols)), Y: s.Y, Weight: s.Weight, Dim: len(cols),
		Classes: s.Classes, Label: s.Label}
	if s.Features != nil {
		for _, j := range cols {
			t.Features = append(t.Features, s.Features[j])
		}
	}
	return t
}

// classLabel returns the value that Y holds for the named class.
func (s *Dataset) classLabel(name string) (float64, error) {
	k := slices.Index(s.Classes, name)
	if k < 0 {
		return 0, noPlace(ErrNoClass)
	}
	if len(s.Classes) == 2 {
		return float64(2*k - 1), nil
	}
	return float64(k), nil
}
