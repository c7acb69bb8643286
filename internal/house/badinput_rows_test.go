package house

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/qp"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/text"
	"github.com/svmkit/course/svmkit/tune"
)

// rowCases is the vocabulary: rows, sets made from slices, planes, classes; then the small functions on
// slices of numbers: Platt, metrics, the oracle's programs, text.
func rowCases() []badInput {
	var all []badInput
	for _, table := range [][]badInput{primitives(), makers(), planes(), classCases(), plattCases(), metricCases(), programCases(), textCases()} {
		all = append(all, table...)
	}
	return all
}

// Rows of different lengths are a bug of the calling code: the primitives panic, and say the lengths.
func primitives() []badInput {
	two, three := svmkit.Dense(1, 2), svmkit.Dense(1, 2, 3)
	beyond := svmkit.Row{Index: []int32{5}, Value: []float64{1}}
	plane := svmkit.Hyperplane{W: []float64{1, 2}}
	p := func(name string, want string, keep any, call func()) badInput {
		return badInput{name, keep, func() (any, error) { call(); return nil, nil }, panics(want)}
	}
	return []badInput{
		p("Dot of other length", "a dense row of 3 columns meets a vector of 2", three, func() { three.Dot([]float64{1, 2}) }),
		p("Dot with nil", "a dense row of 3 columns meets a vector of 0", three, func() { three.Dot(nil) }),
		p("Dot of a sparse row beyond", "index out of range", beyond, func() { beyond.Dot([]float64{1, 2}) }),
		p("AddTo of other length", "a dense row of 3 columns meets a vector of 2", three, func() { three.AddTo([]float64{1, 2}, 1) }),
		p("AddTo of a sparse row beyond", "index out of range", beyond, func() { beyond.AddTo([]float64{1, 2}, 1) }),
		p("DotRow of other length", "of 2 columns meets a vector of 3", []svmkit.Row{two, three}, func() { two.DotRow(three) }),
		p("ToDense too short", "a dense row of 3 columns meets a vector of 2", three, func() { three.ToDense(2) }),
		p("At beyond a dense row", "index out of range", two, func() { two.At(2) }),
		p("At -1 of a dense row", "index out of range", two, func() { two.At(-1) }),
		p("DenseRows of no columns", "d does not divide", nil, func() { svmkit.DenseRows([]float64{1}, 0) }),
		p("DenseRows that do not fit", "d does not divide", nil, func() { svmkit.DenseRows([]float64{1, 2, 3}, 2) }),
		p("Columns of none", "d does not divide", shared, func() { shared.Columns() }),
		p("Columns beyond", "column 2 of 2", shared, func() { shared.Columns(0, 2) }),
		p("Columns -1", "column -1 of 2", shared, func() { shared.Columns(-1) }),
		p("Subset beyond", "index out of range", shared, func() { shared.Subset([]int{12}) }),
		p("Score of other length", "a dense row of 3 columns meets a vector of 2", plane, func() { plane.Score(three) }),
		p("SetMargin of no rows", "margin of an empty set", plane, func() { plane.SetMargin(&svmkit.Dataset{Dim: 2}) }),
		{"At beyond a sparse row", beyond, func() (any, error) { return beyond.At(9), nil }, number(0)},
		{"At -1 of a sparse row", beyond, func() (any, error) { return beyond.At(-1), nil }, number(0)},
		{"Norm of 1e300", nil, func() (any, error) { return svmkit.Dense(3e300, 4e300).Norm(), nil }, number(5e300)},
		{"Norm of 1e-300", nil, func() (any, error) { return svmkit.Dense(3e-300, 4e-300).Norm() / 1e-300, nil }, near(5)},
		{"Norm of denormals", nil, func() (any, error) { return svmkit.Dense(3*5e-324, 4*5e-324).Norm(), nil }, number(5 * 5e-324)},
		{"Norm with Inf", nil, func() (any, error) { return svmkit.Dense(1, inf, 2).Norm(), nil }, number(inf)},
		{"Norm with NaN", nil, func() (any, error) { return svmkit.Dense(1, nan).Norm(), nil }, number(nan)},
		{"Norm with NaN and Inf", nil, func() (any, error) { return svmkit.Dense(inf, nan).Norm(), nil }, number(nan)},
		{"Norm of nothing", nil, func() (any, error) { return svmkit.Row{}.Norm(), nil }, number(0)},
		{"Radius of no rows", nil, func() (any, error) { return new(svmkit.Dataset).Radius(), nil }, number(0)},
		{"NNZ of no rows", nil, func() (any, error) { return float64(new(svmkit.Dataset).NNZ()), nil }, number(0)},
		{"All of no rows", nil, func() (any, error) {
			for range new(svmkit.Dataset).All() {
				return nil, fmt.Errorf("a row")
			}
			return nil, nil
		}, fine},
		{"Augment by NaN", shared, func() (any, error) { return nil, shared.Augment(nan).Validate() }, data(svmkit.ErrNotFinite, 0, 2)},
		{"Augment of no rows", nil, func() (any, error) { return nil, (&svmkit.Dataset{Dim: 2}).Augment(1).Validate() }, data(svmkit.ErrEmpty, none, none)},
	}
}

// near wants a number up to rounding.
func near(want float64) verdict {
	return func(o outcome) string {
		got, _ := o.value.(float64)
		if wrong := fine(o); wrong != "" || !(math.Abs(got-want) <= rounding*math.Abs(want)) {
			return fmt.Sprintf("%s %v, want %v", wrong, o.value, want)
		}
		return ""
	}
}

func makers() []badInput {
	made := func(name string, x [][]float64, y []float64, want verdict) badInput {
		return badInput{"NewDataset: " + name, []any{x, y}, func() (any, error) {
			s, err := svmkit.NewDataset(x, y)
			if err != nil {
				return nil, err // the set comes along, as its comment does not forbid
			}
			return s, nil
		}, want}
	}
	matrix := func(name string, x mat.Matrix, y []float64, want verdict) badInput {
		return badInput{"FromMatrix: " + name, y, func() (any, error) { return dataset.FromMatrix(x, y) }, want}
	}
	return []badInput{
		made("nil", nil, nil, data(svmkit.ErrEmpty, none, none)),
		made("empty", [][]float64{}, []float64{}, data(svmkit.ErrEmpty, none, none)),
		made("no columns", [][]float64{{}, {}}, []float64{1, -1}, data(svmkit.ErrNoColumns, none, none)),
		made("nil row", [][]float64{{1}, nil}, []float64{1, -1}, data(svmkit.ErrRagged, 1, none)),
		made("ragged", [][]float64{{1, 2}, {1, 2, 3}}, []float64{1, -1}, data(svmkit.ErrRagged, 1, none)),
		made("no labels", [][]float64{{1}}, nil, data(svmkit.ErrMismatch, none, none)),
		made("NaN", [][]float64{{1, 2}, {nan, 2}}, []float64{1, -1}, data(svmkit.ErrNotFinite, 1, 0)),
		made("NaN label", [][]float64{{1, 2}, {1, 2}}, []float64{1, nan}, data(svmkit.ErrNotFinite, 1, none)),
		matrix("nil", nil, nil, param("x")),
		matrix("empty", &mat.Dense{}, nil, data(svmkit.ErrEmpty, none, none)),
		matrix("NaN", mat.NewDense(2, 1, []float64{1, nan}), []float64{1, -1}, data(svmkit.ErrNotFinite, 1, 0)),
		matrix("no labels", mat.NewDense(2, 1, []float64{1, 2}), nil, data(svmkit.ErrMismatch, none, none)),
		{"Triangle: label 0", nil, func() (any, error) { return samples.Triangle(1, 0, -1) }, data(svmkit.ErrLabel, 1, none)},
		{"Triangle: NaN", nil, func() (any, error) { return samples.Triangle(1, 1, nan) }, data(svmkit.ErrLabel, 2, none)},
	}
}

func planes() []badInput {
	plane := func(name string, w []float64, b float64, want verdict) badInput {
		return badInput{"NewHyperplane: " + name, w, func() (any, error) {
			_, err := svmkit.NewHyperplane(w, b)
			return nil, err
		}, want}
	}
	canonical := func(name string, s *svmkit.Dataset, w []float64, want verdict) badInput {
		return badInput{"Canonical: " + name, []any{s, w}, func() (any, error) {
			_, err := svmkit.Hyperplane{W: w}.Canonical(s)
			return nil, err
		}, want}
	}
	zero := svmkit.Hyperplane{W: []float64{0, 0}, B: 1}
	x := svmkit.Dense(1, 2)
	return []badInput{
		plane("nil", nil, 0, data(svmkit.ErrNoColumns, none, none)),
		plane("zero", []float64{0, 0}, 1, data(svmkit.ErrNoNormal, none, none)),
		plane("-0", []float64{math.Copysign(0, -1)}, 1, data(svmkit.ErrNoNormal, none, none)),
		plane("NaN", []float64{1, nan}, 0, data(svmkit.ErrNotFinite, 0, 1)),
		plane("Inf", []float64{inf, 1}, 0, data(svmkit.ErrNotFinite, 0, 0)),
		plane("b NaN", []float64{1}, nan, param("b")),
		plane("b Inf", []float64{1}, -inf, param("b")),
		plane("denormal", []float64{5e-324}, 0, fine),
		plane("1e300", []float64{1e300, 1e300}, 0, fine),
		canonical("nil set", nil, []float64{1, 1}, data(svmkit.ErrEmpty, none, none)),
		canonical("no rows", &svmkit.Dataset{Dim: 2}, []float64{1, 1}, data(svmkit.ErrEmpty, none, none)),
		canonical("w = 0", good(), []float64{0, 0}, data(svmkit.ErrNoNormal, none, none)),
		canonical("no plane separates", good(), []float64{1, 1}, data(svmkit.ErrNotSeparated, 6, none)),
		canonical("NaN row", with(4, 0, nan), []float64{1, 1}, data(svmkit.ErrNotSeparated, 4, none)),
		{"SignedDistance of w = 0", zero, func() (any, error) { return zero.SignedDistance(x), nil }, number(nan)},
		{"Distance of w = 0", zero, func() (any, error) { return zero.Distance(x), nil }, number(nan)},
		{"Margin of w = 0", zero, func() (any, error) { return zero.Margin(x, 1), nil }, number(nan)},
		{"Project onto w = 0", zero, func() (any, error) { return zero.Project(x)[0], nil }, number(nan)},
		{"SetMargin of w = 0", zero, func() (any, error) { g, _ := zero.SetMargin(shared); return g, nil }, number(nan)},
		{"Distance of w = 1e300", nil, func() (any, error) {
			return svmkit.Hyperplane{W: []float64{3e300, 4e300}}.Distance(svmkit.Dense(1e-300, 1e-300)), nil
		}, near(1.4e-300)},
	}
}

func classCases() []badInput {
	s := spoiled(func(s *svmkit.Dataset) { s.Classes = []string{"a", "b"} })
	return []badInput{
		{"OneVsRest of no such class", s, func() (any, error) { return s.OneVsRest("c") }, data(svmkit.ErrNoClass, none, none)},
		{"OneVsRest of a set without names", shared, func() (any, error) { return shared.OneVsRest("1") }, data(svmkit.ErrNoClass, none, none)},
		{"Pair of no such class", s, func() (any, error) { return s.Pair("a", "") }, data(svmkit.ErrNoClass, none, none)},
		{"Pair of no such class, first", s, func() (any, error) { return s.Pair("x", "a") }, data(svmkit.ErrNoClass, none, none)},
	}
}

func plattCases() []badInput {
	fit := func(name string, scores, labels []float64, want verdict) badInput {
		return badInput{"FitPlatt: " + name, []any{scores, labels}, func() (any, error) {
			p, err := svm.FitPlatt(scores, labels)
			if v := p.A + p.B + p.Probability(1e308) + p.Probability(-1e308); err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
				return nil, fmt.Errorf("%+v", p)
			}
			return p, err
		}, want}
	}
	signs := []float64{1, -1, 1, -1}
	return []badInput{
		fit("nil", nil, nil, data(svmkit.ErrEmpty, none, none)),
		fit("lengths", []float64{1, 2}, signs, data(svmkit.ErrMismatch, none, none)),
		fit("NaN", []float64{1, nan, 1, 1}, signs, data(svmkit.ErrNotFinite, 1, none)),
		fit("Inf", []float64{1, 1, 1, -inf}, signs, data(svmkit.ErrNotFinite, 3, none)),
		fit("label 0", []float64{1, 2, 3}, []float64{1, 0, -1}, data(svmkit.ErrLabel, 1, none)),
		fit("label NaN", []float64{1, 2, 3}, []float64{1, -1, nan}, data(svmkit.ErrLabel, 2, none)),
		fit("one class", []float64{1, 2}, []float64{1, 1}, data(svmkit.ErrOneClass, none, none)),
		fit("all zero", []float64{0, 0, 0, 0}, signs, fine),
		fit("all equal", []float64{7, 7, 7, 7}, signs, fine),
		fit("separated", []float64{9, -9, 9, -9}, signs, fine),
		fit("1e300", []float64{1e300, -1e300, 1, 2}, signs, fine),
		fit("denormals", []float64{5e-324, -5e-324, 0, 0}, signs, fine),
		fit("1e-300 beside 1e300", []float64{1e-300, -1e300, 1e300, 2}, signs, fine),
		{"Probability of NaN", nil, func() (any, error) { return svm.Platt{A: -1}.Probability(nan), nil }, number(nan)},
		{"Probability of Inf", nil, func() (any, error) { return svm.Platt{A: -1}.Probability(inf), nil }, number(1)},
		{"Probability of -Inf", nil, func() (any, error) { return svm.Platt{A: -1}.Probability(-inf), nil }, number(0)},
		{"Probability without Platt", nil, func() (any, error) {
			return (&svm.Model{Weights: []float64{1}}).Probability(svmkit.Dense(1)), nil
		}, number(nan)},
	}
}

func metricCases() (cases []badInput) {
	scores := func(i int, v float64) []float64 {
		f := make([]float64, 12)
		f[i] = v
		return f
	}
	many := []tune.Metric{tune.Accuracy, tune.Error, tune.BalancedAccuracy, tune.F1, tune.AUC, tune.AveragePrecision, tune.MSE, tune.MAE, tune.R2}
	for _, m := range many {
		add := func(name string, s *svmkit.Dataset, f []float64, want verdict) {
			cases = append(cases, badInput{fmt.Sprintf("%s: %s", m.Name, name), []any{s, f}, func() (any, error) {
				p := tune.Predictions{Label: f}
				if m.Name == tune.AUC.Name || m.Name == tune.AveragePrecision.Name {
					p = tune.Predictions{Score: append([]float64{}, f...)}
				}
				return m.Measure(s, p)
			}, want})
		}
		add("nil set", nil, nil, data(svmkit.ErrEmpty, none, none))
		add("no rows", &svmkit.Dataset{}, []float64{}, data(svmkit.ErrEmpty, none, none))
		add("no scores", shared, nil, data(svmkit.ErrMismatch, none, none))
		add("a score too many", shared, make([]float64, 13), data(svmkit.ErrMismatch, none, none))
		add("NaN", shared, scores(3, nan), data(tune.ErrScore, 3, none))
	}
	equal := spoiled(func(s *svmkit.Dataset) {
		for i := range s.Y {
			s.Y[i] = 5
		}
	})
	return append(cases,
		badInput{"R2 of equal targets", equal, func() (any, error) { return tune.R2.Measure(equal, tune.Predictions{Label: make([]float64, 12)}) }, data(tune.ErrNoVariance, none, none)},
		badInput{"AUC without scores", shared, func() (any, error) {
			return tune.AUC.Measure(shared, tune.Predictions{Label: make([]float64, 12)})
		}, param("Predictions.Score")},
		badInput{"Confuse: label 2", nil, func() (any, error) { return tune.Confuse(label(2, 2), tune.Predictions{Label: make([]float64, 12)}) }, data(svmkit.ErrLabel, 2, none)},
		badInput{"Confuse: no such class", nil, func() (any, error) {
			classes := []string{"a", "b", "c"}
			return tune.Confuse(spoiled(func(s *svmkit.Dataset) { s.Classes = classes }), tune.Predictions{Label: make([]float64, 12), Classes: classes})
		}, data(svmkit.ErrNoClass, 1, none)},
		badInput{"ROC: infinite score", nil, func() (any, error) { return tune.ROC(shared, scores(4, inf)) }, data(svmkit.ErrNotFinite, 4, none)},
		badInput{"PrecisionRecall: infinite score", nil, func() (any, error) { return tune.PrecisionRecall(shared, scores(4, inf)) }, data(svmkit.ErrNotFinite, 4, none)},
		badInput{"Best of nothing", nil, func() (any, error) {
			if _, ok := new(tune.Selection).Best(); ok {
				return nil, fmt.Errorf("a best point of none")
			}
			_, ok := new(tune.Selection).OneStandardError()
			return ok, nil
		}, fine},
	)
}

func programCases() []badInput {
	one := func(v float64) *mat.SymDense { return mat.NewSymDense(1, []float64{v}) }
	solve := func(name string, p *qp.Problem, cause error) badInput {
		return badInput{"qp: " + name, nil, func() (any, error) { return qp.Solve(p) }, is(cause)}
	}
	return []badInput{
		solve("nil", nil, qp.ErrShape),
		solve("no Q", &qp.Problem{P: []float64{1}}, qp.ErrShape),
		solve("nothing", &qp.Problem{}, qp.ErrShape),
		solve("P of other length", &qp.Problem{Q: one(1), P: []float64{1, 2}}, qp.ErrShape),
		solve("A of other length", &qp.Problem{Q: one(1), P: []float64{1}, A: []float64{1, 2}}, qp.ErrShape),
		solve("Lower of other length", &qp.Problem{Q: one(1), P: []float64{1}, Lower: []float64{1, 2}}, qp.ErrShape),
		solve("Upper of other length", &qp.Problem{Q: one(1), P: []float64{1}, Upper: []float64{}}, qp.ErrShape),
		solve("Q NaN", &qp.Problem{Q: one(nan), P: []float64{1}}, qp.ErrNotFinite),
		solve("P Inf", &qp.Problem{Q: one(1), P: []float64{inf}}, qp.ErrNotFinite),
		solve("A NaN", &qp.Problem{Q: one(1), P: []float64{1}, A: []float64{nan}}, qp.ErrNotFinite),
		solve("R NaN", &qp.Problem{Q: one(1), P: []float64{1}, A: []float64{1}, R: nan}, qp.ErrNotFinite),
		solve("Lower NaN", &qp.Problem{Q: one(1), P: []float64{1}, Lower: []float64{nan}}, qp.ErrNotFinite),
		solve("Q negative", &qp.Problem{Q: one(-1), P: []float64{1}}, qp.ErrNotConvex),
		solve("bounds crossed", &qp.Problem{Q: one(1), P: []float64{1}, Lower: []float64{2}, Upper: []float64{1}}, qp.ErrInfeasible),
		solve("Lower +Inf", &qp.Problem{Q: one(1), P: []float64{1}, Lower: []float64{inf}}, qp.ErrNotFinite),
		solve("equality out of reach", &qp.Problem{Q: one(1), P: []float64{1}, A: []float64{1}, R: 5, Upper: []float64{1}}, qp.ErrInfeasible),
		solve("equality without variables", &qp.Problem{Q: one(1), P: []float64{1}, A: []float64{0}, R: 1}, qp.ErrInfeasible),
		solve("unbounded", &qp.Problem{Q: one(0), P: []float64{1}}, qp.ErrUnbounded),
	}
}

func textCases() []badInput {
	fit := func(name string, docs []string, o text.Options, want verdict) badInput {
		return badInput{"FitTFIDF: " + name, docs, func() (any, error) { return text.FitTFIDF(docs, o) }, want}
	}
	v, err := text.FitTFIDF([]string{"a b"}, text.Options{})
	if err != nil {
		panic(err)
	}
	row := func(name, doc string) badInput {
		return badInput{"Transform: " + name, v, func() (any, error) {
			x := v.Transform(doc)
			s := &svmkit.Dataset{X: []svmkit.Row{x}, Y: []float64{1}, Dim: v.Dim()}
			return nil, s.Validate()
		}, fine}
	}
	return []badInput{
		fit("nil", nil, text.Options{}, data(svmkit.ErrEmpty, none, none)),
		fit("empty documents", []string{"", ""}, text.Options{}, data(svmkit.ErrNoColumns, none, none)),
		fit("signs only", []string{"!?", "\x00\xff"}, text.Options{}, data(svmkit.ErrNoColumns, none, none)),
		fit("MinDocs beyond all", []string{"a", "b"}, text.Options{MinDocs: 3}, data(svmkit.ErrNoColumns, none, none)),
		row("empty", ""), row("unknown words", "c d"), row("bytes that are no UTF-8", "\xff\xfea\x80"), row("NUL", "a\x00b"),
		{"IDF beyond", v, func() (any, error) { return v.IDF(2), nil }, panics("index out of range")},
		{"IDF -1", v, func() (any, error) { return v.IDF(-1), nil }, panics("index out of range")},
	}
}
