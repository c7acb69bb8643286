package svm

import (
	"math"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/parallel"
	"github.com/svmkit/course/svmkit/loss"
)

// pairOn is a descent whose epochs are shared by two, in legs of a few rows, on so many threads. Its rows
// are sparse, so that visits are those of text.
func pairOn(l loss.Convex, bias Bias, threads int) *descent {
	d := descentOn(600, l)
	for i := range d.t.x {
		d.t.x[i].Index = []int32{0, 1, 2, 3, 4}
	}
	d.t.bias = bias
	d = newDescent(d.t, d.r, d.rng)
	d.pair = newPair(d.t.dim)
	d.pair.crew.Close()
	d.pair.crew = parallel.NewCrew(threads)
	d.pair.leg = 20 * d.work
	return d
}

// After epochs of two threads w and b belong to β, and β is in its box; the dual objective of the problem at
// hand has risen by as much as the sums of both say.
func TestPairKeepsTheInvariant(t *testing.T) {
	for _, l := range []loss.Convex{loss.Hinge{}, loss.SquaredHinge{}} {
		for _, bias := range []Bias{NoBias, PenalizedBias, FreeBias} {
			d := pairOn(l, bias, 2)
			for range 20 {
				before := d.dual
				d.epoch()
				w, b, dual := slices.Clone(d.w), d.b, d.dual
				d.rebuild()
				if d.dual = dual; bias == NoBias {
					if now := d.t.certify(d.beta).Dual; math.Abs(now-dual) > 1e-9*(1+math.Abs(now)) || now < before-1e-9*(1+now) {
						t.Errorf("%T: the dual objective is %g, by the sums %g, and was %g", l, now, dual, before)
					}
				}
				for j, v := range d.w {
					if math.Abs(v-w[j]) > 1e-9*(1+math.Abs(v)) {
						t.Fatalf("%T, %v: w = %v, but Σβx = %v", l, bias, w, d.w)
					}
				}
				if math.Abs(b-d.b) > 1e-9*(1+math.Abs(b)) {
					t.Fatalf("%T, %v: b = %g, want %g", l, bias, b, d.b)
				}
				d.moveCentre()
			}
			if d.pair.other.order == nil {
				t.Errorf("%T, %v: one thread did it all", l, bias)
			}
			d.close()
		}
	}
}

// The bits are the same whether one thread does the work of both or not.
func TestPairIsDeterministic(t *testing.T) {
	var want []float64
	for _, threads := range []int{1, 2, 2} {
		d := pairOn(loss.Hinge{}, PenalizedBias, threads)
		for range 10 {
			d.epoch()
			d.moveCentre()
		}
		d.writeBack()
		if want == nil {
			want = slices.Clone(d.beta)
		}
		if !slices.Equal(d.beta, want) {
			t.Errorf("%d threads give another β", threads)
		}
		d.close()
	}
}

// Where all rows are the same one, two threads that know nothing of each other go twice too far. That is
// noticed, and one thread gets to the end.
func TestPairGivesUp(t *testing.T) {
	d := pairOn(loss.Hinge{}, NoBias, 2)
	p := d.pair
	for i := range d.t.x {
		d.t.x[i] = svmkit.Row{Index: []int32{0}, Value: []float64{math.Copysign(1, d.t.low[i])}}
	}
	d = newDescent(d.t, d.r, d.rng)
	d.pair = p
	defer d.close()
	gap := math.Inf(1)
	for range 40 {
		d.epoch()
		gap = min(gap, d.t.certify(d.beta).Gap)
	}
	if p.longer < 2 || gap > 1e-9 {
		t.Errorf("one thread worked alone for %d epochs at most; gap %g", p.longer/2, gap)
	}
}
