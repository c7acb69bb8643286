package core_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm/internal/core"
	"github.com/svmkit/course/svmkit/svm/internal/core/coretest"
)

// searchTol is the accuracy of the searches in these tests. They compare function values, which at
// a minimum distinguish points only to the square root of the roundoff.
const searchTol = 1e-9

// inside draws a β within the box of row i.
func inside(rng *rand.Rand, t *core.Task, i int) float64 {
	lo, hi := t.Loss[i].Box()
	switch u := rng.Float64(); {
	case t.Kind == core.Squared:
		return min(max(rng.NormFloat64(), lo), hi)
	case t.Kind != core.Logistic && u < 0.2:
		return lo
	case t.Kind != core.Logistic && u < 0.4:
		return hi
	default:
		return lo + u*(hi-lo)
	}
}

// leastOf returns the minimum of a convex function on [-1e3, 1e3], by thirds.
func leastOf(f func(float64) float64) float64 {
	lo, hi := -1e3, 1e3
	for range 200 {
		a, b := lo+(hi-lo)/3, hi-(hi-lo)/3
		if f(a) < f(b) {
			hi = b
		} else {
			lo = a
		}
	}
	return f(lo)
}

// The dual function is d(β) = −φ*(−β) = inf over s of φ(s) + βs, the loss of the package
// loss times the cost.
func TestDualIsTheConjugate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for _, l := range coretest.Losses {
		for range 30 {
			p := coretest.GridProblem(rng, 4, 1, l)
			tk := core.NewTask(p)
			i := rng.IntN(4)
			beta := inside(rng, tk, i)
			want := leastOf(func(s float64) float64 { return tk.Loss[i].Value(s) + beta*s })
			if got := tk.Loss[i].Dual(beta); math.Abs(got-want) > searchTol*max(1, math.Abs(want)) {
				t.Errorf("%T row %d β = %g: dual %g, the infimum is %g", l, i, beta, got, want)
			}
		}
	}
}

// A row's loss is its cost times the loss of package loss.
func TestLossTimesCost(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	for _, l := range coretest.Losses {
		p := coretest.GridProblem(rng, 20, 1, l)
		tk := core.NewTask(p)
		if l == nil {
			l = loss.Hinge{}
		}
		for i, y := range p.Data.Y {
			s := 3 * rng.NormFloat64()
			cost := p.C.C
			if p.Data.Weight != nil {
				cost *= p.Data.Weight[i]
			}
			positive := y > 0
			if p.Regression() {
				positive = s > y
			}
			if positive {
				cost *= cmp.Or(p.C.Positive, 1)
			} else {
				cost *= cmp.Or(p.C.Negative, 1)
			}
			if got, want := tk.Loss[i].Value(s), cost*l.Value(s, y); math.Abs(got-want) > searchTol*want {
				t.Errorf("%T: φ(%g) = %g, want %g", l, s, got, want)
			}
		}
	}
}

// Excess is φ(f) − d(β) + βf, never negative, and zero exactly on the interval that Optimal
// returns: both ways of saying −β ∈ ∂φ(f).
func TestExcessAndOptimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for _, l := range coretest.Losses {
		for range 300 {
			tk := core.NewTask(coretest.GridProblem(rng, 4, 1, l))
			i := rng.IntN(4)
			beta := inside(rng, tk, i)
			from, to := tk.Loss[i].Optimal(beta)
			if from > to {
				t.Fatalf("%T β = %g: optimal scores from %g to %g", l, beta, from, to)
			}
			for _, f := range []float64{from, to, from - 1, to + 1, 2 * rng.NormFloat64(), from + rng.Float64()*(to-from)} {
				if math.IsInf(f, 0) || math.IsNaN(f) {
					continue
				}
				got := tk.Loss[i].Excess(beta, f)
				if want := tk.Loss[i].Value(f) - tk.Loss[i].Dual(beta) + beta*f; got < 0 || math.Abs(got-want) > searchTol*max(1, math.Abs(beta*f)) {
					t.Errorf("%T β = %g f = %g: excess %g, want %g", l, beta, f, got, want)
				}
				// On the flat part of a loss the distance counts linearly, elsewhere in squares.
				outside := max(from-f, f-to)
				if zero := got <= searchTol; zero != (outside <= 1e-4) && math.Abs(outside) > 1e-12 && outside > 1e-3 {
					t.Errorf("%T β = %g: excess %g at f = %g, but optimal is [%g, %g]", l, beta, got, f, from, to)
				}
				if outside <= 0 && got > searchTol {
					t.Errorf("%T β = %g: excess %g at f = %g inside of optimal [%g, %g]", l, beta, got, f, from, to)
				}
			}
		}
	}
}

// The interval of best biases: no other b is better, all of the interval are as good, and a
// step beyond its ends is worse.
func TestBestBias(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	intervals := 0
	for k := range 700 {
		n := 2 + rng.IntN(8)
		tk := core.NewTask(coretest.GridProblem(rng, n, 1, coretest.Losses[k%len(coretest.Losses)]))
		scores := make([]float64, n)
		for i := range scores {
			scores[i] = float64(rng.IntN(41)-20) / 8
		}
		at := func(b float64) float64 {
			sum := 0.0
			for i, s := range scores {
				sum += tk.Loss[i].Value(s + b)
			}
			return sum
		}
		best := leastOf(at)
		from, to := tk.BestBias(scores)
		slack := searchTol * max(1, best)
		for _, b := range []float64{from, to, from + (to-from)/2} {
			if !(at(b) <= best+slack) {
				t.Errorf("%d: b = %g of [%g, %g] costs %g, the best %g", k, b, from, to, at(b), best)
			}
		}
		if at(from-1e-3) <= best+1e-12 || at(to+1e-3) <= best+1e-12 {
			t.Errorf("%d: [%g, %g] is not the whole interval", k, from, to)
		}
		if to > from {
			intervals++
		}
	}
	if intervals < 50 {
		t.Errorf("only %d cases had an interval: too few ties are tested", intervals)
	}
}

// Costs such as 0.1 are not exact: three of them against one of 0.3 still tie.
func TestBestBiasTiesUpToRounding(t *testing.T) {
	p := &core.Problem{Data: &svmkit.Dataset{X: svmkit.DenseRows([]float64{0, 0, 0, 0}, 1), Y: []float64{1, 1, 1, -1}, Dim: 1},
		C: core.Cost{C: 0.1, Negative: 3}}
	if from, to := core.NewTask(p).BestBias(make([]float64, 4)); from != -1 || to != 1 {
		t.Errorf("[%g, %g], want [-1, 1]", from, to)
	}
}

// Under a hard margin b lies half-way between the classes, whatever w's length.
func TestBestBiasOfAHardMargin(t *testing.T) {
	p := &core.Problem{Data: &svmkit.Dataset{X: svmkit.DenseRows([]float64{0, 0, 0, 0, 0}, 1), Y: []float64{1, 1, -1, -1, -1}, Dim: 1},
		C: core.Cost{C: math.Inf(1)}}
	tk := core.NewTask(p)
	for _, scale := range []float64{0.1, 1, 10} {
		scores := []float64{5 * scale, 3 * scale, scale, -7 * scale, 0.5 * scale}
		from, to := tk.BestBias(scores)
		if b := from + (to-from)/2; math.Abs(b+2*scale) > searchTol {
			t.Errorf("scale %g: b = %g, want %g", scale, b, -2*scale)
		}
	}
}

// One Newton step from bisection's bracket must not be fooled by offsets of any size.
func TestBestBiasFarOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	for _, l := range coretest.Losses {
		p := coretest.GridProblem(rng, 9, 1, l)
		tk := core.NewTask(p)
		scores := make([]float64, 9)
		for i := range scores {
			scores[i] = rng.NormFloat64()
		}
		from, to := tk.BestBias(scores)
		for i := range scores {
			scores[i] += 1 << 20 // exact, so b moves by exactly as much, up to its own rounding
		}
		farFrom, farTo := tk.BestBias(scores)
		if math.Abs(farFrom+1<<20-from) > 1e-6 || math.Abs(farTo+1<<20-to) > 1e-6 {
			t.Errorf("%T: [%g, %g] became [%g, %g] + 2²⁰", l, from, to, farFrom, farTo)
		}
	}
}

// Repair ends in the box and, with a free bias, on Σβ = 0 to the last bits; it moves no
// feasible β, makes no zero a support vector, and reports what it had to do.
func TestRepair(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	for k := range 1000 {
		p := coretest.GridProblem(rng, 2+rng.IntN(30), 1, coretest.Losses[k%len(coretest.Losses)])
		if k%10 == 0 && (p.Loss == nil || p.Regression()) {
			p.C = core.Cost{C: math.Inf(1)}
			if _, squared := p.Loss.(loss.SquaredEpsInsensitive); squared {
				p.C.C = 1e3
			}
		}
		tk := core.NewTask(p)
		beta := coretest.RandomBeta(rng, tk)
		to := make([]float64, len(beta))
		box, equality := tk.Repair(to, beta)
		size, clipped, sum := 0.0, 0.0, 0.0
		for i, v := range to {
			lo, hi := tk.Loss[i].Box()
			if v < lo || v > hi {
				t.Fatalf("%d: β = %g outside of [%g, %g]", k, v, lo, hi)
			}
			if c := min(max(beta[i], lo), hi); c == 0 && v != 0 {
				t.Errorf("%d: a zero became %g", k, v)
			} else {
				sum += c
				clipped = max(clipped, math.Abs(c-beta[i]))
			}
			size += math.Abs(v)
		}
		if box != clipped {
			t.Errorf("%d: Box = %g, want %g", k, box, clipped)
		}
		if tk.Bias != svmkit.FreeBias {
			continue
		}
		if math.Abs(equality-math.Abs(sum)) > searchTol {
			t.Errorf("%d: Equality = %g, want %g", k, equality, math.Abs(sum))
		}
		if left := math.Abs(core.SumOf(to)); left > 2*core.Roundoff*max(size, 1e-300) {
			t.Errorf("%d: Σβ = %g of %g remains", k, left, size)
		}
		again := make([]float64, len(to))
		tk.Repair(again, to)
		for i := range to {
			if math.Abs(again[i]-to[i]) > 2*core.Roundoff*max(1, size) {
				t.Errorf("%d: a feasible β moved from %g to %g", k, to[i], again[i])
			}
		}
	}
}

// Whatever β, the certificate's dual value is below the primal value of any other model:
// weak duality across different β.
func TestWeakDualityAcross(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	for k := range 300 {
		p := coretest.GridProblem(rng, 12, 3, coretest.Losses[k%len(coretest.Losses)])
		if k%3 == 0 && p.Loss != (loss.Logistic{}) {
			p.Kernel = kernel.RBF{Gamma: 0.5}
		}
		tk := core.NewTask(p)
		a, b := tk.Certify(coretest.RandomBeta(rng, tk)), tk.Certify(coretest.RandomBeta(rng, tk))
		slack := searchTol * max(1, a.Primal, b.Primal)
		if a.Dual > b.Primal+slack || b.Dual > a.Primal+slack || a.Gap < 0 {
			t.Errorf("%d: [%g, %g] and [%g, %g] do not overlap", k, a.Dual, a.Primal, b.Dual, b.Primal)
		}
		if want := a.Primal - a.Dual; math.Abs(a.Gap-want) > slack {
			t.Errorf("%d: gap %g, primal − dual %g", k, a.Gap, want)
		}
	}
}

// Under a hard margin a row without a value, q = 0, has its maximum at infinity: that is no step,
// and β stays.
func TestStepToInfinityIsNone(t *testing.T) {
	inf := math.Inf(1)
	for beta, l := range map[float64]core.Loss{0.3: {Low: 1, High: inf, Under: inf}, -0.7: {Low: -inf, High: -1, Over: inf}} {
		if got := l.Step(beta, 0, 0); got != beta {
			t.Errorf("from β = %g to %g", beta, got)
		}
	}
}
