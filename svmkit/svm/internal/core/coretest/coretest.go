// Package coretest makes the random problems that the tests of the solvers share.
package coretest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// Losses are all losses. nil is the hinge, and a tube may have width 0.
var Losses = []loss.Trainable{nil, loss.Hinge{}, loss.SquaredHinge{},
	loss.EpsInsensitive{Epsilon: 0.25},
	loss.EpsInsensitive{}, loss.SquaredEpsInsensitive{Epsilon: 0.25}, loss.Logistic{}}

// GridProblem returns n rows with values that are multiples of 1/8, so that ties occur and sums of
// a few products are exact.
func GridProblem(rng *rand.Rand, n, d int, l loss.Trainable) *core.Problem {
	eighths := func() float64 { return float64(rng.IntN(33)-16) / 8 }
	s := &svmkit.Dataset{Dim: d}
	for i := range n {
		x := make([]float64, d)
		for j := range x {
			x[j] = eighths()
		}
		s.X = append(s.X, svmkit.Dense(x...))
		s.Y = append(s.Y, float64(1-2*(i%2)))
	}
	p := &core.Problem{Data: s, Loss: l, Bias: svmkit.FreeBias + svmkit.Bias(rng.IntN(3))}
	if p.Regression() {
		for i := range s.Y {
			s.Y[i] = eighths()
		}
	}
	p.C = core.Cost{C: math.Ldexp(1, rng.IntN(5)-2)}
	if rng.IntN(2) == 0 {
		p.C.Positive, p.C.Negative = 2, 0.5
	}
	if rng.IntN(2) == 0 {
		for range n {
			s.Weight = append(s.Weight, float64(1+rng.IntN(3))/2)
		}
	}
	return p
}

// RandomBeta draws a β that sometimes leaves its box. A third of the rows are at 0 and at their
// bounds.
func RandomBeta(rng *rand.Rand, t *core.Task) []float64 {
	beta := make([]float64, t.Len())
	for i := range beta {
		lo, hi := t.Loss[i].Box()
		switch rng.IntN(6) {
		case 0:
		case 1:
			beta[i] = finiteOr(lo, -1)
		case 2:
			beta[i] = finiteOr(hi, 1)
		default:
			beta[i] = rng.NormFloat64()
		}
	}
	return beta
}

func finiteOr(v, other float64) float64 {
	if math.IsInf(v, 0) {
		return other
	}
	return v
}

// QPLosses are the losses whose dual is a quadratic program: all but the logistic loss.
var QPLosses = []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{},
	loss.EpsInsensitive{Epsilon: 0.1}, loss.SquaredEpsInsensitive{Epsilon: 0.1}}

// PlaneData returns n rows of d columns around a plane that is not at the origin, with noise. They
// have labels, or targets for regression. If sparse is set, every third value is stored.
func PlaneData(seed uint64, n, d int, regression, sparse bool) *svmkit.Dataset {
	rng := rand.New(rand.NewPCG(seed, 1))
	truth := make([]float64, d)
	for j := range truth {
		truth[j] = rng.NormFloat64()
	}
	set := &svmkit.Dataset{X: make([]svmkit.Row, n), Y: make([]float64, n), Dim: d}
	for i := range set.X {
		x := &set.X[i]
		if sparse {
			x.Index = []int32{}
		}
		for j := range d {
			if sparse && rng.IntN(3) > 0 {
				continue
			}
			x.Value = append(x.Value, rng.NormFloat64()+0.3)
			if sparse {
				x.Index = append(x.Index, int32(j))
			}
		}
		set.Y[i] = x.Dot(truth) + 0.7 + 0.5*rng.NormFloat64()
		if !regression {
			set.Y[i] = math.Copysign(1, set.Y[i])
		}
	}
	if !regression {
		set.Y[0], set.Y[1] = 1, -1 // both classes occur
	}
	return set
}

// PlaneProblem returns a problem with 60 rows of [PlaneData].
func PlaneProblem(seed uint64, l loss.Trainable, b svmkit.Bias, sparse bool) *core.Problem {
	p := &core.Problem{Loss: l, Bias: b, C: core.Cost{C: 0.7, Positive: 2}}
	p.Data = PlaneData(seed, 60, 5, p.Regression(), sparse)
	return p
}

// QPCases visits all [QPLosses] with all biases.
func QPCases(visit func(name string, l loss.Trainable, b svmkit.Bias)) {
	for _, l := range QPLosses {
		for _, b := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
			visit(fmt.Sprintf("%T, %v", l, b), l, b)
		}
	}
}

// WeightedProblem returns a random problem with noisy labels or targets and costs that differ by
// side and by row. Its rows are all dense, or sparse with one value in five.
func WeightedProblem(rng *rand.Rand, n, d int, l loss.Trainable, b svmkit.Bias) *core.Problem {
	p := &core.Problem{Data: &svmkit.Dataset{Dim: d}, Loss: l, Bias: b,
		C: core.Cost{C: 0.5, Positive: 2, Negative: 3}}
	sparse := rng.IntN(2) == 0
	for i := range n {
		x, f := svmkit.Row{}, 0.4
		for j := range d {
			if sparse && rng.IntN(5) > 0 {
				continue
			}
			v := rng.NormFloat64()
			f += v * float64(j%3)
			x.Value = append(x.Value, v)
			if sparse {
				x.Index = append(x.Index, int32(j))
			}
		}
		if sparse && x.Index == nil {
			x.Index, x.Value = []int32{0}, []float64{1}
		}
		y := f + 0.5*rng.NormFloat64()
		if !p.Regression() {
			y = math.Copysign(1, y)
			if i < 2 {
				y = float64(1 - 2*i)
			}
		}
		p.Data.X, p.Data.Y = append(p.Data.X, x), append(p.Data.Y, y)
		p.Data.Weight = append(p.Data.Weight, 0.5+rng.Float64())
	}
	return p
}

// CircleProblem returns an RBF problem of n rows in the plane, whose labels or targets depend on
// the distance from the origin.
func CircleProblem(rng *rand.Rand, n int, l loss.Trainable, bias svmkit.Bias) *core.Problem {
	p := &core.Problem{Data: &svmkit.Dataset{Dim: 2}, Kernel: kernel.RBF{Gamma: 0.5}, Loss: l,
		Bias: bias}
	for range n {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		y := a*a + b*b - 1.5 + 0.3*rng.NormFloat64()
		if !p.Regression() {
			y = math.Copysign(1, y)
		}
		p.Data.X, p.Data.Y = append(p.Data.X, svmkit.Dense(a, b)), append(p.Data.Y, y)
	}
	return p
}

// Solve runs one solver on a problem.
func Solve(ctx context.Context, p *core.Problem, s core.Solver,
	o core.Settings) (*core.Run, error) {
	return core.Fit(ctx, core.NewTask(p), []core.Step{{Solver: s}}, WithDefaults(o))
}

// WithDefaults gives zero settings the defaults of svm.Fit.
func WithDefaults(o core.Settings) core.Settings {
	if o.Tol == 0 {
		o.Tol = 1e-3
	}
	if o.MaxIterations == 0 {
		o.MaxIterations = 10_000
	}
	return o
}
