package svmkit_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
)

// threeClasses has classes a, b, c with labels 0, 1, 2 and a sparse last row.
func threeClasses() *svmkit.Dataset {
	return &svmkit.Dataset{
		X: append(svmkit.DenseRows([]float64{1, 10, 2, 20, 3, 30}, 2), svmkit.Row{Index: []int32{1}, Value: []float64{40}}),
		Y: []float64{0, 1, 0, 2}, Dim: 2,
		Classes: []string{"a", "b", "c"}, Features: []string{"small", "large"},
	}
}

func twoClasses() *svmkit.Dataset {
	return &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 2, 3}, 1), Y: []float64{-1, 1, -1}, Dim: 1, Classes: []string{"no", "yes"}}
}

func TestOneVsRest(t *testing.T) {
	for _, c := range []struct {
		set      *svmkit.Dataset
		positive string
		y        []float64
		classes  []string
	}{
		{threeClasses(), "a", []float64{1, -1, 1, -1}, []string{"not a", "a"}},
		{threeClasses(), "c", []float64{-1, -1, -1, 1}, []string{"not c", "c"}},
		{twoClasses(), "yes", []float64{-1, 1, -1}, []string{"no", "yes"}},
		{twoClasses(), "no", []float64{1, -1, 1}, []string{"yes", "no"}},
	} {
		got, err := c.set.OneVsRest(c.positive)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Y, c.y) || !slices.Equal(got.Classes, c.classes) {
			t.Errorf("%s: labels %v, classes %q; want %v, %q", c.positive, got.Y, got.Classes, c.y, c.classes)
		}
		if err := got.ValidateBinary(); err != nil {
			t.Error(err)
		}
		if !slices.Equal(c.set.Y, threeClasses().Y) && !slices.Equal(c.set.Y, twoClasses().Y) {
			t.Error("the labels of the original have changed")
		}
	}
}

func TestPair(t *testing.T) {
	got, err := threeClasses().Pair("c", "a")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Y, []float64{1, 1, -1}) || !slices.Equal(got.Classes, []string{"c", "a"}) {
		t.Errorf("labels %v, classes %q", got.Y, got.Classes)
	}
	if got.X[1].At(1) != 30 || got.X[2].At(1) != 40 || got.Dim != 2 || !slices.Equal(got.Features, []string{"small", "large"}) {
		t.Errorf("%+v", got)
	}
	flipped, err := twoClasses().Pair("yes", "no")
	if err != nil || !slices.Equal(flipped.Y, []float64{1, -1, 1}) {
		t.Errorf("yes against no: %v, %v", flipped, err)
	}
}

func TestUnknownClass(t *testing.T) {
	set := threeClasses()
	_, e1 := set.OneVsRest("d")
	_, e2 := set.Pair("d", "a")
	_, e3 := set.Pair("a", "d")
	_, e4 := (&svmkit.Dataset{X: set.X, Y: set.Y, Dim: 2}).OneVsRest("a")
	for i, err := range []error{e1, e2, e3, e4} {
		if !errors.Is(err, svmkit.ErrNoClass) {
			t.Errorf("call %d: %v, want ErrNoClass", i+1, err)
		}
	}
}

func TestColumns(t *testing.T) {
	got := threeClasses().Columns(1, 0, 1)
	if err := got.Validate(); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Features, []string{"large", "small", "large"}) || !slices.Equal(got.Classes, []string{"a", "b", "c"}) {
		t.Errorf("names %q, %q", got.Features, got.Classes)
	}
	for i, want := range [][]float64{{10, 1, 10}, {20, 2, 20}, {30, 3, 30}, {40, 0, 40}} {
		if !slices.Equal(got.X[i].Value, want) {
			t.Errorf("row %d: %v, want %v", i, got.X[i].Value, want)
		}
	}
	onlySparse := &svmkit.Dataset{X: threeClasses().X[3:], Y: []float64{1}, Dim: 2}
	for _, j := range []int{-1, 2, 99} {
		if !panics(func() { onlySparse.Columns(j) }) {
			t.Errorf("column %d of 2: no panic", j)
		}
	}
}

// Targets undoes what a reader makes of integer targets: Y is the numbers that name the classes.
func TestTargetsAreTheNamesOfTheClasses(t *testing.T) {
	for _, c := range []struct {
		set *svmkit.Dataset
		y   []float64
		err error
	}{
		{&svmkit.Dataset{Y: []float64{2, 0, 1}, Classes: []string{"-10", "2.5", "40"}}, []float64{40, -10, 2.5}, nil},
		{&svmkit.Dataset{Y: []float64{-1, 1, 1}, Classes: []string{"10", "20"}}, []float64{10, 20, 20}, nil},
		{&svmkit.Dataset{Y: []float64{3.5, 1, 1}}, []float64{3.5, 1, 1}, nil},
		{&svmkit.Dataset{Y: []float64{-1, 1, 1}, Classes: []string{"10", "ham"}}, nil, svmkit.ErrNotFinite},
		{&svmkit.Dataset{Y: []float64{-1, 1, 1}, Classes: []string{"10", "inf"}}, nil, svmkit.ErrNotFinite},
		{&svmkit.Dataset{Y: []float64{0, 1, 3}, Classes: []string{"10", "20", "30"}}, nil, svmkit.ErrNoClass},
	} {
		c.set.X, c.set.Dim = svmkit.DenseRows([]float64{1, 2, 3}, 1), 1
		got, err := c.set.Targets()
		if !errors.Is(err, c.err) {
			t.Errorf("classes %q, labels %v: error %v, want %v", c.set.Classes, c.set.Y, err, c.err)
			continue
		}
		if err == nil && (!slices.Equal(got.Y, c.y) || got.ValidateTargets() != nil) {
			t.Errorf("classes %q, labels %v: %v, %v; want %v", c.set.Classes, c.set.Y, got.Y, got.ValidateTargets(), c.y)
		}
	}
}
