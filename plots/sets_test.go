package plots

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

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

func caption(f *Figure, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Caption)
}

// fitted solves a problem to a gap that cannot be seen in the picture.
func fitted(p *svm.Problem) *svm.Result {
	r, err := svm.Fit(context.Background(), p, nil, &svm.Settings{Tol: 1e-8})
	if err != nil {
		panic(err)
	}
	return r
}

func moons() *svmkit.Dataset {
	set, err := samples.Moons{N: 80, Noise: 0.22}.Generate(3)
	if err != nil {
		panic(err)
	}
	return set
}

func moonModel() *svm.Result {
	return fitted(&svm.Problem{Data: moons(), Kernel: kernel.RBF{Gamma: 1}, C: svm.PerSum(2)})
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

// lossGrid is a search for a loss, in an order that does not rise, whose best point is C = 10, γ =
// 1, and whose simplest within one standard error is another.
func lossGrid() *tune.Selection {
	s := &tune.Selection{}
	for _, j := range []int{2, 0, 1} {
		for i := range 6 {
			mean := 0.1 + 0.013*math.Abs(float64(i)-4) + 0.006*math.Abs(float64(j)-1)
			s.Points = append(s.Points, tune.Point{Params: tune.Params{C: math.Pow(10,
				float64(i-3)), Gamma: math.Pow(10, float64(j-1))},
				CVResult: tune.CVResult{Scores: []float64{mean - 0.03, mean + 0.03}, Mean: mean,
					StdErr: 0.03}})
		}
	}
	return s
}

func threePlanes() []NamedPlane {
	return []NamedPlane{{"first", plane(2, 1, 0.1)}, {"second", plane(1, 0.2, 0)},
		{"third", plane(0, 1, 0)}}
}

func plane(w1, w2, b float64) svmkit.Hyperplane {
	return svmkit.Hyperplane{W: []float64{w1, w2}, B: b}
}
