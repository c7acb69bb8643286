package svm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
)

// Where a part of many rows says first where to look, the answer is the one of all rows: in any order of
// them, with prices of their own, and where the part is as misleading as can be.
func TestBestBiasOfManyRows(t *testing.T) {
	const n = 3 * thinnedFrom
	rng := rand.New(rand.NewPCG(8, 0))
	orders := map[string]func(i int, s float64) float64{
		"random": func(i int, s float64) float64 { return s },
		"rising": func(i int, s float64) float64 { return float64(i) / n },
		"part on the left": func(i int, s float64) float64 {
			if i%thinnedStep == 0 {
				return s - 1000
			}
			return s
		},
		"few values": func(i int, s float64) float64 { return math.Round(s) },
	}
	for name, order := range orders {
		for _, l := range []loss.Convex{loss.Hinge{}, loss.EpsInsensitive{Epsilon: 0.1}, loss.SquaredHinge{}, loss.SquaredEpsInsensitive{Epsilon: 0.1}, loss.Logistic{}} {
			p := &Problem{Data: &svmkit.Dataset{Dim: 1}, Loss: l, C: Cost{C: 0.1, Negative: 3}}
			scores := make([]float64, n)
			for i := range scores {
				p.Data.X = append(p.Data.X, svmkit.Dense(0))
				p.Data.Y = append(p.Data.Y, math.Copysign(1, rng.NormFloat64()+0.2))
				scores[i] = order(i, p.Data.Y[i]+2*rng.NormFloat64())
			}
			tk := newTask(p)
			from, to := tk.bestBias(scores)
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
					sum.add((tk.loss(i, s+b+h) - tk.loss(i, s+b-h)) / (2 * h))
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

// Near the zero the derivative is what rounding has left of thousands of terms, and no Newton step halves it any
// more: the search ends there, and does not go on to bisect.
func TestBestBiasEndsWhereRoundingBegins(t *testing.T) {
	const most = 24 // looks: strides and bisections from a start far away, and the last Newton steps
	rng := rand.New(rand.NewPCG(12, 0))
	for _, l := range []loss.Convex{loss.SquaredHinge{}, loss.SquaredEpsInsensitive{Epsilon: 0.1}, loss.Logistic{}} {
		for _, shift := range []float64{0, 0.3, -20, 1000} {
			p := &Problem{Data: &svmkit.Dataset{Dim: 1}, Loss: l, C: Cost{C: 10, Negative: 3}}
			scores := make([]float64, 30_000)
			for i := range scores {
				p.Data.X, p.Data.Y = append(p.Data.X, svmkit.Dense(0)), append(p.Data.Y, math.Copysign(1, rng.NormFloat64()))
				scores[i] = p.Data.Y[i] + 2*rng.NormFloat64() + shift
			}
			looks, at := 0, newTask(p).pulls(scores)
			zero := risingZero(math.Inf(-1), math.Inf(1), 0, func(b float64) pulls { looks++; return at(b) })
			if math.Abs(zero+shift) > 2 || looks > most {
				t.Errorf("%T, shifted by %g: %d looks lead to %g", l, shift, looks, zero)
			}
		}
	}
}

// Scores and prices at the ends of what float64 holds: the search ends, soon if there is nothing to find, and
// where it ends the derivative changes its sign.
func TestBestBiasAtTheEndsOfNumbers(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		loss   loss.Convex
		prices []float64 // of a positive and a negative row
		scores []float64 // of these rows
		looks  int
		zero   float64
		within float64
	}{
		"no number, squared":       {loss.SquaredHinge{}, []float64{1, 1}, []float64{nan, 0}, 2, nan, 0},
		"no number, logistic":      {loss.Logistic{}, []float64{1, 1}, []float64{nan, 0}, 1, nan, 0},
		"no number, negated":       {loss.Logistic{}, []float64{1, 1}, []float64{math.Copysign(nan, -1), 0}, 1, nan, 0},
		"far apart, logistic":      {loss.Logistic{}, []float64{1, 1}, []float64{1e308, 1e308}, 1600, -1e308, 1e293},
		"farther apart":            {loss.Logistic{}, []float64{1, 1}, []float64{-1.5e308, -1.5e308}, 1600, 1.5e308, 1e293},
		"prices far apart":         {loss.SquaredHinge{}, []float64{1e-300, 1e200}, []float64{-1e200, -1}, 1600, 0, epsilon}, // -1 + b is rounded
		"scores far apart":         {loss.SquaredHinge{}, []float64{1, 1}, []float64{-1.5e308, 1.5e308}, 1600, 0, 1e293},
		"usual numbers, for check": {loss.Logistic{}, []float64{1, 1}, []float64{3, 3}, 20, -3, 1e-12},
	} {
		p := &Problem{Data: &svmkit.Dataset{Dim: 1, X: []svmkit.Row{svmkit.Dense(0), svmkit.Dense(0)}, Y: []float64{1, -1}}, Loss: c.loss,
			C: Cost{C: 1, Positive: c.prices[0], Negative: c.prices[1]}}
		tk, looks := newTask(p), 0
		at := tk.pulls(c.scores)
		zero := risingZero(math.Inf(-1), math.Inf(1), 0, func(b float64) pulls { looks++; return at(b) })
		if looks > c.looks {
			t.Errorf("%s: %d looks", name, looks)
		}
		if !math.IsNaN(c.zero) && !(math.Abs(zero-c.zero) <= c.within) {
			t.Errorf("%s: %g after %d looks, want %g", name, zero, looks, c.zero)
		}
		if from, to := tk.bestBias(c.scores); !math.IsNaN(c.zero) && !(from == to && math.Abs(from-c.zero) <= c.within) {
			t.Errorf("%s: the best bias is [%g, %g], want %g", name, from, to, c.zero)
		}
	}
}

// The part is of all rows: sorted ones are seen from one end to the other, so what it says holds for the others.
func TestThinnedIsOfAllRows(t *testing.T) {
	const n = thinnedFrom
	p := &Problem{Data: &svmkit.Dataset{Dim: 1, X: slices.Repeat([]svmkit.Row{svmkit.Dense(0)}, n), Y: slices.Repeat([]float64{1}, n)}, C: Cost{C: 1}}
	scores := make([]float64, n)
	for i := range scores {
		scores[i] = float64(i)
	}
	part := newTask(p).thinned(scores)
	if first, last := part.scores[0], part.scores[len(part.scores)-1]; len(part.scores) != n/thinnedStep || first != 0 || last < n-thinnedStep {
		t.Errorf("%d scores from %g to %g, of %d", len(part.scores), first, last, n)
	}
	if newTask(p).thinned(scores[:n-1]) != nil {
		t.Error("few rows are thinned, too")
	}
}

// A part of the rows makes the search quicker and nothing else: where it names a wrong place, the steps say so.
func TestBiasStepsSurround(t *testing.T) {
	p := &Problem{Data: &svmkit.Dataset{Dim: 1}, Loss: loss.Hinge{}, C: Cost{C: 1}}
	var scores []float64
	for i := range 100 {
		p.Data.X, p.Data.Y = append(p.Data.X, svmkit.Dense(0)), append(p.Data.Y, float64(1-2*(i%2)))
		scores = append(scores, float64(i))
	}
	tk := newTask(p)
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

// What a fit hands back it can take again, and so can the next one.
func TestWorkspaceHandBack(t *testing.T) {
	m := new(workspace)
	a, b := m.floats(100), m.floats(100)
	m.handBack(a)
	if again := m.floats(90); &again[0] != &a[0] || &again[0] == &b[0] {
		t.Error("what was handed back is not taken again")
	}
	if m.handBack(make([]float64, 5)); len(m.numbers.back) != 0 {
		t.Error("memory from elsewhere was taken in")
	}
	m.handBack(b)
	m.reclaim()
	if got := []*float64{&m.floats(100)[0], &m.floats(100)[0]}; !slices.Contains(got, &a[0]) || !slices.Contains(got, &b[0]) {
		t.Error("the next fit has lost memory of this one")
	}
}

// However often a fit looks at its certificate, its memory stays what it was.
func TestCertificatesDoNotPileUp(t *testing.T) {
	p := noisy(rand.New(rand.NewPCG(9, 0)), 500, 3, loss.Hinge{}, svmkit.FreeBias)
	m := new(workspace)
	tk := newTaskIn(m, p)
	tk.certify(make([]float64, 500))
	size := m.reclaim()
	tk = newTaskIn(m, p)
	for range 50 {
		tk.certify(make([]float64, 500))
	}
	if again := m.reclaim(); again > size {
		t.Errorf("%d numbers after one certificate, %d after 50", size, again)
	}
}
