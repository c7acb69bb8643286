package perceptron_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
)

var (
	_ svmkit.Scorer = (*perceptron.Perceptron)(nil)
	_ svmkit.Scorer = (*perceptron.Averaged)(nil)
	_ svmkit.Scorer = (*perceptron.Voted)(nil)
	_ svmkit.Scorer = (*perceptron.Kernelized)(nil)
)

// threePoints is an example to follow by hand.
func threePoints() *svmkit.Dataset {
	return &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 1, -5, -1, -1, 5}, 2), Y: []float64{1, -1, -1}, Dim: 2}
}

// Note D 4.4, carried on by hand. The rows are taken in turn; only mistakes are listed.
//
//	round  row      y   y·f           w after      ‖w‖²
//	0      ( 1, 1)  +   0              ( 1,  1)     2
//	2      (−1, 5)  −   −(−1+5) = −4   ( 2, −4)     20
//	3      ( 1, 1)  +   2−4 = −2       ( 3, −3)     18
//	6      ( 1, 1)  +   3−3 = 0        ( 4, −2)     20
//
// The rows then score 2, −18, −14: all right, seen in a fourth pass. Two of the four mistakes
// are scores of 0.
func TestThreePointsByHand(t *testing.T) {
	var p perceptron.Perceptron
	trace := fit(t, &p, threePoints(), perceptron.Stop{})
	type row struct {
		round, index  int
		score, square float64
	}
	want := []row{{0, 0, 0, 2}, {2, 2, 4, 20}, {3, 0, -2, 18}, {6, 0, 0, 20}}
	var got []row
	for _, m := range trace.Mistakes {
		got = append(got, row{m.Round, m.Index, m.Score, math.Round(m.NormW * m.NormW)})
		if !math.IsNaN(m.Align) {
			t.Errorf("Align = %g without a Reference, want NaN", m.Align)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("mistakes %v, want %v", got, want)
	}
	if !slices.Equal(p.W, []float64{4, -2}) || p.B != 0 {
		t.Errorf("plane (%v, %g), want ((4, −2), 0)", p.W, p.B)
	}
	if trace.Epochs != 4 || trace.Rounds != 12 || !slices.Equal(trace.ErrorsPerEpoch, []int{2, 1, 1, 0}) {
		t.Errorf("epochs %d, rounds %d, errors %v", trace.Epochs, trace.Rounds, trace.ErrorsPerEpoch)
	}
}

// A score of 0 is a mistake for both labels. With the strict test y·f < 0
// (erratum 8) nothing ever happens from w = 0.
func TestZeroScoreIsAMistake(t *testing.T) {
	for _, y := range []float64{-1, 1} {
		var p perceptron.Perceptron
		x := svmkit.Dense(3, 4)
		if !p.Update(x, y) {
			t.Errorf("label %g: score 0 is not a mistake", y)
		}
		if !slices.Equal(p.W, []float64{3 * y, 4 * y}) {
			t.Errorf("label %g: w = %v", y, p.W)
		}
		if p.Update(x, y) {
			t.Errorf("label %g: score %g is a mistake", y, p.Score(x))
		}
	}
}

// Note B, "why perceptron updates work": an update raises y·f(x) of its own example by exactly
// η‖x‖², and by η more with a bias. It does not promise a right label.
func TestUpdateRaisesItsOwnScore(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	for trial := range 200 {
		p := perceptron.Perceptron{Bias: biasIf(trial%2 == 1), Rate: []float64{0, 0.5, 3}[trial%3]}
		p.W = randomPlane(rng, 5, false).W
		p.B = rng.NormFloat64()
		x := svmkit.Dense(randomPlane(rng, 5, false).W...)
		before := p.Score(x)
		y := -math.Copysign(1, before)
		if !p.Update(x, y) {
			t.Fatal("a wrong score is not a mistake")
		}
		eta := p.Rate
		if eta == 0 {
			eta = 1
		}
		want := eta * x.SquaredNorm()
		if p.Bias == svmkit.PenalizedBias {
			want += eta
		}
		if got := y*p.Score(x) - y*before; math.Abs(got-want) > slack*(1+want) {
			t.Fatalf("y·f rose by %g, want %g", got, want)
		}
		plane := p.Plane()
		if p.Update(x, math.Copysign(1, p.Score(x))) || !slices.Equal(p.W, plane.W) || p.B != plane.B {
			t.Fatal("a right score changed the plane")
		}
	}
}

// The bias is the weight of a feature that is always 1: both runs agree
// in every bit, proof numbers included.
func TestBiasIsTheAugmentedRun(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	for trial := range 20 {
		d := 1 + rng.IntN(6)
		ref := randomPlane(rng, d, true)
		s := separable(rng, 30, d, 0.1, ref)
		augmented := svmkit.Hyperplane{W: append(slices.Clone(ref.W), ref.B)}
		rate := []float64{0, 0.3}[trial%2]
		p := perceptron.Perceptron{Bias: svmkit.PenalizedBias, Reference: &ref, Rate: rate}
		q := perceptron.Perceptron{Reference: &augmented, Rate: rate}
		a, b := fit(t, &p, s, perceptron.Stop{}), fit(t, &q, s.Augment(1), perceptron.Stop{})
		if !slices.Equal(a.Mistakes, b.Mistakes) {
			t.Fatalf("trial %d: the traces differ", trial)
		}
		if !slices.Equal(append(slices.Clone(p.W), p.B), q.W) || q.B != 0 {
			t.Fatalf("trial %d: (w,b) = (%v, %g), augmented %v", trial, p.W, p.B, q.W)
		}
	}
}

func TestBiasIsFixedUnlessLearned(t *testing.T) {
	p := perceptron.Perceptron{B: -0.5}
	fit(t, &p, threePoints(), perceptron.Stop{})
	if p.B != -0.5 {
		t.Errorf("B = %g without Bias, want it unchanged", p.B)
	}
}

// Erratum 17: from w = 0 the step size scales w and changes no mistake. A power of two does
// so in every bit, also at scores of exactly 0; other steps round, so the data here is
// random and has no ties.
func TestRateChangesNoMistake(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	ref := randomPlane(rng, 4, true)
	random := separable(rng, 60, 4, 0.05, ref)
	for _, c := range []struct {
		set   *svmkit.Dataset
		rates []float64
	}{{random, []float64{0.01, 0.5, 100}}, {threePoints(), []float64{0.25, 1024}}} {
		var one perceptron.Perceptron
		one.Bias = svmkit.PenalizedBias
		want := fit(t, &one, c.set, perceptron.Stop{})
		for _, eta := range c.rates {
			p := perceptron.Perceptron{Bias: svmkit.PenalizedBias, Rate: eta}
			got := fit(t, &p, c.set, perceptron.Stop{})
			if len(got.Mistakes) != len(want.Mistakes) {
				t.Fatalf("η = %g: %d mistakes, %d with η = 1", eta, len(got.Mistakes), len(want.Mistakes))
			}
			for i, m := range got.Mistakes {
				u := want.Mistakes[i]
				if m.Round != u.Round || m.NormX != u.NormX || math.Abs(m.NormW-eta*u.NormW) > slack*eta*u.NormW {
					t.Fatalf("η = %g, mistake %d: %+v, with η = 1 %+v", eta, i, m, u)
				}
			}
		}
	}
}

// Renaming the columns changes no mistake; taking the rows in another order is the run on
// the set in that order, and every order obeys the bound.
func TestPermutations(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	const n, d = 40, 5
	s := &svmkit.Dataset{Dim: d}
	ref := svmkit.Hyperplane{W: []float64{3, -1, 2, 1, -2}}
	for s.Len() < n { // whole numbers, so that sums do not depend on their order
		x := make([]float64, d)
		for j := range x {
			x[j] = float64(rng.IntN(9) - 4)
		}
		if f := ref.Score(svmkit.Dense(x...)); f != 0 {
			s.X, s.Y = append(s.X, svmkit.Dense(x...)), append(s.Y, math.Copysign(1, f))
		}
	}
	var p perceptron.Perceptron
	want := fit(t, &p, s, perceptron.Stop{})

	columns := rng.Perm(d)
	var q perceptron.Perceptron
	got := fit(t, &q, s.Columns(columns...), perceptron.Stop{})
	if !slices.Equal(indices(got), indices(want)) {
		t.Error("permuted columns change the mistakes")
	}
	for k, j := range columns {
		if q.W[k] != p.W[j] {
			t.Errorf("w[%d] = %g, want %g", k, q.W[k], p.W[j])
		}
	}

	gamma, _ := ref.SetMargin(s)
	bound := s.Radius() * s.Radius() / (gamma * gamma)
	different := false
	for range 10 {
		order := rng.Perm(n)
		var batch, online perceptron.Perceptron
		trace := fit(t, &batch, s.Subset(order), perceptron.Stop{})
		if k := float64(len(trace.Mistakes)); trace.Status != svmkit.Converged || k > bound {
			t.Errorf("%v with %v mistakes, bound %g", trace.Status, k, bound)
		}
		rounds := []int{}
		err := online.Learn(context.Background(), s.Subset(order).All(), func(m perceptron.Mistake) bool {
			rounds = append(rounds, m.Round)
			return true
		})
		if err != nil || !slices.Equal(rounds, indices(trace)[:trace.ErrorsPerEpoch[0]]) {
			t.Error("the first pass differs from the stream in the same order")
		}
		different = different || len(trace.Mistakes) != len(want.Mistakes)
	}
	if !different {
		t.Error("ten orders with equally many mistakes: the order seems to be ignored")
	}
}

func indices(trace *perceptron.Trace) []int {
	var rows []int
	for _, m := range trace.Mistakes {
		rows = append(rows, m.Index)
	}
	return rows
}

// Sparse rows bring columns when they come: W grows, and the run is the one on dense rows.
func TestSparseRowsGrowW(t *testing.T) {
	rows := []svmkit.Row{
		{Index: []int32{0}, Value: []float64{2}},
		{Index: []int32{1, 4}, Value: []float64{1, -3}},
		{Index: []int32{0, 9}, Value: []float64{-1, 5}},
		{Index: []int32{}, Value: []float64{}},
	}
	var p, q perceptron.Perceptron
	for i, x := range rows {
		y := float64(1 - 2*(i%2))
		dense := svmkit.Dense(x.ToDense(10)...)
		if p.Score(x) != q.Score(dense) {
			t.Errorf("row %d: sparse score %g, dense %g", i, p.Score(x), q.Score(dense))
		}
		if p.Update(x, y) != q.Update(dense, y) {
			t.Errorf("row %d: sparse and dense disagree", i)
		}
	}
	if !slices.Equal(p.W, q.W) {
		t.Errorf("sparse w %v, dense %v", p.W, q.W)
	}
	if got := p.Score(svmkit.Row{Index: []int32{0, 9, 1000}, Value: []float64{1, 1, 1}}); got != p.W[0]+p.W[9] {
		t.Errorf("a column that was never seen changes the score: %g", got)
	}
}

func TestPlaneIsACopy(t *testing.T) {
	var p perceptron.Perceptron
	p.Update(svmkit.Dense(1, 2), 1)
	p.Plane().W[0] = 99
	if p.W[0] != 1 {
		t.Error("writing to the copy changed the perceptron")
	}
}

func TestUpdateAllocatesNothing(t *testing.T) {
	dense, sparse := svmkit.Dense(1, 2, 3), svmkit.Row{Index: []int32{0, 2}, Value: []float64{1, 3}}
	for _, x := range []svmkit.Row{dense, sparse} {
		p := perceptron.Perceptron{Bias: svmkit.PenalizedBias}
		p.Update(x, 1)
		y := 1.0
		if n := testing.AllocsPerRun(100, func() {
			y = -y // each label in turn: a mistake at least every second time
			p.Update(x, y)
		}); n != 0 {
			t.Errorf("%v allocations for each update", n)
		}
	}
}

// Run with -race.
func TestConcurrentScores(t *testing.T) {
	s := threePoints()
	var p perceptron.Perceptron
	var a perceptron.Averaged
	var v perceptron.Voted
	var k perceptron.Kernelized
	fit(t, &p, s, perceptron.Stop{})
	models := []svmkit.Scorer{&p, &a, &v, &k}
	for x, y := range s.All() {
		a.Update(x, y)
		v.Update(x, y)
		k.Update(x, y)
	}
	var wait sync.WaitGroup
	for _, m := range models {
		want := m.Score(s.X[1])
		for range 4 {
			wait.Go(func() {
				for range 100 {
					if m.Score(s.X[1]) != want {
						t.Error("a score changed")
					}
				}
			})
		}
	}
	wait.Wait()
}
