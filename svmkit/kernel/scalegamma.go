package kernel

import "github.com/svmkit/course/svmkit"

// ScaleGamma returns 1/(d·v) for a set of d columns, v the variance of all its n·d entries, the
// zeros of sparse rows included: a first value of Gamma for [RBF] and [Laplacian], to be tuned from
// there. It returns 1 if v = 0 or the set has no entries. It is scikit-learn's gamma="scale"
// (https://scikit-learn.org/stable/modules/generated/sklearn.svm.SVC.html).
//
// s must be valid. On a part of a set, such as one fold, the value is another. If v overflows or
// underflows, so does the result, and Validate refuses it: scale the features.
func ScaleGamma(s *svmkit.Dataset) float64 {
	if s == nil {
		return 1
	}
	n, sum := float64(s.Len())*float64(s.Dim), 0.0
	for _, x := range s.X {
		for _, v := range x.Value {
			sum += v
		}
	}
	mean := sum / n
	squares := (n - float64(s.NNZ())) * mean * mean // of the zeros that are not stored
	for _, x := range s.X {
		for _, v := range x.Value {
			squares += (v - mean) * (v - mean)
		}
	}
	if !(squares > 0) { // NaN without entries
		return 1
	}
	return 1 / (float64(s.Dim) * (squares / n))
}
