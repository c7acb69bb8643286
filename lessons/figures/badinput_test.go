package figures_test

import (
	"testing"

	"github.com/svmkit/course/internal/badinput"
	"github.com/svmkit/course/lessons/figures"
	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/perceptron"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// Every figure, of plots and of this package, with bad input ends soon, with the documented error at the documented place.
func TestReliabilityBadInput(t *testing.T) {
	badinput.Run(t, 293, badinput.Join(badSets(), figureCases(), nilCases()))
}

func badSets() []badinput.Case {
	plane := svmkit.Hyperplane{W: []float64{1, 1}}
	return badinput.Doors(
		badinput.Door{Name: "SignedMargins of a set", Call: func(s *svmkit.Dataset) (any, error) { return figures.SignedMargins(s, plane) }, Binary: true},
		badinput.Door{Name: "DecisionRegions of a set", Call: func(s *svmkit.Dataset) (any, error) { return plots.DecisionRegions(s, plane, plots.RegionMarks{}) }, Binary: true},
		badinput.Door{Name: "BiasMargin of a set", Call: func(s *svmkit.Dataset) (any, error) { return figures.BiasMargin(s, plane) }, Binary: true},
		badinput.Door{Name: "SupportVectors of a set", Call: func(s *svmkit.Dataset) (any, error) { return figures.SupportVectors(s, plane, make([]float64, 12)) }, Binary: true},
		badinput.Door{Name: "GramMatrix of a set", Call: func(s *svmkit.Dataset) (any, error) { return figures.GramMatrix(s, kernel.RBF{Gamma: 1}) }},
		badinput.Door{Name: "AlphaBars of a set", Call: func(s *svmkit.Dataset) (any, error) { return figures.AlphaBars(s, make([]float64, 12)) }, Binary: true},
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
	n := figures.Novikoff{Gamma: 1, NormReference: 1, Radius: 1}
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
		add("SignedMargins: "+name, func() (*plots.Figure, error) { return figures.SignedMargins(set, w) })
		add("CanonicalLines: "+name, func() (*plots.Figure, error) { return figures.CanonicalLines(set, w) })
		add("TwoStreets: "+name, func() (*plots.Figure, error) { return figures.TwoStreets(set, h, w) })
		add("SupportVectors: "+name, func() (*plots.Figure, error) { return figures.SupportVectors(set, w, make([]float64, 12)) })
		add("BiasMargin: "+name, func() (*plots.Figure, error) { return figures.BiasMargin(set, w) })
		add("HalfSpaces: "+name, func() (*plots.Figure, error) { return figures.HalfSpaces(w, nil) })
		add("Projection: "+name, func() (*plots.Figure, error) { return figures.Projection(w, svmkit.Dense(1, 2)) })
		add("Separators: "+name, func() (*plots.Figure, error) {
			return plots.Separators(set, []plots.NamedPlane{{Name: "p", Plane: w}})
		})
		add("BiasShift: "+name, func() (*plots.Figure, error) { return figures.BiasShift(w.W, []float64{0, 1}) })
	}
	for name, alpha := range map[string][]float64{"nil": nil, "short": make([]float64, 11), "NaN": ones} {
		add("AlphaBars: "+name, func() (*plots.Figure, error) { return figures.AlphaBars(set, alpha) })
		add("DualTriple: "+name, func() (*plots.Figure, error) { return figures.DualTriple(set, alpha) })
		add("SupportVectors, weights: "+name, func() (*plots.Figure, error) { return figures.SupportVectors(set, h, alpha) })
		add("KKT: "+name, func() (*plots.Figure, error) { return figures.KKT(p, h, alpha) })
	}
	for name, v := range map[string]float64{"NaN": badinput.NaN, "Inf": badinput.Inf, "-1": -1} {
		add("EpsilonLoss: "+name, func() (*plots.Figure, error) { return figures.EpsilonLoss(v, 1, 1) })
		add("EpsilonLoss, cost: "+name, func() (*plots.Figure, error) { return figures.EpsilonLoss(0.1, v, 1) })
		add("SoftThreshold: "+name, func() (*plots.Figure, error) { return figures.SoftThreshold(0.1, v, 1, 1) })
		add("Residuals: "+name, func() (*plots.Figure, error) { return plots.Residuals(set, h, v) })
		add("Tube: "+name, func() (*plots.Figure, error) {
			return plots.Tube(set.Columns(0), fit(svmkit.Hyperplane{W: []float64{1}}, v))
		})
		add("WeightHistogram: "+name, func() (*plots.Figure, error) { return figures.WeightHistogram([]float64{v}, 1) })
		add("WeightHistogram, bound: "+name, func() (*plots.Figure, error) { return figures.WeightHistogram([]float64{0, 1}, -v*v) })
		add("WeightHistory: "+name, func() (*plots.Figure, error) { return figures.WeightHistory([]int{0, 1}, [][]float64{{v}, {1}}, 1) })
		add("Parabolas: "+name, func() (*plots.Figure, error) {
			return figures.Parabolas([]figures.CoordinateStep{{Slope: 1, Curvature: v, Upper: 1}})
		})
		add("Staircase: "+name, func() (*plots.Figure, error) {
			return figures.Staircase(figures.BoxQuadratic{Q: [2][2]float64{{v, 0}, {0, -1}}, Upper: [2]float64{1, 1}}, nil)
		})
		add("MistakesAgainstBound: "+name, func() (*plots.Figure, error) {
			return figures.MistakesAgainstBound([]figures.BoundRun{{Mistakes: 1, Bound: -v * v}})
		})
		add("Squeeze: "+name, func() (*plots.Figure, error) {
			return figures.Squeeze([]perceptron.Mistake{{NormW: 1, Align: 1}}, figures.Novikoff{Gamma: -v * v, NormReference: 1, Radius: 1})
		})
		add("GramMatrix: "+name, func() (*plots.Figure, error) { return figures.GramMatrix(set, kernel.RBF{Gamma: v}) })
		add("UpdateVectors: "+name, func() (*plots.Figure, error) {
			return figures.UpdateVectors([]figures.VectorUpdate{{W: []float64{v * badinput.Inf, 1}, X: svmkit.Dense(1, 1), Y: 1}})
		})
	}
	add("Squeeze: trace of NaN", func() (*plots.Figure, error) { return figures.Squeeze(trace, n) })
	add("AngleToReference: trace of NaN", func() (*plots.Figure, error) { return figures.AngleToReference(trace, n) })
	add("TightCase: nothing", func() (*plots.Figure, error) { return figures.TightCase(nil, nil, n) })
	add("DecisionRegions: no model", func() (*plots.Figure, error) { return plots.DecisionRegions(set, nil, plots.RegionMarks{}) })
	add("DecisionRegions: row 12", func() (*plots.Figure, error) {
		return plots.DecisionRegions(set, h, plots.RegionMarks{Support: []int{12}})
	})
	add("ClassRegions: no model", func() (*plots.Figure, error) { return plots.ClassRegions(set, nil) })
	add("ClassRegions: model of NaN", func() (*plots.Figure, error) { return plots.ClassRegions(set, &noClass{}) })
	add("Residuals: model of NaN", func() (*plots.Figure, error) { return plots.Residuals(set, odd, 0.1) })
	add("Residuals: no model", func() (*plots.Figure, error) { return plots.Residuals(set, nil, 0.1) })
	add("Tube: model of NaN", func() (*plots.Figure, error) { return plots.Tube(set.Columns(0), fit(odd, 0.1)) })
	add("Tube: no model", func() (*plots.Figure, error) { return plots.Tube(set.Columns(0), fit(nil, 0.1)) })
	add("Tube: two columns", func() (*plots.Figure, error) { return plots.Tube(set, fit(h, 0.1)) })
	add("Fits: none", func() (*plots.Figure, error) { return plots.Fits(set.Columns(0), nil) })
	add("KKT: no problem", func() (*plots.Figure, error) { return figures.KKT(nil, h, make([]float64, 12)) })
	add("KKT: no model", func() (*plots.Figure, error) { return figures.KKT(p, nil, make([]float64, 12)) })
	add("KKT: model of NaN", func() (*plots.Figure, error) { return figures.KKT(p, odd, make([]float64, 12)) })
	add("ConfusionMatrix: nil", func() (*plots.Figure, error) { return figures.ConfusionMatrix(nil) })
	add("ConfusionMatrix: empty", func() (*plots.Figure, error) { return figures.ConfusionMatrix(&tune.Confusion{}) })
	add("CVCurve: nil", func() (*plots.Figure, error) { return figures.CVCurve(nil, "accuracy") })
	add("CVCurve: empty", func() (*plots.Figure, error) { return figures.CVCurve(&tune.Selection{}, "accuracy") })
	add("PrimalDual: none", func() (*plots.Figure, error) { return figures.PrimalDual(nil) })
	add("GramMatrix: no kernel", func() (*plots.Figure, error) { return figures.GramMatrix(set, nil) })
	add("GramMatrix: kernel of NaN", func() (*plots.Figure, error) {
		return figures.GramMatrix(set, kernel.Func(func(x, z svmkit.Row) float64 { return badinput.NaN }))
	})
	add("Hulls: NaN", func() (*plots.Figure, error) { return plots.Hulls(set, []float64{badinput.NaN, 1}, []float64{1, 1}) })
	add("PlaneStrip: none", func() (*plots.Figure, error) { return figures.PlaneStrip(set, nil) })
	add("SaddlePoint: nothing", func() (*plots.Figure, error) { return figures.SaddlePoint(figures.Saddle{}) })
	add("SaddlePoint: NaN", func() (*plots.Figure, error) {
		return figures.SaddlePoint(figures.Saddle{L: func(w, a float64) float64 { return badinput.NaN }, WMin: -1, WMax: 1, AlphaMax: 1, Alpha: 0.5, Levels: []float64{1}})
	})
	add("Parabolas: none", func() (*plots.Figure, error) { return figures.Parabolas(nil) })
	add("UpdateVectors: none", func() (*plots.Figure, error) { return figures.UpdateVectors(nil) })
	add("Separators: none", func() (*plots.Figure, error) { return plots.Separators(set, nil) })
	add("AugmentedLift: NaN", func() (*plots.Figure, error) {
		return figures.AugmentedLift(set.Columns(0), svmkit.Hyperplane{W: []float64{badinput.NaN}})
	})
	return append(cases, badinput.New("DecisionRegions: model of NaN", set, func() (any, error) { // the figure says that it has no score
		return plots.DecisionRegions(set, odd, plots.RegionMarks{})
	}, badinput.Fine), badinput.New("PlaneFrames: none", set, func() (any, error) {
		return figures.PlaneFrames(set, nil)
	}, badinput.Typed), badinput.New("PlaneFrames: w of NaN", set, func() (any, error) {
		bad := svmkit.Hyperplane{W: []float64{badinput.NaN, 1}}
		return figures.PlaneFrames(set, []figures.PlaneStep{{Before: bad, After: bad}})
	}, badinput.Typed), badinput.New("Planes: row 12", set, func() (any, error) { return figures.Planes(set, []perceptron.Mistake{{Index: 12}}, false) }, badinput.Typed))
}

// noClass is a classifier that knows no class anywhere.
type noClass struct{ multiclass.Linear }

func (noClass) ClassScores(svmkit.Row) []float64     { return []float64{badinput.NaN, badinput.NaN} }
func (noClass) Predict(svmkit.Row) svmkit.Prediction { return svmkit.NoPrediction() }

var _ multiclass.Classifier = &noClass{}

func nilCases() []badinput.Case {
	c := func(name string, want badinput.Verdict, call func() (any, error)) badinput.Case {
		return badinput.New(name, nil, call, want)
	}
	return []badinput.Case{
		c("PNG of no figure", badinput.Error, func() (any, error) { return new(plots.Figure).PNG() }),
		c("SVG of no figure", badinput.Error, func() (any, error) { return new(plots.Figure).SVG() }),
		c("plots.New without a plot", badinput.Error, func() (any, error) { return plots.New(nil, "c", "a") }),
	}
}
