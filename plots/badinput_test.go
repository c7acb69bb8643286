package plots_test

import (
	"testing"

	"github.com/svmkit/course/internal/badinput"
	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/perceptron"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// Every call of this package with bad input ends soon, with the documented error at the documented place.
func TestReliabilityBadInput(t *testing.T) {
	badinput.Run(t, 320, badinput.Join(badSets(), figureCases(), nilCases()))
}

func badSets() []badinput.Case {
	plane := svmkit.Hyperplane{W: []float64{1, 1}}
	return badinput.Doors(
		badinput.Door{Name: "SignedMargins of a set", Call: func(s *svmkit.Dataset) (any, error) { return plots.SignedMargins(s, plane) }, Binary: true},
		badinput.Door{Name: "DecisionRegions of a set", Call: func(s *svmkit.Dataset) (any, error) { return plots.DecisionRegions(s, plane, plots.RegionMarks{}) }, Binary: true},
		badinput.Door{Name: "BiasMargin of a set", Call: func(s *svmkit.Dataset) (any, error) { return plots.BiasMargin(s, plane) }, Binary: true},
		badinput.Door{Name: "SupportVectors of a set", Call: func(s *svmkit.Dataset) (any, error) { return plots.SupportVectors(s, plane, make([]float64, 12)) }, Binary: true},
		badinput.Door{Name: "MarginDistribution of a set", Call: func(s *svmkit.Dataset) (any, error) {
			return plots.MarginDistribution(s, []plots.NamedModel{{Name: "m", Model: plane}})
		}, Binary: true},
		badinput.Door{Name: "GramMatrix of a set", Call: func(s *svmkit.Dataset) (any, error) { return plots.GramMatrix(s, kernel.RBF{Gamma: 1}) }},
		badinput.Door{Name: "AlphaBars of a set", Call: func(s *svmkit.Dataset) (any, error) { return plots.AlphaBars(s, make([]float64, 12)) }, Binary: true},
	)
}

// figureCases is the constructors of figures with what is no figure: nothing, NaN, sizes that do not
// match, models without a score. Each is a *svmkit.ParamError or *svmkit.DataError.
func figureCases() (cases []badinput.Case) {
	set := badinput.Good()
	h := svmkit.Hyperplane{W: []float64{1, 1}}
	broken := svmkit.Hyperplane{W: []float64{1, badinput.NaN}}
	zero := svmkit.Hyperplane{W: []float64{0, 0}}
	odd := badinput.Scorer(func() float64 { return badinput.NaN })
	ones := make([]float64, 12)
	for i := range ones {
		ones[i] = badinput.NaN
	}
	n := plots.Novikoff{Gamma: 1, NormReference: 1, Radius: 1}
	trace := []perceptron.Mistake{{NormW: badinput.NaN, Align: badinput.NaN}}
	p := &svm.Problem{Data: set}
	fit := func(f svmkit.Scorer, eps float64) plots.TubeFit { return plots.TubeFit{Name: "f", F: f, Epsilon: eps} }
	add := func(name string, call func() (*plots.Figure, error)) {
		cases = append(cases, badinput.New(name, []any{set, h, p}, func() (any, error) {
			f, err := call()
			if f == nil {
				return nil, err
			}
			return f, err
		}, badinput.Typed))
	}
	for name, w := range map[string]svmkit.Hyperplane{"NaN": broken, "w = 0": zero, "other columns": {W: []float64{1}}, "nothing": {}} {
		add("SignedMargins: "+name, func() (*plots.Figure, error) { return plots.SignedMargins(set, w) })
		add("MarginHistogram: "+name, func() (*plots.Figure, error) { return plots.MarginHistogram(set, w) })
		add("CanonicalLines: "+name, func() (*plots.Figure, error) { return plots.CanonicalLines(set, w) })
		add("SupportVectors: "+name, func() (*plots.Figure, error) { return plots.SupportVectors(set, w, make([]float64, 12)) })
		add("BiasMargin: "+name, func() (*plots.Figure, error) { return plots.BiasMargin(set, w) })
		add("HalfSpaces: "+name, func() (*plots.Figure, error) { return plots.HalfSpaces(w, nil) })
		add("Projection: "+name, func() (*plots.Figure, error) { return plots.Projection(w, svmkit.Dense(1, 2)) })
		add("Separators: "+name, func() (*plots.Figure, error) {
			return plots.Separators(set, []plots.NamedPlane{{Name: "p", Plane: w}})
		})
		add("BiasShift: "+name, func() (*plots.Figure, error) { return plots.BiasShift(w.W, []float64{0, 1}) })
	}
	for name, alpha := range map[string][]float64{"nil": nil, "short": make([]float64, 11), "NaN": ones} {
		add("AlphaBars: "+name, func() (*plots.Figure, error) { return plots.AlphaBars(set, alpha) })
		add("DualTriple: "+name, func() (*plots.Figure, error) { return plots.DualTriple(set, alpha) })
		add("SupportVectors, weights: "+name, func() (*plots.Figure, error) { return plots.SupportVectors(set, h, alpha) })
		add("KKT: "+name, func() (*plots.Figure, error) { return plots.KKT(p, h, alpha) })
		add("ROCCurves: "+name, func() (*plots.Figure, error) {
			return plots.ROCCurves(set, []plots.NamedScores{{Name: "m", Scores: alpha}})
		})
		add("PrecisionRecallCurves: "+name, func() (*plots.Figure, error) {
			return plots.PrecisionRecallCurves(set, []plots.NamedScores{{Name: "m", Scores: alpha}})
		})
	}
	for name, v := range map[string]float64{"NaN": badinput.NaN, "Inf": badinput.Inf, "-1": -1} {
		add("EpsilonLoss: "+name, func() (*plots.Figure, error) { return plots.EpsilonLoss(v, 1, 1) })
		add("EpsilonLoss, cost: "+name, func() (*plots.Figure, error) { return plots.EpsilonLoss(0.1, v, 1) })
		add("SoftThreshold: "+name, func() (*plots.Figure, error) { return plots.SoftThreshold(0.1, v, 1, 1) })
		add("Residuals: "+name, func() (*plots.Figure, error) { return plots.Residuals(set, h, v) })
		add("Tube: "+name, func() (*plots.Figure, error) {
			return plots.Tube(set.Columns(0), fit(svmkit.Hyperplane{W: []float64{1}}, v))
		})
		add("WeightHistogram: "+name, func() (*plots.Figure, error) { return plots.WeightHistogram([]float64{v}, 1) })
		add("WeightHistogram, bound: "+name, func() (*plots.Figure, error) { return plots.WeightHistogram([]float64{0, 1}, -v*v) })
		add("WeightHistory: "+name, func() (*plots.Figure, error) { return plots.WeightHistory([]int{0, 1}, [][]float64{{v}, {1}}, 1) })
		add("Parabolas: "+name, func() (*plots.Figure, error) {
			return plots.Parabolas([]plots.CoordinateStep{{Slope: 1, Curvature: v, Upper: 1}})
		})
		add("Staircase: "+name, func() (*plots.Figure, error) {
			return plots.Staircase(plots.BoxQuadratic{Q: [2][2]float64{{v, 0}, {0, -1}}, Upper: [2]float64{1, 1}}, nil)
		})
		add("MistakesAgainstBound: "+name, func() (*plots.Figure, error) {
			return plots.MistakesAgainstBound([]plots.BoundRun{{Mistakes: 1, Bound: -v * v}})
		})
		add("Squeeze: "+name, func() (*plots.Figure, error) {
			return plots.Squeeze([]perceptron.Mistake{{NormW: 1, Align: 1}}, plots.Novikoff{Gamma: -v * v, NormReference: 1, Radius: 1})
		})
		add("GramMatrix: "+name, func() (*plots.Figure, error) { return plots.GramMatrix(set, kernel.RBF{Gamma: v}) })
		add("LearningCurve: "+name, func() (*plots.Figure, error) {
			return plots.LearningCurve([]plots.LearningPoint{{Rows: 10, Train: []float64{v * badinput.Inf}, Validation: []float64{1}}}, "accuracy")
		})
		add("UpdateVectors: "+name, func() (*plots.Figure, error) {
			return plots.UpdateVectors([]plots.VectorUpdate{{W: []float64{v * badinput.Inf, 1}, X: svmkit.Dense(1, 1), Y: 1}})
		})
	}
	add("Squeeze: trace of NaN", func() (*plots.Figure, error) { return plots.Squeeze(trace, n) })
	add("AngleToReference: trace of NaN", func() (*plots.Figure, error) { return plots.AngleToReference(trace, n) })
	add("TightCase: nothing", func() (*plots.Figure, error) { return plots.TightCase(nil, nil, n) })
	add("DecisionRegions: no model", func() (*plots.Figure, error) { return plots.DecisionRegions(set, nil, plots.RegionMarks{}) })
	add("DecisionRegions: row 12", func() (*plots.Figure, error) {
		return plots.DecisionRegions(set, h, plots.RegionMarks{Support: []int{12}})
	})
	add("Outliers: no model", func() (*plots.Figure, error) { return plots.Outliers(set, nil) })
	add("Outliers: model of NaN", func() (*plots.Figure, error) { return plots.Outliers(set, odd) })
	add("ClassRegions: no model", func() (*plots.Figure, error) { return plots.ClassRegions(set, nil) })
	add("ClassRegions: model of NaN", func() (*plots.Figure, error) { return plots.ClassRegions(set, &noClass{}) })
	add("MarginDistribution: model of NaN", func() (*plots.Figure, error) {
		return plots.MarginDistribution(set, []plots.NamedModel{{Name: "m", Model: odd}})
	})
	add("MarginDistribution: no model", func() (*plots.Figure, error) {
		return plots.MarginDistribution(set, []plots.NamedModel{{Name: "m"}})
	})
	add("MarginDistribution: none", func() (*plots.Figure, error) { return plots.MarginDistribution(set, nil) })
	add("Residuals: model of NaN", func() (*plots.Figure, error) { return plots.Residuals(set, odd, 0.1) })
	add("Residuals: no model", func() (*plots.Figure, error) { return plots.Residuals(set, nil, 0.1) })
	add("Tube: model of NaN", func() (*plots.Figure, error) { return plots.Tube(set.Columns(0), fit(odd, 0.1)) })
	add("Tube: no model", func() (*plots.Figure, error) { return plots.Tube(set.Columns(0), fit(nil, 0.1)) })
	add("Tube: two columns", func() (*plots.Figure, error) { return plots.Tube(set, fit(h, 0.1)) })
	add("Fits: none", func() (*plots.Figure, error) { return plots.Fits(set.Columns(0), nil) })
	add("KKT: no problem", func() (*plots.Figure, error) { return plots.KKT(nil, h, make([]float64, 12)) })
	add("KKT: no model", func() (*plots.Figure, error) { return plots.KKT(p, nil, make([]float64, 12)) })
	add("KKT: model of NaN", func() (*plots.Figure, error) { return plots.KKT(p, odd, make([]float64, 12)) })
	add("ROCCurves: none", func() (*plots.Figure, error) { return plots.ROCCurves(set, nil) })
	add("PrecisionRecallCurves: none", func() (*plots.Figure, error) { return plots.PrecisionRecallCurves(set, nil) })
	add("ConfusionMatrix: nil", func() (*plots.Figure, error) { return plots.ConfusionMatrix(nil) })
	add("ConfusionMatrix: empty", func() (*plots.Figure, error) { return plots.ConfusionMatrix(&tune.Confusion{}) })
	add("CVCurve: nil", func() (*plots.Figure, error) { return plots.CVCurve(nil, "accuracy") })
	add("CVCurve: empty", func() (*plots.Figure, error) { return plots.CVCurve(&tune.Selection{}, "accuracy") })
	add("GapOverEpochs: none", func() (*plots.Figure, error) { return plots.GapOverEpochs(nil) })
	add("GapOverEpochs: empty history", func() (*plots.Figure, error) { return plots.GapOverEpochs([]plots.GapRun{{Name: "a"}}) })
	add("GapOverTime: no times", func() (*plots.Figure, error) {
		return plots.GapOverTime([]plots.GapRun{{Name: "a", History: make([]svmkit.Progress, 3)}})
	})
	add("PrimalDual: none", func() (*plots.Figure, error) { return plots.PrimalDual(nil) })
	add("GramMatrix: no kernel", func() (*plots.Figure, error) { return plots.GramMatrix(set, nil) })
	add("GramMatrix: kernel of NaN", func() (*plots.Figure, error) {
		return plots.GramMatrix(set, kernel.Func(func(x, z svmkit.Row) float64 { return badinput.NaN }))
	})
	add("Hulls: NaN", func() (*plots.Figure, error) { return plots.Hulls(set, []float64{badinput.NaN, 1}, []float64{1, 1}) })
	add("LearningCurve: none", func() (*plots.Figure, error) { return plots.LearningCurve(nil, "accuracy") })
	add("PlaneStrip: none", func() (*plots.Figure, error) { return plots.PlaneStrip(set, nil) })
	add("SaddlePoint: nothing", func() (*plots.Figure, error) { return plots.SaddlePoint(plots.Saddle{}) })
	add("SaddlePoint: NaN", func() (*plots.Figure, error) {
		return plots.SaddlePoint(plots.Saddle{L: func(w, a float64) float64 { return badinput.NaN }, WMin: -1, WMax: 1, AlphaMax: 1, Alpha: 0.5, Levels: []float64{1}})
	})
	add("Parabolas: none", func() (*plots.Figure, error) { return plots.Parabolas(nil) })
	add("UpdateVectors: none", func() (*plots.Figure, error) { return plots.UpdateVectors(nil) })
	add("Separators: none", func() (*plots.Figure, error) { return plots.Separators(set, nil) })
	add("AugmentedLift: NaN", func() (*plots.Figure, error) {
		return plots.AugmentedLift(set.Columns(0), svmkit.Hyperplane{W: []float64{badinput.NaN}})
	})
	return append(cases, badinput.New("DecisionRegions: model of NaN", set, func() (any, error) { // the figure says that it has no score
		return plots.DecisionRegions(set, odd, plots.RegionMarks{})
	}, badinput.Fine), badinput.New("RunAnimation: none", set, func() (any, error) {
		a, err := plots.RunAnimation(set, nil)
		if a == nil {
			return nil, err
		}
		return a, err
	}, badinput.Typed), badinput.New("Planes: row 12", set, func() (any, error) { return plots.Planes(set, []perceptron.Mistake{{Index: 12}}, false) }, badinput.Typed))
}

// noClass is a classifier that knows no class anywhere.
type noClass struct{ multiclass.Linear }

func (noClass) ClassScores(svmkit.Row) []float64     { return []float64{badinput.NaN, badinput.NaN} }
func (noClass) Predict(svmkit.Row) svmkit.Prediction { return svmkit.ClassPrediction(-1, nil) }

var _ multiclass.Classifier = &noClass{}

func nilCases() []badinput.Case {
	c := func(name string, want badinput.Verdict, call func() (any, error)) badinput.Case {
		return badinput.New(name, nil, call, want)
	}
	return []badinput.Case{
		c("PNG of no figure", badinput.Error, func() (any, error) { return new(plots.Figure).PNG() }),
		c("SVG of no figure", badinput.Error, func() (any, error) { return new(plots.Figure).SVG() }),
		c("GIF of no animation", badinput.Error, func() (any, error) { return new(plots.Animation).GIF() }),
		c("plots.New without a plot", badinput.Error, func() (any, error) { return plots.New(nil, "c", "a") }),
	}
}
