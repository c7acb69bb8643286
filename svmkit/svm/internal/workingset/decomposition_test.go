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

// The prediction from a sample is feasible, with Σβ = 0 where the bias is free, and not zero, and the
// scores are those of its β.
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
