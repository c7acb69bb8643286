package svmkit_test

import (
	"math"
	"testing"

	"github.com/svmkit/course/svmkit"
)

func TestLabelsAndClassesAreInverse(t *testing.T) {
	for classes := 2; classes <= 4; classes++ {
		for k := range classes {
			y := svmkit.LabelOf(k, classes)
			if got, ok := svmkit.ClassOf(y, classes); got != k || !ok {
				t.Errorf("class %d of %d has the label %g, which means class %d, %v", k, classes, y, got, ok)
			}
		}
		if y := svmkit.LabelOf(-1, classes); !math.IsNaN(y) {
			t.Errorf("no class has the label %g", y)
		}
		for _, y := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0.5, -2, -0.5, float64(classes), 1e300, 4294967296} {
			if k, ok := svmkit.ClassOf(y, classes); ok || k != -1 {
				t.Errorf("%g of %d classes means class %d, %v", y, classes, k, ok)
			}
		}
	}
	if _, ok := svmkit.ClassOf(0, 2); ok {
		t.Error("0 means one of two classes")
	}
	if svmkit.LabelOf(0, 2) != -1 || svmkit.LabelOf(1, 2) != 1 || svmkit.LabelOf(2, 3) != 2 {
		t.Error("the labels are not those that the documentation of Dataset tells")
	}
}
