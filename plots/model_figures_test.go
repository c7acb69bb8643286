package plots

import (
	"context"
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

func everyFourth(set *svmkit.Dataset) *svmkit.Dataset {
	var rows []int
	for i := 0; i < set.Len(); i += 4 {
		rows = append(rows, i)
	}
	return set.Subset(rows)
}

func penguinModel() multiclass.Classifier {
	fit := func(ctx context.Context, set *svmkit.Dataset) (svmkit.Predictor, error) {
		return svm.Fit(ctx, &svm.Problem{Data: set, Kernel: kernel.RBF{Gamma: 0.5}}, nil, &svm.Settings{Tol: 1e-8})
	}
	m, err := multiclass.OneVsRest{Fitter: fit}.Fit(context.Background(), penguins())
	if err != nil {
		panic(err)
	}
	return m
}

func penguinConfusion() *tune.Confusion {
	set := penguins()
	c, err := tune.Confuse(set, tune.Predict(penguinModel(), set.X))
	if err != nil {
		panic(err)
	}
	return c
}

// wave is a sine with noise.
func wave() *svmkit.Dataset {
	rng := rand.New(rand.NewPCG(9, 0))
	set := &svmkit.Dataset{Dim: 1}
	for i := range 60 {
		x := float64(i) / 10
		set.X, set.Y = append(set.X, svmkit.Dense(x)), append(set.Y, math.Sin(x)+0.25*rng.NormFloat64())
	}
	return set
}

func search(gamma []float64) *tune.Selection {
	set := moons()
	folds, err := tune.Folds(set, 5, 1)
	if err != nil {
		panic(err)
	}
	train := func(ctx context.Context, s *svmkit.Dataset, p tune.Params, _ svmkit.Predictor) (svmkit.Predictor, error) {
		problem := &svm.Problem{Data: s, C: svm.PerSum(p.C)}
		if p.Gamma > 0 {
			problem.Kernel = kernel.RBF{Gamma: p.Gamma}
		}
		return svm.Fit(ctx, problem, nil, &svm.Settings{Tol: 1e-8})
	}
	found, err := tune.Validation{Folds: folds}.Search(context.Background(), set, train, tune.Grid{C: []float64{0.001, 0.01, 0.1, 1, 10, 100}, Gamma: gamma})
	if err != nil {
		panic(err)
	}
	return found
}

// lossGrid is a search for a loss, in an order that does not rise, whose best point is C = 10, γ = 1, and whose simplest within
// one standard error is another.
func lossGrid() *tune.Selection {
	s := &tune.Selection{}
	for _, j := range []int{2, 0, 1} {
		for i := range 6 {
			mean := 0.1 + 0.013*math.Abs(float64(i)-4) + 0.006*math.Abs(float64(j)-1)
			s.Points = append(s.Points, tune.Point{Params: tune.Params{C: math.Pow(10, float64(i-3)), Gamma: math.Pow(10, float64(j-1))},
				CVResult: tune.CVResult{Scores: []float64{mean - 0.03, mean + 0.03}, Mean: mean, StdErr: 0.03}})
		}
	}
	return s
}
