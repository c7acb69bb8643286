package figures

import (
	"context"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// examples builds one figure of each kind. They are what the golden images keep.
var examples = map[string]func() (*plots.Figure, error){
	"margins": func() (*plots.Figure, error) { return SignedMargins(nine(), plane(2, 1, 0.1)) },
	"margins-wrong": func() (*plots.Figure, error) {
		return SignedMargins(square40(), svmkit.Hyperplane{W: []float64{1, 0}, B: 0.3})
	},
	"strip": func() (*plots.Figure, error) {
		return PlaneStrip(square40(),
			planes(square40()))
	},
	"squeeze": func() (*plots.Figure, error) {
		trace, n, err := traced(cloud(8, 300), ones(8))
		if err != nil {
			return nil, err
		}
		return Squeeze(trace, n)
	},
	"angle": func() (*plots.Figure, error) {
		trace, n, err := traced(cloud(8, 300), ones(8))
		if err != nil {
			return nil, err
		}
		return AngleToReference(trace, n)
	},
	"bound": func() (*plots.Figure, error) { return MistakesAgainstBound(manyRuns()) },
	"tight": func() (*plots.Figure, error) {
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
	"growth": func() (*plots.Figure, error) {
		rows := []float64{10, 100, 1000, 10000}
		return Growth([]GrowthPanel{{"rows $n$", []plots.Series{
			{Name: "mean of ten sets", X: rows, Y: []float64{4, 7, 9, 9},
				Low: []float64{2, 4, 5, 6}, High: []float64{7, 10, 14, 15}},
			{Name: "$d = 200$", X: rows, Y: []float64{8, 12, 16, 18}, Low: []float64{6, 8, 11, 12},
				High: []float64{10, 18, 20, 23}},
		}}, {"columns $d$", []plots.Series{{Name: "mean of ten sets", X: []float64{2, 20, 200},
			Y: []float64{7, 11, 12}}}}}, 100)
	},
	"squeeze-within": func() (*plots.Figure, error) {
		trace, n, err := traced(cloud(8, 300), ones(8))
		if err != nil {
			return nil, err
		}
		return SqueezeWithin(trace, n, 2000)
	},
	"proof-along": func() (*plots.Figure, error) {
		return ProofStep(twoPointRun(), []float64{1, 0}, twoPoints, 2, ProofAlong)
	},
	"proof-length": func() (*plots.Figure, error) {
		return ProofStep(twoPointRun(), []float64{1, 0}, twoPoints, 2, ProofLength)
	},
	"proof-both": func() (*plots.Figure, error) {
		return ProofStep(twoPointRun(), []float64{1, 0}, twoPoints, 4, ProofBoth)
	},
	"proof-last": func() (*plots.Figure, error) {
		return ProofStep(twoPointRun(), []float64{1, 0}, twoPoints, 10, ProofBoth)
	},
	"proof-none": func() (*plots.Figure, error) {
		return ProofStep(twoPointRun(), []float64{1, 0}, twoPoints, 11, ProofBoth)
	},
	"witness": func() (*plots.Figure, error) { return Witness(nine(), plane(0.6, 0.2, 0)) },
	"lengths-and-margins": func() (*plots.Figure, error) {
		return LengthsAndMargins(nine(), plane(2, 0.7, 0))
	},
	"street-and-run": func() (*plots.Figure, error) {
		return StreetAndRun(square40(),
			plane(2, 1, 0), plane(2, 1.2, 0), 7)
	},
	"hinge-squeeze": func() (*plots.Figure, error) { return HingeSqueeze(noisyTrace()) },
	"noisy-run": func() (*plots.Figure, error) {
		set := square40()
		set.Y[0], set.Y[3] = -set.Y[0], -set.Y[3]
		return NoisyRun(set, []int{0, 3}, 5, plane(2, 1, 0), plane(2, 1.9, 0), 9, 31.6)
	},
	"saddle": func() (*plots.Figure, error) { return SaddlePoint(oneConstraint(1, 1)) },
	"dual-triple": func() (*plots.Figure, error) {
		return DualTriple(lonePoint(),
			[]float64{0.25, 0.1875, 0.0625})
	},
	"bias-margin": func() (*plots.Figure, error) {
		return BiasMargin(fiveInARow(),
			plane(1, 0, 0))
	},
	"primal-dual": func() (*plots.Figure, error) { return PrimalDual(closingHistory()) },
	"alpha-bars": func() (*plots.Figure, error) {
		return AlphaBars(sixOnTheEdge(),
			[]float64{0, 0.5, 0, 0, 0.5, 0})
	},
	"support-vectors": func() (*plots.Figure, error) {
		return SupportVectors(sixOnTheEdge(), plane(1, 0, 0), []float64{0, 0.5, 0, 0, 0.5, 0})
	},
	"staircase": func() (*plots.Figure, error) { return Staircase(tilted(), climb(tilted(), 8)) },
	"parabolas": func() (*plots.Figure, error) {
		return Parabolas([]CoordinateStep{{0.2, 1, 2, 1}, {0.2, 3, 2, 1}, {0.6, -2, 2, 1}})
	},
	"weight-histogram": func() (*plots.Figure, error) { return WeightHistogram(weights(3), 2) },
	"weight-history": func() (*plots.Figure, error) {
		return WeightHistory([]int{0, 1, 2, 10},
			[][]float64{weights(0), weights(1), weights(2), weights(3)}, 2)
	},
	"half-spaces": func() (*plots.Figure, error) {
		return HalfSpaces(plane(3, 4, -5), []svmkit.Row{svmkit.Dense(6, 3), svmkit.Dense(0, -5),
			svmkit.Dense(3, -1), svmkit.Dense(-3, 3.5)})
	},
	"projection": func() (*plots.Figure, error) {
		return Projection(plane(3, 4, -5),
			svmkit.Dense(6, 3))
	},
	"bias-shift": func() (*plots.Figure, error) {
		return BiasShift([]float64{2, 1},
			[]float64{-3, -1, 0, 1, 3})
	},
	"canonical": func() (*plots.Figure, error) { return CanonicalLines(canonicalNine()) },
	"two-streets": func() (*plots.Figure, error) {
		return TwoStreets(sixOnTheEdge(), plane(3, 0, 0), plane(2, 0.5, 0))
	},
	"canonical-twice": func() (*plots.Figure, error) {
		set, h := canonicalNine()
		return CanonicalLines(set, h.Scale(2))
	},
	"space": func() (*plots.Figure, error) {
		return Space(lifted24(), svmkit.Hyperplane{W: []float64{1, 0, 1}, B: -2.5},
			Sight{Turn: 35, Tilt: 20})
	},
	"boundary-strip": func() (*plots.Figure, error) {
		return BoundaryStrip(ringed24(), bells(), 3,
			10)
	},
	"labellings": func() (*plots.Figure, error) { return Labellings(cornersOfSquare(), 2) },
	"labelling": func() (*plots.Figure, error) {
		xor := cornersOfSquare()[2]
		xor.Names = []string{"A", "B", "C", "D"}
		return Labellings([]Labelling{xor}, 2)
	},
	"loss-zoo": func() (*plots.Figure, error) { return LossZoo(zoo()) },
	"subgradient-fan": func() (*plots.Figure, error) {
		return SubgradientFan(NamedLoss{Name: "hinge", Loss: loss.Hinge{}}, 1,
			[]float64{-1.5, -1, -0.75, -0.5, -0.25, 0, 0.5})
	},
	"subgradient-fan-jump": func() (*plots.Figure, error) {
		return SubgradientFan(NamedLoss{Name: "zero–one", Loss: loss.ZeroOne{}}, -1, []float64{0})
	},
	"surrogate-gap": func() (*plots.Figure, error) {
		return SurrogateGap([]float64{0, 0.2, 0.4},
			flips())
	},
	"kkt-regression": func() (*plots.Figure, error) {
		p := &svm.Problem{Data: wave(), Loss: loss.EpsInsensitive{Epsilon: 0.15},
			Kernel: kernel.RBF{Gamma: 1}, C: svm.PerSum(2)}
		r := fitted(p)
		return KKT(p, r, r.Beta)
	},
	"kkt-early": func() (*plots.Figure, error) {
		p := &svm.Problem{Data: overlapping(), Bias: svmkit.PenalizedBias}
		r, err := svm.Fit(context.Background(), p, svm.SDCA{}, &svm.Settings{MaxIterations: 3})
		if err != nil {
			return nil, err
		}
		return KKT(p, r, r.Beta)
	},
	"gram": func() (*plots.Figure, error) {
		return GramMatrix(everyFourth(penguins()),
			kernel.RBF{Gamma: 1})
	},
	"gram-signed": func() (*plots.Figure, error) {
		return GramMatrix(overlapping(),
			kernel.Linear{})
	},
	"lift": func() (*plots.Figure, error) {
		return AugmentedLift(onALine(), svmkit.Hyperplane{W: []float64{2}, B: -1})
	},
	"update": func() (*plots.Figure, error) { return UpdateVectors(bothLabels()) },
	"round": func() (*plots.Figure, error) {
		figures, err := Rounds(bothLabels())
		if err != nil {
			return nil, err
		}
		return figures[1], nil
	},
	"epsilon-loss":   func() (*plots.Figure, error) { return EpsilonLoss(0.5, 1, 1) },
	"soft-threshold": func() (*plots.Figure, error) { return SoftThreshold(0.5, 1.25, 0.8, 0.6) },
	"soft-street":    func() (*plots.Figure, error) { return SoftStreet(sixSoft(), softFits()[1]) },
	"c-strip":        func() (*plots.Figure, error) { return CStrip(sixSoft(), softFits()) },
	"alpha-path":     func() (*plots.Figure, error) { return AlphaPath(softPath()) },
	"accuracy-over-c": func() (*plots.Figure, error) {
		return AccuracyOverC([]float64{0.1, 1, 10},
			[][]float64{{0.9, 0.92}, {0.96, 0.94}, {0.9, 0.94}},
			[][]float64{{0.93, 0.93}, {0.97, 0.96}, {1, 0.99}}, []float64{0.9, 0.91})
	},
	"turned-line": func() (*plots.Figure,
		error) {
		return TurnedLine(nine(), [2]float64{1, -0.5}, [2]float64{1, 0.2})
	},
	"weight-space": func() (*plots.Figure,
		error) {
		return WeightSpace(planarSet(twoHold()), 3, 2)
	},
	"weight-space-empty": func() (*plots.Figure,
		error) {
		return WeightSpace(planarSet(xorAboutOrigin()), 2, 2)
	},
	"cost-gamma": func() (*plots.Figure, error) { return CostGammaMap(costGrid()) },
	"confusion": func() (*plots.Figure,
		error) {
		return ConfusionMatrix(penguinConfusion())
	},
	"cv": func() (*plots.Figure, error) { return CVCurve(search(nil), "accuracy") },
	"cv-gamma": func() (*plots.Figure,
		error) {
		return CVCurve(search([]float64{0.1, 1, 10}), "accuracy")
	},
	"reliability": func() (*plots.Figure,
		error) {
		return Reliability(answered(), forecasts(), 4)
	},
}
