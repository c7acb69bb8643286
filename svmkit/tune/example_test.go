package tune_test

import (
	"context"
	"fmt"
	"log"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

func Example() {
	ctx, set := context.Background(), samples.BreastCancer()
	folds, err := tune.Folds(set, 5, 1)
	if err != nil {
		log.Fatal(err)
	}
	fit := tune.Scaled(feature.Scaler{}, svm.Fitter(svm.Problem{}, nil, nil))
	r, err := tune.Validation{Folds: folds}.CrossValidate(ctx, set, fit)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("accuracy %.2f ± %.2f\n", r.Mean, r.StdErr)
	// Output: accuracy 0.97 ± 0.01
}

// Any function that trains is a Fitter; the scaling is fitted in each fold again.
func ExampleValidation_CrossValidate() {
	set := samples.BreastCancer()
	folds, err := tune.Folds(set, 5, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fit := tune.Scaled(feature.Scaler{}, nearestMean)
	r, err := tune.Validation{Folds: folds}.CrossValidate(context.Background(), set, fit)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d folds, accuracy %.2f ± %.2f\n", len(r.Scores), r.Mean, r.StdErr)
	// Output: 5 folds, accuracy 0.93 ± 0.01
}

// tuneC: every C is measured.
func ExampleValidation_Search() {
	set, _ := samples.Iris().Pair("versicolor", "virginica")
	folds, err := tune.Folds(set, 5, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	train := tune.FromParams(func(p tune.Params) svmkit.Fitter {
		return svm.Fitter(svm.Problem{C: svm.PerSum(p.C)}, nil, &svm.Settings{Tol: 1e-6})
	})
	c, err := tune.LogSpace(0.05, 50, 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := tune.Validation{Folds: folds}.Search(context.Background(), set, train, tune.Grid{C: c})
	if err != nil {
		fmt.Println(err)
		return
	}
	best, _ := s.Best()
	simple, _ := s.OneStandardError()
	for _, p := range s.Points {
		mark := ""
		if p.C == best.C {
			mark += " best"
		}
		if p.C == simple.C {
			mark += " simplest within one standard error"
		}
		fmt.Printf("%s: %.2f%s\n", p.Params, p.Mean, mark)
	}
	// Output:
	// C = 0.05: 0.95
	// C = 0.5: 0.99 best simplest within one standard error
	// C = 5: 0.94
	// C = 50: 0.93
}

// Two kernels, with one γ for the one that has it.
func ExampleFromParams() {
	set, err := samples.Moons{N: 60, Noise: 0.2}.Generate(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	folds, err := tune.Folds(set, 5, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	train := tune.FromParams(func(p tune.Params) svmkit.Fitter {
		k, _ := kernel.Named(p.Kernel, p.Gamma, p.Degree, 0) // no error: Search refuses other names
		return svm.Fitter(svm.Problem{C: svm.PerSum(p.C), Kernel: k}, nil, nil)
	})
	grid := tune.Grid{C: []float64{0.1, 10}, Gamma: []float64{2}, Kernel: []string{"linear", "rbf"}}
	s, err := tune.Validation{Folds: folds}.Search(context.Background(), set, train, grid)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range s.Points {
		fmt.Printf("%s: %.2f\n", p.Params, p.Mean)
	}
	// Output:
	// linear kernel, C = 0.1: 0.80
	// linear kernel, C = 10: 0.82
	// rbf kernel, C = 0.1, γ = 2: 0.90
	// rbf kernel, C = 10, γ = 2: 0.90
}

func ExampleConfuse() {
	truth := &svmkit.Dataset{X: make([]svmkit.Row, 5), Y: []float64{-1, -1, -1, 1, 1}, Dim: 1, Classes: []string{"ham", "spam"}}
	c, err := tune.Confuse(truth, tune.Predictions{Label: []float64{-1, -1, 1, 1, 0}, Classes: truth.Classes})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Names, c.Count, "without a prediction", c.None)
	fmt.Printf("accuracy %.1f, recall of spam %.1f, precision %.1f\n", c.Accuracy(), c.Recall(1), c.Precision(1))
	// Output:
	// [ham spam] [[2 1] [0 1]] without a prediction [0 1]
	// accuracy 0.6, recall of spam 0.5, precision 0.5
}

// Two of four mails are spam, and one that is none has the second highest score.
func ExamplePrecisionRecall() {
	truth, err := svmkit.NewDataset([][]float64{{0}, {0}, {0}, {0}}, []float64{1, -1, 1, -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	scores := []float64{2.5, 1, 0.5, -3}
	points, err := tune.PrecisionRecall(truth, scores)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range points {
		fmt.Printf("score ≥ %4g: recall %.2f, precision %.2f\n", p.Threshold, p.Recall, p.Precision)
	}
	average, err := tune.AveragePrecision.Measure(truth, tune.Predictions{Score: scores})
	fmt.Printf("average precision %.3f, %v\n", average, err)
	// Output:
	// score ≥ +Inf: recall 0.00, precision 1.00
	// score ≥  2.5: recall 0.50, precision 1.00
	// score ≥    1: recall 0.50, precision 0.50
	// score ≥  0.5: recall 1.00, precision 0.67
	// score ≥   -3: recall 1.00, precision 0.50
	// average precision 0.833, <nil>
}

// Two rows each of four patients: none is in both parts of a fold.
func ExampleGroupFolds() {
	folds, err := tune.GroupFolds([]string{"Ann", "Ben", "Ann", "Cem", "Dora", "Ben", "Cem", "Dora"}, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range folds {
		fmt.Println("train", f.Train, "test", f.Test)
	}
	// Output:
	// train [1 4 5 7] test [0 2 3 6]
	// train [0 2 3 6] test [1 4 5 7]
}

// Eight measurements in the order of time.
func ExampleTimeFolds() {
	folds, err := tune.TimeFolds([]float64{0, 1, 2, 3, 4, 5, 6, 7}, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range folds {
		fmt.Println("train", f.Train, "test", f.Test)
	}
	// Output:
	// train [0 1] test [2 3]
	// train [0 1 2 3] test [4 5]
	// train [0 1 2 3 4 5] test [6 7]
}

// Probabilities are measured by what they give to the class that a row has; labels by how well they find the second class.
func ExampleMetric() {
	truth := &svmkit.Dataset{X: make([]svmkit.Row, 4), Y: []float64{-1, -1, -1, 1}, Dim: 1, Classes: []string{"ham", "spam"}}
	p := tune.Predictions{
		Label:       []float64{-1, -1, 1, 1},
		Probability: [][]float64{{0.9, 0.1}, {0.8, 0.2}, {0.4, 0.6}, {0.3, 0.7}},
		Classes:     truth.Classes,
	}
	for _, m := range []tune.Metric{tune.Accuracy, tune.BalancedAccuracy, tune.F1, tune.LogLoss} {
		value, err := m.Measure(truth, p)
		fmt.Printf("%s %.3f %v\n", m.Name, value, err)
	}
	// Output:
	// accuracy 0.750 <nil>
	// balanced accuracy 0.833 <nil>
	// F1 0.667 <nil>
	// log loss 0.400 <nil>
}

func ExampleLogSpace() {
	c, err := tune.LogSpace(0.01, 100, 5)
	fmt.Println(c, err)
	// Output: [0.01 0.1 1 10 100] <nil>
}

func ExampleFolds() {
	set, _ := samples.Moons{N: 9}.Generate(1) // five rows are +1, four are −1
	folds, err := tune.Folds(set, 3, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range folds {
		_, test := f.Of(set)
		slices.Sort(test.Y)
		fmt.Println(len(f.Train), "train,", len(f.Test), "test with labels", test.Y)
	}
	// Output:
	// 6 train, 3 test with labels [-1 -1 1]
	// 6 train, 3 test with labels [-1 1 1]
	// 6 train, 3 test with labels [-1 1 1]
}
