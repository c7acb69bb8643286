package gauss

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/parallel"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// direct is the kernel as its formula says, from squared differences.
func direct(gamma float64, x, z svmkit.Row) float64 {
	at := func(r svmkit.Row, j int) float64 {
		if r.Index == nil && j >= len(r.Value) {
			return 0
		}
		return r.At(j)
	}
	s := 0.0
	for j := range 50 {
		d := at(x, j) - at(z, j)
		s += d * d
	}
	return math.Exp(-gamma * s)
}

// draw returns n rows of d columns: dense, or sparse ones with the given share of numbers.
func draw(rng *rand.Rand, n, d int, share float64) []svmkit.Row {
	rows := make([]svmkit.Row, n)
	for i := range rows {
		var x svmkit.Row
		for j := range d {
			v := rng.NormFloat64()
			if share == 0 {
				x.Value = append(x.Value, v)
			} else if rng.Float64() < share {
				x.Index, x.Value = append(x.Index, int32(j)), append(x.Value, v)
			}
		}
		if share > 0 && x.Index == nil {
			x = svmkit.Row{Index: []int32{}, Value: []float64{}}
		}
		rows[i] = x
	}
	return rows
}

const (
	exactSums  = 1e-13 // of scaled data, per unit of Σ|w|
	singleSums = 1e-5
)

// All sums and all blocks, for dense, sparse and filled-up rows, one row or many, against the
// formula.
func TestSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for _, n := range []int{1, 2, 31, 33, 300} {
		for _, d := range []int{1, 3, 40} {
			for _, share := range []float64{0, 0.1, 0.3, 0.7} {
				t.Run(fmt.Sprintf("n=%d,d=%d,share=%g", n, d, share), func(t *testing.T) {
					rows := draw(rng, n, d, share)
					gamma := 0.5 / float64(d)
					g := New(gamma, rows, d, nil)
					if g == nil || g.Far() != nil || g.Coarse() {
						t.Fatal("refused")
					}
					z := append(draw(rng, 150, d, share), rows[0])
					weights, total := make([]float64, len(z)), 0.0
					for k := range weights {
						weights[k] = rng.NormFloat64()
						total += math.Abs(weights[k])
					}
					for _, z := range z {
						if !g.Fits(z) {
							t.Fatal("a row of the same space does not fit")
						}
					}
					sums := make([]float64, n)
					sums[0] = 3
					if err := g.Sums(t.Context(), sums, z, weights); err != nil {
						t.Fatal(err)
					}
					for i, x := range rows {
						want := 0.0
						if i == 0 {
							want = 3
						}
						for k, z := range z {
							want += weights[k] * direct(gamma, x, z)
						}
						if math.Abs(sums[i]-want) > exactSums*total {
							t.Fatalf("sum %d is %.17g, want %.17g", i, sums[i], want)
						}
					}
					checkOwn(t, g, rng, gamma)
				})
			}
		}
	}
}

// checkOwn looks at what is computed in float32 between rows of the set itself.
func checkOwn(t *testing.T, g *Rows, rng *rand.Rand, gamma float64) {
	n := len(g.rows)
	which, weights := []int32{}, []float64{}
	for i := 0; i < n; i += 2 {
		which, weights = append(which, int32(i)), append(weights, rng.NormFloat64())
	}
	sums := make([]float64, n)
	if err := g.Add(t.Context(), sums, which, weights); err != nil {
		t.Fatal(err)
	}
	for i, x := range g.rows {
		want, total := 0.0, 0.0
		for k, j := range which {
			want += weights[k] * direct(gamma, x, g.rows[j])
			total += math.Abs(weights[k])
		}
		if math.Abs(sums[i]-want) > singleSums*total {
			t.Fatalf("float32 sum %d is %g, want %g", i, sums[i], want)
		}
	}
	if n > 100 { // once more with other rows, fewer and many: no buffer may remember
		for _, m := range []int{3, n} {
			sums := make([]float64, n)
			few := make([]int32, m)
			for k := range few {
				few[k] = int32(n - 1 - k)
			}
			if err := g.Add(t.Context(), sums, few, slices.Repeat([]float64{1}, m)); err != nil {
				t.Fatal(err)
			}
			want := 0.0
			for _, j := range few {
				want += direct(gamma, g.rows[0], g.rows[j])
			}
			if math.Abs(sums[0]-want) > singleSums*float64(m) {
				t.Fatalf("with %d rows: %g, want %g", m, sums[0], want)
			}
		}
	}
	q := (n + 1) / 2
	b := new(Block)
	*b = NewBlock(q)
	all := make([]int32, q)
	for s := range q {
		b.Set[s], all[s] = int32(rng.IntN(n)), int32(s)
	}
	for round := range 3 {
		fresh := all
		if round > 0 {
			fresh = []int32{int32(rng.IntN(q))}
			if q > 1 {
				fresh = append(fresh, (fresh[0]+1)%int32(q))
				slices.Sort(fresh)
			}
			for _, s := range fresh {
				b.Set[s] = int32(rng.IntN(n))
			}
		}
		if err := g.Renew(t.Context(), b, fresh); err != nil {
			t.Fatal(err)
		}
		for s := range q {
			for u := range q {
				want := direct(gamma, g.rows[b.Set[s]], g.rows[b.Set[u]])
				if got := float64(b.Line(s)[u]); math.Abs(got-want) > singleSums || s == u && got != 1 {
					t.Fatalf("round %d: K(%d,%d) = %g, want %g", round, s, u, got, want)
				}
			}
		}
	}
}

// Rows far from the origin are as good as centred ones; a few far from all others are named, and
// the sums of the others stay exact.
func TestFarRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	rows := draw(rng, 200, 5, 0)
	for _, x := range rows {
		for j := range x.Value {
			x.Value[j] += 1e4
		}
	}
	weights := make([]float64, len(rows))
	for k := range weights {
		weights[k] = 1
	}
	check := func(tol float64) {
		t.Helper()
		g := New(0.1, rows, 5, nil)
		sums := make([]float64, len(rows))
		if err := g.Sums(t.Context(), sums, rows, weights); err != nil {
			t.Fatal(err)
		}
		for i, x := range rows {
			want := 0.0
			for _, z := range rows {
				want += direct(0.1, x, z)
			}
			if !slices.Contains(g.Far(), int32(i)) && math.Abs(sums[i]-want) > tol {
				t.Errorf("sum %d is %.17g, want %.17g", i, sums[i], want)
			}
		}
	}
	check(1e-10) // the rows have but twelve digits behind the offset
	if g := New(0.1, rows, 5, nil); g.Far() != nil || g.Coarse() {
		t.Error("an offset makes rows far")
	}
	rows[17].Value[2], rows[18].Value[2] = 3e7, 3e7+1
	if g := New(0.1, rows, 5, nil); len(g.Far()) != 2 || !g.Coarse() {
		t.Errorf("far rows: %v, want 17 and 18", g.Far())
	}
	check(1e-6)
}

func TestRefuses(t *testing.T) {
	for name, rows := range map[string][]svmkit.Row{
		"overflow":  {svmkit.Dense(1e200), svmkit.Dense(1)},
		"NaN":       {svmkit.Dense(math.NaN())},
		"two sizes": {svmkit.Dense(1), svmkit.Dense(1, 2)},
		"wide":      {{Index: []int32{1 << 20}, Value: []float64{1}}},
	} {
		if New(1, rows, 1, nil) != nil {
			t.Errorf("%s: taken", name)
		}
	}
	g := New(1, []svmkit.Row{svmkit.Dense(1, 2)}, 2, nil)
	for _, z := range []svmkit.Row{svmkit.Dense(1), svmkit.Dense(math.NaN(), 0), svmkit.Dense(1e100, 0), {Index: []int32{7}, Value: []float64{1}}} {
		if g.Fits(z) {
			t.Errorf("%v fits", z)
		}
	}
}

// The same bits with one processor and with several; and a context that has ended is noticed.
func TestSameBitsAndCancellation(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for _, share := range []float64{0, 0.1} {
		rows := draw(rng, 1500, 30, share)
		weights := make([]float64, len(rows))
		for k := range weights {
			weights[k] = rng.NormFloat64()
		}
		var first []float64
		for _, processors := range []int{1, 4, -1, -3} { // below 0: a workers of so many threads
			before := runtime.GOMAXPROCS(max(0, processors))
			var workers *parallel.Workers
			if processors < 0 {
				workers = parallel.NewWorkers(-processors)
			}
			g, sums := New(0.1, rows, 30, workers), make([]float64, 2*len(rows))
			err := errors.Join(g.Sums(t.Context(), sums[:1500], rows, weights), g.Add(t.Context(), sums[1500:], []int32{1, 7, 8}, weights[:3]))
			runtime.GOMAXPROCS(before)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = sums
			}
			if !slices.Equal(first, sums) {
				t.Errorf("%d processors: other bits", processors)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			begun := 0
			if err := g.share(ctx, 10, func(int) { begun++ }); !errors.Is(err, context.Canceled) || begun > 0 {
				t.Errorf("%d processors: cancelled, %d parts were begun: %v", processors, begun, err)
			}
			if err := g.Sums(ctx, make([]float64, 1500), rows, weights); !errors.Is(err, context.Canceled) {
				t.Errorf("%d processors: cancelled: %v", processors, err)
			}
			workers.Close()
		}
	}
}

// The bound of Drift holds: for rows of any size, dense and sparse, and for the rounding of weights
// that all have one sign. It is no more than usefully larger than the error.
func TestDriftBoundsTheError(t *testing.T) {
	const useful = 3000 // the bound is of the worst case, errors of one sign throughout
	rng := rand.New(rand.NewPCG(3, 0))
	for _, d := range []int{1, 4, 40} {
		for _, share := range []float64{0, 0.2, 1} {
			for _, size := range []float64{0.01, 1, 30} {
				rows := draw(rng, 400, d, share)
				for _, x := range rows {
					for j := range x.Value {
						x.Value[j] *= size * math.Exp(rng.NormFloat64())
					}
				}
				g := New(0.3/float64(d), rows, d, nil)
				if g == nil || g.Far() != nil || g.Coarse() {
					continue
				}
				which, weights := make([]int32, len(rows)), make([]float64, len(rows))
				for k := range which {
					which[k], weights[k] = int32(k), 0.1+rng.Float64()
				}
				single, double, drift := make([]float64, len(rows)), make([]float64, len(rows)), Drift{}
				for range 3 {
					drift.Add(g, which, weights)
					if g.Add(t.Context(), single, which, weights) != nil || g.Sums(t.Context(), double, rows, weights) != nil {
						t.Fatal("not computed")
					}
				}
				worst := 0.0
				for i := range rows {
					bound, off := drift.Of(g, i), math.Abs(single[i]-double[i])
					if !(off <= bound) {
						t.Fatalf("d=%d, share=%g, size=%g: score %d is off by %g, bound %g", d, share, size, i, off, bound)
					}
					worst = max(worst, off/bound)
				}
				if size <= 1 && worst*useful < 1 { // of larger rows nearly all values are 0
					t.Errorf("d=%d, share=%g, size=%g: no error is above %g of its bound", d, share, size, worst)
				}
			}
		}
	}
	g := New(1, draw(rng, 10, 2, 0), 2, nil)
	var none Drift
	if none.Of(g, 3) != 0 {
		t.Error("no change, and an error")
	}
	rows := []svmkit.Row{svmkit.Dense(0), svmkit.Dense(2000), svmkit.Dense(0)}
	none.Add(New(1, rows, 1, nil), []int32{0}, []float64{1})
	if b := none.Of(New(1, rows, 1, nil), 0); !math.IsInf(b, 1) {
		t.Errorf("norms beyond float32: bound %g", b)
	}
}

// The bound holds for weights at both ends of float32: those that it rounds to a few digits or to
// 0, and those whose sum it does not have, which no number bounds.
func TestDriftAtTheEndsOfFloat32(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	for _, share := range []float64{0, 0.2} {
		rows := draw(rng, 200, 10, share)
		g, which := New(0.05, rows, 10, nil), make([]int32, len(rows))
		for k := range which {
			which[k] = int32(k)
		}
		for _, size := range []float64{1e-300, 1e-46, 1e-45, 1e-43, 1e-40, 1e-36, 1e30, 1e37, 1e39} {
			weights := make([]float64, len(rows))
			for k := range weights {
				weights[k] = size * (0.5 + rng.Float64())
			}
			single, double, drift := make([]float64, len(rows)), make([]float64, len(rows)), Drift{}
			drift.Add(g, which, weights)
			if g.Add(t.Context(), single, which, weights) != nil || g.Sums(t.Context(), double, rows, weights) != nil {
				t.Fatal("not computed")
			}
			for i := range rows {
				bound, off := drift.Of(g, i), math.Abs(single[i]-double[i])
				if !(off <= bound) || (size < 1e37) == math.IsInf(bound, 1) {
					t.Fatalf("share %g, weights of %g: score %d is off by %g, bound %g", share, size, i, off, bound)
				}
			}
		}
	}
}

// Two groups far from the centre, and rows near each other within a group: the kernel values are
// large and so are the norms, whose rounding is then most of the error. A bound without the norms
// would be too small.
func TestDriftKnowsTheNorms(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	var rows []svmkit.Row
	for k := range 300 {
		side := float64(2*(k%2)-1) * 40
		rows = append(rows, svmkit.Dense(side+rng.NormFloat64(), side+rng.NormFloat64()))
	}
	g := New(0.3, rows, 2, nil)
	which, weights := make([]int32, len(rows)), make([]float64, len(rows))
	for k := range which {
		which[k], weights[k] = int32(k), 1
	}
	single, double, drift := make([]float64, len(rows)), make([]float64, len(rows)), Drift{}
	drift.Add(g, which, weights)
	if g.Far() != nil || g.Add(t.Context(), single, which, weights) != nil || g.Sums(t.Context(), double, rows, weights) != nil {
		t.Fatal("not computed")
	}
	withoutNorms, beyond := Drift{weights: drift.weights}, 0
	for i := range rows {
		off := math.Abs(single[i] - double[i])
		if bound := drift.Of(g, i); !(off <= bound) {
			t.Fatalf("score %d is off by %g, bound %g", i, off, bound)
		}
		if perNorm := float64(2*g.terms+13) * singleUnit; off > withoutNorms.Of(g, i)-higherTerm*drift.weights*perNorm*g.half[i] {
			beyond++
		}
	}
	if beyond == 0 {
		t.Error("no error is large enough to need the norms: draw others")
	}
}

// The sums over the set itself are those over its rows as any others, whatever is left over at the
// end of panels and blocks; they have the same bits on any number of processors, and a context that
// has ended is noticed.
func TestOwnSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, n := range []int{1, 11, 96, 97, 300} {
		for _, d := range []int{1, 5, 180} { // 180: a block of z is more than goes by at a time
			for _, share := range []float64{0, 0.1} {
				rows := draw(rng, n, d, share)
				g := New(0.5/float64(d), rows, d, nil)
				weights, want, total := make([]float64, n), make([]float64, n), 0.0
				for k := range weights {
					weights[k] = rng.NormFloat64()
					total += math.Abs(weights[k])
				}
				if err := g.Sums(t.Context(), want, rows, weights); err != nil {
					t.Fatal(err)
				}
				var first []float64
				for _, processors := range []int{1, 2, 3} {
					before := runtime.GOMAXPROCS(processors)
					got := make([]float64, n)
					err := g.OwnSums(t.Context(), got, weights)
					runtime.GOMAXPROCS(before)
					if err != nil {
						t.Fatal(err)
					}
					for i, v := range got {
						if math.Abs(v-want[i]) > exactSums*total {
							t.Fatalf("n=%d, d=%d, share=%g: sum %d is %.17g, want %.17g", n, d, share, i, v, want[i])
						}
					}
					if first == nil {
						first = got
					}
					if !slices.Equal(got, first) {
						t.Errorf("n=%d: other bits on %d processors", n, processors)
					}
				}
				if err := g.OwnSums(over, make([]float64, n), weights); !errors.Is(err, context.Canceled) {
					t.Errorf("n=%d, d=%d, share=%g: cancelled: %v", n, d, share, err)
				}
			}
		}
	}
}

// A subset has the sums of its rows, from float32 and float64 values.
func TestSubset(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	for _, share := range []float64{0, 0.2} {
		rows := draw(rng, 300, 6, share)
		g, which := New(0.2, rows, 6, nil), []int32{5, 7, 8, 100, 299}
		weights := make([]float64, len(rows))
		for k := range weights {
			weights[k] = rng.NormFloat64()
		}
		all, some := make([]float64, len(rows)), make([]float64, len(which))
		if g.Sums(t.Context(), all, rows, weights) != nil || g.Subset(which).Sums(t.Context(), some, rows, weights) != nil {
			t.Fatal("not computed")
		}
		for k, i := range which {
			if math.Abs(some[k]-all[i]) > exactSums*300 {
				t.Errorf("share %g: sum %d is %g, want %g", share, i, some[k], all[i])
			}
		}
	}
}

// A negative index breaks what Rows promise of a row. That panics, in the caller's goroutine, and
// is no sum without the row; whoever recovers has a set that still answers as before.
func TestANegativeIndexPanics(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	panics := func(f func()) (v any) {
		defer func() { v = recover() }()
		f()
		return nil
	}
	for _, share := range []float64{0.1, 0.9} { // tables of pivots, and panels
		rows := draw(rng, 50, 30, share)
		g := New(0.1, rows, 30, nil)
		bad := append(draw(rng, 50, 30, share), svmkit.Row{Index: []int32{-3}, Value: []float64{1}})
		weights := slices.Repeat([]float64{1}, len(bad))
		want, got := make([]float64, 50), make([]float64, 50)
		if err := g.Sums(t.Context(), want, rows, weights[:50]); err != nil {
			t.Fatal(err)
		}
		var e *svmkit.PanicError
		if v, _ := panics(func() { g.Sums(t.Context(), make([]float64, 50), bad, weights) }).(error); !errors.As(v, &e) || len(e.Stack) == 0 {
			t.Errorf("share %g: another row: panic %v", share, v)
		}
		if err := g.Sums(t.Context(), got, rows[:7], weights[:7]); err != nil {
			t.Fatal(err)
		}
		if err := g.Sums(t.Context(), got, rows[7:], weights[7:50]); err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if math.Abs(got[i]-want[i]) > exactSums*50 {
				t.Fatalf("share %g: after the panic sum %d is %g, want %g", share, i, got[i], want[i])
			}
		}
		late := New(0.1, rows, 30, nil)
		rows[20] = bad[50]
		if panics(func() { late.Sums(t.Context(), got, rows[:7], weights[:7]) }) == nil {
			t.Errorf("share %g: a row of the set: no panic", share)
		}
	}
}
