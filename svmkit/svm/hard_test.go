package svm_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/svm"
)

// Certificates at infinite C and at numbers that underflow.

// A β so small that ‖w‖² underflows has the plane of a larger one, and no primal objective of 0.
func TestHardMarginOfASmallBeta(t *testing.T) {
	set := &svmkit.Dataset{Dim: 2, X: []svmkit.Row{svmkit.Dense(1, 0), svmkit.Dense(-1, 0), svmkit.Dense(3, 5)}, Y: []float64{1, -1, 1}}
	for _, k := range []kernel.Kernel{nil, kernel.RBF{Gamma: 1}} {
		for _, b := range []svmkit.Bias{svmkit.FreeBias, svmkit.NoBias, svmkit.PenalizedBias} {
			p := &svm.Problem{Data: set, Kernel: k, C: svm.Cost{C: math.Inf(1)}, Bias: b}
			best, err := svm.Fit(t.Context(), p, nil, &svm.Settings{Tol: 1e-9})
			if err != nil || best.Status != svmkit.Optimal {
				t.Fatal(err, best.Status)
			}
			for _, size := range []float64{0x1p-1074, 1e-320, 0.5e-170, 1e-60, 1, 1e60, 1e170, 1e300} {
				beta := []float64{size, -size, 0}
				proof, err := p.Certify(beta)
				if err != nil {
					t.Fatal(err)
				}
				if !(proof.Primal >= best.Dual*(1-1e-12) && proof.Dual <= best.Primal*(1+1e-12)) {
					t.Errorf("%T, %v, β = %g: between %g and %g, the optimum is %g", k, b, size, proof.Dual, proof.Primal, best.Primal)
				}
				for _, s := range []svm.Solver{nil, svm.DualCoordinate{}, svm.SMO{}, svm.SDCA{}} {
					if p.Check(s) != nil {
						continue
					}
					r, err := svm.Fit(t.Context(), p, s, &svm.Settings{Tol: 1e-9, Start: beta})
					if err != nil {
						t.Fatal(err)
					}
					if r.Status == svmkit.Optimal && !(math.Abs(r.Primal-best.Primal) <= 1e-8) {
						t.Errorf("%T, %v, %T from β = %g: optimal at %g, the optimum is %g", k, b, s, size, r.Primal, best.Primal)
					}
				}
			}
		}
	}
}

// β²/(4c) is 0.11 although β² underflows.
func TestCertifySubnormalWeight(t *testing.T) {
	for _, c := range []struct{ x, y, beta float64 }{{1e153, 1.5e144, 1.5e-162}, {1, 7, 1e-162}} {
		set := &svmkit.Dataset{Dim: 1, X: []svmkit.Row{svmkit.Dense(c.x)}, Y: []float64{c.y}, Weight: []float64{5e-324}}
		p := &svm.Problem{Data: set, Loss: loss.SquaredEpsInsensitive{}, Bias: svmkit.NoBias, C: svm.PerSum(1)}
		proof, err1 := p.Certify([]float64{c.beta})
		zero, err2 := p.Certify([]float64{0})
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		if !(proof.Dual <= zero.Primal) {
			t.Errorf("x = %g: the dual objective %g is above %g, the primal objective of w = 0", c.x, proof.Dual, zero.Primal)
		}
	}
}

// No plane is in the tubes of two equal rows with different targets.
func TestInfeasibleHardTube(t *testing.T) {
	for _, c := range []struct{ x, y, y2, tol float64 }{{1, 0, 1e-7, 1e-3}, {1000, 1e6, 1e6 + 0.9, 1e-3}, {1000, 1e9, 1e9 + 900, 1e-3}, {1000, 1e9, 1e9 + 900, 1e-6}} {
		for _, bias := range []svmkit.Bias{svmkit.NoBias, svmkit.FreeBias, svmkit.PenalizedBias} {
			for _, k := range []kernel.Kernel{nil, kernel.Polynomial{Degree: 1, Gamma: 1}} {
				for _, s := range []svm.Solver{nil, svm.DualCoordinate{}, svm.SMO{}, svm.SDCA{}} {
					set := &svmkit.Dataset{Dim: 1, X: svmkit.DenseRows([]float64{c.x, c.x, -c.x}, 1), Y: []float64{c.y, c.y2, -c.y}}
					p := &svm.Problem{Data: set, Loss: loss.EpsInsensitive{}, Bias: bias, Kernel: k, C: svm.Cost{C: math.Inf(1)}}
					if p.Check(s) != nil {
						continue
					}
					r, err := svm.Fit(t.Context(), p, s, &svm.Settings{Tol: c.tol, MaxIterations: 100})
					if err != nil {
						t.Fatal(err)
					}
					if r.Status == svmkit.Optimal || !math.IsInf(r.Gap, 1) && !(r.RelativeGap() > c.tol) || !strings.Contains(r.Reason, "away from where it has to be") {
						t.Errorf("%v, %v, %T, %T: %v (%s), between %g and %g", c, bias, k, s, r.Status, r.Reason, r.Dual, r.Primal)
					}
				}
			}
		}
	}
}

// With ε = 0 and two rows there is one slope, and its objective is known.
func TestFeasibleHardTube(t *testing.T) {
	for _, c := range []struct{ x1, x2, y1, y2, tol float64 }{
		{1, 1 + 1e-9, 0, 1e-7, 1e-3}, {0, 1e-6, 1000, 1000.0009, 1e-3}, {0, 1e-6, 1000, 1000.0009, 1e-9},
		{0, 1e-3, 1e6, 1e6 + 0.9, 1e-3}, {0, 1e-3, 1, 1 + 9e-7, 1e-3}, {0, 1e-4, 3, 3 + 2e-6, 1e-3},
	} {
		want := math.Pow((c.y2-c.y1)/(c.x2-c.x1), 2) / 2
		optimal := 0
		for _, s := range []svm.Solver{nil, svm.DualCoordinate{}, svm.SMO{}} {
			set := &svmkit.Dataset{Dim: 1, X: svmkit.DenseRows([]float64{c.x1, c.x2}, 1), Y: []float64{c.y1, c.y2}}
			r, err := svm.Fit(t.Context(), &svm.Problem{Data: set, Loss: loss.EpsInsensitive{}, C: svm.Cost{C: math.Inf(1)}}, s, &svm.Settings{Tol: c.tol, MaxIterations: 1000})
			if err != nil {
				t.Fatal(err)
			}
			const rounding = 1e-9
			if r.Status == svmkit.Optimal {
				optimal++
			}
			if !(r.Dual <= want*(1+rounding) && r.Primal >= want*(1-rounding)) || r.Status == svmkit.Optimal && !(r.Primal <= want*(1+2*c.tol)) {
				t.Errorf("%v, %T: %v (%s), between %g and %g; the optimum is %g", c, s, r.Status, r.Reason, r.Dual, r.Primal, want)
			}
		}
		if c.x2-c.x1 > 1e-8 && optimal < 2 {
			t.Errorf("%v: %d solvers of 3 have found the optimum", c, optimal)
		}
	}
}

// νn must not be 0, or the bias would be infinite.
func TestOneClassUnderflow(t *testing.T) {
	set := &svmkit.Dataset{Dim: 1, X: svmkit.DenseRows([]float64{1, 2}, 1), Weight: []float64{5e-324, 0}}
	var param *svmkit.ParamError
	if _, err := (svm.OneClass{Data: set, Nu: 0.5}).Fit(t.Context(), nil); !errors.As(err, &param) || param.Name != "Nu" {
		t.Errorf("ν·n = 0: %v", err)
	}
	r, err := svm.OneClass{Data: set, Nu: 1}.Fit(t.Context(), nil)
	if err != nil || math.IsInf(r.Model.Bias, 0) {
		t.Fatal(err, r)
	}
	if err := modelfile.Save(new(bytes.Buffer), r); err != nil {
		t.Error(err)
	}
}

// The documented types are those that come.
func TestKernelErrors(t *testing.T) {
	set := &svmkit.Dataset{Dim: 1, X: svmkit.DenseRows([]float64{1, 2}, 1), Y: []float64{1, -1}}
	k := kernel.Func(func(x, z svmkit.Row) float64 { return math.NaN() })
	var e *kernel.EvalError
	if _, err := (svm.OneClass{Data: set, Nu: 0.5, Kernel: k}).Fit(t.Context(), nil); !errors.As(err, &e) {
		t.Errorf("one class: %s", fmt.Sprintf("%T", err))
	}
	if _, err := svm.Fit(t.Context(), &svm.Problem{Data: set, Kernel: k}, nil, nil); !errors.As(err, &e) {
		t.Errorf("fit: %s", fmt.Sprintf("%T", err))
	}
}
