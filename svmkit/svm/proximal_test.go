package svm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm/internal/core/coretest"
)

// proximalTol is five digits better than the default.
const proximalTol = 1e-8

func mustBeOptimal(t *testing.T, name string, p *Problem, tol float64) *Result {
	t.Helper()
	r, err := Fit(context.Background(), p, ProximalNewton{}, &Settings{Tol: tol})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if r.Status != svmkit.Optimal {
		t.Errorf("%s: %v (%s) after %d steps, relative gap %g", name, r.Status, r.Reason, r.Updates, r.RelativeGap())
	}
	return r
}

// Random problems of odd shapes, one row and more columns than rows among them, with weights and
// prices of the sides: the optimum is that of the quadratic program.
func TestProximalNewtonAgainstOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	coretest.QPCases(func(name string, l loss.Trainable, b svmkit.Bias) {
		for _, shape := range [][2]int{{2, 1}, {2, 5}, {10, 30}, {40, 3}, {60, 8}} {
			p := public(coretest.WeightedProblem(rng, shape[0], shape[1], l, b))
			r := mustBeOptimal(t, fmt.Sprint(name, shape), p, proximalTol)
			want := oracle(t, p)
			if math.Abs(r.Primal-want) > 3*proximalTol*max(1, want) {
				t.Errorf("%s, %v: primal %.12g, the oracle's %.12g", name, shape, r.Primal, want)
			}
		}
	})
}

// One row: f = low at a price of ‖x‖² if that is cheaper than the loss.
func TestProximalNewtonOneRow(t *testing.T) {
	for _, c := range []float64{0.01, 0.1, 1, 100} {
		p := &Problem{Data: &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 2}, 2), Y: []float64{3}, Dim: 2},
			Loss: loss.EpsInsensitive{Epsilon: 0.5}, Bias: svmkit.NoBias, C: PerSum(c)}
		r := mustBeOptimal(t, fmt.Sprint("C = ", c), p, 1e-10)
		beta := min(c, 2.5/5) // f = 5β reaches the tube at 2.5
		want := 5*beta*beta/2 + c*(2.5-5*beta)
		if math.Abs(r.Primal-want) > 1e-9 {
			t.Errorf("C = %g: %g, want %g", c, r.Primal, want)
		}
	}
}

// harsh returns a problem with unscaled data: columns from 1e-6 to 1e6, one of them twice,
// one constant and one zero, every tenth row twice and one row of zeros.
func harsh(rng *rand.Rand, n int, l loss.Trainable, b svmkit.Bias) *Problem {
	p := &Problem{Data: &svmkit.Dataset{Dim: 10}, Loss: l, Bias: b}
	scale := []float64{1e-6, 1e-3, 1, 1, 1e3, 1e6}
	for i := range n {
		if i%10 == 9 {
			p.Data.X, p.Data.Y = append(p.Data.X, p.Data.X[i-1]), append(p.Data.Y, p.Data.Y[i-1])
			continue
		}
		x, f := make([]float64, 10), rng.NormFloat64()
		for j, s := range scale {
			v := rng.NormFloat64()
			f += v
			x[j] = s * v
		}
		x[7], x[8] = x[2], 5
		if i == n/2 {
			clear(x)
		}
		if !p.Regression() {
			f = math.Copysign(1, f)
		}
		p.Data.X, p.Data.Y = append(p.Data.X, svmkit.Dense(x...)), append(p.Data.Y, f)
	}
	return p
}

// A certificate of 1e-6 also where coordinate descent would need many thousand passes: after 24
// steps in the median. A few fits, mostly of squared losses, wait for rounding to let the gap fall,
// up to the 400 steps that may pass without progress.
func TestProximalNewtonOnHarshData(t *testing.T) {
	const inTheMedian, mostAlone = 30, 450
	rng := rand.New(rand.NewPCG(2, 0))
	var steps []int
	coretest.QPCases(func(name string, l loss.Trainable, b svmkit.Bias) {
		for k := range 20 {
			n := []int{200, 3000}[k%2]
			r := mustBeOptimal(t, fmt.Sprint(name, ", n = ", n), harsh(rng, n, l, b), 1e-6)
			if r.Updates > mostAlone {
				t.Errorf("%s: %d steps", name, r.Updates)
			}
			steps = append(steps, r.Updates)
		}
	})
	slices.Sort(steps)
	if median := steps[len(steps)/2]; median > inTheMedian {
		t.Errorf("a fit takes %d steps in the median", median)
	}
}

// With a large C the optimum of data that a plane separates is the widest street, whose two points
// of support here are (±1, 0), all others being farther away: ½‖w‖² = ½.
func TestProximalNewtonOnSeparableData(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for _, b := range []svmkit.Bias{svmkit.FreeBias, svmkit.NoBias} {
		for _, c := range []float64{1, 1e3, 1e6} {
			set := &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 0, -1, 0}, 2), Y: []float64{1, -1}, Dim: 2}
			for i := range 500 {
				y := float64(1 - 2*(i%2))
				set.X = append(set.X, svmkit.Dense(y*(1+3*rng.Float64()), rng.NormFloat64()*0.1))
				set.Y = append(set.Y, y)
			}
			set.X[2], set.X[3] = set.X[0], set.X[1]
			for i := range set.X[4:] {
				set.X[4+i].Value[0] += set.Y[4+i] * 0.5
			}
			r := mustBeOptimal(t, fmt.Sprint(b, ", C = ", c), &Problem{Data: set, Bias: b, C: PerSum(c)}, 1e-8)
			if math.Abs(r.Primal-0.5) > 1e-7 {
				t.Errorf("%v, C = %g: %g, want 0.5", b, c, r.Primal)
			}
		}
	}
}

// All targets inside of a tube about zero: w = 0, and nothing to do.
func TestProximalNewtonWithNothingToDo(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	for _, l := range []loss.Trainable{loss.EpsInsensitive{Epsilon: 1e3}, loss.SquaredEpsInsensitive{Epsilon: 1e3}} {
		for _, b := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
			r := mustBeOptimal(t, fmt.Sprintf("%T, %v", l, b), public(coretest.WeightedProblem(rng, 500, 4, l, b)), 1e-6)
			if r.Primal > 1e-6 {
				t.Errorf("%T, %v: objective %g, want 0", l, b, r.Primal)
			}
		}
	}
}

// Rows that are all the same, or zero, and targets that are.
func TestProximalNewtonOnConstantData(t *testing.T) {
	coretest.QPCases(func(name string, l loss.Trainable, b svmkit.Bias) {
		for _, v := range []float64{0, 1, 1e6} {
			p := &Problem{Data: &svmkit.Dataset{Dim: 3}, Loss: l, Bias: b}
			for i := range 300 {
				p.Data.X = append(p.Data.X, svmkit.Dense(v, v, 0))
				p.Data.Y = append(p.Data.Y, float64(1-2*(i%3%2)))
			}
			mustBeOptimal(t, fmt.Sprint(name, ", x = ", v), p, 1e-6)
		}
	})
}

// Full rows and sparse rows with the same numbers, and both kinds in one set, are one problem.
func TestProximalNewtonOnSparseAndFullRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	coretest.QPCases(func(name string, l loss.Trainable, b svmkit.Bias) {
		sparse := public(coretest.WeightedProblem(rng, 400, 20, l, b))
		full, mixed := *sparse, *sparse
		allFull, both := *sparse.Data, *sparse.Data
		allFull.X, both.X = nil, nil
		full.Data, mixed.Data = &allFull, &both
		for i, x := range sparse.Data.X {
			v := make([]float64, 20)
			x.AddTo(v, 1)
			full.Data.X = append(full.Data.X, svmkit.Dense(v...))
			if i%7 == 0 {
				x = svmkit.Dense(v...)
			}
			mixed.Data.X = append(mixed.Data.X, x)
		}
		want := mustBeOptimal(t, name, sparse, proximalTol).Primal
		for kind, p := range map[string]*Problem{"full": &full, "mixed": &mixed} {
			if got := mustBeOptimal(t, name+", "+kind, p, proximalTol).Primal; math.Abs(got-want) > 2*proximalTol*want {
				t.Errorf("%s: %s rows %.12g, sparse %.12g", name, kind, got, want)
			}
		}
	})
}

// The number of threads changes no bit. The problems are large enough for passes of several parts,
// and for a matrix of several tiles.
func TestProximalNewtonSameBitsWithThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	rng := rand.New(rand.NewPCG(6, 0))
	for _, l := range coretest.QPLosses {
		for range 2 { // sparse or full, by the drawing
			p := public(coretest.WeightedProblem(rng, 6000, 70, l, svmkit.FreeBias))
			var want *Result
			for threads := 1; threads <= 3; threads++ {
				runtime.GOMAXPROCS(threads)
				r := mustBeOptimal(t, fmt.Sprintf("%T", l), p, 1e-6)
				if want == nil {
					want = r
				} else if !slices.Equal(r.Beta, want.Beta) || !slices.Equal(r.Weights, want.Weights) || r.Bias != want.Bias {
					t.Errorf("%T: %d threads give other bits than one", l, threads)
				}
			}
		}
	}
}

// From the solution no step is made; from that of a smaller C fewer than from nothing.
func TestProximalNewtonStartsWarm(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	coretest.QPCases(func(name string, l loss.Trainable, b svmkit.Bias) {
		p := public(coretest.WeightedProblem(rng, 500, 10, l, b))
		first := mustBeOptimal(t, name, p, 1e-7)
		more := *p
		more.C.C *= 1.1
		cold := mustBeOptimal(t, name, &more, 1e-7)
		start := slices.Clone(first.Beta)
		for i := range start {
			start[i] *= 1.1
		}
		warm, err := Fit(context.Background(), &more, ProximalNewton{}, &Settings{Tol: 1e-7, Start: start})
		if err != nil || warm.Status != svmkit.Optimal || warm.Updates > cold.Updates {
			t.Errorf("%s: warm %v after %d steps, cold after %d (%v)", name, warm.Status, warm.Updates, cold.Updates, err)
		}
	})
}

// The context ends while a fit of some seconds is under way: the answer comes at once.
func TestProximalNewtonIsCancelled(t *testing.T) {
	const hangs = time.Minute // how soon it really ends is TestReliabilityCancellationIsPrompt's business, by the processors' time
	p := public(coretest.WeightedProblem(rand.New(rand.NewPCG(8, 0)), 4000, 800, loss.Hinge{}, svmkit.FreeBias))
	p.Validate()
	for _, after := range []time.Duration{time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(context.Background(), after)
		defer cancel()
		begin := time.Now()
		r, err := Fit(ctx, p, ProximalNewton{}, &Settings{Tol: 1e-12})
		if err != context.DeadlineExceeded || r == nil || r.Status != svmkit.Cancelled {
			t.Fatalf("%v, %v", r, err)
		}
		if late := time.Since(begin) - after; late > hangs {
			t.Errorf("the answer came %v after the end", late)
		}
		if proof, err := p.Certify(r.Beta); err != nil || math.Abs(proof.Gap-r.Gap) > 1e-9*r.Primal {
			t.Errorf("certified again: %v, reported gap %g", proof, r.Gap)
		}
	}
}

func TestProximalNewtonRefuses(t *testing.T) {
	wide := public(coretest.WeightedProblem(rand.New(rand.NewPCG(9, 0)), 4, 3, loss.Hinge{}, svmkit.NoBias))
	wide.Data.Dim = 5001
	for i, x := range wide.Data.X {
		if x.Index == nil {
			wide.Data.X[i].Index = []int32{0, 1, 2}
		}
	}
	hard := public(coretest.WeightedProblem(rand.New(rand.NewPCG(9, 0)), 4, 3, loss.Hinge{}, svmkit.NoBias))
	hard.C = PerSum(math.Inf(1))
	for name, p := range map[string]*Problem{"too many columns": wide, "hard margin": hard,
		"logistic": public(coretest.WeightedProblem(rand.New(rand.NewPCG(9, 0)), 4, 3, loss.Logistic{}, svmkit.NoBias))} {
		if _, err := Fit(context.Background(), p, ProximalNewton{}, nil); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// A tolerance below rounding ends as Stalled, with a gap near rounding.
func TestProximalNewtonStallsAtRounding(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 0))
	coretest.QPCases(func(name string, l loss.Trainable, b svmkit.Bias) {
		r, err := Fit(context.Background(), public(coretest.WeightedProblem(rng, 300, 6, l, b)), ProximalNewton{}, &Settings{Tol: 1e-30})
		if err != nil || r.Status != svmkit.Stalled && r.Status != svmkit.Optimal || r.Status == svmkit.Stalled && r.Reason == "" {
			t.Errorf("%s: %v %q, %v", name, r.Status, r.Reason, err)
		}
		if r.RelativeGap() > 1e-10 {
			t.Errorf("%s: relative gap %g", name, r.RelativeGap())
		}
	})
}
