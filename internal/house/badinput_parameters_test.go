package house

import (
	"fmt"
	"math"
	"strings"

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
	"github.com/svmkit/course/svmkit/text"
	"github.com/svmkit/course/svmkit/tune"
)

// A knob is a parameter, with what puts a value into it and makes the call, and the values that it
// does not take.
type knob struct {
	name  string // of the entry
	param string // as the error names it
	bad   []float64
	call  func(v float64) (any, error)
}

var (
	notPositive   = []float64{-1, -math.SmallestNonzeroFloat64, nan, inf, -inf} // zero means the default
	notFinite     = []float64{nan, inf, -inf}
	notNumbers    = []float64{-1, nan, -inf} // +Inf is taken: the hard margin
	negativeInt   = []float64{-1, math.MinInt32}
	zeroTooIsBad  = append([]float64{0}, notPositive...)
	outsideOfUnit = []float64{0, 1, -0.5, 1.5, nan, inf}
)

// parameterCases is every parameter of the library with every kind of value that it does not take.
func parameterCases() (cases []badInput) {
	for _, k := range append(append(fitKnobs(), learnerKnobs()...), datasetKnobs()...) {
		for _, v := range k.bad {
			cases = append(cases, badInput{fmt.Sprintf("%s, %s = %g", k.name, k.param, v), nil,
				func() (any, error) { return k.call(v) }, param(k.param)})
		}
	}
	for i := range cases { // what no change of state means here: the one set that all of them share
		cases[i].keep = shared
	}
	return append(cases, wrongCombinations()...)
}

var shared = good()

// fit is svm.Fit with what a knob has turned.
func fit(turn func(p *svm.Problem, o *svm.Settings, s *svm.Solver)) (any, error) {
	p, o, s := &svm.Problem{Data: shared}, &svm.Settings{}, svm.Solver(nil)
	turn(p, o, &s)
	r, err := svm.Fit(ctx, p, s, o)
	if r == nil {
		return nil, err
	}
	return r, err
}

func withKernel(k kernel.Kernel) (any, error) {
	return fit(func(p *svm.Problem, _ *svm.Settings, _ *svm.Solver) { p.Kernel = k })
}

func fitKnobs() []knob {
	type problem = svm.Problem
	inProblem := func(turn func(p *problem)) (any, error) {
		return fit(func(p *problem, _ *svm.Settings, _ *svm.Solver) { turn(p) })
	}
	inSettings := func(turn func(o *svm.Settings)) (any, error) {
		return fit(func(_ *problem, o *svm.Settings, _ *svm.Solver) { turn(o) })
	}
	by := func(s svm.Solver, l loss.Trainable, b svmkit.Bias) (any, error) {
		return fit(func(p *problem, _ *svm.Settings, solver *svm.Solver) { p.Loss, p.Bias, *solver = l, b, s })
	}
	noBias := svmkit.NoBias
	return []knob{
		{"Fit", "C", notNumbers, func(v float64) (any, error) { return inProblem(func(p *problem) { p.C.C = v }) }},
		{"Fit, squared hinge", "C", notPositive, func(v float64) (any, error) {
			return inProblem(func(p *problem) { p.C.C, p.Loss = v, loss.SquaredHinge{} })
		}},
		{"Fit, logistic", "C", notPositive, func(v float64) (any, error) {
			return inProblem(func(p *problem) { p.C.C, p.Loss = v, loss.Logistic{} })
		}},
		{"Fit", "C.Positive", notPositive, func(v float64) (any, error) { return inProblem(func(p *problem) { p.C.Positive = v }) }},
		{"Fit", "C.Negative", notPositive, func(v float64) (any, error) { return inProblem(func(p *problem) { p.C.Negative = v }) }},
		{"PerMean", "C", notNumbers, func(v float64) (any, error) { return inProblem(func(p *problem) { p.C = svm.PerMean(v, 12) }) }},
		{"Lambda", "C", []float64{-1, nan}, func(v float64) (any, error) { return inProblem(func(p *problem) { p.C = svm.Lambda(v, 12) }) }},
		{"Fit", "Epsilon", notPositive, func(v float64) (any, error) {
			return inProblem(func(p *problem) { p.Loss = loss.EpsInsensitive{Epsilon: v} })
		}},
		{"Fit, squared tube", "Epsilon", notPositive, func(v float64) (any, error) {
			return inProblem(func(p *problem) { p.Loss = loss.SquaredEpsInsensitive{Epsilon: v} })
		}},
		{"Fit", "Bias", []float64{-1, 4, 1 << 40}, func(v float64) (any, error) { return inProblem(func(p *problem) { p.Bias = svmkit.Bias(v) }) }},
		{"separate.Decide", "Bias", []float64{-1, 4}, func(v float64) (any, error) { return separate.Decide(ctx, shared, svmkit.Bias(v)) }},
		{"Fit", "Tol", notPositive, func(v float64) (any, error) { return inSettings(func(o *svm.Settings) { o.Tol = v }) }},
		{"Fit", "MaxIterations", negativeInt, func(v float64) (any, error) { return inSettings(func(o *svm.Settings) { o.MaxIterations = int(v) }) }},
		{"RBF", "Gamma", zeroTooIsBad, func(v float64) (any, error) { return withKernel(kernel.RBF{Gamma: v}) }},
		{"Laplacian", "Gamma", zeroTooIsBad, func(v float64) (any, error) { return withKernel(kernel.Laplacian{Gamma: v}) }},
		{"Polynomial", "Gamma", notPositive, func(v float64) (any, error) { return withKernel(kernel.Polynomial{Gamma: v}) }},
		{"Polynomial", "Coef0", notPositive, func(v float64) (any, error) { return withKernel(kernel.Polynomial{Coef0: v}) }},
		{"Polynomial", "Degree", negativeInt, func(v float64) (any, error) { return withKernel(kernel.Polynomial{Degree: int(v)}) }},
		{"Sigmoid", "Gamma", notPositive, func(v float64) (any, error) { return withKernel(kernel.Sigmoid{Gamma: v}) }},
		{"Sigmoid", "Coef0", notFinite, func(v float64) (any, error) { return withKernel(kernel.Sigmoid{Coef0: v}) }},
		{"Precomputed", "N", []float64{0, -1, math.MinInt64}, func(v float64) (any, error) { return withKernel(kernel.Precomputed{N: int(v)}) }},
		{"Precomputed", "Gram(1,0)", notFinite, func(v float64) (any, error) {
			return withKernel(kernel.Precomputed{N: 2, Gram: []float64{1, v, v, 1}})
		}},
		{"Precomputed, asymmetric", "Gram(1,0)", []float64{0.5, -1}, func(v float64) (any, error) {
			return withKernel(kernel.Precomputed{N: 2, Gram: []float64{1, v, 1, 1}})
		}},
		{"Precomputed, of other size", "Gram", []float64{0, 1, 3, 5}, func(v float64) (any, error) {
			return withKernel(kernel.Precomputed{N: 2, Gram: make([]float64, int(v))})
		}},
		{"SMO", "CacheBytes", negativeInt, func(v float64) (any, error) { return by(svm.SMO{CacheBytes: int64(v)}, nil, noBias) }},
		{"Decomposition", "WorkingSet", negativeInt, func(v float64) (any, error) {
			return by(svm.Decomposition{WorkingSet: int(v)}, nil, noBias)
		}},
		{"Decomposition", "MemoryBytes", negativeInt, func(v float64) (any, error) {
			return by(svm.Decomposition{MemoryBytes: int64(v)}, nil, noBias)
		}},
		{"Pegasos", "Batch", negativeInt, func(v float64) (any, error) { return by(svm.Pegasos{Batch: int(v)}, nil, noBias) }},
	}
}

// once is a stream of one good example.
func once(yield func(svmkit.Row, float64) bool) { yield(svmkit.Dense(1, 2), 1) }

func learnerKnobs() []knob {
	v := tune.Validation{Folds: halves()}
	return []knob{
		{"Perceptron.Fit", "Rate", notPositive, func(v float64) (any, error) {
			return (&perceptron.Perceptron{Rate: v}).Fit(ctx, shared, perceptron.Stop{})
		}},
		{"Perceptron.Learn", "Rate", notPositive, func(v float64) (any, error) {
			return nil, (&perceptron.Perceptron{Rate: v}).Learn(ctx, once, nil)
		}},
		{"Averaged.Learn", "Rate", notPositive, func(v float64) (any, error) {
			return nil, (&perceptron.Averaged{Last: perceptron.Perceptron{Rate: v}}).Learn(ctx, once, nil)
		}},
		{"Voted.Learn", "Rate", notPositive, func(v float64) (any, error) {
			return nil, (&perceptron.Voted{Last: perceptron.Perceptron{Rate: v}}).Learn(ctx, once, nil)
		}},
		{"Kernelized.Learn", "Gamma", zeroTooIsBad, func(v float64) (any, error) {
			return nil, (&perceptron.Kernelized{Kernel: kernel.RBF{Gamma: v}}).Learn(ctx, once, nil)
		}},
		{"PegasosStream.Learn", "Lambda", zeroTooIsBad, func(v float64) (any, error) {
			p := &svm.PegasosStream{Lambda: v}
			return nil, p.Learn(ctx, once, nil)
		}},
		{"Perceptron.Fit", "Bias", []float64{-1, float64(svmkit.FreeBias), float64(svmkit.NoBias) + 1}, func(v float64) (any, error) {
			return (&perceptron.Perceptron{Bias: svmkit.Bias(v)}).Fit(ctx, shared, perceptron.Stop{})
		}},
		{"Perceptron.Fit, a weight", "W, B", notFinite, func(v float64) (any, error) {
			return (&perceptron.Perceptron{W: []float64{v, 1}}).Fit(ctx, shared, perceptron.Stop{})
		}},
		{"Perceptron.Fit, the bias", "W, B", notFinite, func(v float64) (any, error) {
			return (&perceptron.Perceptron{B: v}).Fit(ctx, shared, perceptron.Stop{})
		}},
		{"Perceptron.Fit", "Reference", notFinite, func(v float64) (any, error) {
			return (&perceptron.Perceptron{Reference: &svmkit.Hyperplane{W: []float64{1, v}}}).Fit(ctx, shared, perceptron.Stop{})
		}},
		{"Perceptron.Fit, of other columns", "Reference", []float64{0, 1, 3}, func(v float64) (any, error) {
			return (&perceptron.Perceptron{Reference: &svmkit.Hyperplane{W: make([]float64, int(v))}}).Fit(ctx, shared, perceptron.Stop{})
		}},
		{"Perceptron.Fit, of other columns", "W", []float64{1, 3}, func(v float64) (any, error) {
			return (&perceptron.Perceptron{W: make([]float64, int(v))}).Fit(ctx, shared, perceptron.Stop{})
		}},
		{"Perceptron.Fit", "Epochs", negativeInt, func(v float64) (any, error) {
			return new(perceptron.Perceptron).Fit(ctx, shared, perceptron.Stop{Epochs: int(v)})
		}},
		{"Perceptron.Fit", "Mistakes", negativeInt, func(v float64) (any, error) {
			return new(perceptron.Perceptron).Fit(ctx, shared, perceptron.Stop{Mistakes: int(v)})
		}},
		{"OneVsRest", "Threads", negativeInt, func(v float64) (any, error) {
			return multiclass.OneVsRest{Binary: plainFit, Threads: int(v)}.Fit(ctx, shared)
		}},
		{"OneVsOne", "Threads", negativeInt, func(v float64) (any, error) {
			return multiclass.OneVsOne{Binary: plainFit, Threads: int(v)}.Fit(ctx, shared)
		}},
		{"CrammerSinger", "C", notPositive, func(v float64) (any, error) { return multiclass.CrammerSinger{Data: shared, C: v}.Fit(ctx, nil) }},
		{"CrammerSinger", "Tol", notPositive, func(v float64) (any, error) {
			return multiclass.CrammerSinger{Data: shared}.Fit(ctx, &multiclass.Settings{Tol: v})
		}},
		{"CrammerSinger", "Bias", []float64{-1, float64(svmkit.FreeBias), 4}, func(v float64) (any, error) {
			return multiclass.CrammerSinger{Data: shared, Bias: svmkit.Bias(v)}.Fit(ctx, nil)
		}},
		{"CrammerSinger", "MaxIterations", negativeInt, func(v float64) (any, error) {
			return multiclass.CrammerSinger{Data: shared}.Fit(ctx, &multiclass.Settings{MaxIterations: int(v)})
		}},
		{"Search", "Grid.C", zeroTooIsBad, func(c float64) (any, error) {
			return v.Search(ctx, shared, plainTrain, tune.Grid{C: []float64{1, c}})
		}},
		{"Search", "Grid.Gamma", zeroTooIsBad, func(g float64) (any, error) {
			return v.Search(ctx, shared, plainTrain, tune.Grid{C: []float64{1}, Gamma: []float64{g}})
		}},
		{"Nested", "Grid.C", zeroTooIsBad, func(c float64) (any, error) {
			return v.Nested(ctx, shared, plainTrain, tune.Inner{Folds: 2, Grid: tune.Grid{C: []float64{c}}})
		}},
		{"Nested, inner", "k", []float64{-1, 1, 7, 1 << 40}, func(k float64) (any, error) {
			return v.Nested(ctx, shared, plainTrain, tune.Inner{Folds: int(k), Grid: tune.Grid{C: []float64{1}}})
		}},
		{"Inner.Fit", "Grid.C", zeroTooIsBad, func(c float64) (any, error) {
			return tune.Inner{Folds: 2, Grid: tune.Grid{C: []float64{c}}}.Fit(ctx, shared, plainTrain)
		}},
		{"Permuted", "Rounds", negativeInt, func(r float64) (any, error) {
			return v.Permuted(ctx, shared, plainFit, tune.Permutation{Rounds: int(r)})
		}},
		{"CrossValidate", "Threads", negativeInt, func(n float64) (any, error) {
			return tune.Validation{Folds: halves(), Threads: int(n)}.CrossValidate(ctx, shared, plainFit)
		}},
		{"LogSpace, lo", "lo, hi", append(zeroTooIsBad, 2, 3), func(v float64) (any, error) { return tune.LogSpace(v, 2, 3) }},
		{"LogSpace, hi", "lo, hi", []float64{nan, inf}, func(v float64) (any, error) { return tune.LogSpace(1, v, 3) }},
		{"LogSpace", "n", []float64{1, 0, -1, 1 << 60}, func(v float64) (any, error) { return tune.LogSpace(1, 2, int(v)) }},
	}
}

func datasetKnobs() []knob {
	return []knob{
		{"Folds", "k", []float64{-1, 0, 1, 13, 1 << 60}, func(v float64) (any, error) { return tune.Folds(shared, int(v), 1) }},
		{"SplitRows", "testFraction", outsideOfUnit, func(v float64) (any, error) { return tune.SplitRows(shared, v, 1) }},
		{"Flip", "rate", []float64{-0.5, 1.5, nan, inf}, func(v float64) (any, error) { return samples.Flip(shared, v, 1) }},
		{"Scaler", "Kind", []float64{-1, 6}, func(v float64) (any, error) { return feature.Scaler{Kind: feature.Kind(v)}.Fit(shared) }},
		{"Scaler, Low", "Low, High", []float64{nan, inf, -inf}, func(v float64) (any, error) {
			return feature.Scaler{Kind: feature.MinMax, Low: v, High: 1}.Fit(shared)
		}},
		{"Scaler, High", "Low, High", []float64{-1, 0, nan, inf}, func(v float64) (any, error) {
			return feature.Scaler{Kind: feature.MinMax, Low: 0.5, High: v}.Fit(shared)
		}},
		{"Polynomial", "degree", []float64{-1, 0, 3}, func(v float64) (any, error) { return feature.Polynomial(shared, int(v)) }},
		{"Basis", "n", []float64{-1, 0, 4097, 1 << 40}, func(v float64) (any, error) {
			s, _, err := samples.Basis(int(v))
			return s, err
		}},
		{"Shifted", "c", []float64{nan, inf, -inf, 1e17}, func(v float64) (any, error) { return samples.Shifted(v) }},
		{"Separable", "N", []float64{-1, 0, 1, 1 << 60}, func(v float64) (any, error) { return separable(samples.Separable{N: int(v), Dim: 2, Margin: 0.1}) }},
		{"Separable", "Dim", []float64{-1, 0, 1}, func(v float64) (any, error) { return separable(samples.Separable{N: 9, Dim: int(v), Margin: 0.1}) }},
		{"Separable", "Margin", zeroTooIsBad, func(v float64) (any, error) { return separable(samples.Separable{N: 9, Dim: 2, Margin: v}) }},
		{"Separable", "Radius", []float64{-1, 0.05, nan, inf}, func(v float64) (any, error) {
			return separable(samples.Separable{N: 9, Dim: 2, Margin: 0.1, Radius: v})
		}},
		{"Separable", "Bias", notFinite, func(v float64) (any, error) {
			return separable(samples.Separable{N: 9, Dim: 2, Margin: 0.1, Bias: v})
		}},
		{"Overlapping", "N", []float64{-1, 1, 1 << 60}, func(v float64) (any, error) { return samples.Overlapping{N: int(v)}.Generate(1) }},
		{"Overlapping", "Dim", []float64{-1, math.MinInt64}, func(v float64) (any, error) { return samples.Overlapping{N: 9, Dim: int(v)}.Generate(1) }},
		{"Overlapping", "Separation", notPositive, func(v float64) (any, error) { return samples.Overlapping{N: 9, Separation: v}.Generate(1) }},
		{"Moons", "Noise", notPositive, func(v float64) (any, error) { return samples.Moons{N: 9, Noise: v}.Generate(1) }},
		{"NoisyXOR", "Noise", notPositive, func(v float64) (any, error) { return samples.NoisyXOR{N: 9, Noise: v}.Generate(1) }},
		{"Circles", "Noise", notPositive, func(v float64) (any, error) { return samples.Circles{N: 9, Noise: v}.Generate(1) }},
		{"Circles", "Inner", []float64{-0.5, 1, 2, nan, inf}, func(v float64) (any, error) { return samples.Circles{N: 9, Inner: v}.Generate(1) }},
		{"FitTFIDF", "MinDocs", negativeInt, func(v float64) (any, error) { return text.FitTFIDF([]string{"a"}, text.Options{MinDocs: int(v)}) }},
		{"FitTFIDF", "MaxTerms", negativeInt, func(v float64) (any, error) { return text.FitTFIDF([]string{"a"}, text.Options{MaxTerms: int(v)}) }},
		{"FitTFIDF", "MaxDocs", negativeInt, func(v float64) (any, error) { return text.FitTFIDF([]string{"a"}, text.Options{MaxDocs: int(v)}) }},
		{"FitTFIDF", "MinGram", append(negativeInt, 33, 1<<60), func(v float64) (any, error) { return text.FitTFIDF([]string{"a"}, text.Options{MinGram: int(v)}) }},
		{"FitTFIDF", "MaxGram", append(negativeInt, 33, 1<<60), func(v float64) (any, error) { return text.FitTFIDF([]string{"a"}, text.Options{MaxGram: int(v)}) }},
		{"FitTFIDF", "Unit", append(negativeInt, 3), func(v float64) (any, error) { return text.FitTFIDF([]string{"a"}, text.Options{Unit: text.Unit(v)}) }},
		{"ReadLIBSVM", "Dim", []float64{-1, 1 << 31, 1 << 60}, func(v float64) (any, error) {
			return readLIBSVM(strings.NewReader("1 1:1\n"), &dataset.LIBSVMOptions{Dim: int(v)})
		}},
		{"ReadCSV", "Skip", negativeInt, func(v float64) (any, error) {
			return readCSV(strings.NewReader("1,2\n"), &dataset.CSVOptions{Skip: int(v)})
		}},
		{"ReadCSV", "Header", []float64{-1, 3}, func(v float64) (any, error) {
			return readCSV(strings.NewReader("1,2\n"), &dataset.CSVOptions{Header: dataset.Header(v)})
		}},
		{"ReadCSV", "Comma", []float64{'\n', '\r', '"'}, func(v float64) (any, error) {
			return readCSV(strings.NewReader("1,2\n"), &dataset.CSVOptions{Comma: byte(v)})
		}},
		{"ReadCSV", "Task", []float64{-1, 3}, func(v float64) (any, error) {
			return readCSV(strings.NewReader("1,2\n"), &dataset.CSVOptions{Labels: dataset.Labels{Task: dataset.Task(v)}})
		}},
	}
}

func separable(g samples.Separable) (any, error) {
	s, _, err := g.Generate(1)
	return s, err
}

// wrongCombinations are values that are right by themselves and do not go together.
func wrongCombinations() []badInput {
	three := &svmkit.Dataset{X: good().X, Y: []float64{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}, Dim: 2}
	by := func(name string, s svm.Solver, p svm.Problem, want verdict) badInput {
		p.Data = good()
		return badInput{name, &p, func() (any, error) {
			r, err := svm.Fit(ctx, &p, s, nil)
			if r == nil {
				return nil, err
			}
			return r, err
		}, want}
	}
	certify := func(name string, beta []float64, want verdict) badInput {
		p := &svm.Problem{Data: good()}
		return badInput{"Certify: " + name, []any{p, beta}, func() (any, error) { return p.Certify(beta) }, want}
	}
	start := func(name string, beta []float64, want verdict) badInput {
		p := &svm.Problem{Data: good()}
		o := &svm.Settings{Start: beta}
		return badInput{"Settings.Start: " + name, []any{p, o}, func() (any, error) { return svm.Fit(ctx, p, nil, o) }, want}
	}
	weights := func(name string, w []float64, c float64, want verdict) badInput {
		p := &svm.Problem{Data: good(), C: svm.PerSum(c)}
		p.Data.Weight = w
		return badInput{"Weight: " + name, p, func() (any, error) { return svm.Fit(ctx, p, nil, nil) }, want}
	}
	at := func(i int, v float64) []float64 {
		w := make([]float64, 12)
		for k := range w {
			w[k] = 1
		}
		w[i] = v
		return w
	}
	alpha := func(name string, rows int, cols int, v float64, want verdict) badInput {
		a := make([][]float64, rows)
		for i := range a {
			a[i] = make([]float64, cols)
		}
		if v != 0 {
			a[4][1] = v
		}
		return badInput{"CrammerSinger.Certify: " + name, []any{three, a}, func() (any, error) { return multiclass.CrammerSinger{Data: three}.Certify(a) }, want}
	}
	return []badInput{
		by("DualCoordinate with a kernel", svm.DualCoordinate{}, svm.Problem{Kernel: kernel.RBF{Gamma: 1}}, param("Kernel")),
		by("ProximalNewton with a kernel", svm.ProximalNewton{}, svm.Problem{Kernel: kernel.RBF{Gamma: 1}}, param("Kernel")),
		by("ProximalNewton with a hard margin", svm.ProximalNewton{}, svm.Problem{C: svm.PerSum(inf)}, param("C")),
		by("ProximalNewton with logistic", svm.ProximalNewton{}, svm.Problem{Loss: loss.Logistic{}}, param("Loss")),
		by("Newton with the hinge", svm.Newton{}, svm.Problem{}, param("Solver")),
		by("Newton with a kernel", svm.Newton{}, svm.Problem{Loss: loss.SquaredHinge{}, Kernel: kernel.RBF{Gamma: 1}}, param("Kernel")),
		by("SMO with logistic", svm.SMO{}, svm.Problem{Loss: loss.Logistic{}}, param("Solver")),
		by("Decomposition with logistic", svm.Decomposition{}, svm.Problem{Loss: loss.Logistic{}}, param("Solver")),
		by("Decomposition with sigmoid", svm.Decomposition{}, svm.Problem{Kernel: kernel.Sigmoid{}}, param("Solver")),
		by("Decomposition with a hard margin", svm.Decomposition{}, svm.Problem{Kernel: kernel.RBF{Gamma: 1}, C: svm.PerSum(inf)}, param("Solver")),
		by("SDCA with a free bias", svm.SDCA{}, svm.Problem{}, param("Bias")),
		by("SDCA with sigmoid", svm.SDCA{}, svm.Problem{Kernel: kernel.Sigmoid{}, Bias: svmkit.NoBias}, param("Kernel")),
		by("Pegasos with a free bias", svm.Pegasos{}, svm.Problem{}, param("Bias")),
		by("Pegasos with a kernel", svm.Pegasos{}, svm.Problem{Kernel: kernel.RBF{Gamma: 1}, Bias: svmkit.NoBias}, param("Kernel")),
		by("Pegasos with the squared hinge", svm.Pegasos{}, svm.Problem{Loss: loss.SquaredHinge{}, Bias: svmkit.NoBias}, param("Solver")),
		by("logistic with a kernel", nil, svm.Problem{Loss: loss.Logistic{}, Kernel: kernel.RBF{Gamma: 1}}, param("Loss")),
		by("a pointer to a loss", nil, svm.Problem{Loss: &loss.Hinge{}}, param("Loss")),
		by("a hard margin that does not exist", nil, svm.Problem{C: svm.PerSum(inf)}, func(o outcome) string {
			if _, ok := o.err.(*svm.InseparableError); !ok || o.err.Error() == "" {
				return fmt.Sprintf("%v", o.err)
			}
			return ""
		}),
		by("PerMean of no rows", nil, svm.Problem{C: svm.PerMean(1, 0)}, param("C")),
		by("PerMean of less than no rows", nil, svm.Problem{C: svm.PerMean(-1, -12)}, param("C")),
		by("Lambda of no rows", nil, svm.Problem{C: svm.Lambda(1, 0)}, param("C")),
		by("Lambda of less than no rows", nil, svm.Problem{C: svm.Lambda(-1, -12)}, param("C")),
		by("C times Positive overflows", nil, svm.Problem{C: svm.Cost{C: 1e200, Positive: 1e200}}, isData(0)),
		by("C times Negative vanishes", nil, svm.Problem{C: svm.Cost{C: 1e-200, Negative: 1e-200}}, isData(0)),
		weights("one too few", at(0, 1)[:11], 1, isData(svmkit.NoPlace)),
		weights("none", []float64{}, 1, isData(svmkit.NoPlace)),
		weights("all zero", make([]float64, 12), 1, isData(svmkit.NoPlace)),
		weights("negative", at(11, -1), 1, isData(11)),
		weights("NaN", at(0, nan), 1, isData(0)),
		weights("Inf", at(5, inf), 1, isData(5)),
		weights("times C overflows", at(7, 1e200), 1e200, isData(7)),
		weights("times C vanishes", at(7, 1e-200), 1e-200, isData(7)),
		certify("nil", nil, data(svmkit.ErrMismatch, none, none)),
		certify("one too few", make([]float64, 11), data(svmkit.ErrMismatch, none, none)),
		certify("NaN", at(2, nan), data(svmkit.ErrNotFinite, 2, none)),
		certify("Inf", at(9, inf), data(svmkit.ErrNotFinite, 9, none)),
		certify("1e300", at(9, 1e300), fine),
		certify("a denormal", at(9, 5e-324), fine),
		start("one too few", make([]float64, 11), data(svmkit.ErrMismatch, none, none)),
		start("empty", []float64{}, data(svmkit.ErrMismatch, none, none)),
		start("NaN", at(2, nan), data(svmkit.ErrNotFinite, 2, none)),
		start("-Inf", at(9, -inf), data(svmkit.ErrNotFinite, 9, none)),
		start("1e300", at(9, 1e300), fine),
		alpha("a row too few", 11, 3, 0, data(svmkit.ErrMismatch, none, none)),
		alpha("a class too few", 12, 2, 0, data(svmkit.ErrMismatch, 0, none)),
		alpha("NaN", 12, 3, nan, data(svmkit.ErrNotFinite, 4, 1)),
		alpha("Inf", 12, 3, inf, data(svmkit.ErrNotFinite, 4, 1)),
		alpha("1e300", 12, 3, 1e300, fine),
	}
}

// isData wants a DataError at a row, whatever its cause.
func isData(row int) verdict {
	return func(o outcome) string {
		if wrong := failed(o); wrong != "" {
			return wrong
		}
		e, ok := o.err.(*svmkit.DataError)
		if !ok || e.Row != row {
			return fmt.Sprintf("error %T %v, want a DataError in row %d", o.err, o.err, row)
		}
		if row == svmkit.NoPlace {
			return ""
		}
		return names(o.err, fmt.Sprintf("row %d", row))
	}
}
