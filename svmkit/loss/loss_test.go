package loss_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

var margins = []loss.Convex{loss.Perceptron{}, loss.Hinge{}, loss.SquaredHinge{}, loss.Logistic{}, loss.Exponential{}}

var tubes = []loss.Convex{
	loss.EpsInsensitive{}, loss.EpsInsensitive{Epsilon: 0.1}, loss.EpsInsensitive{Epsilon: 3},
	loss.SquaredEpsInsensitive{}, loss.SquaredEpsInsensitive{Epsilon: 0.1}, loss.SquaredEpsInsensitive{Epsilon: 3},
}

// Convexity, subgradients, finite differences, Fenchel–Young, conjugates.
func TestConvexLosses(t *testing.T) {
	for _, l := range margins {
		t.Run(fmt.Sprintf("%T", l), func(t *testing.T) { checkLoss(t, l, nil) })
	}
	for _, l := range tubes {
		t.Run(fmt.Sprintf("%#v", l), func(t *testing.T) {
			checkLoss(t, l, &lossSettings{
				Labels: []float64{0, 1, -2.5, 7},
				Scores: []float64{0.1, -0.1, 1.1, 0.9, 3, -3, -2, 4, -5.5, 0.5, 10}, // y ± ε
			})
		})
	}
}

// bounds01 reports the first score at which l is below the zero–one loss.
func bounds01(l loss.Loss, scale float64) (float64, bool) {
	for _, y := range []float64{-1, 1} {
		for k := -400; k <= 400; k++ {
			s := float64(k) / 100
			if scale*l.Value(s, y) < (loss.ZeroOne{}).Value(s, y) {
				return y * s, false
			}
		}
	}
	return 0, true
}

func TestSurrogates(t *testing.T) {
	for _, c := range []struct {
		l     loss.Loss
		scale float64
	}{{loss.Hinge{}, 1}, {loss.SquaredHinge{}, 1}, {loss.Exponential{}, 1}, {loss.Logistic{}, 1 / math.Ln2}} {
		if m, ok := bounds01(c.l, c.scale); !ok {
			t.Errorf("%T is below the zero–one loss at margin %g", c.l, m)
		}
	}
	if _, ok := bounds01(loss.Perceptron{}, 1); ok {
		t.Error("the perceptron loss bounds the zero–one loss; it must not")
	}
	if p, z := (loss.Perceptron{}).Value(-0.5, 1), (loss.ZeroOne{}).Value(-0.5, 1); p != 0.5 || z != 1 {
		t.Errorf("at score −0.5: perceptron %g, zero–one %g, want 0.5 < 1", p, z)
	}
}

func TestZeroOne(t *testing.T) {
	for _, c := range []struct{ s, y, want float64 }{
		{0, 1, 1}, {0, -1, 1}, {math.Copysign(0, -1), 1, 1}, {5e-324, 1, 0}, {-5e-324, 1, 1},
		{2, 1, 0}, {2, -1, 1}, {-2, -1, 0}, {math.NaN(), 1, 1}, {math.Inf(-1), -1, 0},
	} {
		if got := (loss.ZeroOne{}).Value(c.s, c.y); got != c.want {
			t.Errorf("zero–one at score %g, label %g: %g, want %g", c.s, c.y, got, c.want)
		}
	}
}

// Shapes that the formulas of the table give on paper.
func TestKnownValues(t *testing.T) {
	for _, c := range []struct {
		l                  loss.Convex
		s, y, value, slope float64
	}{
		{loss.Perceptron{}, -2, 1, 2, -1}, {loss.Perceptron{}, -2, -1, 0, 0}, {loss.Perceptron{}, 0, 1, 0, -1}, {loss.Perceptron{}, 0, -1, 0, 1},
		{loss.Hinge{}, 0, 1, 1, -1}, {loss.Hinge{}, 1, 1, 0, 0}, {loss.Hinge{}, -1, -1, 0, 0}, {loss.Hinge{}, 0.5, -1, 1.5, 1},
		{loss.SquaredHinge{}, -1, 1, 4, -4}, {loss.SquaredHinge{}, 1, 1, 0, 0},
		{loss.Logistic{}, 0, -1, math.Ln2, 0.5}, {loss.Exponential{}, 0, 1, 1, -1},
		{loss.EpsInsensitive{Epsilon: 0.5}, 3, 1, 1.5, 1}, {loss.EpsInsensitive{Epsilon: 0.5}, 0.5, 1, 0, 0}, {loss.EpsInsensitive{}, 1, 1, 0, 0},
		{loss.SquaredEpsInsensitive{Epsilon: 0.5}, -1, 1, 2.25, -3}, {loss.SquaredEpsInsensitive{}, 4, 1, 9, 6},
	} {
		if v, g := c.l.Value(c.s, c.y), c.l.Subgradient(c.s, c.y); v != c.value || g != c.slope {
			t.Errorf("%#v at s = %g, y = %g: value %g, slope %g; want %g, %g", c.l, c.s, c.y, v, g, c.value, c.slope)
		}
	}
}

func TestHingeIsRelu(t *testing.T) {
	relu := func(z float64) float64 { return (z + math.Abs(z)) / 2 }
	rapid.Check(t, func(t *rapid.T) {
		s, y := rapid.Float64Range(-1e6, 1e6).Draw(t, "s"), rapid.SampledFrom([]float64{-1, 1}).Draw(t, "y")
		if got, want := (loss.Hinge{}).Value(s, y), relu(1-y*s); got != want {
			t.Fatalf("hinge %g, relu(1−ys) %g", got, want)
		}
	})
}

// A subgradient step of size 1 on the perceptron loss is the perceptron's update, also at
// score 0: w = 0 is drawn often.
func TestPerceptronUpdateIsSubgradientStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const d = 3
		number := rapid.Float64Range(-9, 9)
		w := make([]float64, d)
		if rapid.Bool().Draw(t, "moved") {
			w = rapid.SliceOfN(number, d, d).Draw(t, "w")
		}
		x := svmkit.Dense(rapid.SliceOfN(number, d, d).Draw(t, "x")...)
		y := rapid.SampledFrom([]float64{-1, 1}).Draw(t, "y")

		update, step := append([]float64{}, w...), append([]float64{}, w...)
		if y*x.Dot(w) <= 0 {
			x.AddTo(update, y)
		}
		x.AddTo(step, -loss.Perceptron{}.Subgradient(x.Dot(w), y))
		for j := range w {
			if update[j] != step[j] {
				t.Fatalf("from w = %v: update %v, step %v", w, update, step)
			}
		}
	})
}

// tail is the relative error allowed to exp and log1p far out: a few ulp.
const tail = 1e-14

func TestLogisticFarOut(t *testing.T) {
	var l loss.Logistic
	for _, c := range []struct{ got, want float64 }{
		{l.Value(1000, 1), 0}, {l.Value(-1000, 1), 1000}, {l.Value(1000, -1), 1000},
		{l.Value(40, 1), math.Exp(-40)}, // log(1+z) = z − z²/2 + …: the naive form gives 0
		{l.Subgradient(1000, 1), 0}, {l.Subgradient(-1000, 1), -1}, {l.Subgradient(40, 1), -math.Exp(-40)},
		{l.Value(math.Inf(1), 1), 0}, {l.Value(math.Inf(-1), 1), math.Inf(1)},
		{l.Conjugate(-1, 1), 0}, {l.Conjugate(0, 1), 0}, {l.Conjugate(-0.5, 1), -math.Ln2},
		// p·log p + (1−p)·log(1−p) = −p(1 + log(1/p)) + O(p²); p² is below the tolerance
		{l.Conjugate(-1e-20, 1), 1e-20 * (math.Log(1e-20) - 1)},
	} {
		if c.got != c.want && !(math.Abs(c.got-c.want) <= tail*math.Abs(c.want)) {
			t.Errorf("got %g, want %g", c.got, c.want)
		}
	}
}

// NaN in gives NaN out, and infinite arguments give no NaN.
func TestNaNAndInfinity(t *testing.T) {
	nan := math.NaN()
	for _, l := range append(append([]loss.Convex{}, margins...), tubes...) {
		for what, v := range map[string]float64{
			"Value(NaN, 1)": l.Value(nan, 1), "Subgradient(NaN, 1)": l.Subgradient(nan, 1), "Conjugate(NaN, 1)": l.Conjugate(nan, 1),
			"Value(0, NaN)": l.Value(0, nan), "Subgradient(0, NaN)": l.Subgradient(0, nan),
		} {
			if !math.IsNaN(v) {
				t.Errorf("%#v: %s = %g, want NaN", l, what, v)
			}
		}
		for _, far := range []float64{math.Inf(-1), -math.MaxFloat64, math.MaxFloat64, math.Inf(1)} {
			v, g := l.Value(far, 1), l.Subgradient(far, 1)
			if !(v >= 0) || math.IsNaN(g) {
				t.Errorf("%#v: value %g, slope %g at score %g", l, v, g, far)
			}
			if d := l.Conjugate(far, 1); math.IsInf(far, 0) && !math.IsInf(d, 1) {
				t.Errorf("%#v: conjugate %g at %g, want +Inf", l, d, far)
			}
		}
	}
}

func TestValidateTube(t *testing.T) {
	type validator interface{ Validate() error }
	for _, e := range []float64{-1, -5e-324, math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, l := range []validator{loss.EpsInsensitive{Epsilon: e}, loss.SquaredEpsInsensitive{Epsilon: e}} {
			var bad *svmkit.ParamError
			if err := l.Validate(); !errors.As(err, &bad) || bad.Name != "Epsilon" {
				t.Errorf("%#v: error %v, want a ParamError about Epsilon", l, err)
			}
		}
	}
	for _, e := range []float64{0, 0.1, 1e300} {
		for _, l := range []validator{loss.EpsInsensitive{Epsilon: e}, loss.SquaredEpsInsensitive{Epsilon: e}} {
			if err := l.Validate(); err != nil {
				t.Errorf("%#v: %v", l, err)
			}
		}
	}
}

func TestRisk(t *testing.T) {
	set, err := svmkit.NewDataset([][]float64{{2}, {-3}, {0}, {-0.5}}, []float64{1, -1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	plane := svmkit.Hyperplane{W: []float64{1}} // margins 2, 3, 0, −0.5
	for _, c := range []struct {
		l   loss.Loss
		sum float64
	}{{loss.ZeroOne{}, 2}, {loss.Perceptron{}, 0.5}, {loss.Hinge{}, 2.5}, {loss.SquaredHinge{}, 3.25}} {
		if got := loss.Sum(c.l, plane, set); got != c.sum {
			t.Errorf("%T: sum %g, want %g", c.l, got, c.sum)
		}
		if got := loss.Risk(c.l, plane, set); got != c.sum/4 {
			t.Errorf("%T: risk %g, want %g", c.l, got, c.sum/4)
		}
	}
	empty := &svmkit.Dataset{Dim: 1}
	if s, r := loss.Sum(loss.Hinge{}, plane, empty), loss.Risk(loss.Hinge{}, plane, empty); s != 0 || !math.IsNaN(r) {
		t.Errorf("no rows: sum %g, risk %g, want 0 and NaN", s, r)
	}
}
