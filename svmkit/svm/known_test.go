package svm_test

import (
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/samples"
)

// known is a separable problem whose maximum margin is known by hand.
//
// Plane is canonical, min yᵢf(xᵢ) = 1, and of least ‖w‖ among the planes that FreeBias allows.
// Alpha proves it: αᵢ ≥ 0, w = Σ αᵢyᵢxᵢ, αᵢ > 0 only where yᵢf(xᵢ) = 1, and Σ αᵢyᵢ
// = 0 if the bias is free; then Σ αᵢ = ‖w‖².
type known struct {
	Name     string
	Data     *svmkit.Dataset
	FreeBias bool              // false: planes through the origin only, b = 0
	Plane    svmkit.Hyperplane // the canonical plane of largest margin
	Gamma    float64           // its half-margin, 1/‖w‖
	Alpha    []float64         // one hard-margin dual solution, a number for each row
	Radius   float64           // R = max ‖xᵢ‖
	// Mistakes counts those of a perceptron without bias, from w = 0, with y·f ≤ 0 a
	// mistake, cycling through the rows in order until a pass is clean. 0: not known.
	Mistakes int
}

// knownProblems returns the problems, freshly built.
func knownProblems() []known {
	const far, n = 100, 20
	onALine, _ := samples.Shifted(far) // no error: far is small
	basis, _, _ := samples.Basis(n)    // no error: n is small
	return []known{
		// The point of the hull of the yᵢxᵢ = (1,1), (5,1), (1,−5) nearest to the origin is (1,0) = 5/6·(1,1) +
		// 1/6·(1,−5). The run makes mistakes on rows 0, 2, 0, 0 and ends at w = (4,−2), within R²/γ² = 26.
		{Name: "three points, no bias", Data: samples.ThreePoints(), Radius: math.Sqrt(26), Mistakes: 4,
			Plane: svmkit.Hyperplane{W: []float64{1, 0}}, Gamma: 1, Alpha: []float64{5. / 6, 0, 1. / 6}},

		// The point of the segment between the two negative rows nearest to (1,1) is (−29,41)/13.
		{Name: "three points, free bias", Data: samples.ThreePoints(), FreeBias: true, Radius: math.Sqrt(26), Mistakes: 4,
			Plane: svmkit.Hyperplane{W: []float64{3. / 7, -2. / 7}, B: 6. / 7}, Gamma: 7 / math.Sqrt(13),
			Alpha: []float64{13. / 98, 4. / 98, 9. / 98}},

		// For two points p (+) and q (−): w = 2(p−q)/‖p−q‖², γ = ‖p−q‖/2, α = 2/‖p−q‖² for both.
		{Name: "two points", FreeBias: true, Radius: math.Sqrt(8),
			Data:  &svmkit.Dataset{X: svmkit.DenseRows([]float64{2, 2, 0, 0}, 2), Y: []float64{1, -1}, Dim: 2},
			Plane: svmkit.Hyperplane{W: []float64{0.5, 0.5}, B: -1}, Gamma: math.Sqrt2, Alpha: []float64{0.25, 0.25}},

		// The margin is 1 wherever the points lie, while a perceptron with bias needs more steps the farther they are.
		{Name: "two on a line", Data: onALine, FreeBias: true, Radius: far + 1,
			Plane: svmkit.Hyperplane{W: []float64{1}, B: -far}, Gamma: 1, Alpha: []float64{0.5, 0.5}},

		// The rows are orthogonal, so each is a mistake exactly once: n = R²/γ², and the mistake bound is attained.
		{Name: "unit vectors", Data: basis, Radius: 1, Mistakes: n, Gamma: 1 / math.Sqrt(n),
			Plane: svmkit.Hyperplane{W: slices.Clone(basis.Y)}, Alpha: slices.Repeat([]float64{1}, n)},
	}
}
