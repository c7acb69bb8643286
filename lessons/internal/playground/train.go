package playground

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// training goes one step at a time. It holds β with w = Σ βᵢφ(xᵢ), from 0, and does as its method says:
//
//	perceptron   the next point with y·f(x) ≤ 0: β ← β + y
//	coordinate   the next point whose β is not the best, the others held: the best β
//	pairs        the two points of the largest violation: β up at one and down at the other, so that Σβ stays
//
// The last two climb the dual objective of package svm,
// −½ΣΣ βᵢβⱼHᵢⱼ + Σ (βᵢyᵢ − ε|βᵢ| − ½qβᵢ²) with lo ≤ β ≤ hi, where H is the Gram matrix,
// plus 1 if the bias is penalized, and q = 1/(2C) with a squared loss, else 0. A step ends at β = 0, where
// the slope jumps by 2ε.
type training struct {
	method  string
	y       []float64
	gram    []float64 // H
	q, eps  float64
	lo, hi  []float64
	beta, f []float64 // f is Hβ
	next    int       // where the search for a point goes on
	moved   []int     // the points of the last step
	before  []float64 // and their β before it
}

// slack is the violation of the optimality conditions at which a training ends.
const slack = 1e-6

func newTraining(s State, set *svmkit.Dataset, k kernel.Kernel) *training {
	if k == nil {
		k = kernel.Linear{}
	}
	n := set.Len()
	t := &training{method: s.Train, y: set.Y, gram: kernel.Gram(k, set.X), lo: make([]float64, n), hi: make([]float64, n), beta: make([]float64, n), f: make([]float64, n)}
	if s.Bias == "penalized" {
		for i := range t.gram {
			t.gram[i]++
		}
	}
	most := s.C
	if s.Loss == "squared" {
		most, t.q = math.Inf(1), 1/(2*s.C)
	}
	if s.Task == "regression" {
		t.eps = s.Epsilon
	}
	for i, y := range set.Y {
		if s.Task == "regression" || y > 0 {
			t.hi[i] = most
		}
		if s.Task == "regression" || y < 0 {
			t.lo[i] = -most
		}
	}
	return t
}

// slope is that of the dual objective in βᵢ without its term in ε.
func (t *training) slope(i int) float64 { return t.y[i] - t.f[i] - t.q*t.beta[i] }

// way returns the slope of the dual objective as βᵢ rises (sign 1) or falls (−1), and how far it may go.
func (t *training) way(i int, sign float64) (slope, reach float64) {
	b, end := sign*t.beta[i], max(sign*t.lo[i], sign*t.hi[i])
	if b < 0 {
		return sign*t.slope(i) + t.eps, min(-b, end-b)
	}
	return sign*t.slope(i) - t.eps, end - b
}

func (t *training) h(i, j int) float64 { return t.gram[i*len(t.y)+j] }

// move changes one βᵢ.
func (t *training) move(i int, by float64) {
	t.moved, t.before = append(t.moved, i), append(t.before, t.beta[i])
	b := t.beta[i] + by
	for _, end := range []float64{t.lo[i], t.hi[i]} { // exactly, in spite of rounding
		if t.method != "perceptron" && !math.IsInf(end, 0) && math.Abs(b-end) <= 1e-12*math.Abs(end) {
			b = end
		}
	}
	by, t.beta[i] = b-t.beta[i], b
	for j := range t.f {
		t.f[j] += by * t.h(i, j)
	}
}

// step goes one step and reports whether there was one to go.
func (t *training) step() bool {
	moved, before := t.moved, t.before
	t.moved, t.before = nil, nil
	if t.method == "pairs" {
		t.pair()
	}
	for range t.y {
		if t.method == "pairs" || len(t.moved) > 0 {
			break
		}
		i := t.next
		t.next = (i + 1) % len(t.y)
		up, rise := t.way(i, 1)
		down, fall := t.way(i, -1)
		curve := t.h(i, i) + t.q
		switch {
		case t.method == "perceptron":
			if t.y[i]*t.f[i] <= 0 {
				t.move(i, t.y[i])
			}
		case up > slack && rise > 0:
			t.move(i, length(up, curve, rise))
		case down > slack && fall > 0:
			t.move(i, -length(down, curve, fall))
		}
	}
	if len(t.moved) == 0 {
		t.moved, t.before = moved, before
		return false
	}
	return true
}

// length is how far to go where the slope is s, falls by curve a unit, and the way ends at reach.
func length(s, curve, reach float64) float64 {
	if curve > 0 {
		return min(s/curve, reach)
	}
	return reach
}

func (t *training) pair() {
	i, j, up, down, rise, fall := -1, -1, math.Inf(-1), math.Inf(-1), 0.0, 0.0
	for k := range t.y {
		if s, reach := t.way(k, 1); reach > 0 && s > up {
			i, up, rise = k, s, reach
		}
		if s, reach := t.way(k, -1); reach > 0 && s > down {
			j, down, fall = k, s, reach
		}
	}
	if i < 0 || j < 0 || i == j || up+down <= slack {
		return
	}
	by := length(up+down, t.h(i, i)+t.h(j, j)-2*t.h(i, j)+2*t.q, min(rise, fall))
	t.move(i, by)
	t.move(j, -by)
}
