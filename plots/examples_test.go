package plots

import (
	"context"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
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
		return Lines([]Series{{Name: "marks measured, line by the formula", X: []float64{1, 10, 100}, Y: []float64{1.1, 0.3, 0.11}, Curve: []float64{1, 0.316, 0.1}}},
			Axes{X: "$n$", Y: "error", LogX: true, LogY: true},
			"The error falls to a tenth over a hundred times as many draws.",
			"Line chart on logarithmic axes of an error over n, from 1 to 100: three marks close to a falling straight line.")
	},
	"cost-gamma":       func() (*Figure, error) { return CostGammaMap(costGrid()) },
	"landscape":        func() (*Figure, error) { return Landscape(valley()) },
	"landscape-region": func() (*Figure, error) { return Landscape(street()) },
	"landscape-pieces": func() (*Figure, error) { return Landscape(quarters()) },
	"landscape-labels": func() (*Figure, error) {
		return Landscape(Surface{F: func(x, y float64) float64 { return x * y }, XMin: -2, XMax: 2, YMin: -2, YMax: 2, Levels: []float64{-1, 1}, LabelAll: true})
	},
	"regions": func() (*Figure, error) { return DecisionRegions(moons(), moonModel(), RegionMarks{}) },
	"regions-linear": func() (*Figure, error) {
		return DecisionRegions(overlapping(), fitted(&svm.Problem{Data: overlapping()}), RegionMarks{Slack: true})
	},
	"class-regions": func() (*Figure, error) { return ClassRegions(penguins(), penguinModel()) },
	"confusion":     func() (*Figure, error) { return ConfusionMatrix(penguinConfusion()) },
	"cv":            func() (*Figure, error) { return CVCurve(search(nil), "accuracy") },
	"cv-gamma":      func() (*Figure, error) { return CVCurve(search([]float64{0.1, 1, 10}), "accuracy") },
	"cv-map":        func() (*Figure, error) { return CVMap(lossGrid(), "error") },
	"separators":    func() (*Figure, error) { return Separators(nine(), threePlanes()) },
	"tube":          func() (*Figure, error) { return Tube(fivePoints(), risingFit()) },
	"fits": func() (*Figure, error) {
		return Fits(fivePoints(), []TubeFit{risingFit(), {Name: "higher", F: curveOf(func(x float64) float64 { return x + 1.2 })}})
	},
	"residuals":   func() (*Figure, error) { return Residuals(fivePoints(), risingFit().F, 0.5) },
	"reliability": func() (*Figure, error) { return Reliability(answered(), forecasts(), 4) },
}

// lessonExamples builds one figure of each kind. They are what the golden images keep.
var lessonExamples = map[string]func() (*Figure, error){
	"margins": func() (*Figure, error) { return SignedMargins(nine(), plane(2, 1, 0.1)) },
	"margins-wrong": func() (*Figure, error) {
		return SignedMargins(square40(), svmkit.Hyperplane{W: []float64{1, 0}, B: 0.3})
	},
	"histogram": func() (*Figure, error) { return MarginHistogram(square40(), plane(2, -0.4, 0)) },
	"strip":     func() (*Figure, error) { return PlaneStrip(square40(), planes(square40())) },
	"squeeze": func() (*Figure, error) {
		trace, n, err := traced(cloud(8, 300), ones(8))
		if err != nil {
			return nil, err
		}
		return Squeeze(trace, n)
	},
	"angle": func() (*Figure, error) {
		trace, n, err := traced(cloud(8, 300), ones(8))
		if err != nil {
			return nil, err
		}
		return AngleToReference(trace, n)
	},
	"bound": func() (*Figure, error) { return MistakesAgainstBound(manyRuns()) },
	"tight": func() (*Figure, error) {
		var runs []TightRun
		for n := 1; n <= 20; n++ {
			trace, nov, err := traced(basisVectors(n), ones(n))
			if err != nil {
				return nil, err
			}
			runs = append(runs, TightRun{N: n, Mistakes: len(trace), Bound: nov.Bound()})
		}
		trace, nov, err := traced(basisVectors(20), ones(20))
		if err != nil {
			return nil, err
		}
		return TightCase(runs, trace, nov)
	},
	"growth": func() (*Figure, error) {
		rows := []float64{10, 100, 1000, 10000}
		return Growth([]GrowthPanel{{"rows $n$", []Series{
			{Name: "mean of ten sets", X: rows, Y: []float64{4, 7, 9, 9}, Low: []float64{2, 4, 5, 6}, High: []float64{7, 10, 14, 15}},
			{Name: "$d = 200$", X: rows, Y: []float64{8, 12, 16, 18}, Low: []float64{6, 8, 11, 12}, High: []float64{10, 18, 20, 23}},
		}}, {"columns $d$", []Series{{Name: "mean of ten sets", X: []float64{2, 20, 200}, Y: []float64{7, 11, 12}}}}}, 100)
	},
	"squeeze-within": func() (*Figure, error) {
		trace, n, err := traced(cloud(8, 300), ones(8))
		if err != nil {
			return nil, err
		}
		return SqueezeWithin(trace, n, 2000)
	},
	"novikoff-step": func() (*Figure, error) {
		return NovikoffStep([]VectorUpdate{{[]float64{2, 0}, svmkit.Dense(0, 1.6), 1}, {[]float64{2, -0.4}, svmkit.Dense(0.9, -1.5), -1}}, []float64{1, 1.6})
	},
	"street-and-run": func() (*Figure, error) { return StreetAndRun(square40(), plane(2, 1, 0), plane(2, 1.2, 0), 7) },
	"hinge-squeeze":  func() (*Figure, error) { return HingeSqueeze(noisyTrace()) },
	"noisy-run": func() (*Figure, error) {
		set := square40()
		set.Y[0], set.Y[3] = -set.Y[0], -set.Y[3]
		return NoisyRun(set, []int{0, 3}, 5, plane(2, 1, 0), plane(2, 1.9, 0), 9, 31.6)
	},
	"saddle":      func() (*Figure, error) { return SaddlePoint(oneConstraint(1, 1)) },
	"dual-triple": func() (*Figure, error) { return DualTriple(lonePoint(), []float64{0.25, 0.1875, 0.0625}) },
	"bias-margin": func() (*Figure, error) { return BiasMargin(fiveInARow(), plane(1, 0, 0)) },
	"primal-dual": func() (*Figure, error) { return PrimalDual(closingHistory()) },
	"alpha-bars":  func() (*Figure, error) { return AlphaBars(sixOnTheEdge(), []float64{0, 0.5, 0, 0, 0.5, 0}) },
	"support-vectors": func() (*Figure, error) {
		return SupportVectors(sixOnTheEdge(), plane(1, 0, 0), []float64{0, 0.5, 0, 0, 0.5, 0})
	},
	"staircase": func() (*Figure, error) { return Staircase(tilted(), climb(tilted(), 8)) },
	"parabolas": func() (*Figure, error) {
		return Parabolas([]CoordinateStep{{0.2, 1, 2, 1}, {0.2, 3, 2, 1}, {0.6, -2, 2, 1}})
	},
	"weight-histogram": func() (*Figure, error) { return WeightHistogram(weights(3), 2) },
	"weight-history": func() (*Figure, error) {
		return WeightHistory([]int{0, 1, 2, 10}, [][]float64{weights(0), weights(1), weights(2), weights(3)}, 2)
	},
	"half-spaces": func() (*Figure, error) {
		return HalfSpaces(plane(3, 4, -5), []svmkit.Row{svmkit.Dense(6, 3), svmkit.Dense(0, -5), svmkit.Dense(3, -1), svmkit.Dense(-3, 3.5)})
	},
	"projection": func() (*Figure, error) { return Projection(plane(3, 4, -5), svmkit.Dense(6, 3)) },
	"bias-shift": func() (*Figure, error) { return BiasShift([]float64{2, 1}, []float64{-3, -1, 0, 1, 3}) },
	"canonical":  func() (*Figure, error) { return CanonicalLines(canonicalNine()) },
	"canonical-twice": func() (*Figure, error) {
		set, h := canonicalNine()
		return CanonicalLines(set, h.Scale(2))
	},
	"space": func() (*Figure, error) {
		return Space(lifted24(), svmkit.Hyperplane{W: []float64{1, 0, 1}, B: -2.5}, Sight{Turn: 35, Tilt: 20})
	},
	"boundary-strip": func() (*Figure, error) { return BoundaryStrip(ringed24(), bells(), 3, 10) },
	"labellings":     func() (*Figure, error) { return Labellings(cornersOfSquare(), 2) },
	"labelling": func() (*Figure, error) {
		xor := cornersOfSquare()[2]
		xor.Names = []string{"A", "B", "C", "D"}
		return Labellings([]Labelling{xor}, 2)
	},
	"loss-zoo": func() (*Figure, error) { return LossZoo(zoo()) },
	"subgradient-fan": func() (*Figure, error) {
		return SubgradientFan(NamedLoss{Name: "hinge", Loss: loss.Hinge{}}, 1, []float64{-1.5, -1, -0.75, -0.5, -0.25, 0, 0.5})
	},
	"subgradient-fan-jump": func() (*Figure, error) {
		return SubgradientFan(NamedLoss{Name: "zero–one", Loss: loss.ZeroOne{}}, -1, []float64{0})
	},
	"surrogate-gap": func() (*Figure, error) { return SurrogateGap([]float64{0, 0.2, 0.4}, flips()) },
	"kkt-regression": func() (*Figure, error) {
		p := &svm.Problem{Data: wave(), Loss: loss.EpsInsensitive{Epsilon: 0.15}, Kernel: kernel.RBF{Gamma: 1}, C: svm.PerSum(2)}
		r := fitted(p)
		return KKT(p, r, r.Beta)
	},
	"kkt-early": func() (*Figure, error) {
		p := &svm.Problem{Data: overlapping(), Bias: svmkit.PenalizedBias}
		r, err := svm.Fit(context.Background(), p, svm.SDCA{}, &svm.Settings{MaxIterations: 3})
		if err != nil {
			return nil, err
		}
		return KKT(p, r, r.Beta)
	},
	"gram":        func() (*Figure, error) { return GramMatrix(everyFourth(penguins()), kernel.RBF{Gamma: 1}) },
	"gram-signed": func() (*Figure, error) { return GramMatrix(overlapping(), kernel.Linear{}) },
	"lift": func() (*Figure, error) {
		return AugmentedLift(onALine(), svmkit.Hyperplane{W: []float64{2}, B: -1})
	},
	"update": func() (*Figure, error) { return UpdateVectors(bothLabels()) },
	"round": func() (*Figure, error) {
		figures, err := Rounds(bothLabels())
		if err != nil {
			return nil, err
		}
		return figures[1], nil
	},
	"epsilon-loss":   func() (*Figure, error) { return EpsilonLoss(0.5, 1, 1) },
	"soft-threshold": func() (*Figure, error) { return SoftThreshold(0.5, 1.25, 0.8, 0.6) },
	"soft-street":    func() (*Figure, error) { return SoftStreet(sixSoft(), softFits()[1]) },
	"c-strip":        func() (*Figure, error) { return CStrip(sixSoft(), softFits()) },
	"alpha-path":     func() (*Figure, error) { return AlphaPath(softPath()) },
	"accuracy-over-c": func() (*Figure, error) {
		return AccuracyOverC([]float64{0.1, 1, 10}, [][]float64{{0.9, 0.92}, {0.96, 0.94}, {0.9, 0.94}},
			[][]float64{{0.93, 0.93}, {0.97, 0.96}, {1, 0.99}}, []float64{0.9, 0.91})
	},
	"turned-line":        func() (*Figure, error) { return TurnedLine(nine(), [2]float64{1, -0.5}, [2]float64{1, 0.2}) },
	"weight-space":       func() (*Figure, error) { return WeightSpace(planarSet(twoHold()), 3, 2) },
	"weight-space-empty": func() (*Figure, error) { return WeightSpace(planarSet(xorAboutOrigin()), 2, 2) },
}
