package svmtest

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// Known is a separable problem whose maximum margin is known by hand.
//
// Plane is canonical, min yᵢf(xᵢ) = 1, and of least ‖w‖ among the planes that FreeBias
// allows. Alpha proves it: αᵢ ≥ 0, w = Σ αᵢyᵢxᵢ, αᵢ > 0 only where yᵢf(xᵢ) = 1, and
// Σ αᵢyᵢ = 0 if the bias is free; then Σ αᵢ = ‖w‖².
type Known struct {
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

// KnownProblems returns all problems of this file, freshly built.
func KnownProblems() []Known {
	return []Known{threePointsNoBias(), threePointsFreeBias(), twoPoints(), twoOnALine(100), basis(20)}
}

// threePointsNoBias is a small example with planes through the origin. The signed
// rows yᵢxᵢ are (1,1), (5,1), (1,−5): the point of their hull nearest to the origin is
// (1,0) = 5/6·(1,1) + 1/6·(1,−5). The run makes mistakes on rows 0, 2, 0, 0 and ends at
// w = (4,−2), within R²/γ² = 26.
func threePointsNoBias() Known {
	return Known{
		Name: "three points, no bias", Data: threePoints(),
		Plane: svmkit.Hyperplane{W: []float64{1, 0}}, Gamma: 1,
		Alpha: []float64{5. / 6, 0, 1. / 6}, Radius: math.Sqrt(26), Mistakes: 4,
	}
}

// threePointsFreeBias is the same data with a free bias. The point of the segment between the
// two negative rows nearest to (1,1) is (−29,41)/13, and all three rows lie on the margin.
func threePointsFreeBias() Known {
	return Known{
		Name: "three points, free bias", Data: threePoints(), FreeBias: true,
		Plane: svmkit.Hyperplane{W: []float64{3. / 7, -2. / 7}, B: 6. / 7}, Gamma: 7 / math.Sqrt(13),
		Alpha: []float64{13. / 98, 4. / 98, 9. / 98}, Radius: math.Sqrt(26), Mistakes: 4,
	}
}

func threePoints() *svmkit.Dataset {
	return &svmkit.Dataset{
		X: svmkit.DenseRows([]float64{1, 1, -5, -1, -1, 5}, 2), Y: []float64{1, -1, -1}, Dim: 2,
	}
}

// twoPoints is (2,2) against the origin with a free bias. For two points p (+) and q (−)
// the plane bisects the segment: w = 2(p−q)/‖p−q‖², γ = ‖p−q‖/2, α = 2/‖p−q‖² for both.
func twoPoints() Known {
	return Known{
		Name: "two points", FreeBias: true,
		Data: &svmkit.Dataset{
			X: svmkit.DenseRows([]float64{2, 2, 0, 0}, 2), Y: []float64{1, -1}, Dim: 2,
		},
		Plane: svmkit.Hyperplane{W: []float64{0.5, 0.5}, B: -1}, Gamma: math.Sqrt2,
		Alpha: []float64{0.25, 0.25}, Radius: math.Sqrt(8),
	}
}

// twoOnALine is c−1 (class −1) and c+1 (class +1) in one dimension with a free bias: the
// margin is 1 wherever they lie, while a perceptron with bias needs more steps the farther
// c is from 0.
func twoOnALine(c float64) Known {
	return Known{
		Name: "two on a line", FreeBias: true,
		Data: &svmkit.Dataset{
			X: svmkit.DenseRows([]float64{c - 1, c + 1}, 1), Y: []float64{-1, 1}, Dim: 1,
		},
		Plane: svmkit.Hyperplane{W: []float64{1}, B: -c}, Gamma: 1,
		Alpha: []float64{0.5, 0.5}, Radius: math.Abs(c) + 1,
	}
}

// basis is the n unit vectors of ℝⁿ with labels +1, −1, +1, …, planes through the origin:
// the case where the mistake bound is attained. The rows are orthogonal, so each is a
// mistake exactly once: n = R²/γ² with γ = 1/√n. n ≥ 1; from 2 on both classes occur.
func basis(n int) Known {
	k := Known{
		Name: "unit vectors", Gamma: 1 / math.Sqrt(float64(n)), Radius: 1, Mistakes: n,
		Plane: svmkit.Hyperplane{W: make([]float64, n)}, Alpha: make([]float64, n),
	}
	flat, y := make([]float64, n*n), make([]float64, n)
	for i := range n {
		flat[i*n+i], y[i] = 1, float64(1-2*(i%2))
		k.Plane.W[i], k.Alpha[i] = y[i], 1
	}
	k.Data = &svmkit.Dataset{X: svmkit.DenseRows(flat, n), Y: y, Dim: n}
	return k
}
