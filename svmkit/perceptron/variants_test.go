package perceptron_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/perceptron"
)

// noisy is a set that no plane separates: the labels of a plane, one in five turned over.
func noisy(rng *rand.Rand, n, d int) *svmkit.Dataset {
	s := separable(rng, n, d, 0.05, randomPlane(rng, d, true))
	for i := range s.Y {
		if rng.IntN(5) == 0 {
			s.Y[i] = -s.Y[i]
		}
	}
	return s
}

// The lazy mean is the mean: of the plane after every example, wrong or right, summed the slow way.
func TestAveragedIsTheMeanOfAllPlanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 0))
	for trial := range 10 {
		const d, passes = 4, 5
		s := noisy(rng, 60, d)
		start := perceptron.Perceptron{Bias: biasIf(trial%2 == 1), Rate: []float64{0, 0.2}[trial%2]}
		if trial >= 5 { // a start away from 0 belongs to the mean too
			start.W = randomPlane(rng, d, false).W
		}
		naive := start
		naive.W = slices.Clone(start.W)
		sum, n := make([]float64, d+1), 0.0
		for range passes {
			for x, y := range s.All() {
				naive.Update(x, y)
				for j, w := range naive.W {
					sum[j] += w
				}
				sum[d] += naive.B
				n++
			}
		}
		a := perceptron.Averaged{Last: start}
		for range 2 { // the mean goes on over several fits
			if _, err := a.Fit(context.Background(), s, perceptron.Stop{Epochs: 2}); err != nil {
				t.Fatal(err)
			}
		}
		for x, y := range s.All() { // and over single updates
			a.Update(x, y)
		}
		mean := a.Plane()
		for j, w := range append(slices.Clone(mean.W), mean.B) {
			if math.Abs(w-sum[j]/n) > slack*(1+math.Abs(w)) {
				t.Fatalf("trial %d: w̄[%d] = %g, the mean of %v planes is %g", trial, j, w, n, sum[j]/n)
			}
		}
		for _, x := range s.X {
			if f := mean.Score(x); math.Abs(a.Score(x)-f) > slack*(1+math.Abs(f)) {
				t.Fatalf("trial %d: Score = %g, its plane scores %g", trial, a.Score(x), f)
			}
		}
	}
}

// The voters are the planes of the run in order, each with the number of examples it survived.
func TestVotersAreThePlanesOfTheRun(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 0))
	s := noisy(rng, 80, 3)
	for _, bias := range []bool{false, true} {
		var want []perceptron.Voter
		p := perceptron.Perceptron{Bias: biasIf(bias)}
		for range 3 {
			for x, y := range s.All() {
				if p.Update(x, y) {
					want = append(want, perceptron.Voter{Hyperplane: p.Plane()})
				}
				want[len(want)-1].Count++ // the first example is a mistake
			}
		}
		v := perceptron.Voted{Last: perceptron.Perceptron{Bias: biasIf(bias)}}
		trace, err := v.Fit(context.Background(), s, perceptron.Stop{Epochs: 3})
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Voters) != len(trace.Mistakes) || len(v.Voters) != len(want) {
			t.Fatalf("%d voters, %d mistakes, want %d", len(v.Voters), len(trace.Mistakes), len(want))
		}
		total := 0
		for i, voter := range v.Voters {
			if !slices.Equal(voter.W, want[i].W) || voter.B != want[i].B || voter.Count != want[i].Count {
				t.Fatalf("voter %d is %v, want %v", i, voter, want[i])
			}
			next := trace.Rounds // a plane lives from its mistake to the next
			if i+1 < len(trace.Mistakes) {
				next = trace.Mistakes[i+1].Round
			}
			if voter.Count != next-trace.Mistakes[i].Round {
				t.Fatalf("voter %d has %d votes, lived %d rounds", i, voter.Count, next-trace.Mistakes[i].Round)
			}
			total += voter.Count
		}
		if total != trace.Rounds {
			t.Errorf("%d votes, %d rounds", total, trace.Rounds)
		}
		for _, x := range s.X {
			votes := 0.0
			for _, voter := range want {
				if f := voter.Hyperplane.Score(x); f != 0 {
					votes += math.Copysign(float64(voter.Count), f)
				}
			}
			if v.Score(x) != votes {
				t.Fatalf("Score = %g, want %g", v.Score(x), votes)
			}
		}
	}
}

// Averaged and Voted weigh the same planes: the mean is Σ c·(w,b) / Σ c over the voters.
func TestAveragedAgreesWithTheVoters(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 0))
	s := noisy(rng, 60, 4)
	start := perceptron.Perceptron{Bias: svmkit.PenalizedBias, B: 2} // some first rows are right: the start votes
	a, v := perceptron.Averaged{Last: start}, perceptron.Voted{Last: start}
	a.Fit(context.Background(), s, perceptron.Stop{Epochs: 4})
	v.Fit(context.Background(), s, perceptron.Stop{Epochs: 4})
	mean, total := make([]float64, 5), 0.0
	for _, voter := range v.Voters {
		for j, w := range append(slices.Clone(voter.W), voter.B) {
			mean[j] += float64(voter.Count) * w
		}
		total += float64(voter.Count)
	}
	plane := a.Plane()
	for j, w := range append(slices.Clone(plane.W), plane.B) {
		if math.Abs(w-mean[j]/total) > slack*(1+math.Abs(w)) {
			t.Errorf("w̄[%d] = %g, voters %g", j, w, mean[j]/total)
		}
	}
}

// Streams of sparse rows grow the planes; a dense row that has all columns can then be scored.
func TestVariantsOnGrowingRows(t *testing.T) {
	rows := []svmkit.Row{{Index: []int32{0}, Value: []float64{2}}, {Index: []int32{3}, Value: []float64{-1}},
		{Index: []int32{1, 5}, Value: []float64{1, 1}}}
	var a perceptron.Averaged
	var v perceptron.Voted
	for i, x := range rows {
		a.Update(x, float64(1-2*(i%2)))
		v.Update(x, float64(1-2*(i%2)))
	}
	for _, x := range rows {
		dense := svmkit.Dense(x.ToDense(6)...)
		if a.Score(x) != a.Score(dense) || v.Score(x) != v.Score(dense) {
			t.Errorf("sparse %g, %g; dense %g, %g", a.Score(x), v.Score(x), a.Score(dense), v.Score(dense))
		}
	}
	s := &svmkit.Dataset{X: rows, Y: []float64{1, -1, 1}, Dim: 9}
	var b perceptron.Averaged
	if _, err := b.Fit(context.Background(), s, perceptron.Stop{}); err != nil {
		t.Fatal(err)
	}
	if got, want := b.Score(svmkit.Dense(rows[2].ToDense(9)...)), b.Score(rows[2]); got != want {
		t.Errorf("after Fit: dense %g, sparse %g", got, want)
	}
}

// The kernel perceptron is the perceptron after the feature map. For (⟨x,z⟩ + c₀)² in two
// dimensions the map is x₁², x₂², √2·x₁x₂, √(2c₀)·x₁, √(2c₀)·x₂, c₀; with c₀ = 2 and the
// third feature split into two equal ones, x₁x₂ and x₂x₁, all of it is whole numbers, so
// that both runs agree in every score and at every tie.
func TestKernelizedIsThePerceptronInFeatureSpace(t *testing.T) {
	phi := func(x svmkit.Row) svmkit.Row {
		a, b := x.Value[0], x.Value[1]
		return svmkit.Dense(a*a, b*b, a*b, b*a, 2*a, 2*b, 2)
	}
	rng := rand.New(rand.NewPCG(12, 0))
	for trial := range 12 {
		s := &svmkit.Dataset{Dim: 2}
		lifted := &svmkit.Dataset{Dim: 7}
		for range 25 {
			x := svmkit.Dense(float64(rng.IntN(11)-5), float64(rng.IntN(11)-5))
			y := math.Copysign(1, x.SquaredNorm()-14.5) // a circle; no square sum is 14.5
			if trial%3 == 0 {
				y = float64(2*rng.IntN(2) - 1)
			}
			s.X, s.Y = append(s.X, x), append(s.Y, y)
			lifted.X, lifted.Y = append(lifted.X, phi(x)), append(lifted.Y, y)
		}
		bias := trial%2 == 1
		stop := perceptron.Stop{Epochs: 40}
		k := perceptron.Kernelized{Kernel: kernel.Polynomial{Degree: 2, Coef0: 2}, Bias: biasIf(bias)}
		got, err := k.Fit(context.Background(), s, stop)
		if err != nil {
			t.Fatal(err)
		}
		p := perceptron.Perceptron{Bias: biasIf(bias)}
		want := fit(t, &p, lifted, stop)
		if !equalMistakes(got.Mistakes, want.Mistakes) || got.Status != want.Status {
			t.Fatalf("trial %d: %d mistakes, in feature space %d, or they differ", trial, len(got.Mistakes), len(want.Mistakes))
		}
		for _, x := range s.X {
			if k.Score(x) != p.Score(phi(x)) {
				t.Fatalf("trial %d: score %g, in feature space %g", trial, k.Score(x), p.Score(phi(x)))
			}
		}
		// Erratum 40: α counts mistakes.
		count := map[int]int{}
		for _, i := range indices(got) {
			count[i]++
		}
		if len(count) != len(k.Supports) {
			t.Fatalf("%d supports, %d rows had mistakes", len(k.Supports), len(count))
		}
		seen := map[int]bool{}
		next := 0
		for _, i := range indices(got) { // supports stand in order of their first mistake
			if seen[i] {
				continue
			}
			seen[i] = true
			if sup := k.Supports[next]; sup.Alpha != count[i] || sup.Y != s.Y[i] || !slices.Equal(sup.X.Value, s.X[i].Value) {
				t.Fatalf("support %d is %+v; row %d had %d mistakes", next, sup, i, count[i])
			}
			next++
		}
	}
}

// NormW in feature space, kept by its recurrence, is √(Σ αᵢαⱼyᵢyⱼκ(xᵢ,xⱼ)).
func TestKernelizedNorm(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 0))
	s := noisy(rng, 50, 3)
	k := perceptron.Kernelized{Kernel: kernel.RBF{Gamma: 2}, Bias: svmkit.PenalizedBias}
	for range 2 { // the second fit starts with supports
		trace, err := k.Fit(context.Background(), s, perceptron.Stop{Epochs: 3, Mistakes: 30})
		if err != nil {
			t.Fatal(err)
		}
		square := 0.0
		for _, a := range k.Supports {
			for _, b := range k.Supports {
				square += float64(a.Alpha*b.Alpha) * a.Y * b.Y * (k.Kernel.Eval(a.X, b.X) + 1)
			}
		}
		if got := trace.Mistakes[len(trace.Mistakes)-1].NormW; math.Abs(got-math.Sqrt(square)) > slack*got {
			t.Errorf("NormW = %.17g, want %.17g", got, math.Sqrt(square))
		}
	}
}

// A stream may use the memory of its rows again.
func TestKernelizedCopiesItsSupports(t *testing.T) {
	buffer := []float64{1, 0}
	var k perceptron.Kernelized
	err := k.Learn(context.Background(), func(yield func(svmkit.Row, float64) bool) {
		if yield(svmkit.Row{Value: buffer}, 1) {
			buffer[0], buffer[1] = 0, 1
			yield(svmkit.Row{Value: buffer}, -1)
		}
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := k.Score(svmkit.Dense(1, 0)); got != 1 {
		t.Errorf("score of the first row is %g, want 1", got)
	}
}

func TestKernelizedRefuses(t *testing.T) {
	ctx := context.Background()
	var param *svmkit.ParamError
	for _, k := range []perceptron.Kernelized{
		{Kernel: kernel.RBF{Gamma: -1}}, {Kernel: kernel.Func(nil)},
		{Supports: []perceptron.Support{{X: svmkit.Dense(1, 2, 3), Y: 1, Alpha: 1}}},
		{Supports: []perceptron.Support{{X: svmkit.Row{Index: []int32{2}, Value: []float64{1}}, Y: 1, Alpha: 1}}},
	} {
		if trace, err := k.Fit(ctx, threePoints(), perceptron.Stop{}); !errors.As(err, &param) || trace != nil {
			t.Errorf("%+v: %v, %v", k, trace, err)
		}
	}
	sparse := svmkit.Row{Index: []int32{5}, Value: []float64{1}}
	for _, c := range []struct {
		first, second svmkit.Row
		want          error
	}{
		{sparse, svmkit.Dense(1, 2), svmkit.ErrRagged},
		{svmkit.Dense(1, 2), sparse, svmkit.ErrIndex},
	} {
		var k perceptron.Kernelized
		err := k.Learn(ctx, sequence(labelled{c.first, 1}, labelled{c.second, 1}), nil)
		if !errors.Is(err, c.want) {
			t.Errorf("error %v, want %v", err, c.want)
		}
	}
	var invalid *svmkit.ParamError
	k := perceptron.Kernelized{Kernel: kernel.RBF{}}
	if _, err := k.Fit(ctx, threePoints(), perceptron.Stop{}); !errors.As(err, &invalid) {
		t.Errorf("Fit with an invalid kernel: %v", err)
	}
	if err := k.Learn(ctx, threePoints().All(), nil); !errors.As(err, &invalid) {
		t.Errorf("Learn with an invalid kernel: %v", err)
	}
	k.Update(svmkit.Dense(1, 2), 1)
	if k.Update(svmkit.Dense(2, 1), -1) || !math.IsNaN(k.Score(svmkit.Dense(1, 2))) {
		t.Error("Update with an invalid kernel: a score that is not NaN, or a mistake")
	}
	bad := perceptron.Kernelized{Kernel: kernel.Func(func(x, z svmkit.Row) float64 { return math.NaN() })}
	if _, err := bad.Fit(ctx, threePoints(), perceptron.Stop{}); !errors.Is(err, svmkit.ErrNotFinite) || len(bad.Supports) != 0 {
		t.Errorf("a kernel that is NaN: %v, %d supports", err, len(bad.Supports))
	}
}
