package figures

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/perceptron"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

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
	return trace.Mistakes, Novikoff{Gamma: gamma, NormReference: ref.Norm(), Radius: set.Radius()},
		nil
}

// twoPoints has the numbers of the points (1, 3) and (−1, 2) with the labels +1 and −1, for w* = (1, 0).
var twoPoints = Novikoff{Gamma: 1, NormReference: 1, Radius: math.Sqrt(10)}

// twoPointRun is the run on these two points.
func twoPointRun() (run []Update) {
	for i, w := range [][]float64{{0, 0}, {1, 3}, {2, 1}, {3, -1}, {4, 2}} {
		u := Update{X: []float64{1, 3}, Y: 1, Before: w}
		if i%3 != 0 {
			u.X, u.Y = []float64{-1, 2}, -1
		}
		u.After = []float64{w[0] + u.Y*u.X[0], w[1] + u.Y*u.X[1]}
		run = append(run, u)
	}
	return run
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

func everyFourth(set *svmkit.Dataset) *svmkit.Dataset {
	var rows []int
	for i := 0; i < set.Len(); i += 4 {
		rows = append(rows, i)
	}
	return set.Subset(rows)
}

// wave is a sine with noise.
func wave() *svmkit.Dataset {
	rng := rand.New(rand.NewPCG(9, 0))
	set := &svmkit.Dataset{Dim: 1}
	for i := range 60 {
		x := float64(i) / 10
		set.X, set.Y = append(set.X, svmkit.Dense(x)),
			append(set.Y, math.Sin(x)+0.25*rng.NormFloat64())
	}
	return set
}

func mustSet(x [][]float64, y []float64) *svmkit.Dataset {
	set, err := svmkit.NewDataset(x, y)
	if err != nil {
		panic(err)
	}
	return set
}

// nine points on both sides of 2x₁ + x₂ + 0.1 = 0.
func nine() *svmkit.Dataset {
	set, err := svmkit.NewDataset([][]float64{{1, 0.3}, {0.75, -0.5}, {1.1, -0.8}, {0.2, 1.2},
		{-1.8, 0}, {-1, 0.1}, {-0.6, -1.4}, {-0.7, -0.4}, {-1.5, -1.6}},
		[]float64{1, 1, 1, 1, -1, -1, -1, -1, -1})
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

func caption(f *plots.Figure, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Caption)
}

func isParam(err error) bool { var e *svmkit.ParamError; return errors.As(err, &e) }

func isData(err error) bool { var e *svmkit.DataError; return errors.As(err, &e) }

// rounding bounds errors of a dozen operations on numbers of size ≤ 100.
const rounding = 1e-9

func plane(w1, w2, b float64) svmkit.Hyperplane {
	return svmkit.Hyperplane{W: []float64{w1, w2}, B: b}
}

// xor is two classes at opposite corners of a square.
func xor() *svmkit.Dataset {
	return mustSet([][]float64{{1, 1}, {-1, -1}, {1, -1}, {-1, 1}}, []float64{1, 1, -1, -1})
}

// fitted solves a problem to a gap that cannot be seen in the picture.
func fitted(p *svm.Problem) *svm.Result {
	r, err := svm.Fit(context.Background(), p, nil, &svm.Settings{Tol: 1e-8})
	if err != nil {
		panic(err)
	}
	return r
}

// overlapping is two clouds that no plane separates.
func overlapping() *svmkit.Dataset {
	rng := rand.New(rand.NewPCG(8, 0))
	set := &svmkit.Dataset{Dim: 2}
	for i := range 50 {
		y := float64(1 - 2*(i%2))
		set.X = append(set.X, svmkit.Dense(1.2*y+rng.NormFloat64(), 0.5*y+rng.NormFloat64()))
		set.Y = append(set.Y, y)
	}
	return set
}

// penguins are two measurements of three species, standardized.
func penguins() *svmkit.Dataset {
	two := samples.Penguins().Columns(0, 1)
	scaling, err := feature.Scaler{}.Fit(two)
	if err != nil {
		panic(err)
	}
	scaled, err := scaling.Apply(two)
	if err != nil {
		panic(err)
	}
	return scaled
}

// scorer makes a model of a function of the plane.
type scorer func(x, y float64) float64

func (f scorer) Score(x svmkit.Row) float64 { return f(x.At(0), x.At(1)) }

// said is what a failing test shows of a figure.
func said(f *plots.Figure) string {
	if f == nil {
		return "no figure"
	}
	return f.Caption
}

func penguinConfusion() *tune.Confusion {
	set := penguins()
	c, err := tune.Confuse(set, tune.Predict(penguinModel(), set.X))
	if err != nil {
		panic(err)
	}
	return c
}

func costGrid() CostGamma {
	g := CostGamma{C: []float64{0.1, 1, 10, 100}, Gamma: []float64{0.001, 0.01, 0.1}}
	for i := range g.C {
		var e []float64
		var n []int
		for j := range g.Gamma {
			e, n = append(e, 0.01+0.03*math.Abs(float64(3-i-j))), append(n, 100+400*j-20*i)
		}
		g.Error, g.Support = append(g.Error, e), append(g.Support, n)
	}
	return g
}

func search(gamma []float64) *tune.Selection {
	set := moons()
	folds, err := tune.Folds(set, 5, 1)
	if err != nil {
		panic(err)
	}
	train := func(ctx context.Context, s *svmkit.Dataset, p tune.Params,
		_ svmkit.Model) (svmkit.Model, error) {
		problem := &svm.Problem{Data: s, C: svm.PerSum(p.C)}
		if p.Gamma > 0 {
			problem.Kernel = kernel.RBF{Gamma: p.Gamma}
		}
		return svm.Fit(ctx, problem, nil, &svm.Settings{Tol: 1e-8})
	}
	found, err := tune.Validation{Folds: folds}.Search(context.Background(), set, train,
		tune.Grid{C: []float64{0.001, 0.01, 0.1, 1, 10, 100}, Gamma: gamma})
	if err != nil {
		panic(err)
	}
	return found
}

func penguinModel() multiclass.Classifier {
	fit := func(ctx context.Context, set *svmkit.Dataset) (svmkit.Model, error) {
		return svm.Fit(ctx, &svm.Problem{Data: set, Kernel: kernel.RBF{Gamma: 0.5}}, nil,
			&svm.Settings{Tol: 1e-8})
	}
	m, err := multiclass.OneVsRest{Binary: fit}.Fit(context.Background(), penguins())
	if err != nil {
		panic(err)
	}
	return m
}

func moons() *svmkit.Dataset {
	set, err := samples.Moons{N: 80, Noise: 0.22}.Generate(3)
	if err != nil {
		panic(err)
	}
	return set
}
