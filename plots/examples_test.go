package plots

import (
	"github.com/svmkit/course/svmkit/svm"
)

// examples builds one figure of each kind. They are what the golden images keep.
var examples = map[string]func() (*Figure, error){
	"hulls": func() (*Figure, error) { return Hulls(square40(), nil, nil) },
	"hulls-meet": func() (*Figure, error) {
		set := square40()
		set.Y[0], set.Y[3] = -set.Y[0], -set.Y[3]
		return Hulls(set, nil, nil)
	},
	"lines-curve": func() (*Figure, error) {
		return Lines([]Series{{Name: "marks measured, line by the formula",
			X: []float64{1, 10, 100}, Y: []float64{1.1, 0.3, 0.11},
			Curve: []float64{1, 0.316, 0.1}}},
			Axes{X: "$n$", Y: "error", LogX: true, LogY: true},
			"The error falls to a tenth over a hundred times as many draws.",
			"Line chart on logarithmic axes of an error over n, from 1 to 100: three marks "+
				"close to a falling straight line.")
	},
	"landscape":        func() (*Figure, error) { return Landscape(valley()) },
	"landscape-region": func() (*Figure, error) { return Landscape(street()) },
	"landscape-pieces": func() (*Figure, error) { return Landscape(quarters()) },
	"landscape-labels": func() (*Figure, error) {
		return Landscape(Surface{F: func(x, y float64) float64 { return x * y }, XMin: -2, XMax: 2,
			YMin: -2, YMax: 2, Levels: []float64{-1, 1}, LabelAll: true})
	},
	"regions": func() (*Figure, error) {
		return DecisionRegions(moons(), moonModel(),
			RegionMarks{})
	},
	"regions-linear": func() (*Figure, error) {
		return DecisionRegions(overlapping(), fitted(&svm.Problem{Data: overlapping()}),
			RegionMarks{})
	},
	"class-regions": func() (*Figure, error) { return ClassRegions(penguins(), penguinModel()) },
	"cv-map":        func() (*Figure, error) { return CVMap(lossGrid(), "error") },
	"separators":    func() (*Figure, error) { return Separators(nine(), threePlanes()) },
	"tube":          func() (*Figure, error) { return Tube(fivePoints(), risingFit()) },
	"fits": func() (*Figure, error) {
		return Fits(fivePoints(), []TubeFit{risingFit(),
			{Name: "higher", F: curveOf(func(x float64) float64 { return x + 1.2 })}})
	},
	"residuals": func() (*Figure, error) { return Residuals(fivePoints(), risingFit().F, 0.5) },
}

// Examples lets the tests in package plots_test see the examples.
var Examples = examples
