//go:build !race

// The race detector makes a sync.Pool forget at random.

package svm_test

import (
	"testing"

	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
)

// A prepared model predicts a row without an allocation.
func TestPreparedAllocatesNothing(t *testing.T) {
	set, err := samples.Iris().Pair("versicolor", "virginica")
	if err != nil {
		t.Fatal(err)
	}
	for name, k := range map[string]kernel.Kernel{"linear": nil, "rbf": kernel.RBF{Gamma: 0.5}, "polynomial": kernel.Polynomial{Degree: 2, Coef0: 1}} {
		r, err := svm.Fit(t.Context(), &svm.Problem{Data: set, Kernel: k}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := r.Prepare().(*svm.Prepared)
		if n := testing.AllocsPerRun(100, func() { p.Score(set.X[0]) }); n > 0 {
			t.Errorf("%s: a prediction allocates %g times", name, n)
		}
	}
}
