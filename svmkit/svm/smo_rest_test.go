package svm_test

import (
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
)

// Of the penguins' body mass over their bill depth, many rows have equal depths, and at a small C
// SMO comes so close to the optimum that each further step has the size of rounding. It must
// then ask whether that is enough, and not go on stepping: a step a row is plenty here.
func TestSMORestsAtTheOptimum(t *testing.T) {
	birds := samples.Penguins()
	depths := birds.Columns(1)
	set := &svmkit.Dataset{X: depths.X, Dim: 1}
	for _, x := range birds.X {
		set.Y = append(set.Y, x.At(3)/1000)
	}
	for _, c := range []float64{0.01, 0.02} {
		p := &svm.Problem{Data: set, Loss: loss.EpsInsensitive{Epsilon: 0.3}, Kernel: kernel.RBF{Gamma: 0.5}, C: svm.PerSum(c)}
		r, err := svm.Fit(t.Context(), p, svm.SMO{}, &svm.Settings{Tol: 1e-6})
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != svmkit.Optimal || r.Updates > 5*set.Len() {
			t.Errorf("C = %g: %v after %d steps for %d rows", c, r.Status, r.Updates, set.Len())
		}
	}
}

// Where all rows are one point to rounding and C is huge, no step is more than rounding: the run
// ends, long before its limit, and says so.
func TestSMOEndsWhereTheKernelIsConstant(t *testing.T) {
	set, err := samples.Overlapping{N: 50, Dim: 3, Separation: 1}.Generate(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, extreme := range []float64{1e20, 1e30, 1e100, 1e300} {
		for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias} {
			p := &svm.Problem{Data: set, C: svm.PerSum(extreme), Kernel: kernel.RBF{Gamma: 1 / extreme}, Bias: bias}
			r, err := svm.Fit(t.Context(), p, svm.SMO{}, &svm.Settings{MaxIterations: 2000})
			if err != nil || r.Status != svmkit.Stalled && r.Status != svmkit.Optimal {
				t.Errorf("C = %g, %v: %v after %d iterations, %v", extreme, bias, r.Status, r.Iterations, err)
			}
		}
	}
}
