package core

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
)

// The derivative of the losses changes its sign at the best bias, for many rows in any order.
func TestBestBiasOfManyRows(t *testing.T) {
	const n = 3 * biasSampleFrom
	rng := rand.New(rand.NewPCG(8, 0))
	orders := map[string]func(i int, s float64) float64{
		"random": func(i int, s float64) float64 { return s },
		"rising": func(i int, s float64) float64 { return float64(i) / n },
		"part on the left": func(i int, s float64) float64 {
			if i%biasSampleOf == 0 {
				return s - 1000
			}
			return s
		},
		"few values": func(i int, s float64) float64 { return math.Round(s) },
	}
	for name, order := range orders {
		for _, l := range []loss.Trainable{loss.Hinge{}, loss.EpsInsensitive{Epsilon: 0.1}, loss.SquaredHinge{}, loss.SquaredEpsInsensitive{Epsilon: 0.1}, loss.Logistic{}} {
			p := &Problem{Data: &svmkit.Dataset{Dim: 1}, Loss: l, C: Cost{C: 0.1, Negative: 3}}
			scores := make([]float64, n)
			for i := range scores {
				p.Data.X = append(p.Data.X, svmkit.Dense(0))
				p.Data.Y = append(p.Data.Y, math.Copysign(1, rng.NormFloat64()+0.2))
				scores[i] = order(i, p.Data.Y[i]+2*rng.NormFloat64())
			}
			tk := NewTask(p)
			from, to := tk.BestBias(scores)
			switch l.(type) {
			case loss.Hinge, loss.EpsInsensitive:
				if f, o := tk.steps(scores, math.Inf(-1), math.Inf(1)).zero(0); f != from || o != to {
					t.Errorf("%s, %T: [%g, %g], want [%g, %g]", name, l, from, to, f, o)
				}
				continue
			}
			at := func(b float64) float64 { // the derivative
				sum := compensated{}
				for i, s := range scores {
					e := math.Nextafter(s+b, math.Inf(1)) - (s + b)
					h := max(1e-6, e*1e3)
					sum.add((tk.Loss[i].Value(s+b+h) - tk.Loss[i].Value(s+b-h)) / (2 * h))
				}
				return sum.value()
			}
			h := 1e-5 * max(1, math.Abs(from)) // beyond the differences' own error
			if from != to || !(at(from-h) < 0 && at(from+h) > 0) {
				t.Errorf("%s, %T: at %g the derivative goes from %g to %g", name, l, from, at(from-h), at(from+h))
			}
		}
	}
}

// Near the zero the derivative is what rounding has left of thousands of terms, and no Newton step
// halves it any more: the search ends there, and does not go on to bisect.
func TestBestBiasEndsWhereRoundingBegins(t *testing.T) {
	const most = 24 // evaluations: strides and bisections from a start far away, and the last Newton steps
	rng := rand.New(rand.NewPCG(12, 0))
	for _, l := range []loss.Trainable{loss.SquaredHinge{}, loss.SquaredEpsInsensitive{Epsilon: 0.1}, loss.Logistic{}} {
		for _, shift := range []float64{0, 0.3, -20, 1000} {
			p := &Problem{Data: &svmkit.Dataset{Dim: 1}, Loss: l, C: Cost{C: 10, Negative: 3}}
			scores := make([]float64, 30_000)
			for i := range scores {
				p.Data.X, p.Data.Y = append(p.Data.X, svmkit.Dense(0)), append(p.Data.Y, math.Copysign(1, rng.NormFloat64()))
				scores[i] = p.Data.Y[i] + 2*rng.NormFloat64() + shift
			}
			evaluations, at := 0, NewTask(p).pulls(scores)
			zero := risingZero(math.Inf(-1), math.Inf(1), 0, func(b float64) pulls { evaluations++; return at(b) })
			if math.Abs(zero+shift) > 2 || evaluations > most {
				t.Errorf("%T, shifted by %g: %d evaluations lead to %g", l, shift, evaluations, zero)
			}
		}
	}
}

// Scores and costs at the ends of the range of float64: the search ends, soon if there is nothing
// to find, and where it ends the derivative changes its sign.
func TestBestBiasAtTheEndsOfNumbers(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		loss        loss.Trainable
		costs       []float64 // of a positive and a negative row
		scores      []float64 // of these rows
		evaluations int
		zero        float64
		within      float64
	}{
		"no number, squared":       {loss.SquaredHinge{}, []float64{1, 1}, []float64{nan, 0}, 2, nan, 0},
		"no number, logistic":      {loss.Logistic{}, []float64{1, 1}, []float64{nan, 0}, 1, nan, 0},
		"no number, negated":       {loss.Logistic{}, []float64{1, 1}, []float64{math.Copysign(nan, -1), 0}, 1, nan, 0},
		"far apart, logistic":      {loss.Logistic{}, []float64{1, 1}, []float64{1e308, 1e308}, 1600, -1e308, 1e293},
		"farther apart":            {loss.Logistic{}, []float64{1, 1}, []float64{-1.5e308, -1.5e308}, 1600, 1.5e308, 1e293},
		"costs far apart":          {loss.SquaredHinge{}, []float64{1e-300, 1e200}, []float64{-1e200, -1}, 1600, 0, Roundoff}, // -1 + b is rounded
		"scores far apart":         {loss.SquaredHinge{}, []float64{1, 1}, []float64{-1.5e308, 1.5e308}, 1600, 0, 1e293},
		"usual numbers, for check": {loss.Logistic{}, []float64{1, 1}, []float64{3, 3}, 20, -3, 1e-12},
	} {
		p := &Problem{Data: &svmkit.Dataset{Dim: 1, X: []svmkit.Row{svmkit.Dense(0), svmkit.Dense(0)}, Y: []float64{1, -1}}, Loss: c.loss,
			C: Cost{C: 1, Positive: c.costs[0], Negative: c.costs[1]}}
		tk, evaluations := NewTask(p), 0
		at := tk.pulls(c.scores)
		zero := risingZero(math.Inf(-1), math.Inf(1), 0, func(b float64) pulls { evaluations++; return at(b) })
		if evaluations > c.evaluations {
			t.Errorf("%s: %d evaluations", name, evaluations)
		}
		if !math.IsNaN(c.zero) && !(math.Abs(zero-c.zero) <= c.within) {
			t.Errorf("%s: %g after %d evaluations, want %g", name, zero, evaluations, c.zero)
		}
		if from, to := tk.BestBias(c.scores); !math.IsNaN(c.zero) && !(from == to && math.Abs(from-c.zero) <= c.within) {
			t.Errorf("%s: the best bias is [%g, %g], want %g", name, from, to, c.zero)
		}
	}
}

// Where a bias leaves no row with a loss, the interval of such biases is found in all blocks of
// rows: the rows at its ends stand in each block once.
func TestBestBiasWithoutLossOfManyRows(t *testing.T) {
	const n = 2*BlockRows + 100
	p := &Problem{Data: &svmkit.Dataset{Dim: 1}, C: Cost{C: 1}}
	for i := range n {
		p.Data.X, p.Data.Y = append(p.Data.X, svmkit.Dense(0)), append(p.Data.Y, float64(1-i%2*2))
	}
	tk := NewTask(p)
	for _, positive := range []int{0, BlockRows, n - 2} { // all even
		for _, negative := range []int{1, BlockRows + 1, n - 1} {
			scores := make([]float64, n)
			for i, y := range p.Data.Y {
				scores[i] = 3 * y
			}
			scores[positive], scores[negative] = 1.5, -2
			if from, to := tk.BestBias(scores); from != -0.5 || to != 1 {
				t.Errorf("rows %d and %d: [%g, %g], want [-0.5, 1]", positive, negative, from, to)
			}
		}
	}
}

// A row whose squared norm overflows is found wherever it stands.
func TestLongRowsAreRefused(t *testing.T) {
	for _, n := range []int{3, normBlock, normBlock + 1, 2*normBlock + 5} {
		p := &Problem{Data: &svmkit.Dataset{Dim: 1}, C: Cost{C: 1}}
		for i := range n {
			p.Data.X, p.Data.Y = append(p.Data.X, svmkit.Dense(1)), append(p.Data.Y, float64(1-i%2*2))
		}
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		for _, at := range []int{n - 1, 2 * normBlock, 2*normBlock - 1, normBlock, normBlock - 1, 0} { // the first one counts
			if at >= n {
				continue
			}
			p.Data.X[at] = svmkit.Dense(1e200)
			var bad *svmkit.DataError
			if err := p.Validate(); !errors.As(err, &bad) || bad.Row != at {
				t.Errorf("row %d of %d: %v", at, n, err)
			}
		}
	}
}

func TestMain(m *testing.M) { leaktest.Main(m) }

// A sample makes the search shorter and nothing else: where it names a wrong place, the steps say
// so.
func TestBiasStepsSurround(t *testing.T) {
	p := &Problem{Data: &svmkit.Dataset{Dim: 1}, Loss: loss.Hinge{}, C: Cost{C: 1}}
	var scores []float64
	for i := range 100 {
		p.Data.X, p.Data.Y = append(p.Data.X, svmkit.Dense(0)), append(p.Data.Y, float64(1-2*(i%2)))
		scores = append(scores, float64(i))
	}
	tk := NewTask(p)
	from, to := tk.steps(scores, math.Inf(-1), math.Inf(1)).zero(0)
	if !tk.steps(scores, from-3, to+3).surround() {
		t.Error("steps on both sides of the zero do not surround it")
	}
	for _, bad := range [][2]float64{{from - 9, from - 3}, {to + 3, to + 9}} {
		if tk.steps(scores, bad[0], bad[1]).surround() {
			t.Errorf("the steps in %v surround a zero at [%g, %g]", bad, from, to)
		}
	}
}

// Few rows have no sample, and neither has one side alone.
func TestBiasSample(t *testing.T) {
	for _, c := range []struct {
		n, every int // rows, one of how many is negative
		want     bool
	}{{biasSampleFrom, 3, true}, {biasSampleFrom - 1, 3, false}, {biasSampleFrom, 1 << 30, false}} {
		p := &Problem{Data: &svmkit.Dataset{Dim: 1}, C: Cost{C: 1}}
		for i := range c.n {
			y := 1.0
			if i%c.every == c.every-1 {
				y = -1
			}
			p.Data.X, p.Data.Y = append(p.Data.X, svmkit.Dense(0)), append(p.Data.Y, y)
		}
		scores := make([]float64, c.n)
		for i := range scores {
			scores[i] = float64(i)
		}
		part, s := NewTask(p).biasSample(scores)
		if (part != nil) != c.want || part != nil && (len(s) != c.n/biasSampleOf || s[1] != biasSampleOf || part.Loss[2] != NewTask(p).Loss[2*biasSampleOf]) {
			t.Errorf("%d rows, every %d negative: sample %v", c.n, c.every, part != nil)
		}
	}
}
