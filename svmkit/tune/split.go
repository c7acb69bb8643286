package tune

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/svmkit/course/svmkit"
)

// Fold divides a set of n rows into training and test rows, numbered 0 … n−1 and rising.
//
// No row is in both. In [TimeFolds] later rows are in neither; in all other folds each row is in
// one of them.
type Fold struct{ Train, Test []int }

// Of returns the training and test rows of set as two data sets that share their values.
func (f Fold) Of(set *svmkit.Dataset) (train, test *svmkit.Dataset) {
	return set.Subset(f.Train), set.Subset(f.Test)
}

// Split divides set into training and test rows, see [SplitRows].
func Split(set *svmkit.Dataset, testFraction float64, seed uint64) (train, test *svmkit.Dataset, err error) {
	f, err := SplitRows(set, testFraction, seed)
	if err != nil {
		return nil, nil, err
	}
	train, test = f.Of(set)
	return train, test, nil
}

// SplitRows draws round(testFraction·n) test rows, at least one; all others are training rows.
//
// For classification (set.Classes is set, or every label is ±1) the draw is stratified: each class
// gives its share, rounded down or up, and keeps at least one training row, even if that makes the
// test set smaller. 0 < testFraction < 1.
func SplitRows(set *svmkit.Dataset, testFraction float64, seed uint64) (Fold, error) {
	if !(testFraction > 0 && testFraction < 1) {
		return Fold{}, wrong("testFraction", testFraction, "must lie between 0 and 1")
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
		return Fold{}, wrong("testFraction", testFraction, "leaves no test row: the set needs more rows than classes")
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

// Folds divides set into k folds for cross-validation: every row is a test row in exactly one of
// them.
//
// The sizes of the test sets differ by at most one. For classification (set.Classes is set, or
// every label is ±1), the numbers of test rows of each class also differ by at most one. 2 ≤ k ≤ n.
// A class with fewer than k rows is missing in the test set of some folds. A class with a single
// row is missing in the training set of one fold.
func Folds(set *svmkit.Dataset, k int, seed uint64) ([]Fold, error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	switch {
	case k < 2:
		return nil, wrong("k", k, "must be at least 2")
	case k > set.Len():
		return nil, wrong("k", k, fmt.Sprintf("must be at most the number of rows, %d", set.Len()))
	}
	// The rows go to the folds in turn, class after class without starting again at the first fold:
	// so each class, and the whole set, is spread evenly.
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

// GroupFolds divides n rows into k folds that keep groups together, such as the rows of one
// patient.
//
// groups has the name of each row's group; an empty name is a [*svmkit.ParamError]. Every row is a
// test row in exactly one fold. 2 ≤ k ≤ number of groups. The largest group comes first, and of
// equal ones the group with the earliest row. Each goes to the fold that has the fewest rows so
// far, as in scikit-learn's GroupKFold. Nothing is random, and the proportions of the classes may
// change.
func GroupFolds(groups []string, k int) ([]Fold, error) {
	if len(groups) == 0 {
		return nil, noPlace(svmkit.ErrEmpty)
	}
	rows := map[string][]int{}
	var names []string // in the order of their first rows
	for i, g := range groups {
		if g == "" {
			return nil, wrong("groups", `""`, fmt.Sprintf("must name the group of every row, and not leave row %d without", i))
		}
		if rows[g] == nil {
			names = append(names, g)
		}
		rows[g] = append(rows[g], i)
	}
	if k < 2 || k > len(names) {
		return nil, wrong("k", k, fmt.Sprintf("must lie in 2 … the number of groups, %d", len(names)))
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(len(rows[b]), len(rows[a])) })
	fold, tests := make([]int, len(groups)), make([]int, k) // tests counts the test rows of a fold
	for _, g := range names {
		least := slices.Index(tests, slices.Min(tests))
		tests[least] += len(rows[g])
		for _, i := range rows[g] {
			fold[i] = least
		}
	}
	return foldsOf(fold, k), nil
}

// TimeFolds divides n rows with the given times into k folds whose training rows all precede their
// test rows.
//
// The rows are sorted by time and divided into k + 1 parts of equal sizes, up to rounding. Fold f,
// from 0, trains on the first f + 1 parts and tests on the next. Rows of equal times stay together:
// a part that would end among them ends after the last of them.
//
// Times are finite, in any unit and order. 1 ≤ k, and there must be more than k different times. If
// equal times leave a part without rows, that is an error.
func TimeFolds(times []float64, k int) ([]Fold, error) {
	n := len(times)
	if n == 0 {
		return nil, noPlace(svmkit.ErrEmpty)
	}
	order := make([]int, n)
	for i, t := range times {
		if math.IsNaN(t) || math.IsInf(t, 0) {
			return nil, atRow(i, t, fmt.Errorf("time: %w", svmkit.ErrNotFinite))
		}
		order[i] = i
	}
	if k < 1 || k >= n {
		return nil, wrong("k", k, fmt.Sprintf("must lie in 1 … the number of rows − 1, %d", n-1))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(times[a], times[b]) })
	ends := make([]int, k+1) // of the parts, in order
	for p := range ends {
		end := (p + 1) * n / (k + 1)
		for end < n && times[order[end]] == times[order[end-1]] {
			end++
		}
		if p > 0 && end == ends[p-1] {
			return nil, wrong("k", k, fmt.Sprintf("must be smaller: there is no row left for part %d of %d, as rows of equal times stay together", p+1, k+1))
		}
		ends[p] = end
	}
	folds := make([]Fold, k)
	for f := range folds {
		folds[f] = Fold{Train: slices.Sorted(slices.Values(order[:ends[f]])), Test: slices.Sorted(slices.Values(order[ends[f]:ends[f+1]]))}
	}
	return folds, nil
}
