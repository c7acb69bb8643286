package multiclass_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/samples"
	"pgregory.net/rapid"
)

// primal is the definition of the objective, written as plainly as possible.
func primal(l multiclass.Linear, m multiclass.CrammerSinger) float64 {
	c := m.C
	if c == 0 {
		c = 1
	}
	sum := 0.0
	for k, w := range l.W {
		sum += svmkit.Dense(w...).SquaredNorm() / 2
		sum += l.B[k] * l.B[k] / 2
	}
	for x, label := range m.Data.All() {
		y := int(label)
		if l.Signed {
			y = int(label+1) / 2
		}
		f, worst := l.ClassScores(x), 0.0
		for k := range f {
			if k != y {
				worst = max(worst, 1+f[k]-f[y])
			}
		}
		sum += c * worst
	}
	return sum
}

// drawAlpha draws a feasible α: others ≤ 0 in a row that adds up to 0, own class at most C.
func drawAlpha(rng *rand.Rand, set *svmkit.Dataset, classes int, c float64) [][]float64 {
	alpha := make([][]float64, set.Len())
	for i := range alpha {
		alpha[i] = make([]float64, classes)
		y, sum := int(set.Y[i]), 0.0
		for k := range alpha[i] {
			if k != y && rng.IntN(3) > 0 {
				alpha[i][k] = -rng.Float64()
				sum -= alpha[i][k]
			}
		}
		if sum > 0 {
			size := c * rng.Float64() / sum
			for k := range alpha[i] {
				alpha[i][k] *= size
			}
			alpha[i][y] = sum * size
		}
	}
	return alpha
}

// certificateRounding is for sums of a few hundred numbers computed in two orders.
const certificateRounding = 1e-10

// Weak duality: no feasible α and no model contradict each other, whichever two are taken.
// And the certificate's primal is the definition's.
func TestCrammerSingerWeakDuality(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes := rapid.IntRange(3, 5).Draw(t, "K")
		set := drawSet(t, classes)
		m := multiclass.CrammerSinger{Data: set, C: rapid.SampledFrom([]float64{0.001, 0.01, 0.1}).Draw(t, "C"),
			Bias: rapid.SampledFrom([]svmkit.Bias{0, svmkit.NoBias, svmkit.PenalizedBias}).Draw(t, "bias")}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		least, most := math.Inf(1), math.Inf(-1)
		for range 5 {
			alpha := drawAlpha(rng, set, classes, m.C)
			s, err := m.Certify(alpha)
			if err != nil {
				t.Fatal(err)
			}
			least, most = min(least, s.Primal), max(most, s.Dual)
			if want := primal(s.Linear, m); math.Abs(s.Primal-want) > certificateRounding*(1+want) {
				t.Fatalf("primal %g, by definition %g", s.Primal, want)
			}
			for i := range alpha { // it was feasible: nothing to repair
				for k := range alpha[i] {
					if math.Abs(alpha[i][k]-s.Alpha[i][k]) > certificateRounding {
						t.Fatalf("row %d: α %v became %v", i, alpha[i], s.Alpha[i])
					}
				}
			}
		}
		if most > least+certificateRounding*(1+least) {
			t.Fatalf("a dual value %g above a primal one %g", most, least)
		}
		s, err := m.Fit(t.Context(), nil)
		if err != nil || s.Status != svmkit.Optimal {
			t.Fatalf("%v: gap %g after %d passes", err, s.RelativeGap(), s.Iterations)
		}
		if s.Primal > least+1e-3*(1+least) || s.Dual < most-1e-3*(1+math.Abs(most)) {
			t.Fatalf("fit [%g, %g] is worse than a guess: %g, %g", s.Dual, s.Primal, most, least)
		}
	})
}

// An α from anywhere is made feasible before it is certified, so that Dual is a bound.
func TestCrammerSingerRepairsAnyAlpha(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawSet(t, 3)
		alpha := make([][]float64, set.Len())
		for i := range alpha {
			alpha[i] = rapid.SliceOfN(rapid.Float64Range(-9, 9), 3, 3).Draw(t, "α")
		}
		m := multiclass.CrammerSinger{Data: set, C: 0.02}
		s, err := m.Certify(alpha)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range s.Alpha {
			sum := 0.0
			for k, v := range row {
				sum += v
				if k == int(set.Y[i]) && v > m.C || k != int(set.Y[i]) && v > 0 {
					t.Fatalf("row %d of class %g: α = %v", i, set.Y[i], row)
				}
			}
			if math.Abs(sum) > certificateRounding {
				t.Fatalf("row %d adds up to %g", i, sum)
			}
		}
		best, err := m.Fit(t.Context(), &multiclass.Settings{Tol: 1e-6})
		if err != nil || s.Dual > best.Primal+certificateRounding*(1+best.Primal) {
			t.Fatalf("%v: dual %g above the optimum %g", err, s.Dual, best.Primal)
		}
	})
}

// The three unit vectors, a class each. By symmetry αᵢ = t·(1, −½, −½) with the 1 at i, and
// P = D: for t = C < 2/3 the optimum is 3C − 9C²/4, for larger C it is 1 at t = 2/3.
func TestCrammerSingerByHand(t *testing.T) {
	set, err := svmkit.NewDataset([][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, []float64{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ c, optimum float64 }{{0.1, 0.3 - 0.0225}, {0.5, 1.5 - 9.0/16}, {2.0 / 3, 1}, {1, 1}, {1000, 1}} {
		s, err := multiclass.CrammerSinger{Data: set, C: c.c}.Fit(t.Context(), &multiclass.Settings{Tol: 1e-9})
		if err != nil || s.Status != svmkit.Optimal {
			t.Fatal(err, s)
		}
		if math.Abs(s.Primal-c.optimum) > 1e-8 || s.KKT > 1e-4 { // primal error is of second order in KKT
			t.Errorf("C = %g: optimum %.12g, want %.12g (KKT %g)", c.c, s.Primal, c.optimum, s.KKT)
		}
	}
}

// reference maximises the dual by projected gradient ascent with a step of 1/L; the projection
// onto {Σa = 0, aₖ ≤ uₖ} is by bisection, so it has no sorting in common with the solver.
func reference(set *svmkit.Dataset, classes int, c float64) [][]float64 {
	alpha := make([][]float64, set.Len())
	trace := 0.0
	for i, x := range set.X {
		alpha[i] = make([]float64, classes)
		trace += x.SquaredNorm()
	}
	for range 20000 {
		w := make([][]float64, classes)
		for k := range w {
			w[k] = make([]float64, set.Dim)
			for i, x := range set.X {
				x.AddTo(w[k], alpha[i][k])
			}
		}
		for i, x := range set.X {
			y := int(set.Y[i])
			v := make([]float64, classes)
			for k := range v {
				v[k] = alpha[i][k] - x.Dot(w[k])/trace
				if k != y {
					v[k] -= 1 / trace
				}
			}
			bounded := func(k int, shift float64) float64 {
				if k == y {
					return min(c, v[k]+shift)
				}
				return min(0, v[k]+shift)
			}
			lo, hi := -1e3, 1e3
			for range 80 {
				mid, sum := (lo+hi)/2, 0.0
				for k := range v {
					sum += bounded(k, mid)
				}
				if sum < 0 {
					lo = mid
				} else {
					hi = mid
				}
			}
			for k := range v {
				alpha[i][k] = bounded(k, hi)
			}
		}
	}
	return alpha
}

func TestCrammerSingerAgreesWithProjectedGradient(t *testing.T) {
	const slow = 1e-4 // what 20,000 steps of 1/L reach on these
	rng := rand.New(rand.NewPCG(3, 0))
	for range 6 {
		set := &svmkit.Dataset{Dim: 2}
		for i := range 7 {
			set.X = append(set.X, svmkit.Dense(rng.NormFloat64(), rng.NormFloat64()))
			set.Y = append(set.Y, float64(i%3))
		}
		m := multiclass.CrammerSinger{Data: set, C: 0.5 + rng.Float64()}
		want, err := m.Certify(reference(set, 3, m.C))
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Fit(t.Context(), &multiclass.Settings{Tol: 1e-9})
		if err != nil || got.Status != svmkit.Optimal {
			t.Fatal(err)
		}
		if want.RelativeGap() > slow || math.Abs(got.Primal-want.Primal) > slow*got.Primal {
			t.Errorf("optimum %g, reference %g with gap %g", got.Primal, want.Primal, want.Gap)
		}
	}
}

func sampleSets(t *testing.T) map[string]*svmkit.Dataset {
	wine := samples.Wine()
	scaling, err := feature.Scaler{}.Fit(wine)
	if err != nil {
		t.Fatal(err)
	}
	if wine, err = scaling.Apply(wine); err != nil {
		t.Fatal(err)
	}
	digits := samples.Digits()
	return map[string]*svmkit.Dataset{"iris": samples.Iris(), "wine": wine, "digits": digits.Subset(firstRows(300))}
}

func firstRows(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// Real sets to a relative gap of 1e-6, with the primal by definition, Σₖ wₖ = 0 (which follows
// from Σₖ αᵢₖ = 0), and no direction in which a small step helps.
func TestCrammerSingerOnSamples(t *testing.T) {
	for name, set := range sampleSets(t) {
		const tol = 1e-6
		for _, bias := range []svmkit.Bias{svmkit.NoBias, svmkit.PenalizedBias} {
			m := multiclass.CrammerSinger{Data: set, Bias: bias}
			if name == "digits" {
				m.C = 1e-3 // pixels go up to 16
			}
			s, err := m.Fit(t.Context(), &multiclass.Settings{Tol: tol, Seed: 1})
			if err != nil || s.Status != svmkit.Optimal || s.RelativeGap() > tol {
				t.Fatalf("%s: %v, gap %g after %d passes", name, err, s.RelativeGap(), s.Iterations)
			}
			p := primal(s.Linear, m)
			if math.Abs(p-s.Primal) > certificateRounding*p {
				t.Errorf("%s: primal %g, by definition %g", name, s.Primal, p)
			}
			for j := range set.Dim {
				sum, size := 0.0, 0.0
				for _, w := range s.W {
					sum, size = sum+w[j], size+math.Abs(w[j])
				}
				if math.Abs(sum) > certificateRounding*(1+size) {
					t.Errorf("%s: the weights of column %d add up to %g", name, j, sum)
				}
			}
			rng := rand.New(rand.NewPCG(1, 0))
			for range 20 {
				moved := multiclass.Linear{Classes: s.Classes, B: slices.Clone(s.B)}
				for _, w := range s.W {
					v := slices.Clone(w)
					for j := range v {
						v[j] += 1e-2 * rng.NormFloat64()
					}
					moved.W = append(moved.W, v)
				}
				if q := primal(moved, m); q < p-tol*p {
					t.Fatalf("%s: a random step lowers the objective from %g to %g", name, p, q)
				}
			}
		}
	}
}

// The same rows as sparse rows, in any order, give the same optimum; so do rows with a zero row
// added, whose loss is 1 whatever the model.
func TestCrammerSingerMetamorphic(t *testing.T) {
	set := sampleSets(t)["wine"]
	const tol = 1e-7
	want, err := multiclass.CrammerSinger{Data: set, C: 0.1}.Fit(t.Context(), &multiclass.Settings{Tol: tol})
	if err != nil || want.Status != svmkit.Optimal {
		t.Fatal(err)
	}
	sparse := set.Subset(rand.New(rand.NewPCG(5, 0)).Perm(set.Len()))
	for i, x := range sparse.X {
		index := make([]int32, len(x.Value))
		for j := range index {
			index[j] = int32(j)
		}
		sparse.X[i] = svmkit.Row{Index: index, Value: x.Value}
	}
	zero := set.Subset(firstRows(set.Len()))
	zero.X, zero.Y = append(zero.X, svmkit.Dense(make([]float64, set.Dim)...)), append(zero.Y, 1)
	twice := set.Subset(slices.Concat(firstRows(set.Len()), firstRows(set.Len())))
	for _, c := range []struct {
		name string
		set  *svmkit.Dataset
		c    float64
		more float64
	}{{"sparse, shuffled", sparse, 0.1, 0}, {"with a zero row", zero, 0.1, 0.1}, {"each row twice at C/2", twice, 0.05, 0}} {
		got, err := multiclass.CrammerSinger{Data: c.set, C: c.c}.Fit(t.Context(), &multiclass.Settings{Tol: tol, Seed: 9})
		if err != nil || got.Status != svmkit.Optimal {
			t.Fatalf("%s: %v, gap %g", c.name, err, got.RelativeGap())
		}
		if math.Abs(got.Primal-want.Primal-c.more) > 2*tol*max(1, want.Primal) {
			t.Errorf("%s: optimum %.9g, want %.9g", c.name, got.Primal, want.Primal+c.more)
		}
	}
}

func TestCrammerSingerSameSeedSameBits(t *testing.T) {
	set := sampleSets(t)["wine"]
	m, settings := multiclass.CrammerSinger{Data: set, C: 0.1}, &multiclass.Settings{Seed: 4}
	a, err := m.Fit(t.Context(), settings)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Fit(t.Context(), settings)
	if err != nil || !reflect.DeepEqual(a, b) {
		t.Error("two fits with one seed differ", err)
	}
}

func TestCrammerSingerStops(t *testing.T) {
	set := samples.Iris()
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	m := multiclass.CrammerSinger{Data: set, C: 100}
	s, err := m.Fit(ctx, &multiclass.Settings{Tol: 1e-12, Progress: func(p svmkit.Progress) bool {
		calls++
		if p.Iteration > 10 {
			cancel()
		}
		return true
	}})
	if !errors.Is(err, context.Canceled) || s == nil || s.Status != svmkit.Cancelled || s.Iterations > 100 || calls == 0 {
		t.Fatalf("%v: %+v after %d calls", err, s, calls)
	}
	if p := primal(s.Linear, m); math.Abs(p-s.Primal) > certificateRounding*p {
		t.Errorf("the model of a cancelled fit has objective %g, its certificate says %g", p, s.Primal)
	}
	if s, err := m.Fit(t.Context(), &multiclass.Settings{Tol: 1e-12, Progress: func(svmkit.Progress) bool { return false }}); err != nil || s.Status != svmkit.Stopped {
		t.Errorf("%v, %v", err, s.Status)
	}
	if s, err := m.Fit(t.Context(), &multiclass.Settings{Tol: 1e-12, MaxIterations: 3}); err != nil || s.Status != svmkit.IterationLimit || s.Iterations < 3 || s.Iterations > 3+2 {
		t.Errorf("%v: %v after %d passes for a limit of 3", err, s.Status, s.Iterations) // a sweep that has begun is ended
	}
}

// A penalized bias is the weight of a constant feature 1.
func TestCrammerSingerPenalizedBiasIsAConstantFeature(t *testing.T) {
	set := samples.Iris()
	biased, err := multiclass.CrammerSinger{Data: set, Bias: svmkit.PenalizedBias}.Fit(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	augmented, err := multiclass.CrammerSinger{Data: set.Augment(1)}.Fit(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for k, w := range augmented.W {
		if !slices.Equal(w[:set.Dim], biased.W[k]) || w[set.Dim] != biased.B[k] {
			t.Errorf("class %d: %v, %g; with a constant feature %v", k, biased.W[k], biased.B[k], w)
		}
	}
	var param *svmkit.ParamError
	if _, err := (multiclass.CrammerSinger{Data: set, Bias: svmkit.FreeBias}).Fit(t.Context(), nil); !errors.As(err, &param) || param.Name != "Bias" {
		t.Error(err)
	}
}

// A Fitter trains on its own argument, and its error comes without a model.
func TestFitters(t *testing.T) {
	iris, bad := samples.Iris(), &svmkit.Dataset{}
	for name, fit := range map[string]svmkit.Fitter{
		"CrammerSinger": multiclass.CrammerSinger{C: 10, Bias: svmkit.PenalizedBias}.Fitter(nil),
		"OneVsRest":     multiclass.OneVsRest{Binary: nearestMean}.Fitter(),
		"OneVsOne":      multiclass.OneVsOne{Binary: nearestMean}.Fitter(),
	} {
		if model, err := fit(t.Context(), bad); model != nil || !errors.Is(err, svmkit.ErrEmpty) {
			t.Errorf("%s: %v, %v", name, model, err)
		}
		model, err := fit(t.Context(), iris)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := model.(svmkit.Scorer); ok {
			t.Errorf("%s: its class numbers pass as scores", name)
		}
		right := 0
		for x, y := range iris.All() {
			if model.Predict(x).Y == y {
				right++
			}
		}
		if right < 120 {
			t.Errorf("%s: %d of 150 right", name, right)
		}
	}
}

// For two classes w₁ = −w₀, and with u = w₁ − w₀ the objective is half of ½‖u‖² + 2CΣ(1 − y⟨u,x⟩)₊,
// the binary problem without bias at 2C.
func TestCrammerSingerForTwoClassesIsTheHinge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawSet(t, 2)
		m := multiclass.CrammerSinger{Data: set, C: 0.05}
		s, err := m.Fit(t.Context(), &multiclass.Settings{Tol: 1e-6})
		if err != nil || s.Status != svmkit.Optimal {
			t.Fatal(err)
		}
		u := slices.Clone(s.W[1])
		svmkit.Dense(s.W[0]...).AddTo(u, -1)
		binary := svmkit.Dense(u...).SquaredNorm() / 2
		for x, y := range set.All() {
			binary += 2 * m.C * max(0, 1-y*x.Dot(u))
		}
		if math.Abs(binary-2*s.Primal) > certificateRounding*(1+binary) {
			t.Fatalf("binary objective %g, twice ours is %g", binary, 2*s.Primal)
		}
	})
}
