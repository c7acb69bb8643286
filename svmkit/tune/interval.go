package tune

import (
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/svmkit/course/svmkit"
)

// Interval returns the exact confidence interval of C. Clopper and E. Pearson (1934) for the probability p of a right
// answer, after right of rows answers were right: if these are independent, each right with probability p, then
// low ≤ p ≤ high with probability at least 1 − delta, whatever p is. For delta = 0.05 that is at least 95 %.
//
// The rows must be those of one test set that had no part in training or choice. The folds of a cross-validation share
// training rows, and copies, or rows of one person, are not independent: then the interval is too short.
//
// 0 ≤ right ≤ rows, 1 ≤ rows, 0 < delta < 1.
func Interval(right, rows int, delta float64) (low, high float64, err error) {
	switch {
	case rows < 1:
		return 0, 0, &svmkit.ParamError{Name: "rows", Value: rows, Need: "must be at least 1"}
	case right < 0 || right > rows:
		return 0, 0, &svmkit.ParamError{Name: "right", Value: right, Need: "must be at least 0 and at most rows"}
	case !(delta > 0 && delta < 1):
		return 0, 0, &svmkit.ParamError{Name: "delta", Value: delta, Need: "must lie between 0 and 1"}
	}
	// The probability of k or more right answers, as a function of p, is the distribution function of Beta(k, rows − k + 1).
	k, wrong := float64(right), float64(rows-right)
	high = 1
	if right > 0 {
		low = distuv.Beta{Alpha: k, Beta: wrong + 1}.Quantile(delta / 2)
	}
	if right < rows {
		high = distuv.Beta{Alpha: k + 1, Beta: wrong}.Quantile(1 - delta/2)
	}
	return low, high, nil
}
