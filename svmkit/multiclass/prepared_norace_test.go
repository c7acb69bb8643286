//go:build !race

// The race detector makes a sync.Pool forget at random.

package multiclass_test

import (
	"testing"

	"github.com/svmkit/course/svmkit/samples"
)

// A prepared classifier predicts a row without an allocation.
func TestPreparedAllocatesNothing(t *testing.T) {
	iris := samples.Iris()
	for name, c := range preparables(t, iris) {
		p := c.Prepare()
		if n := testing.AllocsPerRun(100, func() { p.Predict(iris.X[0]) }); n > 0 {
			t.Errorf("%s: a prediction allocates %g times", name, n)
		}
	}
}
