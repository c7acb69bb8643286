package loss

import "github.com/svmkit/course/svmkit"

// Sum returns Σ ℓ(f(xᵢ), yᵢ) over the rows of set, which C multiplies in ½‖w‖² + C·Σξᵢ. It
// is 0 for a set without rows.
func Sum(l Loss, f svmkit.Scorer, set *svmkit.Dataset) float64 {
	s := 0.0
	for i, x := range set.X {
		s += l.Value(f.Score(x), set.Y[i])
	}
	return s
}

// Risk returns the empirical risk (1/n)·Σ ℓ(f(xᵢ), yᵢ), the mean loss. For [ZeroOne] this is the
// error rate. It is NaN for a set without rows.
func Risk(l Loss, f svmkit.Scorer, set *svmkit.Dataset) float64 {
	return Sum(l, f, set) / float64(len(set.X))
}
