package workingset

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm/internal/core"
	"github.com/svmkit/course/svmkit/svm/internal/core/coretest"
)

// What is found in all rows, block by block, is what one loop over them finds: here several blocks,
// the last of them short.
func TestBlocksOfRows(t *testing.T) {
	const rounding = 1e-12 // of a sum of some thousand numbers, relative to the sum of their sizes
	rng := rand.New(rand.NewPCG(4, 0))
	for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias} {
		p := &core.Problem{Data: &svmkit.Dataset{Dim: 2}, Kernel: kernel.RBF{Gamma: 1}, Bias: bias, C: core.Cost{C: 2}}
		for range 2*core.BlockRows + 100 {
			x := []float64{2 * rng.NormFloat64(), rng.NormFloat64()}
			p.Data.X, p.Data.Y = append(p.Data.X, svmkit.Dense(x...)), append(p.Data.Y, math.Copysign(1, x[0]*x[1]+0.3*rng.NormFloat64()))
		}
		task := core.NewTask(p)
		s := coretest.WithDefaults(core.Settings{MaxIterations: 60})
		d, err := newDecomposition(Decomposition{WorkingSet: 512}, task, core.NewRun(context.Background(), task, s))
		if err == nil {
			err = d.optimise()
		}
		if err != nil {
			t.Fatal(err)
		}
		d.evaluate()
		foundRising, foundFalling := d.candidates()
		most, least, dual, terms, size, b := math.Inf(-1), math.Inf(1), 0.0, 0.0, 0.0, 0.0
		if bias == svmkit.PenalizedBias {
			most, least, b = 0, 0, core.SumOf(d.beta)
		}
		var rising, falling []candidate
		var needed []int32
		for i, v := range d.beta {
			l := &d.t.Loss[i]
			up, down := l.DualSlopes(v)
			up, down = up-d.score[i], down-d.score[i]
			if bias == svmkit.FreeBias {
				most, least = max(most, up), min(least, down)
			} else {
				most = max(most, up-b, b-down)
			}
			dual += l.Dual(v) - v*(d.score[i]+b)/2
			terms, size = terms+math.Abs(l.Dual(v))+math.Abs(v*(d.score[i]+b)/2), size+math.Abs(v)
			if u := d.up[i] - (d.score[i] + d.bias); d.slot[i] == none && u > 0 {
				rising = append(rising, candidate{int32(i), u})
			}
			if u := d.score[i] + d.bias - d.down[i]; d.slot[i] == none && u > 0 {
				falling = append(falling, candidate{int32(i), u})
			}
			if v != 0 || !d.inside(i, d.score[i], [2]float64{d.bias - biasChange, d.bias + biasChange}) {
				needed = append(needed, int32(i))
			}
		}
		if math.Abs(d.maxU-most)+math.Abs(d.minL-least) > rounding*size || math.Abs(d.size()-size) > rounding*size {
			t.Errorf("%v: the violation is from %g to %g, the size %g, want %g, %g and %g", bias, d.maxU, d.minL, d.size(), most, least, size)
		}
		if !(math.Abs(d.dual-dual) <= rounding*terms) {
			t.Errorf("%v: the dual is %g, want %g", bias, d.dual, dual)
		}
		if !slices.Equal(foundRising, rising) || !slices.Equal(foundFalling, falling) || len(rising) == 0 || len(falling) == 0 {
			t.Errorf("%v: %d and %d candidates, want %d and %d, or others", bias, len(foundRising), len(foundFalling), len(rising), len(falling))
		}
		if got := d.needed(); !slices.Equal(got, needed) || len(needed) == 0 || len(needed) == len(d.beta) {
			t.Errorf("%v: %d rows are needed, want %d of %d, or others", bias, len(got), len(needed), len(d.beta))
		}
		bound := slices.IndexFunc(needed, func(i int32) bool { return i > core.BlockRows && math.Abs(d.beta[i]) == p.C.C })
		if scores := d.scoresOf(needed); !d.proved(scores, needed) || d.proved(scores, slices.Delete(needed, bound, bound+1)) {
			t.Errorf("%v: rows that are not needed have a part in the certificate, or row %d has none", bias, needed[bound])
		}
	}
}

// The prediction from a sample is feasible, with Σβ = 0 where the bias is free, and not zero, and
// the scores are those of its β.
func TestPredictionIsFeasible(t *testing.T) {
	const single = 1e-4 // of scores in float32, relative to Σ|β|
	rng := rand.New(rand.NewPCG(1, 0))
	for _, l := range []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{}, loss.EpsInsensitive{Epsilon: 0.1}} {
		for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
			p := &core.Problem{Data: &svmkit.Dataset{Dim: 2}, Loss: l, Bias: bias, Kernel: kernel.RBF{Gamma: 1}, C: core.Cost{C: 2, Negative: 0.3}}
			for range 1000 {
				x := []float64{rng.NormFloat64(), rng.NormFloat64()}
				y := x[0]*x[1] + 0.3*rng.NormFloat64()
				if !p.Regression() {
					y = math.Copysign(1, y)
				}
				p.Data.X, p.Data.Y = append(p.Data.X, svmkit.Dense(x...)), append(p.Data.Y, y)
			}
			task := core.NewTask(p)
			s := coretest.WithDefaults(core.Settings{})
			r := core.NewRun(context.Background(), task, s)
			d, err := newDecomposition(Decomposition{WorkingSet: 64}, task, r)
			if err != nil {
				t.Fatal(err)
			}
			if err := d.refresh(); err != nil {
				t.Fatal(err)
			}
			if err := d.begin(); err != nil {
				t.Fatal(err)
			}
			repaired := make([]float64, 1000)
			box, equality := task.Repair(repaired, d.beta)
			if box != 0 || equality > 1e-12*core.SumOf(magnitudes(d.beta)) || core.SumOf(magnitudes(d.beta)) == 0 {
				t.Errorf("%T, %v: out of the box by %g, |Σβ| = %g", l, bias, box, equality)
			}
			exact := task.KernelScores(context.Background(), d.beta)
			for i, s := range d.score {
				if math.Abs(s-exact[i]) > single*core.SumOf(magnitudes(d.beta)) {
					t.Fatalf("%T, %v: score %d is %g, want %g", l, bias, i, s, exact[i])
				}
			}
		}
	}
}

// For scores that lack the bias of the solution, the prediction is the β that is optimal for the
// scores with it.
func TestPredictionTakesTheBias(t *testing.T) {
	const n = 100
	for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias} {
		for _, b := range []float64{-20, 20} {
			p := &core.Problem{Data: &svmkit.Dataset{Dim: 1}, Bias: bias, Kernel: kernel.RBF{Gamma: 1}}
			for i := range n {
				p.Data.X, p.Data.Y = append(p.Data.X, svmkit.Dense(float64(i))), append(p.Data.Y, float64(1-i%2*2))
			}
			task := core.NewTask(p)
			d, err := newDecomposition(Decomposition{WorkingSet: 64}, task, core.NewRun(t.Context(), task, coretest.WithDefaults(core.Settings{})))
			if err != nil {
				t.Fatal(err)
			}
			want := make([]float64, n)
			for i, y := range d.t.Loss { // every tenth row and its neighbour are inside of the street
				side := 1.0
				if y.Under == 0 {
					side = -1
				}
				margin := 2.0
				if i%10 < 2 {
					margin, want[i] = -1, side
				}
				d.score[i] = side*margin - b
			}
			if bias == svmkit.PenalizedBias {
				clear(d.beta)
				d.beta[0] = b // the bias is Σβ
			}
			if d.predict(); !slices.Equal(d.beta, want) {
				t.Errorf("%v, b = %g: β = %v, want %v", bias, b, d.beta, want)
			}
		}
	}
}

// A free bias takes up a shift of all scores: β is the same, also where Σβ had to be made zero.
func TestPredictionOfShiftedScores(t *testing.T) {
	const n = 100
	rng := rand.New(rand.NewPCG(7, 0))
	repaired := 0
	for range 50 {
		p := &core.Problem{Data: &svmkit.Dataset{Dim: 1}, Bias: svmkit.FreeBias, Kernel: kernel.RBF{Gamma: 1}}
		for i := range n {
			p.Data.X, p.Data.Y = append(p.Data.X, svmkit.Dense(float64(i))), append(p.Data.Y, float64(1-rng.IntN(3)/2*2))
			p.Data.Weight = append(p.Data.Weight, float64(1+rng.IntN(4))/2)
		}
		task := core.NewTask(p)
		d, err := newDecomposition(Decomposition{WorkingSet: 64}, task, core.NewRun(t.Context(), task, coretest.WithDefaults(core.Settings{})))
		if err != nil {
			t.Fatal(err)
		}
		scores := make([]float64, n)
		for i := range scores {
			scores[i] = float64(rng.IntN(256)-128) / 32 // exact in float64 after the shift, too
		}
		var first []float64
		for _, shift := range []float64{0, 16, -16} {
			for i, s := range scores {
				d.score[i] = s + shift
			}
			if d.predict(); core.SumOf(d.beta) != 0 {
				t.Errorf("Σβ = %g", core.SumOf(d.beta))
			}
			if first == nil {
				first = slices.Clone(d.beta)
			}
			if !slices.Equal(d.beta, first) {
				t.Errorf("scores higher by %g: β = %v, want %v", shift, d.beta, first)
			}
		}
		for i, v := range first {
			if lo, hi := d.t.Loss[i].Box(); v != lo && v != hi && v != 0 {
				repaired++
			}
		}
	}
	if repaired == 0 {
		t.Error("no Σβ had to be made zero: draw others")
	}
}

func magnitudes(v []float64) []float64 {
	m := slices.Clone(v)
	for i := range m {
		m[i] = math.Abs(m[i])
	}
	return m
}

// The k largest are found in any order of the candidates, ties by the lower row.
func TestLargest(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	for trial := range 2000 {
		n := rng.IntN(40)
		c := make([]candidate, n)
		for i := range c {
			c[i] = candidate{int32(i), float64(rng.IntN(1 + trial%9))}
		}
		sorted := slices.Clone(c)
		slices.SortStableFunc(sorted, func(a, b candidate) int {
			return int(math.Copysign(1, b.violation-a.violation)) * map[bool]int{true: 0, false: 1}[a.violation == b.violation]
		})
		rng.Shuffle(n, func(i, j int) { c[i], c[j] = c[j], c[i] })
		k := rng.IntN(n + 2)
		got := slices.Clone(largest(c, k))
		byRow := func(a, b candidate) int { return int(a.row - b.row) }
		want := sorted[:min(k, n)]
		slices.SortFunc(got, byRow)
		slices.SortFunc(want, byRow)
		if !slices.Equal(got, want) {
			t.Fatalf("the %d largest of %v: %v, want %v", k, c, got, want)
		}
	}
}

// Equal rows with equal ranges are one, with the sum of their costs; β is shared out by cost, and
// comes back as it was.
func TestMerge(t *testing.T) {
	x := []svmkit.Row{svmkit.Dense(1, 0), svmkit.Dense(1, 0), svmkit.Dense(1, math.Copysign(0, -1)), svmkit.Dense(1, 0), svmkit.Dense(2, 0)}
	p := &core.Problem{Data: &svmkit.Dataset{X: x, Y: []float64{1, -1, 1, 1, 1}, Weight: []float64{1, 1, 2, 5, 1}, Dim: 2}, Kernel: kernel.RBF{Gamma: 1}}
	m := merge(core.NewTask(p))
	inf := math.Inf(1)
	want := []core.Loss{{Low: 1, High: inf, Under: 8}, {Low: -inf, High: -1, Over: 1}, {Low: 1, High: inf, Under: 1}}
	if !slices.Equal(m.of, []int32{0, 1, 0, 0, 2}) || !slices.Equal(m.task.Loss, want) {
		t.Fatalf("classes %v, losses %v", m.of, m.task.Loss)
	}
	beta, joint := make([]float64, 5), make([]float64, 3)
	m.share(beta, []float64{4, -1, 0})
	if !slices.Equal(beta, []float64{0.5, -1, 1, 2.5, 0}) {
		t.Errorf("shared out: %v", beta)
	}
	m.join(joint, beta)
	if !slices.Equal(joint, []float64{4, -1, 0}) || !slices.Equal(m.spread([]float64{7, 8, 9}), []float64{7, 8, 7, 7, 9}) {
		t.Errorf("joined: %v", joint)
	}
	if m.share(beta, []float64{8, 0, 0}); !slices.Equal(beta, []float64{1, 0, 2, 5, 0}) {
		t.Errorf("at its bound: %v", beta)
	}
}
