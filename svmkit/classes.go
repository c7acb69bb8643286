package svmkit

import (
	"fmt"
	"slices"
	"strconv"
)

// OneVsRest returns s with the label +1 for the class named positive and −1 for all others.
//
// The rows are shared. An unknown name is [ErrNoClass].
func (s *Dataset) OneVsRest(positive string) (*Dataset, error) {
	want, err := s.classLabel(positive)
	if err != nil {
		return nil, err
	}
	rest := RestName(positive)
	if k := slices.Index(s.Classes, positive); len(s.Classes) == 2 {
		rest = s.Classes[1-k]
	}
	t := *s
	t.Classes = []string{rest, positive}
	t.Y = signs(s.Y, want)
	return &t, nil
}

// signs returns +1 for each label that is positive, and −1 for all others.
func signs(labels []float64, positive float64) []float64 {
	y := make([]float64, len(labels))
	for i, label := range labels {
		y[i] = -1
		if label == positive {
			y[i] = 1
		}
	}
	return y
}

// Pair returns the rows of two classes as a binary problem, −1 for negative and +1 for positive.
//
// The rows are shared. An unknown name is [ErrNoClass].
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
	t.Y = signs(t.Y, plus)
	return t, nil
}

// Targets returns s as a regression whose targets are the numbers that name its classes.
//
// The rows are shared, and the result has no Classes. If the name of a class is not a finite
// number, the error is [ErrNotFinite]. A label without a class is [ErrNoClass].
func (s *Dataset) Targets() (*Dataset, error) {
	t := *s
	t.Y, t.Classes, t.Label = slices.Clone(s.Y), nil, ""
	if s.Classes == nil {
		return &t, nil
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
	return &t, nil
}

// Columns returns a dense copy with the given columns only, in that order. It panics if no column
// is given or one is out of range.
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
	t := *s
	t.X, t.Dim, t.Features = DenseRows(flat, len(cols)), len(cols), nil
	if s.Features != nil {
		for _, j := range cols {
			t.Features = append(t.Features, s.Features[j])
		}
	}
	return &t
}

// classLabel returns the value that Y holds for the named class.
func (s *Dataset) classLabel(name string) (float64, error) {
	k := slices.Index(s.Classes, name)
	if k < 0 {
		return 0, noPlace(ErrNoClass)
	}
	return LabelOf(k, len(s.Classes)), nil
}

// Augment returns s with one more column, named "1", that holds the constant c in every row.
//
// A plane through the origin of ℝᵈ⁺¹ is then a plane with a bias in ℝᵈ, and for c = 1 the last
// entry of its normal is b. Augmenting adds c² to every ‖xᵢ‖². For a plane (w, b) that separates s,
// the augmented margin is min yᵢf(xᵢ) / √(‖w‖² + b²/c²).
func (s *Dataset) Augment(c float64) *Dataset {
	t := *s
	t.X, t.Dim = make([]Row, len(s.X)), s.Dim+1
	if s.Features != nil {
		t.Features = append(slices.Clip(s.Features), "1")
	}
	values := make([]float64, 0, s.NNZ()+len(s.X))
	var index []int32
	for i, x := range s.X {
		from := len(values)
		values = append(append(values, x.Value...), c)
		t.X[i].Value = values[from:len(values):len(values)]
		if x.Index != nil {
			if index == nil {
				index = make([]int32, 0, cap(values))
			}
			from := len(index)
			index = append(append(index, x.Index...), int32(s.Dim))
			t.X[i].Index = index[from:len(index):len(index)]
		}
	}
	return &t
}
