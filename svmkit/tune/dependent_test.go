package tune_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/tune"
)

func TestGroupFoldsKeepGroupsTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		groups := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"}), 2, 60).Draw(t, "groups")
		size := map[string]int{}
		for _, g := range groups {
			size[g]++
		}
		if len(size) < 2 {
			t.Skip()
		}
		k := rapid.IntRange(2, len(size)).Draw(t, "k")
		folds, err := tune.GroupFolds(groups, k)
		if err != nil || len(folds) != k {
			t.Fatal(len(folds), err)
		}
		tested, largest := make([]int, len(groups)), 0
		for _, n := range size {
			largest = max(largest, n)
		}
		for _, f := range folds {
			checkPartition(t, f, len(groups))
			for _, i := range f.Test {
				tested[i]++
				for _, j := range f.Train {
					if groups[i] == groups[j] {
						t.Fatalf("rows %d and %d of group %q are on both sides of %v", i, j, groups[i], f)
					}
				}
			}
			// The rule puts no group into a fold that has more rows than another: the excess is one group at most.
			for _, g := range folds {
				if len(f.Test)-len(g.Test) > largest {
					t.Fatalf("test sets of %d and %d rows, groups of at most %d", len(f.Test), len(g.Test), largest)
				}
			}
		}
		if slices.ContainsFunc(tested, func(c int) bool { return c != 1 }) {
			t.Fatalf("rows are tested %v times", tested)
		}
	})
}

// Groups of 4, 3, 2, 2 and 1 rows into two folds: 4, then 3, the 2 that comes first to the 3, the other 2 to the 4, and the 1.
func TestGroupFoldsByHand(t *testing.T) {
	folds, err := tune.GroupFolds([]string{"b", "b", "e", "d", "d", "z", "z", "z", "z", "y", "y", "y"}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if want := [2][]int{{3, 4, 5, 6, 7, 8}, {0, 1, 2, 9, 10, 11}}; !slices.Equal(folds[0].Test, want[0]) || !slices.Equal(folds[1].Test, want[1]) {
		t.Errorf("%v, want the test rows %v", folds, want)
	}
}

func TestTimeFoldsTrainOnThePast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		span := rapid.IntRange(3, 100).Draw(t, "span")
		times := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, span), func(v int) float64 { return float64(v) }), 2, 60).Draw(t, "times")
		k := rapid.IntRange(1, 6).Draw(t, "k")
		folds, err := tune.TimeFolds(times, k)
		if err != nil {
			if distinct := len(slices.Compact(slices.Sorted(slices.Values(times)))); distinct == len(times) && k < len(times) {
				t.Fatalf("%d different times, %d folds: %v", distinct, k, err)
			}
			return
		}
		if len(folds) != k {
			t.Fatalf("%d folds, want %d", len(folds), k)
		}
		part := (len(times) + k) / (k + 1) // rounded up
		before := []int(nil)
		for _, f := range folds {
			last := math.Inf(-1)
			for _, i := range f.Train {
				last = max(last, times[i])
			}
			for _, i := range f.Test {
				if !(times[i] > last) {
					t.Fatalf("test row %d of time %g, training rows up to %g", i, times[i], last)
				}
			}
			if !slices.IsSorted(f.Train) || !slices.IsSorted(f.Test) || len(f.Train) == 0 || len(f.Test) == 0 {
				t.Fatalf("%v", f)
			}
			if before != nil && !slices.Equal(f.Train, before) {
				t.Fatalf("trained on %v, want all rows before: %v", f.Train, before)
			}
			if distinct := len(slices.Compact(slices.Sorted(slices.Values(times)))); distinct == len(times) && len(f.Test) > part {
				t.Fatalf("%d test rows, want at most %d", len(f.Test), part)
			}
			before = slices.Sorted(slices.Values(slices.Concat(f.Train, f.Test)))
		}
		if len(before) != len(times) {
			t.Fatalf("the last fold ends after %d of %d rows", len(before), len(times))
		}
	})
}

// Seven rows, two of equal time: parts of 2, 2 and 3 rows, but the first is cut after the pair.
func TestTimeFoldsByHand(t *testing.T) {
	folds, err := tune.TimeFolds([]float64{5, 1, 2, 2, 9, 7, 8}, 2)
	want := []tune.Fold{{Train: []int{1, 2, 3}, Test: []int{0}}, {Train: []int{0, 1, 2, 3}, Test: []int{4, 5, 6}}}
	if err != nil || !reflect.DeepEqual(folds, want) {
		t.Errorf("%v %v, want %v", folds, err, want)
	}
}

// A model that knows only which rows it has met: told by group and by time it must know no test row's group or future,
// where Folds lets it.
func TestFoldsOfDependentRowsLeakNothing(t *testing.T) {
	const n, size = 40, 4 // groups of four rows of one label
	set, groups, times := &svmkit.Dataset{Dim: 1}, make([]string, n), make([]float64, n)
	for i := range n {
		set.X, set.Y = append(set.X, svmkit.Dense(float64(i))), append(set.Y, float64(2*(i/size%2)-1))
		groups[i], times[i] = strconv.Itoa(i/size), float64(i)
	}
	// The part of the test rows that match reports to have met counts as right: their label is predicted.
	met := func(match func(train, test int) bool) svmkit.Fitter {
		return func(_ context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
			return asModel(func(x svmkit.Row) float64 {
				for _, z := range train.X {
					if match(int(z.At(0)), int(x.At(0))) {
						return set.Y[int(x.At(0))]
					}
				}
				return 0
			}), nil
		}
	}
	sameGroup := met(func(train, test int) bool { return groups[train] == groups[test] })
	future := met(func(train, test int) bool { return times[train] >= times[test] })
	byGroup, err1 := tune.GroupFolds(groups, 5)
	byTime, err2 := tune.TimeFolds(times, 4)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		fit   svmkit.Fitter
		folds []tune.Fold
		leaks bool
	}{
		"random folds, group": {sameGroup, foldsOf(t, set, 5), true}, "group folds": {sameGroup, byGroup, false},
		"random folds, future": {future, foldsOf(t, set, 5), true}, "time folds": {future, byTime, false},
	} {
		r, err := tune.Validation{Folds: c.folds}.CrossValidate(t.Context(), set, c.fit)
		if err != nil || c.leaks && !(r.Mean > 0.5) || !c.leaks && r.Mean != 0 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

func TestFoldsOfDependentRowsRefuse(t *testing.T) {
	var param *svmkit.ParamError
	for name, c := range map[string]struct {
		groups []string
		k      int
	}{"k = 1": {[]string{"a", "b"}, 1}, "k > groups": {[]string{"a", "b", "a"}, 3}, "no name": {[]string{"", "", "b"}, 2}} {
		if _, err := tune.GroupFolds(c.groups, c.k); !errors.As(err, &param) {
			t.Errorf("groups, %s: %v", name, err)
		}
	}
	for name, c := range map[string]struct {
		times []float64
		k     int
	}{"k = 0": {[]float64{1, 2}, 0}, "k = n": {[]float64{1, 2}, 2}, "all equal": {[]float64{3, 3, 3}, 1}} {
		if _, err := tune.TimeFolds(c.times, c.k); !errors.As(err, &param) {
			t.Errorf("times, %s: %v", name, err)
		}
	}
	_, err1 := tune.GroupFolds(nil, 2)
	_, err2 := tune.TimeFolds(nil, 2)
	_, err3 := tune.TimeFolds([]float64{1, math.NaN(), 2}, 1)
	if !errors.Is(err1, svmkit.ErrEmpty) || !errors.Is(err2, svmkit.ErrEmpty) || !errors.Is(err3, svmkit.ErrNotFinite) {
		t.Errorf("%v, %v, %v", err1, err2, err3)
	}
}
