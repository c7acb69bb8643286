package house

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/perceptron"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// A trained model, and rows that it was not made for. A dense row of another length is a bug of the
// calling code: it panics, in the caller's goroutine, with both lengths. A sparse row has no length:
// columns beyond the data's are ignored by a linear model. NaN gives NaN, and no class.
func predictionCases() (cases []badInput) {
	fitted := func(k kernel.Kernel) *svm.Model {
		r, err := svm.Fit(ctx, &svm.Problem{Data: spoiled(func(s *svmkit.Dataset) { s.Classes = []string{"a", "b"} }), Kernel: k}, nil, nil)
		if err != nil {
			panic(err)
		}
		r.Model.Platt = &svm.Platt{A: -1}
		return &r.Model
	}
	mine := kernel.Func(func(x, z svmkit.Row) float64 { return x.DotRow(z) + 1 })
	short, long, nothing := svmkit.Dense(1), svmkit.Dense(1, 2, 3), svmkit.Row{}
	bad := svmkit.Dense(1, nan)
	beyond := svmkit.Row{Index: []int32{1, 1 << 30}, Value: []float64{2, 7}}
	within := svmkit.Row{Index: []int32{1}, Value: []float64{2}}
	for name, m := range map[string]*svm.Model{"linear": fitted(nil), "rbf": fitted(kernel.RBF{Gamma: 1}), "polynomial": fitted(kernel.Polynomial{Degree: 2}),
		"laplacian": fitted(kernel.Laplacian{Gamma: 1}), "sigmoid": fitted(kernel.Sigmoid{Gamma: 0.1}), "a user's": fitted(mine)} {
		add := func(what string, call func() (any, error), want verdict) {
			cases = append(cases, badInput{name + ": " + what, m, call, want})
		}
		number1 := func(f func(x svmkit.Row) float64) func(x svmkit.Row) func() (any, error) {
			return func(x svmkit.Row) func() (any, error) { return func() (any, error) { return f(x), nil } }
		}
		all := func(x svmkit.Row) float64 { return m.ScoreAll([]svmkit.Row{svmkit.Dense(1, 1), x})[1] }
		many := func(x svmkit.Row) float64 { // so many that all processors take part
			rows := make([]svmkit.Row, 2000)
			for i := range rows {
				rows[i] = svmkit.Dense(1, float64(i))
			}
			rows[1999] = x
			return m.ScoreAll(rows)[1999]
		}
		for what, f := range map[string]func(x svmkit.Row) func() (any, error){"Score": number1(m.Score), "Predict": number1(func(x svmkit.Row) float64 { return m.Predict(x).Y }),
			"Probability": number1(m.Probability), "ScoreAll": number1(all), "ScoreAll of 2000": number1(many)} {
			add(what+" of a short row", f(short), panics("meets"))
			add(what+" of a long row", f(long), panics("meets"))
			add(what+" of a row of nothing", f(nothing), panics("meets"))
			add(what+" of NaN", f(bad), number(nan))
		}
		add("Margin of NaN", func() (any, error) { return m.Margin(bad, 1), nil }, number(nan))
		add("Class of NaN", func() (any, error) { return m.Predict(bad).Name == "", nil }, isTrue)
		add("ScoreAll of no rows", func() (any, error) { return len(m.ScoreAll(nil)) == 0, nil }, isTrue)
		add("Class of a row of nothing", func() (any, error) { return m.Predict(nothing).Name, nil }, panics("meets"))
		if name == "linear" {
			add("Score of a sparse row beyond", func() (any, error) { return m.Score(beyond), nil }, number(m.Score(within)))
			add("ScoreAll of a sparse row beyond", func() (any, error) { return all(beyond), nil }, number(m.Score(within)))
		}
	}
	return append(cases, otherModels(short, long, bad)...)
}

func isTrue(o outcome) string {
	if wrong := fine(o); wrong != "" || o.value != true {
		return fmt.Sprintf("%s %v, want true", wrong, o.value)
	}
	return ""
}

// otherModels is the same for perceptrons, classifiers of many classes and scalings.
func otherModels(short, long, bad svmkit.Row) (cases []badInput) {
	set := spoiled(func(s *svmkit.Dataset) {
		for i := range s.Y {
			s.Y[i] = float64(i % 3)
		}
	})
	rest, err1 := multiclass.OneVsRest{Binary: plainFit}.Fit(ctx, set)
	pair, err2 := multiclass.OneVsOne{Binary: plainFit}.Fit(ctx, set)
	cs, err3 := multiclass.CrammerSinger{Data: set}.Fit(ctx, nil)
	p, a, v := &perceptron.Perceptron{}, &perceptron.Averaged{}, &perceptron.Voted{}
	k := &perceptron.Kernelized{Kernel: kernel.RBF{Gamma: 1}}
	_, err4 := p.Fit(ctx, good(), perceptron.Stop{Epochs: 2})
	_, err5 := a.Fit(ctx, good(), perceptron.Stop{Epochs: 2})
	_, err6 := v.Fit(ctx, good(), perceptron.Stop{Epochs: 2})
	_, err7 := k.Fit(ctx, good(), perceptron.Stop{Epochs: 2})
	stream := &svm.PegasosStream{Lambda: 1}
	err9 := stream.Learn(ctx, good().All(), nil)
	scaling, err8 := feature.Scaler{}.Fit(good())
	for _, err := range []error{err1, err2, err3, err4, err5, err6, err7, err8, err9} {
		if err != nil {
			panic(err)
		}
	}
	for name, m := range map[string]multiclass.Classifier{"OneVsRest": rest, "OneVsOne": pair, "CrammerSinger": cs} {
		cases = append(cases,
			badInput{name + ": Predict of a short row", m, func() (any, error) { return m.Predict(short).Y, nil }, panics("meets")},
			badInput{name + ": Scores of a long row", m, func() (any, error) { return m.ClassScores(long), nil }, panics("meets")},
			badInput{name + ": Class of NaN", m, func() (any, error) {
				p := m.Predict(bad)
				return !p.OK && p.Class == -1 && p.Name == "", nil
			}, isTrue},
			badInput{name + ": Predict of NaN", m, func() (any, error) { return m.Predict(bad).Y, nil }, number(nan)})
	}
	for name, m := range map[string]svmkit.Scorer{"Perceptron": p, "Averaged": a, "Voted": v, "Kernelized": k, "PegasosStream": stream} {
		cases = append(cases,
			badInput{name + ": Score of a short row", m, func() (any, error) { return m.Score(short), nil }, panics("meets")},
			badInput{name + ": Score of a long row", m, func() (any, error) { return m.Score(long), nil }, panics("meets")})
		if name != "Voted" { // each of its planes abstains
			cases = append(cases, badInput{name + ": Score of NaN", m, func() (any, error) { return m.Score(bad), nil }, number(nan)})
		}
	}
	for _, c := range []struct {
		name  string
		x     svmkit.Row
		cause error
		row   int
		col   int
	}{{"short", short, svmkit.ErrRagged, 0, none}, {"long", long, svmkit.ErrRagged, 0, none}, {"NaN", bad, svmkit.ErrNotFinite, 0, 1},
		{"huge", svmkit.Dense(math.MaxFloat64, -math.MaxFloat64), svmkit.ErrNotFinite, 0, 0}} {
		want := data(c.cause, c.row, c.col)
		if c.name == "huge" { // no number that is divided by less than 1 need stay one: divide by 1e-3
			small := &feature.Scaling{Kind: feature.UnitVariance, Dim: 2, Scale: []float64{1e-3, 1}}
			cases = append(cases, badInput{"Scaling.ApplyRow: huge", small, func() (any, error) { return small.ApplyRow(c.x) }, want})
			continue
		}
		scaled := &tune.ScaledScorer{ScaledModel: tune.ScaledModel{Scaling: scaling, Model: svmkit.AsModel(p, good())}}
		cases = append(cases,
			badInput{"Scaling.ApplyRow: " + c.name, scaling, func() (any, error) { return scaling.ApplyRow(c.x) }, want},
			badInput{"ScaledModel.Predict: " + c.name, scaled, func() (any, error) { return scaled.Predict(c.x).Y, nil }, number(nan)},
			badInput{"ScaledScorer.Score: " + c.name, scaled, func() (any, error) { return scaled.Score(c.x), nil }, number(nan)})
	}
	sparse := svmkit.Row{Index: []int32{1}, Value: []float64{1}}
	unit := &feature.Scaling{Kind: feature.UnitNorm, Dim: 2}
	return append(cases,
		badInput{"Scaling.ApplyRow: sparse", scaling, func() (any, error) { return scaling.ApplyRow(sparse) }, is(feature.ErrFillsSparse)},
		badInput{"Scaling.Inverse: UnitNorm", unit, func() (any, error) { return unit.Inverse(shared) }, is(feature.ErrNoInverse)},
		badInput{"Scaling.Apply: other columns", scaling, func() (any, error) { return scaling.Apply(shared.Columns(0)) }, is(svmkit.ErrMismatch)})
}
