package tune

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/svmkit/course/svmkit"
)

// Fold is one cut of a set of n rows: Train and Test hold row numbers 0 … n−1, rising, and none stands in
// both. Of [TimeFolds] later rows stand in neither; of all others every row stands in one.
type Fold struct{ Train, Test []int }

// Of returns the rows of set that the fold names as two datasets that share their values.
func (f Fold) Of(set *svmkit.Dataset) (train, test *svmkit.Dataset) {
	return set.Subset(f.Train), set.Subset(f.Test)
}

// Split cuts set into training and test rows, see [SplitRows].
func Split(set *svmkit.Dataset, testFraction float64, seed uint64) (train, test *svmkit.Dataset, err error) {
	f, err := SplitRows(set, testFraction, seed)
	if err != nil {
		return nil, nil, err
	}
	train, test = f.Of(set)
	return train, test, nil
}

// SplitRows draws round(testFraction·n) test rows, at least one; all others are training
// rows. 0 < testFraction < 1.
//
// For classification (set.Classes is set, or every label is ±1) the draw is stratified:
// each class gives its share, rounded down or up, and keeps at least one training row, even
// if that makes the test set smaller. Otherwise all rows are drawn alike.
func SplitRows(set *svmkit.Dataset, testFraction float64, seed uint64) (Fold, error) {
	if !(testFraction > 0 && testFraction < 1) {
		return Fold{}, &svmkit.ParamError{Name: "testFraction", Value: testFraction, Need: "must lie between 0 and 1"}
	}
	if err := set.Validate(); err != nil {
		return Fold{}, err
	}
	strata := shuffledStrata(set, rand.New(rand.NewPCG(seed, 0)))
	n := set.Len()
	want := max(1, int(math.Round(testFraction*float64(n))))
	if n-want < len(strata) {
		want = n - len(strata)
	}
	if want < 1 {
		return Fold{}, &svmkit.ParamError{Name: "testFraction", Value: testFraction,
			Need: "leaves no test row: the set needs more rows than classes"}
	}
	fold := slices.Repeat([]int{1}, n) // 0 for a test row
	for s, count := range shares(strata, want, n) {
		for _, i := range strata[s][:count] {
			fold[i] = 0
		}
	}
	return foldsOf(fold, 1)[0], nil
}

// shares divides want test rows among the strata in proportion to their sizes by the method
// of largest remainders, but takes no stratum's last row. It needs want ≤ n − len(strata).
func shares(strata [][]int, want, n int) []int {
	count, fraction := make([]int, len(strata)), make([]float64, len(strata))
	order := make([]int, len(strata))
	left := want
	for s, rows := range strata {
		quota := float64(want) * float64(len(rows)) / float64(n)
		count[s] = int(quota) // below len(rows), because want < n
		fraction[s], order[s] = quota-math.Floor(quota), s
		left -= count[s]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(fraction[b], fraction[a]) })
	for k := 0; left > 0; k++ { // ends: while left > 0 some stratum has a row to spare
		if s := order[k%len(order)]; count[s] < len(strata[s])-1 {
			count[s]++
			left--
		}
	}
	return count
}

// Folds cuts set into k folds for cross-validation: every row is a test row in exactly one
// of them, and the sizes of the test sets differ by at most one. For classification
// (set.Classes is set, or every label is ±1) the folds are stratified: the number of test
// rows of each class differs by at most one between folds, too. 2 ≤ k ≤ n.
//
// A class with fewer than k rows is missing in the test set of some folds; one with a
// single row is missing in the training set of one. The folds hold k·n row numbers in all.
func Folds(set *svmkit.Dataset, k int, seed uint64) ([]Fold, error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	if k < 2 {
		return nil, &svmkit.ParamError{Name: "k", Value: k, Need: "must be at least 2"}
	}
	if k > set.Len() {
		return nil, &svmkit.ParamError{Name: "k", Value: k, Need: "must not exceed the number of rows"}
	}
	// The rows go to the folds in turn, class after class without starting again at the first fold: so each
	// class, and the whole, is spread evenly.
	fold := make([]int, set.Len())
	next := 0
	for _, rows := range shuffledStrata(set, rand.New(rand.NewPCG(seed, 0))) {
		for _, i := range rows {
			fold[i] = next % k
			next++
		}
	}
	return foldsOf(fold, k), nil
}

// shuffledStrata returns the row numbers class by class, in random order within each; one
// stratum holds all rows of a regression set.
func shuffledStrata(set *svmkit.Dataset, rng *rand.Rand) [][]int {
	rows := make(map[float64][]int)
	classes := set.Classes != nil || !slices.ContainsFunc(set.Y, func(y float64) bool { return y != -1 && y != 1 })
	for i, y := range set.Y {
		if !classes {
			y = 0
		}
		rows[y] = append(rows[y], i)
	}
	var strata [][]int
	for _, y := range slices.Sorted(maps.Keys(rows)) {
		stratum := rows[y]
		rng.Shuffle(len(stratum), func(a, b int) { stratum[a], stratum[b] = stratum[b], stratum[a] })
		strata = append(strata, stratum)
	}
	return strata
}

// foldsOf returns k folds; fold is the number of the one in which each row is a test row.
func foldsOf(fold []int, k int) []Fold {
	folds := make([]Fold, k)
	for i, test := range fold {
		for f := range folds {
			if f == test {
				folds[f].Test = append(folds[f].Test, i)
			} else {
				folds[f].Train = append(folds[f].Train, i)
			}
		}
	}
	return folds
}
