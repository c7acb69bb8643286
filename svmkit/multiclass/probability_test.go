package multiclass_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// pairsWith returns a one-vs-one classifier whose model of (a, b) gives class a the probability r[a][b] for every row.
func pairsWith(r [][]float64) *multiclass.PairClassifier {
	p := &multiclass.PairClassifier{Classes: multiclass.Classes{Count: len(r)}}
	for a := range r {
		for b := a + 1; b < len(r); b++ {
			constant := &svm.Model{Weights: []float64{0}, Dim: 1, Platt: &svm.Platt{B: math.Log(r[a][b] / (1 - r[a][b]))}}
			p.Models = append(p.Models, multiclass.PairModel{Negative: a, Positive: b, Scorer: constant})
		}
	}
	return p
}

func near(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
	for k := range want {
		if !(math.Abs(got[k]-want[k]) <= tol) {
			t.Fatalf("%s: %v, want %v", what, got, want)
		}
	}
}

// Pairs that agree with probabilities p, rᵢⱼ = pᵢ/(pᵢ + pⱼ), are coupled to p: then the minimum is 0.
func TestCoupledPairsThatAgree(t *testing.T) {
	for _, p := range [][]float64{{0.5, 0.3, 0.2}, {0.25, 0.25, 0.25, 0.25}, {0.9, 0.06, 0.03, 0.009, 0.001}} {
		r := make([][]float64, len(p))
		for a := range p {
			for b := range p {
				r[a] = append(r[a], p[a]/(p[a]+p[b]))
			}
		}
		near(t, "coupled", pairsWith(r).Probabilities(svmkit.Dense(1)), p, rounding)
	}
}

// Pairs that do not agree. For three classes with r₀₁ = r₁₂ = r₂₀ = 0.9 nothing tells them apart. At the minimum of
// random ones the derivatives of the sum of squares are equal for all classes, as Σp is fixed.
func TestCoupledPairsThatDisagree(t *testing.T) {
	third := 1.0 / 3
	near(t, "a circle", pairsWith([][]float64{{0, 0.9, 0.1}, {0.1, 0, 0.9}, {0.9, 0.1, 0}}).Probabilities(svmkit.Dense(1)), []float64{third, third, third}, rounding)
	rng := rand.New(rand.NewPCG(1, 0))
	for _, n := range []int{3, 5, 26} {
		r := make([][]float64, n)
		for a := range r {
			r[a] = make([]float64, n)
		}
		for a := range r {
			for b := range a {
				r[a][b] = 0.001 + 0.998*rng.Float64()
				r[b][a] = 1 - r[a][b]
			}
		}
		p := pairsWith(r).Probabilities(svmkit.Dense(1))
		sum, gradient := 0.0, make([]float64, n)
		for a := range p {
			sum += p[a]
			for b := range p {
				if b != a {
					gradient[a] += r[b][a] * (r[b][a]*p[a] - r[a][b]*p[b])
				}
			}
		}
		if !(math.Abs(sum-1) <= rounding && slices.Max(gradient)-slices.Min(gradient) <= rounding && slices.Min(p) >= 0) {
			t.Errorf("%d classes: %v with the sum %g, gradients from %g to %g", n, p, sum, slices.Min(gradient), slices.Max(gradient))
		}
	}
}

// The order of the classes moves the probabilities along, and changes nothing else.
func TestProbabilitiesOfClassesInAnotherOrder(t *testing.T) {
	r := [][]float64{{0, 0.7, 0.2, 0.4}, {0.3, 0, 0.6, 0.9}, {0.8, 0.4, 0, 0.55}, {0.6, 0.1, 0.45, 0}}
	order := []int{2, 0, 3, 1}
	moved, want := make([][]float64, 4), make([]float64, 4)
	p := pairsWith(r).Probabilities(svmkit.Dense(1))
	for a, from := range order {
		want[a] = p[from]
		for _, to := range order {
			moved[a] = append(moved[a], r[from][to])
		}
	}
	near(t, "moved", pairsWith(moved).Probabilities(svmkit.Dense(1)), want, rounding)
}

// Of two classes the small probability keeps its digits where the other one is 1.
func TestProbabilityBesideOne(t *testing.T) {
	fit := func(context.Context, *svmkit.Dataset) (svmkit.Model, error) {
		return &svm.Model{Weights: []float64{1}, Dim: 1, Platt: &svm.Platt{A: -1}}, nil
	}
	set := &svmkit.Dataset{X: []svmkit.Row{svmkit.Dense(-1), svmkit.Dense(1)}, Y: []float64{-1, 1}, Dim: 1, Classes: []string{"a", "b"}}
	for name, train := range map[string]svmkit.Fitter{"one-vs-one": multiclass.OneVsOne{Binary: fit}.Fitter(), "one-vs-rest": multiclass.OneVsRest{Binary: fit}.Fitter()} {
		m, err := train(t.Context(), set)
		if err != nil {
			t.Fatal(name, err)
		}
		want, relative := math.Exp(-50), 1e-14
		for k, p := range m.ProbabilitiesAll([]svmkit.Row{svmkit.Dense(50), svmkit.Dense(-50)}) {
			if !(math.Abs(p[k]-want) <= relative*want) || p[1-k] != 1 {
				t.Errorf("%s: %v, want %g beside 1", name, p, want)
			}
		}
	}
}

// Out of folds, for each kind of classifier: sums of 1, the same from one row and many and prepared, two classes as the one
// model says; and better than a guess on rows that were not trained on.
func TestProbabilities(t *testing.T) {
	train, test, err := tune.Split(samples.Iris(), 0.3, 1)
	if err != nil {
		t.Fatal(err)
	}
	binary := svm.Fitter(svm.Problem{C: svm.PerSum(1), Kernel: kernel.RBF{Gamma: 0.5}}, nil, nil)
	type probable interface {
		multiclass.Classifier
		svmkit.Preparer
		Probabilities(x svmkit.Row) []float64
	}
	for name, fit := range map[string]svmkit.Fitter{"one-vs-one": multiclass.OneVsOne{Binary: binary}.Fitter(), "one-vs-rest": multiclass.OneVsRest{Binary: binary}.Fitter()} {
		without, err := fit(t.Context(), train)
		if err != nil {
			t.Fatal(err)
		}
		if p := without.(probable); p.Probabilities(test.X[0]) != nil || p.ProbabilitiesAll(test.X) != nil || p.Prepare().(*multiclass.Prepared).Probabilities(test.X[0]) != nil {
			t.Errorf("%s: probabilities without Platt", name)
		}
		m, err := tune.Probabilities{}.Fitter(fit)(t.Context(), train)
		if err != nil {
			t.Fatal(name, err)
		}
		c := m.(probable)
		loss := 0.0
		for i, p := range c.ProbabilitiesAll(test.X) {
			sum := 0.0
			for _, v := range p {
				if sum += v; !(v >= 0 && v <= 1) {
					t.Fatalf("%s, row %d: %v", name, i, p)
				}
			}
			near(t, name+": the sum", []float64{sum}, []float64{1}, rounding)
			near(t, name+": one row", c.Probabilities(test.X[i]), p, 1e-8)
			near(t, name+": prepared", c.Prepare().(*multiclass.Prepared).Probabilities(test.X[i]), p, 1e-8)
			loss -= math.Log(p[int(test.Y[i])]) / float64(test.Len())
		}
		if most := 0.3; !(loss <= most) { // a guess has ln 3 = 1.1
			t.Errorf("%s: log loss %g", name, loss)
		}
		if p := c.Probabilities(svmkit.Dense(math.NaN(), 1, 1, 1)); !math.IsNaN(p[0]) || len(p) != 3 {
			t.Errorf("%s: a row with NaN has %v", name, p)
		}
		two, err := samples.Iris().Pair("versicolor", "virginica")
		if err != nil {
			t.Fatal(err)
		}
		m, err = tune.Probabilities{}.Fitter(fit)(t.Context(), two)
		if err != nil {
			t.Fatal(err)
		}
		alone, err := tune.Probabilities{}.Fitter(binary)(t.Context(), two)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range two.X {
			one := alone.(*svm.Result)
			want := one.Platt.Probabilities(one.Score(x))
			near(t, name+" of two classes", m.(probable).Probabilities(x), want, 0)
			if i == 0 {
				near(t, name+" of two classes, prepared", m.(probable).Prepare().(*multiclass.Prepared).Probabilities(x), want, rounding)
			}
		}
	}
}

// A class without a row has no model, probability 0, and costs the others nothing.
func TestProbabilityOfAnAbsentClass(t *testing.T) {
	r := [][]float64{{0, 0.5, 0.7}, {0.5, 0, 0.5}, {0.3, 0.5, 0}}
	p := pairsWith(r)
	p.Models = slices.DeleteFunc(p.Models, func(m multiclass.PairModel) bool { return m.Negative == 1 || m.Positive == 1 })
	near(t, "one-vs-one", p.Probabilities(svmkit.Dense(1)), []float64{0.7, 0, 0.3}, rounding)
	half := &svm.Model{Weights: []float64{0}, Dim: 1, Platt: &svm.Platt{}}
	rest := &multiclass.RestClassifier{Classes: multiclass.Classes{Count: 3}, Models: []svmkit.Scorer{half, nil, half}}
	near(t, "one-vs-rest", rest.Probabilities(svmkit.Dense(1)), []float64{0.5, 0, 0.5}, rounding)
}

// One class of three loses or wins against both others, at scores where the sigmoids are 0 or 1 to the last bit: such a
// pair counts as almost certain, so that the coupling does not divide by zero.
func TestCoupledPairsThatAreCertain(t *testing.T) {
	sure := &svm.Model{Weights: []float64{1}, Dim: 1, Platt: &svm.Platt{A: -1}} // P(positive) = 1 at x = 1000
	even := &svm.Model{Weights: []float64{0}, Dim: 1, Platt: &svm.Platt{}}
	p := &multiclass.PairClassifier{Classes: multiclass.Classes{Count: 3}, Models: []multiclass.PairModel{
		{Negative: 0, Positive: 1, Scorer: sure}, {Negative: 0, Positive: 2, Scorer: sure}, {Negative: 1, Positive: 2, Scorer: even}}}
	const least = 1e-6
	near(t, "the first class loses", p.Probabilities(svmkit.Dense(1000)), []float64{0, 0.5, 0.5}, least)
	near(t, "the first class wins", p.Probabilities(svmkit.Dense(-1000)), []float64{1, 0, 0}, least)
}
