package svm_test

import (
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
)

// A prepared model says what the model says, of rows of every layout, from several goroutines.
func TestPrepared(t *testing.T) {
	const rounding = 1e-10 // of sums of some dozen products up to 10⁴, in another order
	set, err := samples.Iris().Pair("versicolor", "virginica")
	if err != nil {
		t.Fatal(err)
	}
	rows := append([]svmkit.Row{{Index: []int32{}, Value: nil}, {Index: []int32{1, 3}, Value: []float64{2, 3}},
		svmkit.Dense(math.NaN(), 1, 2, 3), {Index: []int32{2}, Value: []float64{math.Inf(1)}}}, set.X...)
	own := kernel.Func(func(x, z svmkit.Row) float64 { return math.Pow(1+x.At(0)*z.At(0), 2) })
	for name, k := range map[string]kernel.Kernel{"linear": nil, "rbf": kernel.RBF{Gamma: 0.5}, "polynomial": kernel.Polynomial{Degree: 2, Coef0: 1},
		"laplacian": kernel.Laplacian{Gamma: 0.3}, "own": own} {
		r, err := svm.Fit(t.Context(), &svm.Problem{Data: set, Kernel: k}, nil, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		r.Platt = &svm.Platt{A: -1}
		p := r.Prepare().(*svm.Prepared)
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				for i, x := range rows {
					want, got := r.Score(x), p.Score(x)
					if got != want && !(math.Abs(got-want) <= rounding) && !(math.IsNaN(got) && math.IsNaN(want)) {
						t.Errorf("%s, row %d: %g, want %g", name, i, got, want)
					}
					if i < 4 || math.Abs(want) < rounding {
						continue
					}
					if p.Predict(x).Y != r.Predict(x).Y || p.Predict(x).Name != r.Predict(x).Name || math.Abs(p.Probability(x)-r.Probability(x)) > rounding {
						t.Errorf("%s, row %d: %g %q %g, want %g %q %g", name, i, p.Predict(x).Y, p.Predict(x).Name, p.Probability(x), r.Predict(x).Y, r.Predict(x).Name, r.Probability(x))
					}
				}
			})
		}
		wait.Wait()
		for _, short := range []svmkit.Row{svmkit.Dense(1, 2), svmkit.Dense(1, 2, 3, 4, 5), {Index: []int32{1, 9}, Value: []float64{2, 3}}} {
			if a, b := panics(func() { r.Score(short) }), panics(func() { p.Score(short) }); a != b {
				t.Errorf("%s: a row of %d columns panics: %v, prepared: %v", name, len(short.Value), a, b)
			}
		}
	}
}

func panics(f func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	f()
	return false
}

// Models of several kernels, some linear, with support vectors in common: prepared together they score what each scores.
func TestPrepareModels(t *testing.T) {
	const rounding = 1e-10
	iris := samples.Iris()
	var models []*svm.Model
	for _, pair := range [][2]string{{"setosa", "versicolor"}, {"setosa", "virginica"}, {"versicolor", "virginica"}} {
		set, err := iris.Pair(pair[0], pair[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range []kernel.Kernel{nil, kernel.RBF{Gamma: 0.5}, kernel.RBF{Gamma: 2}, kernel.Polynomial{Degree: 2, Coef0: 1}} {
			r, err := svm.Fit(t.Context(), &svm.Problem{Data: set, Kernel: k}, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			models = append(models, &r.Model)
		}
	}
	p, scores := svm.PrepareModels(models), make([]float64, len(models))
	for i, x := range append([]svmkit.Row{{Index: []int32{1, 3}, Value: []float64{2, 3}}, svmkit.Dense(math.NaN(), 1, 2, 3)}, iris.X...) {
		p.Scores(scores, make([]float64, len(scores)), x)
		for k, m := range models {
			if want := m.Score(x); !(math.Abs(scores[k]-want) <= rounding) && !(math.IsNaN(want) && math.IsNaN(scores[k])) {
				t.Fatalf("row %d, model %d: %g, want %g", i, k, scores[k], want)
			}
		}
	}
}

func ExamplePrepareModels() {
	plane := func(w float64) *svm.Model { return &svm.Model{Weights: []float64{w}, Dim: 1} }
	scores, within := make([]float64, 2), make([]float64, 2)
	svm.PrepareModels([]*svm.Model{plane(1), plane(-2)}).Scores(scores, within, svmkit.Dense(3))
	fmt.Println(scores)
	// Output: [3 -6]
}
