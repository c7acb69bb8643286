package tune

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
)

// GroupFolds cuts n rows into k folds for cross-validation so that all rows of a group, such as those of one patient, are
// test rows in the same fold: a model is never judged on a group that it was trained on. groups has the name of each
// row's group; every row is a test row in exactly one fold. 2 ≤ k ≤ number of groups. An empty name is a
// [*svmkit.ParamError]: a row of an unknown group cannot be kept apart from its own.
//
// The sizes of the test sets are as equal as this rule makes them: the groups, the largest first and equal ones in the
// order of their first rows, each go to the fold that has the fewest rows so far, the first of several (scikit-learn's
// GroupKFold). Nothing is random, and the classes need not keep their proportions.
func GroupFolds(groups []string, k int) ([]Fold, error) {
	if len(groups) == 0 {
		return nil, noPlace(svmkit.ErrEmpty)
	}
	rows := map[string][]int{}
	var names []string // in the order of their first rows
	for i, g := range groups {
		if g == "" {
			return nil, &svmkit.ParamError{Name: "groups", Value: `""`, Need: fmt.Sprintf("must name the group of every row, and not leave row %d without", i)}
		}
		if rows[g] == nil {
			names = append(names, g)
		}
		rows[g] = append(rows[g], i)
	}
	if k < 2 || k > len(names) {
		return nil, &svmkit.ParamError{Name: "k", Value: k, Need: fmt.Sprintf("must lie in 2 … the number of groups, %d", len(names))}
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

// TimeFolds cuts n rows with the given times, in any unit and order, into k folds whose training rows are all earlier
// than their test rows. The rows in the order of time are cut into k + 1 parts of equal sizes, up to rounding; fold f, from 0,
// is trained on the first f + 1 parts and tested on the next. So the training rows become more from fold to fold,
// the first part is never tested, and the rows after a fold's test rows have no part in it.
//
// Rows of equal times are never cut apart: a part that would end among them ends after the last of them. 1 ≤ k, and
// there must be more different times than k; it is an error if equal times leave a part without rows. Times must be
// finite; where rows stand in the order of time, they may be the rows' numbers.
func TimeFolds(times []float64, k int) ([]Fold, error) {
	n := len(times)
	if n == 0 {
		return nil, noPlace(svmkit.ErrEmpty)
	}
	order := make([]int, n)
	for i, t := range times {
		if math.IsNaN(t) || math.IsInf(t, 0) {
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: t, Err: fmt.Errorf("time: %w", svmkit.ErrNotFinite)}
		}
		order[i] = i
	}
	if k < 1 || k >= n {
		return nil, &svmkit.ParamError{Name: "k", Value: k, Need: fmt.Sprintf("must lie in 1 … the number of rows − 1, %d", n-1)}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(times[a], times[b]) })
	ends := make([]int, k+1) // of the parts, in order
	for p := range ends {
		end := (p + 1) * n / (k + 1)
		for end < n && times[order[end]] == times[order[end-1]] {
			end++
		}
		if p > 0 && end == ends[p-1] {
			return nil, &svmkit.ParamError{Name: "k", Value: k, Need: fmt.Sprintf("must be smaller: there is no row left for part %d of %d, as rows of equal times stay together", p+1, k+1)}
		}
		ends[p] = end
	}
	folds := make([]Fold, k)
	for f := range folds {
		folds[f] = Fold{Train: slices.Sorted(slices.Values(order[:ends[f]])), Test: slices.Sorted(slices.Values(order[ends[f]:ends[f+1]]))}
	}
	return folds, nil
}
