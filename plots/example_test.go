package plots

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
	"gonum.org/v1/plot"
)

// nine points on both sides of 2x₁ + x₂ + 0.1 = 0.
func nine() *svmkit.Dataset {
	set, err := svmkit.NewDataset([][]float64{{1, 0.3}, {0.75, -0.5}, {1.1, -0.8}, {0.2, 1.2},
		{-1.8, 0}, {-1, 0.1}, {-0.6, -1.4}, {-0.7, -0.4}, {-1.5, -1.6}}, []float64{1, 1, 1, 1, -1, -1, -1, -1, -1})
	if err != nil {
		panic(err)
	}
	return set
}

// square40 is 40 points of a square, none within 0.2 of the line 2x₁ + x₂ = 0.
func square40() *svmkit.Dataset {
	rng := rand.New(rand.NewPCG(1, 0))
	set := &svmkit.Dataset{Dim: 2}
	for set.Len() < 40 {
		x := svmkit.Dense(4*rng.Float64()-2, 4*rng.Float64()-2)
		if m := plane(2, 1, 0).SignedDistance(x); math.Abs(m) > 0.2 {
			set.X, set.Y = append(set.X, x), append(set.Y, math.Copysign(1, m))
		}
	}
	return set
}

// cloud is n points of ℝᵈ around the origin, none within 0.1 of the plane with normal (1, …, 1).
func cloud(d, n int) *svmkit.Dataset {
	rng := rand.New(rand.NewPCG(5, uint64(d)))
	set := &svmkit.Dataset{Dim: d}
	for set.Len() < n {
		x := make([]float64, d)
		for j := range x {
			x[j] = rng.NormFloat64() / math.Sqrt(float64(d))
		}
		if m := (svmkit.Hyperplane{W: ones(d)}).SignedDistance(svmkit.Dense(x...)); math.Abs(m) > 0.1 {
			set.X, set.Y = append(set.X, svmkit.Dense(x...)), append(set.Y, math.Copysign(1, m))
		}
	}
	return set
}

func basisVectors(n int) *svmkit.Dataset {
	set := &svmkit.Dataset{Dim: n, Y: ones(n)}
	for j := range n {
		e := make([]float64, n)
		e[j] = 1
		set.X = append(set.X, svmkit.Dense(e...))
	}
	return set
}

func ones(n int) []float64 {
	v := make([]float64, n)
	for j := range v {
		v[j] = 1
	}
	return v
}

// planes runs a perceptron with bias over set until it makes no mistake, and keeps every
// plane.
func planes(set *svmkit.Dataset) []PlaneStep {
	p := perceptron.Perceptron{Bias: svmkit.PenalizedBias}
	trace, err := p.Fit(context.Background(), set, perceptron.Stop{})
	if err != nil {
		panic(err)
	}
	steps, err := Planes(set, trace.Mistakes, true)
	if err != nil {
		panic(err)
	}
	return steps
}

// traced runs a perceptron against the reference w* and returns what the proof is about.
func traced(set *svmkit.Dataset, w []float64) ([]perceptron.Mistake, Novikoff, error) {
	ref := svmkit.Hyperplane{W: w}
	p := perceptron.Perceptron{Reference: &ref}
	trace, err := p.Fit(context.Background(), set, perceptron.Stop{})
	if err != nil {
		return nil, Novikoff{}, err
	}
	gamma, _ := ref.SetMargin(set)
	return trace.Mistakes, Novikoff{Gamma: gamma, NormReference: ref.Norm(), Radius: set.Radius()}, nil
}

// manyRuns is 300 runs on random sets in 2 and in 20 dimensions.
func manyRuns() []BoundRun {
	rng := rand.New(rand.NewPCG(14, 0))
	var runs []BoundRun
	for i := range 300 {
		d := []int{2, 20}[i%2]
		gap := math.Exp(-1 - 3*rng.Float64())
		set := &svmkit.Dataset{Dim: d}
		for set.Len() < 60 {
			x := make([]float64, d)
			for j := range x {
				x[j] = rng.NormFloat64() / math.Sqrt(float64(d))
			}
			y := math.Copysign(1, svmkit.Hyperplane{W: ones(d)}.Score(svmkit.Dense(x...)))
			for j := range x {
				x[j] += y * gap / math.Sqrt(float64(d))
			}
			set.X, set.Y = append(set.X, svmkit.Dense(x...)), append(set.Y, y)
		}
		trace, n, err := traced(set, ones(d))
		if err != nil {
			panic(err)
		}
		runs = append(runs, BoundRun{len(trace), n.Bound(), fmt.Sprintf("%d columns", d)})
	}
	return runs
}

func caption(f *Figure, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Caption)
}

func ExampleNew() {
	p := plot.New()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	_, err := New(p, "A claim.", "")
	fmt.Println(err)
	// Output: svmkit: alt = "": must say what is to be seen, for readers who do not see it
}

// Two points at distance 1 from the plane x₁ = 0.
func ExampleSignedMargins() {
	set, _ := svmkit.NewDataset([][]float64{{1, 0}, {-1, 2}}, []float64{1, -1})
	caption(SignedMargins(set, svmkit.Hyperplane{W: []float64{3, 0}}))
	// Output: Every point is on its own side, and none is nearer to the plane than γ = 1, the distance of the 2 ringed points.
}

// On n basis vectors the bound is met: here the trace of n = 4, where R = 1 and γ = 1/2.
func ExampleSqueeze() {
	var trace []perceptron.Mistake
	for k := 1.0; k <= 4; k++ { // w is a sum of k basis vectors, w* the sum of all
		trace = append(trace, perceptron.Mistake{NormX: 1, NormW: math.Sqrt(k), Align: k})
	}
	caption(Squeeze(trace, Novikoff{Gamma: 0.5, NormReference: 2, Radius: 1}))
	// A margin that no such set has:
	caption(Squeeze(trace, Novikoff{Gamma: 0.6, NormReference: 2, Radius: 1}))
	// Output:
	// The line k·γ‖w*‖ meets the curve √k·R‖w*‖ at k = R²/γ² = 4. The run stays between them and stops after 4 mistakes.
	// The run leaves its bounds at mistake 1: ⟨w,w*⟩ is below k·γ‖w*‖: some example has a margin smaller than γ.
}

// The four corners of a square, opposite ones of one class: XOR.
func ExampleHulls() {
	set, _ := svmkit.NewDataset([][]float64{{1, 1}, {-1, -1}, {1, -1}, {-1, 1}}, []float64{1, 1, -1, -1})
	caption(Hulls(set, nil, nil))
	// Output: The ringed point (0, 0) lies in the convex hulls of both classes: no plane can separate them.
}

func ExampleMistakesAgainstBound() {
	caption(MistakesAgainstBound([]BoundRun{{Mistakes: 3, Bound: 12}, {Mistakes: 20, Bound: 20}, {Mistakes: 5, Bound: 500}}))
	// Output: None of 3 runs makes more mistakes than R²/γ²: the largest ratio of the two is 1, the median 0.25.
}
