package kernel

import "github.com/svmkit/course/svmkit"

// ScaleGamma returns 1/(d·v) for a set of d columns, where v is the variance of all its n·d
// entries, including the zeros of sparse rows, and each row counts by its weight. It is a first
// value of Gamma for [RBF] and [Laplacian], to be tuned from there. It returns 1 if v = 0 or the
// set has no entries. It is scikit-learn's gamma="scale", which does not know weights
// (https://scikit-learn.org/stable/modules/generated/sklearn.svm.SVC.html).
//
// s must be valid. For a part of a set, such as one fold, the value differs. If v overflows or
// underflows, so does the result, and Validate refuses it: scale the features.
func ScaleGamma(s *svmkit.Dataset) float64 {
	if s == nil {
		return 1
	}
	rows, stored, sum := 0.0, 0.0, 0.0
	for i, x := range s.X {
		w := s.RowWeight(i)
		rows += w
		stored += w * float64(len(x.Value))
		for _, v := range x.Value {
			sum += w * v
		}
	}
	n := rows * float64(s.Dim)
	mean := sum / n
	squares := (n - stored) * mean * mean // of the zeros that are not stored
	for i, x := range s.X {
		w := s.RowWeight(i)
		for _, v := range x.Value {
			squares += w * (v - mean) * (v - mean)
		}
	}
	if !(squares > 0) { // NaN without entries
		return 1
	}
	return 1 / (float64(s.Dim) * (squares / n))
}
