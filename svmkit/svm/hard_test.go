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

// A β so small that ‖w‖² underflows has no primal objective of 0.
func TestHardMarginOfASmallBeta(t *testing.T) {
	// Products of the second set's numbers and a subnormal β are rounded.
	round := &svmkit.Dataset{Dim: 2, X: []svmkit.Row{svmkit.Dense(1, 0), svmkit.Dense(-1, 0), svmkit.Dense(3, 5)}, Y: []float64{1, -1, 1}}
	other := &svmkit.Dataset{Dim: 2, X: []svmkit.Row{svmkit.Dense(0.3, 0.7), svmkit.Dense(-0.4, -0.1), svmkit.Dense(3, 5)}, Y: []float64{1, -1, 1}}
	for i, k := range []kernel.Kernel{nil, kernel.RBF{Gamma: 1}, nil, kernel.RBF{Gamma: 1}} {
		set := []*svmkit.Dataset{round, other}[i/2]
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
				model := p.Model(proof)
				for row, x := range set.X {
					if margin := set.Y[row] * model.Score(x); !math.IsInf(proof.Primal, 1) && !(margin >= 1-1e-12) {
						t.Errorf("%T, %v, β = %g: row %d has the margin %g, and the primal objective is finite", k, b, size, row, margin)
					}
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

// Far from the origin the rounding of scores is as large as the margins. The optimum is 1 there, as it
// is near the origin, for w = (−1, 1) on the two rows that decide.
func TestHardMarginFarFromTheOrigin(t *testing.T) {
	for _, off := range []float64{0, 1e3, 1e6, 1e8, 1e10, 1e12, 1e15} {
		set := &svmkit.Dataset{Dim: 2, X: svmkit.DenseRows([]float64{off, off + 1, off + 1, off, off + 3, off + 7, off + 5, off}, 2), Y: []float64{1, -1, 1, -1}}
		for _, s := range []svm.Solver{nil, svm.SMO{}, svm.DualCoordinate{}} {
			r, err := svm.Fit(t.Context(), &svm.Problem{Data: set, C: svm.Cost{C: math.Inf(1)}}, s, &svm.Settings{MaxIterations: 2000})
			if err != nil {
				t.Fatal(off, err)
			}
			if !(r.Primal >= 1-1e-12 && r.Dual <= 1+1e-9) || off <= 1e3 && s == nil && r.Status != svmkit.Optimal {
				t.Errorf("%g from the origin, %T: %v, between %g and %.12g", off, s, r.Status, r.Dual, r.Primal)
			}
		}
	}
}

// The kernel values of close rows differ in their last digits only. The objective of two rows is
// 1/(1 − κ), and what rounding of κ hides is in no bracket.
func TestHardMarginOfCloseRows(t *testing.T) {
	for _, apart := range []float64{1e-2, 1e-4, 1e-5, 1e-6, 1e-7, 3e-8, 1e-8} {
		want := -1 / math.Expm1(-apart*apart)
		p := &svm.Problem{Data: &svmkit.Dataset{Dim: 1, X: svmkit.DenseRows([]float64{0, apart}, 1), Y: []float64{1, -1}}, Kernel: kernel.RBF{Gamma: 1}, C: svm.Cost{C: math.Inf(1)}}
		r, err := svm.Fit(t.Context(), p, svm.SMO{}, &svm.Settings{MaxIterations: 1000})
		if err != nil {
			t.Fatal(err)
		}
		proofs := []*svm.Proof{&r.Proof}
		for _, share := range []float64{1e-3, 0.5, 0.9, 1, 1.1, 2, 1e3, 1e10, 1e100} {
			proof, err := p.Certify([]float64{share * want, -share * want})
			if err != nil {
				t.Fatal(err)
			}
			proofs = append(proofs, proof)
		}
		for k, proof := range proofs {
			if !(proof.Dual <= want*(1+1e-9) && proof.Primal >= want*(1-1e-9)) || k == 0 && r.Status == svmkit.Optimal != (apart > 1e-6) {
				t.Errorf("%g apart, proof %d, %v: between %g and %g, the optimum is %g", apart, k, r.Status, proof.Dual, proof.Primal, want)
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

// The score 0.75·5e-324 rounds to the target 5e-324, and the cost of the difference is 1e-16. That is far
// more than the loss of the second row.
func TestCertifyUnderflowTimesCost(t *testing.T) {
	set := &svmkit.Dataset{Dim: 2, X: svmkit.DenseRows([]float64{0.75, 0, 0, 0}, 2), Y: []float64{5e-324, 1e-100}, Weight: []float64{1e308, 1}}
	p := &svm.Problem{Data: set, Loss: loss.EpsInsensitive{}, Bias: svmkit.NoBias, C: svm.PerSum(1)}
	proof, err := p.Certify([]float64{5e-324, 1})
	if err != nil {
		t.Fatal(err)
	}
	if w := proof.Beta[0] * 0.75; w != 5e-324 || !(proof.Primal >= 1.2e-16) || !(proof.Dual <= 1e-100) || !(proof.RelativeGap() > 0.5) {
		t.Errorf("w = %g: between %g and %g, gap %g; the objective of the model is 1.2e-16", w, proof.Dual, proof.Primal, proof.Gap)
	}
}

// Scores around 0 of a one-class problem underflow, too.
func TestOneClassUnderflowTimesWeight(t *testing.T) {
	set := &svmkit.Dataset{Dim: 1, X: svmkit.DenseRows([]float64{-2.9825315751144626e-171, 6.908531869578282e-172, -1.0196548257173667e-170}, 1), Weight: []float64{0.5, 1, 1e17}}
	proof, err := svm.OneClass{Data: set, Nu: 0.3}.Certify([]float64{0.5, 1, 3e16})
	if err != nil {
		t.Fatal(err)
	}
	if !(proof.Primal >= 8.07e-308) || !(proof.RelativeGap() > 0.5) {
		t.Errorf("between %g and %g, gap %g; the objective of the model is 8.07e-308", proof.Dual, proof.Primal, proof.Gap)
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
