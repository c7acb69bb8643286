package tune_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/tune"
)

// drawClasses draws a set whose only column numbers the rows; labels by the rules of Dataset.
func drawClasses(t *rapid.T) *svmkit.Dataset {
	n := rapid.IntRange(2, 60).Draw(t, "n")
	classes := rapid.IntRange(0, 5).Draw(t, "classes") // 0: regression
	set := &svmkit.Dataset{Dim: 1}
	for k := range classes {
		set.Classes = append(set.Classes, string(rune('a'+k)))
	}
	for i := range n {
		set.X = append(set.X, svmkit.Dense(float64(i)))
		switch y := 0.0; classes {
		case 0:
			set.Y = append(set.Y, y+float64(i)/7)
		case 2:
			set.Y = append(set.Y, float64(2*rapid.IntRange(0, 1).Draw(t, "y")-1))
		default:
			set.Y = append(set.Y, float64(rapid.IntRange(0, classes-1).Draw(t, "y")))
		}
	}
	return set
}

// countClasses returns how many of the rows each label has; one bin for regression.
func countClasses(s *svmkit.Dataset, rows []int) map[float64]int {
	count := map[float64]int{}
	for _, i := range rows {
		y := s.Y[i]
		if s.Classes == nil {
			y = 0
		}
		count[y]++
	}
	return count
}

func all(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

func checkPartition(t *rapid.T, f tune.Fold, n int) {
	both := slices.Concat(f.Train, f.Test)
	slices.Sort(both)
	if !slices.Equal(both, all(n)) || !slices.IsSorted(f.Train) || !slices.IsSorted(f.Test) {
		t.Fatalf("not a partition of %d rows into two rising lists: %v", n, f)
	}
}

func TestFoldsPartitionAndStratify(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawClasses(t)
		n := set.Len()
		k := rapid.IntRange(2, n).Draw(t, "k")
		seed := rapid.Uint64().Draw(t, "seed")
		folds, err := tune.Folds(set, k, seed)
		if err != nil || len(folds) != k {
			t.Fatal(len(folds), err)
		}
		tested := make([]int, n)
		for _, f := range folds {
			checkPartition(t, f, n)
			if len(f.Test) < n/k || len(f.Test) > (n+k-1)/k {
				t.Fatalf("%d test rows in one of %d folds of %d rows", len(f.Test), k, n)
			}
			for _, i := range f.Test {
				tested[i]++
			}
			for y, total := range countClasses(set, all(n)) {
				if c := countClasses(set, f.Test)[y]; c < total/k || c > (total+k-1)/k {
					t.Fatalf("class %g: %d of its %d rows in one of %d folds", y, c, total, k)
				}
			}
		}
		if slices.ContainsFunc(tested, func(c int) bool { return c != 1 }) {
			t.Fatalf("rows are tested %v times", tested)
		}
		again, _ := tune.Folds(set, k, seed)
		for f := range folds {
			if !slices.Equal(folds[f].Test, again[f].Test) {
				t.Fatal("same seed, other folds")
			}
		}
	})
}

func TestSplitPartitionsAndStratifies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawClasses(t)
		n := set.Len()
		fraction := rapid.Float64Range(0.001, 0.999).Draw(t, "fraction")
		f, err := tune.SplitRows(set, fraction, rapid.Uint64().Draw(t, "seed"))
		classes := countClasses(set, all(n))
		if n == len(classes) {
			if !errors.As(err, new(*svmkit.ParamError)) {
				t.Fatalf("every row its own class: %v", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		checkPartition(t, f, n)
		want := min(max(1, int(math.Round(fraction*float64(n)))), n-len(classes))
		if len(f.Test) != want {
			t.Fatalf("%d test rows of %d, want %d", len(f.Test), n, want)
		}
		train, spared := countClasses(set, f.Train), false
		for y, total := range classes {
			spared = spared || float64(total)*float64(want)/float64(n) > float64(total-1)
			if train[y] == 0 {
				t.Fatalf("class %g has no training row", y)
			}
		}
		for y, total := range classes {
			quota := float64(total) * float64(want) / float64(n)
			if c := float64(total - train[y]); !spared && math.Abs(c-quota) >= 1 {
				t.Fatalf("class %g: %g test rows, its share is %g", y, c, quota)
			}
		}
	})
}

func TestSplitDependsOnSeedOnly(t *testing.T) {
	set, _ := samples.Moons{N: 50}.Generate(1)
	a, b, err := tune.Split(set, 0.3, 1)
	if err != nil || a.Len() != 35 || b.Len() != 15 {
		t.Fatal(err, a.Len(), b.Len())
	}
	c, _, _ := tune.Split(set, 0.3, 1)
	d, _, _ := tune.Split(set, 0.3, 2)
	if !reflect.DeepEqual(a, c) || reflect.DeepEqual(a, d) {
		t.Error("the seed does not decide the split")
	}
}

func TestSplitAndFoldsRejectBadParameters(t *testing.T) {
	set, _ := samples.Moons{N: 10}.Generate(1)
	var bad *svmkit.ParamError
	for _, k := range []int{-1, 0, 1, 11} {
		if _, err := tune.Folds(set, k, 1); !errors.As(err, &bad) || bad.Name != "k" {
			t.Errorf("k = %d: %v", k, err)
		}
	}
	for _, f := range []float64{0, 1, -1, math.NaN()} {
		if _, _, err := tune.Split(set, f, 1); !errors.As(err, &bad) || bad.Name != "testFraction" {
			t.Errorf("fraction %g: %v", f, err)
		}
	}
	if _, err := tune.Folds(nil, 2, 1); !errors.Is(err, svmkit.ErrEmpty) {
		t.Errorf("no set: %v", err)
	}
}
