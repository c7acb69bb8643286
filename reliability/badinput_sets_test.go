package main_test

import (
	"context"
	"io"
	"math"

	"github.com/svmkit/course/lessons/figures"
	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/perceptron"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/separate"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

var (
	nan, inf = math.NaN(), math.Inf(1)
	ctx      = context.Background()
)

// good is a set that everything here takes: 12 rows of two columns that no plane separates.
func good() *svmkit.Dataset {
	x := [][]float64{{1, 2}, {-1, 0.5}, {2, 0}, {0.5, -1}, {3, 1}, {-2, -2}, {1, 1}, {0, -0.5}, {-0.5, 1}, {2, 2}, {1, -3}, {0.25, 1.5}}
	y := []float64{1, -1, 1, -1, 1, -1, -1, 1, -1, 1, -1, 1}
	set, err := svmkit.NewDataset(x, y)
	if err != nil {
		panic(err)
	}
	return set
}

// spoiled is good with something done to it.
func spoiled(spoil func(s *svmkit.Dataset)) *svmkit.Dataset {
	s := good()
	spoil(s)
	return s
}

// set puts one number into good.
func with(row, col int, v float64) *svmkit.Dataset {
	return spoiled(func(s *svmkit.Dataset) { s.X[row].Value[col] = v })
}

// sparseRow puts a sparse row in the place of row 2.
func sparseRow(index []int32, value ...float64) *svmkit.Dataset {
	return spoiled(func(s *svmkit.Dataset) { s.X[2] = svmkit.Row{Index: index, Value: value} })
}

func label(row int, y float64) *svmkit.Dataset {
	return spoiled(func(s *svmkit.Dataset) { s.Y[row] = y })
}

func weight(row int, w float64) *svmkit.Dataset {
	return spoiled(func(s *svmkit.Dataset) {
		s.Weight = make([]float64, s.Len())
		s.Weight[row] = w
	})
}

// What can be wrong with a set, and what every function that takes a set has to say to it.
var badSets = []struct {
	name   string
	set    func() *svmkit.Dataset
	want   verdict
	labels bool // only wrong for two classes
}{
	{"nil set", func() *svmkit.Dataset { return nil }, data(svmkit.ErrEmpty, none, none), false},
	{"no rows", func() *svmkit.Dataset { return &svmkit.Dataset{Dim: 2} }, data(svmkit.ErrEmpty, none, none), false},
	{"no columns", func() *svmkit.Dataset { return spoiled(func(s *svmkit.Dataset) { s.Dim = 0 }) }, data(svmkit.ErrNoColumns, none, none), false},
	{"fewer than no columns", func() *svmkit.Dataset { return spoiled(func(s *svmkit.Dataset) { s.Dim = -1 }) }, data(svmkit.ErrNoColumns, none, none), false},
	{"a label too few", func() *svmkit.Dataset { return spoiled(func(s *svmkit.Dataset) { s.Y = s.Y[:11] }) }, data(svmkit.ErrMismatch, none, none), false},
	{"a name too many", func() *svmkit.Dataset {
		return spoiled(func(s *svmkit.Dataset) { s.Features = []string{"a", "b", "c"} })
	}, data(svmkit.ErrMismatch, none, none), false},
	{"NaN", func() *svmkit.Dataset { return with(2, 1, nan) }, data(svmkit.ErrNotFinite, 2, 1), false},
	{"+Inf", func() *svmkit.Dataset { return with(0, 0, inf) }, data(svmkit.ErrNotFinite, 0, 0), false},
	{"-Inf", func() *svmkit.Dataset { return with(11, 1, -inf) }, data(svmkit.ErrNotFinite, 11, 1), false},
	{"NaN in a sparse row", func() *svmkit.Dataset { return sparseRow([]int32{1}, nan) }, data(svmkit.ErrNotFinite, 2, 1), false},
	{"NaN as label", func() *svmkit.Dataset { return label(1, nan) }, data(svmkit.ErrNotFinite, 1, none), false},
	{"Inf as label", func() *svmkit.Dataset { return label(3, inf) }, data(svmkit.ErrNotFinite, 3, none), false},
	{"a short row", func() *svmkit.Dataset { return spoiled(func(s *svmkit.Dataset) { s.X[4] = svmkit.Dense(1) }) }, data(svmkit.ErrRagged, 4, none), false},
	{"a long row", func() *svmkit.Dataset { return spoiled(func(s *svmkit.Dataset) { s.X[4] = svmkit.Dense(1, 2, 3) }) }, data(svmkit.ErrRagged, 4, none), false},
	{"a row of nothing", func() *svmkit.Dataset { return spoiled(func(s *svmkit.Dataset) { s.X[4] = svmkit.Row{} }) }, data(svmkit.ErrRagged, 4, none), false},
	{"unsorted indices", func() *svmkit.Dataset { return sparseRow([]int32{1, 0}, 1, 2) }, data(svmkit.ErrIndex, 2, 0), false},
	{"an index twice", func() *svmkit.Dataset { return sparseRow([]int32{1, 1}, 1, 2) }, data(svmkit.ErrIndex, 2, 1), false},
	{"a negative index", func() *svmkit.Dataset { return sparseRow([]int32{-1, 1}, 1, 2) }, data(svmkit.ErrIndex, 2, -1), false},
	{"an index of Dim", func() *svmkit.Dataset { return sparseRow([]int32{0, 2}, 1, 2) }, data(svmkit.ErrIndex, 2, 2), false},
	{"a huge index", func() *svmkit.Dataset { return sparseRow([]int32{math.MaxInt32}, 1) }, data(svmkit.ErrIndex, 2, math.MaxInt32), false},
	{"more values than indices", func() *svmkit.Dataset { return sparseRow([]int32{0}, 1, 2) }, data(svmkit.ErrMismatch, 2, none), false},
	{"more indices than values", func() *svmkit.Dataset { return sparseRow([]int32{0, 1}, 1) }, data(svmkit.ErrMismatch, 2, none), false},
	{"a weight too few", func() *svmkit.Dataset { return spoiled(func(s *svmkit.Dataset) { s.Weight = make([]float64, 11) }) }, data(svmkit.ErrMismatch, none, none), false},
	{"a negative weight", func() *svmkit.Dataset { return weight(4, -1) }, data(svmkit.ErrWeight, 4, none), false},
	{"NaN as weight", func() *svmkit.Dataset { return weight(11, nan) }, data(svmkit.ErrWeight, 11, none), false},
	{"label 0", func() *svmkit.Dataset { return label(5, 0) }, data(svmkit.ErrLabel, 5, none), true},
	{"label 2", func() *svmkit.Dataset { return label(0, 2) }, data(svmkit.ErrLabel, 0, none), true},
	{"label 1+ulp", func() *svmkit.Dataset { return label(0, math.Nextafter(1, 2)) }, data(svmkit.ErrLabel, 0, none), true},
}

// only one class: the perceptron takes it, a model of the largest margin cannot.
func oneClass() *svmkit.Dataset {
	return spoiled(func(s *svmkit.Dataset) {
		for i := range s.Y {
			s.Y[i] = 1
		}
	})
}

func oneRow() *svmkit.Dataset { return good().Subset([]int{0}) }

// An entry is a function that takes a set.
type entry struct {
	name   string
	call   func(s *svmkit.Dataset) (any, error)
	binary bool // labels must be −1 and +1
	both   bool // and both must occur
}

func fitBy(name string, solver svm.Solver, p svm.Problem) entry {
	return entry{"Fit by " + name, func(s *svmkit.Dataset) (any, error) {
		p := p
		p.Data = s
		return svm.Fit(ctx, &p, solver, nil)
	}, !p.Regression(), !p.Regression()}
}

// fold1 cuts the twelve rows of good into two folds, whatever has become of the set.
func halves() []tune.Fold {
	odd, even := []int{0, 2, 4, 6, 8, 10}, []int{1, 3, 5, 7, 9, 11}
	all := [2][]int{append([]int{1}, odd[1:]...), append([]int{0}, even[1:]...)}
	return []tune.Fold{{Train: all[0], Test: all[1]}, {Train: all[1], Test: all[0]}}
}

func plainFit(ctx context.Context, train *svmkit.Dataset) (svmkit.Predictor, error) {
	r, err := svm.Fit(ctx, &svm.Problem{Data: train}, nil, nil)
	if r == nil {
		return nil, err
	}
	return &r.Model, err
}

func plainTrain(ctx context.Context, train *svmkit.Dataset, p tune.Params, _ svmkit.Predictor) (svmkit.Predictor, error) {
	r, err := svm.Fit(ctx, &svm.Problem{Data: train, C: svm.PerSum(p.C)}, nil, nil)
	if r == nil {
		return nil, err
	}
	return &r.Model, err
}

func entries() []entry {
	rbf := kernel.RBF{Gamma: 1}
	plane := svmkit.Hyperplane{W: []float64{1, 1}}
	v := tune.Validation{Folds: halves()}
	grid := tune.Grid{C: []float64{1, 2}}
	return []entry{
		{"Validate", func(s *svmkit.Dataset) (any, error) { return nil, s.Validate() }, false, false},
		{"ValidateBinary", func(s *svmkit.Dataset) (any, error) { return nil, s.ValidateBinary() }, true, true},
		fitBy("default", nil, svm.Problem{}),
		fitBy("DualCoordinate", svm.DualCoordinate{}, svm.Problem{}),
		fitBy("ProximalNewton", svm.ProximalNewton{}, svm.Problem{}),
		fitBy("Newton", svm.Newton{}, svm.Problem{Loss: loss.Logistic{}}),
		fitBy("SMO", svm.SMO{}, svm.Problem{Kernel: rbf}),
		fitBy("Decomposition", svm.Decomposition{}, svm.Problem{Kernel: rbf}),
		fitBy("SDCA", svm.SDCA{}, svm.Problem{Bias: svmkit.NoBias}),
		fitBy("Pegasos", svm.Pegasos{}, svm.Problem{Bias: svmkit.NoBias}),
		fitBy("SMO, regression", svm.SMO{}, svm.Problem{Loss: loss.EpsInsensitive{Epsilon: 0.1}}),
		fitBy("Newton, regression", svm.Newton{}, svm.Problem{Loss: loss.SquaredEpsInsensitive{}}),
		{"Problem.Validate", func(s *svmkit.Dataset) (any, error) { return nil, (&svm.Problem{Data: s}).Validate() }, true, true},
		{"Certify", func(s *svmkit.Dataset) (any, error) { return (&svm.Problem{Data: s}).Certify(make([]float64, 12)) }, true, true},
		{"separate.Decide", func(s *svmkit.Dataset) (any, error) { return separate.Decide(ctx, s, svmkit.FreeBias) }, true, true},
		{"Perceptron.Fit", func(s *svmkit.Dataset) (any, error) {
			return new(perceptron.Perceptron).Fit(ctx, s, perceptron.Stop{Epochs: 3})
		}, true, false},
		{"Averaged.Fit", func(s *svmkit.Dataset) (any, error) {
			return new(perceptron.Averaged).Fit(ctx, s, perceptron.Stop{Epochs: 3})
		}, true, false},
		{"Voted.Fit", func(s *svmkit.Dataset) (any, error) {
			return new(perceptron.Voted).Fit(ctx, s, perceptron.Stop{Epochs: 3})
		}, true, false},
		{"Kernelized.Fit", func(s *svmkit.Dataset) (any, error) {
			return (&perceptron.Kernelized{Kernel: rbf}).Fit(ctx, s, perceptron.Stop{Epochs: 3})
		}, true, false},
		{"OneVsRest.Fit", func(s *svmkit.Dataset) (any, error) { return multiclass.OneVsRest{Fitter: plainFit}.Fit(ctx, s) }, false, true},
		{"OneVsOne.Fit", func(s *svmkit.Dataset) (any, error) { return multiclass.OneVsOne{Fitter: plainFit}.Fit(ctx, s) }, false, true},
		{"CrammerSinger.Fit", func(s *svmkit.Dataset) (any, error) { return multiclass.CrammerSinger{Data: s}.Fit(ctx, nil) }, false, true},
		{"CrossValidate", func(s *svmkit.Dataset) (any, error) { return v.CrossValidate(ctx, s, plainFit) }, false, false},
		{"Search", func(s *svmkit.Dataset) (any, error) { return v.Search(ctx, s, plainTrain, grid) }, false, false},
		{"Nested", func(s *svmkit.Dataset) (any, error) {
			return v.Nested(ctx, s, plainTrain, tune.Inner{Folds: 2, Grid: grid})
		}, false, false},
		{"Permuted", func(s *svmkit.Dataset) (any, error) { return v.Permuted(ctx, s, plainFit, tune.Permutation{Rounds: 2}) }, false, false},
		{"Inner.Fit", func(s *svmkit.Dataset) (any, error) {
			return tune.Inner{Folds: 2, Grid: grid}.Fitter(plainTrain)(ctx, s)
		}, false, false},
		{"Scaled", func(s *svmkit.Dataset) (any, error) { return tune.Scaled(feature.Scaler{}, plainFit)(ctx, s) }, false, false},
		{"ROC", func(s *svmkit.Dataset) (any, error) { return tune.ROC(s, make([]float64, 12)) }, true, true},
		{"PrecisionRecall", func(s *svmkit.Dataset) (any, error) { return tune.PrecisionRecall(s, make([]float64, 12)) }, true, true},
		{"Folds", func(s *svmkit.Dataset) (any, error) { return tune.Folds(s, 3, 1) }, false, false},
		{"SplitRows", func(s *svmkit.Dataset) (any, error) { return tune.SplitRows(s, 0.5, 1) }, false, false},
		{"Split", func(s *svmkit.Dataset) (any, error) {
			train, _, err := tune.Split(s, 0.5, 1)
			return train, err
		}, false, false},
		{"Scaler.Fit", func(s *svmkit.Dataset) (any, error) { return feature.Scaler{Kind: feature.UnitVariance}.Fit(s) }, false, false},
		{"Scaling.Apply", func(s *svmkit.Dataset) (any, error) { return (&feature.Scaling{Dim: 2}).Apply(s) }, false, false},
		{"Scaling.Inverse", func(s *svmkit.Dataset) (any, error) { return (&feature.Scaling{Dim: 2}).Inverse(s) }, false, false},
		{"Polynomial", func(s *svmkit.Dataset) (any, error) { return feature.Polynomial(s, 2) }, false, false},
		{"Densify", func(s *svmkit.Dataset) (any, error) { return feature.Densify(s) }, false, false},
		{"Flip", func(s *svmkit.Dataset) (any, error) { return samples.Flip(s, 0.1, 1) }, true, false},
		{"OneClass.Fit", func(s *svmkit.Dataset) (any, error) {
			return svm.OneClass{Data: s, Nu: 0.5}.Fit(context.Background(), nil)
		}, false, false},
		{"WriteLIBSVM", func(s *svmkit.Dataset) (any, error) { return nil, dataset.WriteLIBSVM(io.Discard, s) }, false, false},
		{"WriteCSV", func(s *svmkit.Dataset) (any, error) { return nil, dataset.WriteCSV(io.Discard, s) }, false, false},
		{"SignedMargins", func(s *svmkit.Dataset) (any, error) { return figures.SignedMargins(s, plane) }, true, false},
		{"DecisionRegions", func(s *svmkit.Dataset) (any, error) { return plots.DecisionRegions(s, plane, plots.RegionMarks{}) }, true, false},
		{"BiasMargin", func(s *svmkit.Dataset) (any, error) { return figures.BiasMargin(s, plane) }, true, false},
		{"SupportVectors", func(s *svmkit.Dataset) (any, error) { return figures.SupportVectors(s, plane, make([]float64, 12)) }, true, false},
		{"GramMatrix", func(s *svmkit.Dataset) (any, error) { return figures.GramMatrix(s, kernel.RBF{Gamma: 1}) }, false, false},
		{"AlphaBars", func(s *svmkit.Dataset) (any, error) { return figures.AlphaBars(s, make([]float64, 12)) }, true, false},
	}
}

// setCases is every bad set at every door.
func setCases() (cases []badInput) {
	for _, e := range entries() {
		add := func(name string, s *svmkit.Dataset, want verdict) {
			cases = append(cases, badInput{e.name + ": " + name, s, func() (any, error) { return e.call(s) }, want})
		}
		for _, b := range badSets {
			if !b.labels || e.binary {
				add(b.name, b.set(), b.want)
			}
		}
		if e.both {
			add("one class", oneClass(), data(svmkit.ErrOneClass, none, none))
			add("one row", oneRow(), data(svmkit.ErrOneClass, none, none))
		}
	}
	return cases
}
