package svm_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// onNewtonLine returns rows of one column.
func onNewtonLine(x, y []float64) *svmkit.Dataset {
	return &svmkit.Dataset{X: svmkit.DenseRows(x, 1), Y: y, Dim: 1}
}

// Least squares with a ridge has a closed form, (I + 2C·XᵀX)w = 2C·Xᵀy: the squared
// ε-insensitive loss with ε = 0. Newton gets there in one step, up to rounding. The other
// numbers follow from F'(w) = 0 in one unknown.
func TestNewtonProblemsSolvedByHand(t *testing.T) {
	ridge := loss.SquaredEpsInsensitive{}
	line := onNewtonLine([]float64{0, 2}, []float64{0, 4})
	pair := onNewtonLine([]float64{1, -1}, []float64{1, -1})
	for _, k := range []struct {
		name    string
		problem svm.Problem
		w, b    float64
	}{
		// w = 2(1·3 + 2·1)/(1 + 2(1 + 4))
		{"ridge", svm.Problem{Data: onNewtonLine([]float64{1, 2}, []float64{3, 1}), Loss: ridge, Bias: svmkit.NoBias}, 10. / 11, 0},
		// centred: x = ±1, y = ±2, w = 2·4/(1 + 2·2); b = ȳ − w·x̄
		{"ridge, free bias", svm.Problem{Data: line, Loss: ridge}, 8. / 5, 2. / 5},
		// (9 4; 4 5)(w, b) = (16, 8)
		{"ridge, penalized bias", svm.Problem{Data: line, Loss: ridge, Bias: svmkit.PenalizedBias}, 48. / 29, 8. / 29},
		// the tube of half-width 1 around 4 begins at 3: w = 2·2(3 − 2w)
		{"tube", svm.Problem{Data: line, Loss: loss.SquaredEpsInsensitive{Epsilon: 1}, Bias: svmkit.NoBias}, 12. / 9, 0},
		// the target 4 lies above the score: Negative prices it. w = 5·2·2(3 − 2w)
		{"tube, sides", svm.Problem{Data: line, Loss: loss.SquaredEpsInsensitive{Epsilon: 1}, Bias: svmkit.NoBias,
			C: svm.Cost{Positive: 7, Negative: 5}}, 60. / 41, 0},
		// w = 2·2(1 − w)
		{"squared hinge", svm.Problem{Data: pair, Loss: loss.SquaredHinge{}, Bias: svmkit.NoBias}, 4. / 5, 0},
		// w = 2(2 + 1)(1 − w)
		{"classes", svm.Problem{Data: pair, Loss: loss.SquaredHinge{}, Bias: svmkit.NoBias, C: svm.Cost{Positive: 2}}, 6. / 7, 0},
		// w = 2·½(3 + 1)(1 − w)
		{"weights", svm.Problem{Data: weighted(pair, 3, 1), Loss: loss.SquaredHinge{}, Bias: svmkit.NoBias, C: svm.Cost{C: 0.5}}, 4. / 5, 0},
		// free bias, prices 3 and 1: slacks ξ₊, ξ₋ with 3ξ₊ = ξ₋ and w = 2·(3ξ₊ + ξ₋) = 12ξ₊,
		// w + b = 1 − ξ₊, w − b = 1 − 3ξ₊: w = 1 − 2ξ₊
		{"free bias", svm.Problem{Data: pair, Loss: loss.SquaredHinge{}, C: svm.Cost{Positive: 3}}, 6. / 7, 1. / 14},
		// w = 2C/(1 + e^w) has the solution 1 for 2C = 1 + e
		{"logistic", svm.Problem{Data: pair, Loss: loss.Logistic{}, Bias: svmkit.NoBias, C: svm.Cost{C: (1 + math.E) / 2}}, 1, 0},
	} {
		for _, dense := range []int{0, -1} {
			r, err := svm.Fit(context.Background(), &k.problem, svm.Newton{Dense: dense}, &svm.Settings{Tol: 1e-14})
			if err != nil {
				t.Fatal(k.name, err)
			}
			const rounding = 1e-7 // the square root of the gap: F is flat at its minimum
			if math.Abs(r.Weights[0]-k.w) > rounding || math.Abs(r.Model.Bias-k.b) > rounding {
				t.Errorf("%s (%s, %v): w = %.12g, b = %.12g, by hand %.12g, %.12g", k.name, r.Trace, r.Status, r.Weights[0], r.Model.Bias, k.w, k.b)
			}
		}
	}
}

// newtonRandom returns n rows, dense or with every third value only, and targets.
func newtonRandom(r *rand.Rand, n, d int, sparse, regression bool) *svmkit.Dataset {
	set := &svmkit.Dataset{Dim: d}
	for i := range n {
		x := svmkit.Row{}
		f := 0.3
		for j := range d {
			if v := r.NormFloat64() * float64(1+j%4); !sparse {
				x.Value = append(x.Value, v)
				f += v
			} else if r.IntN(3) == 0 {
				x.Index, x.Value = append(x.Index, int32(j)), append(x.Value, v)
				f += v
			}
		}
		if sparse && x.Index == nil {
			x.Index = []int32{}
		}
		y := f + 2*r.NormFloat64()
		if !regression {
			y = math.Copysign(1, y)
		}
		if i < 2 {
			y = float64(1 - 2*i)
		}
		set.X, set.Y = append(set.X, x), append(set.Y, y)
	}
	return set
}

// Every loss, bias, way and layout of rows reaches a relative gap of 1e-9. ½‖w‖² makes the
// objective strongly convex, so that a point with gap g is at most √(2g) from the optimum: the
// two ways have to agree to the sum of these.
func TestNewtonIsCertified(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 0))
	for _, l := range []loss.Trainable{loss.SquaredHinge{}, loss.SquaredEpsInsensitive{Epsilon: 0.5}, loss.Logistic{}} {
		for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
			for _, sparse := range []bool{false, true} {
				for _, shape := range [][2]int{{120, 6}, {25, 60}} {
					p := &svm.Problem{Loss: l, Bias: bias, C: svm.Cost{C: 10, Positive: 0.3, Negative: 2}}
					p.Data = newtonRandom(r, shape[0], shape[1], sparse, p.Regression())
					for range p.Data.X {
						p.Data.Weight = append(p.Data.Weight, 0.1+r.Float64())
					}
					name := fmt.Sprintf("%T, %v, sparse %v, %v", l, bias, sparse, shape)
					var w [2][]float64
					reach := 0.0
					for k, dense := range []int{0, -1} {
						res, err := svm.Fit(context.Background(), p, svm.Newton{Dense: dense}, &svm.Settings{Tol: 1e-9})
						if err != nil {
							t.Fatal(name, err)
						}
						if res.Status != svmkit.Optimal || res.RelativeGap() > 1e-9 || res.Iterations > 2000 {
							t.Errorf("%s: %s: %v (%s), gap %g, %d epochs", name, res.Trace, res.Status, res.Reason, res.RelativeGap(), res.Iterations)
						}
						if want := []string{"cholesky", "conjugate"}[k]; !strings.Contains(strings.ToLower(res.Trace.String()), want) {
							t.Errorf("%s: solver %q", name, res.Trace)
						}
						w[k], reach = res.Weights, reach+math.Sqrt(2*max(0, res.Gap))
					}
					const rounding = 1e-9
					svmkit.Dense(w[1]...).AddTo(w[0], -1)
					if off := svmkit.Dense(w[0]...).Norm(); off > reach+rounding {
						t.Errorf("%s: the two ways are %g apart, by their gaps at most %g", name, off, reach)
					}
				}
			}
		}
	}
}

// An independent and slow reference: gradient descent with the constant step 1/L.
func TestNewtonAgreesWithGradientDescent(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 0))
	for _, l := range []loss.Trainable{loss.SquaredHinge{}, loss.SquaredEpsInsensitive{Epsilon: 0.5}, loss.Logistic{}} {
		p := &svm.Problem{Loss: l, Bias: svmkit.NoBias}
		p.Data = newtonRandom(r, 30, 3, false, p.Regression())
		lipschitz := 1.0 // ℓ″ ≤ 2 for the squares, ¼ for the logistic loss
		for _, x := range p.Data.X {
			lipschitz += 2 * x.SquaredNorm()
		}
		w := make([]float64, 3)
		for range 20_000 {
			g := slices.Clone(w)
			for i, x := range p.Data.X {
				x.AddTo(g, l.Subgradient(x.Dot(w), p.Data.Y[i]))
			}
			svmkit.Dense(g...).AddTo(w, -1/lipschitz)
		}
		res, err := svm.Fit(context.Background(), p, svm.Newton{}, &svm.Settings{Tol: 1e-12})
		if err != nil {
			t.Fatal(err)
		}
		svmkit.Dense(res.Weights...).AddTo(w, -1)
		if off := svmkit.Dense(w...).Norm(); off > 1e-6 { // both are there to more digits
			t.Errorf("%T: %g from the minimum that gradient descent finds", l, off)
		}
	}
}

// A row with weight 2 is the row twice.
func TestNewtonWeightIsRepetition(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 0))
	set := newtonRandom(r, 40, 4, false, false)
	twice := set.Subset(append([]int{0, 5, 7}, slices.Collect(func(yield func(int) bool) {
		for i := range set.Len() {
			if !yield(i) {
				return
			}
		}
	})...))
	weight := slices.Repeat([]float64{1}, set.Len())
	weight[0], weight[5], weight[7] = 2, 2, 2
	a, err1 := svm.Fit(context.Background(), &svm.Problem{Data: weighted(set, weight...), Loss: loss.SquaredHinge{}}, svm.Newton{}, &svm.Settings{Tol: 1e-12})
	b, err2 := svm.Fit(context.Background(), &svm.Problem{Data: twice, Loss: loss.SquaredHinge{}}, svm.Newton{}, &svm.Settings{Tol: 1e-12})
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if math.Abs(a.Primal-b.Primal) > 1e-10*a.Primal {
		t.Errorf("%g with weights, %g with repeated rows", a.Primal, b.Primal)
	}
}

// A tube that holds all targets costs nothing: no row is active, H is singular in a free b.
func TestNewtonWithoutActiveRows(t *testing.T) {
	for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
		for _, dense := range []int{0, -1} {
			p := &svm.Problem{Data: onNewtonLine([]float64{1, 2, 3}, []float64{1, -1, 1}), Loss: loss.SquaredEpsInsensitive{Epsilon: 2}, Bias: bias}
			start := []float64{0.1, 0, -0.1} // w = −0.2, within all tubes
			res, err := svm.Fit(context.Background(), p, svm.Newton{Dense: dense}, &svm.Settings{Tol: 1e-12, Start: start})
			if err != nil || res.Status != svmkit.Optimal || res.Primal > 1e-12 || res.Updates != 1 { // H = I: one step
				t.Errorf("%v: %v, primal %g, %d steps, %v", bias, res.Status, res.Primal, res.Updates, err)
			}
		}
	}
}

func TestNewtonFromTheSolutionIsDone(t *testing.T) {
	p := &svm.Problem{Data: newtonRandom(rand.New(rand.NewPCG(14, 0)), 50, 5, true, false), Loss: loss.SquaredHinge{}}
	first, err := svm.Fit(context.Background(), p, svm.Newton{}, &svm.Settings{Tol: 1e-10})
	if err != nil {
		t.Fatal(err)
	}
	again, err := svm.Fit(context.Background(), p, svm.Newton{}, &svm.Settings{Tol: 1e-9, Start: first.Beta})
	if err != nil || again.Updates != 0 || again.Status != svmkit.Optimal {
		t.Errorf("%d steps, %v, %v", again.Updates, again.Status, err)
	}
	same, err := svm.Fit(context.Background(), p, svm.Newton{}, &svm.Settings{Tol: 1e-10})
	if err != nil || !slices.Equal(same.Beta, first.Beta) || !slices.Equal(same.Weights, first.Weights) {
		t.Error("a second fit gives other bits")
	}
}

func TestNewtonRefuses(t *testing.T) {
	set := onNewtonLine([]float64{1, -1}, []float64{1, -1})
	for _, p := range []*svm.Problem{
		{Data: set}, {Data: set, Loss: loss.EpsInsensitive{}},
		{Data: set, Loss: loss.SquaredHinge{}, Kernel: kernel.RBF{Gamma: 1}},
	} {
		var bad *svmkit.ParamError
		if _, err := svm.Fit(context.Background(), p, svm.Newton{}, nil); !errors.As(err, &bad) {
			t.Errorf("%T, kernel %T: error %v", p.Loss, p.Kernel, err)
		}
	}
}

// Numbers whose squares overflow when they are added up end the fit; they do not hang it.
func TestNewtonOverflowStalls(t *testing.T) {
	for _, dense := range []int{0, -1} {
		p := &svm.Problem{Data: onNewtonLine([]float64{1e154, -1e154, 3}, []float64{1, -1, -1}), Loss: loss.SquaredHinge{}, Bias: svmkit.PenalizedBias}
		res, err := svm.Fit(context.Background(), p, svm.Newton{Dense: dense}, nil)
		if err != nil || res.Status != svmkit.Stalled || !strings.Contains(res.Reason, "overflows") {
			t.Errorf("%v (%s), %v", res.Status, res.Reason, err)
		}
	}
}

// A tolerance that no arithmetic reaches ends soon, with the reason and with all digits there are.
func TestNewtonStallsAtRounding(t *testing.T) {
	for _, l := range []loss.Trainable{loss.SquaredHinge{}, loss.Logistic{}} {
		for _, dense := range []int{0, -1} {
			p := &svm.Problem{Data: newtonRandom(rand.New(rand.NewPCG(16, 0)), 50, 5, false, false), Loss: l}
			res, err := svm.Fit(context.Background(), p, svm.Newton{Dense: dense}, &svm.Settings{Tol: 1e-300})
			if err != nil || res.RelativeGap() > 1e-12 || res.Iterations > 1000 {
				t.Errorf("%T: gap %g after %d epochs, %v", l, res.RelativeGap(), res.Iterations, err)
			}
			if res.Status != svmkit.Optimal && (res.Status != svmkit.Stalled || !strings.Contains(res.Reason, "rounding")) {
				t.Errorf("%T: %v (%s)", l, res.Status, res.Reason)
			}
		}
	}
}

func TestNewtonEndsWhenAsked(t *testing.T) {
	for _, dense := range []int{0, -1} {
		p := &svm.Problem{Data: newtonRandom(rand.New(rand.NewPCG(15, 0)), 400, 20, false, false), Loss: loss.Logistic{}, C: svm.Cost{C: 100}}
		res, err := svm.Fit(context.Background(), p, svm.Newton{Dense: dense}, &svm.Settings{Tol: 1e-12, MaxIterations: 4})
		if err != nil || res.Status != svmkit.IterationLimit {
			t.Errorf("MaxIterations 4: %v, %d epochs, %v", res.Status, res.Iterations, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		res, err = svm.Fit(ctx, p, svm.Newton{Dense: dense}, &svm.Settings{Tol: 1e-15,
			Progress: func(svmkit.Progress) bool { cancel(); return true }})
		if !errors.Is(err, context.Canceled) && !(err == nil && res.Status == svmkit.Optimal) || res == nil || res.Weights == nil {
			t.Errorf("cancelled: %+v, %v", res, err)
		}
	}
}

// Columns of size 10⁶: β is rounded, so Σβᵢxᵢ is off by some 1e-10 and the scores by 1e-4, at which
// the gap of β stays large. The plane that Newton's method has found is certified by itself.
func TestNewtonCertifiesItsPlane(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	const n, d, size, tol = 2000, 10, 3e6, 1e-6
	x, y := make([]float64, n*d), make([]float64, n)
	for i := range y {
		for j := range d {
			x[i*d+j] = size * rng.NormFloat64()
		}
		y[i] = math.Copysign(1, x[i*d]+0.5*size*rng.NormFloat64())
	}
	data := &svmkit.Dataset{X: svmkit.DenseRows(x, d), Y: y, Dim: d}
	for _, p := range []svm.Problem{{Loss: loss.Logistic{}}, {Loss: loss.Logistic{}, Bias: svmkit.PenalizedBias}, {Loss: loss.Logistic{}, Bias: svmkit.NoBias}, {Loss: loss.SquaredHinge{}}} {
		p.Data = data
		r, err := svm.Fit(t.Context(), &p, svm.Newton{}, &svm.Settings{Tol: tol})
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != svmkit.Optimal || r.RelativeGap() > tol {
			t.Errorf("%T, %v: %v (%s), relative gap %.2g", p.Loss, p.Bias, r.Status, r.Reason, r.RelativeGap())
		}
		objective := (svmkit.Dense(r.Weights...).SquaredNorm()) / 2 // of the model, by the formula
		if p.Bias == svmkit.PenalizedBias {
			objective += r.Model.Bias * r.Model.Bias / 2
		}
		for i, row := range data.X {
			objective += p.Loss.Value(r.Score(row), y[i])
		}
		if math.Abs(objective-r.Primal) > 1e-9*objective {
			t.Errorf("%T, %v: the model's objective is %.12g, not %.12g", p.Loss, p.Bias, objective, r.Primal)
		}
	}
}
