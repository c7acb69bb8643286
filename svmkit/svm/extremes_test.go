package svm_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// Prices so unlike that one side's vanish in the rounding of the other's, and numbers whose
// products are no numbers any more: every solver ends, with a model of finite numbers and a status
// that its certificate bears out.
func TestExtremePricesAndScales(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 0))
	draw := func(scale float64) *svmkit.Dataset {
		set := &svmkit.Dataset{Dim: 2}
		for i := range 20 {
			y := float64(1 - i%2*2)
			set.X = append(set.X, svmkit.Dense(scale*(rng.NormFloat64()+y), scale*rng.NormFloat64()))
			set.Y = append(set.Y, y)
		}
		return set
	}
	usual, large := draw(1), draw(1e150)
	start := make([]float64, 20)
	for i := range start {
		start[i] = large.Y[i] * 1e200
	}
	type fit struct {
		name string
		p    svm.Problem
		o    svm.Settings
	}
	var cases []fit
	for _, cost := range []svm.Cost{{C: 1, Positive: 1e17}, {C: 1, Negative: 1e17}, {C: 1, Negative: 1e-17}} {
		for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
			cases = append(cases, fit{fmt.Sprintf("%+v, %v", cost, bias), svm.Problem{Data: usual, C: cost, Bias: bias}, svm.Settings{MaxIterations: 200}})
		}
	}
	cases = append(cases, fit{"rows of 1e150", svm.Problem{Data: large, C: svm.Cost{C: 1e200}}, svm.Settings{MaxIterations: 200}},
		fit{"rows of 1e150, started", svm.Problem{Data: large, C: svm.Cost{C: 1e200}}, svm.Settings{MaxIterations: 200, Start: start}},
		fit{"rows of 1e150, started, no bias", svm.Problem{Data: large, C: svm.Cost{C: 1e200}, Bias: svmkit.NoBias}, svm.Settings{MaxIterations: 200, Start: start}})
	fits := 0
	for _, c := range cases {
		for _, s := range []svm.Solver{nil, svm.DualCoordinate{}, svm.SMO{}, svm.SDCA{}, svm.Pegasos{}, svm.ProximalNewton{}, svm.Newton{}, svm.Decomposition{}} {
			for _, l := range []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{}, loss.Logistic{}} {
				for _, k := range []kernel.Kernel{nil, kernel.RBF{Gamma: 0.1}} {
					p := c.p
					p.Loss, p.Kernel = l, k
					r, err := svm.Fit(t.Context(), &p, s, &c.o)
					if r == nil {
						continue // the solver is not for this problem, and err says so
					}
					fits++
					name := fmt.Sprintf("%s, %T, %T, %T", c.name, s, l, k)
					sum := r.Bias - r.Bias
					for _, list := range [][]float64{r.Weights, r.Coef, r.Beta} {
						for _, v := range list {
							sum += v - v
						}
					}
					if err != nil || sum != 0 || !(r.Gap >= 0) || math.IsNaN(r.Primal) || math.IsNaN(r.Dual) {
						t.Errorf("%s: %v, bias %g, weights %v, gap %g, primal %g, dual %g, %v", name, r.Status, r.Bias, r.Weights, r.Gap, r.Primal, r.Dual, err)
					}
					if r.Status == svmkit.Optimal && !(r.RelativeGap() <= 1e-3) {
						t.Errorf("%s: optimal, with a relative gap of %g", name, r.RelativeGap())
					}
				}
			}
		}
	}
	if fits < len(cases) {
		t.Errorf("%d fits", fits)
	}
	t.Logf("%d fits", fits)
}
