package plots

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

func init() {
	examples["regions"] = func() (*Figure, error) { return DecisionRegions(moons(), moonModel(), RegionMarks{}) }
	examples["regions-linear"] = func() (*Figure, error) {
		return DecisionRegions(overlapping(), fitted(&svm.Problem{Data: overlapping()}), RegionMarks{Slack: true})
	}
	examples["outliers"] = func() (*Figure, error) { return Outliers(petals(), petalModel()) }
	examples["class-regions"] = func() (*Figure, error) { return ClassRegions(penguins(), penguinModel()) }
	examples["kkt-regression"] = func() (*Figure, error) {
		p := &svm.Problem{Data: wave(), Loss: loss.EpsInsensitive{Epsilon: 0.15}, Kernel: kernel.RBF{Gamma: 1}, C: svm.PerSum(2)}
		r := fitted(p)
		return KKT(p, r, r.Beta)
	}
	examples["kkt-early"] = func() (*Figure, error) {
		p := &svm.Problem{Data: overlapping(), Bias: svmkit.PenalizedBias}
		r, err := svm.Fit(context.Background(), p, svm.SDCA{}, &svm.Settings{MaxIterations: 3})
		if err != nil {
			return nil, err
		}
		return KKT(p, r, r.Beta)
	}
	examples["margin-distribution"] = func() (*Figure, error) {
		return MarginDistribution(overlapping(), []NamedModel{{"$C = 1$", fitted(&svm.Problem{Data: overlapping()})}})
	}
	examples["margin-distributions"] = func() (*Figure, error) {
		tight := fitted(&svm.Problem{Data: moons(), Kernel: kernel.RBF{Gamma: 5}, C: svm.PerSum(100)})
		return MarginDistribution(moons(), []NamedModel{{`$\gamma = 1$, $C = 2$`, moonModel()}, {`$\gamma = 5$, $C = 100$`, tight},
			{"linear", fitted(&svm.Problem{Data: moons()})}})
	}
	examples["gap-epochs"] = func() (*Figure, error) { return GapOverEpochs(gapRuns()) }
	examples["gram"] = func() (*Figure, error) { return GramMatrix(everyFourth(penguins()), kernel.RBF{Gamma: 1}) }
	examples["gram-signed"] = func() (*Figure, error) { return GramMatrix(overlapping(), kernel.Linear{}) }
	examples["confusion"] = func() (*Figure, error) { return ConfusionMatrix(penguinConfusion()) }
	examples["roc"] = func() (*Figure, error) { return ROCCurves(overlapping(), rocModels()) }
	examples["precision-recall"] = func() (*Figure, error) { return PrecisionRecallCurves(overlapping(), rocModels()) }
	examples["cv"] = func() (*Figure, error) { return CVCurve(search(nil), "accuracy") }
	examples["cv-gamma"] = func() (*Figure, error) { return CVCurve(search([]float64{0.1, 1, 10}), "accuracy") }
	examples["cv-map"] = func() (*Figure, error) { return CVMap(lossGrid(), "error") }
	examples["learning"] = func() (*Figure, error) { return LearningCurve(learned(), "accuracy") }
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

func everyFourth(set *svmkit.Dataset) *svmkit.Dataset {
	var rows []int
	for i := 0; i < set.Len(); i += 4 {
		rows = append(rows, i)
	}
	return set.Subset(rows)
}

func penguinModel() multiclass.Classifier {
	fit := func(ctx context.Context, set *svmkit.Dataset) (svmkit.Model, error) {
		return svm.Fit(ctx, &svm.Problem{Data: set, Kernel: kernel.RBF{Gamma: 0.5}}, nil, &svm.Settings{Tol: 1e-8})
	}
	m, err := multiclass.OneVsRest{Binary: fit}.Fit(context.Background(), penguins())
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

// gapRuns are three solvers on one problem.
func gapRuns() []GapRun {
	var runs []GapRun
	for i, s := range []svm.Solver{svm.DualCoordinate{}, svm.SDCA{}, svm.Pegasos{}} {
		r := GapRun{Name: []string{"dual coordinates", "SDCA", "Pegasos"}[i]}
		_, err := svm.Fit(context.Background(), &svm.Problem{Data: overlapping(), Bias: svmkit.PenalizedBias, C: svm.PerSum(20)}, s, &svm.Settings{
			Tol: 1e-8, MaxIterations: 400, Progress: func(p svmkit.Progress) bool {
				r.History = append(r.History, p)
				return true
			}})
		if err != nil {
			panic(err)
		}
		runs = append(runs, r)
	}
	return runs
}

func rocModels() []NamedScores {
	set := overlapping()
	model := fitted(&svm.Problem{Data: set})
	coarse := make([]float64, set.Len())
	for i, x := range set.X {
		coarse[i] = math.Round(2 * x.At(1))
	}
	return []NamedScores{{"linear model", model.ScoreAll(set.X)}, {"second column in steps", coarse}}
}

func search(gamma []float64) *tune.Selection {
	set := moons()
	folds, err := tune.Folds(set, 5, 1)
	if err != nil {
		panic(err)
	}
	train := func(ctx context.Context, s *svmkit.Dataset, p tune.Params, _ svmkit.Model) (svmkit.Model, error) {
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

// learned trains on ever more rows of one set, four times.
func learned() []LearningPoint {
	var points []LearningPoint
	for n := 8; n <= 256; n *= 2 {
		p := LearningPoint{Rows: n}
		for seed := range uint64(4) {
			set, err := samples.Moons{N: n + 200, Noise: 0.3}.Generate(seed)
			if err != nil {
				panic(err)
			}
			order := rand.New(rand.NewPCG(seed, 1)).Perm(set.Len())
			train, held := set.Subset(order[:n]), set.Subset(order[n:])
			m := fitted(&svm.Problem{Data: train, Kernel: kernel.RBF{Gamma: 1}})
			p.Train = append(p.Train, accuracy(m, train))
			p.Validation = append(p.Validation, accuracy(m, held))
		}
		points = append(points, p)
	}
	return points
}

func accuracy(m *svm.Result, set *svmkit.Dataset) float64 {
	v, err := tune.Accuracy.Measure(set, tune.Predict(m, set.X))
	if err != nil {
		panic(err)
	}
	return v
}

// petals is the petals of the irises, without their kinds.
func petals() *svmkit.Dataset {
	s := samples.Iris().Columns(2, 3)
	s.Y, s.Classes = nil, nil
	return s
}

// petalModel is a one-class model of the petals: at most 15 of 150 are outliers.
func petalModel() *svm.Result {
	r, err := svm.OneClass{Data: petals(), Kernel: kernel.RBF{Gamma: 1}, Nu: 0.1}.Fit(context.Background(), &svm.Settings{Tol: 1e-9})
	if err != nil {
		panic(err)
	}
	return r
}
