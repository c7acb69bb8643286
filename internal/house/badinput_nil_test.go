package house

import (
	"bytes"
	"context"
	"iter"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/perceptron"
	"github.com/svmkit/course/svmkit/separate"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// nilCases is nil for everything that can be nil. (A nil set is a row of the table badSets.)
func nilCases() []badInput {
	var (
		noContext context.Context
		noProblem *svm.Problem
		noModel   svmkit.Fitter    = func(context.Context, *svmkit.Dataset) (svmkit.Model, error) { return nil, nil }
		noTrained tune.ParamFitter = func(context.Context, *svmkit.Dataset, tune.Params, svmkit.Model) (svmkit.Model, error) {
			return nil, nil
		}
		noExamples iter.Seq2[svmkit.Row, float64]
	)
	p := &svm.Problem{Data: good()}
	v := tune.Validation{Folds: halves()}
	grid := tune.Grid{C: []float64{1}}
	once := good().All()
	c := func(name string, want verdict, call func() (any, error)) badInput {
		return badInput{name, p, call, want}
	}
	cases := []badInput{
		c("Fit: context", param("ctx"), func() (any, error) { return svm.Fit(noContext, p, nil, nil) }),
		c("Fit: problem", param("Problem"), func() (any, error) { return svm.Fit(ctx, nil, nil, nil) }),
		c("Fit: problem without data", data(svmkit.ErrEmpty, none, none), func() (any, error) { return svm.Fit(ctx, &svm.Problem{}, nil, nil) }),
		c("Fit: solver and settings", fine, func() (any, error) { return svm.Fit(ctx, p, nil, nil) }),
		c("Fit: solver, a nil pointer", param("Solver"), func() (any, error) { return svm.Fit(ctx, p, (*svm.SMO)(nil), nil) }),
		c("Fit: loss, a nil pointer", param("Loss"), func() (any, error) {
			return svm.Fit(ctx, &svm.Problem{Data: p.Data, Loss: (*loss.Hinge)(nil)}, nil, nil)
		}),
		c("Fit: kernel, a nil function", param("Kernel"), func() (any, error) {
			return svm.Fit(ctx, &svm.Problem{Data: p.Data, Kernel: kernel.Func(nil)}, nil, nil)
		}),
		c("Fit: kernel, a nil pointer", param("Kernel"), func() (any, error) {
			return svm.Fit(ctx, &svm.Problem{Data: p.Data, Kernel: (*kernel.RBF)(nil)}, nil, nil)
		}),
		c("Problem.Validate", param("Problem"), func() (any, error) { return nil, noProblem.Validate() }),
		c("Certify", param("Problem"), func() (any, error) { return noProblem.Certify(nil) }),
		c("separate.Decide: context", param("ctx"), func() (any, error) { return separate.Decide(noContext, p.Data, svmkit.FreeBias) }),
		c("kernel.Validate", param("Kernel"), func() (any, error) { return nil, kernel.Validate(nil) }),
		c("OneVsRest: context", param("ctx"), func() (any, error) { return multiclass.OneVsRest{Binary: plainFit}.Fit(noContext, p.Data) }),
		c("OneVsOne: context", param("ctx"), func() (any, error) { return multiclass.OneVsOne{Binary: plainFit}.Fit(noContext, p.Data) }),
		c("CrammerSinger: context", param("ctx"), func() (any, error) { return multiclass.CrammerSinger{Data: p.Data}.Fit(noContext, nil) }),
		c("OneVsRest: fitter", param("Binary"), func() (any, error) { return multiclass.OneVsRest{}.Fit(ctx, p.Data) }),
		c("OneVsOne: fitter", param("Binary"), func() (any, error) { return multiclass.OneVsOne{}.Fit(ctx, p.Data) }),
		c("OneVsRest: no model", isError, func() (any, error) { return multiclass.OneVsRest{Binary: noModel}.Fit(ctx, p.Data) }),
		c("OneVsOne: no model", isError, func() (any, error) { return multiclass.OneVsOne{Binary: noModel}.Fit(ctx, p.Data) }),
		c("CrossValidate: context", param("ctx"), func() (any, error) { return v.CrossValidate(noContext, p.Data, plainFit) }),
		c("Search: context", param("ctx"), func() (any, error) { return v.Search(noContext, p.Data, plainTrain, grid) }),
		c("Nested: context", param("ctx"), func() (any, error) {
			return v.Nested(noContext, p.Data, plainTrain, tune.Inner{Grid: grid, Folds: 2})
		}),
		c("Permuted: context", param("ctx"), func() (any, error) { return v.Permuted(noContext, p.Data, plainFit, tune.Permutation{Rounds: 1}) }),
		c("CrossValidate: fitter", param("fit"), func() (any, error) { return v.CrossValidate(ctx, p.Data, nil) }),
		c("Permuted: fitter", param("fit"), func() (any, error) { return v.Permuted(ctx, p.Data, nil, tune.Permutation{}) }),
		c("Search: trainer", param("train"), func() (any, error) { return v.Search(ctx, p.Data, nil, grid) }),
		c("Nested: trainer", param("train"), func() (any, error) { return v.Nested(ctx, p.Data, nil, tune.Inner{Grid: grid}) }),
		c("CrossValidate: scaled fitter", param("fit"), func() (any, error) { return v.CrossValidate(ctx, p.Data, tune.Scaled(feature.Scaler{}, nil)) }),
		c("CrossValidate: no model", inFold(0, isError), func() (any, error) { return v.CrossValidate(ctx, p.Data, noModel) }),
		c("CrossValidate: no model, scaled", inFold(0, isError), func() (any, error) {
			return v.CrossValidate(ctx, p.Data, tune.Scaled(feature.Scaler{}, noModel))
		}),
		c("Search: no model", inFold(0, isError), func() (any, error) { return v.Search(ctx, p.Data, noTrained, grid) }),
		c("Inner.Fitter: trainer", param("train"), func() (any, error) { return tune.Inner{Folds: 2, Grid: grid}.Fitter(nil)(ctx, p.Data) }),
		c("CrossValidate: folds", param("Folds"), func() (any, error) { return tune.Validation{}.CrossValidate(ctx, p.Data, plainFit) }),
		c("CrossValidate: rows of a fold", inFold(0, data(svmkit.ErrEmpty, none, none)), func() (any, error) {
			return tune.Validation{Folds: make([]tune.Fold, 2)}.CrossValidate(ctx, p.Data, plainFit)
		}),
		c("CrossValidate: a row on both sides", inFold(1, data(tune.ErrLeak, 3, none)), func() (any, error) {
			f := halves()
			f[1].Test = append(f[1].Test, 3)
			f[1].Train = append(f[1].Train, 3)
			return tune.Validation{Folds: f}.CrossValidate(ctx, p.Data, plainFit)
		}),
		c("CrossValidate: row 12 of 12", inFold(0, param("Folds")), func() (any, error) {
			return tune.Validation{Folds: []tune.Fold{{Train: []int{0, 1}, Test: []int{12}}}}.CrossValidate(ctx, p.Data, plainFit)
		}),
		c("CrossValidate: row -1", inFold(0, param("Folds")), func() (any, error) {
			return tune.Validation{Folds: []tune.Fold{{Train: []int{-1, 1}, Test: []int{2}}}}.CrossValidate(ctx, p.Data, plainFit)
		}),
		c("ToMatrix", fine, func() (any, error) { return dataset.ToMatrix(&svmkit.Dataset{}), nil }),
		// A reader or writer that is nil is a bug of the calling code, as for the functions of package io.
		c("ReadLIBSVM: reader", param("r"), func() (any, error) { return readLIBSVM(nil, nil) }),
		c("ReadCSV: reader", param("r"), func() (any, error) { return readCSV(nil, nil) }),
		c("Read: reader", param("r"), func() (any, error) { return dataset.Read(context.Background(), nil, nil) }),
		c("Read: context", param("ctx"), func() (any, error) { return dataset.Read(noContext, new(bytes.Buffer), nil) }),
		c("Load: reader", param("r"), func() (any, error) { return modelfile.Load(nil) }),
		c("Save: writer", param("w"), func() (any, error) { return nil, modelfile.Save(nil, &svm.Model{Weights: []float64{1}, Dim: 1}) }),
		c("WriteLIBSVM: writer", param("w"), func() (any, error) { return nil, dataset.WriteLIBSVM(nil, p.Data) }),
		c("WriteCSV: writer", param("w"), func() (any, error) { return nil, dataset.WriteCSV(nil, p.Data) }),
		c("PNG of no figure", isError, func() (any, error) { return new(plots.Figure).PNG() }),
		c("SVG of no figure", isError, func() (any, error) { return new(plots.Figure).SVG() }),
		c("GIF of no animation", isError, func() (any, error) { return new(plots.Animation).GIF() }),
		c("plots.New without a plot", isError, func() (any, error) { return plots.New(nil, "c", "a") }),
	}
	for name, l := range learners() {
		fit := l.fit
		cases = append(cases, c(name+".Fit: context", param("ctx"), func() (any, error) { return fit(noContext, p.Data, perceptron.Stop{}) }))
	}
	for name, l := range learners() {
		cases = append(cases,
			c(name+".Learn: context", param("ctx"), func() (any, error) { return nil, l.learn(noContext, once) }),
			c(name+".Learn: examples", param("examples"), func() (any, error) { return nil, l.learn(ctx, noExamples) }))
	}
	stream := &svm.PegasosStream{Lambda: 1}
	return append(cases,
		c("PegasosStream.Learn: context", param("ctx"), func() (any, error) { return nil, stream.Learn(noContext, once, nil) }),
		c("PegasosStream.Learn: examples", param("examples"), func() (any, error) { return nil, stream.Learn(ctx, noExamples, nil) }))
}

// A learner is one of the four perceptrons, untrained.
type learner struct {
	fit   func(context.Context, *svmkit.Dataset, perceptron.Stop) (*perceptron.Trace, error)
	learn func(context.Context, iter.Seq2[svmkit.Row, float64]) error
}

func learners() map[string]learner {
	p, a, v, k := &perceptron.Perceptron{}, &perceptron.Averaged{}, &perceptron.Voted{}, &perceptron.Kernelized{}
	type all interface {
		Learn(context.Context, iter.Seq2[svmkit.Row, float64], func(perceptron.Mistake) bool) error
		Fit(context.Context, *svmkit.Dataset, perceptron.Stop) (*perceptron.Trace, error)
	}
	found := map[string]learner{}
	for name, l := range map[string]all{"Perceptron": p, "Averaged": a, "Voted": v, "Kernelized": k} {
		found[name] = learner{l.Fit, func(ctx context.Context, examples iter.Seq2[svmkit.Row, float64]) error {
			return l.Learn(ctx, examples, nil)
		}}
	}
	return found
}
