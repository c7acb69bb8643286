package svmtest_test

import (
	"fmt"
	"strings"

	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svmtest"
)

// forgetful is a hinge whose author forgot the label in the slope.
type forgetful struct{ loss.Hinge }

func (forgetful) Subgradient(s, y float64) float64 {
	if y*s < 1 {
		return -1 // should be −y
	}
	return 0
}

// printer prints which law fails. A test passes its *testing.T instead and sees the
// numbers of the counterexample too.
type printer struct{}

func (printer) Helper() {}
func (printer) Errorf(format string, args ...any) {
	fmt.Println("violated:", strings.Split(fmt.Sprintf(format, args...), ": ")[1])
}

func ExampleCheckLoss() {
	fmt.Println("label +1 only:")
	svmtest.CheckLoss(printer{}, forgetful{}, &svmtest.LossSettings{Labels: []float64{1}})
	fmt.Println("both labels:")
	svmtest.CheckLoss(printer{}, forgetful{}, nil)
	// Output:
	// label +1 only:
	// both labels:
	// violated: subgradient inequality
	// violated: finite differences
	// violated: Fenchel–Young equality
}

func ExampleKnownProblems() {
	k := svmtest.KnownProblems()[0]
	gamma, row := k.Plane.SetMargin(k.Data)
	fmt.Printf("half-margin %g, known %g, at row %d\n", gamma, k.Gamma, row)
	// Output:
	// half-margin 1, known 1, at row 0
}
